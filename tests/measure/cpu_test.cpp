// The processor itself as a device: what the engine computes passes the check, in both types, sampled or
// whole.
#include <gmock/gmock.h>

#include <set>

#include "app/worker/serve.h"
#include "core/fusion/trace.h"
#include "core/loops/loop_program.h"
#include "core/safety/safety.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace measure;

class CpuDevice : public testing::Test {
protected:
    // The answer to checking this program.
    AnswerBody checked(const ProgramPtr& program, const ArrayProgram& reference, ElemType elem) {
        const auto progress = [](const std::string&, int, int) { return true; };
        const AnswerBody prepared =
            jobs_.answer(PrepareRequest{"cpu", program, reference, {elem, 0}, 5}, progress);
        if (const auto* failure = std::get_if<Failure>(&prepared)) return *failure;
        const std::string job = std::get<PreparedAnswer>(prepared).job;
        AnswerBody answer = jobs_.answer(CheckRequest{job}, progress);
        jobs_.answer(ReleaseRequest{job}, progress);
        return answer;
    }

    worker::Jobs jobs_{worker::local_backends(-1)};
};

TEST_F(CpuDevice, ComputesEverySnapshotOfTheExamples) {
    for (const char* name : {"attention", "layernorm-matmul", "rmsnorm-swiglu", "gqa", "softmax"}) {
        ArrayProgram array = read_sample(name);
        for (Dim& dim : array.dims) {
            dim.size = dim.kind == DimKind::Blocked ? 80 : std::min<std::int64_t>(dim.size, 2);
            dim.block = dim.kind == DimKind::Blocked ? 32 : 1;
        }
        BlockProgram blocks = *block_sample(name);
        blocks.dims = array.dims;
        const Trace trace = fuse(std::make_shared<const BlockProgram>(blocks));
        std::vector<int> steps = trace.snapshots;
        steps.push_back(0);
        for (const int step : steps) {
            for (const ElemType elem : {ElemType::F32, ElemType::BF16}) {
                const AnswerBody answer = checked(trace.state(step), array, elem);
                const auto* result = std::get_if<CheckedAnswer>(&answer);
                ASSERT_TRUE(result) << name << " after step " << step << ": "
                                    << std::get<Failure>(answer).message;
                EXPECT_TRUE(result->check.repeatable) << name;
                EXPECT_LT(result->check.error, 2e-5) << name << ' ' << to_string(elem);
            }
        }
    }
}

TEST_F(CpuDevice, AProgramThatMemoryDoesNotHoldIsOutOfMemory) {
    ArrayProgram array = read_sample("softmax");
    for (Dim& dim : array.dims) dim.size = 50'000'000;
    BlockProgram blocks = *block_sample("softmax");
    blocks.dims = array.dims;
    const AnswerBody answer = checked(std::make_shared<const BlockProgram>(blocks), array, ElemType::F32);
    const auto* failure = std::get_if<Failure>(&answer);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->cls, FailureClass::OutOfMemory) << failure->message;
}

// Measured warm, each top-level operator has a time of its own, too.
TEST_F(CpuDevice, TimesTopLevelOperators) {
    ArrayProgram array = read_sample("attention");
    for (Dim& dim : array.dims) dim = {dim.name, 64, 32, dim.kind};
    BlockProgram blocks = *block_sample("attention");
    blocks.dims = array.dims;
    const auto program = std::make_shared<const BlockProgram>(blocks);
    const auto progress = [](const std::string&, int, int) { return true; };
    const AnswerBody prepared = jobs_.answer(PrepareRequest{"cpu", program, array, {}, 5}, progress);
    const std::string job = std::get<PreparedAnswer>(prepared).job;
    ASSERT_TRUE(std::holds_alternative<CheckedAnswer>(jobs_.answer(CheckRequest{job}, progress)));
    const SamplingPlan plan{1, 0, 25, 0, 20};
    std::set<std::string> phases;
    const auto watch = [&](const std::string& phase, int, int) { return phases.insert(phase), true; };
    const AnswerBody warm = jobs_.answer(MeasureRequest{job, true, false, plan}, watch);
    const std::vector<double>& kernels = std::get<MeasuredAnswer>(warm).kernels;
    EXPECT_EQ(kernels.size(), lower(*program).body.size());
    for (const double seconds : kernels) EXPECT_GT(seconds, 0);
    EXPECT_TRUE(phases.count("operators") > 0);
    const AnswerBody cold = jobs_.answer(MeasureRequest{job, false, true, plan}, progress);
    EXPECT_TRUE(std::get<MeasuredAnswer>(cold).kernels.empty()) << "of cold runs the whole is timed";
    const auto stop = [](const std::string& phase, int, int) { return phase != "operators"; };
    const AnswerBody stopped = jobs_.answer(MeasureRequest{job, true, false, plan}, stop);
    ASSERT_TRUE(std::holds_alternative<Failure>(stopped));
    EXPECT_EQ(std::get<Failure>(stopped).cls, FailureClass::Cancelled);
}

TEST_F(CpuDevice, AWrongProgramIsAMismatch) {
    ArrayProgram array = read_sample("attention");
    for (Dim& dim : array.dims) dim = {dim.name, 64, 32, dim.kind};
    BlockProgram blocks = *block_sample("attention");
    blocks.dims = array.dims;
    // Another reference: one that scales by another power.
    for (ArrayOp& op : array.ops)
        if (op.kind == ArrayOpKind::Elementwise) op.expr = arg(0);
    const AnswerBody answer = checked(std::make_shared<const BlockProgram>(blocks), array, ElemType::F32);
    const auto* failure = std::get_if<Failure>(&answer);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->cls, FailureClass::Mismatch) << failure->message;
}

TEST_F(CpuDevice, SampledRowsAreCheckedToo) {
    ArrayProgram array = read_sample("rmsnorm-swiglu");
    for (Dim& dim : array.dims) dim = {dim.name, 64, 32, dim.kind};
    BlockProgram blocks = *block_sample("rmsnorm-swiglu");
    blocks.dims = array.dims;
    const Tensors<double> inputs = random_inputs(blocks, ElemType::F32, 1);
    const auto expected = expected_outputs(array, inputs, 1, 2e5);
    ASSERT_TRUE(expected) << expected.failure().message;
    EXPECT_THAT(expected->how, testing::StartsWith("6 of 64 rows along M (384 elements, in every block"));
}

}  // namespace
}  // namespace blockscope::test
