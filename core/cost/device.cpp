#include "core/cost/device.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/support/result.h"

namespace blockscope {

namespace {

const PeakRate* find_rate(const Device& device, Unit unit, ElemType elem) {
    const auto found = std::find_if(device.rates.begin(), device.rates.end(), [&](const PeakRate& rate) {
        return rate.unit == unit && rate.elem == elem;
    });
    return found == device.rates.end() ? nullptr : &*found;
}

// The types whose rate stands for that of `elem`, best first.
std::vector<ElemType> stand_ins(ElemType elem) {
    switch (elem) {
        case ElemType::F32:
            return {ElemType::F32};
        case ElemType::F16:
            return {ElemType::F16, ElemType::BF16, ElemType::F32};
        case ElemType::BF16:
            return {ElemType::BF16, ElemType::F16, ElemType::F32};
        case ElemType::E4M3:
            return {ElemType::E4M3, ElemType::E5M2, ElemType::BF16, ElemType::F16, ElemType::F32};
        case ElemType::E5M2:
            return {ElemType::E5M2, ElemType::E4M3, ElemType::BF16, ElemType::F16, ElemType::F32};
    }
    throw InternalError("unknown element type");
}

const DeviceFigure* clock_of(const Device& device, const PeakRate& rate) {
    if (rate.peak.known()) return nullptr;
    const bool matrix =
        rate.unit == Unit::Matrix && rate.elem != ElemType::F32 && device.matrix_clock.known();
    return matrix ? &device.matrix_clock : &device.clock;
}

// Processors that share one instance of a level.
double sharers(const Device& device, const MemoryLevel& level) {
    switch (level.per) {
        case Share::Device:
            return device.processors.value;
        case Share::Group:
            return device.group.known() ? device.group.value : device.processors.value;
        case Share::Processor:
            return 1;
    }
    throw InternalError("unknown share");
}

class Figures {
public:
    void add(const std::string& name, const DeviceFigure& figure) {
        if (figure.known()) list.push_back({name, &figure});
    }
    std::vector<NamedFigure> list;
};

void add_levels(Figures& figures, const Device& device) {
    for (std::size_t i = 0; i < device.memory.size(); ++i) {
        const MemoryLevel& level = device.memory[i];
        const std::string at = "memory/" + std::to_string(i) + "/";
        figures.add(at + "capacity", level.capacity);
        figures.add(at + "block_capacity", level.block_capacity);
        figures.add(at + "bandwidth", level.bandwidth);
        figures.add(at + "processor_bandwidth", level.processor_bandwidth);
    }
}

void add_lists(Figures& figures, const Device& device) {
    for (std::size_t i = 0; i < device.rates.size(); ++i) {
        figures.add("rates/" + std::to_string(i) + "/per_clock", device.rates[i].per_clock);
        figures.add("rates/" + std::to_string(i) + "/peak", device.rates[i].peak);
    }
    for (std::size_t i = 0; i < device.matmul.size(); ++i)
        figures.add("matmul/" + std::to_string(i) + "/rate", device.matmul[i].rate);
    for (std::size_t i = 0; i < device.parameters.size(); ++i)
        figures.add("parameters/" + std::to_string(i) + "/figure", device.parameters[i].figure);
}

}  // namespace

const MemoryLevel& global_memory(const Device& device) {
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Memory) return level;
    throw InternalError("device " + device.name + " has no global memory");
}

const MemoryLevel* first_level(const Device& device, LevelRole role) {
    for (const MemoryLevel& level : device.memory)
        if (level.role == role) return &level;
    return nullptr;
}

const MemoryLevel* local_level(const Device& device) {
    if (device.kind == DeviceKind::Gpu) return first_level(device, LevelRole::Shared);
    const MemoryLevel* found = nullptr;
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache && level.per == Share::Processor) found = &level;
    return found ? found : first_level(device, LevelRole::Cache);
}

double local_capacity(const MemoryLevel& level) {
    // Of the 256 registers of each of 256 threads those that compute have 240 where others copy for them, and
    // compilers need 24 beside sums (gpu/codegen, find_large_sums).
    constexpr double kForSums = (240.0 - 24.0) / 256.0;
    if (level.role == LevelRole::Registers) return kForSums * level.capacity.value;
    return level.block_capacity.known() ? level.block_capacity.value : level.capacity.value;
}

RateParts rate_parts(const Device& device, Unit unit, ElemType elem) {
    for (const ElemType type : stand_ins(elem))
        if (const PeakRate* rate = find_rate(device, unit, type)) return {rate, clock_of(device, *rate)};
    // Special functions are listed for one type only.
    for (const PeakRate& rate : device.rates)
        if (unit == Unit::Special && rate.unit == unit) return {&rate, clock_of(device, rate)};
    return {};
}

