// `tilings --workload all`, or several: a table of estimates, of what the searches of each measured or of all
// candidates measured, and the figures that are of all workloads.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <optional>
#include <sstream>

#include "app/cli/cost.h"
#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "core/cost/models/model.h"
#include "core/tilings/candidate_work.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

double best_estimate_of(const TilingsResult& result) {
    if (result.order.empty()) return std::numeric_limits<double>::infinity();
    return result.estimates[static_cast<std::size_t>(result.order.front())];
}

// One product alone, with the sizes of a workload.
double product_alone(const Workload& of, const ArrayProgram& product, const TilingsArguments& arguments) {
    TilingsArguments plain = arguments;
    plain.one.clear();
    return best_estimate_of(ranked(of.name, product, plain, rules_of(arguments)));
}

MeasuredWorkload measured_workload(const TilingsResult& all, const TilingsResult& nested,
                                   const TilingsArguments& arguments) {
    MeasuredWorkload row;
    const auto searched = [&](const TilingsResult& result, double& took) {
        const auto start = std::chrono::steady_clock::now();
        Search search = measured_search(result, arguments);
        took =
            result.seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return search;
    };
    const Search whole = searched(all, row.tuning);
    const Search deep = searched(nested, row.deep_tuning);
    row.measurements = whole.measurements();
    row.fused = std::min(whole.best_seconds, deep.best_seconds);  // a deep one is one of all
    row.deep = deep.best_seconds;
    worker::OwnSearch own{.measured = 4, .threads = arguments.threads};
    const ArrayProgram& program = all.space.chain.program;
    row.unfused = *checked(worker::own_best(program, all.device, true, own)).measured;
    row.own = std::min(row.unfused, *checked(worker::own_best(program, all.device, false, own)).measured);
    return row;
}

std::vector<Workload> chosen_workloads(const std::string& names) {
    if (names == "all") return workloads();
    std::vector<Workload> chosen;
    std::istringstream words(names);
    for (std::string name; std::getline(words, name, ',');) chosen.push_back(workload_named(name));
    return chosen;
}

void measure_all_of(TilingsResult& result, const TilingsArguments& arguments, const std::string& title) {
    result.processors = own_processors(arguments, result.device);
    result.own = own_seconds(result.space, result.space.candidates, result.device, result.processors);
    measure(result, arguments, title);
}

std::vector<WorkloadRow> table_of_workloads(const TilingsArguments& arguments) {
    std::vector<WorkloadRow> rows;
    const std::vector<Workload> chosen = chosen_workloads(arguments.workload);
    std::optional<Progress> progress;  // where each workload has none of its own
    if (!arguments.exhaustive) progress.emplace("workloads");
    for (const Workload& workload : chosen) {
        if (progress) progress->at(static_cast<int>(rows.size()) + 1, static_cast<int>(chosen.size()));
        const ArrayProgram program = workload_program(workload);
        Rules deep = rules_of(arguments);
        deep.flat = false;
        WorkloadRow row{.workload = workload,
                        .result = ranked(workload.name, program, arguments, rules_of(arguments))};
        row.fused = best_estimate_of(row.result);
        const TilingsResult nested = ranked(workload.name, program, arguments, deep);
        row.deep = best_estimate_of(nested);
        const Space& space = row.result.space;
        row.unfused = product_alone(workload, first_product(workload), arguments) +
                      product_alone(workload, second_product(workload), arguments) +
                      softmax_seconds(workload, space.chain.elem, space.device.bandwidth);
        if (arguments.search) row.measured = measured_workload(row.result, nested, arguments);
        if (arguments.exhaustive)
            measure_all_of(row.result, arguments,
                           workload.name + ", " + std::to_string(rows.size() + 1) + " of " +
                               std::to_string(chosen.size()) + ": measured candidates");
        rows.push_back(std::move(row));
    }
    return rows;
}

