#include "core/cost/extents.h"

#include <algorithm>

#include "core/cost/counts.h"

namespace blockscope {

namespace {

std::int64_t power(std::int64_t base, int exponent) {
    std::int64_t result = 1;
    for (int i = 0; i < exponent; ++i) result = saturating_multiply(result, base);
    return result;
}

// The sum of (block size)^exponent over the iterations of a loop.
std::int64_t sum_of_powers(const Loop& loop, int exponent, const Dim& dim) {
    const std::int64_t iterations = dim.blocks() - loop.start;
    if (iterations <= 0) return 0;
    const std::int64_t full = saturating_multiply(iterations - 1, power(dim.block, exponent));
    return saturating_add(full, power(dim.block_size(dim.blocks() - 1), exponent));
}

}  // namespace

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? kCountLimit : result;
}

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? kCountLimit : result;
}

std::int64_t sum_over(const Nest& nest, const std::vector<Extent>& extents, const DimTable& dims) {
    std::int64_t product = 1;
    for (const Extent& extent : extents)
        if (extent.fixed) product = saturating_multiply(product, dims.at(extent.dim.value).block_size(0));
    for (const Loop* loop : nest) {
        const auto along_loop = std::count_if(extents.begin(), extents.end(), [&](const Extent& extent) {
            return !extent.fixed && extent.var == loop->var;
        });
        const Dim& dim = dims.at(loop->var.dim.value);
        product = saturating_multiply(product, sum_of_powers(*loop, static_cast<int>(along_loop), dim));
    }
    return product;
}

std::int64_t full_size(const std::vector<Extent>& extents, const DimTable& dims) {
    std::int64_t product = 1;
    for (const Extent& extent : extents)
        product = saturating_multiply(product, dims.at(extent.dim.value).block_size(0));
    return product;
}

}  // namespace blockscope
