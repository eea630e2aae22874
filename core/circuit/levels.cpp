#include "core/circuit/levels.h"

#include <cmath>

namespace blockscope::circuit {

double weighted_transfers(const PowerLaw& law, const Values& sizes, const std::vector<ModelLevel>& levels) {
    double sum = 0;
    for (const ModelLevel& level : levels) sum += level.weight * law.value(sizes, level.memory);
    return sum;
}

std::vector<ModelLevel> quantised(const std::vector<ByteLevel>& levels, double bytes) {
    std::vector<ModelLevel> result;
    for (const ByteLevel& level : levels)
        result.push_back({level.name, level.memory / bytes, bytes / level.bandwidth});
    return result;
}

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
        levels.push_back({level.name, level.capacity.value, feeder.bandwidth.value * instances(feeder)});
    }
    return levels;
}

double quantisation_gain(const Fraction& beta, double from, double to) {
    return std::pow(from / to, 1 + beta.value());
}

ModelLevel intermediate_cache(const ModelLevel& level, const ModelLevel& child, double children) {
    return {level.name, children * child.memory, level.weight};
}

std::vector<ModelLevel> cross_transfer(const ModelLevel& child, double between, double children) {
    return {{child.name + ", linked", children * child.memory, child.weight - between},
            {child.name, child.memory, between}};
}

double cross_transfer_gain(const PowerLaw& law, const Values& sizes, const ModelLevel& child, double between,
                           double children) {
    double sum = 0;
    for (const PowerTerm& term : law.terms) {
        const double beta = term.beta.value();
        sum += term.alpha.value(sizes) * std::pow(child.memory, -beta) * (1 - std::pow(children, -beta));
    }
    return (child.weight - between) * sum;
}

Formula transfers_per_operation(const PowerLaw& law, const Formula& work) {
    return law.formula() * work.to_the(-1);
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

double least_memory(const Formula& per_operation, const Values& sizes, double values, double operations) {
    Values at = sizes;
    return least(
        [&](double memory) {
            at["M"] = memory;
            return per_operation.value(at);
        },
        values / operations);
}

double least_axis(const Formula& per_operation, const std::string& axis, Values sizes, double memory,
                  double values, double operations) {
    sizes["M"] = memory;
    return least(
        [&](double size) {
            sizes[axis] = size;
            return per_operation.value(sizes);
        },
        values / operations);
}

}  // namespace blockscope::circuit
