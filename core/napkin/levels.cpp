#include "core/napkin/levels.h"

#include <cmath>
#include <optional>
#include <utility>

namespace blockscope::napkin {

double total_cost(const ClippedLaw& law, const std::vector<TransferLevel>& levels) {
    double sum = 0;
    for (const TransferLevel& level : levels) sum += level.weight * transfers(law, level.memory);
    return sum;
}

TransferLevel quantised(std::string name, double bytes_per_second, double bytes, double q) {
    return {std::move(name), q / bytes_per_second, bytes / q};
}

TransferLevel caching_level(std::string name, double weight, const TransferLevel& child, double children) {
    return {std::move(name), weight, children * child.memory};
}

double cross_transfer_gain(const ClippedLaw& law, const TransferLevel& child, double cross_weight,
                           double children) {
    const double less = transfers(law, child.memory) - transfers(law, children * child.memory);
    return (child.weight - cross_weight) * less;
}

}  // namespace blockscope::napkin

namespace blockscope::circuit {

std::vector<napkin::TransferLevel> transfer_levels(const std::vector<ByteLevel>& levels, double bytes) {
    std::vector<napkin::TransferLevel> result;
    for (const ByteLevel& level : levels)
        result.push_back(napkin::quantised(level.name, level.bandwidth, level.memory, bytes));
    return result;
}

namespace {

// Vector registers of a core, which its nearest cache feeds. AVX-512 has 32 of 512 bits, AVX2 and SSE
// have 16.
std::optional<ByteLevel> cpu_registers(const Device& device) {
    if (device.kind != DeviceKind::Cpu || !device.vector_bits.known() ||
        first_level(device, LevelRole::Registers) != nullptr)
        return std::nullopt;
    const MemoryLevel& nearest = device.memory.front();
    if (nearest.role != LevelRole::Cache || nearest.per != Share::Processor || !nearest.bandwidth.known())
        return std::nullopt;
    const double count = device.vector_bits.value >= 512 ? 32 : 16;
    const double cores = device.processors.value;
    return ByteLevel{"registers", count * device.vector_bits.value / 8, nearest.bandwidth.value * cores,
                     cores, nearest.name};
}

}  // namespace

std::vector<ByteLevel> byte_levels(const Device& device) {
    const auto instances = [&](const MemoryLevel& level) {
        if (level.per == Share::Device) return 1.0;
        if (level.per == Share::Processor || !device.group.known()) return device.processors.value;
        return std::ceil(device.processors.value / device.group.value);
    };
    std::vector<ByteLevel> levels;
    for (std::size_t i = device.memory.size() - 1; i-- > 0;) {
        const MemoryLevel& level = device.memory[i];
        const MemoryLevel& feeder = device.memory[i + 1];
        if (!level.capacity.known() || !feeder.bandwidth.known()) continue;
        levels.push_back({.name = level.name,
                          .memory = level.capacity.value,
                          .bandwidth = feeder.bandwidth.value * instances(feeder),
                          .instances = instances(level),
                          .from = feeder.name});
    }
    if (const std::optional<ByteLevel> registers = cpu_registers(device)) levels.push_back(*registers);
    return levels;
}

Formula transfers_per_operation(const PowerLaw& law, const Formula& work, const std::string& memory) {
    return law.formula(memory) * work.to_the(-1);
}

namespace {

// The least x in 1 .. 2^60 with f(x) <= limit, f falling; 0 if there is none.
template <class F>
double least(F f, double limit) {
    double low = 1;
    double high = std::ldexp(1.0, 60);
    if (f(high) > limit) return 0;
    if (f(low) <= limit) return low;
    for (int i = 0; i < 200; ++i) {
        const double middle = std::sqrt(low * high);
        (f(middle) <= limit ? high : low) = middle;
    }
    return high;
}

}  // namespace

double least_memory(const Formula& per_operation, const Values& sizes, double values, double operations,
                    const std::string& symbol) {
    Values at = sizes;
    return least(
        [&](double memory) {
            at[symbol] = memory;
            return per_operation.value(at);
        },
        values / operations);
}

double least_axis(const Formula& per_operation, const std::string& axis, Values sizes, double memory,
                  double values, double operations, const std::string& symbol) {
    sizes[symbol] = memory;
    return least(
        [&](double size) {
            sizes[axis] = size;
            return per_operation.value(sizes);
        },
        values / operations);
}

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
