// The C++ of states, compiled and run: it computes what the reference evaluation of the array program does.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "core/exec/evaluate.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "gpu/handover/cpp_source.h"
#include "gpu/handover/resources.h"
#include "tests/gpu/elements.h"
#include "tests/gpu/shapes.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

// Two or three blocks of most dimensions, the last one ragged; no multiples of a processor's vectors.
constexpr Shapes kRagged{{{24, 16}, {41, 32}, {50, 19}, {37, 37}}};

struct Compared {
    std::string name;
    gpu::CppSource source;
    Tensors<double> inputs;
    Tensors<double> expected;
    double tolerance;
};

// Many programs in one library: the compiler reads its headers once.
class Cpp : public testing::Test {
protected:
    Cpp() {
        std::string pattern = (fs::temp_directory_path() / "blockscope-handover-XXXXXX").string();
        if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder: " + pattern);
        folder_ = pattern;
    }
    ~Cpp() override { fs::remove_all(folder_); }

    // A state of the program at sizes of its own, all arrays in `elem` or as they are declared.
    void add(const std::string& name, const ArrayProgram& array, const ProgramPtr& state,
             std::optional<ElemType> elem, double tolerance) {
        BlockProgram sized = *state;
        sized.dims = shaped(sized, kRagged);
        ArrayProgram program = array;
        program.dims = sized.dims;
        const State form = State(std::move(sized), safe_form().kept_in(elem));
        auto made = gpu::cpp_source(form.loops(), "p" + std::to_string(all_.size()));
        ASSERT_TRUE(made) << name << ": " << to_string(made.problems().front());
        Tensors<double> inputs = random_doubles(program, 7);
        for (const gpu::HandedArray& one : made->inputs)
            for (double& value : inputs.at(one.name).data) value = round_to(one.elem, value);
        Tensors<double> expected = evaluate(program, inputs);
        all_.push_back({name, std::move(made).value(), std::move(inputs), std::move(expected), tolerance});
    }

    void add(const std::string& text, double tolerance, bool fused = true) {
        const ArrayProgram array = parse_program(text, "p.bp").value();
        const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(array).program));
        add(text, array, fused ? trace.last() : trace.initial, std::nullopt, tolerance);
    }

    void check() {
        ASSERT_NO_FATAL_FAILURE(compile(text_of_all()));
        for (std::size_t i = 0; i < all_.size(); ++i) check(all_[i], "run_" + std::to_string(i));
    }

private:
    std::string text_of_all() const {
        std::ostringstream file;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const gpu::CppSource& source = all_[i].source;
            file << source.text << "extern \"C\" void run_" << i << "(void** arrays) {\n    blockscope::p"
                 << i << "_cpu(";
            std::size_t array = 0;
            for (const auto* arrays : {&source.inputs, &source.outputs})
                for (const gpu::HandedArray& one : *arrays)
                    file << (one.elem == ElemType::F32 ? "(float*)"
                                                       : "(blockscope::" + to_string(one.elem) + "*)")
                         << "arrays[" << array++ << "], ";
            file << "2);\n}\n";
        }
        return file.str();
    }

protected:
    void compile(const std::string& text) {
        std::ofstream(folder_ / "blocks.h") << gpu::kBlocks;
        std::ofstream(folder_ / "all.cpp") << text;
        std::string command = BLOCKSCOPE_CXX " -std=c++17 -O0 -fopenmp -Wall -Wextra -Werror -fPIC -shared ";
#ifdef __SANITIZE_ADDRESS__
        command += "-fsanitize=address ";  // no line may read or write outside of its arrays
#endif
        command += "-o " + (folder_ / "all.so").string() + " " + (folder_ / "all.cpp").string() + " >" +
                   (folder_ / "log").string() + " 2>&1";
        const int code = std::system(command.c_str());
        std::ifstream log(folder_ / "log");
        ASSERT_EQ(code, 0) << std::string(std::istreambuf_iterator<char>(log), {}).substr(0, 3000);
        library_ = dlopen((folder_ / "all.so").c_str(), RTLD_NOW | RTLD_LOCAL);
        ASSERT_TRUE(library_) << dlerror();
    }

    template <class Function>
    Function function(const std::string& name) const {
        return reinterpret_cast<Function>(dlsym(library_, name.c_str()));
    }

