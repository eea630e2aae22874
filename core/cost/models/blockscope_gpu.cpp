// Blockscope's own model for GPUs: per-resource times of a thread block, one overlap factor, explicit waves.
#include <algorithm>
#include <cmath>

#include "core/cost/models/model.h"

namespace blockscope {

namespace {

constexpr double kWarpTile = 64;       // rows and columns of a product that share operand fragments
constexpr double kGroupColumns = 256;  // of one instruction of a warpgroup, at most
constexpr double kSaturating = 0.5;    // share of the SMs that draw all of the memory's bandwidth
constexpr double kMostBlocks = 8;      // thread blocks of an SM that are worth counting
// Of a kernel that nobody has generated: accumulators that a thread holds, what it needs besides them, and
// the tiles of an operand that are in shared memory at once.
constexpr double kNumbersOfThread = 128;
constexpr double kOtherRegisters = 64;
constexpr double kStages = 2;
constexpr double kLeastThreads = 128;
constexpr double kMostThreads = 512;
constexpr double kMostRegisters = 255;
constexpr double kRegisterBytes = 4;

double up_to(double size, int step) {
    return std::ceil(size / step) * step;
}

// Share of a warpgroup instruction's rate by its columns.
double column_share(const Device& device, double cols) {
    if (cols >= 64) return 1;
    return blockscope_parameter(device, cols >= 32 ? "columns_32" : cols >= 16 ? "columns_16" : "columns_8");
}

// The share of the matrix peak that a product of this shape reaches: the best instruction's, sides padded to
// it.
double matrix_share(const MatrixWork& product, const Device& device, bool by_warps) {
    const auto rows = static_cast<double>(product.rows);
    const auto cols = static_cast<double>(product.cols);
    const auto depth = static_cast<double>(product.depth);
    double best = 0;
    bool of_groups = false;  // its type has instructions, but of warpgroups
    for (const MatrixTile& tile : device.tiles) {
        if (tile.elem != product.elem) continue;
        if (by_warps && tile.rows >= 64) {
            of_groups = true;
            continue;
        }
        const double padded =
            rows / up_to(rows, tile.rows) * cols / up_to(cols, tile.cols) * depth / up_to(depth, tile.depth);
        const bool wide = tile.rows >= 64;
        const double peak =
            wide ? blockscope_parameter(device, "matrix_efficiency") * column_share(device, cols)
                 : blockscope_parameter(device, "narrow_efficiency");
        best = std::max(best, peak * padded);
    }
    if (best > 0) return best;
    return blockscope_parameter(device, of_groups ? "narrow_efficiency" : "matrix_efficiency");
}

// Whether an instruction of a warpgroup (64 rows) computes a product.
bool by_warpgroup(const MatrixWork& product, const Device& device) {
    return product.rows >= 64 &&
           std::any_of(device.tiles.begin(), device.tiles.end(),
                       [&](const MatrixTile& tile) { return tile.elem == product.elem && tile.rows >= 64; });
}

// Bytes that a product's operands take from shared memory. A warpgroup reads the right operand once for its
// 64 rows, the left one once for up to 256 columns unless it is in registers; other warps read both for tiles
// of 64 x 64.
double fragment_bytes(const MatrixWork& product, bool by_group) {
    const auto rows = static_cast<double>(product.rows);
    const auto cols = static_cast<double>(product.cols);
    const double columns = by_group ? kGroupColumns : kWarpTile;
    const double left = product.left_computed ? 0 : 1 / std::min(columns, cols);
    const double right = 1 / std::min(kWarpTile, rows);
    return product.flops / 2 * (left + right) * bytes_per_element(product.elem);
}

class GpuKernel {
public:
    GpuKernel(const ModelInput& input, const KernelWork& kernel)
        : input_(input),
          kernel_(kernel),
          device_(input.device),
          processors_(busy_processors(input)),
          products_(kernel.products) {
        const auto parts = input.setting.parts.find(kernel.node);
        if (parts != input.setting.parts.end()) parts_ = parts->second;
        by_warps_ = input.setting.by_warps.count(kernel.node) > 0;
        for (MatrixWork& product : products_) {
            const auto computed = input.setting.computed_in.find(product.node);
            if (computed != input.setting.computed_in.end()) product.elem = computed->second;
        }
        tasks_ = kernel.tasks * parts_.parts;
    }

