// What is known of a tensor graph once its symbols are bound: every shape, and the values of all that follows
// from constants and shapes alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/import/tensor_graph.h"
#include "core/support/result.h"

namespace blockscope::model {

using Sizes = std::vector<std::int64_t>;

// A tensor has fewer elements: what counts them shall not overflow.
constexpr std::int64_t kMostElements = std::int64_t{1} << 60;
std::int64_t product(const Sizes& sizes);  // kMostElements where it is more

// The extents as sizes; none if one is not known.
std::optional<Sizes> sizes_of(const GraphTensor& tensor);
void set_sizes(GraphTensor& tensor, const Sizes& sizes);

// The names of the extents of the graph's inputs that are no numbers, in their order.
std::vector<std::string> symbols_of(const TensorGraph& graph);
// Gives each symbol of the inputs the size that `sizes` has for it; all have one.
void bind_symbols(TensorGraph& graph, const std::map<std::string, std::int64_t>& sizes);

// The standard's number of a kind, as Cast has it.
std::int64_t onnx_number(TensorKind kind);
// The type of what `node` makes, from those of its operands.
TensorKind kind_made(const TensorGraph& graph, const GraphNode& node);
// CastLike(x, y) becomes Cast(x) to the type of y, whose numbers do not matter.
void cast_to_type(const TensorGraph& graph, GraphNode& node);

// Numpy's rule for operands of different shapes; none if they do not fit.
std::optional<Sizes> broadcast_sizes(const Sizes& a, const Sizes& b);
// The axes that a node names by an attribute or, newer, by an input, from 0 on; all of them if it names none
// and `all` is set. None if they are not known or not there.
std::optional<std::vector<std::size_t>> axes_of(const TensorGraph& graph, const GraphNode& node,
                                                std::size_t input, std::size_t rank, bool all);
// An axis from 0 on of one that may count from the end; none if there is no such axis.
std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank);
// What a Slice takes of each axis.
struct TakenRange {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};
std::optional<std::vector<TakenRange>> slice_ranges(const TensorGraph& graph, const GraphNode& node,
                                                    const Sizes& sizes);
// Where the parts of a Split begin, and the end of the last one.
std::optional<Sizes> split_starts(const TensorGraph& graph, const GraphNode& node, std::int64_t size);

// The shapes and kinds of what `node` makes, from those of its inputs; outputs whose shape does not follow
// keep what the file says of them.
void infer_outputs(TensorGraph& graph, const GraphNode& node);

// The values of the first output of a node whose inputs all have values, or that asks only for a shape; none
// if the operator is none that is folded, or the result is too large.
struct FoldedTensor {
    TensorKind kind;
    Sizes sizes;
    TensorValues values;
};
std::optional<FoldedTensor> folded(const TensorGraph& graph, const GraphNode& node);

// Both, for all nodes in their order; nodes whose result is a constant are gone afterwards. Weights keep
// their places: what only moves their elements is no arithmetic and stays. Where the constants would take
// more than `most_bytes`, only small ones are still computed.
constexpr std::uint64_t kMostFoldedBytes = std::uint64_t{1} << 29U;
void settle(TensorGraph& graph, std::uint64_t most_bytes = kMostFoldedBytes);

}  // namespace blockscope::model
