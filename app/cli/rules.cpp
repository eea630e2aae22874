// blockscope-cli rules, matches and why: the rules themselves, every place where one applies, and why one
// does not.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {

namespace {

struct RulesArguments {
    std::string rule;  // empty: the table
    bool json = false;
};

constexpr int kCardWidth = 100;  // columns

// What the table says of rules that the algorithm does not try by default, and of those not in the paper.
std::string remark(const Rule& rule) {
    if (rule.rounds) return " (not in the paper; on request)";
    if (rule.origin == RuleOrigin::Paper) return rule.in_fuse ? "" : " (by hand only)";
    return rule.in_fuse ? " (not in the paper)" : " (not in the paper; by hand only)";
}

// When the algorithm tries the rule.
std::string when_tried(const Rule& rule) {
    if (rule.rounds) return "tried by fuse --allow-rounding";
    if (!rule.in_fuse) return "by hand only";
    return rule.origin == RuleOrigin::Paper ? "tried by fuse"
                                            : "tried by fuse, but not by fuse --rules paper";
}

void print_table(const Style& style) {
    int names = 0;
    for (const Rule& rule : rules()) names = std::max(names, columns(rule.name.str()));
    for (const Rule& rule : rules()) {
        std::cout << style(Tone::Cyan, pad_left(to_string(rule.id), 3) + "  " + pad(rule.name.str(), names))
                  << "  " << rule.summary.str() << style(Tone::Dim, remark(rule)) << '\n';
    }
}

// A labelled paragraph, filled to the card's width.
void print_paragraph(const std::string& label, const std::string& text, const Style& style) {
    constexpr int kIndent = 13;
    const auto lines = wrap(text, kCardWidth - kIndent);
    std::cout << "  " << style(Tone::Bold, pad(label, kIndent - 2)) << lines.front() << '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) std::cout << std::string(kIndent, ' ') << lines[i] << '\n';
}

void print_rule(const Rule& rule, const Style& style) {
    std::cout << style(Tone::Cyan, "Rule " + to_string(rule.id) + ": " + rule.name.str()) << '\n';
    print_paragraph("Short name", rule.short_name.str(), style);
    print_paragraph("What", rule.summary.str(), style);
    print_paragraph("Condition", rule.condition.str(), style);
    print_paragraph("Reason", rule.reason.str(), style);
    print_paragraph("Use", rule.use.str(), style);
    print_paragraph("Algorithm", when_tried(rule), style);
    print_paragraph(rule.origin == RuleOrigin::Paper ? "Paper" : "Origin", rule.section.str(), style);
}

Json rule_json(const Rule& rule) {
    return {{"rule", to_string(rule.id)},    {"name", rule.name.str()},
            {"summary", rule.summary.str()}, {"condition", rule.condition.str()},
            {"reason", rule.reason.str()},   {"use", rule.use.str()},
            {"section", rule.section.str()}, {"in_paper", rule.origin == RuleOrigin::Paper},
            {"rounds", rule.rounds},         {"in_fuse", rule.in_fuse}};
}

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
        json["rules"] = json::Array{};
        for (const RuleId id : ids) json["rules"].push_back(rule_json(rule(id)));
        std::cout << to_text(json) << '\n';
    } else if (arguments.rule.empty()) {
        print_table(style);
    } else {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i > 0) std::cout << '\n';
            print_rule(rule(ids[i]), style);
        }
    }
    return kFine;
}

}  // namespace

Command rules_row() {
    const auto arguments = std::make_shared<RulesArguments>();
    return {.name = "rules",
            .summary = "list the rules, or explain one",
            .options = {{.names = "RULE",
                         .help = rule_numbers() + ", or a variant such as 6a",
                         .to = &arguments->rule,
                         .offered = rule_names},
                        json_option(arguments->json)},
            .notes = "Examples:\n  blockscope-cli rules\n  blockscope-cli rules 4",
            .run = [arguments](const Invocation&) { return rules_command(*arguments); }};
}

// ---- blockscope-cli matches: every place where a rule applies, with what `apply` takes to choose it.