    KernelTime run() {
        clock_ = device_.clock.value * parameter_of("clock");
        occupy();
        KernelTime time;
        time.kernel = kernel_.index;
        time.node = kernel_.node;
        const double matrix = matrix_seconds();
        const double shared = shared_seconds();
        const double vector = 2 * kernel_.vector / rate(Unit::Vector) / parameter_of("vector_efficiency");
        const double special = kernel_.special / rate(Unit::Special) / parameter_of("special_efficiency");
        const double l2 = l2_seconds();
        const double memory = memory_seconds();
        const double fill = waves_ * parameter_of("fill");
        const double launch = device_.launch.value * parameter_of("launch_scale");
        const double busy = overlapped({std::max(matrix, shared), vector + special}, parameter_of("overlap"));
        // All SMs share the work of full waves; in the last one some stand still.
        // What atomics add comes at the end of each, and nothing hides it.
        const double atomics = atomic_seconds();
        const double idle = (busy + atomics) * (waves_ * resident_ * processors_ / tasks_ - 1);
        const double on_chip = fill + busy + atomics + idle;
        time.terms = {{"launch", launch}, {"fill", fill},     {"matrix", matrix},
                      {"shared", shared}, {"vector", vector}, {"special", special},
                      {"L2", l2},         {"memory", memory}, {"idle", idle}};
        // Copies run ahead of the work that needs them.
        time.seconds = launch + std::max({on_chip, l2 + fill, memory + fill});
        time.levels = levels();
        time.busy = busy;
        compute(time);
        if (parts_.parts > 1) {
            time.terms.push_back({"combine", combine_seconds(launch)});
            time.seconds += time.terms.back().seconds;
            if (parts_.added) time.terms.push_back({"atomics", atomics});
            if (parts_.rest > 0) time.terms.push_back({"again", again_seconds()});
            time.seconds += seconds_of(time.terms, "again");
        }
        time.binding = largest(time.terms);
        time.shortage = shortage();
        time.sentence = sentence(time);
        return time;
    }

private:
    double parameter_of(const char* name) const { return blockscope_parameter(device_, name); }

    // Operations per second of the SMs that work.
    double rate(Unit unit) const {
        return processor_rate(device_, unit, ElemType::F32) * processors_ * parameter_of("clock");
    }

    void compute(KernelTime& time) const {
        const double share = processors_ / device_.processors.value;
        const UnitSeconds peak = unit_seconds(kernel_, device_, true);
        time.matrix = {kernel_.matrix, peak.matrix / share};
        time.vector = {kernel_.vector, peak.vector / share};
        time.special = {kernel_.special, peak.special / share};
    }

    // Thread blocks of an SM, as their accumulators leave registers and their tiles shared memory.
    double expected_resident() const {
        const double numbers = kernel_.register_bytes / kRegisterBytes;
        const double threads = std::clamp(up_to(numbers / kNumbersOfThread, static_cast<int>(kLeastThreads)),
                                          kLeastThreads, kMostThreads);
        const double each = std::min(kMostRegisters, numbers / threads + kOtherRegisters);
        double fitting = kMostBlocks;
        if (const MemoryLevel* registers = first_level(device_, LevelRole::Registers))
            fitting = std::min(fitting, registers->capacity.value / (threads * each * kRegisterBytes));
        if (const MemoryLevel* shared = first_level(device_, LevelRole::Shared))
            fitting = std::min(fitting, shared->capacity.value / std::max(1.0, kStages * kernel_.tile_bytes));
        if (device_.limits.threads_per_processor.known())
            fitting = std::min(fitting, device_.limits.threads_per_processor.value / threads);
        return std::floor(fitting);
    }

