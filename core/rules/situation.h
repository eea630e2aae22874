// The three situations in which rules 6 and 7 help: a map V over X whose inner graph has a Y-map
// that could fuse with a Y-map U outside, were they at the same level.
#pragma once

#include "core/rules/why.h"

namespace blockscope {

// Whether U does not need V and
// (a) V's inner Y-map iterates over an output of U that V takes whole (rule 1 would fuse them);
// (b) it iterates over a graph input that U iterates over too (rule 2);
// (c) it iterates over another value that U iterates over too (rule 2).
bool has_situation(const Level& level, char variant, int v, int u, Why& why);

// Positions of all maps U for which the situation holds, in order.
std::vector<int> outer_maps(const Level& level, char variant, int v);

// Why the situation does not hold for the selected map V (and, if two nodes are selected, the outer map U);
// `fits` says whether V by itself can be extended or peeled, `needs` what is to be selected.
std::optional<Refusal> diagnose_situation(const Level& level, char variant, const std::vector<NodeId>& nodes,
                                          const std::string& needs, bool (*fits)(const Level&, int, Why&));

// "its inner map iterates over ...": the situation in words, for explanations.
std::string situation_text(char variant);

}  // namespace blockscope
