#include "core/engine/block_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/algebra/search.h"
#include "core/cost/counts.h"

namespace blockscope {

namespace {

constexpr std::int64_t kLargest = 512;
constexpr double kMostCombinations = 20000;
constexpr std::int64_t kBytes = 4;  // whatever the arrays hold, local memory holds float32

// Powers of two from a vector on, and the whole dimension, in which a fused state repeats nothing; fewer with
// a larger `step`.
std::vector<std::int64_t> candidates(const Dim& dim, int vector_elements, int step) {
    if (dim.kind != DimKind::Blocked) return {1};
    std::vector<std::int64_t> result;
    for (std::int64_t block = std::max(16, vector_elements); block < dim.size && block <= kLargest;
         block *= step)
        result.push_back(block);
    result.push_back(dim.size);
    return result;
}

ChoiceLists all_candidates(const DimTable& dims, int vector_elements) {
    ChoiceLists result;
    for (int step = 2; step <= 32; step *= 2) {
        result.clear();
        for (const Dim& dim : dims) result.push_back(candidates(dim, vector_elements, step));
        if (number_of_choices(result) <= kMostCombinations) break;
    }
    return result;
}

// Kernels lose some registers' worth of time at the edges of each block: 80% at 32, 89% at 64, 94% at 128.
double efficiency(const DimTable& dims) {
    std::int64_t smallest = kLargest;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked) smallest = std::min(smallest, std::min(dim.block, dim.size));
    return static_cast<double>(smallest) / static_cast<double>(smallest + 8);
}

BlockChoice judge(const LoopProgram& program, const CacheModel& model) {
    const Counts counts = count(program);
    std::int64_t values = 0;
    std::int64_t items = 0;
    for (const BufferTraffic& traffic : counts.buffers) {
        if (program.buffers.at(static_cast<std::size_t>(traffic.buffer)).source == InputSource::CausalMask)
            continue;
        values = saturating_add(values, saturating_add(traffic.loads.values, traffic.stores.values));
        items = saturating_add(items, saturating_add(traffic.loads.items, traffic.stores.items));
    }
    const auto threads = static_cast<double>(std::clamp<std::int64_t>(counts.tasks, 1, model.threads));
    const auto number = [](std::int64_t n) { return static_cast<double>(n); };
    const double matmul =
        number(counts.flops.matrix) / (model.matmul_flops * efficiency(program.dims) * threads);
    const double vector =
        (number(counts.flops.vector) / model.vector_ops + number(counts.flops.special) / model.special_ops) /
        threads;
    const double memory = number(saturating_multiply(values, kBytes)) / model.bytes_per_second;
    const double calls = 2 * number(items) * model.call_seconds / threads;
    BlockChoice choice;
    for (const Dim& dim : program.dims) choice.blocks.push_back(dim.block);
    choice.predicted_seconds = std::max(matmul + vector, memory) + calls;
    choice.local_bytes = saturating_multiply(counts.local.values, kBytes);
    const std::array<std::pair<double, const char*>, 4> terms = {
        {{matmul, "matmul"}, {vector, "vector"}, {memory, "memory"}, {calls, "calls"}}};
    choice.binding = std::max_element(terms.begin(), terms.end(), [](const auto& a, const auto& b) {
                         return a.first < b.first;
                     })->second;
    return choice;
}

}  // namespace

std::vector<BlockChoice> suggest_blocks(const LoopProgram& snapshot, const CacheModel& model, int limit) {
    LoopProgram program = snapshot;
    const auto judged = [&](const std::vector<std::int64_t>& blocks) -> std::optional<BlockChoice> {
        for (std::size_t i = 0; i < blocks.size(); ++i) program.dims[i].block = blocks[i];
        BlockChoice choice = judge(program, model);
        if (choice.local_bytes > model.local_bytes) return std::nullopt;
        return choice;
    };
    const auto order = [](const BlockChoice& choice) { return std::pair(choice.predicted_seconds, 0); };
    const ChoiceLists candidates = all_candidates(snapshot.dims, model.vector_elements);
    return search(candidates, judged, order, {.keep = static_cast<std::size_t>(limit)}).best;
}

}  // namespace blockscope
