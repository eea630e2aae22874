// blockscope-cli optimum: the best tile sizes and the least traffic as formulas, derived from a block
// program.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/cost_times.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/optimum_levels.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "app/cli/same.h"
#include "app/cli/selection.h"
#include "core/cost/counts.h"
#include "core/napkin/block_search.h"
#include "core/napkin/optimum.h"

namespace blockscope::cli {
namespace {

using napkin::LaunchOptimum;
using napkin::Tile;

// The state and what is asked of it.
struct Request {
    std::string state;  // "step 17", "snapshot 2"
    int step = 0;
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
    Request made;
    made.step = chosen_step(trace, arguments.step, arguments.snapshot);
    made.state = arguments.snapshot ? "snapshot " + std::to_string(*arguments.snapshot)
                                    : "step " + std::to_string(made.step);
    made.program = lower(*trace.state(made.step));
    made.bytes_per_value = widest(made.program);
    for (const std::string& pair : arguments.same) made.options.same.push_back(same_dims(*initial, pair));
    if (!arguments.device.empty()) made.device = chosen_device(arguments.device);
    made.memory = arguments.memory == 0 && made.device ? local_bytes(*made.device) : arguments.memory;
    if (made.memory > 0)
        made.options.memory = static_cast<double>(made.memory) / static_cast<double>(made.bytes_per_value);
    return made;
}

std::string count_of(double number) {
    return count_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

std::string block_name(const Tile& tile, const DimTable& dims) {
    return napkin::name(napkin::block_symbol(tile.dim), dims);
}

// "m = Mem/(D + L) = 227, grouped"
std::string tile_text(const Tile& tile, const Request& request) {
    const DimTable& dims = request.program.dims;
    const Dim& dim = dims[tile.dim.value];
    std::string text = block_name(tile, dims);
    switch (tile.how) {
        case Tile::How::Solved:
            text += " = " + tile.size.quotient_text(dims);
            if (request.options.memory)
                text += " = " + count_of(std::floor(tile.size.value(
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
    return text + ", " + to_string(tile.role) + (tile.reason.empty() ? "" : ": " + tile.reason);
}

void print_launch(const LaunchOptimum& launch, const Request& request) {
    const DimTable& dims = request.program.dims;
    std::cout << "launch " << to_string(launch.node) << ", line " << launch.line + 1 << '\n';
    for (const Tile& tile : launch.tiles) std::cout << "  " << tile_text(tile, request) << '\n';
    std::cout << "  H = " << launch.traffic.text(dims) << " values\n"
              << "  memory >= " << launch.memory.text(dims) << " values, at line " << launch.memory_line + 1;
    if (!launch.dropped.is_zero()) std::cout << "; left out: " << launch.dropped.text(dims);
    std::cout << '\n';
    if (!launch.reason.empty())
        std::cout << "  no formula: " << launch.reason << '\n';
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
    std::cout << "with " << count_of(*request.options.memory) << " values of memory ("
              << request.bytes_per_value << " bytes each): H* = " << count_of(moved) << " values\n";
    if (!request.device) return;
    const auto bytes = static_cast<double>(request.bytes_per_value);
    print_levels(device_levels(*request.device, bytes), power_law(optimum.law, dims), *request.device);
}

std::string blocks_text(const DimTable& dims) {
    std::string text;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            text += (text.empty() ? "" : ", ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                    std::to_string(dim.block);
    return text;
}

void print_search(const std::optional<napkin::BlockChoice>& best, std::int64_t memory) {
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

Json law_json(const std::vector<napkin::LawFormula>& law, const DimTable& dims) {
    const napkin::PowerLaw numbers = power_law(law, dims);
    Json terms = Json::array();
    for (std::size_t i = 0; i < law.size(); ++i)
        terms.push_back({{"alpha", law[i].alpha.law_text(dims)},
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
    if (!tile.reason.empty()) json["reason"] = tile.reason;
    if (tile.how != Tile::How::Solved) return json;
    json["size"] = tile.size.quotient_text(dims);
    if (request.options.memory)
        json["value"] = tile.size.value(napkin::sizes_and_memory(dims, *request.options.memory));
    return json;
}

Json launch_json(const LaunchOptimum& launch, const Request& request) {
    const DimTable& dims = request.program.dims;
    Json json = {{"node", node_json(launch.node)},        {"line", launch.line + 1},
                 {"traffic", launch.traffic.text(dims)},  {"memory", launch.memory.text(dims)},
                 {"left_out", launch.dropped.text(dims)}, {"memory_line", launch.memory_line + 1}};
    json["tiles"] = Json::array();
    for (const Tile& tile : launch.tiles) json["tiles"].push_back(tile_json(tile, request));
    if (!launch.reason.empty()) {
        json["no_formula"] = launch.reason;
        return json;
    }
    json["formula"] = law_text(launch.law, dims);
    json["law"] = law_json(launch.law, dims);
    return json;
}

Json search_json(const std::optional<napkin::BlockChoice>& best) {
    if (!best) return {{"fits", false}};
    Json blocks = Json::object();
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
    json["memory_symbol"] = napkin::name(napkin::kMemory, dims);
    json["bytes_per_value"] = request.bytes_per_value;
    json["launches"] = Json::array();
    for (const LaunchOptimum& launch : optimum.launches)
        json["launches"].push_back(launch_json(launch, request));
    if (optimum.has_law()) {
        json["formula"] = law_text(optimum.law, dims);
        json["law"] = law_json(optimum.law, dims);
    }
    if (!request.options.memory) return json;
    json["memory"] = {{"bytes", request.memory}, {"values", *request.options.memory}};
    if (!optimum.has_law()) return json;
    const napkin::PowerLaw law = power_law(optimum.law, dims);
    json["least_values"] = transfers(law, *request.options.memory);
    if (!request.device) return json;
    json["device"] =
        levels_json(device_levels(*request.device, static_cast<double>(request.bytes_per_value)), law);
    json["device"]["name"] = request.device->name;
    return json;
}

}  // namespace

int optimum_command(const OptimumArguments& arguments) {
    const Request asked = request(arguments);
    const napkin::Optimum optimum = find_optimum(asked.program, asked.options);
    std::optional<napkin::BlockChoice> best;
    if (asked.memory > 0)
        best =
            napkin::search_blocks(asked.program, {asked.memory, arguments.multiple, LoadPlacement::Hoisted});
    if (arguments.json) {
        Json json = optimum_json(optimum, asked, arguments);
        if (asked.memory > 0) json["search"] = search_json(best);
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    std::cout << asked.state << " of " << display_name(arguments.file) << '\n';
    for (const LaunchOptimum& launch : optimum.launches) print_launch(launch, asked);
    print_law(optimum, asked);
    if (asked.memory > 0) print_search(best, asked.memory);
    return kFine;
}

}  // namespace blockscope::cli
