// blockscope-cli tilings: MCFuser's space of tilings of a chain of products, what prunes it, what ranks it
// and what is measured of it.
#include "app/cli/tilings.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/cost.h"
#include "app/cli/load.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "core/cost/models/baseline.h"
#include "core/tilings/candidate_work.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

// The processor runs everything in f32, whatever the program's type.
Chain chain_for(const ArrayProgram& program, const Device& device) {
    Chain chain = checked(read_chain(program));
    if (device.kind == DeviceKind::Cpu) chain.elem = ElemType::F32;
    return chain;
}

std::vector<int> loops_named(const Chain& chain, const std::string& names) {
    std::vector<int> loops;
    std::istringstream words(names);
    for (std::string name; std::getline(words, name, ',');) {
        const int before = static_cast<int>(loops.size());
        for (int loop = 0; loop < chain.loop_count(); ++loop)
            if (chain.loops[static_cast<std::size_t>(loop)].name == name) loops.push_back(loop);
        if (static_cast<int>(loops.size()) == before)
            throw UsageError("the chain has no loop '" + name + "'");
    }
    if (names.empty()) loops.push_back(chain.products.front().depth);
    return loops;
}

// ---- Programs.

std::pair<std::string, ArrayProgram> program_of(const TilingsArguments& arguments) {
    if (arguments.file.empty() == arguments.workload.empty())
        throw UsageError("tilings takes FILE or --workload NAME");
    if (!arguments.workload.empty() && !arguments.sizes.empty())
        throw UsageError("--set is for FILE; a workload has the paper's sizes");
    if (!arguments.workload.empty()) {
        const Workload& workload = workload_named(arguments.workload);
        return {workload.name, workload_program(workload)};
    }
    Loaded loaded = load_program(arguments.file);
    if (!loaded.array)
        throw UsageError(loaded.name + " holds a block program; tilings are made of array programs");
    return {loaded.name, at_sizes(std::move(*loaded.array), resized(loaded.blocks, arguments.sizes)->dims)};
}

// phi of each product with a candidate's tiles, over the whole depth (section II).
Intensity intensity_of(const Space& space, const Product& product, const Candidate& candidate) {
    const auto tile = [&](int loop) {
        return static_cast<double>(candidate.tiles[static_cast<std::size_t>(loop)]);
    };
    const double depth = static_cast<double>(space.chain.loops[static_cast<std::size_t>(product.depth)].size);
    return intensity(tile(product.row), tile(product.col), depth, space.chain.elem, space.device);
}

void print_intensities(const Space& space, const Candidate& candidate) {
    std::vector<Row> rows{{"product", "phi as printed", "C counted once", "per byte", "P / W", "bound by"}};
    const auto text = [](double value) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.1f", value);
        return std::string(digits);
    };
    for (const Product& product : space.chain.products) {
        const Intensity phi = intensity_of(space, product, candidate);
        rows.push_back({product.name, text(phi.printed), text(phi.once), text(phi.per_byte(phi.once)),
                        text(phi.machine), phi.memory_bound() ? "memory" : "compute"});
    }
    std::cout
        << "\nFLOPs per element of these tiles over the whole depth, as the paper prints the formula and "
           "with C counted once; FLOPs per byte, as P / W is:\n\n";
    print_table(rows, Align::Right, style_for(1));
}

Json intensities_json(const Space& space, const Candidate& candidate) {
    Json json = json::Array{};
    for (const Product& product : space.chain.products) {
        const Intensity phi = intensity_of(space, product, candidate);
        json.push_back(json::Object{{"product", product.name},
                                    {"printed", phi.printed},
                                    {"once", phi.once},
                                    {"per_byte", phi.per_byte(phi.once)},
                                    {"machine", phi.machine},
                                    {"memory_bound_as_printed", phi.memory_bound_as_printed()},
                                    {"memory_bound", phi.memory_bound()}});
    }
    return json;
}