namespace {

struct MatchesArguments {
    std::string file;
    int at = 0;                   // after how many steps of the algorithm
    std::string rule, dim, path;  // empty: any
    RuleChoice rules;
    bool json = false;
};

constexpr int kNarrowestExplanation = 30;  // the least that is left for an explanation

MatchFilter filter(const BlockProgram& program, const MatchesArguments& arguments) {
    MatchFilter filter;
    if (!arguments.rule.empty()) filter.rule = find_rule(arguments.rule);
    if (!arguments.dim.empty()) filter.dim = find_dim(program, arguments.dim);
    if (!arguments.path.empty()) filter.path = find_path_argument(program, arguments.path);
    return filter;
}

void print_matches_json(const MatchesArguments& arguments, const BlockProgram& program,
                        const std::vector<Match>& matches) {
    Json json = envelope("matches");
    json["file"] = display_name(arguments.file);
    json["at"] = arguments.at;
    json["matches"] = json::Array{};
    for (const Match& match : matches)
        json["matches"].push_back(match_json(program, match, explain(program, match).str()));
    std::cout << to_text(json) << '\n';
}

void print_matches(const MatchesArguments& arguments, const BlockProgram& program,
                   const std::vector<Match>& matches) {
    const Style style = style_for(STDOUT_FILENO);
    int selectors = 0;
    int places = 0;
    for (const Match& match : matches) {
        selectors = std::max(selectors, columns(selector(match)));
        places = std::max(places, columns(where(program, match.path)));
    }
    const int indent = selectors + places + 4;
    const int width = std::max(kNarrowestExplanation, terminal_width(STDOUT_FILENO, kUnlimited) - indent);
    for (const Match& match : matches) {
        const auto lines = wrap(explain(program, match).str(), width);
        std::cout << style(Tone::Cyan, pad(selector(match), selectors)) << "  "
                  << style(Tone::Dim, pad(where(program, match.path), places)) << "  " << lines.front()
                  << '\n';
        for (std::size_t i = 1; i < lines.size(); ++i) {
            std::cout << std::string(static_cast<std::size_t>(indent), ' ') << lines[i] << '\n';
        }
    }
    if (!matches.empty()) return;
    const bool any = arguments.rule.empty() && arguments.dim.empty() && arguments.path.empty();
    std::cout << "No rule applies at step " << arguments.at << (any ? ".\n" : " with these constraints.\n");
}

int matches_command(const MatchesArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const ProgramPtr program = fuse_up_to(loaded.blocks, arguments.at, arguments.rules.set()).last();
    const auto matches = all_matches(*program, filter(*program, arguments));
    if (arguments.json) {
        print_matches_json(arguments, *program, matches);
    } else {
        print_matches(arguments, *program, matches);
    }
    return kFine;
}

}  // namespace

Command matches_row() {
    const auto arguments = std::make_shared<MatchesArguments>();
    return {.name = "matches",
            .summary = "list every place where a rule applies",
            .options = joined({file_option(arguments->file),
                               at_option(arguments->at),
                               {.names = "--rule",
                                .argument = "R",
                                .help = "only this rule: " + rule_numbers() + ", 6a, 7c, 8s, ...",
                                .to = &arguments->rule,
                                .offered = rule_names},
                               {.names = "--dim",
                                .argument = "D",
                                .help = "only maps over this dimension",
                                .to = &arguments->dim},
                               {.names = "--path",
                                .argument = "P",
                                .help = "only in this graph: / is the top level, /n1/n3 inside maps",
                                .to = &arguments->path},
                               json_option(arguments->json)},
                              rule_set_options(arguments->rules)),
            .notes =
                "The first column is what `apply` takes.\n"
                "Examples:\n"
                "  blockscope-cli matches samples/attention.bp\n"
                "  blockscope-cli matches samples/attention.bp --at 15 --rule 7 --dim N",
            .run = [arguments](const Invocation&) { return matches_command(*arguments); }};
}

// ---- blockscope-cli why: why a rule does not apply to some operators.

