#include "app/worker/calibrate_fit.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>

#include "app/worker/calibration.h"
#include "core/cost/fit.h"
#include "core/engine/cpu_program.h"
#include "core/engine/plan_work.h"

namespace blockscope::worker {

namespace {

// Products, exponentials, rows that are normed, and what only moves numbers.
constexpr std::array kPrograms = {
    R"(dim M = 512 / 64
dim K = 512 / 64
dim N = 512 / 64
input A[M, K], B[K, N] : f32
output C = relu(A @ B)
)",
    R"(dim M = 384 / 64
dim N = 384 / 64
dim D = 64 / 64
input Q[M, D], K[N, D], V[N, D] : f32
output O = softmax(Q @ K.T * D^-0.5) @ V
)",
    R"(dim M = 512 / 32
dim D = 256 / 32
dim N = 256 / 32
input X[M, D], W[D, N] : f32
output Y = rmsnorm(X) @ W
)",
    R"(dim M = 1024 / 128
dim N = 1024 / 128
input A[M, N], B[M, N] : f32
T = A * B
output C = exp(T) + A
)",
};

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The least time of a run, warm; 0 if it cannot be run.
double run_seconds(const BlockProgram& state, double seconds) {
    Result<CpuProgram> prepared = CpuProgram::prepare(lower(state));
    if (!prepared) return 0;
    CpuProgram program = std::move(prepared).value();
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> numbers(-0.5F, 0.5F);
    for (std::size_t i = 0; i < program.inputs().size(); ++i) {
        std::vector<float> values(static_cast<std::size_t>(program.inputs()[i].elements));
        for (float& value : values) value = numbers(random);
        program.set_input(static_cast<int>(i), values);
    }
    program.run();
    double least = 0;
    const double start = now();
    while (least == 0 || now() - start < seconds) {
        const double begin = now();
        program.run();
        const double each = now() - begin;
        least = least == 0 ? each : std::min(least, each);
    }
    return least;
}

}  // namespace

Device fitted_to_programs(const Device& device, double seconds, const std::function<void()>& alive) {
    std::vector<FitSample> samples;
    for (const char* text : kPrograms)
        for (const ProgramPtr& state : unfused_and_fused(text)) {
            alive();
            const double measured = run_seconds(*state, seconds);
            if (measured > 0)
                samples.push_back({engine_work(lower(*state), {ElemType::F32, ElemType::F32}), {}, measured});
        }
    if (samples.empty()) return device;
    FitOptions options;
    options.parameters = {"overlap",    "matmul_efficiency", "simple_cycles",    "copy_cycles", "exp_cycles",
                          "row_cycles", "memory_efficiency", "cache_efficiency", "launch_scale"};
    const FitResult result = fit(device, samples, options);
    return with_parameters(device, result.parameters,
                           {kFitSource, "Fitted to programs that blockscope-cli calibrate ran", ""});
}

}  // namespace blockscope::worker
