#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/state/state.h"
#include "tests/rules/rule_cases.h"
#include "tests/support/graph_text.h"

namespace blockscope::test {
namespace {

class RuleTable : public testing::TestWithParam<RuleCase> {
protected:
    NamedProgram named_ = graph_from_text(GetParam().program);
    Rule rule_ = rule(*parse_rule_id(GetParam().rule));

    std::vector<NodeId> selection() const {
        std::vector<NodeId> nodes;
        std::istringstream words(GetParam().nodes);
        for (std::string word; words >> word;) nodes.push_back(named_.id(word));
        return nodes;
    }
    std::vector<NodeId> path() const {
        std::vector<NodeId> path;
        EXPECT_TRUE(find_path(*named_.program, selection().front(), path));
        return path;
    }
    std::optional<Refusal> refusal() const {
        const GraphPtr graph = graph_at(*named_.program, path());
        const GraphIndex index(*graph);
        return rule_.diagnose({named_.program->dims, index}, selection());
    }
    // Whether a match is meant by the selection: it has these nodes as its roles or, as rules 6 to 8, 10 and
    // 11 allow, its anchor alone or with some of the others.
    bool meant(const Match& match) const {
        const std::vector<NodeId> nodes = selection();
        const auto selected = [&](NodeId id) {
            return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
        };
        const auto roles = std::count_if(match.roles.begin(), match.roles.end(),
                                         [&](const Role& role) { return selected(role.node); });
        if (match.rule != rule_.id || roles != static_cast<std::ptrdiff_t>(nodes.size())) return false;
        const bool partial = ((match.rule.number >= 6 && match.rule.number <= 8) || match.rule.number == 10 ||
                              match.rule.number == 11) &&
                             selected(match.roles.front().node);
        return partial || nodes.size() == match.roles.size();
    }
    std::optional<Match> match() const {
        for (const Match& match : all_matches(*named_.program))
            if (meant(match)) return match;
        return std::nullopt;
    }
};

TEST_P(RuleTable, AppliesOrSaysWhyNot) {
    ASSERT_TRUE(verify(*named_.program).empty());
    const std::optional<Refusal> why = refusal();
    const std::optional<Match> found = match();
    if (!GetParam().refusal.empty()) {
        EXPECT_FALSE(found) << "the rule applies";
        ASSERT_TRUE(why);
        EXPECT_THAT(why->sentence, testing::HasSubstr(GetParam().refusal));
        EXPECT_FALSE(why->culprits.empty());
        return;
    }
    EXPECT_FALSE(why) << why->sentence;
    ASSERT_TRUE(found);
    const Step step = checked_apply(named_.program, *found);
    EXPECT_TRUE(verify(*step.after).empty());
    EXPECT_FALSE(step.explanation.empty());
    for (const std::uint64_t seed : {1u, 2u, 3u})
        EXPECT_FALSE(compare_exact(*step.before, *step.after, step.before->dims, seed))
            << listing(*step.after);
    EXPECT_THAT(listing(*step.after), testing::HasSubstr(GetParam().result));
}

std::string case_name(const testing::TestParamInfo<RuleCase>& info) {
    std::string name = "Rule" + info.param.rule + "_";
    for (const char c : info.param.label) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Consecutive, RuleTable, testing::ValuesIn(consecutive_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Siblings, RuleTable, testing::ValuesIn(sibling_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Reduction, RuleTable, testing::ValuesIn(reduction_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Linearity, RuleTable, testing::ValuesIn(linearity_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Extension, RuleTable, testing::ValuesIn(extension_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Elementwise, RuleTable, testing::ValuesIn(elementwise_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Columns, RuleTable, testing::ValuesIn(column_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Casts, RuleTable, testing::ValuesIn(cast_rule_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Transposes, RuleTable, testing::ValuesIn(transpose_rule_cases()), case_name);

TEST(RuleTables, HoldFiveOfEachKindForEveryRule) {
    std::vector<RuleCase> all;
    for (auto cases : {consecutive_rule_cases(), sibling_rule_cases(), reduction_rule_cases(),
                       linearity_rule_cases(), extension_rule_cases(), elementwise_rule_cases(),
                       column_rule_cases(), cast_rule_cases(), transpose_rule_cases()})
        all.insert(all.end(), cases.begin(), cases.end());
    for (const Rule& rule : rules()) {
        const auto count = [&](bool applies) {
            return std::count_if(all.begin(), all.end(), [&](const RuleCase& c) {
                return c.rule == to_string(rule.id) && c.refusal.empty() == applies;
            });
        };
        EXPECT_GE(count(true), 5) << to_string(rule.id);
        EXPECT_GE(count(false), 5) << to_string(rule.id);
    }
}

}  // namespace
}  // namespace blockscope::test
