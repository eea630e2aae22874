// The whole analysis of programs and devices, those of the paper and others; FlashAttention-3 as documents.
#include "core/napkin/study.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/diagram/term.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Study studied(const Flow& flow, const std::string& on, const StudyOptions& options = {}) {
    Result<Study> made = study(flow, device(on), options);
    if (!made) throw std::runtime_error(made.problems().front().message.str());
    return std::move(made).value();
}

TEST(Study, OfTooManyOperatorsIsRefused) {
    std::string text = "dim M = 8 / 4\ninput X0[M, M]\n";
    for (int i = 0; i < 129; ++i)
        text +=
            (i == 128 ? "output Y" : "X" + std::to_string(i + 1)) + " = X" + std::to_string(i) + " @ X0\n";
    const Result<Study> made = study(flow_from(text.c_str()), device("h100-sxm5"), {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.problems().front().message, "found 129 operators; expected at most 128 in one algorithm");
}

TEST(Study, OfAttentionOnH100) {
    StudyOptions options;
    for (const char* name : {"Q", "K", "A of P"}) options.types[name] = ElemType::E4M3;
    const Study found = studied(flow_from(kAttention), "h100-sxm5", options);
    ASSERT_TRUE(found.law);
    EXPECT_FORMULA(found.law->formula(found.memory_symbol), "4·d²·q·x·M^-1 + 2·d·q");
    EXPECT_EQ(found.memory, 227 * 1024 / 2);
    ASSERT_TRUE(found.best);
    EXPECT_EQ(found.best->plan[0].size, 256);  // 2·d·g_q + 2·d <= 116,224 values
    ASSERT_TRUE(found.kernel);
    EXPECT_EQ(found.kernel->rows, "q");
    EXPECT_EQ(found.kernel->stream, "x");
    EXPECT_EQ(found.kernel->fit, 3);
    EXPECT_EQ(std::round(found.kernel->least_threads), 295);
    EXPECT_NEAR(found.kernel->ideal_rate / 1e15, 1.32, 0.005);
    EXPECT_NEAR(found.kernel->utilisation, 1, 0.005);
    EXPECT_THAT(found.kernel->broken, testing::IsEmpty());
    // Equation 2, level by level.
    ASSERT_TRUE(found.models);
    double sum = 0;
    for (const LevelCost& level : found.models->levels) sum += level.level.weight * level.transfers;
    EXPECT_DOUBLE_EQ(found.models->seconds, sum);
    EXPECT_EQ(found.models->levels[0].level.name, "L2");
    // Equation 3: between twice and four times as fast at half the bytes.
    const double gain = found.models->quantised[0].second / found.models->quantised[1].second;
    EXPECT_GT(gain, 2);
    EXPECT_LE(gain, 4);
    // Section 4.4: the L2 as a cache of 132 shared memories.
    EXPECT_EQ(found.models->caches[0].children, 132);
    EXPECT_DOUBLE_EQ(found.models->caches[0].together, 132 * 228 * 1024 / 2.0);
    EXPECT_LT(found.models->cross[0].saved, found.models->cross[1].saved);
}

// Different widths of keys and values: H* is a formula still, but its operations are a sum.
TEST(Study, SaysWhyThereIsNoIntensity) {
    const Study found = studied(separated(flow_of(read_sample("attention"))), "h100-sxm5");
    ASSERT_TRUE(found.law);
    EXPECT_FALSE(found.law_of_numbers);
    const double memory = 1e5;
    EXPECT_NEAR(found.law->value(sizes(found.circuit.axes), memory),
                2.0 * 4096 * 128 + 4.0 * 4096 * 4096 * 128 * 128 / memory, 1);
    EXPECT_TRUE(found.models);
    EXPECT_FALSE(found.intensity);
    EXPECT_THAT(found.no_intensity, testing::HasSubstr("its operations are a sum"));
}

// The decoder block holds 3·D·F weights at once, whatever is streamed: no level has H* or a time.
TEST(Study, OfWhatFitsNowhereHasNoLaw) {
    const Study found = studied(separated(flow_of(read_sample("decoder-block"))), "h100-sxm5");
    EXPECT_FALSE(found.best);
    EXPECT_FALSE(found.law);
    EXPECT_FALSE(found.models);
}

// A program and a device that the paper never saw.
TEST(Study, OfRmsNormSwiGluOnA100) {
    const Study found = studied(separated(flow_of(read_sample("rmsnorm-swiglu"))), "a100-sxm-80gb");
    EXPECT_EQ(found.memory_symbol, "Mem");
    ASSERT_TRUE(found.kernel) << found.no_kernel;
    EXPECT_EQ(found.kernel->rows, "M");
    // The hidden dimension is streamed, all features in every part of it, 128 columns of the result a block:
    // the gates are computed again for each of its 32 groups.
    const WarpgroupKernel& kernel = *found.kernel;
    EXPECT_EQ(kernel.stream, "K");
    EXPECT_EQ(kernel.inner, "D");
    EXPECT_THAT(kernel.others, testing::ElementsAre("N"));
    EXPECT_GE(kernel.fit, 1);
    for (const LevelUse& use : kernel.uses) EXPECT_GE(use.excess(kernel.fit), 0) << use.level;
    EXPECT_THAT(kernel.broken, testing::IsEmpty());
    const Values& sizes = kernel.configuration.sizes;
    const double s = sizes.at("s_K"), columns = sizes.at("g_N");
    EXPECT_DOUBLE_EQ(kernel.repeats, (2 * 4096 / columns + 1) / 3);
    // Two gates over all of D, the sigmoid of one, and the product with a part of U (Table 3).
    ASSERT_EQ(kernel.clocks.pipelines.size(), 4u);
    EXPECT_FORMULA(kernel.clocks.pipelines[0].ops, "2·D·s_K");
    EXPECT_FORMULA(kernel.clocks.pipelines[1].ops, "s_K");
    EXPECT_FORMULA(kernel.clocks.pipelines[2].ops, "2·D·s_K");
    EXPECT_FORMULA(kernel.clocks.pipelines[3].ops, "2·g_N·s_K");
    EXPECT_DOUBLE_EQ(kernel.clocks.bound(), (2 * 2 * 4096 + 2 * columns) * s / 2048);
    // W, V and U for a block, X for each row, two bytes a value, in every part of K.
    EXPECT_DOUBLE_EQ(kernel.clocks.bytes, 2 * s * (2 * 4096 + columns));
    EXPECT_DOUBLE_EQ(kernel.clocks.thread_bytes, 2 * 4096.0);
    EXPECT_GT(kernel.least_part, 0);
    EXPECT_NEAR(kernel.ideal_rate / 1e12, 312, 1);
    ASSERT_TRUE(found.best);
    EXPECT_LE(found.best->memory, found.memory);
    // Streaming the hidden dimension, not the features, is what lets rows fit.
    EXPECT_EQ(axis_of(found.flow.axes, found.plan.back().axis).name, "K");
    EXPECT_EQ(found.plan.back().kind, PartitionKind::Stream);
}

// Within what tensor cores hold a longer part of K fits, and then g_M is known (Appendix B.0.1, X included).
TEST(Study, OfRmsNormSwiGluInFragmentsHasItsLeastRows) {
    StudyOptions options;
    options.execution = Deployment{};
    options.execution->warpgroups = 0;
    options.execution->fragments = true;
    const Study found = studied(separated(flow_of(read_sample("rmsnorm-swiglu"))), "a100-sxm-80gb", options);
    ASSERT_TRUE(found.kernel);
    const WarpgroupKernel& kernel = *found.kernel;
    EXPECT_EQ(kernel.inner, "D");
    EXPECT_GE(kernel.fit, 1);
    const Device a100 = device("a100-sxm-80gb");
    const double clock = (a100.matrix_clock.known() ? a100.matrix_clock : a100.clock).value;
    const double byte = clock * a100.processors.value / global_memory(a100).bandwidth.value;
    options.execution->sizes = {{"s_K", 128}, {"s_D", 64}};
    const Study longer = studied(separated(flow_of(read_sample("rmsnorm-swiglu"))), "a100-sxm-80gb", options);
    ASSERT_TRUE(longer.kernel);
    EXPECT_EQ(longer.kernel->inner, "D");
    EXPECT_NEAR(longer.kernel->least_threads *
                    (longer.kernel->clocks.bound() - longer.kernel->clocks.thread_bytes * byte),
                longer.kernel->clocks.bytes * byte, 1e-6 * longer.kernel->clocks.bytes * byte);
    EXPECT_GT(longer.kernel->least_threads, 100);
}

// Every sample with a product of matrices and rows that can be grouped fits an A100 as some kernel.
TEST(Study, OfLayersFitsSomeKernel) {
    for (const char* name :
         {"rmsnorm-swiglu", "bias-gelu-mlp", "gated-mlp", "lora", "mcfuser-g5", "mcfuser-g6"})
        for (const char* on : {"a100-sxm-80gb", "h100-sxm5"}) {
            SCOPED_TRACE(std::string(name) + " on " + on);
            const Study found = studied(separated(flow_of(read_sample(name))), on);
            ASSERT_TRUE(found.kernel);
            EXPECT_GE(found.kernel->fit, 1);
            const Result<CircuitDocument> drawn = document(found, device(on), name);
            ASSERT_TRUE(drawn) << drawn.problems().front().message;
            EXPECT_THAT(verify(drawn->circuit), testing::IsEmpty());
            // As a document it is the same kernel again.
            StudyOptions options;
            options.execution = drawn->execution;
            const Study again = studied(*flow_of(drawn->circuit), on, options);
            ASSERT_TRUE(again.kernel);
            EXPECT_EQ(again.kernel->stream, found.kernel->stream);
            EXPECT_EQ(again.kernel->inner, found.kernel->inner);
        }
}

// Matmul on the levels of a CPU: groups for its L2, every cache its own term, no warpgroups.
TEST(Study, OfMatmulOnACpu) {
    const Study found = studied(flow_from(kMatmul), "epyc-9755");
    EXPECT_EQ(found.local, "L2");
    EXPECT_EQ(found.memory, 1024 * 1024 / 4) << "values of float32, as a processor computes";
    ASSERT_TRUE(found.models);
    std::vector<std::string> names;
    for (const LevelCost& level : found.models->levels) names.push_back(level.level.name);
    EXPECT_THAT(names, testing::ElementsAre("L3", "L2", "L1", "registers"));
    // The L3 has room for whole axes: every array is moved once.
    const double once = 4096.0 * 2048 + 2048.0 * 1024 + 4096.0 * 1024;
    for (const LevelCost& level : found.models->levels) {
        const double law = 2.0 * 4096 * 2048 * 1024 / std::sqrt(level.level.memory) + 4096.0 * 1024;
        EXPECT_NEAR(level.transfers, std::max(law, once), 1e-6 * level.transfers);
    }
    ASSERT_TRUE(found.intensity);
    EXPECT_FORMULA(found.intensity->per_operation, "M^-1/2 + 0.5·b^-1");
    EXPECT_FALSE(found.kernel);
    EXPECT_THAT(found.no_kernel, testing::HasSubstr("has no shared memory"));
    ASSERT_TRUE(found.best);
    EXPECT_EQ(found.best->plan[0].size, 256);
    EXPECT_EQ(found.best->plan[1].size, 512);
}

// Heads and batches are groups of one each, no rows of threads, and a matrix instruction does not ask them to
// divide by anything.
TEST(Study, OfHeadsIsThatOfOneHead) {
    const Study one = studied(separated(flow_of(read_sample("attention"))), "h100-sxm5");
    const Study heads = studied(separated(flow_of(read_sample("multihead-attention"))), "h100-sxm5");
    ASSERT_TRUE(one.kernel && heads.kernel);
    EXPECT_EQ(heads.kernel->rows, "M");
    EXPECT_EQ(heads.kernel->stream, "N");
    EXPECT_THAT(heads.kernel->others, testing::ElementsAre("B", "H"));
    EXPECT_EQ(heads.kernel->configuration.sizes.at("g_B"), 1);
    EXPECT_EQ(heads.kernel->fit, one.kernel->fit);
    for (std::size_t level = 0; level < one.kernel->uses.size(); ++level)
        EXPECT_DOUBLE_EQ(heads.kernel->uses[level].per_warpgroup, one.kernel->uses[level].per_warpgroup);
    EXPECT_DOUBLE_EQ(heads.kernel->clocks.bound(), one.kernel->clocks.bound());
    EXPECT_THAT(heads.kernel->broken, testing::IsEmpty());
    for (const Divisor& divisor : heads.kernel->divisors) EXPECT_THAT(divisor.symbol, testing::Not("g_H"));
}

// Columns of a result are as many as let a warpgroup fit; asked for, they are as asked.
TEST(Study, GivesBlocksSomeColumns) {
    const Flow flow = separated(flow_of(read_sample("matmul")));
    const Study found = studied(flow, "h100-sxm5");
    ASSERT_TRUE(found.kernel);
    EXPECT_EQ(found.kernel->rows, "A");
    EXPECT_THAT(found.kernel->others, testing::ElementsAre("C"));
    EXPECT_EQ(found.kernel->configuration.sizes.at("g_C"), 128);
    EXPECT_GE(found.kernel->fit, 1);
    StudyOptions options;
    options.execution = Deployment{};
    options.execution->warpgroups = 0;
    options.execution->sizes["g_C"] = 64;
    const Study asked = studied(flow, "h100-sxm5", options);
    EXPECT_EQ(asked.kernel->configuration.sizes.at("g_C"), 64);
    EXPECT_LT(asked.kernel->uses[1].per_warpgroup, found.kernel->uses[1].per_warpgroup);
    EXPECT_EQ(asked.kernel->execution.warpgroups, asked.kernel->fit);
}

// Every sample on every device: an answer, or a sentence why there is none.
TEST(Study, OfEverySampleOnEveryDevice) {
    int kernels = 0;
    for (const std::string& name : sample_names()) {
        const Flow flow = separated(flow_of(read_sample(name)));
        for (const char* on : {"h100-sxm5", "a100-sxm-80gb", "epyc-9755"}) {
            SCOPED_TRACE(name + " on " + on);
            const Study found = studied(flow, on);
            EXPECT_EQ(found.kernel.has_value(), found.no_kernel.empty());
            if (!found.kernel) continue;
            ++kernels;
            EXPECT_GE(found.kernel->utilisation, 0);
            EXPECT_LE(found.kernel->utilisation, 1 + 1e-9);
            const Result<CircuitDocument> drawn = document(found, device(on), name);
            if (!drawn) continue;
            EXPECT_THAT(verify(drawn->circuit), testing::IsEmpty());
        }
    }
    EXPECT_GT(kernels, 30);
}

TEST(Study, SaysWhatItCannotSplit) {
    StudyOptions options;
    options.rows = "x";
    const Result<Study> wrong = study(flow_from(kAttention), device("h100-sxm5"), options);
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.problems().front().message, testing::HasSubstr("x cannot be grouped"));
    options.rows = "z";
    const Result<Study> none = study(flow_from(kAttention), device("h100-sxm5"), options);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.problems().front().message, testing::HasSubstr("there is no axis z; there are q, x"));
}

