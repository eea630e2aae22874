// Where NVRTC is there, the last snapshot of every sample compiles for every card with the target that the
// card gets. The unfused programs, the snapshots before the last, and MCFuser's problems that differ from
// others in sizes only, compile for one card each, in turn, unless BLOCKSCOPE_GPU_ALL is set (./dev
// gpu-emulate). What does not fit a card at the sample's own blocks is compiled with the smaller ones that
// codegen takes then.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/fusion/trace.h"
#include "core/safety/safety.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/compile_apart.h"
#include "tests/gpu/for_cards.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

class EverySample : public testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        if (!nvrtc_) GTEST_SKIP() << nvrtc_.report();
        const std::vector<int> known = nvrtc_.architectures();
        if (std::find(known.begin(), known.end(), std::stoi(card_.substr(3))) == known.end())
            GTEST_SKIP() << card_ << " is not known to NVRTC " << nvrtc_.version();
    }

    void compile(const std::string& name, const BlockProgram& state) const {
        const gpu::KernelSet set = for_card(make_safe(state).program, card_);
        const Result<gpu::Compiled> compiled = compile_apart(source(set), card_);
        ASSERT_TRUE(compiled) << name << ": " << compiled.problems().at(0).message;
        EXPECT_TRUE(compiled->warnings.empty()) << name << ": " << compiled->warnings.at(0);
        EXPECT_EQ(compiled->kernels.size(), set.launches.size()) << name;
        for (const gpu::KernelReport& kernel : compiled->kernels)
            if (kernel.spill_stores > 0)
                std::printf("%s, %s, %s: %d registers, %d bytes spilled\n", name.c_str(), card_.c_str(),
                            kernel.kernel.c_str(), kernel.registers, kernel.spill_stores);
    }

    const std::string card_ = kCards.at(GetParam());
    const gpu::Nvrtc nvrtc_ = gpu::Nvrtc::open();
};

TEST_P(EverySample, CompilesForTheCard) {
    const std::vector<std::string> chosen = chosen_samples();
    std::size_t turn = 0;
    for (const std::string& name : sample_names()) {
        const Trace trace = fuse(block_sample(name));
        const bool is_chosen = std::find(chosen.begin(), chosen.end(), name) != chosen.end();
        std::vector<int> steps{0};
        for (const int step : trace.snapshots)
            if (step > 0) steps.push_back(step);
        for (const int step : steps) {
            const bool every_card = (is_chosen && step == trace.snapshots.back()) || everything();
            if (!every_card && turn++ % kCards.size() != GetParam()) continue;
            compile(name + ", step " + std::to_string(step), *trace.state(step));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cards, EverySample, testing::Range<std::size_t>(0, kCards.size()),
                         [](const auto& card) { return std::string(kCards.at(card.param)); });

}  // namespace
}  // namespace blockscope::test
