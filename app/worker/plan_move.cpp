#include "app/worker/plan_move.h"

#include <algorithm>
#include <utility>

namespace blockscope::worker {

namespace {

using plan::Kernel;

bool holds(const Kernel& kernel, int node) {
    return std::binary_search(kernel.begin(), kernel.end(), node);
}

// The weakly connected parts of some nodes.
std::vector<Kernel> parts_of(const plan::Dag& dag, Kernel nodes) {
    std::vector<Kernel> parts;
    while (!nodes.empty()) {
        Kernel part{nodes.front()};
        nodes.erase(nodes.begin());
        for (std::size_t i = 0; i < part.size(); ++i)
            for (const auto* edges : {&dag.before, &dag.after})
                for (const int next : (*edges)[static_cast<std::size_t>(part[i])])
                    if (const auto found = std::find(nodes.begin(), nodes.end(), next);
                        found != nodes.end()) {
                        part.push_back(next);
                        nodes.erase(found);
                    }
        std::sort(part.begin(), part.end());
        parts.push_back(std::move(part));
    }
    return parts;
}

std::vector<Kernel> moved(const plan::Dag& dag, const plan::Plan& plan, int node, int other) {
    std::vector<Kernel> kernels;
    for (Kernel kernel : plan.kernels) {
        if (other >= 0 && holds(kernel, other)) {
            if (!holds(kernel, node))
                kernel.insert(std::lower_bound(kernel.begin(), kernel.end(), node), node);
            kernels.push_back(std::move(kernel));
        } else if (holds(kernel, node)) {
            std::erase(kernel, node);
            for (Kernel& part : parts_of(dag, std::move(kernel))) kernels.push_back(std::move(part));
        } else {
            kernels.push_back(std::move(kernel));
        }
    }
    if (other < 0) kernels.push_back({node});
    return kernels;
}

}  // namespace

MovedPlan move_operator(KernelCosts& costs, const plan::Plan& plan, int node, int other) {
    const plan::Decisions all{.kernels = moved(costs.graph(), plan, node, other), .apart = {}};
    if (const auto problem = plan::problem_with(costs.graph(), all, costs.graph().names))
        return {{}, *problem};
    for (const Kernel& kernel : all.kernels) {
        costs.refine(kernel);
        if (const KernelCost& cost = costs.of(kernel); cost.seconds == plan::kNever)
            return {{}, cost.why_not};
    }
    return {plan::decided_plan(costs.problem(), all, *plan::find_way("each")), {}};
}

}  // namespace blockscope::worker
