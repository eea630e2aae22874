#include "app/cli/analyze_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "app/cli/quantity.h"
#include "app/cli/table.h"
#include "core/cost/models/model.h"

namespace blockscope::cli {

namespace {

// "g_M=128, g_N=64"
std::string groups_text(const circuit::LevelPlan& plan) {
    if (!plan.fits) return "nothing fits";
    std::string text;
    for (const auto& [symbol, size] : plan.groups)
        text += (text.empty() ? "" : ", ") + symbol + "=" + std::to_string(size);
    return text.empty() ? "no groups" : text;
}

}  // namespace

std::string count_of(double number) {
    return count_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

std::string bytes_of(double number) {
    return bytes_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

std::string digits(double number, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

void print_heading(const std::string& title, const Style& style) {
    std::cout << '\n' << style(Tone::Bold, title) << '\n';
}

void print_resources(const circuit::Circuit& drawn, const circuit::Resources& resources) {
    const circuit::Values values = sizes(drawn.axes);
    std::cout << "  N_g = " << resources.groups.text() << "\n  H_g = " << resources.per_group.text()
              << "\n  H = " << resources.transferred.text() << " = "
              << count_of(resources.transferred.value(values)) << " values\n";
    for (const circuit::LevelMemory& level : resources.memory) {
        const auto index = static_cast<std::size_t>(level.level);
        const circuit::Formula widest = resources.widest(level.level);
        if (widest.is_zero()) continue;
        std::cout << "  " << circuit::memory_symbol(drawn.axes) << " >= " << widest.text() << " = "
                  << count_of(widest.value(values)) << " values";
        if (index < drawn.levels.size()) std::cout << " of " << drawn.levels[index];
        std::cout << '\n';
    }
}

void print_choices(const circuit::PowerLaw& law, const circuit::Values& sizes, double memory,
                   const std::string& memory_symbol) {
    for (const circuit::GroupChoice& choice : law.choices) {
        const std::string formula = choice.text(memory_symbol);
        const std::string number = digits(choice.value(sizes, memory), "%.4g");
        std::cout << "  at best " << choice.name() << " = " << formula
                  << (formula == number ? "" : " = " + number) << '\n';
    }
}

void print_models(const circuit::LevelModels& models, double bytes, const Style& style) {
    print_heading("Levels (Equation 2), " + circuit::number_text(bytes) + " bytes per value", style);
    std::vector<Row> rows = {{"level", "instances", "memory", "H*", "bandwidth", "time"}};
    for (const circuit::LevelCost& level : models.levels)
        rows.push_back({level.level.name, count_of(level.instances), bytes_of(level.level.memory * bytes),
                        count_of(level.transfers), bytes_of(bytes / level.level.weight) + "/s",
                        seconds_text(level.seconds)});
    print_table(rows, Align::Right, style);
    std::cout << "Σ w_l H*(M_l) = " << seconds_text(models.seconds) << '\n';
    print_heading("Quantisation (Equation 3)", style);
    for (const auto& [q, seconds] : models.quantised)
        std::cout << "  " << q << (q == 1 ? " byte" : " bytes") << " per value: " << seconds_text(seconds)
                  << ", " << digits(models.quantised.front().second / seconds, "%.2f")
                  << " times as fast as 4\n";
    if (!models.caches.empty()) print_heading("Intermediate caches (Section 4.4)", style);
    for (const circuit::CacheCost& cache : models.caches)
        std::cout << "  " << cache.name << ": " << count_of(cache.children) << " children hold "
                  << count_of(cache.together) << " values together, it holds " << count_of(cache.own)
                  << "; as a cache of theirs H* = " << count_of(cache.transfers_cached) << " instead of "
                  << count_of(cache.transfers) << '\n';
    if (models.linked.empty()) return;
    print_heading("Linked instances of " + models.linked + " (Section 4.5), " +
                      (models.link > 0 ? bytes_of(models.link) + "/s between them" : "if links cost nothing"),
                  style);
    for (const circuit::CrossCost& cross : models.cross)
        std::cout << "  " << cross.children << " linked: " << seconds_text(cross.saved) << " less\n";
}

void print_level_plans(const circuit::LevelPlans& plans, double bytes, const Style& style) {
    if (plans.levels.empty()) return;
    print_heading("Levels with groups of their own (Equation 2), powers of two", style);
    std::vector<Row> rows = {{"level", "groups", "held", "of", "moved", "bandwidth", "time"}};
    for (const circuit::LevelPlan& plan : plans.levels)
        rows.push_back({plan.level.name, groups_text(plan), plan.fits ? count_of(plan.memory) : "",
                        count_of(plan.values), plan.fits ? count_of(plan.transferred) : "",
                        bytes_of(plan.level.bandwidth) + "/s", plan.fits ? seconds_text(plan.seconds) : ""});
    print_table(rows, Align::Right, style);
    if (plans.seconds)
        std::cout << "Σ w_l H_l = " << seconds_text(*plans.seconds) << ", " << bytes << " bytes per value\n";
}

}  // namespace blockscope::cli
