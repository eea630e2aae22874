// blockscope-cli matches: every place where a rule applies, with what `apply` takes to choose it.
#include <unistd.h>

#include <algorithm>
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
constexpr int kNarrowest = 30;  // the least that is left for an explanation

MatchFilter filter(const BlockProgram& program, const MatchesArguments& arguments) {
    MatchFilter filter;
    if (!arguments.rule.empty()) filter.rule = find_rule(arguments.rule);
    if (!arguments.dim.empty()) filter.dim = find_dim(program, arguments.dim);
    if (!arguments.path.empty()) filter.path = find_path_argument(program, arguments.path);
    return filter;
}

void print_json(const MatchesArguments& arguments, const BlockProgram& program,
                const std::vector<Match>& matches) {
    Json json = envelope("matches");
    json["file"] = display_name(arguments.file);
    json["at"] = arguments.at;
    json["matches"] = Json::array();
    for (const Match& match : matches)
        json["matches"].push_back(match_json(program, match, explain(program, match)));
    std::cout << to_text(json) << '\n';
}

void print_text(const MatchesArguments& arguments, const BlockProgram& program,
                const std::vector<Match>& matches) {
    const Style style = style_for(STDOUT_FILENO);
    int selectors = 0;
    int places = 0;
    for (const Match& match : matches) {
        selectors = std::max(selectors, columns(selector(match)));
        places = std::max(places, columns(where(program, match.path)));
    }
    const int indent = selectors + places + 4;
    const int width = std::max(kNarrowest, terminal_width(STDOUT_FILENO, kUnlimited) - indent);
    for (const Match& match : matches) {
        const auto lines = wrap(explain(program, match), width);
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

}  // namespace

int matches_command(const MatchesArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const ProgramPtr program = fuse_up_to(loaded.blocks, arguments.at).last();
    const auto matches = all_matches(*program, filter(*program, arguments));
    if (arguments.json) {
        print_json(arguments, *program, matches);
    } else {
        print_text(arguments, *program, matches);
    }
    return kFine;
}

}  // namespace blockscope::cli