int explain_candidate(const TilingsResult& result, const TilingsArguments& arguments) {
    const Candidate candidate = checked(parse_candidate(result.space, arguments.candidate));
    const Verdict verdict = judge(result.space, candidate);
    const Estimate made = estimate(result.space, candidate, result.counts);
    if (arguments.json) {
        Json json = envelope("tilings");
        json["candidate"] = arguments.candidate;
        json["dropped_by"] = verdict.rule == 0 ? Json() : Json(verdict.rule);
        json["why"] = verdict.why.str();
        add_members(json, estimate_json(made));
        json["phi"] = intensities_json(result.space, candidate);
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    std::cout << arguments.candidate << ": "
              << (verdict.rule == 0
                      ? std::string("kept")
                      : "dropped by rule " + std::to_string(verdict.rule) + ": " + verdict.why.str())
              << "\n\n";
    std::vector<Row> rows{{"statement", "tile", "runs", "bytes", "operations"}};
    for (const StatementCost& row : made.statements)
        rows.push_back({row.text, std::to_string(row.tile), std::to_string(row.trips),
                        row.flops > 0 ? "" : bytes_text(static_cast<std::int64_t>(row.bytes)),
                        row.flops > 0 ? count_text(static_cast<std::int64_t>(row.flops)) : ""});
    print_table(rows, Align::Right, style_for(1));
    std::cout << "\n(" << seconds_text(made.memory) << " memory + " << seconds_text(made.compute)
              << " compute) · " << times_text(made.alpha) << " (" << made.blocks
              << " thread blocks) = " << seconds_text(made.seconds) << "; shared memory "
              << bytes_text(candidate.shared) << '\n';
    print_intensities(result.space, candidate);
    return kFine;
}

bool names_card(const std::string& measure) {
    return measure.size() > 4 && measure.starts_with("cuda") &&
           measure.find_first_not_of("0123456789", 4) == std::string::npos;
}

// Options that would change nothing are refused.
void check_measuring(const TilingsArguments& arguments) {
    const bool measures = arguments.search || arguments.exhaustive;
    const bool all = arguments.several();
    if (measures && arguments.measure.empty())
        throw UsageError(
            "--search and --exhaustive measure candidates: say --measure cpu, cuda0 or table:FILE");
    if (!arguments.measure.empty() && arguments.measure != "cpu" && !names_card(arguments.measure) &&
        !arguments.measure.starts_with(kTable))
        throw UsageError("--measure is cpu, a card (cuda0) or table:FILE");
    if (!measures && !arguments.measure.empty() && !arguments.compare)
        throw UsageError("--measure says how, and --search or --exhaustive which candidates");
    if (!measures && !arguments.save.empty())
        throw UsageError("--save writes what --search or --exhaustive measures");
    const bool searched_alone =
        arguments.search && (arguments.exhaustive || !arguments.save.empty() || arguments.measure != "cpu");
    if (all && (searched_alone || arguments.compare))
        throw UsageError(
            "of several workloads the processor is searched (--search --measure cpu), or every candidate "
            "measured (--exhaustive); name one of them for anything else");
    if (all && arguments.exhaustive && !arguments.plot.empty())
        throw UsageError("--plot of several workloads shows no exhaustive measurements");
    if (measures && !arguments.candidate.empty())
        throw UsageError("--candidate explains, and measures nothing");
    if (arguments.threads > 0 && !arguments.measure.empty() && arguments.measure != "cpu")
        throw UsageError("--threads is for --measure cpu");
    const std::set<std::string> of_all = {"fig8", "fig9", "tuning"};
    if (!arguments.plot.empty() && of_all.count(arguments.plot) > 0 && !all)
        throw UsageError("--plot " + arguments.plot + " is of --workload all or of several");
    if (!arguments.plot.empty() && of_all.count(arguments.plot) == 0 && all)
        throw UsageError("--plot of several workloads is fig8, fig9 or tuning");
}

Json with_shared(const TilingsResult& result, const SharedMemory& shared) {
    Json json = envelope("tilings");
    json["file"] = result.name;
    json["figure"] = "fig10";
    json["shared_memory"] = shared_json(result, shared);
    return json;
}

}  // namespace

Rules rules_of(const TilingsArguments& arguments) {
    return {.same = arguments.same == "subtiling" ? SameBlock::SubTiling : SameBlock::GridOrder,
            .padding = arguments.padding == "5%" ? Padding::Five : Padding::Exact,
            .tiles = arguments.shared == "ABD" ? SharedTiles::Loaded : SharedTiles::All,
            .flat = !arguments.deep};
}

