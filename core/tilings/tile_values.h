// What stands between products, computed on one tile: inputs as views of the arrays in memory, elementwise
// operators by the engine's vectorised routines.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/simd.h"
#include "core/engine/worker.h"
#include "core/tilings/chain.h"

namespace blockscope::tilings {

// Numbers that a tile's evaluation needs for a while; taken back all at once.
class Scratch {
public:
    float* take(std::int64_t count);
    void clear();
    std::int64_t bytes() const;

private:
    std::vector<engine::Memory> parts_;
    std::vector<std::int64_t> sizes_;
    std::size_t used_ = 0;
};

// A tile: `rows` x `cols` numbers as an operand of the engine's routines. A vector along the columns or a
// number has a row step of 0, one along the rows is a number per row (splat).
struct TileView {
    engine::Operand operand = {};
    int rows = 1;
    int cols = 1;
};

// The loops along a value's axes where it is read; -1: it has none there.
struct AxisLoops {
    int row = -1;
    int col = -1;
};

// Where the loops stand.
struct Position {
    std::vector<std::int64_t> index = {};  // by loop: which tile
    std::int64_t chain = 0;                // of the batch
};

// The inputs and the sizes that all threads share.
struct TileArrays {
    TileArrays(const Chain& chain, std::vector<std::int64_t> tiles);

    std::int64_t begin(int loop, const Position& at) const;
    int extent(int loop, const Position& at) const;  // of the last tile less

    const Chain& chain;
    std::vector<std::int64_t> tiles;                // by loop
    std::map<int, std::vector<float>> inputs = {};  // by operator
    std::vector<std::vector<std::int64_t>> offsets =
        {};  // by operator: its matrix in each chain of the batch
};

class TileValues {
public:
    // `product`: the tile of a product's finished result, by operator.
    TileValues(const TileArrays& arrays, std::function<TileView(int op)> product)
        : arrays_(arrays), product_(std::move(product)) {}

    TileView value(int op, AxisLoops loops, const Position& at, Scratch& scratch) const;
    // Whether value() is the input itself in memory, or a product's tile as it lies.
    bool is_view(int op) const;

private:
    TileView input(const ArrayOp& op, int index, AxisLoops loops, const Position& at, Scratch& scratch) const;
    TileView mask(const ArrayOp& op, AxisLoops loops, const Position& at, Scratch& scratch) const;
    TileView transposed(const TileView& of, Scratch& scratch) const;
    TileView broadcast(const ArrayOp& op, AxisLoops loops, const Position& at, Scratch& scratch) const;
    TileView elementwise(const ArrayOp& op, AxisLoops loops, const Position& at, Scratch& scratch) const;
    TileView computed(const Expr& expr, const std::vector<TileView>& args, Scratch& scratch) const;

    const TileArrays& arrays_;
    std::function<TileView(int op)> product_;
};

}  // namespace blockscope::tilings
