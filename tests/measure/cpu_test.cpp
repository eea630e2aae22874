// The processor itself as a device: what the engine computes passes the check, in both types, sampled or
// whole.
#include <gmock/gmock.h>

#include "app/worker/jobs.h"
#include "app/worker/serve.h"
#include "core/fusion/trace.h"
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
