#include "app/cli/optimum_levels.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/quantity.h"
#include "core/cost/models/model.h"

namespace blockscope::cli {

namespace {

std::string count_of(double number) {
    return count_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

double cost_of(const napkin::PowerLaw& law, const napkin::TransferLevel& level) {
    return level.weight * transfers(law, level.memory);
}

std::vector<napkin::TransferLevel> plain(const std::vector<DeviceLevel>& levels) {
    std::vector<napkin::TransferLevel> result;
    for (const DeviceLevel& level : levels) result.push_back(level.level);
    return result;
}

}  // namespace

std::int64_t local_bytes(const Device& device) {
    const MemoryLevel* level = local_level(device);
    if (!level || local_capacity(*level) <= 0)
        throw UsageError("the description of " + device.name + " says nothing of local memory; use --memory");
    return static_cast<std::int64_t>(local_capacity(*level));
}

std::vector<DeviceLevel> device_levels(const Device& device, double bytes_per_value) {
    std::vector<DeviceLevel> levels;
    const MemoryLevel* local = local_level(device);
    if (!local) return levels;
    const double processors = device.processors.value;
    const auto last = &device.memory.back();
    for (const MemoryLevel* level = local; level < last; ++level) {
        const MemoryLevel& behind = level[1];
        const double bandwidth = bandwidth_for(device, behind, processors);
        if (bandwidth <= 0) continue;
        const napkin::TransferLevel own =
            napkin::quantised(level->name, bandwidth, local_capacity(*level), bytes_per_value);
        // What caches for others holds what they hold together, or what it has room for.
        if (levels.empty()) {
            levels.push_back({own, behind.name});
            continue;
        }
        napkin::TransferLevel cache =
            napkin::caching_level(level->name, own.weight, levels.front().level, processors);
        cache.memory = std::min(cache.memory, own.memory);
        levels.push_back({cache, behind.name});
    }
    return levels;
}

void print_levels(const std::vector<DeviceLevel>& levels, const napkin::PowerLaw& law, const Device& device) {
    std::cout << "on " << device.title << ":\n";
    for (const DeviceLevel& each : levels)
        std::cout << "  into " << each.level.name << " from " << each.from << ", with "
                  << count_of(each.level.memory)
                  << " values: H* = " << count_of(transfers(law, each.level.memory)) << " values, "
                  << seconds_text(cost_of(law, each.level)) << '\n';
    std::cout << "  sum of all levels: " << seconds_text(total_cost(law, plain(levels))) << '\n';
}

Json levels_json(const std::vector<DeviceLevel>& levels, const napkin::PowerLaw& law) {
    Json list = Json::array();
    for (const DeviceLevel& each : levels)
        list.push_back({{"name", each.level.name},
                        {"from", each.from},
                        {"values", each.level.memory},
                        {"seconds_per_value", each.level.weight},
                        {"least_values", transfers(law, each.level.memory)},
                        {"seconds", cost_of(law, each.level)}});
    return {{"levels", list}, {"seconds", total_cost(law, plain(levels))}};
}

}  // namespace blockscope::cli
