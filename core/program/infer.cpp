#include "core/program/infer.h"

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

// What helps against two operands of different axes.
std::string axes_hint(const std::vector<DimId>& a, const std::vector<DimId>& b) {
    if (a.size() == 2 && b == std::vector<DimId>{a[1], a[0]}) return " (transpose one with .T)";
    return a.size() == 1 && b.size() == 1 ? " (outer(c, d) makes a matrix of two vectors)" : std::string();
}

// Works out one operator. Messages are left in `problem`.
class Inference {
public:
    Inference(const ArrayProgram& program, ArrayOp& op) : program_(program), dims_(program.dims), op_(op) {}

    std::string run();

private:
    void input();
    void elementwise();
    void broadcast();
    void matmul();
    void transpose();
    void over_rows(bool keeps_shape);
    void norm();
    void outer();
    void sum_over();
    void custom();

    const ArrayOp& operand(std::size_t i) const {
        return program_.ops[static_cast<std::size_t>(op_.operands[i])];
    }
    const Shape& shape(std::size_t i) const { return operand(i).shape; }
    std::string name(std::size_t i) const;
    void fail(std::string message) {
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
    std::string problem_;
};

// "Q[M, D]", or "the left operand [M, D]" for a nameless one.
std::string Inference::name(std::size_t i) const {
    const std::string shape_text = to_string(shape(i), dims_);
    if (!operand(i).name.empty()) return operand(i).name + shape_text;
    if (op_.operands.size() == 1) return "an operand " + shape_text;
    if (op_.operands.size() == 2) return (i == 0 ? "a left operand " : "a right operand ") + shape_text;
    return "operand " + std::to_string(i + 1) + " " + shape_text;
}

bool Inference::needs_axes(std::size_t i, std::size_t count) {
    if (shape(i).axes.size() == count) return true;
    fail("found " + name(i) + "; " + describe(op_) + " expects a " +
         (count == 2 ? "matrix (two axes after the batch dimensions)"
                     : "vector (one axis after the batch dimensions)"));
    return false;
}

void Inference::same_elem() {
    op_.elem = operand(0).elem;
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
        if (operand(i).elem == op_.elem) continue;
        const std::string first = to_string(op_.elem);
        fail("found " + name(0) + " of type " + first + " and " + name(i) + " of type " +
             to_string(operand(i).elem) + "; " + describe(op_) + " expects one element type, as with cast(" +
             (operand(i).name.empty() ? "..." : operand(i).name) + ", " + first + ")");
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
                return fail("found " + name(0) + " and " + name(i) +
                            ", whose batch dimensions are in a different order; expected the same order");
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
            fail("found " + name(i) + " without the batch dimension " + missing +
                 " of the other operand; expected " + missing +
                 " there too, or its declaration as a group dimension (group " + missing + " = ...)");
        }
    }
    if (static_cast<int>(all.size() + 2) > kMaxRank) {
        fail("found a result of more than " + std::to_string(kMaxRank) + " dimensions; expected fewer");
    }
    op_.shape.batch = std::move(all);
}

void Inference::input() {
    if (std::string problem = shape_problem(op_.shape, dims_); !problem.empty())
        return fail(std::move(problem));
    if (op_.source == InputSource::Array) return;
    if (op_.shape.axes.size() != 2 || !op_.shape.batch.empty()) {
        fail("found a mask " + to_string(op_.shape, dims_) +
             "; expected two axes and no batch dimensions, as in [M, N] (a mask is shared by the whole "
             "batch)");
    }
}

