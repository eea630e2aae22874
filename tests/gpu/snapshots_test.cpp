// Every sample, every snapshot, for sm_80 and for sm_90a, generated, emulated and compared with the float64
// reference at one small ragged shape, within the tolerance of a measurement. (tensor_test.cpp and
// group_test.cpp have other shapes, steps and types.) Samples that differ in their sizes only make the same
// kernels here, which run once.
#include <gmock/gmock.h>

#include <set>

#include "core/safety/safety.h"
#include "core/state/state.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/shapes.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

constexpr std::size_t kParts = 4;  // of the samples, which run side by side

// Lines that are multiples of 16 bytes, as TMA wants them; two blocks, the last one ragged, of most
// dimensions.
constexpr Shapes kSmall{{{24, 16}, {40, 32}, {48, 32}, {32, 32}}};

struct Part {
    gpu::Target target;
    std::size_t number;
};

std::string name_of(const testing::TestParamInfo<Part>& one) {
    return to_string(one.param.target) + "_" + std::to_string(one.param.number);
}

class EverySnapshot : public testing::TestWithParam<Part> {
protected:
    void SetUp() override {
        std::string why;
        if (!can_emulate(why)) GTEST_SKIP() << why;
    }

    // The initial state and all snapshots, in the safe forms that cards run.
    void add(Batched& batch, const std::string& name, ElemType elem) {
        const Trace trace = fuse(sample_of(elem, name));
        std::vector<int> steps = trace.snapshots;
        steps.insert(steps.begin(), 0);
        for (const int step : steps) {
            BlockProgram state = make_safe(*trace.state(step)).program;
            state.dims = shaped(*trace.initial, kSmall);
            ++states_;
            if (known_.insert(to_string(elem) + listing(state)).second)
                batch.add(make_case(name + ", step " + std::to_string(step), state, state.dims, elem));
        }
    }

    int states_ = 0;

private:
    std::set<std::string> known_;
};

TEST_P(EverySnapshot, IsWhatTheReferenceGives) {
    int different = 0;
    int rings = 0;  // kernels with tiles that TMA brings
    std::size_t turn = 0;
    for (const std::string& name : sample_names()) {
        // Those that differ in sizes only stay together.
        const bool alike = name.rfind("mcfuser", 0) == 0;
        if ((alike ? 0 : ++turn) % kParts != GetParam().number) continue;
        Batched batch;
        batch.options = {GetParam().target, GetParam().target == gpu::Target::Sm80 ? 64 : 128, false};
        add(batch, name, alike || turn % 2 == 0 ? ElemType::BF16 : ElemType::F16);
        if (batch.cases.empty()) continue;
        batch.check();
        different += batch.batch.size();
        for (int i = 0; i < batch.batch.size(); ++i)
            for (const gpu::Launch& launch : batch.batch.set(i).launches)
                rings += launch.maps.empty() ? 0 : 1;
    }
    EXPECT_GE(different, 8);
    EXPECT_EQ(rings >= different / 2, GetParam().target == gpu::Target::Sm90a) << rings;
    std::printf("%d states, %d different programs, %d kernels by TMA\n", states_, different, rings);
}

std::vector<Part> parts() {
    std::vector<Part> all;
    for (const gpu::Target target : {gpu::Target::Sm80, gpu::Target::Sm90a})
        for (std::size_t part = 0; part < kParts; ++part) all.push_back({target, part});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Targets, EverySnapshot, testing::ValuesIn(parts()), name_of);

}  // namespace
}  // namespace blockscope::test
