// The time models that others published, and the table of all models. A model of a formula is a function that
// gives each kernel its terms, and a row of the table: command line, charts and documents read the row.
#include <algorithm>
#include <cstdio>

#include "core/cost/kernel_work.h"
#include "core/cost/models/model.h"

namespace blockscope {

namespace {

// ---- Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009.

// What a kernel has to move through a level, and how long that takes there.
struct LeastTraffic {
    const MemoryLevel* level = nullptr;
    double bytes = 0;
    double whole = 0;  // that have to move when no cache holds anything of the run before
    double seconds = 0;
};

// By kernel the slowest level. What fits in the caches before a level need not pass it.
std::vector<LeastTraffic> least_traffic(const ModelInput& input) {
    std::vector<LeastTraffic> slowest(input.state.kernels.size());
    const double processors = busy_processors(input);
    double kept = 0;
    for (const MemoryLevel& level : input.device.memory) {
        if (level.role != LevelRole::Cache && level.role != LevelRole::Memory) continue;
        const double bandwidth = bandwidth_for(input.device, level, processors);
        const std::vector<double> bytes = least_passing(input.state, kept, input.setting.warm);
        const std::vector<double> cold = least_passing(input.state, kept, false);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            if (!slowest[i].level || bytes[i] / bandwidth >= slowest[i].seconds)
                slowest[i] = {&level, bytes[i], cold[i], bytes[i] / bandwidth};
        kept += level.capacity.value * instances_of(input.device, level, processors);
    }
    return slowest;
}

// "134 MB", or of warm runs "48.2 MB of 101 MB (caches keep the rest between runs)".
Text moved_text(const LeastTraffic& least) {
    constexpr double kAll = 0.99;
    const std::string bytes = bytes_text_of(least.bytes);
    if (least.bytes >= kAll * least.whole) return Text(bytes);
    return Text("%1 of %2 (caches keep the rest between runs)", bytes, bytes_text_of(least.whole));
}

Text roofline_sentence(const KernelTime& time, const LeastTraffic& least, const ModelInput& input) {
    const std::string& name = time.terms[static_cast<std::size_t>(time.binding)].name;
    const std::string rate =
        rate_text(bandwidth_for(input.device, *least.level, busy_processors(input)), "B");
    if (name == "memory")
        return Text("Memory-bound: %1 have to move at the %2 of %3, which takes longer than the operations.",
                    moved_text(least), rate, least.level->name);
    return Text(
        "Compute-bound: the %1 unit's operations take longer than the %2 that have to move at the "
        "%3 of %4.",
        term_text(name), moved_text(least), rate, least.level->name);
}

std::vector<KernelTime> roofline_kernels(const ModelInput& input) {
    std::vector<KernelTime> times;
    const double share = busy_processors(input) / input.device.processors.value;
    const std::vector<LeastTraffic> traffic = least_traffic(input);
    for (std::size_t i = 0; i < input.state.kernels.size(); ++i) {
        const KernelWork& kernel = input.state.kernels[i];
        KernelTime time;
        time.kernel = kernel.index;
        time.node = kernel.node;
        const UnitSeconds units = unit_seconds(kernel, input.device, false);
        time.terms = {{"memory", traffic[i].seconds},
                      {"matrix", units.matrix / share},
                      {"vector", units.vector / share},
                      {"special", units.special / share}};
        time.binding = largest(time.terms);
        time.seconds = time.terms[static_cast<std::size_t>(time.binding)].seconds;
        time.sentence = roofline_sentence(time, traffic[i], input);
        times.push_back(std::move(time));
    }
    return times;
}

// ---- Zhang et al.: MCFuser, SC 2024, section IV-A, equations 2 to 5.

Text mcfuser_sentence(const KernelTime& time, const KernelWork& kernel, double alpha) {
    char factor[32];
    std::snprintf(factor, sizeof factor, "%.2f", alpha);
    const std::string& name = time.terms[static_cast<std::size_t>(time.binding)].name;
    const Text most = name == "idle" ? Text("Idle processors take most of it")
                                     : Text("The %1 term is the largest", term_text(name));
    const auto blocks = static_cast<long long>(kernel.tasks);
    if (kernel.tasks == 1)
        return Text("%1; %2 thread block makes it %3 times as long.", most, blocks, std::string(factor));
    return Text("%1; %2 thread blocks make it %3 times as long.", most, blocks, std::string(factor));
}

std::vector<KernelTime> mcfuser_kernels(const ModelInput& input) {
    std::vector<KernelTime> times;
    const double processors = busy_processors(input);
    const double share = processors / input.device.processors.value;
    const double bandwidth = bandwidth_for(input.device, global_memory(input.device), processors);
    for (const KernelWork& kernel : input.state.kernels) {
        KernelTime time;
        time.kernel = kernel.index;
        time.node = kernel.node;
        const UnitSeconds units = unit_seconds(kernel, input.device, false);
        const double memory = kernel.hoisted / bandwidth;                              // equation 3
        const double compute = (units.matrix + units.vector + units.special) / share;  // equation 4
        const double alpha = mcfuser_alpha(kernel.tasks, processors);                  // equation 5
        time.terms = {{"memory", memory}, {"compute", compute}, {"idle", (memory + compute) * (alpha - 1)}};
        add_up(time);
        time.sentence = mcfuser_sentence(time, kernel, alpha);
        times.push_back(std::move(time));
    }
    return times;
}

// ---- The sum by which the PTO text estimates what fusion gains ("Fusion Benefits Analysis", 4.1).

Text benefit_sentence(const KernelTime& time) {
    const TimeTerm& term = time.terms[static_cast<std::size_t>(time.binding)];
    if (term.name == "launch")
        return Text("The launch alone is the largest part: fusing it into a neighbour saves it.");
    if (term.name == "memory")
        return Text("Memory is the largest part: fusing saves what is stored and loaded again.");
    return Text("Computing is the largest part, which fusion leaves as it is.");
}

std::vector<KernelTime> benefit_kernels(const ModelInput& input) {
    std::vector<KernelTime> times;
    const double share = busy_processors(input) / input.device.processors.value;
    const double bandwidth = bandwidth_for(input.device, global_memory(input.device), busy_processors(input));
    for (const KernelWork& kernel : input.state.kernels) {
        KernelTime time;
        time.kernel = kernel.index;
        time.node = kernel.node;
        const UnitSeconds units = unit_seconds(kernel, input.device, true);
        time.terms = {{"compute", (units.matrix + units.vector + units.special) / share},
                      {"memory", kernel.bytes() / bandwidth},
                      {"launch", input.device.launch.value}};
        add_up(time);
        time.sentence = benefit_sentence(time);
        times.push_back(std::move(time));
    }
    return times;
}

}  // namespace

double mcfuser_alpha(double blocks, double processors) {
    return (blocks + processors) / blocks;
}

double mcfuser_phi(double tile_rows, double tile_cols, double depth) {
    return 2 * tile_rows * tile_cols * depth /
           (2 * tile_rows * tile_cols + tile_rows * depth + tile_cols * depth);
}

bool mcfuser_memory_bound(double tile_rows, double tile_cols, double depth, const Device& device,
                          ElemType elem) {
    return mcfuser_phi(tile_rows, tile_cols, depth) <
           device_rate(device, Unit::Matrix, elem) / global_memory(device).bandwidth.value;
}

const std::vector<TimeModel>& time_models() {
    static const std::vector<TimeModel> models = {
        {.name = "roofline",
         .title = Text("Roofline"),
         .explanation = Text("A kernel takes as long as its slowest resource: the bytes that have to move "
                             "whatever its schedule, at the bandwidth of memory or of a cache, or the "
                             "operations of one unit at that unit's peak. Everything overlaps perfectly, "
                             "nothing is read twice that a cache can hold, nothing else costs time: a bound "
                             "from below, which says whether memory or computing binds."),
         .reference = "Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009",
         .formula = Text(
             "t = max(compulsory bytes that no cache holds / W, matrix / P_m, vector / P_v, special / P_s)"),
         .kernels = roofline_kernels},
        {.name = "mcfuser",
         .title = Text("MCFuser"),
         .explanation =
             Text("Memory and compute times add up: every load and store, moved out of the innermost loops "
                  "that do not index it, at the memory's bandwidth; every operation at its unit's peak. A "
                  "factor makes kernels with few thread blocks slower. It is made to rank the schedules of "
                  "one program, not for absolute times."),
         .reference = "Zhang et al.: MCFuser, SC 2024, section IV-A, equations 2 to 5",
         .formula = Text("t = (t_mem + t_comp) · α,  α = (N_block + N_SM) / N_block"),
         .kernels = mcfuser_kernels},
        {.name = "fusion-benefit",
         .title = Text("Fusion benefit"),
         .explanation = Text("Compute, memory and launch times of every kernel add up. Fusing leaves the "
                             "compute time as it is, and takes away transfers of intermediates and launches: "
                             "the model shows what a fusion saves."),
         .reference = "PTO operator fusion guide, section 4.1",
         .formula = Text("t = Σ (t_compute + t_memory + t_launch)"),
         .kernels = benefit_kernels},
        blockscope_model(),
    };
    return models;
}

std::string time_model_names() {
    std::string names;
    for (const TimeModel& model : time_models())
        names += (names.empty() ? "" : ", ") + model.name + (model.name == kUsualModel ? " (default)" : "");
    return names;
}

const TimeModel* find_time_model(const std::string& name) {
    for (const TimeModel& model : time_models())
        if (model.name == name) return &model;
    return nullptr;
}

}  // namespace blockscope
