// Predicted times, on cards and processors, that are worked out part by part are those of the whole states,
// to the last bit.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/worker/predict.h"
#include "core/json/device_files.h"
#include "core/program/convert.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"
#include "tests/support/side_by_side.h"

namespace blockscope::test {
namespace {

RunStates side_by_side_run(const std::vector<ArrayProgram>& programs) {
    return states_of(
        fuse(std::make_shared<const BlockProgram>(to_block_program(side_by_side(programs)).program)));
}

RunStates run_of_text(const std::vector<std::string>& texts) {
    std::vector<ArrayProgram> programs;
    for (const std::string& text : texts) programs.push_back(parse_program(text, "test.bp").value());
    return side_by_side_run(programs);
}

std::string attention_of(int size, int block, const std::string& elem) {
    const std::string extent = std::to_string(size) + " / " + std::to_string(block);
    return "dim M = " + extent + "\ndim N = " + extent + "\ndim D = 64 / " +
           std::to_string(std::min(block, 64)) + "\ninput Q[M, D], K[N, D], V[N, D] : " + elem +
           "\nS = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n";
}

std::vector<RunStates> made_runs() {
    std::vector<RunStates> runs = {
        side_by_side_run({read_sample("attention"), read_sample("layernorm-matmul")}),
        side_by_side_run({read_sample("causal-attention"), read_sample("gemm-relu"), read_sample("softmax")}),
        // Threads of some suit others less; a few arrays fill the cache of the card.
        run_of_text({attention_of(64, 16, "f32"), attention_of(256, 64, "f32")}),
        run_of_text({attention_of(128, 16, "f16"), attention_of(4096, 128, "f16")}),
        run_of_text({attention_of(2048, 128, "bf16"), attention_of(1000, 64, "bf16"),
                     attention_of(1024, 32, "bf16")}),
        run_of_text({attention_of(512, 64, "f32"), attention_of(4096, 128, "bf16")}),
        run_of_text({attention_of(512, 64, "f16"), attention_of(512, 64, "bf16")}),
    };
    for (std::uint64_t seed = 100; seed < 112; seed += 2)
        runs.push_back(side_by_side_run({random_array_program(seed), random_array_program(seed + 1)}));
    return runs;
}

const std::vector<RunStates>& runs_in_parts() {
    static const std::vector<RunStates> kRuns = made_runs();
    return kRuns;
}

struct Compared {
    int in_parts = 0;
    int whole = 0;
};

// States of a run, every `stride`-th.
void compare(const RunStates& run, const char* name, bool safe, std::size_t stride, Compared& seen) {
    const Device& device = *find_device(builtin_devices(), name);
    const Form form = worker::built_form(device, {}, safe);
    const Objective objective = worker::predicted_seconds(device);
    const Objective::OfParts of_parts = objective.by_parts(form);
    PartsOfStates taker;
    for (std::size_t step = 0; step < run.programs.size(); step += stride) {
        const IndependentParts& parts = taker.of(run.programs[step]);
        const std::optional<double> seconds = parts.empty() ? std::nullopt : of_parts(parts);
        ++(seconds ? seen.in_parts : seen.whole);
        if (!seconds) continue;
        const State state(run.programs[step], form);
        EXPECT_EQ(*seconds, objective(state)) << name << ", step " << step << " in the " << form_title(form);
    }
}

TEST(PredictedParts, TakeAsLongOnACardAsTheWholeState) {
    Compared seen;
    for (const RunStates& run : runs_in_parts()) compare(run, "h100-sxm5", true, 2, seen);
    compare(runs_in_parts().front(), "a100-sxm-80gb", false, 1, seen);
    EXPECT_GT(seen.in_parts, 300);
    EXPECT_LT(seen.whole, 80) << "of two types, or of blocks that do not fit";
}

TEST(PredictedParts, TakeAsLongOnAProcessorAsTheWholeState) {
    Compared seen;
    for (const RunStates& run : runs_in_parts()) compare(run, "ryzen-9-9950x", true, 3, seen);
    compare(runs_in_parts().front(), "epyc-9755", false, 1, seen);
    EXPECT_GT(seen.in_parts, 200);
    EXPECT_LT(seen.whole, 80) << "of numbers that are not whole";
}

// What a target that is asked for does not build is not the best state, however short its time would be.
TEST(PredictedSeconds, HaveNoneOfWhatTheTargetDoesNotBuild) {
    const auto parsed =
        parse_program("dim M = 64 / 16\ninput X[M, M]\noutput Y = custom(\"mystery\", X)\n", "");
    const State state(std::make_shared<const BlockProgram>(to_block_program(*parsed).program));
    Device device = *find_device(builtin_devices(), "h100-sxm5");
    EXPECT_GT(worker::predicted_seconds(device)(state), 0) << "of the loops, as no target is asked for";
    device.target = "sm_90a";
    EXPECT_TRUE(std::isnan(worker::predicted_seconds(device)(state)));
    const State built(block_sample("softmax"));
    EXPECT_GT(worker::predicted_seconds(device)(built), 0);
}

}  // namespace
}  // namespace blockscope::test
