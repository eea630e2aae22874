// docs/rules.md says what the table of rules says. BLOCKSCOPE_UPDATE=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/rules/rule.h"

namespace blockscope {
namespace {

const std::string kPath = BLOCKSCOPE_SOURCE_DIR "/docs/rules.md";
const std::string kBegin = "<!-- generated: rules -->\n";
const std::string kEnd = "<!-- /generated -->\n";

std::string page() {
    std::ifstream file(kPath, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string origin(const Rule& rule) {
    const std::string section = (rule.origin == RuleOrigin::Paper ? "paper, " : "") + rule.section.str();
    if (rule.rounds) return section + "; tried by the algorithm on request";
    return section + (rule.in_fuse ? "" : "; by hand only");
}

bool shares_reason(const Rule& rule, const Rule* before) {
    return before != nullptr && before->reason == rule.reason && before->use == rule.use;
}

// The condition of a variant: only its last part where the rest is that of `other`.
std::string different_condition(const std::string& condition, const std::string& other) {
    const std::string joint = ", and ";
    const std::size_t at = condition.rfind(joint);
    if (at == std::string::npos || other.compare(0, at, condition, 0, at) != 0) return condition;
    return "the same, but " + condition.substr(at + joint.size());
}

// One rule; its exact condition, and what it is good for, are left to the program. Of a variant only what is
// different is said.
std::string described(const Rule& rule, const Rule* before) {
    if (shares_reason(rule, before))
        return "\nRule " + to_string(rule.id) + ": " +
               different_condition(rule.condition.str(), before->condition.str()) + "\n";
    std::string text = "\n### Rule " + to_string(rule.id) + ": " + rule.name.str() + "\n\n";
    text += "*" + rule.short_name.str() + "* (" + origin(rule) + "): " + rule.summary.str() + ".\n\n";
    return text + rule.reason.str() + "\n";
}

std::string all_described() {
    std::string text;
    const Rule* full = nullptr;  // the last one with its reason
    for (const Rule& rule : rules()) {
        text += described(rule, full);
        if (!shares_reason(rule, full)) full = &rule;
    }
    return text + "\n";
}

TEST(RulesPage, SaysWhatTheTableSays) {
    std::string text = page();
    const std::size_t from = text.find(kBegin) + kBegin.size();
    const std::size_t to = text.find(kEnd, from);
    ASSERT_NE(to, std::string::npos);
    if (std::getenv("BLOCKSCOPE_UPDATE") != nullptr)
        std::ofstream(kPath, std::ios::binary) << text.replace(from, to - from, all_described());
    else
        EXPECT_EQ(text.substr(from, to - from), all_described()) << "run this test with BLOCKSCOPE_UPDATE=1";
}

}  // namespace
}  // namespace blockscope
