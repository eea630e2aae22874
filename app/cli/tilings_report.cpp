// What `tilings` found, as text and as JSON.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <set>

#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "core/cost/models/model.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

std::string rounded(double value, const char* format) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

namespace {

const std::string& loop_name(const Space& space, int loop) {
    return space.chain.loops[static_cast<std::size_t>(loop)].name;
}

std::string stage_text(const TilingsResult& result, const Expression& expression, Stage stage) {
    return to_string(place(result.space.chain, expression.roots, stage, result.ones), result.space.chain);
}

// "26 · 32 · 16 · 4 · 4".
std::string derivation(const Space& space) {
    std::string text = std::to_string(space.expressions.size());
    for (const std::vector<TileSize>& sizes : space.sizes) text += " · " + std::to_string(sizes.size());
    return text;
}

// "57.4%"; "99.96%" where one digit would say that nothing is left.
std::string dropped_text(std::int64_t before, std::int64_t left) {
    if (before == 0) return rounded(0, "%.1f%%");
    const double percent = 100 * (1 - static_cast<double>(left) / static_cast<double>(before));
    const bool all = left > 0 && rounded(percent, "%.1f") == "100.0";
    return all ? rounded(std::min(percent, 99.99), "%.2f%%") : rounded(percent, "%.1f%%");
}

// The paper has one example: its figures are those of two products.
void print_funnel(const TilingsResult& result, const Style& style) {
    const Space& space = result.space;
    const bool alike = space.chain.products.size() == 2;
    std::vector<Row> rows{{"rule", "left", "dropped"}};
    if (alike) rows.front().push_back("paper");
    for (std::size_t i = 0; i < space.funnel.size(); ++i) {
        const FunnelStep& step = space.funnel[i];
        const std::int64_t before = i == 0 ? step.left : space.funnel[i - 1].left;
        rows.push_back({step.rule, in_groups(step.left), i == 0 ? "" : dropped_text(before, step.left)});
        if (alike) rows.back().push_back(paper_says(i));
    }
    std::cout << "\nWhole space: " << derivation(space) << " = " << in_groups(space.funnel.front().left)
              << "\n\n";
    print_table(rows, Align::Right, style);
    if (alike)
        std::cout
            << "paper: with M = N = 1,024 and K = H = 512, in f16 on an A100. There we count 99.96% for rule "
               "3 and 57.4% for\nrule 4, or 38.9% with loaded tiles only; it says that some 10⁴ are left, we "
               "count 2,253.\n";
    for (std::size_t loop = 0; loop < space.sizes.size(); ++loop)
        if (std::any_of(space.sizes[loop].begin(), space.sizes[loop].end(),
                        [](const TileSize& size) { return size.fallback; }))
            std::cout << "No tile of " << space.chain.loops[loop].name
                      << " pads less than 5%: those with the least padding stay.\n";
}

// "step 5, proven" of the expressions that are a state of the fusion algorithm's run; "built, proven" of
// those that are not.
std::string state_text(const TilingsResult& result, std::size_t expression) {
    if (expression >= result.states.size()) return "";
    if (!result.states[expression]) {
        const BuiltProgram& built = *result.built[expression];
        if (!built.why_not.empty()) return "none: " + built.why_not.str();
        return std::string("built, ") + (built.proven ? "proven" : "differs");
    }
    const MatchedState& state = *result.states[expression];
    return "step " + std::to_string(state.step) + (state.same_order ? "" : ", grid turned") +
           (state.proven ? ", proven" : ", differs");
}

// What the fusion algorithm lacks for the expressions that it does not make, each reason once.
void print_missing(const TilingsResult& result) {
    std::map<std::string, std::string> expressions;
    for (std::size_t i = 0; i < result.built.size(); ++i) {
        if (!result.built[i] || result.built[i]->missing.empty()) continue;
        std::string& names = expressions[result.built[i]->missing.str()];
        names += (names.empty() ? "" : ", ") +
                 to_string(result.space.expressions[i].expression.roots, result.space.chain);
    }
    for (const auto& [missing, names] : expressions)
        std::cout << "\nNo state of the fusion algorithm is " << names << ": " << missing << ".\n";
}

void print_expressions(const TilingsResult& result, bool all, const Style& style) {
    std::vector<Row> rows{{"expression", "kind", "default", "hoisted", "reduced", "rule", "state"}};
    for (std::size_t i = 0; i < result.space.expressions.size(); ++i) {
        const JudgedExpression& judged = result.space.expressions[i];
        if (!all && !judged.kept()) continue;
        std::string rule;
        if (judged.same_as >= 0)
            rule =
                "1: as " +
                to_string(result.space.expressions[static_cast<std::size_t>(judged.same_as)].expression.roots,
                          result.space.chain);
        if (!judged.kept_partial.empty()) rule = "2: partial " + judged.kept_partial;
        rows.push_back({to_string(judged.expression.roots, result.space.chain),
                        judged.expression.flat ? "flat" : "deep",
                        stage_text(result, judged.expression, Stage::Default),
                        stage_text(result, judged.expression, Stage::Hoisted),
                        stage_text(result, judged.expression, Stage::Reduced), rule, state_text(result, i)});
    }
    std::cout << '\n';
    print_table(filled_columns(rows), Align::Left, style);
    print_missing(result);
}

void print_candidates(const TilingsResult& result, int top, const Style& style) {
    std::vector<Row> rows{
        {"candidate", "bytes", "operations", "alpha", "shared", "estimate", "our model", "measured"}};
    for (std::size_t i = 0; i < result.order.size() && static_cast<int>(i) < top; ++i) {
        const int index = result.order[i];
        const Candidate& candidate = result.space.candidates[static_cast<std::size_t>(index)];
        const Estimate made = estimate(result.space, candidate, result.counts);
        const auto measured = result.measured.find(index);
        std::string seconds;
        if (measured != result.measured.end())
            seconds = measured->second ? seconds_text(*measured->second) : "cannot run";
        rows.push_back({to_string(result.space, candidate), bytes_text(static_cast<std::int64_t>(made.bytes)),
                        count_text(static_cast<std::int64_t>(made.flops)), rounded(made.alpha),
                        bytes_text(candidate.shared), seconds_text(made.seconds),
                        result.own.empty() ? "" : seconds_text(result.own[static_cast<std::size_t>(index)]),
                        seconds});
    }
    std::cout << "\nThe best by estimate, of " << in_groups(static_cast<std::int64_t>(result.order.size()))
              << ":\n\n";
    print_table(filled_columns(rows), Align::Right, style);
}

void print_search(const TilingsResult& result, const Style& style) {
    const Search& search = *result.search;
    std::vector<Row> rows{{"round", "measured", "anew", "best", "seconds", "difference"}};
    for (std::size_t i = 0; i < search.rounds.size(); ++i) {
        const SearchRound& round = search.rounds[i];
        const auto anew = std::count_if(round.measured.begin(), round.measured.end(),
                                        [](const MeasuredOne& one) { return one.anew; });
        rows.push_back({std::to_string(i + 1), std::to_string(round.measured.size()), std::to_string(anew),
                        round.best ? to_string(result.space,
                                               result.space.candidates[static_cast<std::size_t>(*round.best)])
                                   : "-",
                        round.best ? seconds_text(round.best_seconds) : "-",
                        i == 0 || !round.best ? "-" : rounded(round.difference * 100, "%.2f%%")});
    }
    std::cout << "\nAlgorithm 1, seed " << search.options.seed << ":\n\n";
    print_table(rows, Align::Left, style);
    std::cout << "It ended after " << search.measurements()
              << " measurements: " << why_ended(search.end).str() << ".\n";
    if (!search.best) return;
    const auto line = [&](const char* what, int candidate, double seconds) {
        std::cout << what
                  << to_string(result.space, result.space.candidates[static_cast<std::size_t>(candidate)])
                  << ", " << seconds_text(seconds) << '\n';
    };
    line("best ever seen:             ", *search.best, search.best_seconds);
    line("as the printed algorithm:   ", *search.returned, search.returned_seconds);
}

std::string ranking_text(const Ranking& ranking) {
    std::string text = "Pearson " + rounded(ranking.pearson) + ", Spearman " + rounded(ranking.spearman) +
                       "; the fastest has rank " + std::to_string(ranking.best_rank) + ". Regret";
    for (std::size_t i = 0; i < ranking.tops.size(); ++i)
        text += (i == 0 ? " of the top " : ", ") + std::to_string(ranking.tops[i]) + ": " +
                rounded(ranking.regret[i] * 100, "%.1f%%");
    return text + ".\n";
}

void print_ranking(const TilingsResult& result) {
    std::cout << "\nEstimates against " << result.ranking->count
              << " measured: " << ranking_text(*result.ranking);
    if (result.own_ranking) std::cout << "Blockscope's own model: " << ranking_text(*result.own_ranking);
}

Json rules_json(const Rules& rules) {
    return json::Object{{"same", rules.same == SameBlock::GridOrder ? "gridorder" : "subtiling"},
                        {"padding", rules.padding == Padding::Exact ? "exact" : "5%"},
                        {"shared", rules.tiles == SharedTiles::All ? "ABCDE" : "ABD"},
                        {"flat", rules.flat}};
}

Json tiles_json(const Space& space, const Candidate& candidate) {
    Json json = json::Object{};
    for (int loop = 0; loop < space.chain.loop_count(); ++loop)
        json[loop_name(space, loop)] = candidate.tiles[static_cast<std::size_t>(loop)];
    return json;
}

}  // namespace

