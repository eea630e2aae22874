#include <algorithm>
#include <map>

#include "core/cost/terms.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

std::string lower_case(std::string name) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name;
}

std::string text(const Factor& factor, const DimTable& dims) {
    const std::string& size = dims.at(factor.dim.value).name;
    std::string block = lower_case(size);
    switch (factor.kind) {
        case Factor::Kind::Size:
            return size;
        case Factor::Kind::Count:
            return size + "/" + block;
        case Factor::Kind::First:
            return block;
        case Factor::Kind::LaterSize:
            return "(" + size + "-" + block + ")";
        case Factor::Kind::LaterCount:
            return "(" + size + "/" + block + "-1)";
        case Factor::Kind::Squares:
            return "Σ" + block + "²";
        case Factor::Kind::LaterSquares:
            return "(Σ" + block + "²-" + block + "²)";
    }
    throw InternalError("unknown factor");
}

}  // namespace

std::string formula(const std::vector<Term>& terms, Quantity quantity, int buffer, const DimTable& dims) {
    std::map<std::vector<Factor>, std::int64_t> sum;
    for (const Term& term : terms) {
        if (term.quantity != quantity || (buffer >= 0 && term.buffer != buffer)) continue;
        std::vector<Factor> factors = term.factors;
        // A single block is the whole: M/m is 1 and m is M.
        std::erase_if(factors, [&](const Factor& f) {
            return f.kind == Factor::Kind::Count && dims.at(f.dim.value).blocks() == 1;
        });
        std::int64_t& coefficient = sum[factors];
        coefficient = saturating_add(coefficient, term.coefficient);
    }
    std::string result;
    for (const auto& [factors, coefficient] : sum) {
        std::string product = coefficient == 1 && !factors.empty() ? "" : std::to_string(coefficient);
        for (const Factor& factor : factors) product += (product.empty() ? "" : "·") + text(factor, dims);
        result += (result.empty() ? "" : " + ") + product;
    }
    return result.empty() ? "0" : result;
}

}  // namespace blockscope
