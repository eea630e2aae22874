// blockscope-cli why: why a rule does not apply to some operators.
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

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
    return a.refusal->sentence == b.refusal->sentence && a.refusal->culprits == b.refusal->culprits;
}

// "rule 6a" or, for several, "rules 6a, 6b".
std::string heading(const std::vector<Answer>& answers, std::size_t first, std::size_t last) {
    std::string text = last - first == 1 ? "rule " : "rules ";
    for (std::size_t i = first; i < last; ++i) text += (i == first ? "" : ", ") + to_string(answers[i].rule);
    return text;
}

void print_text(const std::vector<Answer>& answers) {
    const Style style = style_for(STDOUT_FILENO);
    for (std::size_t first = 0, last = 0; first < answers.size(); first = last) {
        const Answer& answer = answers[first];
        while (last < answers.size() && same(answer, answers[last])) ++last;
        std::cout << style(Tone::Cyan, heading(answers, first, last)) << ": ";
        if (!answer.refusal) {
            std::cout << style(Tone::Green, "it applies") << ".\n";
            continue;
        }
        std::cout << answer.refusal->sentence << (answer.refusal->sentence.back() == '.' ? "\n" : ".\n");
        const std::string names = culprit_names(answer.refusal->culprits);
        if (!names.empty()) std::cout << style(Tone::Dim, "  look at " + names) << '\n';
    }
}

void print_json(const WhyArguments& arguments, const Selection& selection,
                const std::vector<Answer>& answers) {
    Json json = envelope("why");
    json["file"] = display_name(arguments.file);
    json["at"] = arguments.at;
    json["path"] = nodes_json(selection.path);
    json["nodes"] = nodes_json(selection.nodes);
    json["answers"] = Json::array();
    for (const Answer& answer : answers) {
        Json entry = {{"rule", to_string(answer.rule)}, {"applies", !answer.refusal.has_value()}};
        if (answer.refusal) {
            entry["reason"] = answer.refusal->sentence;
            entry["culprits"] = nodes_json(answer.refusal->culprits);
        }
        json["answers"].push_back(entry);
    }
    std::cout << to_text(json) << '\n';
}

}  // namespace

int why_command(const WhyArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const ProgramPtr program = fuse_up_to(loaded.blocks, arguments.at).last();
    const RuleId asked = find_rule(arguments.rule);
    const Selection selection = find_selection(*program, joined(arguments.paths));
    std::vector<Answer> answers;
    for (const RuleId id : variants(asked)) answers.push_back({id, diagnose(*program, id, selection)});
    if (arguments.json) {
        print_json(arguments, selection, answers);
    } else {
        print_text(answers);
    }
    return kFine;
}

}  // namespace blockscope::cli