void Inference::elementwise() {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
        if (shape(widest).axes.empty()) widest = i;
    }
    op_.shape.axes = shape(widest).axes;
    for (std::size_t i = widest + 1; i < op_.operands.size(); ++i) {
        const std::vector<DimId>& axes = shape(i).axes;
        if (axes.empty() || axes == op_.shape.axes) continue;
        fail("found " + name(widest) + " and " + name(i) + "; " + describe(op_) + " expects equal axes" +
             axes_hint(op_.shape.axes, axes));
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
        fail("found " + name(vector) + " beside " + name(matrix) + "; expected a vector along " +
             (rows ? dims_[axes[0].value].name + " under column(...)"
                   : dims_[axes[1].value].name +
                         (axes[0] == axes[1] ? std::string() : " or " + dims_[axes[0].value].name)));
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
        return fail("found " + name(0) + " @ " + name(1) + ", whose inner dimensions are " +
                    size_text(dims_, left) + " and " + size_text(dims_, right) +
                    "; expected the same dimension" +
                    (transposed ? " (transpose the right operand with .T)" : ""));
    }
    op_.shape.axes = {shape(0).axes[0], shape(1).axes[1]};
    same_elem();
    union_batch();
    if (static_cast<int>(op_.shape.batch.size()) > kMaxMatmulBatch) {
        fail("found a product of " + std::to_string(op_.shape.batch.size()) +
             " batch dimensions; expected at most " + std::to_string(kMaxMatmulBatch));
    }
}

void Inference::transpose() {
    if (!needs_axes(0, 2)) return;
    op_.shape = shape(0);
    std::swap(op_.shape.axes[0], op_.shape.axes[1]);
    op_.elem = operand(0).elem;
}

void Inference::over_rows(bool keeps_shape) {
    if (!needs_axes(0, 2)) return;
    op_.shape = shape(0);
    op_.elem = operand(0).elem;
    if (!keeps_shape) op_.shape.axes.pop_back();
}

void Inference::norm() {
    if (!needs_axes(0, 2)) return;
    const DimId last = shape(0).axes[1];
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
        const char* role = i == 1 ? "weight" : "bias";
        if (shape(i).axes != std::vector<DimId>{last}) {
            return fail("found the " + std::string(role) + " " + name(i) + "; " + describe(op_) +
                        " expects a vector along the last axis " + dims_[last.value].name);
        }
    }
    op_.shape.axes = shape(0).axes;
    same_elem();
    union_batch();
    if (ok() && op_.shape.batch != shape(0).batch) {
        fail("found a weight with batch dimensions that " + name(0) + " lacks; " + describe(op_) +
             " expects weights shared by the whole batch");
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
    fail("found " + name(0) + "; sum over " + dims_[op_.dim.value].name +
         " expects it among the batch dimensions" + (axis ? " (row_sum sums over the last axis)" : ""));
}

void Inference::custom() {
    if (std::string problem = shape_problem(op_.shape, dims_); !problem.empty()) fail(std::move(problem));
}

std::string Inference::run() {
    const auto [least, most] = operand_count(op_.kind);
    const int count = static_cast<int>(op_.operands.size());
    if (count < least || count > most) {
        return "found " + std::to_string(count) + " operands; " + describe(op_) + " expects " +
               (least == most ? std::to_string(least)
                              : std::to_string(least) + " to " + std::to_string(most));
    }
    switch (op_.kind) {
        case ArrayOpKind::Input:
            input();
            break;
        case ArrayOpKind::Elementwise:
            elementwise();
            break;
        case ArrayOpKind::Broadcast:
            broadcast();
            break;
        case ArrayOpKind::Matmul:
            matmul();
            break;
        case ArrayOpKind::Transpose:
            transpose();
            break;
        case ArrayOpKind::Softmax:
            over_rows(true);
            break;
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
            norm();
            break;
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
            over_rows(false);
            break;
        case ArrayOpKind::Outer:
            outer();
            break;
        case ArrayOpKind::SumOver:
            sum_over();
            break;
        case ArrayOpKind::Cast:
            op_.shape = shape(0);
            break;
        case ArrayOpKind::Custom:
            custom();
            break;
    }
    if (ok()) problem_ = shape_problem(op_.shape, dims_);
    return std::move(problem_);
}

}  // namespace

std::string infer(const ArrayProgram& program, ArrayOp& op) {
    return Inference(program, op).run();
}

}  // namespace blockscope
