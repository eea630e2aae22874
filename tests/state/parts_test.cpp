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

std::vector<RunStates> runs() {
    std::vector<RunStates> all = {
        run_of_samples({"attention", "attention", "softmax"}),
        run_of_samples({"causal-attention", "layernorm-matmul"}),
        run_of_samples({"gqa", "rmsnorm-swiglu", "fp8-attention"}),
        run_of_samples({"rotary-attention", "lora"}),
        run_of_samples({"sliding-window-attention", "bias-gelu-mlp"}),
    };
    for (std::uint64_t seed = 0; seed < 24; seed += 2)
        all.push_back(run_of({random_array_program(seed), random_array_program(seed + 1)}));
    return all;
}

const std::vector<Form>& forms() {
    static const std::vector<Form> kForms = {{},
                                             safe_form(),
                                             safe_form(true, SharedExponent::PerBlock),
                                             safe_form().kept_in(ElemType::F16),
                                             Form{}.as_in_paper()};
    return kForms;
}

// Everything but the sums that ranking is by.
std::vector<std::string> described(const Ranking& ranking) {
    std::vector<std::string> lines{form_title(ranking.form), ranking.all_steps ? "all" : "some",
                                   ranking.plain ? std::to_string(*ranking.plain) : "-"};
    for (const RatedState& one : ranking.states)
        lines.push_back(std::to_string(one.step) + " " + one.name + " " + std::to_string(one.value) + " " +
                        form_title(one.form));
    return lines;
}

TEST(Parts, MoveTheBytesOfTheWholeState) {
    int in_parts = 0;
    int whole = 0;
    for (const RunStates& run : runs()) {
        PartsOfStates taker;
        std::vector<BytesOfStates> bytes(forms().begin(), forms().end());
        for (const ProgramPtr& program : run.programs) {
            ++(taker.of(program).empty() ? whole : in_parts);
            for (std::size_t i = 0; i < forms().size(); ++i) {
                const State state(program, forms()[i]);
                ASSERT_EQ(bytes[i].of(program), state.counts().bytes()) << form_title(forms()[i]);
            }
        }
    }
    EXPECT_GT(in_parts, 300);
    EXPECT_LT(whole, in_parts / 10);
}

TEST(Parts, RankAsWholeStatesDo) {
    for (const RunStates& run : runs())
        for (const Form& form : forms())
            ASSERT_EQ(described(rank(run, form, least_bytes())), described(rank(run, form, moved_bytes)));
}

TEST(Parts, OfAStateAreThoseOfTheStateBeforeButForWhatTheStepChanges) {
    const RunStates run = run_of_samples({"attention", "softmax", "matmul", "attention"});
    PartsOfStates taker;
    std::set<std::uint64_t> seen;
    for (const ProgramPtr& program : run.programs) {
        const Parts& parts = taker.of(program);
        ASSERT_EQ(parts.size(), 4u);
        int fresh = 0;
        for (const IndependentPart& part : parts) fresh += seen.insert(part.number).second ? 1 : 0;
        EXPECT_EQ(fresh, program == run.programs.front() ? 4 : 1);
    }
}

TEST(Parts, AreNoneOfAProgramThatHangsTogether) {
    PartsOfStates taker;
    for (const ProgramPtr& program : states_of(sample_trace("decoder-block")).programs)
        EXPECT_TRUE(taker.of(program).empty());
}

}  // namespace
}  // namespace blockscope::test
