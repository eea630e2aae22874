#include "core/program/array_program.h"

#include <algorithm>

#include "core/program/syntax.h"

namespace blockscope {

namespace {

std::string size_text(const DimTable& dims, DimId dim) {
    const Dim& d = dims[dim.value];
    return d.name + " (" + std::to_string(d.size) + ")";
}

bool contains(const std::vector<DimId>& dims, DimId dim) {
    return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// The operator in a sentence: by its name in the language if it has one.
Text called(ArrayOpKind kind) {
    if (kind == ArrayOpKind::Elementwise) return Text("an elementwise operator");
    if (kind == ArrayOpKind::Broadcast) return Text("an operator on a matrix and a vector");
    return {describe(kind)};
}

// What helps against two operands of different axes.
Text axes_hint(const std::vector<DimId>& a, const std::vector<DimId>& b) {
    if (a.size() == 2 && b == std::vector<DimId>{a[1], a[0]}) return Text(" (transpose one with .T)");
    return a.size() == 1 && b.size() == 1 ? Text(" (outer(c, d) makes a matrix of two vectors)") : Text();
}

// Works out one operator. Messages are left in `problem`.
class Inference {
public:
    Inference(const ArrayProgram& program, ArrayOp& op) : program_(program), dims_(program.dims), op_(op) {}

    Text run();

private:
    void given();
    void elementwise();
    void broadcast();
    void matmul();
    void transpose();
    void keep_rows();
    void rotate();
    void fold_rows();
    void outer();
    void sum_over();

    const ArrayOp& operand(std::size_t i) const {
        return program_.ops[static_cast<std::size_t>(op_.operands[i])];
    }
    const Shape& shape(std::size_t i) const { return operand(i).shape; }
    Text name(std::size_t i) const;
    void fail(Text message) {
        if (problem_.empty()) problem_ = std::move(message);
    }
    bool ok() const { return problem_.empty(); }

    bool needs_axes(std::size_t i, std::size_t count);
    void same_elem();
    void union_batch();
    void insert_batch(std::vector<DimId>& all, std::size_t i);

    const ArrayProgram& program_;
    const DimTable& dims_;
    ArrayOp& op_;
    Text problem_;
};

// "Q[M, D]", or "the left operand [M, D]" for a nameless one.
Text Inference::name(std::size_t i) const {
    const std::string shape_text = to_string(shape(i), dims_);
    if (!operand(i).name.empty()) return {operand(i).name + shape_text};
    if (op_.operands.size() == 1) return Text("an operand %1", shape_text);
    if (op_.operands.size() == 2)
        return i == 0 ? Text("a left operand %1", shape_text) : Text("a right operand %1", shape_text);
    return Text("operand %1 %2", i + 1, shape_text);
}

bool Inference::needs_axes(std::size_t i, std::size_t count) {
    if (shape(i).axes.size() == count) return true;
    fail(count == 2 ? Text("found %1; %2 expects a matrix (two axes after the batch dimensions)", name(i),
                           called(op_.kind))
                    : Text("found %1; %2 expects a vector (one axis after the batch dimensions)", name(i),
                           called(op_.kind)));
    return false;
}

void Inference::same_elem() {
    op_.elem = operand(0).elem;
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
        if (operand(i).elem == op_.elem) continue;
        const std::string first = to_string(op_.elem);
        fail(Text("found %1 of type %2 and %3 of type %4; %5 expects one element type, as with cast(%6, %2)",
                  name(0), first, name(i), to_string(operand(i).elem), called(op_.kind),
                  operand(i).name.empty() ? std::string("...") : operand(i).name));
    }
}

// A new dimension goes in front of the next one that both operands have, else to the end.
void Inference::insert_batch(std::vector<DimId>& all, std::size_t i) {
    const std::vector<DimId>& more = shape(i).batch;
    auto from = all.begin();
    for (std::size_t k = 0; k < more.size(); ++k) {
        const auto found = std::find(all.begin(), all.end(), more[k]);
        if (found != all.end()) {
            if (found < from) {
                return fail(
                    Text("found %1 and %2, whose batch dimensions are in a different order; expected the "
                         "same order",
                         name(0), name(i)));
            }
            from = found + 1;
            continue;
        }
        auto place = all.end();
        for (std::size_t next = k + 1; next < more.size() && place == all.end(); ++next) {
            place = std::find(from, all.end(), more[next]);
        }
        from = all.insert(place, more[k]) + 1;
    }
}

// An operand without batch dimensions is shared by all; one that lacks some of them only along
// group dimensions.
void Inference::union_batch() {
    std::vector<DimId> all;
    for (std::size_t i = 0; i < op_.operands.size() && ok(); ++i) insert_batch(all, i);
    for (std::size_t i = 0; i < op_.operands.size() && ok(); ++i) {
        if (shape(i).batch.empty()) continue;
        for (const DimId dim : all) {
            if (contains(shape(i).batch, dim) || dims_[dim.value].kind == DimKind::Group) continue;
            const std::string& missing = dims_[dim.value].name;
            fail(
                Text("found %1 without the batch dimension %2 of the other operand; expected %2 there too, "
                     "or its declaration as a group dimension (group %2 = ...)",
                     name(i), missing));
        }
    }
    if (static_cast<int>(all.size() + 2) > kMaxRank) {
        fail(Text("found a result of more than %1 dimensions; expected fewer", kMaxRank));
    }
    op_.shape.batch = std::move(all);
}

void Inference::given() {
    if (Text problem = shape_problem(op_.shape, dims_); !problem.empty()) return fail(std::move(problem));
    if (op_.kind != ArrayOpKind::Input || op_.source == InputSource::Array) return;
    if (op_.shape.axes.size() != 2 || !op_.shape.batch.empty()) {
        fail(
            Text("found a mask %1; expected two axes and no batch dimensions, as in [M, N] (a mask is shared "
                 "by the whole batch)",
                 to_string(op_.shape, dims_)));
    }
}

void Inference::elementwise() {
    if (op_.kind == ArrayOpKind::Cast) {
        op_.shape = shape(0);
        return;
    }
    std::size_t widest = 0;
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
        if (shape(widest).axes.empty()) widest = i;
    }
    op_.shape.axes = shape(widest).axes;
    for (std::size_t i = widest + 1; i < op_.operands.size(); ++i) {
        const std::vector<DimId>& axes = shape(i).axes;
        if (axes.empty() || axes == op_.shape.axes) continue;
        fail(Text("found %1 and %2; %3 expects equal axes%4", name(widest), name(i), called(op_.kind),
                  axes_hint(op_.shape.axes, axes)));
    }
    same_elem();
    union_batch();
}

void Inference::broadcast() {
    const std::size_t matrix = shape(0).axes.size() == 2 ? 0 : 1;
    const std::size_t vector = 1 - matrix;
    if (!needs_axes(matrix, 2) || !needs_axes(vector, 1)) return;
    const DimId along = shape(vector).axes[0];
    const std::vector<DimId>& axes = shape(matrix).axes;
    const bool fits = along == axes[op_.vector_axis == VectorAxis::Rows ? 0 : 1];
    if (!fits) {
        const bool rows = op_.vector_axis == VectorAxis::Rows && along == axes[1];
        const std::string& first = dims_[axes[0].value].name;
        const std::string& second = dims_[axes[1].value].name;
        fail(rows ? Text("found %1 beside %2; expected a vector along %3 under column(...)", name(vector),
                         name(matrix), first)
             : axes[0] == axes[1]
                 ? Text("found %1 beside %2; expected a vector along %3", name(vector), name(matrix), second)
                 : Text("found %1 beside %2; expected a vector along %3 or %4", name(vector), name(matrix),
                        second, first));
    }
    op_.shape.axes = axes;
    same_elem();
    union_batch();
}

void Inference::matmul() {
    if (!needs_axes(0, 2) || !needs_axes(1, 2)) return;
    const DimId left = shape(0).axes[1];
    const DimId right = shape(1).axes[0];
    if (left != right) {
        const bool transposed = left == shape(1).axes[1];
        return fail(Text("found %1 @ %2, whose inner dimensions are %3 and %4; expected the same dimension%5",
                         name(0), name(1), size_text(dims_, left), size_text(dims_, right),
                         transposed ? Text(" (transpose the right operand with .T)") : Text()));
    }
    op_.shape.axes = {shape(0).axes[0], shape(1).axes[1]};
    same_elem();
    union_batch();
    if (static_cast<int>(op_.shape.batch.size()) > kMaxMatmulBatch) {
        fail(Text("found a product of %1 batch dimensions; expected at most %2", op_.shape.batch.size(),
                  kMaxMatmulBatch));
    }
}

void Inference::transpose() {
    if (!needs_axes(0, 2)) return;
    op_.shape = shape(0);
    std::swap(op_.shape.axes[0], op_.shape.axes[1]);
    op_.elem = operand(0).elem;
}

void Inference::fold_rows() {
    if (!needs_axes(0, 2)) return;
    op_.shape = shape(0);
    op_.elem = operand(0).elem;
    op_.shape.axes.pop_back();
}

void Inference::keep_rows() {
    if (!needs_axes(0, 2)) return;
    const DimId last = shape(0).axes[1];
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
        if (shape(i).axes != std::vector<DimId>{last}) {
            return fail(i == 1 ? Text("found the weight %1; %2 expects a vector along the last axis %3",
                                      name(i), called(op_.kind), dims_[last.value].name)
                               : Text("found the bias %1; %2 expects a vector along the last axis %3",
                                      name(i), called(op_.kind), dims_[last.value].name));
        }
    }
    op_.shape.axes = shape(0).axes;
    same_elem();
    union_batch();
    if (ok() && op_.shape.batch != shape(0).batch) {
        fail(
            Text("found a weight with batch dimensions that %1 lacks; %2 expects weights shared by the whole "
                 "batch",
                 name(0), called(op_.kind)));
    }
}