    // Thread blocks per SM, and waves of them.
    void occupy() {
        const auto compiled = input_.setting.resident.find(kernel_.node);
        const double fitting =
            compiled != input_.setting.resident.end() ? compiled->second : expected_resident();
        const double needed = std::ceil(tasks_ / processors_);
        resident_ = std::clamp(std::min(fitting, needed), 1.0, kMostBlocks);
        const double waves = tasks_ / (processors_ * resident_);
        waves_ = waves < 4 ? std::ceil(waves) : waves + 0.5;
    }

    double matrix_seconds() const {
        double seconds = 0;
        for (const MatrixWork& product : products_)
            seconds += product.flops / (processor_rate(device_, Unit::Matrix, product.elem) * processors_ *
                                        parameter_of("clock") * matrix_share(product, device_, by_warps_));
        return seconds;
    }

    double shared_seconds() const {
        const MemoryLevel* shared = first_level(device_, LevelRole::Shared);
        if (!shared || !shared->bandwidth.known()) return 0;
        double bytes = kernel_.loaded;
        for (const MatrixWork& product : products_)
            bytes += fragment_bytes(product, !by_warps_ && by_warpgroup(product, device_));
        return bytes / (bandwidth_for(device_, *shared, processors_) * parameter_of("clock"));
    }

    double l2_seconds() const {
        const MemoryLevel* cache = first_level(device_, LevelRole::Cache);
        if (!cache) return 0;
        const double left = parts_.added ? 0 : left_by_parts();
        // Few thread blocks draw their processors' share.
        return (kernel_.bytes() + left) /
               (bandwidth_for(device_, *cache, processors_) * parameter_of("l2_efficiency") *
                std::min(1.0, tasks_ / processors_));
    }

    std::vector<LevelBytes> levels() const {
        const MemoryLevel* cache = first_level(device_, LevelRole::Cache);
        std::vector<LevelBytes> levels;
        if (cache) levels.push_back({cache->name, kernel_.bytes()});
        levels.push_back({global_memory(device_).name, moved_});
        return levels;
    }

    // What every part does again, which the model has shared among them.
    double again_seconds() const {
        ModelSetting whole = input_.setting;
        whole.parts.erase(kernel_.node);
        const double seconds = GpuKernel({input_.state, device_, whole}, kernel_).run().seconds;
        return parts_.rest * seconds * (1 - 1.0 / parts_.parts);
    }

    // Bytes that parts leave for the launch that puts them together.
    double left_by_parts() const { return parts_.parts > 1 ? tasks_ * parts_.bytes : 0; }

    // Atomics work in the L2 cache, whose place for the sums is small: one for all parts.
    double atomic_seconds() const {
        const MemoryLevel* cache = first_level(device_, LevelRole::Cache);
        if (!parts_.added) return 0;
        const MemoryLevel& where = cache ? *cache : global_memory(device_);
        return left_by_parts() /
               (bandwidth_for(device_, where, processors_) * parameter_of("atomic_efficiency"));
    }

    // That launch has the thread blocks of the whole kernel: few, each of which draws its share of the L2
    // cache's (or, where parts do not stay there, of the memory's) bandwidth. It reads all parts, or sums
    // that it replaces by zeros.
    double combine_seconds(double launch) const {
        const MemoryLevel* cache = first_level(device_, LevelRole::Cache);
        const double bytes = parts_.added ? 2 * kernel_.tasks * parts_.bytes : left_by_parts();
        const bool stays = cache && bytes <= cache->capacity.value * parameter_of("l2_share");
        const MemoryLevel& from = stays ? *cache : global_memory(device_);
        const double rate = bandwidth_for(device_, from, processors_) *
                            parameter_of(stays ? "l2_efficiency" : "memory_efficiency") *
                            std::min(1.0, kernel_.tasks / processors_);
        return launch + parameter_of("fill") + bytes / rate;
    }