Json candidate_json(const TilingsResult& result, const Candidate& candidate) {
    const Space& space = result.space;
    const Verdict verdict = judge(space, candidate);
    const Estimate made = estimate(space, candidate, result.counts);
    Json json =
        json::Object{{"expression", to_string(space.judged(candidate).expression.roots, space.chain)}};
    json["tiles"] = tiles_json(space, candidate);
    json["bytes"] = made.bytes;
    json["flops"] = made.flops;
    json["alpha"] = made.alpha;
    json["seconds"] = made.seconds;
    json["shared"] = candidate.shared;
    json["dropped_by"] = verdict.rule == 0 ? Json() : Json(verdict.rule);
    if (verdict.rule != 0) json["why"] = verdict.why.str();
    return json;
}

namespace {

// What rule 4 drops, of the expressions that are kept.
constexpr std::size_t kMostDropped = 20'000;
void add_dropped(const TilingsResult& result, Json& list) {
    const Space& space = result.space;
    if (static_cast<std::size_t>(space.funnel[3].left) > kMostDropped) return;
    std::set<std::pair<int, std::vector<std::int64_t>>> kept;
    for (const Candidate& candidate : space.candidates) kept.insert({candidate.expression, candidate.tiles});
    for (std::size_t i = 0; i < space.expressions.size(); ++i) {
        if (!space.expressions[i].kept()) continue;
        std::vector<std::vector<std::int64_t>> all{{}};
        for (const std::vector<TileSize>& sizes : space.sizes) {
            std::vector<std::vector<std::int64_t>> longer;
            for (const std::vector<std::int64_t>& tiles : all)
                for (const TileSize& size : sizes)
                    if (size.kept) {
                        longer.push_back(tiles);
                        longer.back().push_back(size.size);
                    }
            all = std::move(longer);
        }
        for (const std::vector<std::int64_t>& tiles : all)
            if (kept.count({static_cast<int>(i), tiles}) == 0)
                list.push_back(
                    candidate_json(result, {.expression = static_cast<int>(i),
                                            .tiles = tiles,
                                            .shared = shared_bytes(space.chain, tiles, SharedTiles::All)}));
    }
}

Json built_json(const TilingsResult& result, std::size_t index) {
    if (index >= result.built.size() || !result.built[index]) return {};
    const BuiltProgram& built = *result.built[index];
    if (!built.why_not.empty()) return json::Object{{"why_not", built.why_not.str()}};
    return json::Object{
        {"proven", built.proven}, {"missing", built.missing.str()}, {"listing", built.listing}};
}

Json expression_json(const TilingsResult& result, std::size_t index) {
    const JudgedExpression& judged = result.space.expressions[index];
    const bool partial = !judged.kept_partial.empty();
    Json json = json::Object{{"text", to_string(judged.expression.roots, result.space.chain)},
                             {"default", stage_text(result, judged.expression, Stage::Default)},
                             {"hoisted", stage_text(result, judged.expression, Stage::Hoisted)},
                             {"reduced", stage_text(result, judged.expression, Stage::Reduced)},
                             {"flat", judged.expression.flat}};
    json["dropped_by"] = judged.same_as >= 0 ? Json(1) : partial ? Json(2) : Json();
    const bool known = index < result.states.size() && result.states[index];
    json["state"] = known ? Json(json::Object{{"step", result.states[index]->step},
                                              {"same_order", result.states[index]->same_order},
                                              {"proven", result.states[index]->proven},
                                              {"listing", result.states[index]->listing}})
                          : Json();
    json["built"] = built_json(result, index);
    return json;
}

Json search_json(const TilingsResult& result) {
    const Search& search = *result.search;
    const auto name = [&](int candidate) {
        return to_string(result.space, result.space.candidates[static_cast<std::size_t>(candidate)]);
    };
    Json json = json::Object{{"seed", static_cast<std::int64_t>(search.options.seed)},
                             {"population", search.options.population},
                             {"top", search.options.top},
                             {"epsilon", search.options.epsilon},
                             {"measurements", search.measurements()},
                             {"ended", why_ended(search.end).str()}};
    if (search.best) {
        json["best"] = json::Object{{"candidate", name(*search.best)}, {"seconds", search.best_seconds}};
        json["returned"] =
            json::Object{{"candidate", name(*search.returned)}, {"seconds", search.returned_seconds}};
    }
    json["rounds"] = json::Array{};
    for (const SearchRound& round : search.rounds) {
        Json row = json::Object{};
        row["population"] = json::Array{};
        for (const int one : round.population) row["population"].push_back(name(one));
        row["measured"] = json::Array{};
        for (const MeasuredOne& one : round.measured)
            row["measured"].push_back(json::Object{{"candidate", name(one.candidate)},
                                                   {"estimate", one.estimate},
                                                   {"seconds", one.seconds ? Json(*one.seconds) : Json()},
                                                   {"anew", one.anew}});
        row["mutations"] = json::Array{};
        for (const Mutation& mutation : round.mutations)
            row["mutations"].push_back(json::Object{
                {"parent", name(mutation.parent)},
                {"child", name(mutation.child)},
                {"loop", mutation.loop < 0 ? Json() : Json(loop_name(result.space, mutation.loop))}});
        json["rounds"].push_back(row);
    }
    return json;
}

}  // namespace

