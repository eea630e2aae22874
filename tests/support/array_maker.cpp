#include "tests/support/array_maker.h"

namespace blockscope::test {

ArrayMaker::ArrayMaker() {
    program.dims = {
        {"M", 7, 3, DimKind::Blocked}, {"N", 10, 4, DimKind::Blocked}, {"K", 5, 2, DimKind::Blocked},
        {"D", 4, 2, DimKind::Blocked}, {"L", 3, 2, DimKind::Blocked},  {"B", 2, 1, DimKind::Batch},
        {"H", 3, 1, DimKind::Batch},   {"G", 2, 1, DimKind::Group},    {"W", 6, 6, DimKind::Blocked}};
}

DimId ArrayMaker::dim(char name) const {
    for (std::size_t i = 0; i < program.dims.size(); ++i) {
        if (program.dims[i].name == std::string(1, name)) return DimId{static_cast<std::uint16_t>(i)};
    }
    throw InternalError(std::string("no dimension ") + name);
}

Shape ArrayMaker::shape(const std::string& text) const {
    const std::size_t bar = text.find('|');
    Shape shape;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i == bar) continue;
        (bar != std::string::npos && i < bar ? shape.batch : shape.axes).push_back(dim(text[i]));
    }
    return shape;
}

int ArrayMaker::push(ArrayOp op) {
    if (!op.operands.empty() && op.kind != ArrayOpKind::Cast) {
        op.elem = program.ops.at(static_cast<std::size_t>(op.operands[0])).elem;
    }
    program.ops.push_back(std::move(op));
    return static_cast<int>(program.ops.size()) - 1;
}

int ArrayMaker::op(ArrayOpKind kind, std::vector<int> operands, const std::string& text) {
    ArrayOp op;
    op.kind = kind;
    op.operands = std::move(operands);
    op.shape = shape(text);
    return push(std::move(op));
}

int ArrayMaker::input(const std::string& name, const std::string& text, ElemType elem) {
    const int index = op(ArrayOpKind::Input, {}, text);
    last().name = name;
    last().elem = elem;
    return index;
}

int ArrayMaker::elementwise(ExprPtr expr, std::vector<int> operands, const std::string& text) {
    const int index = op(ArrayOpKind::Elementwise, std::move(operands), text);
    last().expr = std::move(expr);
    return index;
}

int ArrayMaker::broadcast(Fn fn, VectorAxis axis, int first, int second, const std::string& text) {
    const int index = op(ArrayOpKind::Broadcast, {first, second}, text);
    last().fn = fn;
    last().vector_axis = axis;
    return index;
}

int ArrayMaker::norm(ArrayOpKind kind, std::vector<int> operands, const std::string& text, bool paper_form) {
    const int index = op(kind, std::move(operands), text);
    last().paper_form = paper_form;
    last().epsilon = paper_form ? 0 : 0.00001;
    return index;
}

int ArrayMaker::sum_over(char name, int operand, const std::string& text) {
    const int index = op(ArrayOpKind::SumOver, {operand}, text);
    last().dim = dim(name);
    return index;
}

int ArrayMaker::cast(ElemType elem, int operand, const std::string& text) {
    const int index = op(ArrayOpKind::Cast, {operand}, text);
    last().elem = elem;
    return index;
}

int ArrayMaker::custom(const std::string& name, std::vector<int> operands, const std::string& text) {
    const int index = op(ArrayOpKind::Custom, std::move(operands), text);
    last().custom_name = name;
    return index;
}

ArrayMaker& ArrayMaker::output(const std::string& name, int op) {
    program.outputs.push_back({name, op, {}});
    return *this;
}

}  // namespace blockscope::test
