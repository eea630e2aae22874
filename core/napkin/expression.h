// Sums of products of powers of sizes and block sizes: traffic and memory as the napkin writes them, with
// blocks that divide the sizes.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/cost/polynomial.h"
#include "core/napkin/rational.h"

namespace blockscope::napkin {

struct Symbol {
    enum class Kind : std::uint8_t {
        Size,    // M
        Block,   // m: a group or stream size
        Memory,  // the memory limit, in values
    };
    Kind kind = Kind::Size;
    DimId dim;  // of sizes and blocks
    auto operator<=>(const Symbol&) const = default;
};

inline Symbol size_symbol(DimId dim) {
    return {Symbol::Kind::Size, dim};
}
inline Symbol block_symbol(DimId dim) {
    return {Symbol::Kind::Block, dim};
}
inline constexpr Symbol kMemory{Symbol::Kind::Memory, {}};

// Names of symbols: "M", "m"; the memory limit is the paper's "M", or "Mem" if a dimension has that name.
std::string name(const Symbol& symbol, const DimTable& dims);

using Powers = std::map<Symbol, Rational>;  // no exponent is 0
using Values = std::function<double(const Symbol&)>;

Powers product(const Powers& a, const Powers& b);
Rational power_of(const Powers& powers, const Symbol& symbol);
double value(const Powers& powers, const Values& values);

class Expression {
public:
    using Terms = std::map<Powers, Rational>;  // coefficients, none of them 0

    Expression() = default;
    Expression(const Rational& coefficient, const Powers& powers) { add(coefficient, powers); }

    void add(const Rational& coefficient, const Powers& powers);
    void add(const Expression& more);
    // With `symbol` replaced by 1 (no powers) or by another product of powers.
    Expression with(const Symbol& symbol, const Powers& replacement) const;

    const Terms& terms() const { return terms_; }
    bool is_zero() const { return terms_.empty(); }
    double value(const Values& values) const;
    // "M·D + M·N·D/m"
    std::string text(const DimTable& dims) const;
    bool operator==(const Expression&) const = default;

private:
    Terms terms_;
};

Expression times(const Expression& a, const Expression& b);

// A count as the napkin sees it: M/m is not rounded up, and the squares of block sizes add up to M·m.
// Dimensions in one block have no block size of their own (m = M).
Expression expression(const Polynomial& polynomial);

// "A·C", "N·D/m", "(M·N)/(m·n)": a product of powers, negative ones below the line, "1" if it is empty. "²"
// for squares, "^1/2" for roots.
std::string text(const Powers& powers, const DimTable& dims);
// "M", "M²", "Mem^1/2"
std::string power_text(const std::string& base, const Rational& exponent);

}  // namespace blockscope::napkin
