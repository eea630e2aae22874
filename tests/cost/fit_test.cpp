// Fit and statistics: known answers, and a fit that finds the parameters that made its data.
#include "core/cost/models/fit.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/cost/models/model.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

TEST(Statistics, AreTheKnownAnswers) {
    EXPECT_NEAR(*pearson({1, 2, 3, 4}, {2, 4, 6, 8}), 1, 1e-12);
    EXPECT_NEAR(*pearson({1, 2, 3}, {3, 2, 1}), -1, 1e-12);
    EXPECT_NEAR(*pearson({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}), 0.8, 1e-12);
    EXPECT_NEAR(*spearman({1, 10, 100, 1000}, {1, 2, 3, 4}), 1, 1e-12);
    EXPECT_NEAR(
        *spearman({106, 86, 100, 101, 99, 103, 97, 113, 112, 110}, {7, 0, 27, 50, 28, 29, 20, 12, 6, 17}),
        -29.0 / 165, 1e-12);
    EXPECT_THAT(ranks({5, 1, 5, 7}), testing::ElementsAre(2.5, 1, 2.5, 4));
    EXPECT_NEAR(*mean_absolute_percentage_error({90, 110, 150}, {100, 100, 100}), 0.7 / 3, 1e-12);
    EXPECT_NEAR(*top1_regret({1, 2, 3}, {12, 10, 20}), 0.2, 1e-12);
    EXPECT_NEAR(*top1_regret({1, 1, 3}, {10, 15, 20}), 0.5, 1e-12);
    EXPECT_EQ(*top1_regret({3, 1}, {2, 1}), 0);
}

TEST(Statistics, KnowWhenThereIsNoAnswer) {
    EXPECT_FALSE(pearson({1}, {1}));
    EXPECT_FALSE(pearson({1, 1}, {1, 2}));
    EXPECT_FALSE(mean_absolute_percentage_error({}, {}));
    EXPECT_FALSE(top1_regret({}, {}));
    const Agreement a = agreement({1, 2, 3, NAN}, {1, 2, 0, 4});
    EXPECT_EQ(a.count, 2U);
    EXPECT_EQ(*a.error, 0);
}

Device local() {
    return *find_device(builtin_devices(), "xeon-8480");
}

std::vector<FitSample> samples_for(const Device& truth, double noise) {
    std::vector<FitSample> samples;
    int i = 0;
    for (const char* name : {"attention", "gemm-relu", "rmsnorm-swiglu", "layernorm-matmul", "mcfuser-g4"})
        for (const std::int64_t block : {16, 64}) {
            BlockProgram program = *block_sample(name);
            for (Dim& dim : program.dims) {
                if (dim.kind != DimKind::Blocked) continue;
                dim.size = std::min<std::int64_t>(dim.size, 512);
                dim.block = std::min(dim.size, block);
            }
            const Trace trace = fuse(std::make_shared<BlockProgram>(program));
            for (const ProgramPtr& state : {trace.initial, trace.last()}) {
                FitSample sample;
                sample.work = state_work(lower(*state), {std::nullopt, ElemType::F32});
                sample.setting.processors = 2;
                sample.seconds =
                    predict(*find_time_model("blockscope"), sample.work, truth, sample.setting).seconds *
                    std::exp(noise * std::sin(static_cast<double>(++i) * 7));
                samples.push_back(std::move(sample));
            }
        }
    return samples;
}

TEST(Fit, FindsTheParametersThatMadeTheTimes) {
    const Source source{kFitSource, "fit", ""};
    const Device truth = with_parameters(
        local(), {{"matmul_efficiency", {0.6, kFitSource, ""}}, {"call", {2e-7, kFitSource, ""}}}, source);
    FitOptions options;
    options.parameters = {"matmul_efficiency", "call"};
    options.hold = 1e-6;
    const FitResult result = fit(local(), samples_for(truth, 0), options);
    ASSERT_EQ(result.parameters.size(), 2U);
    EXPECT_NEAR(result.parameters[0].figure.value, 0.6, 0.006);
    EXPECT_NEAR(result.parameters[1].figure.value / 2e-7, 1, 0.02);
    EXPECT_GT(*result.before.error, 0.2);
    EXPECT_LT(*result.after.error, 0.005);
}

TEST(Fit, OfAllParametersIsNeverWorseInLogTime) {
    const Source source{kFitSource, "fit", ""};
    const Device truth = with_parameters(
        local(), {{"overlap", {0.1, kFitSource, ""}}, {"simple_cycles", {20, kFitSource, ""}}}, source);
    const FitResult result = fit(local(), samples_for(truth, 0.1));
    EXPECT_LT(*result.after.error, *result.before.error);
    EXPECT_LT(*result.after.error, 0.12);
    EXPECT_EQ(result.samples, 20U);
    for (const Parameter& p : result.parameters) {
        EXPECT_TRUE(p.figure.known()) << p.name;
        EXPECT_EQ(p.figure.source, kFitSource);
    }
    const Device fitted = with_parameters(local(), result.parameters, source);
    EXPECT_TRUE(read_device(write_json(fitted), "fitted"));
}

TEST(Fit, WithoutMeasurementsLeavesAllAsItIs) {
    const FitResult result = fit(local(), {});
    EXPECT_EQ(result.samples, 0U);
    for (const Parameter& p : result.parameters)
        EXPECT_NEAR(p.figure.value, blockscope_parameter(local(), p.name), 1e-9 + 1e-12);
}

}  // namespace
}  // namespace blockscope::test
