// Every step of every sample: well formed, proven in exact arithmetic, and its listing executed;
// the same for the numerically safe forms.
#include <gmock/gmock.h>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/safety/safety.h"
#include "core/state/state.h"
#include "tests/support/listing_check.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

class Sample : public testing::TestWithParam<std::string> {
protected:
    ProgramPtr initial_ = block_sample(GetParam());
    DimTable dims_ = proof_dims(initial_->dims);
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

TEST_P(Sample, EveryListingRuns) {
    const Trace trace = fuse(initial_);
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
        EXPECT_EQ(reader::check_listing(*trace.state(step), dims_, 7), "") << "step " << step;
}

TEST_P(Sample, SafeFormsAreProvenAndTheirListingsRun) {
    const Prover prover(*initial_, 2);
    const Trace trace = fuse(initial_);
    std::vector<int> steps = trace.snapshots;
    steps.push_back(0);
    for (const int step : steps) {
        for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
            const SafeProgram safe = make_safe(*trace.state(step), sharing);
            EXPECT_TRUE(verify(safe.program).empty()) << "step " << step;
            EXPECT_FALSE(prover.check(safe.program)) << "step " << step << "\n" << listing(safe.program);
            EXPECT_EQ(reader::check_listing(safe.program, dims_, 7), "") << "step " << step;
        }
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
