// Seconds of the CPU engine's passes over blocks on one core.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/cost/device.h"
#include "core/cost/kernel_work.h"
#include "core/cost/models/model.h"
#include "core/support/result.h"

namespace blockscope {

// Seconds by what the core does. Each pass takes its instructions, or its bytes from the cache that holds
// the blocks, whichever takes longer.
struct PassSeconds {
    double vector = 0;   // sums, products, divisions, rows folded
    double special = 0;  // exp and its like
    double moves = 0;    // copies and transpositions
};

// `bandwidth`: bytes per second that the core gets of the cache that its blocks are in; 0: they are in the
// nearest, whose time is in the instructions'.
PassSeconds pass_seconds(const std::vector<PassWork>& passes, const Device& device, double bandwidth);

// What a kernel without a plan does, from its counts.
std::vector<PassWork> counted_passes(const KernelWork& kernel);

// FLOPs per second of a block product on one core.
double product_rate(const MatrixWork& product, const Device& device);

namespace {

constexpr double kPassBytes = 12;  // an operation reads two numbers and writes one

// The parameter that has the cycles of a kind: of a vector register of results, or of one result.
struct KindCost {
    const char* parameter;
    bool vectorised;
};

KindCost cost_of(PassKind kind) {
    switch (kind) {
        case PassKind::Simple:
            return {"simple_cycles", true};
        case PassKind::Divide:
            return {"divide_cycles", true};
        case PassKind::Exp:
            return {"exp_cycles", true};
        case PassKind::Log:
            return {"log_cycles", true};
        case PassKind::Tanh:
            return {"tanh_cycles", true};
        case PassKind::Erf:
            return {"erf_cycles", true};
        case PassKind::Slow:
            return {"slow_cycles", false};
        case PassKind::Fold:
            return {"fold_cycles", true};
        case PassKind::Copy:
            return {"copy_cycles", true};
        case PassKind::Transpose:
            return {"transpose_cycles", true};
        case PassKind::Opaque:
            return {"opaque_cycles", false};
    }
    throw InternalError("unknown kind of pass");
}

double& part_of(PassSeconds& seconds, PassKind kind) {
    switch (kind) {
        case PassKind::Simple:
        case PassKind::Divide:
        case PassKind::Fold:
        case PassKind::Opaque:
            return seconds.vector;
        case PassKind::Exp:
        case PassKind::Log:
        case PassKind::Tanh:
        case PassKind::Erf:
        case PassKind::Slow:
            return seconds.special;
        case PassKind::Copy:
        case PassKind::Transpose:
            return seconds.moves;
    }
    throw InternalError("unknown kind of pass");
}

// Numbers of 32 bits in a vector register.
double lanes(const Device& device) {
    return device.vector_bits.known() ? device.vector_bits.value / 32 : 8;
}

// Cycles per second of a core. Of a device that does not say, two multiply-adds a cycle.
double clock_of(const Device& device) {
    if (device.clock.known()) return device.clock.value;
    return processor_rate(device, Unit::Vector, ElemType::F32) / (4 * lanes(device));
}

double distance(const MatmulPoint& point, const MatrixWork& product) {
    return std::hypot(std::log2(static_cast<double>(product.rows) / point.rows),
                      std::log2(static_cast<double>(product.cols) / point.cols),
                      std::log2(static_cast<double>(product.depth) / point.depth));
}

// Between the measured shapes: their rates, those of the nearest most (weights 1/d^4 in logarithms of sides).
double measured_rate(const MatrixWork& product, const Device& device) {
    double sum = 0;
    double weights = 0;
    for (const MatmulPoint& point : device.matmul) {
        if (point.elem != product.elem) continue;
        const double d = distance(point, product);
        if (d < 1e-9) return point.rate.value;
        const double weight = 1 / (d * d * d * d);
        sum += weight * std::log(point.rate.value);
        weights += weight;
    }
    return weights > 0 ? std::exp(sum / weights) : 0;
}

}  // namespace

PassSeconds pass_seconds(const std::vector<PassWork>& passes, const Device& device, double bandwidth) {
    const double cycle = 1 / clock_of(device);
    PassSeconds seconds;
    for (const PassWork& pass : passes) {
        const KindCost cost = cost_of(pass.kind);
        const double steps = cost.vectorised ? pass.elements / lanes(device) : pass.elements;
        const double cycles = steps * blockscope_parameter(device, cost.parameter) +
                              pass.rows * blockscope_parameter(device, "row_cycles");
        const double transfer = bandwidth > 0 ? pass.bytes / bandwidth : 0;
        part_of(seconds, pass.kind) += std::max(cycles * cycle, transfer);
    }
    return seconds;
}

std::vector<PassWork> counted_passes(const KernelWork& kernel) {
    const double rows = kernel.calls.vector + kernel.calls.memory;
    return {{.kind = PassKind::Simple,
             .calls = rows,
             .rows = rows,
             .elements = kernel.vector,
             .bytes = kPassBytes * kernel.vector},
            {.kind = PassKind::Exp, .elements = kernel.special}};
}

double product_rate(const MatrixWork& product, const Device& device) {
    const double efficiency = blockscope_parameter(device, "matmul_efficiency");
    if (const double measured = measured_rate(product, device); measured > 0) return measured * efficiency;
    const double side = std::cbrt(static_cast<double>(product.rows) * static_cast<double>(product.cols) *
                                  static_cast<double>(product.depth));
    const double reached = side / (side + blockscope_parameter(device, "matmul_half"));
    return processor_rate(device, Unit::Matrix, product.elem) * efficiency * reached;
}

// Blockscope's own model for CPUs: block kernels one after another on each core, traffic by cache level from
// the analysis of reuse, tasks in waves over the cores, calls and launches.

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
        for (TimeTerm& level : levels(time.levels)) {
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

    // Traffic by level: what reaches each level past the ones before it, at its bandwidth.
    std::vector<TimeTerm> levels(std::vector<LevelBytes>& passing_levels) {
        std::vector<TimeTerm> terms;
        const double share = parameter_of("cache_share");
        Passing reaching{kernel_.loaded, kernel_.stored};
        for (const MemoryLevel& level : device_.memory) {
            if (level.role != LevelRole::Cache && level.role != LevelRole::Memory) continue;
            const bool memory = level.role == LevelRole::Memory;
            const double efficiency = parameter_of(memory ? "memory_efficiency" : "cache_efficiency");
            const double stores = memory ? parameter_of("write_allocate") : 1;
            const double bytes = reaching.loaded + stores * reaching.stored;
            passing_levels.push_back({level.name, reaching.bytes()});
            if (!terms.empty() || memory) {  // the first level's is part of the kernels' own rates
                terms.push_back({memory ? "memory" : level.name,
                                 bytes / (bandwidth_for(device_, level, cores_) * efficiency)});
                moved_.push_back(bytes);
            } else {
                terms.push_back({level.name, 0});
                moved_.push_back(0);
            }
            if (!memory) reaching = past(level, share);
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

    Text sentence(const KernelTime& time) const {
        if (kernel_.misc && !kernel_.planned)
            return Text("It holds a miscellaneous operator, of which only the transfers are counted.");
        const auto stand_in = [](const PassWork& pass) { return pass.kind == PassKind::Opaque; };
        if (std::any_of(kernel_.passes.begin(), kernel_.passes.end(), stand_in))
            return Text(
                "A stand-in runs for its custom operator, one number after the other; its time means "
                "nothing.");
        const Text text = longest(time.terms[static_cast<std::size_t>(time.binding)].name);
        const double all = busy_processors(input_);
        if (tasks_ < all)
            return Text("%1; %2 of %3 cores have a task.", text, std::lround(tasks_), std::lround(all));
        if (idle_ > 0.1)
            return Text("%1; %2 tasks do not spread evenly over %3 cores.", text, std::lround(tasks_),
                        std::lround(all));
        return Text("%1.", text);
    }

    Text longest(const std::string& name) const {
        if (name == "matrix") return Text("Block products take longest");
        if (name == "vector") return Text("Elementwise operations and sums take longest");
        if (name == "special") return Text("exp and its like take longest");
        if (name == "moves") return Text("Copying and transposing blocks takes longest");
        if (name == "calls") return Text("Calling kernels on small blocks takes longest");
        if (name == "launch") return Text("Starting and joining the workers takes longest");
        if (name == "tasks") return Text("Handing out tasks takes longest");
        if (name == "idle") return Text("Cores without a task take longest");
        if (name == "memory") return Text("%1 from and to memory take longest", bytes_text_of(moved_.back()));
        return Text("Traffic with the %1 cache takes longest", name);
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
    time.sentence = Text("Inputs are brought into the layout of their readers: %1.", bytes_text_of(moved));
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
