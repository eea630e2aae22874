// Generated CUDA, run by the emulator, equals the float64 reference: samples, states, random programs. With
// BLOCKSCOPE_GPU_ALL set every step of every sample.
#include <array>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/loops/built_loops.h"
#include "core/measure/reference.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/elements.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

void add_states(Batched& batch, const std::string& name, const ProgramPtr& initial,
                const std::vector<int>& steps, const Trace& trace, double tolerance) {
    for (const int step : steps) {
        const BlockProgram& state = *trace.state(step);
        const std::string at = name + ", step " + std::to_string(step);
        batch.add(make_case(at, state, proof_dims(*initial), tolerance));
        for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
            const SafeProgram safe = make_safe(state, sharing);
            if (safe.exponentials == 0) continue;
            const char* form = sharing == SharedExponent::PerRow ? ", safe" : ", safe per block";
            batch.add(make_case(at + form, safe.program, proof_dims(*initial), tolerance));
        }
    }
}

TEST_F(Emulated, SamplesInFloat32) {
    for (const std::string& name : chosen_samples()) {
        Batched batch;
        const ProgramPtr initial = float_sample(name);
        const Trace trace = fuse(initial);
        add_states(batch, name, initial, chosen_steps(trace), trace, 2e-5);
        batch.check();
        if (everything()) say_checked(name, batch.cases.size());
    }
}

// What a measurement on a card allows for the coarsest type of the program's arrays.
double own_tolerance(const BlockProgram& program) {
    double tolerance = 0;
    for (const Buffer& buffer : built(lower(program)).buffers)
        tolerance = std::max(tolerance, measure::tolerance(buffer.type.elem(), program));
    return tolerance;
}

TEST_F(Emulated, SamplesInTheirOwnTypes) {
    Batched batch;
    for (const std::string& name : chosen_samples()) {
        const Trace trace = fuse(block_sample(name));
        add_states(batch, name, trace.initial, {static_cast<int>(trace.steps.size())}, trace,
                   own_tolerance(*trace.last()));
    }
    batch.check();
}

// Values are read exactly and rounded to nearest even when they are stored, subnormal and largest ones too.
TEST_F(Emulated, ElementTypesAreReadAndRounded) {
    for (const ElemType elem :
         {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2}) {
        const std::string text =
            "dim M = 70/32\ninput X[M, M] : " + to_string(elem) + "\noutput Y = X * 1.3125\n";
        const BlockProgram program = to_block_program(*parse_program(text, "")).program;
        Tensors<double> inputs = random_doubles(program, 5);
        double scale = elem == ElemType::E4M3 ? 330 : elem == ElemType::E5M2 ? 40000 : 1;
        for (double& x : inputs.at("X").data)
            x = round_to(elem, x * scale), scale = scale > 1e-5 ? scale * 0.99 : 1;
        Batch batch;
        batch.add(gpu::generate(built(lower(program))).value());
        batch.compile();
        const Batch::Outcome outcome = batch.run(0, inputs);
        ASSERT_EQ(outcome.error, "");
        for (std::size_t i = 0; i < inputs.at("X").data.size(); ++i) {
            const double exact = static_cast<float>(inputs.at("X").data[i]) * 1.3125F;
            ASSERT_EQ(outcome.outputs.at("Y").data[i], round_to(elem, exact))
                << to_string(elem) << ": " << inputs.at("X").data[i] << " * 1.3125";
        }
    }
}

// Blocks that fill several registers of a thread and several panels of shared memory.
TEST_F(Emulated, LargerBlocks) {
    constexpr std::array<std::pair<int, int>, 4> kSizes{{{37, 20}, {50, 33}, {70, 40}, {45, 45}}};
    Batched batch;
    for (const std::string name : {"attention", "layernorm-matmul", "rmsnorm-swiglu", "causal-attention"}) {
        const Trace trace = fuse(float_sample(name));
        DimTable dims = trace.initial->dims;
        std::size_t next = 0;
        for (Dim& dim : dims) {
            const bool blocked = dim.kind == DimKind::Blocked;
            dim.size = blocked ? kSizes.at(next % kSizes.size()).first : 2;
            dim.block = blocked ? kSizes.at(next++ % kSizes.size()).second : 1;
        }
        batch.add(make_case(name, *trace.last(), dims, 2e-5));
        batch.add(make_case(name + ", safe", make_safe(*trace.last()).program, dims, 2e-5));
    }
    batch.check();
}

