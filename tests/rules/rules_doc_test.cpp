// docs/rules.md says what the table of rules says. BLOCKSCOPE_UPDATE=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/rules/rule.h"

namespace blockscope {
namespace {

std::string page() {
    std::string text =
        "# The rules\n\n"
        "Logic-preserving substitutions of Blockbuster section 3, one file each in `core/rules/`, collected "
        "in `core/rules/table.cpp`; this\n"
        "page is written from that table. A rule matches inside one graph: the top level, or the inner graph "
        "of one map.\n"
        "`blockscope-cli matches FILE` lists where each applies, `why FILE RULE NODES` says why one does "
        "not, and `tests/rules/` has a\n"
        "table of programs for each.\n\n"
        "Words: a map takes an input *iterated* (one element of the list an iteration) or *broadcast* (all "
        "of it in every iteration); its\n"
        "output is *collected* (a list) or *reduced* (one item). An *indirect path* has two or more edges.\n";
    for (const Rule& rule : rules()) {
        text += "\n## Rule " + to_string(rule.id) + ": " + rule.name + "\n\n";
        text += "In short: " + rule.summary + ".\n\n";
        text += "- Applies if: " + rule.condition + "\n";
        text += "- Keeps the meaning because: " + rule.reason + "\n";
        text += "- Good for: " + rule.use + "\n";
        text += std::string("- ") + (rule.in_fuse ? "Used by the algorithm" : "By hand only") +
                "; paper: " + rule.section + ".\n";
    }
    return text;
}

TEST(RulesPage, SaysWhatTheTableSays) {
    const std::string path = std::string(BLOCKSCOPE_SOURCE_DIR) + "/docs/rules.md";
    if (std::getenv("BLOCKSCOPE_UPDATE")) std::ofstream(path) << page();
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), page()) << "run this test with BLOCKSCOPE_UPDATE=1";
}

}  // namespace
}  // namespace blockscope
