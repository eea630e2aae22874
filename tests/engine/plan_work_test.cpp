// What the time model reads of the engine's plan: passes, packing, parallel loops.

#include <gmock/gmock.h>

#include "core/cost/models/model.h"
#include "core/engine/cpu_program.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

Trace traced(const std::string& sample, std::int64_t size, std::int64_t block) {
    BlockProgram program = *block_sample(sample);
    for (Dim& dim : program.dims) {
        if (dim.kind != DimKind::Blocked) continue;
        dim.size = std::min(dim.size, size);
        dim.block = std::min(dim.size, block);
    }
    return fuse(std::make_shared<const BlockProgram>(program));
}

StateWork work_of(const ProgramPtr& state) {
    return engine_work(lower(*state), {ElemType::F32, ElemType::F32});
}

double elements_of(const StateWork& work, PassKind kind) {
    double sum = 0;
    for (const KernelWork& kernel : work.kernels)
        for (const PassWork& pass : kernel.passes) sum += pass.kind == kind ? pass.elements : 0;
    return sum;
}

// Every exponential of attention is one pass over its block, ragged blocks included.
TEST(PlanWork, HasEveryExponential) {
    for (const std::int64_t size : {64, 100}) {
        const Trace trace = traced("attention", size, 32);
        for (const ProgramPtr& state : {trace.initial, trace.last()}) {
            const StateWork work = work_of(state);
            double special = 0;
            for (const KernelWork& kernel : work.kernels) special += kernel.special;
            EXPECT_GT(special, 0);
            EXPECT_NEAR(elements_of(work, PassKind::Exp) / special, 1, 1e-9) << size;
        }
    }
}

// Nobody shall take the time of a stand-in for the operator's own. A transposition is no stand-in.
TEST(PlanWork, PredictionsSayWhereAStandInRuns) {
    const Device& device = *find_device(builtin_devices(), "xeon-8480");
    const auto sentences = [&](const std::string& operation) {
        const Result<ArrayProgram> array =
            parse_program("dim M = 64 / 32\ndim N = 64 / 32\ninput X[M, N]\nY = exp(X)\nZ = " + operation +
                              "\noutput O = exp(Z)\n",
                          "test.bp");
        const auto blocks = std::make_shared<const BlockProgram>(to_block_program(array.value()).program);
        std::string all;
        for (const KernelTime& kernel :
             predict(*find_time_model("blockscope"), work_of(blocks), device).kernels)
            all += kernel.sentence.str() + "\n";
        return all;
    };
    EXPECT_THAT(sentences("custom(\"sort\", Y)"), testing::HasSubstr("its time means nothing"));
    EXPECT_THAT(sentences("Y.T"), testing::Not(testing::HasSubstr("its time means nothing")));
}

// The operands of a product lie row by row and are read more than once. The first is read where it lies; the
// second, too, unless its rows are so far apart that they all want the same sets of the first-level cache.
TEST(PlanWork, HasTheInputsThatArePacked) {
    EXPECT_EQ(work_of(traced("gemm-relu", 384, 64).initial).packed_bytes, 0);
    const StateWork work = work_of(traced("gemm-relu", 512, 64).initial);
    EXPECT_EQ(work.packed_bytes, 4.0 * (512 * 512));
    EXPECT_EQ(work.packing_launches, 1);
    // Blocks that are the whole matrix are read where they lie.
    EXPECT_EQ(work_of(traced("softmax", 64, 64).initial).packed_bytes, 0);
}

// Kernels that one run calls, as the engine itself counts them: one per operation, of which elementwise ones
// may take several passes, and loads that copy nothing none.
TEST(PlanWork, CallsAtLeastTheKernelsThatRun) {
    for (const char* sample : {"attention", "gemm-relu", "rmsnorm-swiglu", "layernorm-matmul"}) {
        const Trace trace = traced(sample, 96, 32);
        for (const ProgramPtr& state : {trace.initial, trace.last()}) {
            EngineOptions options;
            options.threads = 1;
            Result<CpuProgram> program = CpuProgram::prepare(lower(*state), options);
            ASSERT_TRUE(program);
            CpuProgram running = std::move(program).value();
            const RunProfile profile = running.run_profiled();
            double products = 0;
            double calls = 0;
            for (const KernelWork& kernel : work_of(state).kernels) {
                products += kernel.calls.matrix;
                calls += kernel.engine_calls;
            }
            EXPECT_EQ(products, static_cast<double>(profile.matmul_calls)) << sample;
            EXPECT_GE(calls, static_cast<double>(profile.matmul_calls + profile.routine_calls)) << sample;
        }
    }
}

TEST(PlanWork, HasTheTasksOfTheLargestParallelLoop) {
    const StateWork work = work_of(traced("attention", 128, 32).last());
    ASSERT_EQ(work.kernels.size(), 1U);
    EXPECT_EQ(work.kernels[0].engine_tasks, 4 * 4) << "blocks of queries, and of columns of the values";
    EXPECT_EQ(work.kernels[0].engine_launches, 1);
}

}  // namespace
}  // namespace blockscope::test
