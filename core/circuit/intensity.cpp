#include "core/circuit/intensity.h"

namespace blockscope::circuit {

namespace {

constexpr double kAnyMemory = 1e30;  // values: no algorithm is bound by so much

}  // namespace

std::vector<LevelIntensity> level_intensities(const Formula& per_operation, const Values& sizes,
                                              const std::vector<ByteLevel>& levels, double bytes,
                                              double operations, const std::string& symbol) {
    std::vector<LevelIntensity> made;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const ByteLevel& level = levels[i];
        const double children = i + 1 < levels.size() ? levels[i + 1].instances / level.instances : 1;
        LevelIntensity one;
        one.level = level.name;
        one.caches = children > 1;
        one.memory = (one.caches ? children * levels[i + 1].memory : level.memory) / bytes;
        one.values_per_second = level.bandwidth / bytes;
        one.least_memory = least_memory(per_operation, sizes, one.values_per_second, operations, symbol);
        for (const std::string& axis : per_operation.symbols()) {
            if (axis == symbol) continue;
            const auto least = [&](double memory) {
                return least_axis(per_operation, axis, sizes, memory, one.values_per_second, operations,
                                  symbol);
            };
            one.axes.push_back({axis, least(kAnyMemory), least(one.memory)});
        }
        made.push_back(std::move(one));
    }
    return made;
}

}  // namespace blockscope::circuit