// ---- FlashAttention-3 (Section 6) ----

struct Flash {
    const char* file;
    const char* title;
    bool fp8;
    Overlap overlap;
    int warpgroups;
};
constexpr Flash kFlash[] = {
    {"flash-attention-3-fp16-inter", "FlashAttention-3, FP16, overlapping between warpgroups", false,
     Overlap::Inter, 2},
    {"flash-attention-3-fp16-intra", "FlashAttention-3, FP16, overlapping within a warpgroup", false,
     Overlap::Intra, 1},
    {"flash-attention-3-fp8-inter", "FlashAttention-3, FP8, overlapping between warpgroups", true,
     Overlap::Inter, 2},
    {"flash-attention-3-fp8-intra", "FlashAttention-3, FP8, overlapping within a warpgroup", true,
     Overlap::Intra, 1}};

const char* const kFp16 =
    "dim q = 8192 / 128\ndim x = 8192 / 128\ndim d = 128 / 128\n"
    "input Q[q, d], K[x, d], V[x, d] : f16\nS = cast(Q @ K.T, f32) * d^-0.5\nP = softmax(S)\n"
    "output O = cast(cast(cast(P, f16) @ V, f32), f16)\n";
const char* const kFp8 =
    "dim q = 8192 / 128\ndim x = 8192 / 128\ndim d = 128 / 128\n"
    "input Q[q, d], K[x, d], V[x, d] : e4m3\nS = cast(Q @ K.T, f16) * d^-0.5\nP = softmax(S)\n"
    "output O = cast(P, e4m3) @ V\n";

