#include "app/figure/array_figure.h"

#include <algorithm>
#include <cmath>

#include "core/program/block_maps.h"
#include "core/program/infer.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr double kPadX = 10, kPadY = 6;  // around the text of a box
constexpr double kLeastWidth = 44;
constexpr std::size_t kLongest = 32;  // characters of a label

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

std::string shortened(const std::string& text) {
    return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
}

// Without spaces, as block programs have their types.
std::string shape_text(const Shape& shape, const DimTable& dims) {
    std::string text = to_string(shape, dims);
    std::erase(text, ' ');
    return text;
}

// The operands' names; x, y, z, u, v, w for nameless ones.
std::vector<std::string> operand_names(const ArrayProgram& program, const ArrayOp& op) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
        const std::string& name = program.ops[at(op.operands[i])].name;
        const std::string letter(1, "xyzuvw"[i % 6]);
        names.push_back(name.empty() ? letter : name);
    }
    return names;
}

std::string broadcast_text(const ArrayProgram& program, const ArrayOp& op) {
    const std::vector<std::string> names = operand_names(program, op);
    std::string sign = "+";
    if (op.fn == Fn::Sub) sign = "-";
    if (op.fn == Fn::Mul) sign = "*";
    if (op.fn == Fn::Div) sign = "/";
    return names.at(0) + sign + names.at(1);
}

BoxKind kind_of(ArrayOpKind kind) {
    switch (kind) {
        case ArrayOpKind::Input:
            return BoxKind::Input;
        case ArrayOpKind::Elementwise:
        case ArrayOpKind::Broadcast:
        case ArrayOpKind::Cast:
            return BoxKind::Elementwise;
        case ArrayOpKind::Custom:
            return BoxKind::Misc;
        case ArrayOpKind::Matmul:
        case ArrayOpKind::Transpose:
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::Outer:
        case ArrayOpKind::SumOver:
            return BoxKind::Functional;
    }
    throw InternalError("unknown array operator");
}

class ArrayFigureMaker {
public:
    ArrayFigureMaker(const ArrayProgram& program, const Measure& measure)
        : program_(program), measure_(measure) {}

    Figure run() {
        for (std::size_t i = 0; i < program_.ops.size(); ++i) add_op(static_cast<int>(i));
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) add_output(static_cast<int>(k));
        return std::move(figure_);
    }

private:
    void add_op(int number) {
        const ArrayOp& op = program_.ops[at(number)];
        const bool input = op.kind == ArrayOpKind::Input;
        const std::string what = array_op_label(program_, number);
        Box box;
        box.kind = kind_of(op.kind);
        box.label = input ? op.name + shape_text(op.shape, program_.dims) : what;
        box.detail = what + ": " + array_label(op, program_.dims);
        if (op.place.line > 0) box.detail += ", line " + std::to_string(op.place.line);
        add_box(std::move(box), array_box(number));
        for (std::size_t i = 0; i < op.operands.size(); ++i)
            add_edge(op.operands[i], number, array_box(number), static_cast<int>(i));
    }

    void add_output(int number) {
        const ArrayOutput& output = program_.outputs[at(number)];
        const ArrayOp& op = program_.ops[at(output.op)];
        Box box;
        box.kind = BoxKind::Output;
        box.label = output.name + shape_text(op.shape, program_.dims);
        box.detail = "output " + output.name + ": " + array_label(op, program_.dims);
        const NodeId id = array_output_box(program_, number);
        const int index = add_box(std::move(box), id);
        add_edge(output.op, index, id, 0);
    }

    int add_box(Box box, NodeId id) {
        const auto index = static_cast<int>(figure_.boxes.size());
        box.nodes = {id};
        const Size text = measure_(box.label, TextRole::Label);
        box.size = {std::max(kLeastWidth, std::ceil(text.width) + 2 * kPadX),
                    std::ceil(text.height) + 2 * kPadY};
        figure_.box_of[id.value] = index;
        figure_.roots.push_back(index);
        figure_.boxes.push_back(std::move(box));
        return index;
    }

    void add_edge(int producer, int to, NodeId consumer, int input) {
        const ArrayOp& op = program_.ops[at(producer)];
        Edge edge;
        edge.from = {producer, -1};
        edge.to = {to, -1};
        edge.value = {array_box(producer)};
        edge.consumer = consumer;
        edge.input = input;
        edge.type = array_type(op.shape, op.elem);
        edge.buffered = true;
        edge.label = array_label(op, program_.dims);
        figure_.edges.push_back(std::move(edge));
    }

    const ArrayProgram& program_;
    const Measure& measure_;
    Figure figure_;
};

}  // namespace

NodeId array_box(int op) {
    return NodeId{static_cast<std::uint32_t>(op) + 1};
}

NodeId array_output_box(const ArrayProgram& program, int output) {
    return array_box(static_cast<int>(program.ops.size()) + output);
}

int array_op(const ArrayProgram& program, NodeId box) {
    if (!box) return -1;
    const std::size_t index = box.value - 1;
    if (index < program.ops.size()) return static_cast<int>(index);
    const std::size_t output = index - program.ops.size();
    return output < program.outputs.size() ? program.outputs[output].op : -1;
}

std::string array_label(const ArrayOp& op, const DimTable& dims) {
    return op.name + shape_text(op.shape, dims) + " " + to_string(op.elem);
}

std::string array_op_label(const ArrayProgram& program, int number) {
    const ArrayOp& op = program.ops[at(number)];
    switch (op.kind) {
        case ArrayOpKind::Input:
            return op.source == InputSource::CausalMask ? "causal mask" : "input";
        case ArrayOpKind::Elementwise:
            return shortened(to_string(*op.expr, operand_names(program, op), program.dims));
        case ArrayOpKind::Broadcast:
            return shortened(broadcast_text(program, op));
        case ArrayOpKind::Matmul:
            return "matmul";
        case ArrayOpKind::Transpose:
            return "transpose";
        case ArrayOpKind::Softmax:
            return "softmax";
        case ArrayOpKind::RmsNorm:
            return "rmsnorm";
        case ArrayOpKind::LayerNorm:
            return "layernorm";
        case ArrayOpKind::RowSum:
            return "row_sum";
        case ArrayOpKind::RowMean:
            return "row_mean";
        case ArrayOpKind::RowMax:
            return "row_max";
        case ArrayOpKind::Outer:
            return "outer";
        case ArrayOpKind::SumOver:
            return "sum over " + program.dims.at(op.dim.value).name;
        case ArrayOpKind::Cast:
            return "cast to " + to_string(op.elem);
        case ArrayOpKind::Custom:
            return shortened(op.custom_name);
    }
    throw InternalError("unknown array operator");
}

Figure make_array_figure(const ArrayProgram& program, const Measure& measure) {
    return ArrayFigureMaker(program, measure).run();
}

}  // namespace blockscope
