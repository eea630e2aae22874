// What Blockscope's own model is told of a candidate.
#include "core/tilings/candidate_work.h"

#include <gmock/gmock.h>

#include "core/state/state.h"
#include "core/tilings/model.h"
#include "core/tilings/schedule.h"
#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using tilings::Space;

double stored(const KernelWork& kernel, int buffer) {
    for (const BufferWork& of : kernel.buffers)
        if (of.buffer == buffer) return of.stored;
    return -1;
}

// On a card bytes, operations and tasks are those of the paper's equations.
TEST(CandidateWork, OnACardIsWhatTheEquationsCount) {
    for (const char* const name : {"G1", "G11", "S6"}) {
        const Space space = tilings::make_space(workload_chain(name), a100()).value();
        for (std::size_t i = 0; i < space.candidates.size(); i += 37) {
            const tilings::Candidate& candidate = space.candidates[i];
            const StateWork work = candidate_work(space, candidate, DeviceKind::Gpu);
            const tilings::Estimate estimate = tilings::estimate(space, candidate);
            const KernelWork& kernel = work.kernels.front();
            // An estimate counts what is padded.
            if (estimate.bytes == 0) continue;
            EXPECT_LE(kernel.bytes(), estimate.bytes * 1.0001) << to_string(space, candidate);
            EXPECT_GE(kernel.bytes(), estimate.bytes * 0.85) << to_string(space, candidate);
            EXPECT_LE(kernel.matrix, estimate.flops * 1.0001) << to_string(space, candidate);
            EXPECT_GE(kernel.matrix, estimate.flops * 0.85) << to_string(space, candidate);
            EXPECT_EQ(kernel.tasks, estimate.blocks) << to_string(space, candidate);
        }
    }
}

// The same candidate as a block program: what the model of states counts of it.
TEST(CandidateWork, IsThatOfTheBlockProgram) {
    const Space space = tilings::make_space(chain_of(two_products(256, 128, 64, 64)), a100()).value();
    int compared = 0;
    for (std::size_t i = 0; i < space.candidates.size(); i += 11) {
        const tilings::Candidate& candidate = space.candidates[i];
        const auto schedule = schedule_of(space.chain, space.judged(candidate), candidate.tiles);
        if (!schedule->listed.empty()) continue;
        const State state(schedule->program);
        const KernelWork& counted = state.work().kernels.front();
        const StateWork work = candidate_work(space, candidate, DeviceKind::Cpu);
        const KernelWork& kernel = work.kernels.front();
        EXPECT_EQ(kernel.matrix, counted.matrix) << to_string(space, candidate);
        EXPECT_EQ(kernel.tasks, counted.tasks) << to_string(space, candidate);
        EXPECT_EQ(kernel.calls.matrix, counted.calls.matrix) << to_string(space, candidate);
        EXPECT_EQ(stored(kernel, 3), counted.stored) << to_string(space, candidate);  // A, B, D, E
        ++compared;
    }
    EXPECT_GT(compared, 10);
}

TEST(CandidateWork, OfAttentionHasItsExponentials) {
    const Space space = tilings::make_space(workload_chain("S1"), a100()).value();
    const StateWork work = candidate_work(space, space.candidates.front(), DeviceKind::Gpu);
    EXPECT_GE(work.kernels.front().special, 8.0 * 512 * 512);
    const Space plain = tilings::make_space(workload_chain("G1"), a100()).value();
    EXPECT_EQ(candidate_work(plain, plain.candidates.front(), DeviceKind::Gpu).kernels.front().special, 0);
}

// Small tiles cost calls and slow products, which MCFuser's equations know nothing of.
TEST(CandidateWork, MakesSmallTilesSlower) {
    const Device& device = *find_device(builtin_devices(), "xeon-8480");
    tilings::Chain chain = chain_of(two_products(512, 256, 64, 64, "f32"));
    const Space space =
        tilings::make_space(chain, tilings::target_device(device, ElemType::F32).value()).value();
    const auto candidate = [&](const std::string& text) { return parse_candidate(space, text).value(); };
    const std::vector<double> seconds = tilings::own_seconds(
        space, {candidate("mhnk m=64 n=64 k=64 h=64"), candidate("mhnk m=64 n=16 k=16 h=64")}, device, 1);
    EXPECT_LT(seconds[0], seconds[1]);
}

}  // namespace
}  // namespace blockscope::test
