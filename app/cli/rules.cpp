// blockscope-cli rules: the table of all rules, or one rule's card.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

constexpr int kCardWidth = 100;  // columns

void print_table(const Style& style) {
    int names = 0;
    for (const Rule& rule : rules()) names = std::max(names, columns(rule.name));
    for (const Rule& rule : rules()) {
        std::cout << style(Tone::Cyan, pad_left(to_string(rule.id), 3) + "  " + pad(rule.name, names)) << "  "
                  << rule.summary << (rule.in_fuse ? "" : style(Tone::Dim, " (by hand only)")) << '\n';
    }
}

// A labelled paragraph, filled to the card's width.
void print_paragraph(const std::string& label, const std::string& text, const Style& style) {
    constexpr int kIndent = 13;
    const auto lines = wrap(text, kCardWidth - kIndent);
    std::cout << "  " << style(Tone::Bold, pad(label, kIndent - 2)) << lines.front() << '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) std::cout << std::string(kIndent, ' ') << lines[i] << '\n';
}

void print_card(const Rule& rule, const Style& style) {
    std::cout << style(Tone::Cyan, "Rule " + to_string(rule.id) + ": " + rule.name) << '\n';
    print_paragraph("What", rule.summary, style);
    print_paragraph("Condition", rule.condition, style);
    print_paragraph("Reason", rule.reason, style);
    print_paragraph("Use", rule.use, style);
    print_paragraph("Algorithm", rule.in_fuse ? "tried by fuse" : "by hand only", style);
    print_paragraph("Paper", rule.section, style);
}

Json rule_json(const Rule& rule) {
    return {{"rule", to_string(rule.id)},  {"name", rule.name},      {"summary", rule.summary},
            {"condition", rule.condition}, {"reason", rule.reason},  {"use", rule.use},
            {"section", rule.section},     {"in_fuse", rule.in_fuse}};
}

}  // namespace

int rules_command(const RulesArguments& arguments) {
    std::vector<RuleId> ids;
    if (!arguments.rule.empty()) {
        ids = variants(find_rule(arguments.rule));
    } else {
        for (const Rule& rule : rules()) ids.push_back(rule.id);
    }
    const Style style = style_for(STDOUT_FILENO);
    if (arguments.json) {
        Json json = envelope("rules");
        json["rules"] = Json::array();
        for (const RuleId id : ids) json["rules"].push_back(rule_json(rule(id)));
        std::cout << to_text(json) << '\n';
    } else if (arguments.rule.empty()) {
        print_table(style);
    } else {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i > 0) std::cout << '\n';
            print_card(rule(ids[i]), style);
        }
    }
    return kFine;
}

}  // namespace blockscope::cli
