// The sum by which the PTO text estimates what fusion gains ("Fusion Benefits Analysis", 4.1).
#include "core/cost/models/models.h"

namespace blockscope {

namespace {

std::string sentence(const KernelTime& time) {
    const TimeTerm& term = time.terms[static_cast<std::size_t>(time.binding)];
    if (term.name == "launch")
        return "The launch alone is the largest part: fusing it into a neighbour saves it.";
    if (term.name == "memory")
        return "Memory is the largest part: fusing saves what is stored and loaded again.";
    return "Computing is the largest part, which fusion leaves as it is.";
}

std::vector<KernelTime> kernels(const ModelInput& input) {
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
        time.sentence = sentence(time);
        times.push_back(std::move(time));
    }
    return times;
}

}  // namespace

TimeModel fusion_benefit_model() {
    return {"fusion-benefit",
            "Fusion benefit",
            "Compute, memory and launch times of every kernel add up. Fusing leaves the compute time as it "
            "is, and "
            "takes away transfers of intermediates and launches: the model shows what a fusion saves.",
            "PTO operator fusion guide, section 4.1",
            "t = Σ (t_compute + t_memory + t_launch)",
            kernels};
}

}  // namespace blockscope
