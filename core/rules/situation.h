// The three situations in which rules 6 and 7 help: a map V over X whose inner graph has a Y-map
// that could fuse with a Y-map U outside, were they at the same level.
#pragma once

#include "core/rules/why.h"

namespace blockscope {

// (a) V's inner Y-map iterates over an output of U that V takes whole (rule 1 would fuse them);
// (b) it iterates over a graph input that U iterates over too (rule 2);
// (c) it iterates over another value that U iterates over too (rule 2).
bool has_situation(const Level& level, char variant, const Node& v, const Node& u, Why& why);

// Positions of all maps U for which the situation holds, in order.
std::vector<int> outer_maps(const Level& level, char variant, int v);

// "(a) ...": the situation in words, for explanations.
std::string situation_text(char variant);

}  // namespace blockscope