// Halves of rows that a thread holds together, that lie in other lanes, and that no number of lanes divides;
// pairs in one block and in several.
constexpr std::array<const char*, 8> kRotations{
    "dim M = 40/24\ndim E = 64/64\n@rope",
    "dim M = 40/24\ndim E = 48/48\n@rope",
    "dim M = 21/17\ndim E = 24/24\n@rope",
    "dim M = 21/17\ndim E = 38/38\n@rope",
    "dim M = 5/5\ndim E = 2/2\n@rope",
    "dim M = 40/24\ndim E = 48/32\n@rope_interleaved",
    "dim M = 21/17\ndim E = 38/12\n@rope_interleaved",
    "dim M = 21/17\ndim E = 26/26\n@rope_interleaved",
};

void add_rotation(Batched& batch, std::string text, ElemType elem) {
    text.replace(text.find('@'), 1, "input X[M,E], C[M,E], S[M,E], Y[M,E]\noutput Z = ");
    text += "(X, C, S) @ Y.T\n";
    Result<ArrayProgram> parsed = parse_program(text, "");
    ASSERT_TRUE(parsed) << to_string(parsed.problems().at(0));
    const auto initial =
        std::make_shared<const BlockProgram>(to_block_program(in_type(*parsed, elem)).program);
    const Trace trace = fuse(initial);
    for (const int step : {0, static_cast<int>(trace.steps.size())})
        batch.add(make_case(text, *trace.state(step), initial->dims, elem));
}

TEST_F(Emulated, RotationsWhereverPairsLie) {
    Batched plain;
    TensorBatch tensor;
    for (const char* text : kRotations) {
        add_rotation(plain, text, ElemType::F32);
        add_rotation(tensor, text, ElemType::BF16);
    }
    EXPECT_EQ(plain.cases.size(), 2 * kRotations.size());
    EXPECT_EQ(tensor.cases.size(), 2 * kRotations.size());
    plain.check();
    tensor.check();
}

// What rounding to the coarsest type of the program's arrays may cost.
double coarsest_tolerance_of(const BlockProgram& program) {
    double tolerance = 1e-3;
    for (const Buffer& buffer : built(lower(program)).buffers) {
        const int bytes = bytes_per_element(buffer.type.elem());
        tolerance = std::max(tolerance, bytes == 1 ? 0.25 : bytes == 2 ? 2e-2 : 1e-3);
    }
    return tolerance;
}

TEST_F(Emulated, RandomPrograms) {
    constexpr int kPrograms = 200;
    Batched batch;
    LeftOut left_out;
    for (int seed = 0; seed < kPrograms; ++seed) {
        const std::string name = "seed " + std::to_string(seed);
        const bool array = seed % 3 != 0;
        const auto initial = std::make_shared<const BlockProgram>(
            array ? to_block_program(random_array_program(static_cast<std::uint64_t>(seed))).program
                  : random_block_program(static_cast<std::uint64_t>(seed)));
        const Trace trace = fuse(initial);
        for (const int step : {0, static_cast<int>(trace.steps.size())}) {
            const BlockProgram& state = *trace.state(step);
            Case one = make_case(name + ", step " + std::to_string(step), state, initial->dims,
                                 coarsest_tolerance_of(state));
            if (left_out.takes(one)) batch.add(std::move(one));
        }
    }
    EXPECT_GT(batch.cases.size(), static_cast<std::size_t>(kPrograms));
    left_out.say("random programs in float32", batch.cases.size());
    batch.check();
}

}  // namespace
}  // namespace blockscope::test