std::string path_of(const Flash& flash) {
    return std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples/circuits/" + flash.file + ".json";
}

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The documents are what the machinery draws; BLOCKSCOPE_UPDATE=1 writes them anew.
TEST(FlashAttention3Documents, AreDrawnFromPrograms) {
    for (const Flash& flash : kFlash) {
        SCOPED_TRACE(flash.file);
        StudyOptions options;
        options.rows = "q";
        options.stream = "x";
        options.stream_size = 128;
        options.execution = Deployment{"", {}, true, flash.warpgroups, flash.overlap, 2.0 / 3, 0};
        const Study found = studied(flow_from(flash.fp8 ? kFp8 : kFp16), "h100-sxm5", options);
        const Result<CircuitDocument> drawn = document(found, device("h100-sxm5"), flash.title);
        ASSERT_TRUE(drawn) << drawn.problems().front().message;
        const std::string text = json::print(to_json(*drawn));
        if (std::getenv("BLOCKSCOPE_UPDATE")) {
            std::filesystem::create_directories(std::filesystem::path(path_of(flash)).parent_path());
            std::ofstream(path_of(flash), std::ios::binary) << text;
        }
        EXPECT_EQ(text, file_text(path_of(flash)));
    }
}

Study opened(const Flash& flash) {
    const Result<CircuitDocument> read = read_circuit(file_text(path_of(flash)), flash.file);
    if (!read) throw std::runtime_error(to_string(read.problems().front()));
    const Result<Flow> flow = flow_of(read->circuit);
    if (!flow) throw std::runtime_error(flow.problems().front().message.str());
    StudyOptions options;
    options.execution = read->execution;
    return studied(*flow, read->execution->device, options);
}

