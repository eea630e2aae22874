// Top-level nodes of the initial block program, one call each. Arrays go in and come out; the maps around the
// block operator follow from their shapes: first one per batch dimension, then one per axis.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/builder.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"

namespace blockscope {

// An array in the block program under construction, of type (batch.., axes..) item[axes..].
struct Array {
    ValueRef value;
    Shape shape;
};

// Swaps the axes of a matrix's shape.
Shape transposed(Shape shape);
// The type of an array: a list over its batch dimensions and its axes around one item.
Type array_type(const Shape& shape, ElemType elem);

class Lowering {
public:
    Lowering(Builder& builder, std::vector<Origin>& origins) : builder_(builder), origins_(origins) {}

    // Nodes that follow come from operator `op` of the array program.
    void begin(int op) { op_ = op; }

    Array input(Input input, const Shape& shape, ElemType elem);
    void output(const Array& array, const std::string& name);

    // f applied to each element. Operands may lack batch dimensions of `result`, and scalars are
    // spread over its axes. `to` converts the result.
    Array elementwise(const ExprPtr& expr, const std::vector<Array>& operands, const Shape& result,
                      std::optional<ElemType> to = {});
    // add or mul of two arrays with the axes of `result`.
    Array functional(FunctionalOp op, const Array& a, const Array& b, const Shape& result);
    // row_shift or row_scale (VectorAxis::Rows), col_shift or col_scale (VectorAxis::Cols).
    Array shift(const Array& matrix, const Array& vector, VectorAxis axis, const Shape& result);
    Array scale(const Array& matrix, const Array& vector, VectorAxis axis, const Shape& result);
    // row_sum or row_max over the whole last axis of a matrix.
    Array row_sum(const Array& matrix);
    Array row_max(const Array& matrix);
    // left [.., M, K] @ right_transposed [.., N, K].T
    Array matmul(const Array& left, const Array& right_transposed, const std::vector<DimId>& batch);
    Array outer(const Array& rows, const Array& cols, const std::vector<DimId>& batch);
    // Sum over one batch dimension, wherever it stands.
    Array sum_over(const Array& array, DimId dim);
    Array misc(const std::string& name, const std::vector<Array>& operands, const Shape& result,
               ElemType elem);

    ElemType elem(const Array& array) const { return builder_.type(array.value).elem(); }

private:
    // The element type of an elementwise operator's result that nothing converts.
    ElemType natural_elem(const std::vector<Array>& operands) const;
    Array made(ValueRef value, Shape shape);
    Array with_vector(FunctionalOp op, const Array& matrix, const Array& vector, VectorAxis axis,
                      const Shape& result);
    Array reduce_rows(FunctionalOp op, ReduceOp reduction, const Array& matrix);

    Builder& builder_;
    std::vector<Origin>& origins_;
    int op_ = 0;
};

}  // namespace blockscope