int own_processors(const TilingsArguments& arguments, const Device& device) {
    return arguments.measure == "cpu" && device.kind == DeviceKind::Cpu ? arguments.threads : 0;
}

const Workload& workload_named(const std::string& name) {
    const Workload* workload = find_workload(name);
    if (!workload)
        throw UsageError("there is no workload '" + name +
                         "'; there are G1 to G12, S1 to S9, all, and several with commas between them");
    return *workload;
}

int hand_out_figure(const std::string& text, Json json, const TilingsArguments& arguments) {
    hand_out(text, arguments.output, arguments.json ? std::optional<Json>(std::move(json)) : std::nullopt);
    return kFine;
}

TilingsResult ranked(const std::string& name, const ArrayProgram& program, const TilingsArguments& arguments,
                     const Rules& rules) {
    const auto start = std::chrono::steady_clock::now();
    const Device device = chosen_device(arguments.device);
    Chain chain = chain_for(program, device);
    const TargetDevice target = checked(target_device(device, chain.elem, own_processors(arguments, device)));
    TilingsResult result{.name = name,
                         .device = device,
                         .space = checked(make_space(std::move(chain), target, rules)),
                         .counts = arguments.counts == "paper" ? TripCounts::Paper : TripCounts::Block};
    result.ones = loops_named(result.space.chain, arguments.one);
    result.estimates = estimated_seconds(result.space, result.space.candidates, result.counts);
    result.order.resize(result.estimates.size());
    std::iota(result.order.begin(), result.order.end(), 0);
    std::stable_sort(result.order.begin(), result.order.end(), [&](int a, int b) {
        return result.estimates[static_cast<std::size_t>(a)] < result.estimates[static_cast<std::size_t>(b)];
    });
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

int run_command(const TilingsArguments& arguments) {
    check_measuring(arguments);
    if (arguments.several()) return run_workloads(arguments);
    const auto [name, program] = program_of(arguments);
    TilingsResult result = ranked(name, program, arguments, rules_of(arguments));
    if (!arguments.candidate.empty()) return explain_candidate(result, arguments);
    if (arguments.plot == "fig10") {
        const SharedMemory shared = shared_memory(result, arguments.sample);
        if (arguments.json)
            return hand_out_figure(shared_plot(result, shared), with_shared(result, shared), arguments);
        if (arguments.output.empty()) {
            print_shared(result, shared);
            return kFine;
        }
        const int code = hand_out_figure(shared_plot(result, shared), {}, arguments);
        print_shared(result, shared);
        return code;
    }
    result.processors = own_processors(arguments, result.device);
    result.own = own_seconds(result.space, result.space.candidates, result.device, result.processors);
    if (arguments.json || arguments.expressions) {
        result.states = matched_states(result.space);
        result.built = built_programs(result.space, result.states);
    }
    if (arguments.search || arguments.exhaustive) measure(result, arguments);
    if (arguments.compare) compare_with_own(result, arguments);
    if (arguments.plot == "fig11")
        return hand_out_figure(predicted_plot(result), predicted_json(result), arguments);
    if (arguments.json)
        std::cout << to_text(tilings_json(result)) << '\n';
    else
        print_tilings(result, arguments);
    return kFine;
}

}  // namespace blockscope::tilings