    double memory_seconds() {
        const MemoryLevel* cache = first_level(device_, LevelRole::Cache);
        const double held = cache ? cache->capacity.value * parameter_of("l2_share") : 0;
        moved_ =
            passing(input_.state, kernel_.index, {held, processors_ * resident_}, held, input_.setting.warm)
                .bytes();
        const double busy_share = std::min(1.0, tasks_ / (kSaturating * processors_));
        return moved_ / (bandwidth_for(device_, global_memory(device_), processors_) *
                         parameter_of("memory_efficiency") * busy_share);
    }

    Text shortage() const {
        if (kernel_.misc || tasks_ >= processors_) return {};
        const long all = std::lround(processors_), busy = std::lround(tasks_);
        return busy == 1 ? Text("only one of %1 processors has a task", all)
                         : Text("only %1 of %2 processors have a task", busy, all);
    }

    Text sentence(const KernelTime& time) const {
        if (kernel_.misc) return Text("It holds a custom operator, of which only the transfers are counted.");
        Text text = longest(time.terms[static_cast<std::size_t>(time.binding)].name);
        const double slots = processors_ * resident_;
        if (parts_.parts > 1) text = Text("%1; reductions are in %2 parts", text, parts_.parts);
        if (tasks_ < processors_)
            text = Text("%1; %2", text, time.shortage);
        else if (tasks_ / slots < 4 && std::ceil(tasks_ / slots) > 1.2 * tasks_ / slots)
            text = Text("%1; the last wave is not full", text);
        return Text("%1.", with_overflow(text));
    }

    // What one thread block does not have room for.
    Text with_overflow(Text text) const {
        const MemoryLevel* shared = first_level(device_, LevelRole::Shared);
        const MemoryLevel* registers = first_level(device_, LevelRole::Registers);
        if (registers && kernel_.register_bytes > local_capacity(*registers))
            text = Text("%1; %2 of accumulators do not fit the registers (%3)", text,
                        bytes_text_of(kernel_.register_bytes), bytes_text_of(local_capacity(*registers)));
        if (shared && kernel_.tile_bytes > local_capacity(*shared))
            text = Text("%1; %2 of tiles do not fit shared memory (%3)", text,
                        bytes_text_of(kernel_.tile_bytes), bytes_text_of(local_capacity(*shared)));
        return text;
    }

    Text longest(const std::string& name) const {
        if (name == "launch") return Text("Launching takes longer than the work");
        if (name == "fill") return Text("Waiting for the first operands takes longest");
        if (name == "memory") return Text("%1 from memory take longest", bytes_text_of(moved_));
        if (name == "again") return Text("What every part of its reductions does again takes longest");
        if (name == "combine") return Text("Putting the parts of its reductions together takes longest");
        if (name == "atomics") return Text("Adding the parts of its reductions up takes longest");
        if (name == "idle") return Text("Processors without a task take longest");
        if (name == "L2") return Text("%1 from the L2 cache take longest", bytes_text_of(kernel_.bytes()));
        if (name == "shared") return Text("Local memory cannot feed the matrix unit fast enough");
        return Text("The %1 unit is busy longest", term_text(name));
    }

    const ModelInput& input_;
    const KernelWork& kernel_;
    const Device& device_;
    double processors_;
    std::vector<MatrixWork> products_;  // in the types that they are computed in
    PartsOfKernel parts_;
    bool by_warps_ = false;
    double tasks_ = 1;  // thread blocks, those of all parts
    double clock_ = 0;
    double resident_ = 1;  // thread blocks of an SM
    double waves_ = 1;
    double moved_ = 0;  // bytes from and to memory
};

}  // namespace

std::vector<KernelTime> blockscope_gpu(const ModelInput& input) {
    std::vector<KernelTime> times;
    for (const KernelWork& kernel : input.state.kernels) times.push_back(blockscope_gpu(input, kernel));
    return times;
}

KernelTime blockscope_gpu(const ModelInput& input, const KernelWork& kernel) {
    return GpuKernel(input, kernel).run();
}

}  // namespace blockscope
