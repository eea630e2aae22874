#include "app/cli/optimum_search.h"

#include <algorithm>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/worker/predict.h"
#include "core/cost/models/model.h"

namespace blockscope::cli {

const circuit::ByteLevel* find_level(const std::vector<circuit::ByteLevel>& levels, const std::string& name) {
    const auto found =
        std::find_if(levels.begin(), levels.end(), [&](const auto& level) { return level.name == name; });
    return found == levels.end() ? nullptr : &*found;
}

Searched searched(const SearchedProgram& program, std::int64_t bytes, std::int64_t multiple,
                  const circuit::ByteLevel* level) {
    Searched made;
    made.bytes = bytes;
    made.best = napkin::search_blocks(program.built, {bytes, multiple, LoadPlacement::Hoisted});
    if (!made.best) return made;
    if (program.masked) {
        LoopProgram all = *program.masked;
        all.dims = made.best->dims;
        made.masked = napkin::counted_blocks(all);
    }
    if (!level) return made;
    made.from = level->from;
    made.seconds = static_cast<double>(made.best->moved_bytes) / level->bandwidth;
    return made;
}

void print_searched(const Searched& found) {
    if (!found.best) {
        std::cout << "numerical: no block sizes fit " << bytes_text(found.bytes) << '\n';
        return;
    }
    const napkin::BestBlocks& best = *found.best;
    std::cout << "numerical, " << (best.exhaustive ? "all " : "a descent over ") << best.tried
              << " choices of block sizes" << (best.exhaustive ? "" : ", perhaps not the best") << ": "
              << worker::sizes_and_blocks(best.dims, ", ") << " move " << count_text(best.moved_values)
              << " values, " << bytes_text(best.moved_bytes);
    if (found.masked)
        std::cout << " (" << bytes_text(found.masked->moved_bytes)
                  << " if what the mask hides is loaded, too)";
    if (!found.from.empty()) std::cout << ", in " << seconds_text(found.seconds) << " from " << found.from;
    std::cout << ", and hold " << count_text(best.local_values) << " values, " << bytes_text(best.local_bytes)
              << '\n';
}

SearchedLevels searched_levels(const SearchedProgram& program, const Device& device, std::int64_t multiple) {
    SearchedLevels made;
    double sum = 0;
    bool all = true;
    for (const circuit::ByteLevel& level : circuit::byte_levels(device)) {
        made.levels.push_back(
            {level, searched(program, static_cast<std::int64_t>(level.memory), multiple, &level)});
        all = all && made.levels.back().found.best;
        sum += made.levels.back().found.seconds;
    }
    if (all) made.seconds = sum;
    return made;
}

void print_searched_levels(const SearchedLevels& searched, const Device& device) {
    std::cout << "on " << device.title << ", by trying:\n";
    for (const auto& [level, found] : searched.levels) {
        std::cout << "  into " << level.name << " from " << level.from << ", with "
                  << bytes_text(static_cast<std::int64_t>(level.memory)) << ": ";
        if (!found.best)
            std::cout << "no block sizes fit\n";
        else
            std::cout << worker::sizes_and_blocks(found.best->dims, ", ") << " move "
                      << count_text(found.best->moved_values) << " values, "
                      << bytes_text(found.best->moved_bytes) << ", " << seconds_text(found.seconds) << '\n';
    }
    if (searched.seconds) std::cout << "  sum of all levels: " << seconds_text(*searched.seconds) << '\n';
}

Json searched_json(const Searched& found) {
    if (!found.best) return {{"fits", false}};
    const napkin::BestBlocks& best = *found.best;
    Json blocks = json::Object{};
    for (const Dim& dim : best.dims) blocks[dim.name] = dim.block;
    Json json = {{"fits", true},
                 {"blocks", blocks},
                 {"exhaustive", best.exhaustive},
                 {"tried", best.tried},
                 {"moved", {{"values", best.moved_values}, {"bytes", best.moved_bytes}}},
                 {"local_memory", {{"values", best.local_values}, {"bytes", best.local_bytes}}}};
    if (found.masked)
        json["in_paper_loops"] = {{"values", found.masked->moved_values},
                                  {"bytes", found.masked->moved_bytes}};
    if (!found.from.empty()) {
        json["from"] = found.from;
        json["seconds"] = found.seconds;
    }
    return json;
}

Json searched_levels_json(const SearchedLevels& searched, const Device& device) {
    Json list = json::Array{};
    for (const auto& [level, found] : searched.levels)
        list.push_back({{"name", level.name}, {"bytes", level.memory}, {"search", searched_json(found)}});
    Json json = {{"name", device.name}, {"searched_levels", list}};
    if (searched.seconds) json["seconds"] = *searched.seconds;
    return json;
}

}  // namespace blockscope::cli
