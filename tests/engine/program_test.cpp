// The engine's interface, what it refuses, the search for block sizes, and the figures of microkernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/engine/micro.h"
#include "core/fusion/trace.h"
#include "core/measure/reference.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/engine/engine_check.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

BlockProgram program_of(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "test.bp");
    if (!program) throw std::runtime_error(to_string(program.problems()[0]));
    return to_block_program(*program).program;
}

CpuProgram prepared(const BlockProgram& program, EngineOptions options = {}) {
    Result<CpuProgram> result = CpuProgram::prepare(lower(program), options);
    if (!result) throw std::runtime_error(to_string(result.problems()[0]));
    return std::move(result).value();
}

constexpr const char* kProduct =
    "dim M = 50 / 16\ndim K = 20 / 8\ndim N = 30 / 16\ninput X[M,K], W[K,N]\noutput Y = X @ W\n";

TEST(CpuProgram, NamesArraysAsTheProgramDoes) {
    const CpuProgram program = prepared(program_of(kProduct));
    ASSERT_EQ(program.inputs().size(), 2U);
    EXPECT_EQ(program.inputs()[0].name, "X");
    EXPECT_EQ(program.inputs()[1].name, "W");  // read transposed
    EXPECT_THAT(program.inputs()[1].shape, ElementsAre(20, 30));
    EXPECT_EQ(program.inputs()[1].elements, 600);
    ASSERT_EQ(program.outputs().size(), 1U);
    EXPECT_THAT(program.outputs()[0].shape, ElementsAre(50, 30));
    EXPECT_GT(program.memory_bytes(), 4 * (1000 + 600 + 1500));
    EXPECT_GT(program.local_bytes(), 0);
}

// Each top-level operator has its time, and all together what the run takes; the result is that of run().
TEST(CpuProgram, TimesItsTopLevelOperators) {
    const ProgramPtr initial = block_sample("attention");
    BlockProgram sized = *initial;
    for (Dim& dim : sized.dims) dim = {dim.name, 128, 32, dim.kind};
    const Trace trace = fuse(std::make_shared<const BlockProgram>(sized));
    for (const ProgramPtr& state : {trace.initial, trace.last()}) {
        const LoopProgram loops = lower(*state);
        CpuProgram program = prepared(*state);
        program.run();
        const std::vector<float> before(program.output(0).begin(), program.output(0).end());
        program.fill_with_nan();
        const std::vector<double> kernels = program.run_kernels();
        ASSERT_EQ(kernels.size(), loops.body.size());
        for (const double seconds : kernels) EXPECT_GT(seconds, 0);
        EXPECT_TRUE(std::equal(before.begin(), before.end(), program.output(0).begin()));
    }
}

// Dropped from the caches, nothing of it is lost: what was written is written back.
TEST(CpuProgram, ComputesTheSameAfterItWasEvicted) {
    CpuProgram program = prepared(program_of(kProduct));
    for (int input = 0; input < 2; ++input) {
        std::vector<float> values(
            static_cast<std::size_t>(program.inputs()[static_cast<std::size_t>(input)].elements));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 11) - 5;
        program.set_input(input, values);
    }
    program.run();
    const std::vector<float> before(program.output(0).begin(), program.output(0).end());
#if defined(__x86_64__)
    EXPECT_TRUE(program.evict());
#else
    program.evict();
#endif
    EXPECT_EQ(std::vector<float>(program.output(0).begin(), program.output(0).end()), before);
    program.fill_with_nan();
    program.evict();
    program.run();
    EXPECT_EQ(std::vector<float>(program.output(0).begin(), program.output(0).end()), before);
}