// Cosines and sines of positions and pairs of columns: other axes, or a batch that the matrix lacks, mean
// nothing.
void Inference::rotate() {
    if (!needs_axes(0, 2)) return;
    const std::vector<DimId>& axes = shape(0).axes;
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
        if (shape(i).axes == axes) continue;
        const Text wanted = i == 1 ? Text("cosines") : Text("sines");
        return fail(Text("found %1 beside %2; %3 expects %4 of the same two axes", name(i), name(0),
                         called(op_.kind), wanted));
    }
    const Dim& cols = dims_[axes[1].value];
    const BlockNeed need = functional_operator(array_operator(op_.kind).rotates).cols;
    if (!meets(cols, need)) {
        return fail(Text("found %1, whose dimension %2 has %3 elements in blocks of %4; %5 expects it in %6",
                         name(0), cols.name, cols.size, cols.block, called(op_.kind), described(need)));
    }
    op_.shape.axes = axes;
    same_elem();
    union_batch();
    if (ok() && op_.shape.batch != shape(0).batch) {
        fail(Text("found cosines or sines with batch dimensions that %1 lacks; %2 expects none but its own",
                  name(0), called(op_.kind)));
    }
}

void Inference::outer() {
    if (!needs_axes(0, 1) || !needs_axes(1, 1)) return;
    op_.shape.axes = {shape(0).axes[0], shape(1).axes[0]};
    same_elem();
    union_batch();
}

