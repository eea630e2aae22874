// Programs with inputs and what they have to give, generated, emulated and compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/print/print.h"
#include "tests/gpu/batch.h"

namespace blockscope::test {

struct Case {
    std::string name;
    BlockProgram program;
    Tensors<double> inputs;
    Tensors<double> expected;
    double tolerance = 0;
};

// A state's program at these sizes, and what it has to give.
inline Case make_case(std::string name, const BlockProgram& state, const DimTable& dims, double tolerance) {
    BlockProgram program = state;
    program.dims = dims;
    const Tensors<double> inputs = rounded(random_doubles(program, 3), program);
    return {std::move(name), program, inputs, evaluate(program, inputs), tolerance};
}

// Whether the listing calls an operator that is not Blockscope's own.
inline bool custom(const BlockProgram& program) {
    return listing(program).find("mystery(") != std::string::npos;
}

struct Batched {
    Batch batch;
    std::vector<Case> cases;

    void add(Case one) {
        gpu::CodegenOptions options;
        options.threads = 64;
        Result<gpu::KernelSet> set = gpu::generate(lower(one.program), options);
        if (!set && custom(one.program)) {
            EXPECT_NE(set.problems().at(0).message.find("nobody knows what it computes"), std::string::npos);
            return;
        }
        ASSERT_TRUE(set) << one.name << ": " << to_string(set.problems().at(0));
        batch.add(std::move(set).value());
        cases.push_back(std::move(one));
    }

    void check() {
        batch.compile();
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Batch::Outcome outcome = batch.run(static_cast<int>(i), cases[i].inputs);
            EXPECT_EQ(outcome.error, "") << cases[i].name;
            EXPECT_LE(difference(cases[i].expected, outcome.outputs), cases[i].tolerance)
                << cases[i].name
                << (std::getenv("BLOCKSCOPE_GPU_SHOW") ? "\n" + listing(cases[i].program) : "");
        }
    }
};

class Emulated : public testing::Test {
protected:
    void SetUp() override {
        std::string why;
        if (!can_emulate(why)) GTEST_SKIP() << why;
    }
};

// The sample with all arrays in float32, so that nothing but the arithmetic is rounded.
ProgramPtr float_sample(const std::string& name);

}  // namespace blockscope::test
