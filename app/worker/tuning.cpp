#include "app/worker/tuning.h"

#include <algorithm>

#include "app/worker/predict.h"

namespace blockscope::worker {

namespace {

constexpr int kConsidered = 64;  // of the search's favourites, ranked again by the model if there is one

std::int64_t private_cache(const measure::Machine& machine) {
    std::int64_t bytes = 0;
    for (const measure::Cache& cache : machine.caches)
        if (cache.level == 2) bytes = cache.bytes;
    return bytes;
}

ProgramPtr with_blocks(const ProgramPtr& program, const std::vector<std::int64_t>& blocks) {
    BlockProgram result = *program;
    for (std::size_t i = 0; i < blocks.size(); ++i) result.dims[i].block = blocks[i];
    return std::make_shared<const BlockProgram>(std::move(result));
}

}  // namespace

std::vector<Task> tuning_candidates(const Task& task, const measure::Machine& machine, int top) {
    const auto device = task.device == "cpu" ? calibrated_cpu(machine.cpu) : std::nullopt;
    const CacheModel model = cache_model(device, private_cache(machine), machine.cores, task.options.threads);
    std::vector<Task> result;
    for (const BlockChoice& choice : suggest_blocks(lower(*task.blocks), model, std::max(kConsidered, top))) {
        Task candidate = task;
        candidate.blocks = with_blocks(task.blocks, choice.blocks);
        if (candidate.blocks->dims == task.blocks->dims) continue;
        candidate.predicted_seconds = choice.predicted_seconds;
        candidate.model = "block search";
        if (device) {
            candidate.predicted_seconds =
                predicted_seconds(*candidate.blocks, *device, task.options.elem, task.options.threads);
            candidate.model = kCpuModel;
        }
        result.push_back(std::move(candidate));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Task& a, const Task& b) { return a.predicted_seconds < b.predicted_seconds; });
    if (result.size() > static_cast<std::size_t>(top)) result.resize(static_cast<std::size_t>(top));
    // Its own block sizes are predicted as all others are: by one model.
    Task own = task;
    own.predicted_seconds = 0;
    if (device) {
        own.predicted_seconds =
            predicted_seconds(*own.blocks, *device, task.options.elem, task.options.threads);
        own.model = kCpuModel;
    }
    result.insert(result.begin(), std::move(own));
    return result;
}

const measure::Record* fastest(const std::vector<measure::Record>& records) {
    const measure::Record* best = nullptr;
    for (const measure::Record& record : records)
        if (record.warm && (!best || record.warm->summary.median < best->warm->summary.median))
            best = &record;
    return best;
}

}  // namespace blockscope::worker
