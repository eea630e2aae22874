// blockscope-cli optimum: the best tile sizes and the least traffic as formulas, derived from a block
// program.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/cost.h"
#include "app/cli/envelope.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "app/worker/predict.h"
#include "core/cost/counts.h"
#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/loops/loop_program.h"
#include "core/napkin/levels.h"
#include "core/napkin/optimum.h"
#include "core/napkin/study.h"

namespace blockscope::cli {

namespace {

// ---- Block sizes that a search finds for a memory, with what they move and how long that takes.

struct SearchedProgram {
    LoopProgram built;                  // hidden blocks left out, as `cost` counts: what searches count
    std::optional<LoopProgram> masked;  // of a causal mask or a window: with the blocks that it hides
};

struct Searched {
    std::int64_t bytes = 0;                    // of the memory
    std::optional<napkin::BestBlocks> best;    // none fit
    std::optional<napkin::BestBlocks> masked;  // the same, if what a mask hides is loaded, too
    std::string from;                          // the level that feeds the memory; empty: no device
    double seconds = 0;                        // in which it does so
};

// Equation 2 where there is no formula: a search for each level's own block sizes.
struct SearchedLevels {
    struct Level {
        circuit::ByteLevel level;
        Searched found;
    };
    std::vector<Level> levels;      // outermost first
    std::optional<double> seconds;  // none: nothing fits into some level
};

// Null if there is no level of this name.
const circuit::ByteLevel* find_level(const std::vector<circuit::ByteLevel>& levels, const std::string& name) {
    const auto found =
        std::find_if(levels.begin(), levels.end(), [&](const auto& level) { return level.name == name; });
    return found == levels.end() ? nullptr : &*found;
}

// `level` is the one whose memory has these bytes; null for a memory that belongs to no device.
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

std::string rounded_count(double number) {
    return count_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

// Bytes that one thread block (or core) may hold. Throws UsageError if the description does not say.
std::int64_t local_bytes(const Device& device) {
    const MemoryLevel* level = local_level(device);
    if (!level || local_capacity(*level) <= 0)
        throw UsageError("the description of " + device.name + " says nothing of local memory; use --memory");
    return static_cast<std::int64_t>(local_capacity(*level));
}

// H* and seconds of each level, and the sum (equation 2), as `analyze` has them.
void print_levels(const circuit::LevelModels& models, const Device& device) {
    std::cout << "on " << device.title << ":\n";
    for (const circuit::LevelCost& each : models.levels)
        std::cout << "  into " << each.level.name << " from " << each.from << ", with "
                  << rounded_count(each.level.memory) << " values: H* = " << rounded_count(each.transfers)
                  << " values, " << seconds_text(each.seconds) << '\n';
    std::cout << "  sum of all levels: " << seconds_text(models.seconds) << '\n';
}

Json levels_json(const circuit::LevelModels& models) {
    Json list = json::Array{};
    for (const circuit::LevelCost& each : models.levels)
        list.push_back({{"name", each.level.name},
                        {"from", each.from},
                        {"values", each.level.memory},
                        {"seconds_per_value", each.level.weight},
                        {"least_values", each.transfers},
                        {"seconds", each.seconds}});
    return {{"levels", list}, {"seconds", models.seconds}};
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
    LoopProgram program;    // line by line as the block program, which formulas are of
    SearchedProgram searched;
    napkin::OptimumOptions options;
    std::int64_t bytes_per_value = 1;  // of the widest array
    std::int64_t memory = 0;           // bytes; 0: none
    std::optional<Device> device;
    Device numbers_of;  // `device`, else the usual one, as elsewhere: whose memories numbers are for
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
    made.numbers_of = chosen_device(arguments.device.empty() ? usual_device() : arguments.device);
    if (!arguments.device.empty()) made.device = made.numbers_of;
    // The engine of a processor computes in float32, whatever the program declares; `cost` counts so, too.
    const bool processor = made.numbers_of.kind == DeviceKind::Cpu;
    const std::optional<ElemType> stored = processor ? std::optional(ElemType::F32) : std::nullopt;
    const State in_paper = chosen.state.in_form(Form{}.as_in_paper().kept_in(stored));
    const State as_built = chosen.state.in_form(Form{}.kept_in(stored));
    made.program = in_paper.loops();
    made.searched.built = as_built.loops();
    for (const Buffer& buffer : made.program.buffers)
        if (buffer.source == InputSource::CausalMask) made.searched.masked = made.program;
    made.bytes_per_value = widest(made.program);
    for (const std::string& pair : arguments.same) made.options.same.push_back(same_dims(*initial, pair));
    made.memory = arguments.memory == 0 && made.device ? local_bytes(*made.device) : arguments.memory;
    if (made.memory > 0)
        made.options.memory = static_cast<double>(made.memory) / static_cast<double>(made.bytes_per_value);
    return made;
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
    if (launch.built.is_zero()) return;
    std::cout << "  as built, without the blocks that the mask hides:\n"
              << "    H = " << launch.built.quotient_text() << " values\n"
              << "    with these tiles: " << law_text(launch.built_law, dims) << '\n';
}

// H* on the levels of the request's device; none without a law.
std::optional<circuit::LevelModels> models_of(const Request& request) {
    const std::optional<algebra::ClippedLaw> law = napkin::clipped_law(request.program, request.options);
    if (!law || !request.device) return std::nullopt;
    return circuit::level_models(*law, *request.device, static_cast<double>(request.bytes_per_value), 0);
}

void print_law(const napkin::Optimum& optimum, const Request& request) {
    const DimTable& dims = request.program.dims;
    if (!optimum.has_law()) return;
    if (optimum.launches.size() > 1)
        std::cout << "all launches\n  H* = " << law_text(optimum.law, dims) << '\n';
    if (!request.options.memory) return;
    const double moved = transfers(power_law(optimum.law, dims), *request.options.memory);
    std::cout << "with " << rounded_count(*request.options.memory) << " values of memory ("
              << request.bytes_per_value << " bytes each): H* = " << rounded_count(moved) << " values";
    if (!optimum.built_law.empty())
        std::cout << "; as built "
                  << rounded_count(transfers(power_law(optimum.built_law, dims), *request.options.memory))
                  << " values";
    std::cout << '\n';
    if (!request.device) return;
    if (const std::optional<circuit::LevelModels> models = models_of(request))
        print_levels(*models, *request.device);
}

// Into the local memory of the request's device, with the request's limit.
Searched searched_local(const Request& request, std::int64_t multiple) {
    const std::vector<circuit::ByteLevel> levels =
        request.device ? circuit::byte_levels(*request.device) : std::vector<circuit::ByteLevel>{};
    const MemoryLevel* local = request.device ? local_level(*request.device) : nullptr;
    return searched(request.searched, request.memory, multiple,
                    local ? find_level(levels, local->name) : nullptr);
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
    if (launch.built.is_zero()) return json;
    json["built"] = {{"traffic", launch.built.quotient_text()},
                     {"formula", law_text(launch.built_law, dims)},
                     {"law", optimum_law_json(launch.built_law, dims)}};
    return json;
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
    if (!optimum.built_law.empty())
        json["built_values"] = transfers(power_law(optimum.built_law, dims), *request.options.memory);
    if (!request.device) return json;
    const std::optional<circuit::LevelModels> models = models_of(request);
    if (!models) return json;
    json["device"] = levels_json(*models);
    json["device"]["name"] = request.device->name;
    return json;
}

// What there is where a launch has no formula and no memory is given: the best block sizes by trying, for the
// program's sizes, within the local memory of the usual device and within a quarter and four times of it.
struct TriedMemory {
    std::string of;  // "the shared of NVIDIA H100 SXM5 80 GB", "a quarter of that"
    Searched found;
};

std::vector<TriedMemory> tried_memories(const Request& request, std::int64_t multiple) {
    const Device& device = request.numbers_of;
    const std::int64_t local = local_bytes(device);
    const std::vector<circuit::ByteLevel> levels = circuit::byte_levels(device);
    const circuit::ByteLevel* level = find_level(levels, local_level(device)->name);
    return {{local_level(device)->name + " of " + device.title,
             searched(request.searched, local, multiple, level)},
            {"a quarter of that", searched(request.searched, local / 4, multiple, level)},
            {"four times as much", searched(request.searched, local * 4, multiple, level)}};
}

int numbers_alone(const napkin::Optimum& optimum, const Request& request, const OptimumArguments& arguments) {
    const std::vector<TriedMemory> tried = tried_memories(request, arguments.multiple);
    if (arguments.json) {
        Json json = optimum_json(optimum, request, arguments);
        json["searches"] = json::Array{};
        for (const TriedMemory& one : tried)
            json["searches"].push_back({{"memory", {{"bytes", one.found.bytes}, {"of", one.of}}},
                                        {"search", searched_json(one.found)}});
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    std::cout << request.state << " of " << harmless_name(display_name(arguments.file)) << '\n';
    if (!request.chosen_by.empty()) std::cout << request.chosen_by << '\n';
    for (const LaunchOptimum& launch : optimum.launches) print_launch(launch, request);
    std::cout
        << "no formula of the whole program: its best block sizes at these sizes, by trying; --memory or "
           "--device names another memory\n";
    for (const TriedMemory& one : tried) {
        std::cout << bytes_text(one.found.bytes) << " (" << one.of << "), ";
        print_searched(one.found);
    }
    return kFine;
}

int optimum_command(const OptimumArguments& arguments) {
    Request asked = request(arguments);
    if (asked.searched.masked) asked.options.built = &asked.searched.built;
    const napkin::Optimum optimum = find_optimum(asked.program, asked.options);
    if (!optimum.has_law() && asked.memory == 0) return numbers_alone(optimum, asked, arguments);
    std::optional<Searched> local;
    if (asked.memory > 0) local = searched_local(asked, arguments.multiple);
    std::optional<SearchedLevels> levels;
    if (!optimum.has_law() && asked.device)
        levels = searched_levels(asked.searched, *asked.device, arguments.multiple);
    if (arguments.json) {
        Json json = optimum_json(optimum, asked, arguments);
        if (local) json["search"] = searched_json(*local);
        if (levels) json["device"] = searched_levels_json(*levels, *asked.device);
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    std::cout << asked.state << " of " << harmless_name(display_name(arguments.file)) << '\n';
    if (!asked.chosen_by.empty()) std::cout << asked.chosen_by << '\n';
    for (const LaunchOptimum& launch : optimum.launches) print_launch(launch, asked);
    print_law(optimum, asked);
    if (asked.searched.masked)
        std::cout
            << (optimum.built_law.empty()
                    ? "formulas count the blocks that the mask hides, too; a search leaves them out, as "
                      "`cost` does\n"
                    : "H* and seconds count the blocks that the mask hides, too, as the paper does; what "
                      "is built and a search leave them out, as `cost` does\n");
    if (levels) print_searched_levels(*levels, *asked.device);
    if (local) print_searched(*local);
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
