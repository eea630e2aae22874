#include "core/algebra/polynomial.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "core/graph/type.h"
#include "core/support/result.h"

namespace blockscope {

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? kCountLimit : result;
}

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? kCountLimit : result;
}

namespace {

std::int64_t power(std::int64_t size, int axes) {
    return axes == 0 ? 1 : axes == 1 ? size : saturating_multiply(size, size);
}

// The sum of (block size)^axes over blocks, of which only the dimension's last one may be shorter.
std::int64_t sum_of_powers(const Dim& dim, BlockRange blocks, int axes) {
    if (blocks.count() <= 0) return 0;
    const std::int64_t others = saturating_multiply(blocks.count() - 1, power(dim.block_size(0), axes));
    return saturating_add(others, power(dim.block_size(blocks.end - 1), axes));
}

// Of the pairs of one block of rows.
std::int64_t of_columns(const Factor& factor, const Dim& rows, const Dim& columns, std::int64_t row) {
    const auto sum = [&](BlockRange blocks) { return sum_of_powers(columns, blocks, factor.column_axes); };
    const BlockRange visible = visible_blocks(rows, columns, factor.window, row);
    if (factor.kind == Factor::Kind::Visible) return sum(visible);
    const BlockRange clear = clear_blocks(rows, columns, factor.window, row);
    const std::int64_t all = factor.kind == Factor::Kind::Masked ? sum({0, columns.blocks()}) : sum(visible);
    return all - sum(clear);
}

std::int64_t causal_pairs(const Factor& factor, const DimTable& dims) {
    const Dim& rows = dims.at(factor.dim.value);
    const Dim& columns = dims.at(factor.columns.value);
    std::int64_t sum = 0;
    for (std::int64_t row = 0; row < rows.blocks(); ++row)
        sum = saturating_add(sum, saturating_multiply(power(rows.block_size(row), factor.row_axes),
                                                      of_columns(factor, rows, columns, row)));
    return sum;
}

}  // namespace

std::int64_t value(const Factor& factor, const DimTable& dims) {
    const Dim& dim = dims.at(factor.dim.value);
    const std::int64_t first = dim.block_size(0);
    const std::int64_t last = dim.block_size(dim.blocks() - 1);
    const auto squares = [&](std::int64_t full) {
        return saturating_add(saturating_multiply(full, saturating_multiply(first, first)),
                              saturating_multiply(last, last));
    };
    switch (factor.kind) {
        case Factor::Kind::Size:
            return dim.size;
        case Factor::Kind::Count:
            return dim.blocks();
        case Factor::Kind::First:
            return first;
        case Factor::Kind::LaterSize:
            return dim.size - first;
        case Factor::Kind::LaterCount:
            return dim.blocks() - 1;
        case Factor::Kind::Squares:
            return squares(dim.blocks() - 1);
        case Factor::Kind::LaterSquares:
            return dim.blocks() == 1 ? 0 : squares(dim.blocks() - 2);
        case Factor::Kind::Visible:
        case Factor::Kind::Crossed:
        case Factor::Kind::Masked:
            return causal_pairs(factor, dims);
    }
    throw InternalError("unknown factor");
}

namespace {

using FactorKind = Factor::Kind;

std::string lower_case(std::string name) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name;
}

// Appends to `product` what a factor is at these sizes, as simpler factors; false if it is 0.
bool simplify(const Factor& factor, const DimTable& dims, std::vector<Factor>& product) {
    const Dim& dim = dims.at(factor.dim.value);
    const Factor size{.kind = FactorKind::Size, .dim = factor.dim};
    const Factor block{.kind = FactorKind::First, .dim = factor.dim};
    const Factor later{.kind = FactorKind::LaterSize, .dim = factor.dim};
    const bool whole = dim.blocks() == 1;
    const bool single = dim.block == 1;  // blocks of one element, as of batch dimensions
    const auto is = [&](std::initializer_list<Factor> simpler) {
        product.insert(product.end(), simpler);
        return true;
    };
    switch (factor.kind) {
        case FactorKind::Size:
            return dim.size == 1 || is({size});
        case FactorKind::Count:
            return whole || is({single ? size : factor});
        case FactorKind::First:
            return dim.block_size(0) == 1 || is({whole ? size : block});
        case FactorKind::LaterSize:
        case FactorKind::LaterCount:
            return !whole && is({single ? later : factor});
        case FactorKind::Squares:
            if (whole) return dim.size == 1 || is({size, size});
            if (single) return is({size});
            return dim.size % dim.block == 0 ? is({size, block}) : is({factor});
        case FactorKind::LaterSquares:
            if (whole) return false;
            if (single) return is({later});
            return dim.size % dim.block == 0 ? is({block, later}) : is({factor});
        case FactorKind::Visible:
            return is({factor});
        case FactorKind::Crossed:
        case FactorKind::Masked:
            return causal_pairs(factor, dims) != 0 && is({factor});
    }
    throw InternalError("unknown factor");
}

