// Block programs and arrays written by hand, for the tests of the evaluators.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/graph/graph.h"

namespace blockscope::test {

// The first three dimensions of a table.
constexpr DimId M{0}, N{1}, K{2};

using Refs = std::vector<ValueRef>;

// A block program under construction over dimensions with these sizes and blocks.
class Hand {
public:
    explicit Hand(DimTable table) : dims(std::move(table)), ids(1), top(dims, ids) {}

    // An inner graph with inputs of these types; `make` returns its outputs.
    GraphPtr body(const std::vector<Type>& types, const std::function<Refs(Builder&, const Refs&)>& make) {
        Builder inner(dims, ids);
        Refs inputs;
        for (const Type& type : types) inputs.push_back(inner.input(type));
        for (const ValueRef& result : make(inner, inputs)) inner.output(result);
        return inner.finish();
    }

    BlockProgram finish() { return {dims, top.finish(), ids.next()}; }

    DimTable dims;
    IdSource ids;
    Builder top;
};

inline const MapInput kIterated{PortIn::Iterated, -1};
inline const MapInput kBroadcast{PortIn::Broadcast, -1};
inline const MapOutput kCollected{PortOut::Collected, 0};
inline const MapOutput kSummed{PortOut::ReducedSum, 0};
inline const MapOutput kMaximum{PortOut::ReducedMax, 0};

inline MapInput continued(int output) {
    return {PortIn::Continued, output};
}

inline Type block(DimId rows, DimId cols) {
    return Type(Item::block(rows, cols), ElemType::F32);
}
inline Type vector(DimId axis) {
    return Type(Item::vector(axis), ElemType::F32);
}
inline Type scalar() {
    return Type(Item::scalar(), ElemType::F32);
}
// A list over `dims`, outermost first.
inline Type list(const std::vector<DimId>& dims, Type type) {
    for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) type = type.list_over(*dim);
    return type;
}

// An array of whole or fractional numbers.
template <class S>
Tensor<S> array(std::vector<std::int64_t> shape, const std::vector<double>& values) {
    Tensor<S> tensor{std::move(shape), {}};
    for (const double value : values) tensor.data.push_back(scalar_from<S>(value));
    return tensor;
}

// Random inputs of a block or an array program.
template <class S, class Program>
Tensors<S> random_inputs(const Program& program, std::uint64_t seed) {
    if constexpr (std::is_same_v<S, double>)
        return random_doubles(program, seed);
    else
        return random_exact(program, seed);
}

inline void expect_equal(double found, double expected, std::size_t index) {
    EXPECT_NEAR(found, expected, 1e-12 * (1 + std::abs(expected))) << "at element " << index;
}
inline void expect_equal(Exact found, Exact expected, std::size_t index) {
    EXPECT_EQ(found.p, expected.p) << "at element " << index;
}

template <class S>
void expect_equal(const Tensor<S>& found, const Tensor<S>& expected) {
    ASSERT_EQ(found.shape, expected.shape);
    ASSERT_EQ(found.data.size(), expected.data.size());
    for (std::size_t i = 0; i < expected.data.size(); ++i) expect_equal(found.data[i], expected.data[i], i);
}

}  // namespace blockscope::test
