// What Blockscope's own model is told of a candidate.
#include "core/tilings/candidate_work.h"

#include <gmock/gmock.h>

#include <set>

#include "core/engine/cpu_program.h"
#include "core/program/convert.h"
#include "core/scalar/primitives.h"
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

// The passes that cost more than one instruction an element.
std::set<PassKind> costly_passes(const StateWork& work) {
    std::set<PassKind> kinds;
    for (const KernelWork& kernel : work.kernels)
        for (const PassWork& pass : kernel.passes) kinds.insert(pass.kind);
    for (const PassKind plain : {PassKind::Simple, PassKind::Fold, PassKind::Copy, PassKind::Transpose})
        kinds.erase(plain);
    return kinds;
}

std::string applied(const Primitive& row) {
    const std::string name(row.name), sign(row.sign);
    if (row.arity == 1) return sign.empty() ? name + "(C)" : sign + "C";
    return sign.empty() ? name + "(C, 3.5)" : "C " + sign + " " + (row.fn == Fn::Div ? "C" : "3.5");
}

// The engine's plan and a candidate take the same passes for every primitive function: those of its row.
TEST(CandidateWork, TakesTheEnginesPasses) {
    for (const Primitive& row : kPrimitives) {
        SCOPED_TRACE(applied(row));
        const ArrayProgram array = program_of(
            "dim M = 64 / 16\ndim N = 64 / 16\ndim K = 64 / 16\ndim H = 64 / 16\n"
            "input A[M,K], B[K,N], D[N,H]\nC = A @ B\nE = " +
            applied(row) + "\noutput F = E @ D\n");
        const BlockProgram blocks = to_block_program(array).program;
        const StateWork engine = engine_work(lower(blocks), {ElemType::F32, ElemType::F32});
        const Space space = tilings::make_space(tilings::read_chain(array).value(), a100()).value();
        const StateWork candidate = candidate_work(space, space.candidates.front(), DeviceKind::Cpu);
        const std::set<PassKind> expected =
            row.pass == PassKind::Simple ? std::set<PassKind>{} : std::set{row.pass};
        EXPECT_EQ(costly_passes(engine), expected);
        EXPECT_EQ(costly_passes(candidate), expected);
    }
}

}  // namespace
}  // namespace blockscope::test
