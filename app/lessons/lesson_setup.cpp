#include "app/lessons/lesson_desk.h"

#include <algorithm>

#include "app/figure/figure.h"
#include "core/fusion/trace.h"
#include "core/rules/conditions.h"

namespace blockscope {

namespace {

constexpr std::size_t kRulesToChoose = 3;
constexpr int kOftenRight[] = {1, 3, 4, 6, 2};

Figure figure_of(const Content& content) {
    return make_figure(*content.program(), content.folds, plain_measure);
}

std::optional<StateId> child_by(const History& history, StateId at, const Match& match) {
    for (const StateId child : history.children(at))
        if (history.state(child).step->match == match) return child;
    return std::nullopt;
}

bool is_match_of(const BlockProgram& program, const Match& match) {
    const std::vector<Match> found =
        all_matches(program, {.rule = match.rule, .dim = {}, .path = match.path});
    return std::find(found.begin(), found.end(), match) != found.end();
}

// Not on its way through a rim: both ends are boxes of one level.
bool between_neighbours(const Edge& edge) {
    return edge.from.box != edge.container && edge.to.box != edge.container;
}

// The level, from the outside.
int depth_of(const Figure& figure, int box) {
    int depth = 0;
    for (int at = box; at >= 0; at = figure.boxes[static_cast<std::size_t>(at)].parent) ++depth;
    return depth;
}

bool joins(const Figure& figure, const Edge& edge, const lesson::Arrow& arrow) {
    return figure.find(arrow.from) == edge.from.box && figure.find(arrow.to) == edge.to.box;
}

// The edge that is meant, or the same value on its way into the maps around.
bool leads(const Figure& figure, int pointed, const lesson::Arrow& arrow) {
    const Edge& edge = figure.edges[static_cast<std::size_t>(pointed)];
    if (joins(figure, edge, arrow)) return true;
    for (const int other : value_path(figure, pointed).edges) {
        const Edge& part = figure.edges[static_cast<std::size_t>(other)];
        if (part.container != edge.container && joins(figure, part, arrow)) return true;
    }
    return false;
}

}  // namespace

bool is_program(const Content& content, const lesson::Reference& reference) {
    const ProgramPtr& program = content.history.state(0).program;
    return program == reference.initial || same_but_sizes(*program, *reference.initial);
}

lesson::Learner learner_of(const Content& content, const std::string& program,
                           const lesson::Reference& reference) {
    lesson::Learner learner;
    const std::string called = content.name + ".bp";
    if (is_program(content, reference))
        learner.program = program;
    else
        learner.program = called == program ? "another " + called : called;
    learner.trace = content.history.trace(content.history.branch(content.branch).tip);
    learner.step = content.history.depth(content.current);
    return learner;
}

Content at_steps(Content content, const Trace& trace, int step) {
    StateId at = 0;
    for (int i = 0; i < step && i < static_cast<int>(trace.steps.size()); ++i) {
        const Match& match = trace.steps[static_cast<std::size_t>(i)].match;
        if (const auto child = child_by(content.history, at, match)) {
            at = *child;
            continue;
        }
        const ProgramPtr program = content.history.state(at).program;
        if (!is_match_of(*program, match)) break;
        const bool snapshot =
            std::find(trace.snapshots.begin(), trace.snapshots.end(), i + 1) != trace.snapshots.end();
        at = content.history.add(at, checked_apply(program, match), snapshot);
        content.branch = content.history.extend(at, content.branch);
    }
    content.current = at;
    content.branch = content.history.branch_through(at, content.history.branches().front().id);
    return content;
}

std::vector<EdgeChoice> red_edges(const Content& content) {
    const Figure figure = figure_of(content);
    std::vector<const Edge*> red;
    for (const Edge& edge : figure.edges)
        if (edge.buffered && between_neighbours(edge)) red.push_back(&edge);
    std::stable_sort(red.begin(), red.end(), [&](const Edge* a, const Edge* b) {
        return depth_of(figure, a->container) < depth_of(figure, b->container);
    });
    std::vector<EdgeChoice> choices;
    for (const Edge* edge : red) {
        const lesson::Arrow arrow{figure.boxes[static_cast<std::size_t>(edge->from.box)].id(),
                                  figure.boxes[static_cast<std::size_t>(edge->to.box)].id()};
        const bool known = std::any_of(choices.begin(), choices.end(),
                                       [&](const EdgeChoice& other) { return other.arrow == arrow; });
        if (!known) choices.push_back({arrow, edge->value, edge->consumer});
    }
    return choices;
}

std::optional<lesson::Arrow> pointed_arrow(const Content& content, const Spot& spot,
                                           const std::vector<lesson::Arrow>& right) {
    if (!spot.value) return std::nullopt;
    const Figure figure = figure_of(content);
    int pointed = -1;
    for (std::size_t i = 0; i < figure.edges.size(); ++i) {
        const Edge& edge = figure.edges[i];
        if (!edge.value.same_value(*spot.value)) continue;
        if (pointed < 0 || edge.consumer == spot.consumer) pointed = static_cast<int>(i);
        if (edge.consumer == spot.consumer) break;
    }
    if (pointed < 0 || !figure.edges[static_cast<std::size_t>(pointed)].buffered) return std::nullopt;
    for (const lesson::Arrow& arrow : right)
        if (leads(figure, pointed, arrow)) return arrow;
    return lesson::Arrow{spot.value->node, spot.consumer};
}

std::vector<RuleId> rules_to_choose(const std::vector<RuleId>& with_reaction, RuleId right) {
    std::vector<RuleId> choices{right};
    const auto add = [&](RuleId id) {
        const bool known = std::any_of(choices.begin(), choices.end(),
                                       [&](RuleId other) { return other.number == id.number; });
        const std::vector<RuleId> all = variants(id);
        if (!known && !all.empty()) choices.push_back(all.front());
    };
    for (const RuleId id : with_reaction) add(id);
    for (const int number : kOftenRight)
        if (choices.size() < kRulesToChoose) add({number, 0});
    std::sort(choices.begin(), choices.end());
    return choices;
}

}  // namespace blockscope