double device_rate(const Device& device, Unit unit, ElemType elem) {
    const RateParts parts = rate_parts(device, unit, elem);
    if (!parts.rate) return 0;
    if (!parts.clock) return parts.rate->peak.value;
    return parts.rate->per_clock.value * device.processors.value * parts.clock->value;
}

double rate_per_clock(const Device& device, Unit unit, ElemType elem) {
    const RateParts parts = rate_parts(device, unit, elem);
    return parts.rate && parts.rate->per_clock.known() ? parts.rate->per_clock.value : 0;
}

double processor_rate(const Device& device, Unit unit, ElemType elem) {
    return device_rate(device, unit, elem) / device.processors.value;
}

double instances_of(const Device& device, const MemoryLevel& level, double processors) {
    return std::ceil(processors / sharers(device, level));
}

double bandwidth_for(const Device& device, const MemoryLevel& level, double processors) {
    const double all = level.bandwidth.value * instances_of(device, level, processors);
    if (!level.processor_bandwidth.known()) return all;
    return std::min(all, level.processor_bandwidth.value * processors);
}

double capacity_for(const Device& device, const MemoryLevel& level, double processors) {
    return level.capacity.value * instances_of(device, level, processors) / processors;
}

double parameter(const Device& device, const std::string& name, double otherwise) {
    for (const Parameter& parameter : device.parameters)
        if (parameter.name == name) return parameter.figure.value;
    return otherwise;
}

std::vector<NamedFigure> known_figures(const Device& device) {
    Figures figures;
    figures.add("processors", device.processors);
    figures.add("group", device.group);
    figures.add("clock", device.clock);
    figures.add("base_clock", device.base_clock);
    figures.add("matrix_clock", device.matrix_clock);
    figures.add("vector_bits", device.vector_bits);
    figures.add("line", device.line);
    figures.add("transaction", device.transaction);
    figures.add("launch", device.launch);
    figures.add("task", device.task);
    add_levels(figures, device);
    figures.add("limits/threads_per_warp", device.limits.threads_per_warp);
    figures.add("limits/threads_per_block", device.limits.threads_per_block);
    figures.add("limits/threads_per_processor", device.limits.threads_per_processor);
    figures.add("limits/blocks_per_processor", device.limits.blocks_per_processor);
    figures.add("limits/registers_per_thread", device.limits.registers_per_thread);
    add_lists(figures, device);
    return std::move(figures.list);
}

const Source* source_of(const Device& device, const DeviceFigure& figure) {
    for (const Source& source : device.sources)
        if (source.id == figure.source) return &source;
    return nullptr;
}

namespace {

constexpr double kReadScatter = 1.05;
constexpr double kProductScatter = 1.15;

std::string giga(double value, const char* unit) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g G%s/s", value / 1e9, unit);
    return text;
}

// What one core reads of it.
double one_core(const MemoryLevel& level) {
    return level.processor_bandwidth.known() ? level.processor_bandwidth.value : level.bandwidth.value;
}

void check_levels(const Device& device, std::vector<Text>& found) {
    const MemoryLevel* before = nullptr;
    for (const MemoryLevel& level : device.memory) {
        if (!level.bandwidth.known()) continue;
        if (before && one_core(level) > kReadScatter * one_core(*before))
            found.push_back(Text("One core reads %1 at %2, faster than %3 at %4.", level.name,
                                 giga(one_core(level), "B"), before->name, giga(one_core(*before), "B")));
        before = &level;
    }
}

void check_products(const Device& device, std::vector<Text>& found) {
    std::vector<const MatmulPoint*> squares;
    for (const MatmulPoint& point : device.matmul)
        if (point.rows == point.cols && point.cols == point.depth) squares.push_back(&point);
    std::sort(squares.begin(), squares.end(),
              [](const MatmulPoint* a, const MatmulPoint* b) { return a->rows < b->rows; });
    for (std::size_t i = 1; i < squares.size(); ++i) {
        const MatmulPoint& small = *squares[i - 1];
        const MatmulPoint& large = *squares[i];
        if (kProductScatter * large.rate.value >= small.rate.value) continue;
        found.push_back(Text("Products of blocks of %1 run at %2, slower than those of %3 at %4.", large.rows,
                             giga(large.rate.value, "FLOP"), small.rows, giga(small.rate.value, "FLOP")));
    }
}

}  // namespace

std::vector<Text> contradictions(const Device& device) {
    std::vector<Text> found;
    if (device.kind != DeviceKind::Cpu) return found;
    check_levels(device, found);
    check_products(device, found);
    return found;
}

}  // namespace blockscope