private:
    void check(const Compared& one, const std::string& name) {
        std::vector<std::vector<unsigned char>> memory;
        for (const gpu::HandedArray& array : one.source.inputs)
            memory.push_back(encode(array.elem, one.inputs.at(array.name).data));
        for (const gpu::HandedArray& array : one.source.outputs)
            memory.push_back(
                nan_bytes(array.elem, static_cast<std::int64_t>(one.expected.at(array.name).data.size())));
        std::vector<void*> arrays;
        for (auto& bytes : memory) arrays.push_back(bytes.data());
        function<void (*)(void**)>(name)(arrays.data());
        for (std::size_t i = 0; i < one.source.outputs.size(); ++i) {
            const gpu::HandedArray& array = one.source.outputs[i];
            const std::vector<double> found = decode(array.elem, memory[one.source.inputs.size() + i]);
            EXPECT_LE(error(found, one.expected.at(array.name).data), one.tolerance)
                << array.name << " of " << one.name;
        }
    }

    // Infinite where a number is none.
    static double error(const std::vector<double>& found, const std::vector<double>& expected) {
        double largest = 1e-30, most = 0;
        for (const double value : expected) largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double one = std::abs(found.at(i) - expected[i]);
            most = one <= most ? most : std::isnan(one) ? INFINITY : one;
        }
        return most / largest;
    }

    fs::path folder_;
    std::vector<Compared> all_;
    void* library_ = nullptr;
};

constexpr double kFloat = 3e-5;  // of float32 arithmetic

class CppOfSamples : public Cpp {
protected:
    void check_all(const std::vector<std::string>& names, ProgramPtr (*state_of)(const Trace&)) {
        for (const std::string& name : names) {
            const bool eight_bits = name == "fp8-attention";  // whose casts round
            ASSERT_NO_FATAL_FAILURE(add(name, read_sample(name), state_of(sample_trace(name)), ElemType::F32,
                                        eight_bits ? 0.25 : kFloat));
        }
        check();
    }
};

TEST_F(CppOfSamples, Fused) {
    check_all(distinct_samples(), [](const Trace& trace) { return trace.last(); });
}

TEST_F(CppOfSamples, Unfused) {
    check_all({"attention", "gqa", "layernorm-affine-matmul", "rotary-attention"},
              [](const Trace& trace) { return trace.initial; });
}

// Arrays as the samples declare them.
TEST_F(Cpp, InSmallerTypes) {
    for (const std::string name : {"causal-attention", "fp8-attention", "layernorm-matmul"})
        ASSERT_NO_FATAL_FAILURE(add(name, read_sample(name), sample_trace(name).last(), std::nullopt,
                                    name == "fp8-attention" ? 0.25 : 0.01));
    for (const ElemType elem : {ElemType::F16, ElemType::E5M2})
        ASSERT_NO_FATAL_FAILURE(add("attention in " + to_string(elem), read_sample("attention"),
                                    sample_trace("attention").last(), elem,
                                    elem == ElemType::F16 ? 0.002 : 0.25));
    check();
}

// What no sample has.
TEST_F(Cpp, OfOtherOperators) {
    add("dim M = 64 / 16\ndim N = 64 / 16\ninput X[M, N], c[M], d[N], s[]\n"
        "Y = erf(X) * tanh(X) + abs(sin(X)) - cos(X) + floor(X * 3)\n"
        "output Z = (Y + outer(c, d)) * s + max(X, 0.25)\noutput r = row_max(X * s)\noutput q = "
        "row_mean(exp(X))\n",
        kFloat);
    add("dim M = 64 / 16\ndim D = 64\ninput X[M, D], C[M, D], S[M, D]\n"
        "output Y = rope(X, C, S)\noutput Z = rope_interleaved(X, C, S) * 2\n",
        kFloat);
    for (const bool fused : {false, true})
        add("batch H = 3\ndim M = 64 / 16\ndim N = 64 / 16\ndim D = 32 / 16\ninput X[H, M, D], W[H, N, D]\n"
            "S = X @ W.T\nT = relu(S).T\noutput Y = T @ X\noutput Z = sum(S, H)\n",
            kFloat, fused);
    add("dim M = 64 / 16\ndim N = 64 / 16\ninput X[M, N], V[N, M]\nS = causal(X, window=11)\n"
        "output O = softmax(S) @ V\n",
        kFloat);
    add("dim M = 64 / 16\ndim N = 64 / 16\ninput X[M, N]\nY = cast(X, f16)\noutput Z = cast(Y * Y, bf16)\n",
        0.005);
    check();
}

