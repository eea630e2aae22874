// Generated CUDA for tensor cores, run by the emulator, equals the float64 reference: samples, states, random
// programs, at ragged shapes whose lines are copied 16, 8, 4 and 2 bytes at a time. With BLOCKSCOPE_GPU_ALL
// set every step of every sample at all shapes.
#include <gmock/gmock.h>

#include <array>

#include "core/loops/built_loops.h"
#include "core/measure/reference.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/shapes.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Several strips of rows and panels, ragged ends, blocks that are no multiple of 16; one dimension in a
// single block. (A causal mask leaves no row without a key: there are no fewer columns than rows.)
constexpr std::array<Shapes, 3> kTensorShapes{
    {{{{40, 24}, {56, 32}, {48, 16}, {24, 24}}},    // 16 bytes
     {{{38, 20}, {50, 18}, {20, 12}, {70, 36}}},    // 4 bytes
     {{{21, 17}, {27, 13}, {35, 20}, {19, 19}}}}};  // element by element

void add_state(Batched& batch, const std::string& name, const Trace& trace, int step, std::size_t shapes,
               ElemType elem) {
    const SafeProgram safe = make_safe(*trace.state(step));
    batch.add(make_case(name + ", step " + std::to_string(step) + ", shapes " + std::to_string(shapes % 3),
                        safe.program, shaped(*trace.initial, kTensorShapes.at(shapes % kTensorShapes.size())),
                        elem));
}

class OnTensorCores : public Emulated {};

// States take turns at the shapes.
TEST_F(OnTensorCores, Samples) {
    std::size_t turn = 0;
    int programs = 0;
    for (const std::string& name : chosen_samples()) {
        const ElemType elem = ++turn % 2 == 0 ? ElemType::F16 : ElemType::BF16;
        TensorBatch batch;
        const Trace trace = fuse(sample_of(elem, name));
        for (const int step : chosen_steps(trace))
            for (std::size_t i = 0; i < (everything() ? kTensorShapes.size() : 1); ++i)
                add_state(batch, name + " in " + to_string(elem), trace, step, turn++, elem);
        programs += batch.batch.size();
        if (batch.batch.size() > 0) batch.check();
        if (everything()) say_checked(name, batch.cases.size());
    }
    EXPECT_GT(programs, 40);
}

TEST_F(OnTensorCores, ProductsOfFloat32InTf32) {
    TensorBatch batch(true);
    for (const std::string name : {"attention", "layernorm-matmul", "rmsnorm-swiglu"}) {
        const Trace trace = fuse(float_sample(name));
        for (std::size_t shapes = 0; shapes < kTensorShapes.size(); ++shapes)
            add_state(batch, name, trace, static_cast<int>(trace.steps.size()), shapes, ElemType::F32);
    }
    batch.check();
}

// Operands of different types, of 8 bits, and computed ones on the right.
TEST_F(OnTensorCores, MixedOperands) {
    constexpr std::array<const char*, 5> kPrograms{
        "input X[M,K] : f16\ninput Y[K,N] : bf16\noutput Z = X @ Y\n",
        "input X[M,K] : e4m3\ninput Y[K,N] : bf16\noutput Z = cast(X, bf16) @ Y\n",
        "input X[M,K], Y[K,N] : e5m2\noutput Z = X @ Y\n",
        "input X[M,K], Y[N,K] : bf16\noutput Z = X @ exp(Y).T\n",
        "input X[M,K], Y[K,N] : f16\noutput Z = relu(X @ Y) @ (X @ Y).T\n",
    };
    TensorBatch batch;
    for (const std::string text : kPrograms) {
        Result<ArrayProgram> parsed =
            parse_program("dim M = 40/24\ndim K = 48/32\ndim N = 40/16\n" + text, "");
        if (!parsed) continue;  // a mixture that the language has no product for
        const auto initial = std::make_shared<const BlockProgram>(to_block_program(*parsed).program);
        const Trace trace = fuse(initial);
        for (const int step : {0, static_cast<int>(trace.steps.size())})
            batch.add(make_case(text, *trace.state(step), initial->dims,
                                text.find("e5m2") != std::string::npos ? 0.25 : 2e-2));
    }
    EXPECT_GE(batch.cases.size(), 4U);
    batch.check();
}

