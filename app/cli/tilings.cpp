// blockscope-cli tilings: MCFuser's space of tilings of a chain of products, what prunes it, what ranks it
// and what is measured of it.
#include "app/cli/tilings.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/cost.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "core/tilings/blocked_run.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

Rules rules_of(const TilingsArguments& arguments) {
    return {.same = arguments.same == "subtiling" ? SameBlock::SubTiling : SameBlock::GridOrder,
            .padding = arguments.padding == "5%" ? Padding::Five : Padding::Exact,
            .tiles = arguments.shared == "ABD" ? SharedTiles::Loaded : SharedTiles::All,
            .flat = !arguments.deep};
}

template <class T>
T checked(Result<T> result) {
    if (!result) throw BadInput(result.problems());
    return std::move(result).value();
}

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

TilingsResult ranked(const std::string& name, const ArrayProgram& program, const TilingsArguments& arguments,
                     const Rules& rules) {
    const auto start = std::chrono::steady_clock::now();
    const Device device = chosen_device(arguments.device);
    Chain chain = chain_for(program, device);
    const TargetDevice target = checked(target_device(device, chain.elem));
    TilingsResult result{.name = name,
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

// ---- Measuring.

constexpr std::string_view kTable = "table:";

Measurer measurer_of(const TilingsArguments& arguments, const Space& space) {
    if (arguments.measure == "cpu")
        return [&space, &arguments](const Candidate& candidate) {
            return std::optional<double>(measured_seconds(space.chain,
                                                          space.judged(candidate).expression.roots,
                                                          candidate.tiles, {.threads = arguments.threads}));
        };
    auto table = std::make_shared<MeasuredTable>(read_measured(arguments.measure.substr(kTable.size())));
    return [table, &space](const Candidate& candidate) {
        const auto row = table->find(to_string(space, candidate));
        return row == table->end() ? std::optional<double>() : row->second;
    };
}

void measure(TilingsResult& result, const TilingsArguments& arguments) {
    Progress progress("measured candidates");
    const Measurer measure_one = measurer_of(arguments, result.space);
    int count = 0;
    const int total = arguments.exhaustive ? static_cast<int>(result.space.candidates.size()) : 0;
    const Measurer counted = [&](const Candidate& candidate) {
        progress.at(++count, total);
        return measure_one(candidate);
    };
    if (arguments.exhaustive)
        for (int i = 0; i < total; ++i)
            result.measured[i] = counted(result.space.candidates[static_cast<std::size_t>(i)]);
    if (arguments.search) {
        SearchOptions options = arguments.options;
        options.counts = result.counts;
        std::map<std::pair<int, std::vector<std::int64_t>>, int> numbers;
        if (arguments.exhaustive)
            for (int i = 0; i < total; ++i) {
                const Candidate& candidate = result.space.candidates[static_cast<std::size_t>(i)];
                numbers[{candidate.expression, candidate.tiles}] = i;
            }
        result.search = Searcher(result.space, result.counts).run(options, [&](const Candidate& candidate) {
            const auto known = numbers.find({candidate.expression, candidate.tiles});
            return known == numbers.end() ? counted(candidate) : result.measured.at(known->second);
        });
        for (const auto& [candidate, seconds] : result.search->known) result.measured[candidate] = seconds;
    }
    std::vector<double> estimates;
    std::vector<double> seconds;
    for (const auto& [candidate, measured] : result.measured)
        if (measured) {
            estimates.push_back(result.estimates[static_cast<std::size_t>(candidate)]);
            seconds.push_back(*measured);
        }
    if (seconds.size() > 1) result.ranking = compare_ranking(estimates, seconds);
}

// ---- Programs.

std::pair<std::string, ArrayProgram> program_of(const TilingsArguments& arguments) {
    if (arguments.file.empty() == arguments.workload.empty())
        throw UsageError("tilings takes FILE or --workload NAME");
    if (!arguments.workload.empty()) {
        const Workload* workload = find_workload(arguments.workload);
        if (!workload)
            throw UsageError("there is no workload '" + arguments.workload +
                             "'; there are G1 to G12, S1 to S9 and all");
        return {workload->name, workload_program(*workload)};
    }
    Loaded loaded = load_program(arguments.file);
    if (!loaded.array)
        throw UsageError(loaded.name + " holds a block program; tilings are made of array programs");
    return {loaded.name, std::move(*loaded.array)};
}

double best_of(const TilingsResult& result) {
    if (result.order.empty()) return std::numeric_limits<double>::infinity();
    return result.estimates[static_cast<std::size_t>(result.order.front())];
}

// One product alone, with the sizes of a workload.
double product_alone(const Workload& of, int rows, int cols, int depth, const TilingsArguments& arguments) {
    const std::string text = "batch Z = " + std::to_string(of.batch) + "\ndim M = " + std::to_string(rows) +
                             "\ndim N = " + std::to_string(cols) + "\ndim K = " + std::to_string(depth) +
                             "\ninput A[Z,M,K], B[Z,K,N] : f16\noutput C = A @ B\n";
    const ArrayProgram program = checked(parse_program(text, of.name));
    TilingsArguments plain = arguments;
    plain.one.clear();
    return best_of(ranked(of.name, program, plain, rules_of(arguments)));
}

std::vector<WorkloadRow> all_workloads(const TilingsArguments& arguments) {
    std::vector<WorkloadRow> rows;
    Progress progress("workloads");
    for (const Workload& workload : workloads()) {
        progress.at(static_cast<int>(rows.size()) + 1, static_cast<int>(workloads().size()));
        const ArrayProgram program = workload_program(workload);
        Rules deep = rules_of(arguments);
        deep.flat = false;
        WorkloadRow row{.workload = workload,
                        .result = ranked(workload.name, program, arguments, rules_of(arguments))};
        row.fused = best_of(row.result);
        row.deep = best_of(ranked(workload.name, program, arguments, deep));
        row.unfused = product_alone(workload, workload.m, workload.n, workload.k, arguments) +
                      product_alone(workload, workload.m, workload.h, workload.n, arguments);
        rows.push_back(std::move(row));
    }
    return rows;
}

int say(const std::string& text, Json json, const TilingsArguments& arguments) {
    hand_out(text, arguments.output, arguments.json ? std::optional<Json>(std::move(json)) : std::nullopt);
    return kFine;
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
    return kFine;
}

// Options that would change nothing are refused.
void check_measuring(const TilingsArguments& arguments) {
    const bool measures = arguments.search || arguments.exhaustive;
    if (measures && arguments.measure.empty())
        throw UsageError(
            "--search and --exhaustive measure candidates: say --measure cpu or --measure table:FILE");
    if (!arguments.measure.empty() && arguments.measure != "cpu" && arguments.measure.rfind(kTable, 0) != 0)
        throw UsageError("--measure is cpu or table:FILE");
    if (!measures && !arguments.measure.empty())
        throw UsageError("--measure says how, and --search or --exhaustive which candidates");
    if (!measures && !arguments.save.empty())
        throw UsageError("--save writes what --search or --exhaustive measures");
    if (measures && arguments.workload == "all")
        throw UsageError("one workload is measured at a time: name it instead of all");
    if (measures && !arguments.candidate.empty())
        throw UsageError("--candidate explains, and measures nothing");
}

}  // namespace

int run_command(const TilingsArguments& arguments) {
    check_measuring(arguments);
    const bool measures = arguments.search || arguments.exhaustive;
    if (arguments.workload == "all") {
        const std::vector<WorkloadRow> rows = all_workloads(arguments);
        if (arguments.plot == "fig8") return say(speedup_plot(rows), envelope("tilings"), arguments);
        if (!arguments.plot.empty()) throw UsageError("--plot of all workloads is fig8");
        if (arguments.json)
            std::cout << to_text(workloads_json(rows)) << '\n';
        else
            print_workloads(rows);
        return kFine;
    }
    const auto [name, program] = program_of(arguments);
    TilingsResult result = ranked(name, program, arguments, rules_of(arguments));
    if (!arguments.candidate.empty()) return explain_candidate(result, arguments);
    if (arguments.json || arguments.expressions) result.states = matched_states(result.space);
    if (measures) measure(result, arguments);
    if (!arguments.save.empty()) write_file(arguments.save, measured_text(result.space, result.measured));
    if (arguments.plot == "fig8") throw UsageError("--plot fig8 is of --workload all");
    if (arguments.plot == "fig11") return say(predicted_plot(result), envelope("tilings"), arguments);
    if (arguments.json)
        std::cout << to_text(tilings_json(result)) << '\n';
    else
        print_tilings(result, arguments);
    return kFine;
}

MeasuredTable read_measured(const std::string& file) {
    MeasuredTable table;
    std::istringstream lines(read_file(file));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos || line.front() == '#') continue;
        const std::size_t colon = line.rfind(": ");
        std::istringstream value(colon == std::string::npos ? std::string() : line.substr(colon + 2));
        double seconds = 0;
        if (colon != std::string::npos && line.substr(colon + 2, 4) == "null") {
            table[line.substr(0, colon)] = std::nullopt;
            continue;
        }
        if (colon == std::string::npos || !(value >> seconds) || !(seconds > 0) || !std::isfinite(seconds))
            throw BadInput({{{.file = display_name(file), .line = number, .column = 1, .pointer = {}},
                             Text("expected a candidate, a colon and its seconds or null: "
                                  "mhnk m=32 n=64 k=16 h=16: 1.2e-05")}});
        table[line.substr(0, colon)] = seconds;
    }
    return table;
}

std::string measured_text(const Space& space, const std::map<int, std::optional<double>>& measured) {
    std::ostringstream text;
    text.precision(6);
    for (const auto& [index, seconds] : measured) {
        text << to_string(space, space.candidates[static_cast<std::size_t>(index)]) << ": ";
        if (seconds)
            text << *seconds << '\n';
        else
            text << "null\n";
    }
    return text.str();
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
              .help = "instead of a file, a workload of the paper: G1 to G12, S1 to S9, or all",
              .to = &to.workload},
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
             {.names = "--exhaustive", .help = "measure every candidate", .to = &to.exhaustive},
             {.names = "--measure",
              .argument = "HOW",
              .help = "cpu: run candidates on this machine's processor; table:FILE: look their times up",
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
              .help = "write what was measured as a table for --measure",
              .to = &to.save,
              .completion = Completion::Files},
             {.names = "--plot",
              .argument = "FIGURE",
              .help = "write a figure of the paper as SVG: fig8 (of all workloads) or fig11 (of what was "
                      "measured)",
              .to = &to.plot,
              .choices = {"fig8", "fig11"}},
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
