#include "app/worker/program_benefit.h"

#include <algorithm>
#include <cmath>

#include "core/plan/legality.h"

namespace blockscope::worker {

namespace {

plan::OperatorTime operator_time(const std::string& name, const GroupCost& cost) {
    const auto sum = [&cost](std::initializer_list<const char*> terms) {
        double seconds = 0;
        for (const char* term : terms) seconds += seconds_of(cost.terms, term);
        return seconds;
    };
    return {.name = name,
            .compute = sum({"matrix", "vector", "special"}),
            .memory = std::max(sum({"memory", "moves"}), sum({"L2"})),
            .launch = sum({"launch"})};
}

}  // namespace

plan::NamedGraph named_graph(GroupCosts& costs) {
    std::vector<std::int64_t> bytes;
    for (int node = 0; node < costs.graph().nodes(); ++node)
        bytes.push_back(std::llround(costs.of({node}).local_bytes));
    return plan::named_graph(costs.whole(), costs.graph(), bytes);
}

plan::LegalityOptions legality_on(GroupCosts& costs) {
    plan::LegalityOptions options;
    if (const MemoryLevel* local = local_level(costs.device()))
        options.local_bytes = std::llround(local_capacity(*local));
    options.misfit = [&costs](int a, int b) -> std::optional<Text> {
        const plan::FusionGroup both{a, b};
        if (!plan::is_candidate(costs.graph(), both) || costs.is_unknown(a) || costs.is_unknown(b))
            return std::nullopt;
        const GroupCost& cost = costs.of(both);
        return cost.no_room ? std::optional(cost.why_not) : std::nullopt;
    };
    return options;
}

ProgramBenefit benefit_of(GroupCosts& costs, const plan::FusionGroup& operators) {
    ProgramBenefit result;
    // As kernels of plans are searched, so that one kernel has one figure wherever it stands.
    for (const int node : operators) {
        costs.refine({node});
        const GroupCost& cost = costs.of({node});
        result.separate += cost.seconds;
        result.question.operators.push_back(
            operator_time(costs.graph().names[static_cast<std::size_t>(node)], cost));
    }
    result.guide = plan::benefit(result.question);
    if (plan::is_candidate(costs.graph(), operators)) {
        costs.refine(operators);
        const GroupCost& cost = costs.of(operators);
        result.launches = cost.launches;
        result.state = cost.state;
        result.together = cost.seconds;
        result.why_not = cost.why_not;
    } else {
        result.why_not =
            Text("they fall into parts that do not read each other, or a path leaves them and comes back");
    }
    const plan::NamedGraph graph = named_graph(costs);
    const plan::LegalityOptions options = legality_on(costs);
    for (const int from : operators)
        for (const int to : costs.graph().after[static_cast<std::size_t>(from)]) {
            if (!std::binary_search(operators.begin(), operators.end(), to)) continue;
            result.edges.push_back({.from = from,
                                    .to = to,
                                    .rules = plan::violated_rules(graph, from, to, options),
                                    .checks = plan::failed_checks(graph, from, to, options),
                                    .warnings = plan::warnings(graph, from, to)});
        }
    return result;
}

}  // namespace blockscope::worker