Json funnel_json(const Space& space) {
    Json json = json::Array{};
    for (const FunnelStep& step : space.funnel)
        json.push_back(json::Object{{"rule", step.rule}, {"left", step.left}});
    return json;
}

Json ranking_json(const Ranking& ranking) {
    Json json = json::Object{{"count", ranking.count},
                             {"pearson", ranking.pearson},
                             {"spearman", ranking.spearman},
                             {"best_rank", ranking.best_rank}};
    json["regret"] = json::Array{};
    for (std::size_t i = 0; i < ranking.tops.size(); ++i)
        json["regret"].push_back(json::Object{{"top", ranking.tops[i]}, {"regret", ranking.regret[i]}});
    return json;
}

// Points and how well both models rank them.
Json predicted_json(const TilingsResult& result) {
    Json json = envelope("tilings");
    json["figure"] = "fig11";
    json["file"] = result.name;
    json["points"] = json::Array{};
    for (const auto& [index, seconds] : result.measured)
        if (seconds)
            json["points"].push_back(json::Object{
                {"candidate",
                 to_string(result.space, result.space.candidates[static_cast<std::size_t>(index)])},
                {"estimate", result.estimates[static_cast<std::size_t>(index)]},
                {"own_estimate", result.own[static_cast<std::size_t>(index)]},
                {"seconds", *seconds}});
    json["ranking"] = result.ranking ? ranking_json(*result.ranking) : Json();
    json["own_ranking"] = result.own_ranking ? ranking_json(*result.own_ranking) : Json();
    json["measured_on"] = result.machine ? *result.machine : Json();
    return json;
}