// Products of 8 bits as they are: lines of 128 numbers, ragged ones of 32, blocks that are read as numbers,
// too, and lines that are copied 16, 4 and 1 byte at a time. V lies the other way round and takes f16.
TEST_F(OnTensorCores, ProductsOfEightBits) {
    constexpr std::array<const char*, 5> kPrograms{
        "dim M = 40/24\ndim K = 320/160\ndim N = 48/32\ninput X[M,K], Y[N,K] : e4m3\noutput Z = X @ Y.T\n",
        "dim M = 40/24\ndim K = 84/44\ndim N = 40/16\ninput X[M,K], Y[N,K] : e5m2\noutput Z = X @ Y.T\n",
        "dim M = 40/24\ndim K = 77/33\ndim N = 40/16\ninput X[M,K], Y[N,K] : e4m3\noutput Z = X @ Y.T\n",
        "dim M = 40/24\ndim K = 64/32\ndim N = 40/16\ninput X[M,K], Y[N,K] : e4m3\noutput Z = layernorm(X) @ "
        "Y.T\n",
        "dim M = 40/32\ndim N = 64/32\ndim D = 48/48\ndim L = 32/32\n"
        "input Q[M,D], K[N,D], V[N,L] : e4m3\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
    };
    TensorBatch batch;
    batch.options.target = gpu::Target::Sm89;
    for (const char* text : kPrograms) add_in_eight_bits(batch, text);
    batch.check();
    const std::string code = batch.batch.text();
    EXPECT_THAT(code, HasSubstr("SharedTile<e4m3"));
    EXPECT_THAT(code, HasSubstr("SharedTile<e5m2"));
    // Without rounding what is stored: every product is exact.
    for (std::size_t i = 0; i < batch.cases.size(); ++i)
        for (const gpu::DeviceArray& array : batch.batch.set(static_cast<int>(i)).arrays)
            EXPECT_EQ(bytes_per_element(array.elem), 1) << array.name;
}

// Exponentials that take in a scale and a shift: rows that a bias of -1e30 hides altogether, whose softmax is
// that of equals, rows that see one column, maxima that move in the last block only, and rows whose first
// blocks smaller biases hide.
Case fused_case(const std::string& name, const std::string& text) {
    const auto initial =
        std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
    return make_case(name, make_safe(*fuse(initial).last()).program, initial->dims, 0.02);
}

Case hidden_rows() {
    Case one = fused_case(
        "a bias",
        "dim M = 40/24\ndim N = 96/32\ndim D = 32/32\ndim L = 16/16\ninput Q[M,D], K[N,D], V[N,L], "
        "B[M,N] : bf16\noutput O = softmax(Q @ K.T * D^-0.5 + B) @ V\n");
    std::vector<double>& bias = one.inputs.at("B").data;
    for (std::size_t column = 0; column < 96; ++column) {
        bias[column] = measure::round_to(ElemType::BF16, -1e30);
        bias[96 + column] = column == 95 ? 3 : measure::round_to(ElemType::BF16, -1e30);
        bias[192 + column] = column < 64 ? -20 : 20;
        int row = 3;
        for (const double hidden : {-1e4, -1e9, -1e10, -3e10, -1e11, -5e11, -1e30})
            bias[96 * static_cast<std::size_t>(row++) + column] =
                column < 64 ? round_to(ElemType::BF16, hidden) : 0;
    }
    one.expected = evaluate(one.program, one.inputs);
    return one;
}