void Inference::sum_over() {
    op_.shape = shape(0);
    op_.elem = operand(0).elem;
    const auto found = std::find(op_.shape.batch.begin(), op_.shape.batch.end(), op_.dim);
    if (found != op_.shape.batch.end()) {
        op_.shape.batch.erase(found);
        return;
    }
    const bool axis = contains(op_.shape.axes, op_.dim);
    fail(Text("found %1; sum over %2 expects it among the batch dimensions%3", name(0),
              dims_[op_.dim.value].name, axis ? Text(" (row_sum sums over the last axis)") : Text()));
}

Text Inference::run() {
    const ArrayOperator& row = array_operator(op_.kind);
    const int count = static_cast<int>(op_.operands.size());
    if (count < row.least || count > row.most) {
        return Text(
            "found %1 operands; %2 expects %3", count, called(op_.kind),
            row.least == row.most ? Text(std::to_string(row.least)) : Text("%1 to %2", row.least, row.most));
    }
    switch (row.form) {
        case ArrayForm::Given:
            given();
            break;
        case ArrayForm::ByElement:
            elementwise();
            break;
        case ArrayForm::Spread:
            broadcast();
            break;
        case ArrayForm::Product:
            matmul();
            break;
        case ArrayForm::Transpose:
            transpose();
            break;
        case ArrayForm::KeepRows:
            keep_rows();
            break;
        case ArrayForm::Rotate:
            rotate();
            break;
        case ArrayForm::FoldRows:
            fold_rows();
            break;
        case ArrayForm::Outer:
            outer();
            break;
        case ArrayForm::OverBatch:
            sum_over();
            break;
    }
    if (ok()) problem_ = shape_problem(op_.shape, dims_);
    return std::move(problem_);
}

}  // namespace

