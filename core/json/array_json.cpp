#include "core/json/json_io.h"
#include "core/json/parts.h"

namespace blockscope::json {

const std::vector<std::string>& array_op_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const ArrayOperator& row : kArrayOperators) result.emplace_back(row.name);
        return result;
    }();
    return names;
}

const std::vector<std::string>& vector_axis_names() {
    static const std::vector<std::string> names = {"rows", "cols"};
    return names;
}

const std::vector<std::string>& broadcast_names() {
    static const std::vector<std::string> names = {"add", "sub", "mul", "div"};
    return names;
}

namespace {

constexpr std::size_t kMaxOps = 100'000;
constexpr std::size_t kMaxOperands = 1'000'000;  // of all operators together
constexpr std::size_t kMaxComment = 10'000;      // lines
constexpr std::size_t kMaxCommentBytes = 10'000;

class ArrayReader {
public:
    ArrayReader(const Reader& document, const Reader& dims) : document_(document), dims_(dims) {
        program_.dims = dims_.table();
    }

    ArrayProgram read() {
        read_comment(document_.member("comment"));
        read_ops(document_.member("ops"));
        read_outputs(document_.member("outputs"));
        return std::move(program_);
    }

private:
    void read_comment(const Reader& lines) {
        if (!lines.array(0, kMaxComment)) return;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto line = lines.at(i).string(kMaxCommentBytes);
            if (line) program_.comment.push_back(*line);
        }
    }

    void read_ops(const Reader& ops) {
        if (!ops.array(0, kMaxOps)) return;
        for (std::size_t i = 0; i < ops.size() && !ops.report().full(); ++i) read_op(ops.at(i));
    }

    void read_op(const Reader& reader) {
        ArrayOp op;
        op.place = reader.place();
        if (!reader.has("kind")) {
            reader.problem(Text("expected an operator, an object with the key kind"));
        } else if (const auto kind = reader.member("kind").choice(array_op_names())) {
            op.kind = static_cast<ArrayOpKind>(*kind);
            read_details(reader, op);
        }
        program_.ops.push_back(std::move(op));
    }

    void read_details(const Reader& reader, ArrayOp& op) {
        switch (op.kind) {
            case ArrayOpKind::Input:
                return read_input(reader, op);
            case ArrayOpKind::Elementwise:
                if (reader.object({"kind", "name?", "operands", "expr"}))
                    op.expr = read_expr(reader.member("expr"), dims_);
                break;
            case ArrayOpKind::Broadcast:
                read_broadcast(reader, op);
                break;
            case ArrayOpKind::RmsNorm:
            case ArrayOpKind::LayerNorm:
                read_norm(reader, op);
                break;
            case ArrayOpKind::SumOver:
                if (!reader.object({"kind", "name?", "operands", "dim"})) break;
                if (const auto dim = dims_.find(reader.member("dim"))) op.dim = *dim;
                break;
            case ArrayOpKind::Cast:
                if (!reader.object({"kind", "name?", "operands", "elem"})) break;
                if (const auto elem = read_elem(reader.member("elem"))) op.elem = *elem;
                break;
            case ArrayOpKind::Custom:
                read_custom(reader, op);
                break;
            default:
                (void)reader.object({"kind", "name?", "operands"});
                break;
        }
        read_name(reader, op);
        read_operands(reader.member("operands"), op);
    }

    void read_input(const Reader& reader, ArrayOp& op) {
        if (!reader.object({"kind", "name", "source", "window?", "batch", "axes", "elem"})) return;
        read_name(reader, op);
        if (const auto source = reader.member("source").choice(source_names())) {
            op.source = static_cast<InputSource>(*source);
            op.window = json::read_window(reader, op.source);
        }
        read_shape(reader, op);
    }

    void read_broadcast(const Reader& reader, ArrayOp& op) {
        if (!reader.object({"kind", "name?", "operands", "fn", "vector_axis"})) return;
        if (const auto fn = reader.member("fn").choice(broadcast_names())) {
            op.fn = static_cast<Fn>(static_cast<int>(Fn::Add) + *fn);
        }
        if (const auto axis = reader.member("vector_axis").choice(vector_axis_names())) {
            op.vector_axis = static_cast<VectorAxis>(*axis);
        }
    }

    void read_norm(const Reader& reader, ArrayOp& op) {
        if (!reader.object({"kind", "name?", "operands", "paper_form", "epsilon"})) return;
        op.paper_form = reader.member("paper_form").boolean().value_or(false);
        op.epsilon = reader.member("epsilon").number().value_or(0);
    }

    void read_custom(const Reader& reader, ArrayOp& op) {
        if (!reader.object({"kind", "name?", "operands", "custom_name", "batch", "axes", "elem"})) return;
        op.custom_name = reader.member("custom_name").string(kMaxNameBytes).value_or("");
        read_shape(reader, op);
    }

    void read_shape(const Reader& reader, ArrayOp& op) {
        if (const auto batch = dims_.find_all(reader.member("batch"), kMaxRank)) op.shape.batch = *batch;
        if (const auto axes = dims_.find_all(reader.member("axes"), 2)) op.shape.axes = *axes;
        if (const auto elem = read_elem(reader.member("elem"))) op.elem = *elem;
    }

