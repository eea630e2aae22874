// A count as a formula: a sum of coefficients times sizes, block sizes and numbers of blocks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/cost/terms.h"

namespace blockscope {

// Exact for the dimension table that it was made with, ragged blocks included: its value there is the count.
// What simplifies it holds at those sizes: a dimension in one block drops out (M/m = 1, m = M), a batch
// dimension has blocks of 1 (B/b = B), and where blocks divide the size, the sum of their squares is M·m.
// Block 0 and the others of a peeled loop are added up where both are there.
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

// What one term adds to a count of values, items or operations.
Polynomial polynomial(const Term& term, const DimTable& dims);

// "M", "m", "M/m", "(M-m)": how formulas write one factor.
std::string text(const Factor& factor, const DimTable& dims);

}  // namespace blockscope
