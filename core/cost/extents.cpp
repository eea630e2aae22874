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

std::vector<DimId> item_axes(const Item& item) {
    std::vector<DimId> axes;
    if (item.kind != ItemKind::Scalar) axes.push_back(item.rows);
    if (item.kind == ItemKind::Block) axes.push_back(item.cols);
    return axes;
}

std::vector<int> axis_positions(const Buffer& buffer) {
    const std::vector<DimId> axes = item_axes(buffer.type.item());
    std::vector<int> found(axes.size(), -1);
    int left = static_cast<int>(buffer.dims.size());
    for (std::size_t axis = axes.size(); axis-- > 0;)
        if (left > 0 && buffer.dims[static_cast<std::size_t>(left) - 1] == axes[axis]) found[axis] = --left;
    return found;
}

Extent extent_at(DimId dim, const std::vector<Index>& at, int position) {
    if (position < 0 || at[static_cast<std::size_t>(position)].zero) return {dim, true, {}};
    return {dim, false, at[static_cast<std::size_t>(position)].var};
}

std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents) {
    std::vector<Factor> factors;
    for (const Extent& extent : extents) {
        const bool of_nest =
            std::any_of(nest.begin(), nest.end(), [&](const Loop* loop) { return loop->var == extent.var; });
        if (extent.fixed || !of_nest) factors.push_back({Factor::Kind::First, extent.dim});
    }
    for (const Loop* loop : nest) {
        const auto along = [&](const Extent& extent) { return !extent.fixed && extent.var == loop->var; };
        factors.push_back(factor_of(*loop, std::count_if(extents.begin(), extents.end(), along)));
    }
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::vector<Factor> largest_size(const std::vector<Extent>& extents, const DimTable& dims) {
    std::vector<Factor> factors;
    factors.reserve(extents.size());
    for (const Extent& extent : extents) {
        const Dim& dim = dims.at(extent.dim.value);
        const bool last = extent.later && dim.blocks() == 2;
        factors.push_back({last ? Factor::Kind::LaterSize : Factor::Kind::First, extent.dim});
    }
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::vector<Factor> full_size(const std::vector<Extent>& extents) {
    std::vector<Factor> factors;
    factors.reserve(extents.size());
    for (const Extent& extent : extents) factors.push_back({Factor::Kind::First, extent.dim});
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
