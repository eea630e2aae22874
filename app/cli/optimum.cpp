// blockscope-cli optimum: the best tile sizes and the least traffic as formulas, derived from a block
// program.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/cost.h"
#include "app/cli/envelope.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "core/cost/counts.h"
#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "core/napkin/levels.h"
#include "core/napkin/optimum.h"

namespace blockscope::cli {

namespace {

// Local memory first, then what caches for it (section 4.4), outwards. A level's weight is what a value that
// is moved into it costs: seconds, by the bandwidth of the level behind it.
struct DeviceLevel {
    napkin::TransferLevel level;
    std::string from;       // the level behind it
    bool together = false;  // a cache, which is taken for as large as what the levels before it hold together
};

std::string level_count(double number) {
    return count_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

double cost_of(const algebra::ClippedLaw& law, const napkin::TransferLevel& level) {
    return level.weight * transfers(law, level.memory);
}

std::vector<napkin::TransferLevel> plain(const std::vector<DeviceLevel>& levels) {
    std::vector<napkin::TransferLevel> result;
    for (const DeviceLevel& level : levels) result.push_back(level.level);
    return result;
}

// Bytes that one thread block (or core) may hold. Throws UsageError if the description does not say.
std::int64_t local_bytes(const Device& device) {
    const MemoryLevel* level = local_level(device);
    if (!level || local_capacity(*level) <= 0)
        throw UsageError("the description of " + device.name + " says nothing of local memory; use --memory");
    return static_cast<std::int64_t>(local_capacity(*level));
}

std::vector<DeviceLevel> device_levels(const Device& device, double bytes_per_value) {
    std::vector<DeviceLevel> levels;
    const MemoryLevel* local = local_level(device);
    if (!local) return levels;
    const double processors = device.processors.value;
    const auto last = &device.memory.back();
    for (const MemoryLevel* level = local; level < last; ++level) {
        const MemoryLevel& behind = level[1];
        const double bandwidth = bandwidth_for(device, behind, processors);
        if (bandwidth <= 0) continue;
        const napkin::TransferLevel own =
            napkin::quantised(level->name, bandwidth, local_capacity(*level), bytes_per_value);
        // What caches for others holds what they hold together, or what it has room for.
        if (levels.empty()) {
            levels.push_back({own, behind.name});
            continue;
        }
        napkin::TransferLevel cache =
            napkin::caching_level(level->name, own.weight, levels.front().level, processors);
        const bool together = cache.memory < own.memory;
        cache.memory = std::min(cache.memory, own.memory);
        levels.push_back({cache, behind.name, together});
    }
    return levels;
}

// H* and seconds of each level, and the sum (equation 2).
void print_levels(const std::vector<DeviceLevel>& levels, const algebra::ClippedLaw& law,
                  const Device& device) {
    std::cout << "on " << device.title << ":\n";
    for (const DeviceLevel& each : levels) {
        std::cout << "  into " << each.level.name << " from " << each.from << ", with "
                  << level_count(each.level.memory) << " values"
                  << (!each.together ? "" : " that all of " + levels.front().level.name + " hold")
                  << ": H* = " << level_count(transfers(law, each.level.memory)) << " values, "
                  << seconds_text(cost_of(law, each.level)) << '\n';
    }
    std::cout << "  sum of all levels: " << seconds_text(total_cost(law, plain(levels))) << '\n';
}

Json levels_json(const std::vector<DeviceLevel>& levels, const algebra::ClippedLaw& law) {
    Json list = json::Array{};
    for (const DeviceLevel& each : levels)
        list.push_back({{"name", each.level.name},
                        {"from", each.from},
                        {"values", each.level.memory},
                        {"seconds_per_value", each.level.weight},
                        {"least_values", transfers(law, each.level.memory)},
                        {"seconds", cost_of(law, each.level)}});
    return {{"levels", list}, {"seconds", total_cost(law, plain(levels))}};
}

struct OptimumArguments {
    std::string file;
    StateArguments state;
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::vector<std::string> same;   // KEPT=OTHER: written as one dimension
    std::int64_t memory = 0;         // bytes; 0: formulas only, or that of the device
    std::string device;              // name or file; empty: none
    std::int64_t multiple = 1;       // of what block sizes are tried
    bool json = false;
};

using napkin::LaunchOptimum;
using napkin::Tile;

// The state and what is asked of it.
struct Request {
    std::string state;  // "step 17", "snapshot 2"
    int step = 0;
    std::string chosen_by;  // where it is the best state: among which, by what
    Json best;              // the same
    LoopProgram program;
    napkin::OptimumOptions options;
    std::int64_t bytes_per_value = 1;  // of the widest array
    std::int64_t memory = 0;           // bytes; 0: none
    std::optional<Device> device;
};

std::int64_t widest(const LoopProgram& program) {
    std::int64_t bytes = 1;
    for (const Buffer& buffer : program.buffers)
        bytes = std::max<std::int64_t>(bytes, bytes_per_element(buffer.type.elem()));
    return bytes;
}

Request request(const OptimumArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const ProgramPtr initial = resized(loaded.blocks, arguments.sizes);
    const Trace trace = fuse_watched(initial);
    const Stakes stakes = stakes_of(arguments.state, arguments.device);
    const Choice choice = choose(trace, arguments.state, {}, stakes);
    const ChosenState& chosen = choice.state;
    Request made;
    made.step = chosen.step;
    made.state = chosen.name;
    if (choice.ranking) {
        made.chosen_by = best_sentence(*choice.ranking, stakes);
        made.best = best_json(*choice.ranking, stakes, static_cast<int>(trace.steps.size()));
    }
    if (!arguments.device.empty()) made.device = chosen_device(arguments.device);
    // The engine of a processor computes in float32, whatever the program declares; `cost` counts so, too.
    const bool processor = made.device && made.device->kind == DeviceKind::Cpu;
    const Form in_paper =
        Form{}.as_in_paper().kept_in(processor ? std::optional(ElemType::F32) : std::nullopt);
    const State counted = chosen.state.in_form(in_paper);
    made.program = counted.loops();
    made.bytes_per_value = widest(made.program);
    for (const std::string& pair : arguments.same) made.options.same.push_back(same_dims(*initial, pair));
    made.memory = arguments.memory == 0 && made.device ? local_bytes(*made.device) : arguments.memory;
    if (made.memory > 0)
        made.options.memory = static_cast<double>(made.memory) / static_cast<double>(made.bytes_per_value);
    return made;
}

std::string rounded_count(double number) {
    return count_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

std::string block_name(const Tile& tile, const DimTable& dims) {
    return napkin::block_symbol(tile.dim, dims).name;
}

// "m = Mem/(D + L) = 227, grouped"
std::string tile_text(const Tile& tile, const Request& request) {
    const DimTable& dims = request.program.dims;
    const Dim& dim = dims[tile.dim.value];
    std::string text = block_name(tile, dims);
    switch (tile.how) {
        case Tile::How::Solved:
            text += " = " + tile.size.quotient_text();
            if (request.options.memory)
                text += " = " + rounded_count(std::floor(tile.size.value(
                                    napkin::sizes_and_memory(dims, *request.options.memory))));
            break;
        case Tile::How::One:
        case Tile::How::Open:
            text += " = 1";
            break;
        case Tile::How::Whole:
            text += " = " + dim.name;
            break;
        case Tile::How::Fixed:
            text = dim.name;
            break;
        case Tile::How::Unknown:
            text += " = ?";
            break;
    }
    return text + ", " + to_string(tile.role) + (tile.reason.empty() ? "" : ": " + tile.reason.str());
}

void print_launch(const LaunchOptimum& launch, const Request& request) {
    const DimTable& dims = request.program.dims;
    std::cout << "launch " << to_string(launch.node) << ", line " << launch.line + 1 << '\n';
    for (const Tile& tile : launch.tiles) std::cout << "  " << tile_text(tile, request) << '\n';
    std::cout << "  H = " << launch.traffic.quotient_text() << " values\n"
              << "  memory >= " << launch.memory.quotient_text() << " values, at line "
              << launch.memory_line + 1;
    if (!launch.dropped.is_zero()) std::cout << "; left out: " << launch.dropped.quotient_text();
    std::cout << '\n';
    if (!launch.reason.empty())
        std::cout << "  no formula: " << launch.reason.str() << '\n';
    else
        std::cout << "  H* = " << law_text(launch.law, dims) << '\n';
}

void print_law(const napkin::Optimum& optimum, const Request& request) {
    const DimTable& dims = request.program.dims;
    if (!optimum.has_law()) return;
    if (optimum.launches.size() > 1)
        std::cout << "all launches\n  H* = " << law_text(optimum.law, dims) << '\n';
    if (!request.options.memory) return;
    const double moved = transfers(power_law(optimum.law, dims), *request.options.memory);
    std::cout << "with " << rounded_count(*request.options.memory) << " values of memory ("
              << request.bytes_per_value << " bytes each): H* = " << rounded_count(moved) << " values\n";
    if (!request.device) return;
    const auto bytes = static_cast<double>(request.bytes_per_value);
    if (const auto law = napkin::clipped_law(request.program, request.options))
        print_levels(device_levels(*request.device, bytes), *law, *request.device);
}

std::string blocks_text(const DimTable& dims) {
    std::string text;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            text += (text.empty() ? "" : ", ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                    std::to_string(dim.block);
    return text;
}

void print_best_blocks(const std::optional<napkin::BestBlocks>& best, std::int64_t memory) {
    if (!best) {
        std::cout << "numerical: no block sizes fit " << bytes_text(memory) << '\n';
        return;
    }
    std::cout << "numerical, " << (best->exhaustive ? "all " : "a descent over ") << best->tried
              << " choices of block sizes" << (best->exhaustive ? "" : ", perhaps not the best") << ": "
              << blocks_text(best->dims) << " move " << count_text(best->moved_values) << " values, "
              << bytes_text(best->moved_bytes) << ", and hold " << count_text(best->local_values)
              << " values, " << bytes_text(best->local_bytes) << '\n';
}

// ---- JSON

Json optimum_law_json(const std::vector<napkin::LawFormula>& law, const DimTable& dims) {
    const algebra::NumericLaw numbers = power_law(law, dims);
    Json terms = json::Array{};
    for (std::size_t i = 0; i < law.size(); ++i)
        terms.push_back({{"alpha", law[i].alpha.law_text(napkin::memory_symbol(dims))},
                         {"alpha_value", numbers[i].alpha},
                         {"beta", law[i].beta.text()},
                         {"beta_value", numbers[i].beta}});
    return terms;
}

Json tile_json(const Tile& tile, const Request& request) {
    static constexpr const char* kHow[] = {"solved", "one", "whole", "open", "fixed", "unknown"};
    const DimTable& dims = request.program.dims;
    Json json = {{"dim", dims[tile.dim.value].name},
                 {"role", to_string(tile.role)},
                 {"how", kHow[static_cast<int>(tile.how)]}};
    if (!tile.reason.empty()) json["reason"] = tile.reason.str();
    if (tile.how != Tile::How::Solved) return json;
    json["size"] = tile.size.quotient_text();
    if (request.options.memory)
        json["value"] = tile.size.value(napkin::sizes_and_memory(dims, *request.options.memory));
    return json;
}

Json launch_json(const LaunchOptimum& launch, const Request& request) {
    const DimTable& dims = request.program.dims;
    Json json = {{"node", node_json(launch.node)},
                 {"line", launch.line + 1},
                 {"traffic", launch.traffic.quotient_text()},
                 {"memory", launch.memory.quotient_text()},
                 {"left_out", launch.dropped.quotient_text()},
                 {"memory_line", launch.memory_line + 1}};
    json["tiles"] = json::Array{};
    for (const Tile& tile : launch.tiles) json["tiles"].push_back(tile_json(tile, request));
    if (!launch.reason.empty()) {
        json["no_formula"] = launch.reason.str();
        return json;
    }
    json["formula"] = law_text(launch.law, dims);
    json["law"] = optimum_law_json(launch.law, dims);
    return json;
}

Json best_blocks_json(const std::optional<napkin::BestBlocks>& best) {
    if (!best) return {{"fits", false}};
    Json blocks = json::Object{};
    for (const Dim& dim : best->dims) blocks[dim.name] = dim.block;
    return {{"fits", true},
            {"blocks", blocks},
            {"exhaustive", best->exhaustive},
            {"tried", best->tried},
            {"moved", {{"values", best->moved_values}, {"bytes", best->moved_bytes}}},
            {"local_memory", {{"values", best->local_values}, {"bytes", best->local_bytes}}}};
}

Json optimum_json(const napkin::Optimum& optimum, const Request& request, const OptimumArguments& arguments) {
    const DimTable& dims = request.program.dims;
    Json json = envelope("optimum");
    json["file"] = display_name(arguments.file);
    json["step"] = request.step;
    if (!request.chosen_by.empty()) json["best"] = request.best;
    json["memory_symbol"] = napkin::memory_symbol(dims).name;
    json["bytes_per_value"] = request.bytes_per_value;
    json["launches"] = json::Array{};
    for (const LaunchOptimum& launch : optimum.launches)
        json["launches"].push_back(launch_json(launch, request));
    if (optimum.has_law()) {
        json["formula"] = law_text(optimum.law, dims);
        json["law"] = optimum_law_json(optimum.law, dims);
    }
    if (!request.options.memory) return json;
    json["memory"] = {{"bytes", request.memory}, {"values", *request.options.memory}};
    if (!optimum.has_law()) return json;
    const algebra::NumericLaw law = power_law(optimum.law, dims);
    json["least_values"] = transfers(law, *request.options.memory);
    if (!request.device) return json;
    const std::optional<algebra::ClippedLaw> clipped = napkin::clipped_law(request.program, request.options);
    if (!clipped) return json;
    json["device"] =
        levels_json(device_levels(*request.device, static_cast<double>(request.bytes_per_value)), *clipped);
    json["device"]["name"] = request.device->name;
    return json;
}

// What there is where a launch has no formula and no memory is given: the best block sizes by trying, for the
// program's sizes, within the local memory of the usual device and within a quarter and four times of it.
constexpr const char* kUsualDevice = "h100-sxm5";

struct TriedMemory {
    std::int64_t bytes = 0;
    std::string of;  // "the shared of NVIDIA H100 SXM5 80 GB", "a quarter of that"
    std::optional<napkin::BestBlocks> best;
};

std::vector<TriedMemory> tried_memories(const Request& request, std::int64_t multiple) {
    const Device device = chosen_device(kUsualDevice);
    const std::int64_t local = local_bytes(device);
    std::vector<TriedMemory> tried = {{local, local_level(device)->name + " of " + device.title, {}},
                                      {local / 4, "a quarter of that", {}},
                                      {local * 4, "four times as much", {}}};
    for (TriedMemory& one : tried)
        one.best = napkin::search_blocks(request.program, {one.bytes, multiple, LoadPlacement::Hoisted});
    return tried;
}

int numbers_alone(const napkin::Optimum& optimum, const Request& request, const OptimumArguments& arguments) {
    const std::vector<TriedMemory> tried = tried_memories(request, arguments.multiple);
    if (arguments.json) {
        Json json = optimum_json(optimum, request, arguments);
        json["searches"] = json::Array{};
        for (const TriedMemory& one : tried)
            json["searches"].push_back(
                {{"memory", {{"bytes", one.bytes}, {"of", one.of}}}, {"search", best_blocks_json(one.best)}});
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    std::cout << request.state << " of " << harmless_name(display_name(arguments.file)) << '\n';
    for (const LaunchOptimum& launch : optimum.launches) print_launch(launch, request);
    std::cout
        << "no formula of the whole program: its best block sizes at these sizes, by trying; --memory or "
           "--device names another memory\n";
    for (const TriedMemory& one : tried) {
        std::cout << bytes_text(one.bytes) << " (" << one.of << "), ";
        print_best_blocks(one.best, one.bytes);
    }
    return kFine;
}

int optimum_command(const OptimumArguments& arguments) {
    const Request asked = request(arguments);
    const napkin::Optimum optimum = find_optimum(asked.program, asked.options);
    if (!optimum.has_law() && asked.memory == 0) return numbers_alone(optimum, asked, arguments);
    std::optional<napkin::BestBlocks> best;
    if (asked.memory > 0)
        best =
            napkin::search_blocks(asked.program, {asked.memory, arguments.multiple, LoadPlacement::Hoisted});
    if (arguments.json) {
        Json json = optimum_json(optimum, asked, arguments);
        if (asked.memory > 0) json["search"] = best_blocks_json(best);
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    std::cout << asked.state << " of " << harmless_name(display_name(arguments.file)) << '\n';
    if (!asked.chosen_by.empty()) std::cout << asked.chosen_by << '\n';
    for (const LaunchOptimum& launch : optimum.launches) print_launch(launch, asked);
    print_law(optimum, asked);
    if (asked.memory > 0) print_best_blocks(best, asked.memory);
    return kFine;
}

std::vector<Option> optimum_options(OptimumArguments& arguments) {
    Option sizes = set_option(arguments.sizes);
    sizes.help = "another size, with another block size if you like; a dimension in one block is not split";
    const std::vector<Option> more = {
        sizes,
        same_option(arguments.same),
        {.names = "--memory",
         .argument = "BYTES",
         .help = "the local memory of a processor in bytes: numbers too, and a search for block sizes",
         .to = &arguments.memory,
         .check = above_zero()},
        device_option(arguments.device,
                      "a device that `devices` lists, or a description's file: its local memory is the "
                      "limit (unless --memory says another), and H* is given for each of its levels"),
        {.names = "--multiple",
         .argument = "N",
         .help = "search only block sizes that are multiples of this",
         .to = &arguments.multiple,
         .check = above_zero()},
        json_option(arguments.json)};
    return joined(state_options(arguments.state), more);
}

}  // namespace

Command optimum_row() {
    const auto arguments = std::make_shared<OptimumArguments>();
    return {.name = "optimum",
            .summary = "derive the best tile sizes and the least traffic as formulas",
            .options = joined({file_option(arguments->file)}, optimum_options(*arguments)),
            .notes =
                "The memory limit is written M, or Mem if a dimension has that name.\n"
                "Examples:\n"
                "  blockscope-cli optimum samples/matmul.bp\n"
                "  blockscope-cli optimum samples/attention.bp --same D=L --memory 232448 --multiple 16",
            .run = [arguments](const Invocation&) { return optimum_command(*arguments); }};
}

}  // namespace blockscope::cli
