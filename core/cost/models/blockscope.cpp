// Blockscope's own model: its entry, and its free parameters.
#include <algorithm>
#include <array>

#include "core/cost/models/models.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

std::vector<KernelTime> kernels(const ModelInput& input) {
    return input.device.kind == DeviceKind::Gpu ? blockscope_gpu(input) : blockscope_cpu(input);
}

std::vector<ModelParameter> gpu_parameters() {
    return {
        {"overlap", "how much of the shorter resources' time hides behind the longest: 0 nothing, 1 all", 0.3,
         0, 1},
        {"clock", "sustained clock as a share of the stated one", 0.93, 0.3, 1.1},
        {"matrix_efficiency", "share of the matrix peak that large products reach", 0.9, 0.2, 1},
        {"narrow_efficiency", "the same of the 16-row instruction, for products too narrow for others", 0.9,
         0.1, 1},
        {"vector_efficiency", "share of the vector units' slots that do counted operations", 0.6, 0.05, 1},
        {"special_efficiency", "share of the special function peak", 0.9, 0.05, 1},
        {"memory_efficiency", "share of the memory bandwidth that streams reach", 0.88, 0.3, 1},
        {"l2_efficiency", "share of the L2 bandwidth", 0.9, 0.2, 1},
        {"l2_share", "share of the L2 that holds what is read again", 0.6, 0.1, 1},
        {"fill", "seconds until a thread block has its first operands", 1e-6, 1e-8, 2e-5},
        {"launch_scale", "factor on the device's launch cost", 1, 0.1, 10},
    };
}

std::vector<ModelParameter> cpu_parameters() {
    return {
        {"overlap", "how much of the shorter resources' time hides behind the longest: 0 nothing, 1 all", 0.6,
         0, 1},
        {"matmul_efficiency", "factor on the rate of block products (measured ones, or peak)", 0.95, 0.1,
         1.3},
        {"matmul_half", "side of a block product at which half of the rate is reached, without measured ones",
         1.5, 0.01, 64},
        {"vector_efficiency", "share of the vector slots that elementwise kernels use, operands in L1", 0.5,
         0.02, 1},
        {"special_efficiency", "factor on the rate of exp and its like", 0.8, 0.05, 2},
        {"memory_efficiency", "share of the memory bandwidth that streams reach", 0.85, 0.1, 1.2},
        {"cache_efficiency", "share of the caches' bandwidths", 0.6, 0.05, 1.2},
        {"cache_share", "share of a cache that holds what is read again", 0.7, 0.1, 1},
        {"call", "seconds that calling one block kernel costs", 5e-8, 1e-9, 2e-6},
        {"write_allocate", "bytes that a stored byte moves, as its line is read first", 2, 1, 2},
        {"packing", "factor on the time of bringing inputs into the layout of their readers", 1, 1e-3, 4},
        {"launch_scale", "factor on the device's launch cost", 1, 0.1, 10},
    };
}

}  // namespace

const std::vector<ModelParameter>& blockscope_parameters(DeviceKind kind) {
    static const std::array<std::vector<ModelParameter>, 2> parameters = {gpu_parameters(), cpu_parameters()};
    return parameters.at(static_cast<std::size_t>(kind));
}

double blockscope_parameter(const Device& device, const std::string& name) {
    for (const ModelParameter& known : blockscope_parameters(device.kind))
        if (known.name == name)
            return std::clamp(parameter(device, name, known.otherwise), known.least, known.most);
    throw InternalError("the model has no parameter " + name);
}

TimeModel blockscope_model() {
    return {"blockscope",
            "Blockscope",
            "Every resource of a processor has its time for one task: matrix unit, local memory, vector and "
            "special "
            "units, caches. The longest counts in full, of the others what does not overlap. Tasks run in "
            "waves over "
            "the processors; memory is shared by all, and what a cache holds between two reads is not read "
            "from it "
            "again; launches cost. Its free parameters are calibrated for a device, and refitted to "
            "measurements.",
            "docs/time-models.md",
            "t = launch + max(waves · (fill + max(R) + (1 − w) · (Σ R − max(R))), memory)",
            kernels};
}

}  // namespace blockscope