// Block 0's part of what Kind counts of the other blocks, and the whole that both make.
struct Peeled {
    std::vector<FactorKind> first;
    FactorKind whole;
};
std::optional<Peeled> peeled(FactorKind kind) {
    switch (kind) {
        case FactorKind::LaterSize:
            return Peeled{{FactorKind::First}, FactorKind::Size};
        case FactorKind::LaterCount:
            return Peeled{{}, FactorKind::Count};
        case FactorKind::LaterSquares:
            return Peeled{{FactorKind::First, FactorKind::First}, FactorKind::Squares};
        case FactorKind::Size:
        case FactorKind::Count:
        case FactorKind::First:
        case FactorKind::Squares:
        case FactorKind::Visible:
        case FactorKind::Crossed:
        case FactorKind::Masked:
            return {};
    }
    throw InternalError("unknown factor");
}

std::string squared(const std::string& name, int power) {
    static const char* const digits[] = {"", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    return power < 10 ? name + digits[power] : name + "^" + std::to_string(power);
}

}  // namespace

std::string text(const Factor& factor, const DimTable& dims) {
    const std::string& size = dims.at(factor.dim.value).name;
    std::string block = lower_case(size);
    switch (factor.kind) {
        case FactorKind::Size:
            return size;
        case FactorKind::Count:
            return size + "/" + block;
        case FactorKind::First:
            return block;
        case FactorKind::LaterSize:
            return "(" + size + "-" + (dims.at(factor.dim.value).block == 1 ? "1" : block) + ")";
        case FactorKind::LaterCount:
            return "(" + size + "/" + block + "-1)";
        case FactorKind::Squares:
            return "Σ" + block + "²";
        case FactorKind::LaterSquares:
            return "(Σ" + block + "²-" + block + "²)";
        case FactorKind::Visible:
        case FactorKind::Crossed:
        case FactorKind::Masked: {
            const char* const pairs = factor.kind == FactorKind::Visible   ? "visible("
                                      : factor.kind == FactorKind::Crossed ? "crossed("
                                                                           : "masked(";
            const std::string window = factor.window > 0 ? "," + std::to_string(factor.window) : "";
            const std::string& other = dims.at(factor.columns.value).name;
            const auto axes = [](int number, const std::string& whole) {
                return number == 0 ? whole + "/" + lower_case(whole) : number == 1 ? whole : whole + "²";
            };
            return pairs + axes(factor.row_axes, size) + "," + axes(factor.column_axes, other) + window + ")";
        }
    }
    throw InternalError("unknown factor");
}

Polynomial::Polynomial(std::int64_t coefficient, const std::vector<Factor>& factors, const DimTable& dims) {
    std::vector<Factor> product;
    product.reserve(factors.size() + 1);
    for (const Factor& factor : factors)
        if (!simplify(factor, dims, product)) return;
    insert(std::move(product), coefficient);
}

void Polynomial::add(const Polynomial& more) {
    for (const auto& [factors, coefficient] : more.monomials_) insert(factors, coefficient);
    bool changed = true;
    while (changed) {
        changed = false;
        for (const auto& entry : monomials_)
            if (merge_peeled(entry.first)) {
                changed = true;
                break;
            }
    }
}

// m·N + (M-m)·N = M·N: as much of the two as there is of both. `factors` are those of an entry, which may be
// gone when it is true.
bool Polynomial::merge_peeled(const std::vector<Factor>& factors) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const std::optional<Peeled> parts = peeled(factors[i].kind);
        if (!parts) continue;
        std::vector<Factor> others = factors;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        std::vector<Factor> first = others;
        for (const FactorKind kind : parts->first) first.push_back({.kind = kind, .dim = factors[i].dim});
        std::sort(first.begin(), first.end());
        const auto found = monomials_.find(first);
        if (found == monomials_.end()) continue;
        const std::int64_t common = std::min(found->second, monomials_.at(factors));
        others.push_back({.kind = parts->whole, .dim = factors[i].dim});
        insert(std::move(first), -common);
        insert(factors, -common);
        insert(std::move(others), common);
        return true;
    }
    return false;
}

void Polynomial::insert(std::vector<Factor> factors, std::int64_t coefficient) {
    std::sort(factors.begin(), factors.end());
    const auto place = monomials_.try_emplace(std::move(factors), 0).first;
    place->second = saturating_add(place->second, coefficient);
    if (place->second == 0) monomials_.erase(place);
}

Polynomial Polynomial::times(std::int64_t factor) const {
    Polynomial result = *this;
    for (auto& entry : result.monomials_) entry.second = saturating_multiply(entry.second, factor);
    return result;
}

std::int64_t Polynomial::value(const DimTable& dims) const {
    std::int64_t sum = 0;
    for (const auto& [factors, coefficient] : monomials_) {
        std::int64_t product = coefficient;
        for (const Factor& factor : factors)
            product = saturating_multiply(product, blockscope::value(factor, dims));
        sum = saturating_add(sum, product);
    }
    return sum;
}

std::string Polynomial::text(const DimTable& dims) const {
    std::string result;
    for (const auto& [factors, coefficient] : monomials_) {
        std::string product = coefficient == 1 && !factors.empty() ? "" : std::to_string(coefficient);
        for (std::size_t i = 0; i < factors.size();) {
            std::size_t end = i;
            while (end < factors.size() && factors[end] == factors[i]) ++end;
            product += (product.empty() ? "" : "·") +
                       squared(blockscope::text(factors[i], dims), static_cast<int>(end - i));
            i = end;
        }
        result += (result.empty() ? "" : " + ") + product;
    }
    return result.empty() ? "0" : result;
}

}  // namespace blockscope