TEST(EmulatedTensorCores, ExponentialsOfHiddenRowsAndOfMaximaThatMove) {
    TensorBatch batch;
    batch.add(hidden_rows());
    batch.add(fused_case(
        "more queries than keys",
        "dim M = 96/32\ndim N = 64/32\ndim D = 32/32\ndim L = 16/16\ninput Q[M,D], K[N,D], V[N,L] : "
        "bf16\noutput O = softmax(causal(Q @ K.T * D^-0.5)) @ V\n"));
    for (const char* width : {"32", "96"})
        batch.add(fused_case(std::string("a mask before the scale, D = ") + width,
                             std::string("dim M = 96/32\ndim N = 64/32\ndim D = ") + width + "/" + width +
                                 "\ndim L = 16/16\ninput Q[M,D], K[N,D], V[N,L] : bf16\n"
                                 "output O = softmax(causal(Q @ K.T) * D^-0.5) @ V\n"));
    batch.check();
    const std::string text = batch.batch.text();
    for (const char* call : {" = row_exponential(t", " = row_rescale(t", " = lagging_max(t"})
        EXPECT_THAT(text, HasSubstr(call));
    constexpr std::array<std::array<const char*, 2>, 4> kDefects{{
        {"kFar = 1024.0f", "kFar = 1e38f"},
        {"rounded_product(a.v[i][j], factor) + c.v[i]", "fmaf(a.v[i][j], factor, c.v[i])"},
        {"any_of_warp(moved) ?", "false ?"},
        {"kBy = 5.54517744f", "kBy = 1e38f"},
    }};
    for (const auto& [right, wrong] : kDefects) {
        std::string broken = text;
        auto at = broken.find(right);
        ASSERT_NE(at, std::string::npos) << right;
        for (; at != std::string::npos; at = broken.find(right, at + 1))
            broken.replace(at, std::string(right).size(), wrong);
        batch.batch.compile(broken);
        bool noticed = false;
        for (int i = 0; i < 4; ++i) {
            const Case& one = batch.cases.at(static_cast<std::size_t>(i));
            const Batch::Outcome outcome = batch.batch.run(i, one.inputs);
            noticed = noticed || !(difference(one.expected, outcome.outputs) <= one.tolerance);
        }
        EXPECT_TRUE(noticed) << right;
    }
}

// Norms in float32 between casts: nothing of them is an array, and products round their operands to bf16.
TEST(EmulatedTensorCores, NormsInFloat32) {
    TensorBatch batch;
    batch.add(fused_case("norms in float32",
                         "dim M = 40/24\ndim N = 96/32\ndim D = 32/32\ndim L = 16/16\n"
                         "input Q[M,D], K[N,D], V[N,L] : bf16\n"
                         "q = cast(rmsnorm(cast(Q, f32)), bf16)\nk = cast(rmsnorm(cast(K, f32)), bf16)\n"
                         "output O = softmax(q @ k.T * D^-0.5) @ V\n"));
    batch.add(fused_case("a norm over several blocks",
                         "dim M = 40/24\ndim N = 96/32\ndim D = 64/32\ninput X[M,D], W[D,N] : bf16\n"
                         "output Y = cast(rmsnorm(cast(X, f32)), bf16) @ W\n"));
    batch.add(fused_case("a norm of what is computed, over several blocks",
                         "dim M = 40/24\ndim N = 96/32\ndim D = 64/32\ndim E = 32/32\ndim L = 16/16\n"
                         "input X[M,E], W[E,D], K[N,D], V[N,L] : bf16\n"
                         "q = cast(rmsnorm(cast(X @ W, f32)), bf16)\n"
                         "output O = softmax(q @ K.T * D^-0.5) @ V\n"));
    batch.check();
    for (const gpu::DeviceArray& array : batch.batch.set(2).arrays)
        EXPECT_EQ(array.elem, ElemType::BF16) << array.name;
    EXPECT_EQ(batch.batch.set(0).arrays.size(), 4U) << "Q, K, V and O";
    EXPECT_EQ(batch.batch.set(1).arrays.size(), 3U) << "X, W and Y";
    EXPECT_THAT(batch.batch.text(), HasSubstr("as_tile<bf16>("));
}

// The safe form keeps exponentials of running maxima: rounded to 8 bits there and in the end, they are wrong
// by an eighth. A product's operands stay what the tensor cores take.
TEST(EmulatedTensorCores, IntermediatesThatNoProductReadsAreWiderThanEightBits) {
    Batched batch;
    add_in_eight_bits(batch, "dim M = 40/24\ndim N = 96/32\ninput X[M,N] : e4m3\noutput Y = softmax(X)\n");
    batch.check();
    int between = 0;
    for (const gpu::DeviceArray& array : batch.batch.set(0).arrays) {
        if (array.kind != gpu::DeviceArray::Kind::Intermediate) continue;
        EXPECT_GT(bytes_per_element(array.elem), 1) << array.name;
        ++between;
    }
    EXPECT_GT(between, 0);
    const auto chain =
        parse_program("dim M = 64/32\ninput X[M,M], Y[M,M], Z[M,M] : e4m3\noutput W = (X @ Y.T) @ Z.T\n", "");
    gpu::CodegenOptions options;
    options.target = gpu::Target::Sm89;
    const gpu::KernelSet unfused =
        gpu::generate(built(lower(to_block_program(*chain).program)), options).value();
    int of_products = 0;
    for (const gpu::DeviceArray& array : unfused.arrays)
        if (array.kind == gpu::DeviceArray::Kind::Intermediate)
            of_products += bytes_per_element(array.elem) == 1;
    EXPECT_EQ(of_products, 1) << "X @ Y.T as Z's product reads it";
}

