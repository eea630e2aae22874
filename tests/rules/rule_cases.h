// Rule tests as tables: a program, nodes, and whether a rule applies to them or why it does not.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace blockscope::test {

struct RuleCase {
    std::string label;
    std::string rule;     // "1", "6a", "8s"
    std::string program;  // graph_text.h
    std::string nodes;    // names, separated by spaces; "u/t" is inside u
    std::string refusal;  // part of the sentence; empty if the rule applies
    std::string result;   // part of the listing after applying, if that matters
};

inline std::ostream& operator<<(std::ostream& out, const RuleCase& c) {
    return out << c.rule << " " << c.label;
}

std::vector<RuleCase> consecutive_rule_cases();  // 1
std::vector<RuleCase> sibling_rule_cases();      // 2
std::vector<RuleCase> reduction_rule_cases();    // 3
std::vector<RuleCase> linearity_rule_cases();    // 4, 5, 8, 8s
std::vector<RuleCase> extension_rule_cases();    // 6, 7
std::vector<RuleCase> elementwise_rule_cases();  // 9
std::vector<RuleCase> column_rule_cases();       // 10, 11
std::vector<RuleCase> cast_rule_cases();         // 12, 13
std::vector<RuleCase> transpose_rule_cases();    // 14

}  // namespace blockscope::test