Json measured_json(const WorkloadRow& row) {
    if (!row.measured) return {};
    return json::Object{{"best_seconds", row.measured->fused},
                        {"deep_seconds", row.measured->deep},
                        {"unfused_seconds", row.measured->unfused},
                        {"own_seconds", row.measured->own},
                        {"measurements", row.measured->measurements},
                        {"tuning_seconds", row.measured->tuning},
                        {"deep_tuning_seconds", row.measured->deep_tuning}};
}

void print_measured(const std::vector<WorkloadRow>& rows, const Style& style) {
    std::vector<Row> table{{"workload", "best candidate", "deep only", "our best state",
                            "operator by operator", "speed-up", "of ours", "measurements", "search took"}};
    for (const WorkloadRow& row : rows) {
        const MeasuredWorkload& of = *row.measured;
        table.push_back({row.workload.name, seconds_text(of.fused), seconds_text(of.deep),
                         seconds_text(of.own), seconds_text(of.unfused), rounded(of.unfused / of.fused),
                         rounded(of.unfused / of.own), std::to_string(of.measurements),
                         seconds_text(of.tuning)});
    }
    std::cout << "\nMeasured on this processor:\n\n";
    print_table(table, Align::Right, style);
}

// The candidate of an exhaustive measurement that ran the fastest; -1: none ran.
int fastest_of(const TilingsResult& result) {
    int fastest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [candidate, seconds] : result.measured) {
        if (!seconds || *seconds >= least) continue;
        fastest = candidate;
        least = *seconds;
    }
    return fastest;
}

// "19.0%"; nothing where too little was measured.
std::string regret_text(const std::optional<Ranking>& ranking, std::size_t top) {
    return ranking ? rounded(ranking->regret[top] * 100, "%.1f%%") : "-";
}

// Of all workloads as of one: how well both models rank what was measured.
void print_exhaustive(const std::vector<WorkloadRow>& rows, const Style& style) {
    std::vector<Row> table{{"workload", "candidates", "ran", "best measured", "seconds", "top 1 loses",
                            "top 8", "top 64", "Pearson", "Spearman", "ours: top 1", "top 8", "Spearman"}};
    for (const WorkloadRow& row : rows) {
        const TilingsResult& result = row.result;
        const auto ran = std::count_if(result.measured.begin(), result.measured.end(),
                                       [](const auto& one) { return one.second.has_value(); });
        const int fastest = fastest_of(result);
        Row cells{row.workload.name, in_groups(static_cast<std::int64_t>(result.space.candidates.size())),
                  in_groups(ran), "-", "-"};
        if (fastest >= 0) {
            cells[3] = to_string(result.space, result.space.candidates[static_cast<std::size_t>(fastest)]);
            cells[4] = seconds_text(*result.measured.at(fastest));
        }
        for (const std::size_t top : {0, 1, 2}) cells.push_back(regret_text(result.ranking, top));
        cells.push_back(result.ranking ? rounded(result.ranking->pearson) : "-");
        cells.push_back(result.ranking ? rounded(result.ranking->spearman) : "-");
        for (const std::size_t top : {0, 1}) cells.push_back(regret_text(result.own_ranking, top));
        cells.push_back(result.own_ranking ? rounded(result.own_ranking->spearman) : "-");
        table.push_back(std::move(cells));
    }
    std::cout << "\nEvery candidate measured, against MCFuser's model and ours:\n\n";
    print_table(table, Align::Right, style);
    for (const WorkloadRow& row : rows) {
        if (row.result.known > 0)
            std::cout << row.workload.name << ": " << row.result.known
                      << " of the times were there already.\n";
        for (const std::string& note : row.result.notes)
            std::cout << row.workload.name << ": " << note << '\n';
    }
}

