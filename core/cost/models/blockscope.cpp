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

// Each row takes two or three lines.
// clang-format off

std::vector<ModelParameter> gpu_parameters() {
    return {
        {.name = "overlap",
         .meaning = "how much of the shorter resources' time hides behind the longest: 0 nothing, 1 all",
         .otherwise = 0.3, .least = 0, .most = 1},
        {.name = "clock", .meaning = "sustained clock as a share of the stated one",
         .otherwise = 0.93, .least = 0.3, .most = 1.1},
        {.name = "matrix_efficiency", .meaning = "share of the matrix peak that large products reach",
         .otherwise = 0.9, .least = 0.2, .most = 1},
        {.name = "narrow_efficiency",
         .meaning = "the same of the 16-row instruction, for products too narrow for others",
         .otherwise = 0.9, .least = 0.1, .most = 1},
        {.name = "columns_32",
         .meaning = "share of that which warpgroup instructions of 32 to 63 columns reach",
         .otherwise = 1, .least = 0.05, .most = 1},
        {.name = "columns_16", .meaning = "the same of 16 to 31 columns",
         .otherwise = 1, .least = 0.05, .most = 1},
        {.name = "columns_8", .meaning = "the same of fewer columns",
         .otherwise = 1, .least = 0.05, .most = 1},
        {.name = "vector_efficiency",
         .meaning = "share of the vector units' slots that do counted operations",
         .otherwise = 0.6, .least = 0.05, .most = 1},
        {.name = "special_efficiency", .meaning = "share of the special function peak",
         .otherwise = 0.9, .least = 0.05, .most = 1},
        {.name = "memory_efficiency", .meaning = "share of the memory bandwidth that streams reach",
         .otherwise = 0.88, .least = 0.3, .most = 1},
        {.name = "l2_efficiency", .meaning = "share of the L2 bandwidth",
         .otherwise = 0.9, .least = 0.2, .most = 1},
        {.name = "atomic_efficiency", .meaning = "share of the L2 bandwidth at which atomics add numbers",
         .otherwise = 0.5, .least = 0.01, .most = 1},
        {.name = "l2_share", .meaning = "share of the L2 that holds what is read again",
         .otherwise = 0.6, .least = 0.1, .most = 1},
        {.name = "fill", .meaning = "seconds until a thread block has its first operands",
         .otherwise = 1e-6, .least = 1e-8, .most = 2e-5},
        {.name = "launch_scale", .meaning = "factor on the device's launch cost",
         .otherwise = 1, .least = 0.1, .most = 10},
    };
}

// Fitted on two cores of a Xeon with AVX-512, when there were 36 samples with 603 states, for whoever has not
// calibrated; docs/devices.md says how well the model does. Cycles are those of a vector register of results,
// operands on their way included.
std::vector<ModelParameter> cpu_parameters() {
    return {
        {.name = "overlap",
         .meaning = "how much of the shorter resources' time hides behind the longest: 0 nothing, 1 all",
         .otherwise = 0.65, .least = 0, .most = 1},
        {.name = "matmul_efficiency",
         .meaning = "factor on the rate of block products (measured ones, or peak)",
         .otherwise = 0.7, .least = 0.1, .most = 1.3},
        {.name = "matmul_half",
         .meaning = "side of a block product at which half of the rate is reached, without measured ones",
         .otherwise = 1.5, .least = 0.01, .most = 64},
        {.name = "simple_cycles", .meaning = "cycles of a vector of sums, products, maxima",
         .otherwise = 4.5, .least = 0.1, .most = 100},
        {.name = "divide_cycles", .meaning = "cycles of a vector of quotients or square roots",
         .otherwise = 11, .least = 0.5, .most = 400},
        {.name = "exp_cycles", .meaning = "cycles of a vector of exponentials",
         .otherwise = 10, .least = 0.5, .most = 400},
        {.name = "log_cycles", .meaning = "cycles of a vector of logarithms",
         .otherwise = 24, .least = 0.5, .most = 400},
        {.name = "tanh_cycles", .meaning = "cycles of a vector of hyperbolic tangents",
         .otherwise = 32, .least = 0.5, .most = 800},
        {.name = "erf_cycles", .meaning = "cycles of a vector of error functions",
         .otherwise = 28, .least = 0.5, .most = 800},
        {.name = "slow_cycles", .meaning = "cycles of a sine or power, which are computed one by one",
         .otherwise = 30, .least = 1, .most = 1000},
        {.name = "fold_cycles", .meaning = "cycles of a vector that is added up",
         .otherwise = 1.2, .least = 0.1, .most = 100},
        {.name = "copy_cycles", .meaning = "cycles of a vector that is copied",
         .otherwise = 8.5, .least = 0.1, .most = 100},
        {.name = "transpose_cycles", .meaning = "cycles of a vector that is transposed",
         .otherwise = 6.5, .least = 0.1, .most = 400},
        {.name = "opaque_cycles", .meaning = "cycles of an element of a miscellaneous operator's stand-in",
         .otherwise = 40, .least = 1, .most = 10000},
        {.name = "row_cycles", .meaning = "cycles until a pass is under way in a row",
         .otherwise = 5, .least = 0.1, .most = 200},
        {.name = "memory_efficiency", .meaning = "share of the memory bandwidth that streams reach",
         .otherwise = 0.65, .least = 0.1, .most = 1.2},
        {.name = "cache_efficiency", .meaning = "share of the caches' bandwidths",
         .otherwise = 0.7, .least = 0.05, .most = 1.2},
        {.name = "cache_share", .meaning = "share of a cache that holds what is read again",
         .otherwise = 0.7, .least = 0.1, .most = 1},
        {.name = "call", .meaning = "seconds that calling one block kernel costs",
         .otherwise = 3e-8, .least = 1e-9, .most = 2e-6},
        {.name = "write_allocate", .meaning = "bytes that a stored byte moves, as its line is read first",
         .otherwise = 2, .least = 1, .most = 2},
        {.name = "launch_scale", .meaning = "factor on the device's launch cost",
         .otherwise = 1, .least = 0.1, .most = 10},
    };
}

// clang-format on

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
