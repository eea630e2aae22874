#include "tests/json/compare.h"

namespace blockscope::test {

void expect_round_trip(const BlockProgram& program) {
    const std::string text = write_json(program);
    const Result<BlockProgram> read = read_block_program(text, "f");
    if (!read) {
        ADD_FAILURE() << to_string(read.problems().at(0)) << "\n" << text;
        return;
    }
    EXPECT_EQ(read->dims, program.dims);
    EXPECT_EQ(read->next_id, program.next_id);
    EXPECT_TRUE(identical(*read->graph, *program.graph)) << text;
    EXPECT_EQ(write_json(*read), text);
}

namespace {

bool same(const ArrayOp& a, const ArrayOp& b) {
    const bool exprs = a.expr && b.expr ? equal(*a.expr, *b.expr) : a.expr == b.expr;
    return exprs && a.kind == b.kind && a.name == b.name && a.operands == b.operands && a.fn == b.fn &&
           a.vector_axis == b.vector_axis && a.source == b.source && a.paper_form == b.paper_form &&
           a.epsilon == b.epsilon && a.dim == b.dim && a.custom_name == b.custom_name && a.shape == b.shape &&
           a.elem == b.elem;
}

bool same(const ArrayOutput& a, const ArrayOutput& b) {
    return a.name == b.name && a.op == b.op;
}

bool same(const Step& a, const Step& b) {
    return a.match == b.match && identical(*a.before->graph, *b.before->graph) &&
           identical(*a.after->graph, *b.after->graph) && a.after->next_id == b.after->next_id &&
           a.made == b.made && a.removed == b.removed && a.explanation == b.explanation;
}

template <class T>
void expect_same(const std::vector<T>& a, const std::vector<T>& b, const std::string& text) {
    ASSERT_EQ(a.size(), b.size()) << text;
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i])) << i << "\n" << text;
}

}  // namespace

void expect_round_trip(const ArrayProgram& program) {
    const std::string text = write_json(program);
    const Result<ArrayProgram> read = read_array_program(text, "f");
    if (!read) {
        ADD_FAILURE() << to_string(read.problems().at(0)) << "\n" << text;
        return;
    }
    EXPECT_EQ(read->dims, program.dims);
    EXPECT_EQ(read->comment, program.comment);
    expect_same(read->ops, program.ops, text);
    expect_same(read->outputs, program.outputs, text);
    EXPECT_EQ(write_json(*read), text);
}

void expect_round_trip(const Trace& trace) {
    const std::string text = write_json(trace);
    const Result<Trace> read = read_trace(text, "f");
    if (!read) {
        ADD_FAILURE() << to_string(read.problems().at(0)) << "\n" << text;
        return;
    }
    EXPECT_TRUE(identical(*read->initial->graph, *trace.initial->graph)) << text;
    expect_same(read->steps, trace.steps, text);
    EXPECT_EQ(read->snapshots, trace.snapshots);
    EXPECT_EQ(read->stopped, trace.stopped);
    EXPECT_EQ(write_json(*read), text);
}

void separate_names(ArrayProgram& program) {
    for (ArrayOp& op : program.ops) {
        if (op.kind == ArrayOpKind::Input) op.name = "in_" + op.name;
    }
    for (ArrayOutput& output : program.outputs) output.name = "out_" + output.name;
}

}  // namespace blockscope::test