void print_tilings(const TilingsResult& result, const TilingsArguments& arguments) {
    const Style style = style_for(1);
    const Space& space = result.space;
    std::cout << harmless_name(result.name) << " on " << space.device.title << ": " << space.device.processors
              << " processors, " << rate_text(space.device.bandwidth, "B") << ", "
              << rate_text(space.device.peak, "FLOP") << ", " << bytes_text(space.device.shared)
              << " for a thread block\n";
    for (const Product& product : space.chain.products)
        std::cout << "  " << product.name << '[' << loop_name(space, product.row) << ','
                  << loop_name(space, product.col) << "] sums over " << loop_name(space, product.depth)
                  << (product.softmax ? ", its left operand is a softmax" : "") << '\n';
    std::cout << "  ";
    for (const Loop& loop : space.chain.loops) std::cout << loop.name << " = " << loop.size << "  ";
    std::cout << "batch " << space.chain.batch << '\n';
    const auto flat = std::count_if(space.expressions.begin(), space.expressions.end(),
                                    [](const JudgedExpression& one) { return one.expression.flat; });
    std::cout << "  " << space.expressions.size()
              << " expressions: " << space.expressions.size() - static_cast<std::size_t>(flat) << " deep, "
              << flat << " flat\n";
    print_funnel(result, style);
    print_expressions(result, arguments.expressions, style);
    print_candidates(result, arguments.top, style);
    if (result.search) print_search(result, style);
    if (result.known > 0)
        std::cout << "\n" << result.known << " of the times were in " << arguments.save << " already.\n";
    for (const std::string& note : result.notes) std::cout << note << '\n';
    if (result.ranking) print_ranking(result);
    if (result.comparison) print_comparison(result);
}

