// blockscope-cli tune: block sizes that the model likes, measured.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/measure_report.h"
#include "app/cli/measuring.h"
#include "app/cli/predict.h"

namespace blockscope::cli {
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

// The document's own block sizes first, then the `top` that are predicted to be fastest.
std::vector<worker::Task> candidates(const worker::Task& task, const Measuring& measuring, int top) {
    const auto device = task.device == "cpu" ? calibrated_cpu(measuring.machine().cpu) : std::nullopt;
    const CacheModel model = cache_model(device, private_cache(measuring.machine()),
                                         measuring.machine().cores, task.options.threads);
    std::vector<worker::Task> result;
    for (const BlockChoice& choice : suggest_blocks(lower(*task.blocks), model, std::max(kConsidered, top))) {
        worker::Task candidate = task;
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
    std::stable_sort(result.begin(), result.end(), [](const worker::Task& a, const worker::Task& b) {
        return a.predicted_seconds < b.predicted_seconds;
    });
    if (result.size() > static_cast<std::size_t>(top)) result.resize(static_cast<std::size_t>(top));
    result.insert(result.begin(), task);
    return result;
}

const measure::Record* fastest(const std::vector<measure::Record>& records) {
    const measure::Record* best = nullptr;
    for (const measure::Record& record : records)
        if (record.warm && (!best || record.warm->summary.median < best->warm->summary.median))
            best = &record;
    return best;
}

// "--set M=4096/64 --set N=4096/256": the options that choose these block sizes.
std::string options_of(const measure::Record& record) {
    std::string text;
    for (const Dim& dim : record.subject.dims)
        text += (text.empty() ? "--set " : " --set ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                std::to_string(dim.block);
    return text;
}

}  // namespace

int tune_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    std::vector<measure::Record> records;
    for (const worker::Task& task : measuring.tasks()) {
        const std::vector<worker::Task> all = candidates(task, measuring, arguments.top);
        for (std::size_t i = 0; i < all.size(); ++i)
            records.push_back(measuring.run(all[i], task.state + ", blocks " + std::to_string(i + 1) +
                                                        " of " + std::to_string(all.size())));
    }
    const measure::Record* best = fastest(records);
    if (arguments.json) {
        Json json = measurements_json("tune", measuring, records);
        if (best) json["best"] = best - records.data();
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        print_csv(records);
    } else {
        print_records(records);
        if (best) std::cout << "\nfastest: " << options_of(*best) << '\n';
        print_circumstances(measuring, records);
    }
    std::cout.flush();
    return measuring.finish(records);
}

}  // namespace blockscope::cli
