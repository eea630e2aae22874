// Costs of states that are worked out part by part are those of the whole states.
#include "core/state/parts.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "core/program/convert.h"
#include "core/state/choose.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"
#include "tests/support/side_by_side.h"

namespace blockscope::test {
namespace {

RunStates run_of(const std::vector<ArrayProgram>& programs) {
    const ArrayProgram all = side_by_side(programs);
    return states_of(fuse(std::make_shared<const BlockProgram>(to_block_program(all).program)));
}

RunStates run_of_samples(const std::vector<std::string>& names) {
    std::vector<ArrayProgram> programs;
    for (const std::string& name : names) programs.push_back(read_sample(name));
    return run_of(programs);
}

std::vector<RunStates> runs_of_samples() {
    return {run_of_samples({"attention", "softmax"}),
            run_of_samples({"causal-attention", "layernorm-matmul"}),
            run_of_samples({"fp8-attention", "rmsnorm-matmul", "gemm-relu"})};
}

std::vector<RunStates> random_runs() {
    std::vector<RunStates> all;
    for (std::uint64_t seed = 0; seed < 16; seed += 2)
        all.push_back(run_of({random_array_program(seed), random_array_program(seed + 1)}));
    return all;
}

struct Taken {
    int apart = 0;
    int whole = 0;
};

void compare_bytes(const RunStates& run, const std::vector<Form>& forms, Taken& taken) {
    PartsOfStates taker;
    std::vector<BytesOfStates> bytes(forms.begin(), forms.end());
    for (const ProgramPtr& program : run.programs) {
        ++(taker.of(program).empty() ? taken.whole : taken.apart);
        for (std::size_t i = 0; i < forms.size(); ++i) {
            const State state(program, forms[i]);
            EXPECT_EQ(bytes[i].of(program), state.counts().bytes()) << form_title(forms[i]);
        }
    }
}

TEST(Parts, MoveTheBytesOfTheWholeState) {
    Taken taken;
    for (const RunStates& run : runs_of_samples())
        compare_bytes(run, {{}, safe_form().kept_in(ElemType::F16)}, taken);
    for (const RunStates& run : random_runs())
        compare_bytes(run, {{}, safe_form(true, SharedExponent::PerBlock), Form{}.as_in_paper()}, taken);
    EXPECT_GT(taken.apart, 100);
    EXPECT_LT(taken.whole, taken.apart / 10);
}

// All that a ranking says.
std::vector<std::string> described(const Ranking& ranking) {
    std::vector<std::string> lines{form_title(ranking.form), ranking.all_steps ? "all" : "some",
                                   ranking.plain ? std::to_string(*ranking.plain) : "-"};
    for (const RatedState& one : ranking.states)
        lines.push_back(std::to_string(one.step) + " " + one.name + " " + std::to_string(one.value) + " " +
                        form_title(one.form));
    return lines;
}

TEST(Parts, RankAsWholeStatesDo) {
    for (const RunStates& run : runs_of_samples())
        EXPECT_EQ(described(rank(run, safe_form(), least_bytes())),
                  described(rank(run, safe_form(), moved_bytes)));
    for (const RunStates& run : random_runs())
        EXPECT_EQ(described(rank(run, {}, least_bytes())), described(rank(run, {}, moved_bytes)));
}

// Attentions on the same dimensions, with arrays of these types.
RunStates attentions(const std::vector<std::string>& types) {
    std::string text = "dim M = 64 / 32\ndim N = 96 / 32\ndim D = 64 / 32\n";
    for (std::size_t i = 0; i < types.size(); ++i) {
        const std::string n = std::to_string(i);
        text += "input Q" + n + "[M, D], K" + n + "[N, D], V" + n + "[N, D] : " + types[i] + "\nP" + n +
                " = softmax(Q" + n + " @ K" + n + ".T)\noutput O" + n + " = P" + n + " @ V" + n + "\n";
    }
    return run_of({parse_program(text, "test.bp").value()});
}

std::size_t different_parts(const RunStates& run) {
    PartsOfStates taker;
    std::set<std::uint64_t> numbers;
    for (const ProgramPtr& program : run.programs)
        for (const IndependentPart& part : taker.of(program)) numbers.insert(part.number);
    return numbers.size();
}

TEST(Parts, ThatAreAlikeAreCountedOnce) {
    const std::size_t states = attentions({"f16"}).programs.size();
    EXPECT_EQ(different_parts(attentions({"f16", "f16", "f16"})), states);
    EXPECT_EQ(different_parts(attentions({"f16", "bf16", "f16"})), 2 * states);
    Taken taken;
    compare_bytes(attentions({"f32", "f16", "f32"}), {{}}, taken);
    EXPECT_EQ(taken.whole, 0);
}

TEST(Parts, OfAStateAreThoseOfTheStateBeforeButForWhatTheStepChanges) {
    const RunStates run = run_of_samples({"attention", "softmax", "matmul", "attention"});
    PartsOfStates taker;
    std::set<std::uint64_t> seen;
    for (const ProgramPtr& program : run.programs) {
        const IndependentParts& parts = taker.of(program);
        ASSERT_EQ(parts.size(), 4u);
        int fresh = 0;
        for (const IndependentPart& part : parts) fresh += seen.insert(part.number).second ? 1 : 0;
        EXPECT_EQ(fresh, program == run.programs.front() ? 4 : 1);
    }
}

// Costs of caches go by the order of the kernels.
TEST(Parts, AreNoneOfAProgramWhosePartsTakeTurns) {
    const auto parts = [](const std::string& lines) {
        const std::string text = "dim M = 64 / 32\ndim N = 64 / 32\ninput A[M, N], B[M, N] : f32\n" + lines;
        const RunStates run = run_of({parse_program(text, "test.bp").value()});
        PartsOfStates taker;
        return taker.of(run.programs.front()).size();
    };
    EXPECT_EQ(parts("P = exp(A)\noutput R = P * 2\nQ = exp(B)\noutput S = Q * 2\n"), 2u);
    EXPECT_EQ(parts("P = exp(A)\nQ = exp(B)\noutput R = P * 2\noutput S = Q * 2\n"), 0u);
}

TEST(Parts, AreNoneOfAProgramThatHangsTogether) {
    PartsOfStates taker;
    for (const ProgramPtr& program : states_of(sample_trace("decoder-block")).programs)
        EXPECT_TRUE(taker.of(program).empty());
}

}  // namespace
}  // namespace blockscope::test
