#include "tests/support/array_builder.h"

namespace blockscope {

ArrayProgram without_dead_operators(const ArrayProgram& program) {
    std::vector<char> alive(program.ops.size(), 0);
    for (const ArrayOutput& output : program.outputs) alive.at(static_cast<std::size_t>(output.op)) = 1;
    for (std::size_t i = program.ops.size(); i-- > 0;)
        if (alive[i])
            for (const int operand : program.ops[i].operands) alive[static_cast<std::size_t>(operand)] = 1;
    ArrayProgram result{program.dims, {}, program.outputs, program.comment};
    std::vector<int> place(program.ops.size(), -1);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (!alive[i]) continue;
        place[i] = static_cast<int>(result.ops.size());
        result.ops.push_back(program.ops[i]);
        for (int& operand : result.ops.back().operands) operand = place[static_cast<std::size_t>(operand)];
    }
    for (ArrayOutput& output : result.outputs) output.op = place[static_cast<std::size_t>(output.op)];
    return result;
}

DimId ArrayBuilder::dim(const std::string& name, std::int64_t size, std::int64_t block, DimKind kind) {
    program_.dims.push_back({name, size, block, kind});
    return DimId{static_cast<std::uint16_t>(program_.dims.size() - 1)};
}

int ArrayBuilder::push(ArrayOp op) {
    program_.ops.push_back(std::move(op));
    return size() - 1;
}

bool ArrayBuilder::joins(const std::vector<DimId>& part, const std::vector<DimId>& whole) const {
    if (part.empty()) return true;
    std::size_t next = 0;
    for (const DimId dim : whole) {
        if (next < part.size() && part[next] == dim)
            ++next;
        else if (dims()[dim.value].kind != DimKind::Group)
            return false;
    }
    return next == part.size();
}

// The longest of the operands' batches, which the others are parts of.
std::vector<DimId> ArrayBuilder::joined_batch(const std::vector<int>& operands) const {
    std::vector<DimId> batch;
    for (const int operand : operands)
        if (shape(operand).batch.size() > batch.size()) batch = shape(operand).batch;
    return batch;
}

ArrayOp ArrayBuilder::of(ArrayOpKind kind, std::vector<int> operands, Shape shape) const {
    ArrayOp op;
    op.kind = kind;
    op.operands = std::move(operands);
    op.shape = std::move(shape);
    if (!op.operands.empty()) op.elem = this->op(op.operands[0]).elem;
    return op;
}

int ArrayBuilder::input(const std::string& name, const Shape& shape, ElemType elem) {
    ArrayOp op = of(ArrayOpKind::Input, {}, shape);
    op.name = name;
    op.elem = elem;
    return push(std::move(op));
}

int ArrayBuilder::causal_mask(const std::string& name, const Shape& shape, std::int64_t window) {
    ArrayOp op = of(ArrayOpKind::Input, {}, shape);
    op.name = name;
    op.source = InputSource::CausalMask;
    op.window = window;
    return push(std::move(op));
}

int ArrayBuilder::elementwise(ExprPtr expr, const std::vector<int>& operands) {
    Shape result{joined_batch(operands), shape(operands.at(0)).axes};
    ArrayOp op = of(ArrayOpKind::Elementwise, operands, std::move(result));
    op.expr = std::move(expr);
    return push(std::move(op));
}

int ArrayBuilder::add(int a, int b) {
    return elementwise(call(Fn::Add, arg(0), arg(1)), {a, b});
}

int ArrayBuilder::mul(int a, int b) {
    return elementwise(call(Fn::Mul, arg(0), arg(1)), {a, b});
}

int ArrayBuilder::broadcast(Fn fn, int a, int b, VectorAxis axis) {
    const int matrix = shape(a).axes.size() == 2 ? a : b;
    ArrayOp op = of(ArrayOpKind::Broadcast, {a, b}, {joined_batch({a, b}), shape(matrix).axes});
    op.fn = fn;
    op.vector_axis = axis;
    return push(std::move(op));
}

int ArrayBuilder::matmul(int a, int b) {
    const Shape result{joined_batch({a, b}), {shape(a).axes.at(0), shape(b).axes.at(1)}};
    return push(of(ArrayOpKind::Matmul, {a, b}, result));
}

int ArrayBuilder::transpose(int a) {
    Shape result = shape(a);
    std::swap(result.axes.at(0), result.axes.at(1));
    return push(of(ArrayOpKind::Transpose, {a}, std::move(result)));
}

int ArrayBuilder::rope(ArrayOpKind kind, int a, int cosines, int sines) {
    return push(of(kind, {a, cosines, sines}, shape(a)));
}

int ArrayBuilder::softmax(int a) {
    return push(of(ArrayOpKind::Softmax, {a}, shape(a)));
}

int ArrayBuilder::rms_norm(int a, int weight, bool paper_form) {
    std::vector<int> operands{a};
    if (weight >= 0) operands.push_back(weight);
    ArrayOp op = of(ArrayOpKind::RmsNorm, operands, {joined_batch(operands), shape(a).axes});
    op.paper_form = paper_form;
    op.epsilon = paper_form ? 0 : 1e-5;
    return push(std::move(op));
}

int ArrayBuilder::layer_norm(int a, int weight, int bias, bool paper_form) {
    std::vector<int> operands{a};
    if (weight >= 0) operands.push_back(weight);
    if (weight >= 0 && bias >= 0) operands.push_back(bias);
    ArrayOp op = of(ArrayOpKind::LayerNorm, operands, {joined_batch(operands), shape(a).axes});
    op.paper_form = paper_form;
    op.epsilon = paper_form ? 0 : 1e-5;
    return push(std::move(op));
}

int ArrayBuilder::row(ArrayOpKind kind, int a) {
    return push(of(kind, {a}, {shape(a).batch, {shape(a).axes.at(0)}}));
}

int ArrayBuilder::outer(int rows, int cols) {
    const Shape result{joined_batch({rows, cols}), {shape(rows).axes.at(0), shape(cols).axes.at(0)}};
    return push(of(ArrayOpKind::Outer, {rows, cols}, result));
}

int ArrayBuilder::sum_over(int a, DimId dim) {
    Shape result = shape(a);
    std::erase(result.batch, dim);
    ArrayOp op = of(ArrayOpKind::SumOver, {a}, std::move(result));
    op.dim = dim;
    return push(std::move(op));
}

int ArrayBuilder::cast(int a, ElemType elem) {
    ArrayOp op = of(ArrayOpKind::Cast, {a}, shape(a));
    op.elem = elem;
    return push(std::move(op));
}

int ArrayBuilder::custom(const std::string& name, const std::vector<int>& operands, const Shape& shape) {
    ArrayOp op = of(ArrayOpKind::Custom, operands, shape);
    op.custom_name = name;
    return push(std::move(op));
}

void ArrayBuilder::output(const std::string& name, int op) {
    ArrayOp& target = program_.ops.at(static_cast<std::size_t>(op));
    if (target.name.empty()) target.name = name;
    program_.outputs.push_back({name, op, {}});
}

ArrayProgram ArrayBuilder::finish() const {
    ArrayProgram program = without_dead_operators(program_);
    const Problems problems = check_program(program);
    if (problems.empty()) return program;
    std::string message = "the program under construction is not valid:";
    for (const Problem& problem : problems) message += "\n" + to_string(problem);
    throw InternalError(message);
}

}  // namespace blockscope