namespace blockscope::cli {

Command tilings_row() {
    const auto arguments = std::make_shared<tilings::TilingsArguments>();
    tilings::TilingsArguments& to = *arguments;
    return {
        .name = "tilings",
        .summary = "show MCFuser's tilings of a chain of products: the space, what prunes it, what ranks it",
        .options =
            {{.names = "FILE",
              .help = "a program: a chain of matrix products",
              .to = &to.file,
              .completion = Completion::Files},
             {.names = "--workload",
              .argument = "NAME",
              .help = "instead of a file, a workload of the paper: G1 to G12, S1 to S9; a table of several "
                      "(G1,S3) or all",
              .to = &to.workload},
             set_option(to.sizes),
             device_option(to.device,
                           "whose shared memory, bandwidth and peak count; a100-pcie-40gb unless given"),
             {.names = "--same",
              .argument = "READING",
              .help = "of rule 1: gridorder or subtiling",
              .to = &to.same,
              .choices = {"gridorder", "subtiling"}},
             {.names = "--padding",
              .argument = "READING",
              .help = "of rule 3: exact (powers of two are not padded) or 5%",
              .to = &to.padding,
              .choices = {"exact", "5%"}},
             {.names = "--shared",
              .argument = "TILES",
              .help = "of rule 4: ABCDE (all tiles) or ABD (loaded ones)",
              .to = &to.shared,
              .choices = {"ABCDE", "ABD"}},
             {.names = "--counts",
              .argument = "READING",
              .help = "how often a statement runs: block or paper",
              .to = &to.counts,
              .choices = {"block", "paper"}},
             {.names = "--deep", .help = "Chimera's space: no flat expressions", .to = &to.deep},
             {.names = "--one",
              .argument = "LOOPS",
              .help =
                  "loops of extent one in the third stage: k,h; the first product's reduction unless given",
              .to = &to.one},
             {.names = "--expressions", .help = "all expressions in all stages", .to = &to.expressions},
             {.names = "--candidate",
              .argument = "TEXT",
              .help = "one candidate, statement by statement, and the rule that drops it",
              .to = &to.candidate},
             {.names = "--top",
              .argument = "N",
              .help = "how many candidates are shown; 8 unless given",
              .to = &to.top,
              .check = whole_between(1, 100000)},
             {.names = "--search", .help = "run Algorithm 1", .to = &to.search},
             {.names = "--exhaustive",
              .help = "measure every candidate, of several workloads each workload's",
              .to = &to.exhaustive},
             {.names = "--measure",
              .argument = "HOW",
              .help = "cpu: run candidates on this machine's processor; cuda0: kernels of them on its card; "
                      "table:FILE: look their times up",
              .to = &to.measure},
             {.names = "--threads",
              .argument = "N",
              .help = "of the processor; all unless given",
              .to = &to.threads,
              .check = whole_between(1, 1024)},
             {.names = "--population",
              .argument = "N",
              .help = "of the search; 256 unless given",
              .to = &to.options.population,
              .check = whole_between(1, 100000)},
             {.names = "--measured",
              .argument = "N",
              .help = "candidates that each round measures; 8 unless given",
              .to = &to.options.top,
              .check = whole_between(1, 100000)},
             {.names = "--epsilon",
              .argument = "SHARE",
              .help = "the search ends when the best moves by less; 0.01 unless given",
              .to = &to.options.epsilon,
              .check = between(0, 1)},
             {.names = "--seed",
              .argument = "N",
              .help = "of the search; 1 unless given",
              .to = &to.options.seed,
              .check = seed_number()},
             {.names = "--save",
              .argument = "FILE",
              .help = "write each time into this table for --measure as it is measured; a file that an "
                      "interrupted run has left is gone on with",
              .to = &to.save,
              .completion = Completion::Files},
             {.names = "--compare",
              .help = "the best candidate beside Blockscope's own best state and block sizes; with --measure "
                      "cpu measured",
              .to = &to.compare},
             {.names = "--plot",
              .argument = "FIGURE",
              .help = "write a figure of the paper as SVG: fig8, fig9 or tuning (of all workloads), fig10 or "
                      "fig11 (of what was measured)",
              .to = &to.plot,
              .choices = {"fig8", "fig9", "fig10", "fig11", "tuning"}},
             {.names = "--sample",
              .argument = "N",
              .help = "of --plot fig10: kernels of so many candidates; 32 unless given",
              .to = &to.sample,
              .check = whole_between(1, 100000)},
             output_option(to.output),
             json_option(to.json)},
        .notes =
            "docs/tilings.md explains all of it.\n\nExamples:\n"
            "  blockscope-cli tilings samples/mcfuser-g1.bp\n"
            "  blockscope-cli tilings --workload G4 --expressions\n"
            "  blockscope-cli tilings samples/mcfuser-g1.bp --candidate \"mhnk m=32 n=64 k=16 h=16\"\n"
            "  blockscope-cli tilings --workload G1 --device local --measure cpu --search",
        .run = [arguments](const Invocation&) { return tilings::run_command(*arguments); }};
}

}  // namespace blockscope::cli
