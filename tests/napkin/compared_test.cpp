// A kernel's schedule beside the costs page: both count the same products and exponentials at the same peak
// rates, and what lies between their times is told term by term.
#include "core/napkin/compared.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/fusion/trace.h"
#include "core/safety/safety.h"
#include "core/state/state.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

struct Both {
    Study study;
    Prediction predicted;
    ComparedTimes compared;
    StateWork work;
};

// The last state in its safe form, in blocks of the parts that the kernel streams.
State in_parts_of(const WarpgroupKernel& kernel, const std::string& sample) {
    const State state(sample_trace(sample).last(), safe_form(true));
    DimTable dims = state.program()->dims;
    for (Dim& dim : dims)
        if (const auto part = kernel.configuration.sizes.find("u_" + dim.name);
            part != kernel.configuration.sizes.end() && dim.kind == DimKind::Blocked)
            dim.block = static_cast<std::int64_t>(part->second);
    return state.with_dims(dims);
}

Both compared(const std::string& sample, const std::string& on, const StudyOptions& options = {}) {
    Result<Study> made = study(separated(flow_of(read_sample(sample))), device(on), options);
    if (!made || !made->kernel) throw std::runtime_error("no kernel of " + sample + " on " + on);
    const State state = in_parts_of(*made->kernel, sample);
    Prediction predicted = predict(*find_time_model("blockscope"), state.work(), device(on));
    ComparedTimes times = compared_with_costs(*made->kernel, made->flow, predicted, device(on));
    return {*std::move(made), std::move(predicted), std::move(times), state.work()};
}

const ComparedTerm& term(const std::vector<ComparedTerm>& terms, const char* name) {
    for (const ComparedTerm& one : terms)
        if (one.name == name) return one;
    throw std::runtime_error(std::string("no term ") + name);
}

struct SharedCase {
    std::string sample, device;
};

void PrintTo(const SharedCase& c, std::ostream* stream) {
    *stream << c.sample << " on " << c.device;
}

std::vector<SharedCase> shared_cases() {
    std::vector<SharedCase> cases;
    for (const char* sample : {"attention", "multihead-attention", "gqa", "biased-attention", "matmul",
                               "gemm-relu", "layernorm-matmul", "rmsnorm-matmul"})
        for (const char* device : {"h100-sxm5", "a100-sxm-80gb", "l4", "h200"})
            cases.push_back({sample, device});
    return cases;
}

class SharedTerms : public testing::TestWithParam<SharedCase> {};

TEST_P(SharedTerms, AreEqualOnBothPages) {
    const Both both = compared(GetParam().sample, GetParam().device);
    const Device& on = device(GetParam().device);
    const ComparedTerm& products = term(both.compared.parts, "products at peak");
    // What the costs page has, by its own counts: operations over the device's peak.
    double peak = 0;
    for (const KernelWork& kernel : both.work.kernels) peak += unit_seconds(kernel, on, false).matrix;
    EXPECT_DOUBLE_EQ(products.costs, peak);
    // Makers round the peaks that they state. A small card's kernel does again what it has no room for.
    const double repeats = both.study.kernel->repeats;
    EXPECT_NEAR(products.here / products.costs / repeats, 1, 2e-3);
    EXPECT_EQ(products.why == "the same products at the same peak", repeats < 1.001) << products.why;
    // Both times are made of their terms.
    double here = 0, costs = 0;
    for (const ComparedTerm& part : both.compared.parts) {
        EXPECT_GE(part.costs, -1e-9 * both.compared.costs) << part.name;
        here += part.here;
        costs += part.costs;
    }
    // What is left over is the time in which transfers take longer than everything on the chip.
    double waits = 0;
    for (const KernelTime& kernel : both.predicted.kernels) {
        const double fill = seconds_of(kernel.terms, "fill");
        const double on_chip = fill + kernel.busy + seconds_of(kernel.terms, "idle");
        const double transfers =
            std::max(seconds_of(kernel.terms, "L2"), seconds_of(kernel.terms, "memory")) + fill;
        waits += std::max(0.0, transfers - on_chip);
    }
    EXPECT_NEAR(term(both.compared.parts, "memory and caches").costs, waits, 1e-9 * both.compared.costs);
    EXPECT_NEAR(here / both.compared.here, 1, 1e-9);
    EXPECT_NEAR(costs / both.predicted.seconds, 1, 1e-9);
    EXPECT_DOUBLE_EQ(both.compared.costs, both.predicted.seconds);
}

