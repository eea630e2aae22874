// Between the content of a document and the values of core/lesson: what a lesson sees of the document, the
// document as a lesson wants it, and which answers can be pointed at. No window, no state.
#pragma once

#include <optional>
#include <vector>

#include "app/document/content.h"
#include "app/document/document.h"
#include "core/lesson/player.h"

namespace blockscope {

// Whether the document is about this program, at whatever sizes.
bool is_program(const Content& content, const lesson::Reference& reference);

// The way that the document shows, for a lesson about `program`, whose reference is given: the document is
// called so if it is that program, however it was opened.
lesson::Learner learner_of(const Content& content, const std::string& program,
                           const lesson::Reference& reference);

// `content` at the state to which the first `step` steps of `trace` lead. States that are there are found,
// others are made. Where a match is not to be had, the last state before it.
Content at_steps(Content content, const Trace& trace, int step);

// A red edge of the picture between two neighbours of one level.
struct EdgeChoice {
    lesson::Arrow arrow;
    ValueRef value;
    NodeId consumer;
};
// All of them, from inputs to outputs, outer levels first.
std::vector<EdgeChoice> red_edges(const Content& content);

// What pointing at an edge answers: one of `right` if it is that edge, or a part of its way through the rims
// of maps; else the edge itself. None for an edge that is not red.
std::optional<lesson::Arrow> pointed_arrow(const Content& content, const Spot& spot,
                                           const std::vector<lesson::Arrow>& right);

// The rules to choose from, by number: the right one, those with a reaction, and others that are often right.
std::vector<RuleId> rules_to_choose(const std::vector<RuleId>& with_reaction, RuleId right);

}  // namespace blockscope