TEST(CpuProgram, AnArrayThatIsReadPlainAndTransposedIsGivenOnce) {
    const BlockProgram block = program_of("dim M = 20 / 8\ninput X[M,M]\noutput Y = X @ X\n");
    CpuProgram program = prepared(block);
    ASSERT_EQ(program.inputs().size(), 1U);
    std::vector<float> values(400);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) - 3;
    program.set_input(0, values);
    program.run();
    for (std::size_t r = 0; r < 20; ++r)
        for (std::size_t c = 0; c < 20; ++c) {
            float sum = 0;
            for (std::size_t i = 0; i < 20; ++i) sum += values[r * 20 + i] * values[i * 20 + c];
            ASSERT_EQ(program.output(0)[r * 20 + c], sum);
        }
}

// A product that is needed as it is and transposed: ragged blocks, in batches.
TEST(CpuProgram, TransposesWholeArraysBlockByBlock) {
    const Result<ArrayProgram> program = parse_program(
        "batch B = 3\ndim M = 50 / 16\ndim K = 20 / 8\ndim N = 30 / 16\ndim L = 7 / 4\n"
        "input X[B,M,K], W[K,N], V[N,L], U[B,L,M]\nA = X @ W\noutput Y = A @ V\noutput Z = U @ A\n",
        "test.bp");
    ASSERT_TRUE(program) << to_string(program.problems()[0]);
    const BlockProgram blocks = to_block_program(*program).program;
    ASSERT_THAT(listing(blocks), HasSubstr("transpose("));
    for (const Precision precision : {Precision::F32, Precision::BF16}) {
        const Tensors<double> inputs = rounded(random_doubles(*program, 7), precision);
        EngineOptions options;
        options.precision = precision;
        EXPECT_EQ(check_engine(blocks, inputs, evaluate(*program, inputs), options), "");
    }
}

TEST(CpuProgram, TooFewNumbersForAnInputAreAnError) {
    CpuProgram program = prepared(program_of(kProduct));
    EXPECT_THROW(program.set_input(0, std::vector<float>(999)), InternalError);
}

TEST(CpuProgram, MemoryBeyondTheLimitIsRefusedByName) {
    EngineOptions options;
    options.memory_limit = 10000;
    const Result<CpuProgram> result = CpuProgram::prepare(lower(program_of(kProduct)), options);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.problems()[0].message, HasSubstr("the largest is"));
}

TEST(CpuProgram, AProgramLargerThanAnyMachineIsRefusedAtOnce) {
    const BlockProgram program =
        program_of("dim M = 50000000 / 128\ndim N = 50000000 / 128\ninput X[M,N]\noutput Y = exp(X)\n");
    ASSERT_FALSE(CpuProgram::prepare(lower(program)));
}

TEST(CpuProgram, AConstantWhoseExtentsNothingTellsIsRefusedWithItsOperator) {
    LoopProgram program;
    program.dims = {{"M", 4, 2, DimKind::Blocked}};
    const Type type(Item::vector(DimId{0}), ElemType::F32);
    program.buffers = {{Buffer::Kind::Output, "Y", {}, {DimId{0}}, type, false, InputSource::Array}};
    program.temps = 2;
    const LoopVar m{DimId{0}, 1};
    Block body{{Evaluate{{1}, number(1), {}}, NodeId{7}},
               {Compute{{2}, FunctionalOp::RowSum, {{1}}}, NodeId{8}},
               {Store{{2}, 0, {{false, m}}}, NodeId{8}}};
    program.body = {{std::make_shared<const Loop>(Loop{m, 0, false, NodeId{9}, std::move(body)}), NodeId{9}}};
    const Result<CpuProgram> result = CpuProgram::prepare(program);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.problems()[0].message, HasSubstr("row_sum (n8)"));
}

TEST(CpuProgram, NaNEverywhereBeforeARunShowsWhatItLeavesOut) {
    CpuProgram program = prepared(program_of(kProduct));
    program.fill_with_nan();
    for (const float value : program.output(0)) EXPECT_TRUE(std::isnan(value));
    program.run();
    for (const float value : program.output(0)) EXPECT_EQ(value, 0);  // inputs are zero until they are set
}