// Opened again, the statements of Section 6 follow: 75% (740 of 989 TFLOP/s) and 60% (1.2 of 1.98 PFLOP/s)
// with 66% softmax overhead, no allowance within a warpgroup and all of its time between two, and a special
// function unit that waits a third of the time.
TEST(FlashAttention3Documents, SayWhatSectionSixSays) {
    const Study fp16_inter = opened(kFlash[0]);
    const Study fp16_intra = opened(kFlash[1]);
    const Study fp8_inter = opened(kFlash[2]);
    const Study fp8_intra = opened(kFlash[3]);
    for (const Study* found : {&fp16_inter, &fp16_intra, &fp8_inter, &fp8_intra})
        ASSERT_TRUE(found->kernel) << found->no_kernel;
    EXPECT_EQ(fp16_intra.kernel->clocks.bound(), 16);
    EXPECT_NEAR(fp16_intra.kernel->utilisation, 740.0 / 989, 0.01);
    EXPECT_NEAR(fp16_intra.kernel->allowance, 0, 0.01);
    EXPECT_NEAR(fp16_inter.kernel->allowance, 1, 0.02);
    EXPECT_NEAR(fp16_inter.kernel->utilisation, 1, 1e-6);
    EXPECT_EQ(fp8_inter.kernel->clocks.bound(), 8);
    EXPECT_NEAR(fp8_inter.kernel->utilisation, 0.6, 0.02);
    EXPECT_NEAR(fp8_inter.kernel->allowance, 0, 0.01);
    EXPECT_NEAR(fp8_intra.kernel->special_idle, 1.0 / 3, 0.01);
}

