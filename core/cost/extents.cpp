#include "core/cost/extents.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

namespace {

// The sum of (block size)^axes over the iterations of a loop.
Factor factor_of(const Loop& loop, std::ptrdiff_t axes) {
    const bool later = loop.start > 0;
    switch (axes) {
        case 0:
            return {later ? Factor::Kind::LaterCount : Factor::Kind::Count, loop.var.dim};
        case 1:
            return {later ? Factor::Kind::LaterSize : Factor::Kind::Size, loop.var.dim};
        case 2:
            return {later ? Factor::Kind::LaterSquares : Factor::Kind::Squares, loop.var.dim};
        default:
            throw InternalError("an operator has three axes along one loop variable");
    }
}

}  // namespace

std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents) {
    std::vector<Factor> factors;
    for (const Extent& extent : extents)
        if (extent.fixed) factors.push_back({Factor::Kind::First, extent.dim});
    for (const Loop* loop : nest) {
        const auto along = [&](const Extent& extent) { return !extent.fixed && extent.var == loop->var; };
        factors.push_back(factor_of(*loop, std::count_if(extents.begin(), extents.end(), along)));
    }
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::int64_t full_size(const std::vector<Extent>& extents, const DimTable& dims) {
    std::int64_t product = 1;
    for (const Extent& extent : extents)
        product = saturating_multiply(product, dims.at(extent.dim.value).block_size(0));
    return product;
}

}  // namespace blockscope
