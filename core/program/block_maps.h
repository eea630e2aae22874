// Nests of maps around one block operator: the subgraphs of Blockbuster's Table 2 are built of them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/graph/graph.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"

namespace blockscope {

// A value that enters a nest of maps. `iterated[i]` says whether the i-th map (outermost first)
// takes it iterated; it takes it broadcast otherwise. Nothing is inferred from names of
// dimensions, which may repeat: in A (M,K) @ B (M,K).T the outer M-map takes B broadcast.
struct NestInput {
    ValueRef value;
    std::vector<bool> iterated;
};

// Builds what the innermost map holds, from the inputs' values there, in the order of the inputs.
using NestBody = std::function<ValueRef(Builder&, const std::vector<ValueRef>&)>;

// Adds maps over `dims`, outermost first, around `body` to `builder` and returns the collected result; with
// no dims the body itself. Inputs that are the same value taken in the same way share a port.
ValueRef nest(Builder& builder, const std::vector<DimId>& dims, const std::vector<NestInput>& inputs,
              const NestBody& body);

// Top-level nodes of the initial block program, one call each. Arrays go in and come out; the maps around the
// block operator follow from their shapes: first one per batch dimension, then one per axis.

// An array in the block program under construction, of type (batch.., axes..) item[axes..].
struct BlockArray {
    ValueRef value;
    Shape shape;
};

// Swaps the axes of a matrix's shape.
Shape transposed(Shape shape);
// The type of an array: a list over its batch dimensions and its axes around one item.
Type array_type(const Shape& shape, ElemType elem);

class BlockMaps {
public:
    BlockMaps(Builder& builder, std::vector<Origin>& origins) : builder_(builder), origins_(origins) {}

    // Nodes that follow come from operator `op` of the array program.
    void begin(int op) { op_ = op; }

    BlockArray input(Input input, const Shape& shape, ElemType elem);
    void output(const BlockArray& array, const std::string& name);

    // f applied to each element. Operands may lack batch dimensions of `result`, and scalars are
    // spread over its axes. `to` converts the result.
    BlockArray elementwise(const ExprPtr& expr, const std::vector<BlockArray>& operands, const Shape& result,
                           std::optional<ElemType> to = {});
    // add or mul of two arrays with the axes of `result`.
    BlockArray functional(FunctionalOp op, const BlockArray& a, const BlockArray& b, const Shape& result);
    // rotate_half or rotate_pairs of a matrix.
    BlockArray functional(FunctionalOp op, const BlockArray& a);
    // row_shift or row_scale (VectorAxis::Rows), col_shift or col_scale (VectorAxis::Cols).
    BlockArray shift(const BlockArray& matrix, const BlockArray& vector, VectorAxis axis,
                     const Shape& result);
    BlockArray scale(const BlockArray& matrix, const BlockArray& vector, VectorAxis axis,
                     const Shape& result);
    // row_sum or row_max over the whole last axis of a matrix.
    BlockArray row_sum(const BlockArray& matrix);
    BlockArray row_max(const BlockArray& matrix);
    // left [.., M, K] @ right_transposed [.., N, K].T
    BlockArray matmul(const BlockArray& left, const BlockArray& right_transposed,
                      const std::vector<DimId>& batch);
    BlockArray outer(const BlockArray& rows, const BlockArray& cols, const std::vector<DimId>& batch);
    // Sum over one batch dimension, wherever it stands.
    BlockArray sum_over(const BlockArray& array, DimId dim);
    BlockArray misc(const std::string& name, const std::vector<BlockArray>& operands, const Shape& result,
                    ElemType elem);

    ElemType elem(const BlockArray& array) const { return builder_.type(array.value).elem(); }

private:
    // The element type of an elementwise operator's result that nothing converts.
    ElemType natural_elem(const std::vector<BlockArray>& operands) const;
    BlockArray made(ValueRef value, Shape shape);
    BlockArray with_vector(FunctionalOp op, const BlockArray& matrix, const BlockArray& vector,
                           VectorAxis axis, const Shape& result);
    BlockArray reduce_rows(FunctionalOp op, ReduceOp reduction, const BlockArray& matrix);

    Builder& builder_;
    std::vector<Origin>& origins_;
    int op_ = 0;
};

}  // namespace blockscope
