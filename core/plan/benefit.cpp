#include "core/plan/benefit.h"

#include <algorithm>
#include <cmath>

#include "core/json/reader.h"

namespace blockscope::plan {

namespace {

using json::Reader;

std::optional<double> time(const Reader& member) {
    const auto value = member.number();
    if (value && *value < 0) member.problem(Text("this is below 0"));
    return value;
}

BenefitQuestion read(const Reader& root) {
    BenefitQuestion question;
    if (!root.object({"operators", "fused?"})) return question;
    const Reader operators = root.member("operators");
    if (!operators.array(1, 10'000)) return question;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const Reader one = operators.at(i);
        if (!one.object({"name?", "compute", "memory", "launch"})) continue;
        OperatorTime times;
        if (one.has("name"))
            times.name = one.member("name").plain_text(json::kMaxNameBytes).value_or(std::string());
        times.compute = time(one.member("compute")).value_or(0);
        times.memory = time(one.member("memory")).value_or(0);
        times.launch = time(one.member("launch")).value_or(0);
        question.operators.push_back(std::move(times));
    }
    if (!root.has("fused")) return question;
    const Reader fused = root.member("fused");
    if (!fused.object({"compute?", "memory?", "launch?"})) return question;
    if (fused.has("compute")) question.fused.compute = time(fused.member("compute"));
    if (fused.has("memory")) question.fused.memory = time(fused.member("memory"));
    if (fused.has("launch")) question.fused.launch = time(fused.member("launch"));
    return question;
}

// What is added and divided stays a number.
void check_sums(const Reader& root, const BenefitQuestion& question) {
    const Benefit result = benefit(question);
    const bool given = question.fused.compute || question.fused.memory || question.fused.launch;
    const auto is_number = [](double value) { return std::isfinite(value); };
    if (!is_number(result.unfused) || (!given && !is_number(result.fused)))
        root.member("operators").problem(Text("these times add up to more than a number can say, 1.8e308"));
    else if (!is_number(result.fused))
        root.member("fused").problem(
            Text("with these times the fused kernel takes more than a number can "
                 "say, 1.8e308"));
    else if (!is_number(result.speedup()))
        root.member(given ? "fused" : "operators")
            .problem(Text("unfused is more times as long as fused than a number can say, 1.8e308"));
}

}  // namespace

Result<BenefitQuestion> read_benefit(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    const Reader root(*document, report);
    BenefitQuestion question = read(root);
    if (report.clean()) check_sums(root, question);
    if (!report.clean()) return report.problems();
    return question;
}

Benefit benefit(const BenefitQuestion& question) {
    Benefit result;
    for (const OperatorTime& one : question.operators) {
        result.unfused += one.compute + one.memory + one.launch;
        result.compute += one.compute;
        result.memory = std::max(result.memory, one.memory);
        result.launch = std::max(result.launch, one.launch);
    }
    result.compute = question.fused.compute.value_or(result.compute);
    result.memory = question.fused.memory.value_or(result.memory);
    result.launch = question.fused.launch.value_or(result.launch);
    result.fused = result.compute + result.memory + result.launch;
    return result;
}

}  // namespace blockscope::plan