// Older cards take operands of 16 bits, and say so.
TEST(EightBits, AreSixteenWhereTensorCoresHaveNoEight) {
    const BlockProgram program =
        to_block_program(
            *parse_program("dim M = 64/32\ninput X[M,M], Y[M,M] : e4m3\noutput Z = X @ Y.T\n", ""))
            .program;
    gpu::CodegenOptions options;
    options.target = gpu::Target::Sm80;
    const gpu::KernelSet set = gpu::generate(built(lower(program)), options).value();
    EXPECT_THAT(source(set), Not(HasSubstr("SharedTile<e4m3")));
    EXPECT_THAT(set.notes, ElementsAre(HasSubstr("no products of e4m3")));
}

// Scores with a mask that pass through arrays of f16 stay finite, and what is hidden is hidden.
TEST_F(OnTensorCores, CausalMasksInF16) {
    TensorBatch tensors;
    Batched plain;
    const Trace trace = fuse(sample_of(ElemType::F16, "causal-attention"));
    DimTable dims = trace.initial->dims;
    for (Dim& dim : dims) {
        if (dim.kind != DimKind::Blocked) dim.size = 2;
        if (dim.kind == DimKind::Blocked) dim.size = 64, dim.block = 16;
    }
    for (const int step : trace.snapshots)
        for (Batched* batch : {static_cast<Batched*>(&tensors), &plain})
            batch->add(make_case("step " + std::to_string(step), make_safe(*trace.state(step)).program, dims,
                                 ElemType::F16));
    tensors.add(make_case("step 0", make_safe(*trace.initial).program, dims, ElemType::F16));
    tensors.check();
    plain.check();
    EXPECT_THAT(tensors.batch.text(), HasSubstr("-32768.0f"));
}

// Four warps and more rows than they have strips.
TEST_F(OnTensorCores, SeveralStripsOfAWarp) {
    TensorBatch batch;
    for (const std::string name : {"attention", "gemm-relu"}) {
        const Trace trace = fuse(sample_of(ElemType::F16, name));
        DimTable dims = trace.initial->dims;
        for (Dim& dim : dims) dim.size = 136, dim.block = 80;
        batch.add(make_case(name, make_safe(*trace.last()).program, dims, ElemType::F16));
    }
    batch.check();
}

// The variance of one element is what rounding leaves of mean(x**2) - mean(x)**2, which may be negative.
bool norms_one_element(const ArrayProgram& program) {
    return std::any_of(program.ops.begin(), program.ops.end(), [&](const ArrayOp& op) {
        return op.kind == ArrayOpKind::LayerNorm && program.dims.at(op.shape.axes.back().value).size == 1;
    });
}

TEST_F(OnTensorCores, RandomPrograms) {
    constexpr std::uint64_t kPrograms = 200;
    TensorBatch batch;
    LeftOut left_out;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
        const ElemType elem = seed % 2 == 0 ? ElemType::F16 : ElemType::BF16;
        const ArrayProgram program = in_type(random_array_program(seed), elem);
        const auto initial = std::make_shared<const BlockProgram>(to_block_program(program).program);
        const Trace trace = fuse(initial);
        for (const int step : {0, static_cast<int>(trace.steps.size())}) {
            Case one = make_case("seed " + std::to_string(seed) + ", step " + std::to_string(step),
                                 make_safe(*trace.state(step)).program, initial->dims, 0.1);
            const auto has_result = [&] {
                return !norms_one_element(program) && sensitivity(one, elem) <= kNoResult;
            };
            if (left_out.takes(one, has_result)) batch.add(std::move(one));
        }
    }
    EXPECT_GT(batch.cases.size(), static_cast<std::size_t>(kPrograms) / 2);
    left_out.say("random programs on tensor cores", batch.cases.size());
    batch.check();
}

}  // namespace
}  // namespace blockscope::test
