#include "core/story/questions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/cost/models/model.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostChoices = 4;

struct Choice {
    Text text;
    ValueKey value = {};
};

bool has(const std::vector<Choice>& choices, const Text& text) {
    return std::any_of(choices.begin(), choices.end(),
                       [&](const Choice& choice) { return choice.text == text; });
}

// `right` among `others`, at a place that changes from step to step; none without another choice.
std::optional<Question> question(Question::Kind kind, int step, Text asked, const Choice& right,
                                 const std::vector<Choice>& others) {
    std::vector<Choice> choices;
    for (const Choice& other : others)
        if (choices.size() + 1 < kMostChoices && !(other.text == right.text) && !has(choices, other.text))
            choices.push_back(other);
    if (choices.empty()) return std::nullopt;
    const std::size_t place = static_cast<std::size_t>(step) % (choices.size() + 1);
    choices.insert(choices.begin() + static_cast<std::ptrdiff_t>(place), right);
    Question made{.kind = kind, .step = step, .asked = std::move(asked), .choices = {}, .right = {}};
    made.right = static_cast<int>(place);
    for (const Choice& choice : choices) {
        made.choices.push_back(choice.text);
        if (kind == Question::Kind::Edge) made.values.push_back(choice.value);
    }
    return made;
}

// The values of a state that go through memory, in the order of the program.
void add_stored(const ProgramNames& names, const Graph& level, const std::set<ValueKey>& stored,
                std::vector<Choice>& found) {
    for (const NodePtr& node : level.nodes()) {
        for (const ValueRef& input : node->inputs)
            if (stored.count(names.key(input)) > 0 && !has(found, names.said(input)))
                found.push_back({names.said(input), names.key(input)});
        if (const Map* map = node->as<Map>()) add_stored(names, *map->body, stored, found);
    }
}

std::optional<Question> about_edge(const RunStory& story, int number, const StepClaims& claims) {
    if (claims.freed.empty()) return std::nullopt;
    const ProgramNames names = story.names(number - 1);
    std::set<ValueKey> stored = stored_values(State(names.program_pointer()), names);
    std::vector<ValueKey> vanishing;
    for (const ValueRef& value : claims.freed) {
        vanishing.push_back(names.key(value));
        stored.erase(vanishing.back());
    }
    std::vector<Choice> others;
    add_stored(names, *names.program().graph, stored, others);
    const Choice right{names.said(claims.freed.front()), vanishing.front()};
    std::optional<Question> made = question(Question::Kind::Edge, number,
                                            Text("Which red edge vanishes in the next step?"), right, others);
    if (made) made->vanishing = std::move(vanishing);
    return made;
}

std::optional<Question> about_bytes(int number, const StepClaims& claims) {
    if (claims.bytes_before == claims.bytes_after) return std::nullopt;
    const auto choice = [](std::int64_t bytes) {
        return Choice{{bytes_text_of(static_cast<double>(bytes))}};
    };
    const std::int64_t change = claims.bytes_before - claims.bytes_after;
    std::vector<Choice> others{choice(claims.bytes_before)};
    for (const std::int64_t other : {claims.bytes_after + change / 2, claims.bytes_after - change / 2,
                                     claims.bytes_after / 2, claims.bytes_before + change})
        if (other > 0) others.push_back(choice(other));
    return question(Question::Kind::Bytes, number, Text("How many bytes are moved after the next step?"),
                    choice(claims.bytes_after), others);
}

// The other choices are rules of the same run, those of near steps first, then the most usual ones.
std::optional<Question> about_rule(const RunStory& story, int number) {
    const std::vector<Step>& steps = story.trace().steps;
    const auto choice = [](RuleId id) { return Choice{rule(id).short_name}; };
    std::vector<Choice> others;
    const int last = static_cast<int>(steps.size());
    for (int away = 1; away < last; ++away)
        for (const int other : {number + away, number - away})
            if (other >= 1 && other <= last)
                others.push_back(choice(steps[static_cast<std::size_t>(other) - 1].match.rule));
    for (const RuleId& usual : {RuleId{1, 0}, RuleId{3, 0}, RuleId{4, 0}, RuleId{6, 'a'}})
        others.push_back(choice(usual));
    return question(Question::Kind::Rule, number, Text("Which rule does the next step apply?"),
                    choice(steps[static_cast<std::size_t>(number) - 1].match.rule), others);
}

}  // namespace

std::vector<Question> questions_about(const RunStory& story, int number) {
    const StepClaims claims = story.step(number).claims;
    std::vector<Question> all;
    for (std::optional<Question>& made : std::vector{about_edge(story, number, claims),
                                                     about_bytes(number, claims), about_rule(story, number)})
        if (made) all.push_back(std::move(*made));
    return all;
}

}  // namespace blockscope