Text infer(const ArrayProgram& program, ArrayOp& op) {
    return Inference(program, op).run();
}

// What is known of an array operator without looking at other operators.

namespace {

void mark_arguments(const Expr& expr, std::vector<bool>& used) {
    if (const Arg* arg = std::get_if<Arg>(&expr.value)) {
        const auto index = static_cast<std::size_t>(arg->index);
        if (index < used.size()) used[index] = true;
    }
    if (const Call* call = std::get_if<Call>(&expr.value)) {
        for (const ExprPtr& child : call->args) mark_arguments(*child, used);
    }
}

Text wrong_axis(const Dim& dim) {
    return dim.kind == DimKind::Group ? Text(
                                            "found the group dimension %1 as an axis; expected batch and "
                                            "group dimensions first and only there, then at most two others",
                                            dim.name)
                                      : Text(
                                            "found the batch dimension %1 as an axis; expected batch and "
                                            "group dimensions first and only there, then at most two others",
                                            dim.name);
}

}  // namespace

std::string to_string(const Shape& shape, const DimTable& dims) {
    std::string text = "[";
    for (const std::vector<DimId>* part : {&shape.batch, &shape.axes}) {
        for (const DimId dim : *part) text += (text.size() > 1 ? ", " : "") + dims[dim.value].name;
    }
    return text + "]";
}

Text shape_problem(const Shape& shape, const DimTable& dims) {
    if (shape.axes.size() > 2) {
        return Text("found %1 axes; expected at most two after the batch dimensions", shape.axes.size());
    }
    if (static_cast<int>(shape.batch.size() + shape.axes.size()) > kMaxRank) {
        return Text("found more than %1 dimensions; expected fewer", kMaxRank);
    }
    for (std::size_t i = 0; i < shape.batch.size(); ++i) {
        const Dim& dim = dims[shape.batch[i].value];
        if (dim.kind == DimKind::Blocked) {
            return Text(
                "found the dimension %1 as a batch dimension; expected one declared by batch or group",
                dim.name);
        }
        if (std::count(shape.batch.begin(), shape.batch.end(), shape.batch[i]) > 1) {
            return Text("found the batch dimension %1 twice; expected it once", dim.name);
        }
    }
    constexpr std::int64_t most = std::int64_t{1} << 60;  // bytes of an int64 offset, as float64
    std::int64_t elements = 1;
    for (const DimId dim : shape.axes) {
        if (dims[dim.value].kind != DimKind::Blocked) return wrong_axis(dims[dim.value]);
    }
    for (const std::vector<DimId>* part : {&shape.batch, &shape.axes}) {
        for (const DimId dim : *part) {
            if (elements > most / dims[dim.value].size) {
                return Text("found an array %1 of more than 2^60 elements; expected fewer",
                            to_string(shape, dims));
            }
            elements *= dims[dim.value].size;
        }
    }
    return {};
}

int first_unused_argument(const Expr& expr, int count) {
    std::vector<bool> used(static_cast<std::size_t>(count));
    mark_arguments(expr, used);
    const auto unused = std::find(used.begin(), used.end(), false);
    return unused == used.end() ? -1 : static_cast<int>(unused - used.begin());
}

BlockNeeds block_needs(const ArrayProgram& program) {
    BlockNeeds needs;
    for (const ArrayOp& op : program.ops)
        if (form_of(op.kind) == ArrayForm::Rotate)
            add_need(needs, op.shape.axes.at(1), functional_operator(array_operator(op.kind).rotates).cols);
    return needs;
}

std::vector<std::size_t> unused_operators(const ArrayProgram& program) {
    std::vector<bool> used(program.ops.size());
    for (const ArrayOutput& output : program.outputs) used[static_cast<std::size_t>(output.op)] = true;
    for (const ArrayOp& op : program.ops) {
        for (const int operand : op.operands) used[static_cast<std::size_t>(operand)] = true;
    }
    std::vector<std::size_t> unused;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i] && program.ops[i].kind != ArrayOpKind::Input) unused.push_back(i);
    return unused;
}

}  // namespace blockscope
