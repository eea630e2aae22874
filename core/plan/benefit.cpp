#include "core/plan/benefit.h"

#include <algorithm>

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

}  // namespace

Result<BenefitQuestion> read_benefit(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    BenefitQuestion question = read(Reader(*document, report));
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
