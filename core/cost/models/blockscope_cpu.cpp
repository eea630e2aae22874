// Blockscope's own model for CPUs: block kernels one after another on each core, traffic by cache level from
// the analysis of reuse, tasks in waves over the cores, calls and launches.
#include <algorithm>
#include <cmath>

#include "core/cost/models/models.h"
#include "core/cost/models/resident.h"

namespace blockscope {

namespace {

constexpr double kVectorBytes = 12;  // an elementwise operation reads two numbers and writes one

double distance(const MatmulPoint& point, const MatrixWork& product) {
    return std::abs(std::log2(static_cast<double>(product.rows) / point.rows)) +
           std::abs(std::log2(static_cast<double>(product.cols) / point.cols)) +
           std::abs(std::log2(static_cast<double>(product.depth) / point.depth));
}

// FLOPs per second of a block product on one core: the measured shape that is nearest, else the peak less
// what small blocks lose.
double product_rate(const MatrixWork& product, const Device& device) {
    const MatmulPoint* nearest = nullptr;
    for (const MatmulPoint& point : device.matmul)
        if (point.elem == product.elem &&
            (!nearest || distance(point, product) < distance(*nearest, product)))
            nearest = &point;
    const double efficiency = blockscope_parameter(device, "matmul_efficiency");
    if (nearest) return nearest->rate.value * efficiency;
    const double side = std::cbrt(static_cast<double>(product.rows) * static_cast<double>(product.cols) *
                                  static_cast<double>(product.depth));
    const double reached = side / (side + blockscope_parameter(device, "matmul_half"));
    return processor_rate(device, Unit::Matrix, product.elem) * efficiency * reached;
}

class CpuKernel {
public:
    CpuKernel(const ModelInput& input, const KernelWork& kernel)
        : input_(input), kernel_(kernel), device_(input.device) {
        cores_ = std::max(1.0, std::min(busy_processors(input), kernel.tasks));
    }

    KernelTime run() {
        KernelTime time;
        time.kernel = kernel_.index;
        time.node = kernel_.node;
        time.terms = {{"matrix", matrix()}, {"vector", vector()}, {"special", special()}, {"calls", calls()}};
        std::vector<double> resources(1, 0);
        for (const TimeTerm& term : time.terms) resources[0] += term.seconds;  // one after another
        for (TimeTerm& level : levels()) {
            resources.push_back(level.seconds);
            time.terms.push_back(std::move(level));
        }
        const double busy = overlapped(resources, parameter_of("overlap"));
        const double waves = std::ceil(kernel_.tasks / cores_);
        idle_ = waves * cores_ / kernel_.tasks - 1;
        time.terms.push_back({"idle", busy * idle_});
        time.terms.push_back({"tasks", device_.task.value * waves});
        time.terms.push_back({"launch", device_.launch.value * parameter_of("launch_scale")});
        time.seconds = busy * (1 + idle_) + device_.task.value * waves + time.terms.back().seconds;
        time.binding = largest(time.terms);
        time.sentence = sentence(time);
        return time;
    }

private:
    double parameter_of(const char* name) const { return blockscope_parameter(device_, name); }

    double matrix() const {
        double seconds = 0;
        for (const MatrixWork& product : kernel_.products)
            seconds += product.flops / product_rate(product, device_);
        return seconds / cores_;
    }

    // The cache that holds what is alive in a task.
    const MemoryLevel* working_level() const {
        for (const MemoryLevel& level : device_.memory)
            if (level.role == LevelRole::Cache && level.capacity.value >= kernel_.local_bytes) return &level;
        return nullptr;
    }

    double vector() const {
        const double slots = processor_rate(device_, Unit::Vector, ElemType::F32) / 2;
        double each = 1 / (slots * parameter_of("vector_efficiency"));
        if (const MemoryLevel* level = working_level())
            each = std::max(each, kVectorBytes / (bandwidth_for(device_, *level, cores_) / cores_ *
                                                  parameter_of("cache_efficiency")));
        return kernel_.vector * each / cores_;
    }

    double special() const {
        return kernel_.special /
               (processor_rate(device_, Unit::Special, ElemType::F32) * parameter_of("special_efficiency")) /
               cores_;
    }

    double calls() const {
        const Calls& c = kernel_.calls;
        return (c.matrix + c.vector + c.memory) * parameter_of("call") / cores_;
    }