TEST(CppRefuses, WhatNobodyKnows) {
    const ArrayProgram array =
        parse_program("dim M = 64 / 16\ninput X[M, M]\noutput Y = custom(\"mystery\", X)\n", "p.bp").value();
    const State state(to_block_program(array).program);
    const auto made = gpu::cpp_source(state.loops(), "p");
    ASSERT_FALSE(made);
    EXPECT_THAT(
        to_string(made.problems().front()),
        testing::MatchesRegex("no C\\+\\+ for `Y = mystery\\(X\\)` \\(n[0-9]+\\): the operator is not one of "
                              "Blockscope's, so that nobody knows what it computes"));
    EXPECT_NE(made.problems().front().place.node, 0U);
}

// Their own exponential is as good as the C library's, and limits are limits.
TEST_F(Cpp, HasAnExponential) {
    compile(
        "#include \"blocks.h\"\nextern \"C\" float exponential(float x) { return blockscope::exponential(x); "
        "}\n");
    const auto exponential = function<float (*)(float)>("exponential");
    double worst = 0;
    for (double x = -86.5; x < 88.7; x += 0.003) {
        const auto given = static_cast<float>(x);
        const double right = std::exp(static_cast<double>(given));
        worst = std::max(worst, std::abs(static_cast<double>(exponential(given)) / right - 1));
    }
    EXPECT_LT(worst, 3e-7);
    EXPECT_EQ(exponential(0), 1);
    EXPECT_EQ(exponential(-1e30F), 0);
    EXPECT_EQ(exponential(-INFINITY), 0);
    EXPECT_EQ(exponential(90), INFINITY);
    EXPECT_TRUE(std::isnan(exponential(NAN)));
}

TEST_F(Cpp, RoundsAsElementTypesAreDefined) {
    const std::vector<ElemType> types = {ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2};
    std::string text = "#include \"blocks.h\"\n";
    for (const ElemType elem : types)
        text += "extern \"C\" float to_" + to_string(elem) +
                "(float x) { return blockscope::rounded<blockscope::" + to_string(elem) + ">(x); }\n";
    compile(text);
    for (const ElemType elem : types) {
        const auto rounded = function<float (*)(float)>("to_" + to_string(elem));
        const double largest = elem == ElemType::E4M3 ? 400 : elem == ElemType::BF16 ? 1e30 : 5e4;
        for (double x = 1e-9; x < largest; x *= 1.0037)
            for (const double one : {x, -x, round_to(elem, x) * (1 + std::ldexp(1.0, -9))}) {
                const auto given = static_cast<float>(one);
                ASSERT_EQ(static_cast<double>(rounded(given)), round_to(elem, static_cast<double>(given)))
                    << one << " as " << to_string(elem);
            }
        // What is too large is infinite in f16, and the largest number in 8 bits, as on cards.
        for (const float large : {61439.0F, 61440.0F, 1e6F, 1e30F}) {
            const double wanted = elem == ElemType::F16 && large > 1e5F
                                      ? std::numeric_limits<double>::infinity()
                                      : round_to(elem, static_cast<double>(large));
            EXPECT_EQ(static_cast<double>(rounded(large)), wanted) << to_string(elem) << ' ' << large;
        }
        EXPECT_EQ(rounded(0), 0);
        EXPECT_TRUE(std::isnan(rounded(NAN)));
    }
}

TEST(CppText, SaysWhichLineShowsWhat) {
    const State state(sample_trace("attention").last(), safe_form());
    const std::string text = gpu::cpp_source(state.loops(), "attention").value().text;
    EXPECT_THAT(text, testing::HasSubstr(
                          "#pragma omp parallel for schedule(dynamic)\n    for (int i_m = 0; i_m < 32;"));
    EXPECT_THAT(text, testing::HasSubstr("extern \"C\" void attention_cpu(const bf16* b_Q, const bf16* b_K, "
                                         "const bf16* b_V, bf16* b_O, int threads) {"));
    EXPECT_THAT(text,
                testing::ContainsRegex("dot\\(set\\(t[0-9]+\\), t[0-9]+, t[0-9]+\\); +// t[0-9]+ = dot\\("));
}

}  // namespace
}  // namespace blockscope::test