// 740 of 989 TFLOP/s is read with what was put in; without overheads nothing is.
TEST(FlashAttention3Documents, SayWhatIsPutIn) {
    const Study intra = opened(kFlash[1]);
    EXPECT_EQ(put_in(*intra.kernel),
              "Special functions are taken to last 66.7% longer than their operations alone; this is put in, "
              "not derived.");
    EXPECT_NEAR(scheduled_rate(*intra.kernel) / 1e12, 740, 5);
    StudyOptions options;
    options.execution = Deployment{.device = "", .sizes = {}, .vector_overhead = 0.5};
    EXPECT_EQ(put_in(*studied(flow_from(kAttention), "h100-sxm5", options).kernel),
              "Vector operations are taken to last 50.0% longer than their operations alone; this is put in, "
              "not derived.");
    EXPECT_TRUE(put_in(*studied(flow_from(kAttention), "h100-sxm5").kernel).empty());
}

std::map<std::string, ElemType> held(const Study& study) {
    std::map<std::string, ElemType> types;
    for (const Variable& variable : study.kernel->expansion.variables)
        if (variable.per_warpgroup) types[variable.name] = study.kernel->configuration.elem(variable);
    return types;
}

// Section 6.1: with FP32 auxiliary variables a warpgroup of FP16 FlashAttention-3 has 64 KiB of each S,
// S_next and O and 1.5 KiB of α, so that 256 KiB of registers have room for one. Between two warpgroups there
// is no S_next, but two of 129.5 KiB do not fit either: tiles have to be smaller.
TEST(FlashAttention3Documents, OfFp16HaveRoomForOneWarpgroup) {
    const Study intra = opened(kFlash[1]);
    ASSERT_TRUE(intra.kernel);
    using Types = std::map<std::string, ElemType>;
    const ElemType f32 = ElemType::F32;
    EXPECT_EQ(held(intra),
              (Types{{"O", f32}, {"Q", ElemType::F16}, {"S", f32}, {"S_next", f32}, {"α", f32}}));
    const LevelUse& registers = intra.kernel->uses.at(1);
    EXPECT_EQ(registers.per_warpgroup, 193.5 * 1024);
    EXPECT_EQ(intra.kernel->fit, 1);
    EXPECT_EQ(registers.excess_per_thread(1, intra.kernel->threads()), 500);
    const Study inter = opened(kFlash[0]);
    ASSERT_TRUE(inter.kernel);
    EXPECT_EQ(held(inter), (Types{{"O", f32}, {"Q", ElemType::F16}, {"S", f32}, {"α", f32}}));
    EXPECT_EQ(inter.kernel->uses.at(1).per_warpgroup, 129.5 * 1024);
    EXPECT_EQ(inter.kernel->fit, 1);
    EXPECT_EQ(inter.kernel->execution.warpgroups, 2);
    // FP8 keeps FP16 auxiliary variables (Section 6.2).
    EXPECT_EQ(held(opened(kFlash[2])).at("S"), ElemType::F16);
}

// What the drawing shows: quantisation on the arrays, five levels, an L2 that only caches, divisors on the
// axes.
TEST(FlashAttention3Documents, CarryTheAttributesOfTheDrawing) {
    const Result<CircuitDocument> read = read_circuit(file_text(path_of(kFlash[2])), "fp8.json");
    ASSERT_TRUE(read);
    const Circuit& circuit = read->circuit;
    EXPECT_EQ(circuit.levels,
              (std::vector<std::string>{"HBM3", "L2", "shared", "registers", "tensor cores"}));
    for (const ArrayType& input : circuit.root->domain) EXPECT_EQ(input.elem, ElemType::E4M3);
    EXPECT_THAT(to_string(circuit), testing::HasSubstr("]*@1"));
    std::map<std::string, std::int64_t> by;
    for (const Axis& axis : circuit.axes) by[axis.name] = axis.divisor;
    EXPECT_EQ(by["g_q"], 128);
    EXPECT_EQ(by["s_x"], 8);
    EXPECT_EQ(by["d"], 128);
}

}  // namespace
}  // namespace blockscope::test
