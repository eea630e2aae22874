#include "core/napkin/configuration.h"

#include <algorithm>

namespace blockscope::napkin {

ConfigurationTotal total(const std::vector<ConfigurationRow>& rows, const std::string& level) {
    ConfigurationTotal sum;
    for (const ConfigurationRow& row : rows)
        if (row.level == level)
            (row.per_group ? sum.per_group : sum.per_block) += row.values * row.bytes * row.copies;
    return sum;
}

std::map<std::string, double> clocks_by_pipeline(const std::vector<Stage>& stages) {
    std::map<std::string, double> clocks;
    for (const Stage& stage : stages) clocks[stage.pipeline] += stage.clocks();
    return clocks;
}

double bound_clocks(const std::vector<Stage>& stages) {
    double most = 0;
    for (const auto& [pipeline, clocks] : clocks_by_pipeline(stages)) most = std::max(most, clocks);
    return most;
}

double least_group(double clocks, double bytes, const ProcessorRates& rates) {
    return rates.clock * bytes * rates.processors / (rates.bandwidth * clocks);
}

double ideal_rate(double operations, double clocks, const ProcessorRates& rates) {
    return operations / clocks * rates.processors * rates.clock;
}

}  // namespace blockscope::napkin
