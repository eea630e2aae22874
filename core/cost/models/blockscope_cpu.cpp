// Blockscope's own model for CPUs: block kernels one after another on each core, traffic by cache level from
// the analysis of reuse, tasks in waves over the cores, calls and launches.
#include <algorithm>
#include <cmath>

#include "core/cost/models/cpu_passes.h"
#include "core/cost/models/models.h"
#include "core/cost/models/resident.h"

namespace blockscope {

namespace {

class CpuKernel {
public:
    CpuKernel(const ModelInput& input, const KernelWork& kernel)
        : input_(input), kernel_(kernel), device_(input.device) {
        tasks_ = kernel.planned ? kernel.engine_tasks : kernel.tasks;
        cores_ = std::max(1.0, std::min(busy_processors(input), tasks_));
    }

    KernelTime run() {
        KernelTime time;
        time.kernel = kernel_.index;
        time.node = kernel_.node;
        const PassSeconds passes = pass_seconds(kernel_.planned ? kernel_.passes : counted_passes(kernel_),
                                                device_, block_bandwidth());
        time.terms = {{"matrix", matrix()},
                      {"vector", passes.vector / cores_},
                      {"special", passes.special / cores_},
                      {"moves", passes.moves / cores_},
                      {"calls", calls()}};
        std::vector<double> resources(1, 0);
        for (const TimeTerm& term : time.terms) resources[0] += term.seconds;  // one after another
        for (TimeTerm& level : levels()) {
            resources.push_back(level.seconds);
            time.terms.push_back(std::move(level));
        }
        const double busy = overlapped(resources, parameter_of("overlap"));
        const double waves = std::ceil(tasks_ / cores_);
        const double launches = kernel_.planned ? (cores_ > 1 ? kernel_.engine_launches : 0) : 1;
        idle_ = waves * cores_ / tasks_ - 1;
        time.terms.push_back({"idle", busy * idle_});
        time.terms.push_back({"tasks", device_.task.value * waves});
        time.terms.push_back({"launch", launches * device_.launch.value * parameter_of("launch_scale")});
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

    // Bytes per second that a core gets of the cache that its blocks are in; 0 of the nearest.
    double block_bandwidth() const {
        const MemoryLevel* level = working_level();
        if (!level || level == first_level(device_, LevelRole::Cache)) return 0;
        return bandwidth_for(device_, *level, cores_) / cores_ * parameter_of("cache_efficiency");
    }

    double calls() const {
        const Calls& c = kernel_.calls;
        const double count = kernel_.planned ? kernel_.engine_calls : c.matrix + c.vector + c.memory;
        return count * parameter_of("call") / cores_;
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
        if (kernel_.misc && !kernel_.planned)
            return "It holds a miscellaneous operator, of which only the transfers are counted.";
        const auto stand_in = [](const PassWork& pass) { return pass.kind == PassKind::Opaque; };
        if (std::any_of(kernel_.passes.begin(), kernel_.passes.end(), stand_in))
            return "A stand-in runs for its custom operator, one number after the other; its time means "
                   "nothing.";
        const std::string& name = time.terms[static_cast<std::size_t>(time.binding)].name;
        std::string text = name == "matrix"    ? "Block products take longest"
                           : name == "vector"  ? "Elementwise operations and sums take longest"
                           : name == "special" ? "exp and its like take longest"
                           : name == "moves"   ? "Copying and transposing blocks takes longest"
                           : name == "calls"   ? "Calling kernels on small blocks takes longest"
                           : name == "launch"  ? "Starting and joining the workers takes longest"
                           : name == "tasks"   ? "Handing out tasks takes longest"
                           : name == "idle"    ? "Cores without a task take longest"
                           : name == "memory"
                               ? bytes_text_of(moved_.back()) + " from and to memory take longest"
                               : "Traffic with the " + name + " cache takes longest";
        const double all = busy_processors(input_);
        if (tasks_ < all)
            text += "; " + std::to_string(std::lround(tasks_)) + " of " + std::to_string(std::lround(all)) +
                    " cores have a task";
        else if (idle_ > 0.1)
            text += "; " + std::to_string(std::lround(tasks_)) + " tasks do not spread evenly over " +
                    std::to_string(std::lround(all)) + " cores";
        return text + ".";
    }

    const ModelInput& input_;
    const KernelWork& kernel_;
    const Device& device_;
    double tasks_ = 1;
    double cores_ = 1;
    double idle_ = 0;
    std::vector<double> moved_;  // bytes per level
};

// The level that inputs come from: memory, or a shared cache that still holds them from the run before.
const MemoryLevel& inputs_level(const ModelInput& input) {
    const Device& device = input.device;
    double touched = input.state.packed_bytes;
    for (const BufferInfo& buffer : input.state.buffers) touched += buffer.generated ? 0 : buffer.bytes;
    if (input.setting.warm)
        for (const MemoryLevel& level : device.memory)
            if (level.role == LevelRole::Cache && level.per != Share::Processor &&
                touched <= blockscope_parameter(device, "cache_share") * level.capacity.value)
                return level;
    return global_memory(device);
}

// Inputs are brought into the layout of their readers at the start of a run: read once, written once.
KernelTime packing(const ModelInput& input) {
    const Device& device = input.device;
    const double cores = busy_processors(input);
    const MemoryLevel& from = inputs_level(input);
    const bool memory = from.role == LevelRole::Memory;
    const double moved =
        input.state.packed_bytes * (1 + (memory ? blockscope_parameter(device, "write_allocate") : 1));
    const double efficiency = blockscope_parameter(device, memory ? "memory_efficiency" : "cache_efficiency");
    const double instructions = pass_seconds(input.state.packing, device, 0).moves / cores;
    const double traffic = moved / (bandwidth_for(device, from, cores) * efficiency);
    const double launches = cores > 1 ? input.state.packing_launches : 0;
    KernelTime time;
    time.kernel = -1;
    time.terms = {{"packing", overlapped({instructions, traffic}, blockscope_parameter(device, "overlap"))},
                  {"launch", launches * device.launch.value * blockscope_parameter(device, "launch_scale")}};
    add_up(time);
    time.sentence = "Inputs are brought into the layout of their readers: " + bytes_text_of(moved) + ".";
    return time;
}

}  // namespace

std::vector<KernelTime> blockscope_cpu(const ModelInput& input) {
    std::vector<KernelTime> times;
    if (input.state.packed_bytes > 0) times.push_back(packing(input));
    for (const KernelWork& kernel : input.state.kernels) times.push_back(CpuKernel(input, kernel).run());
    return times;
}

}  // namespace blockscope
