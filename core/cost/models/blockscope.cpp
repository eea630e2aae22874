// Blockscope's own model: its entry, and its free parameters.
#include <algorithm>
#include <array>

#include "core/cost/models/model.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

std::vector<KernelTime> predicted_kernels(const ModelInput& input) {
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
        {"columns_32", "share of that which warpgroup instructions of 32 to 63 columns reach", 1, 0.05, 1},
        {"columns_16", "the same of 16 to 31 columns", 1, 0.05, 1},
        {"columns_8", "the same of fewer columns", 1, 0.05, 1},
        {"vector_efficiency", "share of the vector units' slots that do counted operations", 0.6, 0.05, 1},
        {"special_efficiency", "share of the special function peak", 0.9, 0.05, 1},
        {"memory_efficiency", "share of the memory bandwidth that streams reach", 0.88, 0.3, 1},
        {"l2_efficiency", "share of the L2 bandwidth", 0.9, 0.2, 1},
        {"atomic_efficiency", "share of the L2 bandwidth at which atomics add numbers", 0.5, 0.01, 1},
        {"l2_share", "share of the L2 that holds what is read again", 0.6, 0.1, 1},
        {"fill", "seconds until a thread block has its first operands", 1e-6, 1e-8, 2e-5},
        {"launch_scale", "factor on the device's launch cost", 1, 0.1, 10},
    };
}

// Fitted on two cores of a Xeon with AVX-512, when there were 36 samples with 603 states, for whoever has not
// calibrated; docs/devices.md says how well the model does. Cycles are those of a vector register of results,
// operands on their way included.
std::vector<ModelParameter> cpu_parameters() {
    return {
        {"overlap", "how much of the shorter resources' time hides behind the longest: 0 nothing, 1 all",
         0.65, 0, 1},
        {"matmul_efficiency", "factor on the rate of block products (measured ones, or peak)", 0.7, 0.1, 1.3},
        {"matmul_half", "side of a block product at which half of the rate is reached, without measured ones",
         1.5, 0.01, 64},
        {"simple_cycles", "cycles of a vector of sums, products, maxima", 4.5, 0.1, 100},
        {"divide_cycles", "cycles of a vector of quotients or square roots", 11, 0.5, 400},
        {"exp_cycles", "cycles of a vector of exponentials", 10, 0.5, 400},
        {"log_cycles", "cycles of a vector of logarithms", 24, 0.5, 400},
        {"tanh_cycles", "cycles of a vector of hyperbolic tangents", 32, 0.5, 800},
        {"erf_cycles", "cycles of a vector of error functions", 28, 0.5, 800},
        {"slow_cycles", "cycles of a sine or power, which are computed one by one", 30, 1, 1000},
        {"fold_cycles", "cycles of a vector that is added up", 1.2, 0.1, 100},
        {"copy_cycles", "cycles of a vector that is copied", 8.5, 0.1, 100},
        {"transpose_cycles", "cycles of a vector that is transposed", 6.5, 0.1, 400},
        {"opaque_cycles", "cycles of an element of a miscellaneous operator's stand-in", 40, 1, 10000},
        {"row_cycles", "cycles until a pass is under way in a row", 5, 0.1, 200},
        {"memory_efficiency", "share of the memory bandwidth that streams reach", 0.65, 0.1, 1.2},
        {"cache_efficiency", "share of the caches' bandwidths", 0.7, 0.05, 1.2},
        {"cache_share", "share of a cache that holds what is read again", 0.7, 0.1, 1},
        {"call", "seconds that calling one block kernel costs", 3e-8, 1e-9, 2e-6},
        {"write_allocate", "bytes that a stored byte moves, as its line is read first", 2, 1, 2},
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

Text formula_on(const TimeModel& model, const Device& device) {
    if (model.kernels != predicted_kernels || device.kind == DeviceKind::Gpu) return model.formula;
    return Text(
        "t = launch + tasks + busy + idle,  busy = max(R) + (1 − w) · (Σ R − max(R)),  R = {matrix + vector "
        "+ special + moves + calls, L2, L3, memory}");
}

TimeModel blockscope_model() {
    return {.name = "blockscope",
            .title = Text("Blockscope"),
            .explanation =
                Text("Every resource of a processor has its time for one task: matrix unit, local memory, "
                     "vector and special units, caches. The longest counts in full, of the others what does "
                     "not overlap. Tasks run in waves over the processors; memory is shared by all, and what "
                     "a cache holds between two reads is not read from it again; launches cost. Its free "
                     "parameters are calibrated for a device, and refitted to measurements."),
            .reference = "docs/devices.md",
            .formula = Text("t = launch + fill + max(busy + idle, L2, memory),  busy = max(R) + (1 − w) · (Σ "
                            "R − max(R)),  R = {max(matrix, shared), vector + special}"),
            .kernels = predicted_kernels};
}

}  // namespace blockscope