TEST(CpuProgram, TheProfileAddsUpToAllThreadsTime) {
    EngineOptions options;
    options.threads = 2;
    CpuProgram program = prepared(program_of(kProduct), options);
    const RunProfile profile = program.run_profiled();
    EXPECT_EQ(profile.matmul_flops, 2 * 50 * 20 * 30);
    EXPECT_EQ(profile.matmul_calls, 4 * 3 * 2);
    const double sum = profile.matmul_seconds + profile.routine_seconds + profile.packing_seconds +
                       profile.overhead_seconds + profile.waiting_seconds;
    EXPECT_NEAR(sum / (2 * profile.wall_seconds), 1, 0.05);
}

TEST(CpuProgram, ThePlanTellsOfPackingKernelsAndLoops) {
    const Trace trace = fuse(std::make_shared<const BlockProgram>(program_of(kProduct)));
    const std::string plan = prepared(*trace.last()).plan();
    EXPECT_THAT(plan, HasSubstr("view of a block of X\n"));  // the first operand, where it lies
    EXPECT_THAT(plan, HasSubstr("pack WT' into WT' packed, in parallel"));  // 30 columns: rows begin anywhere
    EXPECT_THAT(plan, HasSubstr("in parallel, for M 0..3"));
    EXPECT_THAT(plan, HasSubstr("[16x16x8]"));
    EXPECT_THAT(plan, Not(HasSubstr("I1")));
}

// LayerNorm takes sums over the rows of X and down the columns of Y: both where the arrays lie, and squares
// are kept nowhere.
TEST(CpuProgram, SumsAreTakenWhereTheArraysLie) {
    BlockProgram program = *block_sample("layernorm-matmul");
    for (Dim& dim : program.dims) dim = {dim.name, 100, 48, dim.kind};
    const Trace trace = fuse(std::make_shared<const BlockProgram>(program));
    const std::string plan = prepared(*trace.last()).plan();
    EXPECT_THAT(plan, testing::ContainsRegex("row sums of t[0-9]+'\n"));
    EXPECT_THAT(plan, HasSubstr("row sums of $1**2 of $1=t"));
    EXPECT_THAT(plan, Not(HasSubstr("into YT packed")));
}

// More than a million numbers, in ragged blocks: they are packed strip by strip and past the caches.
TEST(CpuProgram, LargeInputsArePackedAsSmallOnes) {
    const BlockProgram program = program_of(
        "dim M = 5 / 3\ndim K = 1031 / 100\ndim N = 1050 / 56\ninput X[M,K], W[K,N]\noutput Y = X @ W\n");
    const Tensors<double> inputs = rounded(measure::random_inputs(program, ElemType::F32, 1), Precision::F32);
    for (const int threads : {1, 2}) {
        EngineOptions options;
        options.threads = threads;
        EXPECT_EQ(check_engine(program, inputs, evaluate(program, inputs), options), "");
    }
}

// Figures differ from machine to machine; that there are some does not.
TEST(Micro, EveryKernelGivesAFigure) {
    MicroOptions options;
    options.seconds = 0.01;
    std::vector<Measured> all{measure_read(1 << 16, options), measure_copy(1 << 16, options),
                              measure_fma(options), measure_exp(options),
                              measure_matmul(32, 48, 16, options)};
    options.threads = 2;
    all.push_back(measure_fma(options));
    all.push_back(measure_region(2, 0.01));
    all.push_back(measure_call(0.01));
    for (const Measured& measured : all) {
        EXPECT_GT(measured.best, 0);
        EXPECT_LE(measured.low, measured.median);
        EXPECT_LE(measured.median, measured.high);
        EXPECT_LT(measured.high, std::numeric_limits<double>::infinity());
        EXPECT_GT(measured.samples, 0);
    }
}

}  // namespace
}  // namespace blockscope::test
