// Programs with inputs and what they have to give, generated, emulated and compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/fusion/trace.h"
#include "core/state/state.h"
#include "tests/gpu/batch.h"
#include "tests/gpu/shapes.h"

namespace blockscope::test {

struct Case {
    std::string name;
    BlockProgram program;
    Tensors<double> inputs;
    Tensors<double> expected;
    double tolerance = 0;
};

// A state's program at these sizes, and what it has to give.
// Casts to fewer bits may cost what a measurement on a card allows: the reference does not round.
Case make_case(std::string name, const BlockProgram& state, const DimTable& dims, double tolerance);

// With what a measurement on a card allows where all arrays have this type.
inline Case make_case(std::string name, const BlockProgram& state, const DimTable& dims, ElemType elem) {
    return make_case(std::move(name), state, dims, tolerance_of(elem, state));
}

// Whether the listing calls an operator that is not Blockscope's own.
inline bool custom(const BlockProgram& program) {
    return listing(program).find("mystery(") != std::string::npos;
}

struct Batched {
    Batch batch;
    std::vector<Case> cases;
    gpu::CodegenOptions options = {gpu::Target::F32, 64, false};

    // For tensor cores those programs only that have something for them to do: the others are as for `f32`.
    void add(Case one) {
        const State state(one.program);
        Result<gpu::KernelSet> set = gpu::generate(state.loops(), options);
        if (!set && custom(one.program)) {
            EXPECT_NE(set.problems().at(0).message.str().find("nobody knows what it computes"),
                      std::string::npos);
            return;
        }
        ASSERT_TRUE(set) << one.name << ": " << to_string(set.problems().at(0));
        if (options.target != gpu::Target::F32 && !set->tensor_cores) return;
        batch.add(std::move(set).value());
        cases.push_back(std::move(one));
    }

    void check() {
        batch.compile();
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Batch::Outcome outcome = batch.run(static_cast<int>(i), cases[i].inputs);
            EXPECT_EQ(outcome.error, "") << cases[i].name;
            const double found = difference(cases[i].expected, outcome.outputs);
            if (std::getenv("BLOCKSCOPE_GPU_SHOW"))
                std::printf("%.2e of %.1e  %s\n", found, cases[i].tolerance, cases[i].name.c_str());
            EXPECT_LE(found, cases[i].tolerance)
                << cases[i].name
                << (std::getenv("BLOCKSCOPE_GPU_SHOW") ? "\n" + listing(cases[i].program) : "");
        }
    }
};

// Two warps.
struct TensorBatch : Batched {
    explicit TensorBatch(bool tf32 = false) { options = {gpu::Target::Sm80, 64, tf32}; }
};

// The fused program of a text whose products are of 8 bits, with what e4m3 or e5m2 may cost.
void add_in_eight_bits(Batched& batch, const std::string& text);

class Emulated : public testing::Test {
protected:
    void SetUp() override {
        std::string why;
        if (!can_emulate(why)) GTEST_SKIP() << why;
    }
};

// The sample with all arrays of this type. In float32 nothing but the arithmetic is rounded.
ProgramPtr sample_of(ElemType elem, const std::string& name);
inline ProgramPtr float_sample(const std::string& name) {
    return sample_of(ElemType::F32, name);
}

// Whether the environment asks for every step of every sample.
bool everything();
// Which takes a while: how far it is.
void say_checked(const std::string& name, std::size_t programs);
// One of MCFuser's products and one of its attentions stand for the others, which differ in sizes only.
std::vector<std::string> chosen_samples();
// The initial state and the snapshots, or every step.
std::vector<int> chosen_steps(const Trace& trace);
// Whether all numbers are small enough to compare. Random programs are not made for floating point: where a
// logarithm of a negative number or an exponential of a large one makes the reference useless, there is
// nothing.
bool finite(const Tensors<double>& tensors);
// How much the results change (as `difference` has it; the worst of a few draws) when every input moves by up
// to the relative rounding error of its element type. What a kernel rounds to that type on its way acts
// likewise: a program that this changes by more than kNoResult has no result in that type; nor has one that
// cancels to 0 everywhere.
double sensitivity(const Case& one, ElemType elem);
constexpr double kNoResult = 0.1;
// Whether a program that casts to 8 bits has a result: inputs rounded to them change it by no more than its
// tolerance, and its results fit into e4m3. `1/x` of an x that cancels does not, nor does a result of 3,000,
// which kernels keep at 448. A program without such casts has one.
bool survives_casts(const Case& one);

// Random states that are not checked, by why.
class LeftOut {
public:
    // Whether the case is checked: its numbers are finite, it survives its casts, and it has a result
    // otherwise, too.
    bool takes(const Case& one, const std::function<bool()>& has_result = {});
    // Says how many were left out beside `taken` ones; fails if those without a result are more than a
    // quarter.
    void say(const std::string& name, std::size_t taken) const;

private:
    std::size_t infinite_ = 0;
    std::size_t without_result_ = 0;
    std::size_t by_casts_ = 0;
};

}  // namespace blockscope::test