Json exhaustive_json(const TilingsResult& result) {
    const auto ran = std::count_if(result.measured.begin(), result.measured.end(),
                                   [](const auto& one) { return one.second.has_value(); });
    const int fastest = fastest_of(result);
    Json json = json::Object{{"candidates", static_cast<std::int64_t>(result.space.candidates.size())},
                             {"ran", static_cast<std::int64_t>(ran)}};
    json["best"] =
        fastest < 0
            ? Json()
            : Json(json::Object{
                  {"candidate",
                   to_string(result.space, result.space.candidates[static_cast<std::size_t>(fastest)])},
                  {"seconds", *result.measured.at(fastest)}});
    json["ranking"] = result.ranking ? ranking_json(*result.ranking) : Json();
    json["own_ranking"] = result.own_ranking ? ranking_json(*result.own_ranking) : Json();
    json["measured_on"] = result.machine ? *result.machine : Json();
    json["notes"] = json::Array{};
    for (const std::string& note : result.notes) json["notes"].push_back(note);
    return json;
}

Json networks_json(const std::vector<EncoderRow>& networks) {
    Json json = json::Array{};
    for (const EncoderRow& row : networks)
        json.push_back(json::Object{{"name", row.network},
                                    {"layers", row.layers},
                                    {"attention_unfused_seconds", row.unfused},
                                    {"attention_fused_seconds", row.fused},
                                    {"other_seconds", row.rest},
                                    {"speedup", row.speedup()}});
    return json;
}

void print_workloads(const std::vector<WorkloadRow>& rows, bool exhaustive) {
    const Style style = style_for(1);
    std::vector<Row> table{{"workload", "whole space", "rule 1", "rule 2", "rule 3", "rule 4", "best",
                            "estimate", "deep only", "unfused", "speed-up", "took"}};
    for (const WorkloadRow& row : rows) {
        const Space& space = row.result.space;
        Row cells{row.workload.name};
        for (const FunnelStep& step : space.funnel) cells.push_back(in_groups(step.left));
        cells.push_back(
            row.result.order.empty()
                ? "-"
                : to_string(space, space.candidates[static_cast<std::size_t>(row.result.order.front())]));
        cells.insert(cells.end(), {seconds_text(row.fused), seconds_text(row.deep), seconds_text(row.unfused),
                                   rounded(row.unfused / row.fused), seconds_text(row.result.seconds)});
        table.push_back(std::move(cells));
    }
    print_table(table, Align::Right, style);
    if (!rows.empty() && rows.front().measured) print_measured(rows, style);
    if (exhaustive) print_exhaustive(rows, style);
    std::vector<Row> published{{"system", "search space", "exploration", "MCFuser over it, chains",
                                "attention", "on a 3080", "attention", "tunes a chain", "an attention"}};
    const auto shown = [](const std::optional<double>& value, const char* format) {
        return value ? rounded(*value, format) : std::string("-");
    };
    for (const PublishedSystem& system : published_systems())
        published.push_back({system.name, system.search_space, system.exploration,
                             shown(system.gemm_speedup, "%.2fx"), shown(system.attention_speedup, "%.2fx"),
                             shown(system.gemm_3080, "%.2fx"), shown(system.attention_3080, "%.2fx"),
                             shown(system.gemm_seconds, "%.0f s"),
                             shown(system.attention_seconds, "%.0f s")});
    std::cout
        << "\nAs the paper measured on an A100 (averages; bars of single workloads are not in its text):\n\n";
    print_table(published, Align::Left, style);
    std::cout << '\n';
}

