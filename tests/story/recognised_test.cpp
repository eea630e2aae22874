// Programs that have a name of their own.
#include "core/story/recognised.h"

#include <gmock/gmock.h>

#include <map>

#include "core/fusion/trace.h"
#include "core/safety/safety.h"
#include "core/story/program_names.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

bool is_flash(const ProgramPtr& program, const Form& form = {}) {
    const State state(program, form);
    return !flash_attentions(state.loops()).empty();
}

TEST(FlashAttention, IsTheLastStateOfAttentionAndNoneBefore) {
    const Trace trace = fuse(block_sample("attention"));
    for (int step = 0; step < 17; ++step) EXPECT_FALSE(is_flash(trace.state(step))) << step;
    const State state(trace.last());
    const std::vector<FlashAttention> found = flash_attentions(state.loops());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].keys, "K");
    EXPECT_EQ(found[0].values, "VT");
    EXPECT_FALSE(found[0].online);
    EXPECT_TRUE(is_flash(trace.last(), safe_form()));
    const State safe(trace.last(), safe_form());
    EXPECT_TRUE(flash_attentions(safe.loops())[0].online);
}

TEST(FlashAttention, SaysWhatChanged) {
    const Trace trace = fuse(block_sample("attention"));
    const State unfused(trace.initial), state(trace.last());
    const std::string text = flash_attention_text(unfused, state).str();
    EXPECT_THAT(text, HasSubstr("kernels 7 → 1"));
    EXPECT_THAT(text, HasSubstr("→ 1."));
    EXPECT_THAT(flash_attention_text(unfused, unfused).str(), IsEmpty());
    EXPECT_THAT(real_kernel_adds(state).str(), HasSubstr("online softmax"));
}

// By its loops, not by its name: attention in any of its forms, and nothing else.
TEST(FlashAttention, IsFoundInTheSamplesThatHaveAttention) {
    for (const std::string& sample : distinct_samples()) {
        const Trace trace = fuse(block_sample(sample));
        bool found = false;
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
            found = found || is_flash(trace.state(step));
        const bool attention = sample.find("attention") != std::string::npos || sample == "gqa" ||
                               sample.starts_with("mcfuser-s");
        if (sample == "fp8-attention")
            EXPECT_FALSE(found);  // its cast keeps the weights apart
        else
            EXPECT_EQ(found, attention) << sample;
    }
}

TEST(OnlineSoftmax, IsTheSafeFormOfAttention) {
    const Trace trace = fuse(block_sample("attention"));
    const State plain(trace.last()), safe(trace.last(), safe_form());
    EXPECT_TRUE(online_softmaxes(plain.loops()).empty());
    const std::vector<OnlineSoftmax> found = online_softmaxes(safe.loops());
    ASSERT_EQ(found.size(), 1U);
    ASSERT_TRUE(found[0].accumulator);
    // The listing says which is which: max keeps m, row_sum adds to l, row_scale rescales acc.
    const auto name = [](Temp temp) { return "t" + std::to_string(temp.id); };
    const std::string text = listing(safe);
    EXPECT_THAT(text, HasSubstr(name(found[0].maximum) + " = -inf"));
    EXPECT_THAT(text, HasSubstr("max(" + name(found[0].maximum) + ","));
    EXPECT_THAT(text, HasSubstr(name(found[0].sum) + "*" + name(found[0].rescale)));
    EXPECT_THAT(text,
                HasSubstr("row_scale(" + name(*found[0].accumulator) + "," + name(found[0].rescale) + ")"));
    EXPECT_THAT(online_softmax_text(safe).str(), HasSubstr("running maximum m"));
}

// By the operators that make them, so that a picture can say so.
TEST(OnlineSoftmax, ItsOperatorsHaveTheNamesThatPeopleKnow) {
    const Trace trace = fuse(block_sample("attention"));
    const State safe(trace.last(), safe_form());
    std::map<std::string, NodeId> nodes;
    for (const auto& [node, name] : online_names(safe)) nodes[name] = node;
    ASSERT_EQ(nodes.size(), 4U);
    const ProgramNames program(safe.program(), {});
    const auto formula = [&](const char* name) { return program.operators(nodes.at(name)).str(); };
    EXPECT_THAT(formula("m"), HasSubstr("max"));
    EXPECT_THAT(formula("rescale"), HasSubstr("exp"));
    EXPECT_EQ(formula("acc"), "add");
    EXPECT_TRUE(online_names(State(trace.last())).empty());
    EXPECT_THAT(online_softmax_legend(safe).str(), HasSubstr("acc the accumulator"));
}

TEST(OnlineSoftmax, IsNotInProgramsWithoutExponentials) {
    for (const char* sample : {"matmul", "gemm-relu", "layernorm-matmul", "rmsnorm-matmul"}) {
        const State safe(fuse(block_sample(sample)).last(), safe_form());
        EXPECT_TRUE(online_softmaxes(safe.loops()).empty()) << sample;
    }
}

}  // namespace
}  // namespace blockscope::test