Json estimate_json(const Estimate& made) {
    Json json = json::Object{{"bytes", made.bytes},    {"flops", made.flops},   {"blocks", made.blocks},
                             {"alpha", made.alpha},    {"memory", made.memory}, {"compute", made.compute},
                             {"seconds", made.seconds}};
    json["statements"] = json::Array{};
    for (const StatementCost& row : made.statements)
        json["statements"].push_back(json::Object{{"statement", row.text},
                                                  {"tile", row.tile},
                                                  {"runs", row.trips},
                                                  {"bytes", row.bytes},
                                                  {"flops", row.flops}});
    return json;
}

Json tilings_json(const TilingsResult& result) {
    const Space& space = result.space;
    Json json = envelope("tilings");
    json["file"] = result.name;
    json["device"] = json::Object{{"title", space.device.title},
                                  {"processors", space.device.processors},
                                  {"bandwidth", space.device.bandwidth},
                                  {"peak", space.device.peak},
                                  {"shared", space.device.shared}};
    json["rules"] = rules_json(space.rules);
    json["counts"] = result.counts == TripCounts::Block ? "block" : "paper";
    json["loops"] = json::Array{};
    for (std::size_t loop = 0; loop < space.sizes.size(); ++loop) {
        Json row =
            json::Object{{"name", space.chain.loops[loop].name}, {"size", space.chain.loops[loop].size}};
        row["tiles"] = json::Array{};
        for (const TileSize& size : space.sizes[loop])
            row["tiles"].push_back(
                json::Object{{"size", size.size}, {"padding", size.padding}, {"kept", size.kept}});
        json["loops"].push_back(row);
    }
    json["one"] = json::Array{};
    for (const int loop : result.ones) json["one"].push_back(loop_name(space, loop));
    json["expressions"] = json::Array{};
    for (std::size_t i = 0; i < space.expressions.size(); ++i)
        json["expressions"].push_back(expression_json(result, i));
    json["funnel"] = funnel_json(space);
    json["candidates"] = json::Array{};
    for (const int index : result.order) {
        Json row = candidate_json(result, space.candidates[static_cast<std::size_t>(index)]);
        if (!result.own.empty()) row["own_seconds"] = result.own[static_cast<std::size_t>(index)];
        json["candidates"].push_back(std::move(row));
    }
    add_dropped(result, json["candidates"]);
    if (!result.measured.empty()) {
        json["measured"] = json::Array{};
        for (const auto& [index, seconds] : result.measured)
            json["measured"].push_back(json::Object{
                {"candidate", to_string(space, space.candidates[static_cast<std::size_t>(index)])},
                {"seconds", seconds ? Json(*seconds) : Json()}});
    }
    if (result.machine) json["measured_on"] = *result.machine;
    if (result.search) json["search"] = search_json(result);
    if (result.ranking) json["ranking"] = ranking_json(*result.ranking);
    if (result.own_ranking) json["own_ranking"] = ranking_json(*result.own_ranking);
    if (result.comparison) json["comparison"] = comparison_json(result);
    json["notes"] = json::Array{};
    for (const std::string& note : result.notes) json["notes"].push_back(note);
    return json;
}

}  // namespace blockscope::tilings
