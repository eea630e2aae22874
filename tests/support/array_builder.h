// Array programs in code, for tests and benchmarks: one call per operator, shapes follow.
#pragma once

#include <string>
#include <vector>

#include "core/program/array_program.h"

namespace blockscope {

// Operators are referred to by their index in the program.
class ArrayBuilder {
public:
    DimId dim(const std::string& name, std::int64_t size, std::int64_t block,
              DimKind kind = DimKind::Blocked);

    int input(const std::string& name, const Shape& shape, ElemType elem = ElemType::F32);
    int causal_mask(const std::string& name, const Shape& shape, std::int64_t window = 0);
    // Whether an array with the batch dimensions `part` combines with one with `whole` to `whole`: it has
    // none, or lacks group dimensions only.
    bool joins(const std::vector<DimId>& part, const std::vector<DimId>& whole) const;

    // Operands of equal axes, whose batches join the longest of them.
    int elementwise(ExprPtr expr, const std::vector<int>& operands);
    int add(int a, int b);
    int mul(int a, int b);
    // `a fn b`, one a matrix and the other a vector that runs along `axis` of it.
    int broadcast(Fn fn, int a, int b, VectorAxis axis);
    int matmul(int a, int b);
    int transpose(int a);
    int softmax(int a);
    // `weight` and `bias` are -1 if there are none.
    int rms_norm(int a, int weight = -1, bool paper_form = false);
    int layer_norm(int a, int weight = -1, int bias = -1, bool paper_form = false);
    // Rope or RopeInterleaved.
    int rope(ArrayOpKind kind, int a, int cosines, int sines);
    // RowSum, RowMean or RowMax.
    int row(ArrayOpKind kind, int a);
    int outer(int rows, int cols);
    int sum_over(int a, DimId dim);
    int cast(int a, ElemType elem);
    int custom(const std::string& name, const std::vector<int>& operands, const Shape& shape);
    void output(const std::string& name, int op);

    const Shape& shape(int op) const { return program_.ops.at(static_cast<std::size_t>(op)).shape; }
    const ArrayOp& op(int index) const { return program_.ops.at(static_cast<std::size_t>(index)); }
    int size() const { return static_cast<int>(program_.ops.size()); }
    const DimTable& dims() const { return program_.dims; }

    // The checked program, without operators that reach no output. Throws InternalError with the problems
    // if it is not valid.
    ArrayProgram finish() const;

private:
    int push(ArrayOp op);
    ArrayOp of(ArrayOpKind kind, std::vector<int> operands, Shape shape) const;
    std::vector<DimId> joined_batch(const std::vector<int>& operands) const;

    ArrayProgram program_;
};

// `program` without the operators that reach no output.
ArrayProgram without_dead_operators(const ArrayProgram& program);

}  // namespace blockscope
