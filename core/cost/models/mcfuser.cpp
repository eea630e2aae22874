// MCFuser's analytical performance model (section IV-A, equations 2 to 5).
#include <algorithm>

#include "core/cost/models/models.h"

namespace blockscope {

namespace {

std::string sentence(const KernelTime& time, const KernelWork& kernel, double alpha) {
    char factor[32];
    std::snprintf(factor, sizeof factor, "%.2f", alpha);
    const std::string blocks = std::to_string(static_cast<long long>(kernel.tasks)) +
                               (kernel.tasks == 1 ? " thread block makes" : " thread blocks make");
    const std::string& name = time.terms[static_cast<std::size_t>(time.binding)].name;
    const std::string most =
        name == "idle" ? "Idle processors take most of it" : "The " + name + " term is the largest";
    return most + "; " + blocks + " it " + factor + " times as long.";
}

std::vector<KernelTime> kernels(const ModelInput& input) {
    std::vector<KernelTime> times;
    const double processors = busy_processors(input);
    const double share = processors / input.device.processors.value;
    const double bandwidth = bandwidth_for(input.device, global_memory(input.device), processors);
    for (const KernelWork& kernel : input.state.kernels) {
        KernelTime time;
        time.kernel = kernel.index;
        time.node = kernel.node;
        const ElemType elem = kernel.products.empty() ? kernel.elem : kernel.products.front().elem;
        const double flops = kernel.matrix + kernel.vector + kernel.special;
        const double memory = kernel.hoisted / bandwidth;                                        // equation 3
        const double compute = flops / (device_rate(input.device, Unit::Matrix, elem) * share);  // equation 4
        const double alpha = mcfuser_alpha(kernel.tasks, processors);                            // equation 5
        time.terms = {{"memory", memory}, {"compute", compute}, {"idle", (memory + compute) * (alpha - 1)}};
        add_up(time);
        time.sentence = sentence(time, kernel, alpha);
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

TimeModel mcfuser_model() {
    return {
        "mcfuser",
        "MCFuser",
        "Memory and compute times add up: every load and store, moved out of the innermost loops that do not "
        "index it, at the memory's bandwidth; every operation at the matrix peak. A factor makes kernels "
        "with "
        "few thread blocks slower. It is made to rank the schedules of one program, not for absolute times.",
        "Zhang et al.: MCFuser, SC 2024, section IV-A, equations 2 to 5",
        "t = (t_mem + t_comp) · α,  α = (N_block + N_SM) / N_block",
        kernels};
}

}  // namespace blockscope