    // Traffic by level: what passes the level before it, at its bandwidth.
    std::vector<TimeTerm> levels() {
        std::vector<TimeTerm> terms;
        const double share = parameter_of("cache_share");
        Passing through{kernel_.loaded, kernel_.stored};
        for (const MemoryLevel& level : device_.memory) {
            if (level.role != LevelRole::Cache && level.role != LevelRole::Memory) continue;
            const bool memory = level.role == LevelRole::Memory;
            const double efficiency = parameter_of(memory ? "memory_efficiency" : "cache_efficiency");
            const double stores = memory ? parameter_of("write_allocate") : 1;
            const double bytes = through.loaded + stores * through.stored;
            if (!terms.empty() || memory) {  // the first level's is part of the kernels' own rates
                terms.push_back({memory ? "memory" : level.name,
                                 bytes / (bandwidth_for(device_, level, cores_) * efficiency)});
                moved_.push_back(bytes);
            } else {
                terms.push_back({level.name, 0});
                moved_.push_back(0);
            }
            if (!memory) through = past(level, share);
        }
        return terms;
    }

    Passing past(const MemoryLevel& level, double share) const {
        const bool shared = level.per != Share::Processor;
        const double usable =
            share * (shared ? capacity_for(device_, level, cores_) * cores_ : level.capacity.value);
        const double alive = kernel_.local_bytes * (shared ? cores_ : 1);
        const double held = std::max(usable - alive, usable / 4);
        // What a private cache kept for the next kernel is another core's half of the time: only shared ones
        // count.
        const double keeps = shared || cores_ == 1 ? usable : 0;
        return passing(input_.state, kernel_.index, {held, shared ? cores_ : 1}, keeps, input_.setting.warm);
    }

    std::string sentence(const KernelTime& time) const {
        if (kernel_.misc)
            return "It holds a miscellaneous operator, of which only the transfers are counted.";
        const std::string& name = time.terms[static_cast<std::size_t>(time.binding)].name;
        std::string text = name == "matrix"    ? "Block products take longest"
                           : name == "vector"  ? "Elementwise operations and sums take longest"
                           : name == "special" ? "exp and its like take longest"
                           : name == "calls"   ? "Calling kernels on small blocks takes longest"
                           : name == "launch"  ? "Starting and joining the workers takes longest"
                           : name == "tasks"   ? "Handing out tasks takes longest"
                           : name == "idle"    ? "Cores without a task take longest"
                           : name == "memory"
                               ? bytes_text_of(moved_.back()) + " from and to memory take longest"
                               : "Traffic with the " + name + " cache takes longest";
        const double all = busy_processors(input_);
        if (kernel_.tasks < all)
            text += "; " + std::to_string(std::lround(kernel_.tasks)) + " of " +
                    std::to_string(std::lround(all)) + " cores have a task";
        else if (idle_ > 0.1)
            text += "; " + std::to_string(std::lround(kernel_.tasks)) + " tasks do not spread evenly over " +
                    std::to_string(std::lround(all)) + " cores";
        return text + ".";
    }

    const ModelInput& input_;
    const KernelWork& kernel_;
    const Device& device_;
    double cores_ = 1;
    double idle_ = 0;
    std::vector<double> moved_;  // bytes per level
};

// Inputs are brought into the layout of their readers at the start of a run: read once, written once.
KernelTime packing(const ModelInput& input) {
    const Device& device = input.device;
    const double cores = busy_processors(input);
    double bytes = 0;
    double touched = 0;
    for (const BufferInfo& buffer : input.state.buffers) {
        touched += buffer.generated ? 0 : 2 * buffer.bytes;
        if (buffer.kind == Buffer::Kind::Input && !buffer.generated) bytes += buffer.bytes;
    }
    const MemoryLevel* from = &global_memory(device);
    if (input.setting.warm)
        for (const MemoryLevel& level : device.memory)
            if (level.role == LevelRole::Cache && level.per != Share::Processor &&
                touched <= blockscope_parameter(device, "cache_share") * level.capacity.value) {
                from = &level;
                break;
            }
    const bool memory = from->role == LevelRole::Memory;
    const double moved = bytes * (1 + (memory ? blockscope_parameter(device, "write_allocate") : 1));
    const double efficiency = blockscope_parameter(device, memory ? "memory_efficiency" : "cache_efficiency");
    KernelTime time;
    time.kernel = -1;
    time.terms = {{"packing", blockscope_parameter(device, "packing") * moved /
                                  (bandwidth_for(device, *from, cores) * efficiency)},
                  {"launch", device.launch.value * blockscope_parameter(device, "launch_scale")}};
    add_up(time);
    time.sentence = "Inputs are brought into the layout of their readers: " + bytes_text_of(moved) + ".";
    return time;
}

}  // namespace

std::vector<KernelTime> blockscope_cpu(const ModelInput& input) {
    std::vector<KernelTime> times = {packing(input)};
    for (const KernelWork& kernel : input.state.kernels) times.push_back(CpuKernel(input, kernel).run());
    return times;
}

}  // namespace blockscope
