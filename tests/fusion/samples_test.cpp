// Every step of every sample: well formed and proven in exact arithmetic. tests/loops executes their
// listings, tests/safety proves their safe forms.
#include <gmock/gmock.h>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/state/state.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

class Sample : public testing::TestWithParam<std::string> {
protected:
    ProgramPtr initial_ = block_sample(GetParam());
    DimTable dims_ = proof_dims(*initial_);
};

TEST_P(Sample, EveryStepIsProven) {
    const ArrayProgram source = read_sample(GetParam());
    EXPECT_FALSE(compare_exact(source, *initial_, dims_, 1));
    const Prover prover(*initial_, 1);
    const Trace trace = fuse(initial_);
    for (int step = 1; step <= static_cast<int>(trace.steps.size()); ++step) {
        EXPECT_TRUE(verify(*trace.state(step)).empty()) << "step " << step;
        EXPECT_FALSE(prover.check(*trace.state(step))) << "step " << step << "\n"
                                                       << listing(*trace.state(step));
    }
}

TEST_P(Sample, ReplaysToTheSameProgram) {
    const Trace trace = fuse(initial_);
    EXPECT_TRUE(identical(*replay(trace).last()->graph, *trace.last()->graph));
}

INSTANTIATE_TEST_SUITE_P(All, Sample, testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return test_name(sample.param); });

}  // namespace
}  // namespace blockscope::test