TEST_P(SharedTerms, AreOfTheSameRatesPerClock) {
    const Both both = compared(GetParam().sample, GetParam().device);
    const Device& on = device(GetParam().device);
    for (const PipelineWork& work : both.study.kernel->clocks.pipelines)
        EXPECT_EQ(work.rate, rate_per_clock(on, work.unit, work.elem)) << work.operation;
    double special = 0;
    for (const KernelWork& kernel : both.work.kernels) special += kernel.special;
    const double clock = on.clock.value * on.processors.value;
    const double seconds = special / rate_per_clock(on, Unit::Special, ElemType::F32) / clock;
    const std::vector<ComparedTerm>& units = both.compared.units;
    const bool has_row = std::any_of(units.begin(), units.end(),
                                     [](const auto& one) { return one.name == "special functions"; });
    EXPECT_EQ(has_row, special > 0) << "a row of what neither has says nothing";
    if (has_row) {
        EXPECT_NEAR(term(units, "special functions").costs, seconds, 1e-9 * seconds);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, SharedTerms, testing::ValuesIn(shared_cases()), [](const auto& row) {
    return test_name(row.param.sample + " on " + row.param.device);
});

// One exponential of each score, and one of each row and part of the stream: in both.
TEST(ComparedTimes, CountTheSameExponentialsInTheSameParts) {
    for (const char* sample : {"attention", "multihead-attention", "gqa", "biased-attention"}) {
        const Both both = compared(sample, "h100-sxm5");
        const ComparedTerm& functions = term(both.compared.units, "special functions");
        EXPECT_EQ(functions.why, "the same functions; the prediction has the clock of these units") << sample;
        EXPECT_NEAR(functions.here / functions.costs, 1.98 / 1.83, 1e-3) << sample;
    }
}

// Tensor cores are busy all the time in the schedule; the costs page has them wait, run below their peak, and
// thread blocks begin and end.
TEST(ComparedTimes, SayWhyTensorCoresAreBusyHereAndIdleThere) {
    const Both both = compared("multihead-attention", "h100-sxm5");
    EXPECT_NEAR(both.study.kernel->utilisation, 1, 1e-9);
    EXPECT_NEAR(both.compared.here, 1.11e-3, 0.01e-3);
    EXPECT_GT(both.compared.costs, 1.5 * both.compared.here);
    EXPECT_NEAR(term(both.compared.parts, "tensor cores wait").here, 0, 1e-9);
    EXPECT_GT(term(both.compared.parts, "tensor cores wait").costs, 0.2 * both.compared.costs);
    EXPECT_GT(term(both.compared.parts, "below the peak").costs, 0);
}

TEST(ComparedTimes, SayWhatMasksHide) {
    const Both both = compared("causal-attention", "h100-sxm5");
    const ComparedTerm& products = term(both.compared.parts, "products at peak");
    // 32 blocks of rows and 64 of keys, twice as many as rows: row r sees 2 (r + 1) of them.
    EXPECT_NEAR(products.costs / products.here, 33.0 / 64, 1e-4);
    EXPECT_THAT(products.why.str(), testing::HasSubstr("leaves out blocks that its mask hides"));
}

// What a split reduction adds has a row of its own, and is in no other.
TEST(ComparedParts, OfReductionsStandByThemselves) {
    const Both plain = compared("matmul", "h100-sxm5");
    Prediction split = plain.predicted;
    split.kernels.front().terms.push_back({"combine", 3e-6});
    split.kernels.front().terms.push_back({"again", 2e-6});
    split.kernels.front().terms.push_back({"atomics", 1e-6});
    split.kernels.front().seconds += 6e-6;
    const ComparedTimes times =
        compared_with_costs(*plain.study.kernel, plain.study.flow, split, device("h100-sxm5"));
    EXPECT_DOUBLE_EQ(term(times.parts, "parts of reductions").costs, 6e-6);
    for (const ComparedTerm& one : plain.compared.parts)
        EXPECT_NEAR(term(times.parts, one.name.str().c_str()).costs, one.costs, 1e-12) << one.name.str();
}

// No unit that neither has, and no reason that is of softmax where there is none.
TEST(ComparedReasons, AreOfTheProgramAtHand) {
    EXPECT_TRUE(compared("matmul", "h100-sxm5").compared.units.empty());
    const Both relu = compared("gemm-relu", "h100-sxm5");
    EXPECT_THAT(term(relu.compared.units, "vector operations").why.str(),
                testing::Not(testing::HasSubstr("maxima")));
    const Both attention = compared("attention", "h100-sxm5");
    EXPECT_THAT(term(attention.compared.units, "vector operations").why.str(), testing::HasSubstr("maxima"));
}

}  // namespace
}  // namespace blockscope::test
