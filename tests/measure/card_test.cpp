// What is known of cards without one: targets, occupancy, elements of 8 and 16 bits.
#include <gmock/gmock.h>

#include <cmath>

#include "core/fusion/trace.h"
#include "core/measure/reference.h"
#include "gpu/driver/card_program.h"
#include "gpu/driver/for_card.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

TEST(CardTargets, FollowTheCardAndTheType) {
    using gpu::Target;
    const auto target = [](const char* architecture, ElemType elem) {
        return gpu::target_for(*gpu::capability_of(architecture), elem);
    };
    EXPECT_EQ(target("sm_75", ElemType::F16), Target::F32) << "its tensor cores are of another kind";
    EXPECT_EQ(target("sm_80", ElemType::F32), Target::F32);
    EXPECT_EQ(target("sm_80", ElemType::BF16), Target::Sm80);
    EXPECT_EQ(target("sm_86", ElemType::F16), Target::Sm86);
    EXPECT_EQ(target("sm_89", ElemType::F16), Target::Sm89);
    EXPECT_EQ(target("sm_90a", ElemType::BF16), Target::Sm90a);
    EXPECT_EQ(target("sm_90a", ElemType::E4M3), Target::Sm90a);
    EXPECT_EQ(target("sm_100", ElemType::F16), Target::Sm100);
    EXPECT_EQ(target("sm_121", ElemType::F16), Target::Sm120);
    EXPECT_EQ(gpu::capability_of("sm_90a"), (gpu::Capability{9, 0}));
    EXPECT_EQ(gpu::capability_of("sm_120"), (gpu::Capability{12, 0}));
    for (const char* other : {"", "cpu", "sm_", "sm_x", "sm_9"}) EXPECT_FALSE(gpu::capability_of(other));
}

// Tiles that do not fit a thread block's shared memory: no tensor cores, and the log says why.
TEST(CardTargets, GiveWayWhereTilesDoNotFit) {
    BlockProgram large = *block_sample("attention");
    for (Dim& dim : large.dims) dim.size = dim.block = dim.name == "M" || dim.name == "N" ? 128 : 256;
    const State program(fuse(std::make_shared<const BlockProgram>(large)).last());
    const auto wanted = gpu::kernels_for(program, {8, 6}, ElemType::F16, {gpu::Target::Sm86});
    ASSERT_FALSE(wanted);
    const auto chosen = gpu::kernels_for(program, {8, 6}, ElemType::F16);
    ASSERT_TRUE(chosen) << to_string(chosen.problems().front());
    EXPECT_EQ(chosen->set.target, gpu::Target::F32);
    EXPECT_THAT(chosen->instead_of, HasSubstr("not sm_86: "));
}

// NVIDIA's occupancy calculator says the same.
TEST(Occupancy, FollowsRegistersSharedMemoryAndThreads) {
    const auto a100 = gpu::limits_of({8, 0}), ga102 = gpu::limits_of({8, 6}), h100 = gpu::limits_of({9, 0});
    EXPECT_EQ(gpu::blocks_per_processor(a100, {256, 64, 0}), 4);
    EXPECT_DOUBLE_EQ(gpu::occupancy(a100, {256, 64, 0}), 0.5);
    EXPECT_EQ(gpu::blocks_per_processor(a100, {256, 32, 0}), 8) << "2048 threads";
    EXPECT_EQ(gpu::blocks_per_processor(ga102, {256, 32, 0}), 6) << "1536 threads";
    EXPECT_EQ(gpu::blocks_per_processor(h100, {128, 255, 0}), 2) << "65536 registers";
    EXPECT_EQ(gpu::blocks_per_processor(h100, {128, 64, 100 * 1024}), 2) << "228 KiB";
    EXPECT_EQ(gpu::blocks_per_processor(a100, {128, 64, 163 * 1024}), 1) << "and a reserved KiB";
    EXPECT_EQ(gpu::blocks_per_processor(ga102, {128, 64, 163 * 1024}), 0);
    EXPECT_EQ(gpu::blocks_per_processor(a100, {32, 16, 0}), 32) << "no more than 32 thread blocks";
}

TEST(CardElements, EveryPatternOfEightBitsSurvives) {
    for (const ElemType elem : {ElemType::E4M3, ElemType::E5M2}) {
        for (unsigned bits = 0; bits < 0x100U; ++bits) {
            const std::vector<unsigned char> bytes = {static_cast<unsigned char>(bits)};
            const std::vector<double> values = gpu::from_bytes(elem, bytes);
            if (!std::isfinite(values.at(0))) continue;
            ASSERT_EQ(gpu::to_bytes(elem, values), bytes) << to_string(elem) << " " << bits;
        }
        const double largest = elem == ElemType::E4M3 ? 448 : 57344;
        EXPECT_EQ(gpu::from_bytes(elem, gpu::to_bytes(elem, std::vector<double>{-1e9})).at(0), -largest);
    }
    EXPECT_EQ(measure::round_to(ElemType::E4M3, 0.34), 0.34375);
    EXPECT_EQ(measure::round_to(ElemType::E4M3, 0.0009), 0.0);
    EXPECT_EQ(measure::round_to(ElemType::E4M3, 0.003), 0.00390625) << "multiples of 2^-9, ties to even";
}

TEST(CardElements, EveryPatternOfSixteenBitsSurvives) {
    for (const ElemType elem : {ElemType::F16, ElemType::BF16})
        for (unsigned bits = 0; bits < 0x10000U; ++bits) {
            const std::vector<unsigned char> bytes = {static_cast<unsigned char>(bits & 255U),
                                                      static_cast<unsigned char>(bits >> 8U)};
            const std::vector<double> values = gpu::from_bytes(elem, bytes);
            ASSERT_EQ(values.size(), 1U);
            if (std::isnan(values[0])) continue;
            ASSERT_EQ(gpu::to_bytes(elem, values), bytes) << to_string(elem) << " " << bits;
        }
    EXPECT_EQ(gpu::from_bytes(ElemType::F16, gpu::to_bytes(ElemType::F16, std::vector<double>{0.1})).at(0),
              0.0999755859375);
}

}  // namespace
}  // namespace blockscope::test
