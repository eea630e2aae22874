// Every sample with an exponential row by row, at every step of the algorithm: valid, equal in exact
// arithmetic, and right in doubles where the scores are in the thousands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/graph/verify.h"
#include "core/print/print.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/safety/cases.h"
#include "tests/support/samples.h"

namespace blockscope::test {

namespace {

bool has_softmax(const std::string& sample) {
    return sample_text(sample).find("softmax(") != std::string::npos;
}

std::vector<std::string> softmax_samples() {
    std::vector<std::string> names = sample_names();
    names.erase(
        std::remove_if(names.begin(), names.end(), [](const auto& name) { return !has_softmax(name); }),
        names.end());
    return names;
}

Trace trace_of(const ArrayProgram& program) {
    return fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
}

// The array program's results, stable by themselves, for inputs in [-scale, scale] at small sizes.
class Reference {
public:
    Reference(ArrayProgram program, double scale) : program_(std::move(program)) {
        program_.dims = proof_dims(program_);
        inputs_ = random_doubles(program_, 11, scale);
        outputs_ = evaluate(program_, inputs_);
    }
    // Largest difference relative to the largest reference value; infinity where not finite.
    double error(BlockProgram state) const {
        state.dims = program_.dims;
        double worst = 0;
        for (const auto& [name, found] : evaluate(state, inputs_)) {
            const std::vector<double>& expected = outputs_.at(name).data;
            double size = 0;
            for (const double x : expected) size = std::max(size, std::abs(x));
            for (std::size_t i = 0; i < expected.size(); ++i) {
                if (!std::isfinite(found.data[i])) return std::numeric_limits<double>::infinity();
                worst = std::max(worst, std::abs(found.data[i] - expected[i]) / size);
            }
        }
        return worst;
    }

private:
    ArrayProgram program_;
    Tensors<double> inputs_;
    Tensors<double> outputs_;
};

class Samples : public testing::TestWithParam<std::string> {};

TEST_P(Samples, EveryStepIsValidAndExact) {
    const Trace trace = trace_of(read_sample(GetParam()));
    const Prover prover(*trace.initial, 5);
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
            const SafeProgram safe = make_safe(*trace.state(step), sharing);
            EXPECT_EQ(safe.exponentials, 1);
            for (const Violation& violation : verify(safe.program)) FAIL() << violation.sentence;
            ASSERT_FALSE(prover.check(safe.program));
        }
    }
}

TEST_P(Samples, EveryStepIsRightForScoresInTheThousands) {
    const ArrayProgram program = read_sample(GetParam());
    const Trace trace = trace_of(program);
    for (const double scale : {1.0, 30.0, 1000.0}) {
        const Reference reference(program, scale);
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
            ASSERT_LT(reference.error(make_safe(*trace.state(step)).program), 1e-12)
                << "step " << step << ", scale " << scale;
    }
    EXPECT_FALSE(Reference(program, 1000.0).error(*trace.last()) < 1e-12) << "the unsafe form overflows";
}

TEST_P(Samples, ASecondTimeStaysRight) {
    const ArrayProgram program = read_sample(GetParam());
    const Trace trace = trace_of(program);
    const Prover prover(*trace.initial, 5);
    const Reference reference(program, 30);
    for (const BlockProgram& state : {*trace.initial, *trace.last()}) {
        const SafeProgram twice = make_safe(make_safe(state).program);
        EXPECT_TRUE(verify(twice.program).empty());
        EXPECT_FALSE(prover.check(twice.program));
        EXPECT_LT(reference.error(twice.program), 1e-12);
    }
}

INSTANTIATE_TEST_SUITE_P(Safety, Samples, testing::ValuesIn(softmax_samples()),
                         [](const auto& sample) { return test_name(sample.param); });

TEST(SafetyOfSamples, OnlySoftmaxHasAnExponentialToMakeSafe) {
    for (const std::string& name : sample_names())
        EXPECT_EQ(make_safe(*block_sample(name)).exponentials, has_softmax(name) ? 1 : 0) << name;
}

TEST(SafetyOfSamples, FusedAttentionReadsAsOnlineSoftmax) {
    const BlockProgram safe = make_safe(*trace_of(read_sample("attention")).last()).program;
    EXPECT_EQ(listing(State(safe, Form{}.as_in_paper())), R"(forall m in range(M):
  forall l in range(L):
    t1 = 0
    t2 = 0
    t3 = -inf
    for n in range(N):
      for d in range(D):
        t4 = load(Q[m,d])
        t5 = load(K[n,d])
        t6 += dot(t4,t5)
      t7 = t6*(DD**-0.5)
      t8 = row_max(t7)
      t9 = max(t3,t8)
      t10 = -t9
      t11 = row_shift(t7,t10)
      t12 = exp(t11)
      t13 = row_sum(t12)
      t14 = load(VT[l,n])
      t15 = dot(t12,t14)
      t16 = exp(t3-t9)
      t17 = t1*t16+t13
      t18 = row_scale(t2,t16)
      t19 = add(t18,t15)
      t1 = t17
      t2 = t19
      t3 = t9
    t20 = 1/t1
    t21 = row_scale(t2,t20)
    store(t21,O[m,l])
)");
}

// Every state of the algorithm's run with one iteration taken out by hand (rule 7).
TEST(SafetyOfSamples, PeeledStatesAreExactAndRightForScoresInTheThousands) {
    for (const char* name : {"attention", "causal-attention"}) {
        const ArrayProgram program = read_sample(name);
        const Trace trace = trace_of(program);
        const Prover prover(*trace.initial, 5);
        const Reference reference(program, 30);
        int peeled = 0;
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
            for (const Match& match : all_matches(*trace.state(step), {RuleId{7, 0}, {}, {}})) {
                SCOPED_TRACE(to_string(match.rule) + " after step " + std::to_string(step));
                const Step branch = checked_apply(trace.state(step), match);
                for (const BlockProgram& state : {*branch.after, *fuse(branch.after).last()}) {
                    const SafeProgram safe = make_safe(state);
                    EXPECT_TRUE(verify(safe.program).empty());
                    EXPECT_FALSE(prover.check(safe.program));
                    EXPECT_LT(reference.error(safe.program), 1e-12);
                }
                ++peeled;
            }
        EXPECT_GT(peeled, 0);
    }
}

}  // namespace

}  // namespace blockscope::test
