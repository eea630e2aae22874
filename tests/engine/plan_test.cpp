// Where merging operations would change what they read: hand-made loop programs on a vector of 12 numbers in
// blocks of 4, X[n] = n + 1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/engine/cpu_program.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/state/state.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const DimId kN{0};
const LoopVar kVar{kN, 1};
const std::vector<Index> kAt{{false, kVar}};

CpuProgram prepared(std::vector<Statement> before, Block body, int temps) {
    LoopProgram program;
    program.dims = {{"N", 12, 4, DimKind::Blocked}};
    const Type type(Item::vector(kN), ElemType::F32);
    program.buffers = {{Buffer::Kind::Input, "X", {}, {kN}, type, false, InputSource::Array},
                       {Buffer::Kind::Output, "Y", {}, {kN}, type, false, InputSource::Array}};
    program.temps = temps;
    program.body = std::move(before);
    program.body.push_back({std::make_shared<const Loop>(Loop{kVar, 0, true, {}, std::move(body)}), {}});
    EngineOptions options;
    options.threads = 1;
    Result<CpuProgram> result = CpuProgram::prepare(program, options);
    if (!result) throw std::runtime_error(to_string(result.problems()[0]));
    CpuProgram running = std::move(result).value();
    std::vector<float> values;
    for (int i = 1; i <= 12; ++i) values.push_back(static_cast<float>(i));
    running.set_input(0, values);
    running.fill_with_nan();
    running.run();
    return running;
}

Statement evaluate(int to, const ExprPtr& expr, std::vector<Temp> args) {
    return {Evaluate{{to}, expr, std::move(args)}, {}};
}

TEST(PlanFusing, ChainsBecomeOneOperation) {
    const CpuProgram program = prepared({},
                                        {{Load{{1}, 0, kAt}, {}},
                                         evaluate(2, call(Fn::Neg, arg(0)), {{1}}),
                                         evaluate(3, call(Fn::Sub, arg(0), arg(1)), {{1}, {2}}),
                                         evaluate(4, call(Fn::Mul, arg(0), number(3)), {{3}}),
                                         {Store{{4}, 1, kAt}, {}}},
                                        4);
    EXPECT_THAT(program.plan(), Not(HasSubstr("t2 =")));
    EXPECT_THAT(program.plan(), Not(HasSubstr("t3 =")));
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(program.output(0)[i], 6 * static_cast<float>(i + 1));
}

TEST(PlanFusing, AValueIsReadBeforeItIsReplaced) {
    const CpuProgram program = prepared({{Initialise{{5}, 0}, {}}},
                                        {{Load{{1}, 0, kAt}, {}},
                                         evaluate(2, call(Fn::Abs, arg(0)), {{5}}),
                                         {Assign{{5}, {1}}, {}},
                                         evaluate(3, call(Fn::Neg, arg(0)), {{2}}),
                                         {Store{{3}, 1, kAt}, {}}},
                                        5);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_EQ(program.output(0)[i], i < 4 ? 0 : -static_cast<float>(i - 3)) << i;
}

TEST(PlanFusing, ANewValueWaitsUntilTheOldOneIsStored) {
    const CpuProgram program = prepared({{Initialise{{5}, 0}, {}}},
                                        {{Load{{1}, 0, kAt}, {}},
                                         evaluate(2, call(Fn::Neg, arg(0)), {{1}}),
                                         {Store{{5}, 1, kAt}, {}},
                                         {Assign{{5}, {2}}, {}}},
                                        5);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_EQ(program.output(0)[i], i < 4 ? 0 : -static_cast<float>(i - 3)) << i;
}

TEST(PlanFusing, WhatALoopCarriesIsComputedInPlace) {
    const CpuProgram program =
        prepared({{Initialise{{5}, 1}, {}}},
                 {{Load{{1}, 0, kAt}, {}},
                  evaluate(2, call(Fn::Add, call(Fn::Mul, arg(0), number(2)), arg(1)), {{5}, {1}}),
                  {Assign{{5}, {2}}, {}},
                  {Store{{5}, 1, kAt}, {}}},
                 5);
    EXPECT_THAT(program.plan(), Not(HasSubstr("t5 = t2")));
    float carried[4] = {1, 1, 1, 1};
    for (std::size_t i = 0; i < 12; ++i) {
        carried[i % 4] = 2 * carried[i % 4] + static_cast<float>(i + 1);
        EXPECT_EQ(program.output(0)[i], carried[i % 4]) << i;
    }
}

// Masked scores: `tail` says what becomes of them.
std::string plan_of_masked(const std::string& tail) {
    const ArrayProgram program = *parse_program(
        "dim M = 16 / 4\ndim N = 16 / 4\ndim D = 8 / 8\n"
        "input Q[M, D], K[N, D]\nmask C[M, N] = causal(window=6)\n"
        "S = Q @ K.T\n" +
            tail,
        "");
    const State state(fuse(std::make_shared<const BlockProgram>(to_block_program(program).program)).last());
    return std::move(CpuProgram::prepare(state.loops(), {})).value().plan();
}

TEST(Plan, MakesAMaskOnlyWhereItHidesSomethingIfItIsOnlyAdded) {
    const std::string left_out = "= causal mask where it hides something";
    EXPECT_THAT(plan_of_masked("output O = exp(S + C)\n"), HasSubstr(left_out));
    EXPECT_THAT(plan_of_masked("output O = exp(S + C)\noutput P = S - 2 * C\n"), Not(HasSubstr(left_out)));
    EXPECT_THAT(plan_of_masked("output O = exp(S * C)\n"), Not(HasSubstr(left_out)));
}

}  // namespace
}  // namespace blockscope::test