namespace {

struct WhyArguments {
    std::string file;
    int at = 0;
    std::string rule;
    std::vector<std::string> paths;
    RuleChoice rules;
    bool json = false;
};

struct Answer {
    RuleId rule;
    std::optional<Refusal> refusal;  // none: it applies
};

// Several arguments select together: "n3 n5" is "n3,n5".
std::string joined(const std::vector<std::string>& paths) {
    std::string text;
    for (const std::string& path : paths) {
        const std::size_t slash = path.rfind('/');
        text += text.empty() ? path : "," + path.substr(slash == std::string::npos ? 0 : slash + 1);
    }
    return text;
}

std::string culprit_names(const std::vector<NodeId>& culprits) {
    std::string text;
    for (const NodeId id : culprits) text += (text.empty() ? "" : ", ") + blockscope::to_string(id);
    return text;
}

bool same(const Answer& a, const Answer& b) {
    if (!a.refusal || !b.refusal) return !a.refusal && !b.refusal;
    return a.refusal->sentence.str() == b.refusal->sentence.str() &&
           a.refusal->culprits == b.refusal->culprits;
}

// "rule 6a" or, for several, "rules 6a, 6b".
std::string heading(const std::vector<Answer>& answers, std::size_t first, std::size_t last) {
    std::string text = last - first == 1 ? "rule " : "rules ";
    for (std::size_t i = first; i < last; ++i) text += (i == first ? "" : ", ") + to_string(answers[i].rule);
    return text;
}

void print_answers(const std::vector<Answer>& answers) {
    const Style style = style_for(STDOUT_FILENO);
    for (std::size_t first = 0, last = 0; first < answers.size(); first = last) {
        const Answer& answer = answers[first];
        while (last < answers.size() && same(answer, answers[last])) ++last;
        std::cout << style(Tone::Cyan, heading(answers, first, last)) << ": ";
        if (!answer.refusal) {
            std::cout << style(Tone::Green, "it applies") << ".\n";
            continue;
        }
        std::cout << answer.refusal->sentence.str()
                  << (answer.refusal->sentence.str().back() == '.' ? "\n" : ".\n");
        const std::string names = culprit_names(answer.refusal->culprits);
        if (!names.empty()) std::cout << style(Tone::Dim, "  look at " + names) << '\n';
    }
}

void print_answers_json(const WhyArguments& arguments, const Selection& selection,
                        const std::vector<Answer>& answers) {
    Json json = envelope("why");
    json["file"] = display_name(arguments.file);
    json["at"] = arguments.at;
    json["path"] = nodes_json(selection.path);
    json["nodes"] = nodes_json(selection.nodes);
    json["answers"] = json::Array{};
    for (const Answer& answer : answers) {
        Json entry = {{"rule", to_string(answer.rule)}, {"applies", !answer.refusal.has_value()}};
        if (answer.refusal) {
            entry["reason"] = answer.refusal->sentence.str();
            entry["culprits"] = nodes_json(answer.refusal->culprits);
        }
        json["answers"].push_back(entry);
    }
    std::cout << to_text(json) << '\n';
}

int why_command(const WhyArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const ProgramPtr program = fuse_up_to(loaded.blocks, arguments.at, arguments.rules.set()).last();
    const RuleId asked = find_rule(arguments.rule);
    const Selection selection = find_selection(*program, joined(arguments.paths));
    std::vector<Answer> answers;
    for (const RuleId id : variants(asked)) answers.push_back({id, diagnose(*program, id, selection)});
    if (arguments.json) {
        print_answers_json(arguments, selection, answers);
    } else {
        print_answers(answers);
    }
    return kFine;
}

}  // namespace

Command why_row() {
    const auto arguments = std::make_shared<WhyArguments>();
    return {.name = "why",
            .summary = "say why a rule does not apply to some operators",
            .options = joined({file_option(arguments->file),
                               {.names = "RULE",
                                .help = rule_numbers() + ", or a variant such as 6a",
                                .to = &arguments->rule,
                                .required = true,
                                .offered = rule_names},
                               {.names = "PATH",
                                .help = "the operators: n3 n5, or n3,n5, or /n1/n3,n5",
                                .to = &arguments->paths,
                                .required = true},
                               at_option(arguments->at),
                               json_option(arguments->json)},
                              rule_set_options(arguments->rules)),
            .notes = "Example:\n  blockscope-cli why samples/attention.bp 1 n17 n31",
            .run = [arguments](const Invocation&) { return why_command(*arguments); }};
}

}  // namespace blockscope::cli
