// A count as a formula: a sum of coefficients times sizes, block sizes and numbers of blocks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/graph/type.h"

namespace blockscope {

// One factor of a count, for a dimension M with blocks of m.
struct Factor {
    enum class Kind : std::uint8_t {
        Size,        // M: the sizes of all blocks together
        Count,       // M/m, rounded up: the number of blocks
        First,       // m: the size of block 0
        LaterSize,   // M - m: all blocks but block 0 (a peeled map's other iterations)
        LaterCount,  // M/m - 1
        Squares,     // the sum of the squares of all block sizes: both axes of a block run along M
        LaterSquares,
        // Over pairs of a block of M and a block of `columns`, under a causal mask (core/graph/type.h): the
        // sum of (size of the first)^row_axes * (size of the second)^column_axes. With both 0 the number of
        // pairs.
        Visible,  // pairs that it leaves
        Crossed,  // those of them where it hides something, though not all
        Masked,   // all pairs where it hides something
    };
    Kind kind;
    DimId dim;
    DimId columns{};
    std::int64_t window = 0;  // of the mask; 0: none
    std::uint8_t row_axes = 0;
    std::uint8_t column_axes = 0;
    auto operator<=>(const Factor&) const = default;
};

// A count that does not fit 63 bits stays at this value.
constexpr std::int64_t kCountLimit = INT64_MAX;

std::int64_t value(const Factor& factor, const DimTable& dims);
std::int64_t saturating_add(std::int64_t a, std::int64_t b);
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);

// For example, a matrix product loads "M·K·N/n + K·N·M/m" values: each block of A once for every block of
// columns of B, and the other way round.
//
// A polynomial is exact for the dimension table that it was made with, ragged blocks included: its value
// there is the count. It is simplified as far as those sizes allow. A dimension in one block drops out (M/m =
// 1, m = M), a batch dimension has blocks of 1 (B/b = B), and where blocks divide the size, the sum of their
// squares is M·m. Where a sum has terms for block 0 of a peeled loop and for its other blocks, they become
// one term for all blocks.
class Polynomial {
public:
    using Monomials = std::map<std::vector<Factor>, std::int64_t>;  // factors sorted; coefficients not 0

    Polynomial() = default;
    Polynomial(std::int64_t coefficient, const std::vector<Factor>& factors, const DimTable& dims);

    void add(const Polynomial& more);
    Polynomial times(std::int64_t factor) const;

    const Monomials& monomials() const { return monomials_; }
    bool is_zero() const { return monomials_.empty(); }
    std::int64_t value(const DimTable& dims) const;
    // "2·M·D + N·D·M/m"; "0".
    std::string text(const DimTable& dims) const;
    bool operator==(const Polynomial&) const = default;

private:
    void insert(std::vector<Factor> factors, std::int64_t coefficient);
    bool merge_peeled(const std::vector<Factor>& factors);

    Monomials monomials_;
};

// "M", "m", "M/m", "(M-m)": how formulas write one factor.
std::string text(const Factor& factor, const DimTable& dims);

}  // namespace blockscope
