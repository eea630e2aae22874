// The roofline model.
#include "core/cost/models/models.h"

namespace blockscope {

namespace {

std::string sentence(const KernelTime& time, const KernelWork& kernel, const Device& device) {
    const std::string& name = time.terms[static_cast<std::size_t>(time.binding)].name;
    if (name == "memory")
        return bytes_text_of(kernel.bytes()) + " at " +
               rate_text(global_memory(device).bandwidth.value, "B") + " take longer than the operations.";
    return "The " + name + " unit's operations take longer than " + bytes_text_of(kernel.bytes()) + " at " +
           rate_text(global_memory(device).bandwidth.value, "B") + ".";
}

std::vector<KernelTime> kernels(const ModelInput& input) {
    std::vector<KernelTime> times;
    const double share = busy_processors(input) / input.device.processors.value;
    const double bandwidth = bandwidth_for(input.device, global_memory(input.device), busy_processors(input));
    for (const KernelWork& kernel : input.state.kernels) {
        KernelTime time;
        time.kernel = kernel.index;
        time.node = kernel.node;
        const UnitSeconds units = unit_seconds(kernel, input.device, false);
        time.terms = {{"memory", kernel.bytes() / bandwidth},
                      {"matrix", units.matrix / share},
                      {"vector", units.vector / share},
                      {"special", units.special / share}};
        time.binding = largest(time.terms);
        time.seconds = time.terms[static_cast<std::size_t>(time.binding)].seconds;
        time.sentence = sentence(time, kernel, input.device);
        times.push_back(std::move(time));
    }
    return times;
}

}  // namespace

TimeModel roofline_model() {
    return {
        "roofline",
        "Roofline",
        "A kernel takes as long as its slowest resource: the bytes that its listing moves at the memory's "
        "bandwidth, or the operations of one unit at that unit's peak. Everything overlaps perfectly, "
        "nothing "
        "else costs time: a bound from below for what the listing moves. Caches may move less.",
        "Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009",
        "t = max(bytes / W, matrix / P_m, vector / P_v, special / P_s)",
        kernels};
}

}  // namespace blockscope