    void read_name(const Reader& reader, ArrayOp& op) {
        if (reader.has("name")) op.name = reader.member("name").string(kMaxNameBytes).value_or("");
    }

    void read_operands(const Reader& list, ArrayOp& op) {
        if (!list.array(0, kMaxOperands)) return;
        operands_ += list.size();
        if (operands_ > kMaxOperands) {
            list.problem(Text("the operators have more than %1 operands together, the most that is allowed",
                              kMaxOperands));
            return;
        }
        const auto earlier = static_cast<std::int64_t>(program_.ops.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Reader operand = list.at(i);
            const auto index = operand.integer(0, static_cast<std::int64_t>(kMaxOps) - 1);
            if (index && *index >= earlier) {
                operand.problem(Text("found operand %1 of operator %2; an operator takes earlier ones only",
                                     *index, earlier));
            } else if (index) {
                op.operands.push_back(static_cast<int>(*index));
            }
        }
    }

    void read_outputs(const Reader& outputs) {
        if (!outputs.array(0, kMaxOps)) return;
        const auto last = static_cast<std::int64_t>(program_.ops.size()) - 1;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const Reader reader = outputs.at(i);
            if (!reader.object({"name", "op"})) continue;
            ArrayOutput output;
            output.place = reader.place();
            output.name = reader.member("name").string(kMaxNameBytes).value_or("");
            output.op = static_cast<int>(reader.member("op").integer(0, last).value_or(0));
            program_.outputs.push_back(std::move(output));
        }
    }

    const Reader& document_;
    Dims dims_;
    ArrayProgram program_;
    std::size_t operands_ = 0;
};

}  // namespace

}  // namespace blockscope::json

namespace blockscope {

Result<ArrayProgram> read_array_program(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    const json::Reader reader(*document, report);
    if (!json::check_header(reader, json::kArrayFormat) ||
        !reader.object({"format", "version", "comment", "dims", "ops", "outputs"})) {
        return report.problems();
    }
    const json::Reader dims = reader.member("dims");
    ArrayProgram program = json::ArrayReader(reader, dims).read();
    if (!report.clean()) return report.problems();
    for (Problem& problem : check_program(program)) {
        if (problem.place.file.empty()) problem.place.file = file;
        report.add(std::move(problem));
    }
    if (!report.clean()) return report.problems();
    return program;
}

namespace {

using json::Array;
using json::Object;
using json::Value;

Value shape_part(const std::vector<DimId>& part, const DimTable& dims) {
    return json::dim_values(part, dims);
}

void add_shape(Object& object, const ArrayOp& op, const DimTable& dims) {
    object.push_back({"batch", shape_part(op.shape.batch, dims)});
    object.push_back({"axes", shape_part(op.shape.axes, dims)});
    object.push_back({"elem", to_string(op.elem)});
}

// What the operator says beyond its kind, name and operands.
void add_details(Object& object, const ArrayOp& op, const DimTable& dims) {
    switch (op.kind) {
        case ArrayOpKind::Input:
            object.push_back({"source", json::source_names().at(static_cast<std::size_t>(op.source))});
            if (op.window > 0) object.push_back({"window", Value(op.window)});
            return add_shape(object, op, dims);
        case ArrayOpKind::Elementwise:
            object.push_back({"expr", json::expr_value(*op.expr, dims)});
            return;
        case ArrayOpKind::Broadcast:
            object.push_back({"fn", to_string(op.fn)});
            object.push_back(
                {"vector_axis", json::vector_axis_names().at(static_cast<std::size_t>(op.vector_axis))});
            return;
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
            object.push_back({"paper_form", Value(op.paper_form)});
            object.push_back({"epsilon", op.epsilon});
            return;
        case ArrayOpKind::SumOver:
            object.push_back({"dim", json::dim_value(op.dim, dims)});
            return;
        case ArrayOpKind::Cast:
            object.push_back({"elem", to_string(op.elem)});
            return;
        case ArrayOpKind::Custom:
            object.push_back({"custom_name", op.custom_name});
            return add_shape(object, op, dims);
        default:  // nothing
            return;
    }
}

Value op_value(const ArrayOp& op, const DimTable& dims) {
    Object object = {{"kind", json::array_op_names().at(static_cast<std::size_t>(op.kind))}};
    if (!op.name.empty()) object.push_back({"name", op.name});
    if (op.kind != ArrayOpKind::Input) {
        Array operands;
        for (const int operand : op.operands) operands.push_back(operand);
        object.push_back({"operands", std::move(operands)});
    }
    add_details(object, op, dims);
    return object;
}

}  // namespace

std::string write_json(const ArrayProgram& program) {
    Array comment;
    for (const std::string& line : program.comment) comment.push_back(line);
    Array ops;
    for (const ArrayOp& op : program.ops) ops.push_back(op_value(op, program.dims));
    Array outputs;
    for (const ArrayOutput& output : program.outputs) {
        outputs.push_back(Object{{"name", output.name}, {"op", output.op}});
    }
    return json::print(Object{{"format", json::kArrayFormat},
                              {"version", 1},
                              {"comment", std::move(comment)},
                              {"dims", json::dims_value(program.dims)},
                              {"ops", std::move(ops)},
                              {"outputs", std::move(outputs)}});
}

}  // namespace blockscope