Json workloads_json(const std::vector<WorkloadRow>& rows, const std::vector<EncoderRow>& networks) {
    Json json = envelope("tilings");
    json["workloads"] = json::Array{};
    for (const WorkloadRow& row : rows) {
        const Space& space = row.result.space;
        Json one = json::Object{{"name", row.workload.name}, {"network", row.workload.network}};
        one["funnel"] = funnel_json(space);
        one["best"] =
            row.result.order.empty()
                ? Json()
                : candidate_json(row.result,
                                 space.candidates[static_cast<std::size_t>(row.result.order.front())]);
        one["deep_seconds"] = row.deep;
        one["unfused_seconds"] = row.unfused;
        one["took"] = row.result.seconds;
        one["measured"] = measured_json(row);
        if (!row.result.measured.empty()) one["exhaustive"] = exhaustive_json(row.result);
        json["workloads"].push_back(one);
    }
    json["networks"] = networks_json(networks);
    json["published"] = json::Array{};
    const auto value = [](const std::optional<double>& number) { return number ? Json(*number) : Json(); };
    for (const PublishedSystem& system : published_systems())
        json["published"].push_back(json::Object{{"system", system.name},
                                                 {"search_space", system.search_space},
                                                 {"exploration", system.exploration},
                                                 {"gemm_speedup", value(system.gemm_speedup)},
                                                 {"attention_speedup", value(system.attention_speedup)},
                                                 {"gemm_speedup_3080", value(system.gemm_3080)},
                                                 {"attention_speedup_3080", value(system.attention_3080)},
                                                 {"gemm_seconds", value(system.gemm_seconds)},
                                                 {"attention_seconds", value(system.attention_seconds)}});
    return json;
}

// ---- What the figures show, as numbers.

Json figure9_json(const std::vector<EncoderRow>& networks) {
    Json json = envelope("tilings");
    json["figure"] = "fig9";
    json["networks"] = networks_json(networks);
    json["paper_over_relay"] = kPaperOverRelay;
    return json;
}

// A measured one has our own best state, too.
Json figure8_json(const std::vector<WorkloadRow>& rows) {
    Json json = envelope("tilings");
    json["figure"] = "fig8";
    json["measured"] = !rows.empty() && rows.front().measured;
    json["workloads"] = json::Array{};
    for (const WorkloadRow& row : rows) {
        const MeasuredWorkload times = row.measured.value_or(
            MeasuredWorkload{.fused = row.fused, .deep = row.deep, .unfused = row.unfused});
        Json one = json::Object{{"name", row.workload.name},
                                {"unfused_seconds", times.unfused},
                                {"fused_seconds", times.fused},
                                {"deep_seconds", times.deep},
                                {"speedup", times.unfused / times.fused},
                                {"deep_speedup", times.unfused / times.deep}};
        if (row.measured) {
            one["own_seconds"] = times.own;
            one["own_speedup"] = times.unfused / times.own;
        }
        json["workloads"].push_back(std::move(one));
    }
    return json;
}

Json tuning_json(const std::vector<WorkloadRow>& rows) {
    Json json = envelope("tilings");
    json["figure"] = "tuning";
    json["workloads"] = json::Array{};
    for (const WorkloadRow& row : rows)
        json["workloads"].push_back(json::Object{{"name", row.workload.name},
                                                 {"tuning_seconds", row.measured->tuning},
                                                 {"deep_tuning_seconds", row.measured->deep_tuning},
                                                 {"measurements", row.measured->measurements}});
    return json;
}

}  // namespace

int run_workloads(const TilingsArguments& arguments) {
    if (arguments.plot == "fig9") {
        const std::vector<EncoderRow> rows = encoders(arguments);
        return hand_out_figure(encoder_plot(rows), figure9_json(rows), arguments);
    }
    if (arguments.search && chosen_device(arguments.device).kind != DeviceKind::Cpu)
        throw UsageError(
            "what runs on the processor is compared for one: say --device local, or a described one");
    const std::vector<WorkloadRow> rows = table_of_workloads(arguments);
    if (arguments.plot == "fig8") return hand_out_figure(speedup_plot(rows), figure8_json(rows), arguments);
    if (arguments.plot == "tuning") return hand_out_figure(tuning_plot(rows), tuning_json(rows), arguments);
    const std::vector<EncoderRow> networks = encoders(arguments);
    if (arguments.json) {
        std::cout << to_text(workloads_json(rows, networks)) << '\n';
        return kFine;
    }
    print_workloads(rows, arguments.exhaustive);
    print_encoders(networks);
    return kFine;
}

}  // namespace blockscope::tilings
