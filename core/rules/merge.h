// Merging two maps over the same dimension into one: the common part of rules 1 and 2.
#pragma once

#include "core/rules/edit.h"

namespace blockscope {

// `first` comes before `second` and no indirect path leads from one to the other. Every edge
// between them leaves a collected output and enters an iterated input. The merged map keeps an
// output of `first` only where something other than `second` uses it; inputs that are the same value taken
// in the same way become one.
Rewrite merge_maps(const Level& level, const Node& first, const Node& second, IdSource& ids);

// Whether two maps run over the same iterations.
bool same_range(const Map& a, const Map& b);

}  // namespace blockscope
