#include "core/napkin/power_law.h"

#include <cmath>
#include <utility>

namespace blockscope::napkin {

double transfers(const PowerLaw& law, double memory) {
    double sum = 0;
    for (const LawTerm& term : law) sum += term.alpha * std::pow(memory, -term.beta);
    return sum;
}

double total_cost(const PowerLaw& law, const std::vector<TransferLevel>& levels) {
    double sum = 0;
    for (const TransferLevel& level : levels) sum += level.weight * transfers(law, level.memory);
    return sum;
}

TransferLevel quantised(std::string name, double bytes_per_second, double bytes, double q) {
    return {std::move(name), q / bytes_per_second, bytes / q};
}

double quantisation_gain(double beta, double more, double fewer) {
    return std::pow(more / fewer, 1 + beta);
}

TransferLevel caching_level(std::string name, double weight, const TransferLevel& child, double children) {
    return {std::move(name), weight, children * child.memory};
}

bool can_cache(double child_groups, double cache_groups, double children) {
    return child_groups / cache_groups <= children;
}

std::vector<TransferLevel> cross_transfer_levels(const TransferLevel& child, double cross_weight,
                                                 double children) {
    return {{child.name + ", cross", child.weight - cross_weight, children * child.memory},
            {child.name, cross_weight, child.memory}};
}

double cross_transfer_gain(const PowerLaw& law, const TransferLevel& child, double cross_weight,
                           double children) {
    double sum = 0;
    for (const LawTerm& term : law)
        sum += term.alpha * std::pow(child.memory, -term.beta) * (1 - std::pow(children, -term.beta));
    return (child.weight - cross_weight) * sum;
}

}  // namespace blockscope::napkin
