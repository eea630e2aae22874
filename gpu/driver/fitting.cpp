#include "gpu/driver/fitting.h"

namespace blockscope::gpu {

namespace {

constexpr int kMostHalvings = 6;
constexpr std::int64_t kLeastBlock = 16;

bool can_be_halved(std::int64_t block) {
    return block % 2 == 0 && block / 2 >= kLeastBlock;
}

// Halves `left` times more, blocks of dimensions from `first` on: each way once.
std::optional<DimTable> halved(BlockProgram& program, std::size_t first, int left,
                               const std::function<bool(const BlockProgram&)>& fits) {
    if (left == 0) return fits(program) ? std::optional(program.dims) : std::nullopt;
    for (std::size_t i = first; i < program.dims.size(); ++i) {
        const std::int64_t block = program.dims[i].block;
        if (program.dims[i].kind != DimKind::Blocked || !can_be_halved(block)) continue;
        program.dims[i].block = block / 2;
        if (auto found = halved(program, i, left - 1, fits)) return found;
        program.dims[i].block = block;
    }
    return std::nullopt;
}

}  // namespace

std::optional<DimTable> fitting_blocks(const BlockProgram& program,
                                       const std::function<bool(const BlockProgram&)>& fits) {
    BlockProgram smaller = program;
    for (Dim& dim : smaller.dims)
        while (dim.kind == DimKind::Blocked && can_be_halved(dim.block)) dim.block /= 2;
    if (!fits(smaller)) return std::nullopt;  // something else is the matter
    smaller.dims = program.dims;
    for (int halvings = 1; halvings <= kMostHalvings; ++halvings)
        if (auto found = halved(smaller, 0, halvings, fits)) return found;
    return std::nullopt;
}

std::string set_words(const DimTable& from, const DimTable& to) {
    std::string words;
    for (std::size_t i = 0; i < to.size(); ++i)
        if (to[i].block != from[i].block)
            words += (words.empty() ? "--set " : " --set ") + to[i].name + "=" + std::to_string(to[i].size) +
                     "/" + std::to_string(to[i].block);
    return words;
}

}  // namespace blockscope::gpu
