// Every state of every sample, and of random programs, run by the engine.
#include <gtest/gtest.h>

#include <cmath>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/engine/engine_check.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

EngineOptions with(int threads, Precision precision = Precision::F32) {
    EngineOptions options;
    options.threads = threads;
    options.precision = precision;
    return options;
}

struct Case {
    DimTable dims;
    EngineOptions options;
};

class SampleStates : public testing::TestWithParam<std::string> {
protected:
    SampleStates() : array_(read_sample(GetParam())), trace_(fuse(block_sample(GetParam()))) {}

    void check(const BlockProgram& state, const Case& one) {
        const ArrayProgram program = sized(array_, one.dims);
        const Tensors<double> inputs = rounded(random_doubles(program, 11), one.options.precision);
        ASSERT_EQ(check_engine(sized(state, one.dims), inputs, evaluate(program, inputs), one.options), "");
    }

    const ArrayProgram array_;
    const Trace trace_;
};

TEST_P(SampleStates, EveryStepAtTinySizes) {
    const Case one{proof_dims(array_), with(2)};
    for (int step = 0; step <= static_cast<int>(trace_.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        ASSERT_NO_FATAL_FAILURE(check(*trace_.state(step), one));
    }
}

TEST_P(SampleStates, EverySnapshotSafeOrNotInBothPrecisionsOnOneAndTwoThreads) {
    const DimTable dims = fitted(vector_dims(array_.dims), array_);
    for (const int step : trace_.snapshots) {
        SCOPED_TRACE("snapshot after step " + std::to_string(step));
        const BlockProgram& state = *trace_.state(step);
        ASSERT_NO_FATAL_FAILURE(check(state, {dims, with(1)}));
        ASSERT_NO_FATAL_FAILURE(check(state, {dims, with(2, Precision::BF16)}));
        for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
            SCOPED_TRACE(sharing == SharedExponent::PerRow ? "safe by row" : "safe by block");
            const SafeProgram safe = make_safe(state, sharing);
            if (safe.exponentials == 0) continue;
            ASSERT_NO_FATAL_FAILURE(check(safe.program, {dims, with(2)}));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleStates, testing::ValuesIn(distinct_samples()),
                         [](const auto& test) { return test_name(test.param); });

// Whether the results are numbers (some random programs divide by 0) and fit float32, squared on the way
// perhaps.
bool small(const Tensors<double>& arrays) {
    for (const auto& [name, array] : arrays)
        for (const double value : array.data)
            if (!(std::abs(value) < 1e15)) return false;
    return true;
}

TEST(RandomPrograms, FirstAndLastStatesSafeOrNot) {
    int checked = 0;
    for (std::uint64_t seed = 1; checked < 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const ArrayProgram array = random_array_program(seed);
        const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(array).program));
        const Tensors<double> inputs = rounded(random_doubles(array, seed), Precision::F32);
        const Tensors<double> expected = evaluate(array, inputs);
        if (!small(expected)) continue;
        ++checked;
        // Where exponentials are not safe, a row that a mask hides altogether is 0/0.
        for (const int step : {0, static_cast<int>(trace.steps.size())}) {
            if (!small(evaluate(*trace.initial, inputs))) break;
            ASSERT_EQ(check_engine(*trace.state(step), inputs, expected, with(2), 1e-4), "") << step;
        }
        ASSERT_EQ(check_engine(make_safe(*trace.last()).program, inputs, expected, with(1), 1e-4), "");
    }
}

TEST(RandomBlockPrograms, GiveWhatTheReferenceGives) {
    int checked = 0;
    for (std::uint64_t seed = 1; checked < 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const BlockProgram program = random_block_program(seed);
        const Tensors<double> inputs = rounded(random_doubles(program, seed), Precision::F32);
        const Tensors<double> expected = evaluate(program, inputs);
        if (!small(expected)) continue;
        ASSERT_EQ(check_engine(program, inputs, expected, with(2), 1e-4), "");
        ++checked;
    }
}

}  // namespace
}  // namespace blockscope::test
