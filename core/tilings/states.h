// Which state of the fusion algorithm's run is the schedule that a tiling expression describes: one kernel
// whose loops are the expression's, up to those that are bound to thread blocks. Where none is, a block
// program is built that is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/tilings/space.h"

namespace blockscope::tilings {

struct MatchedState {
    int step = 0;
    bool same_order = false;  // the grid's loops have the expression's order, too
    std::string listing;      // with several blocks in every dimension
    bool proven = false;      // equal to the program in exact arithmetic
};

// By expression of the space; none where no state of the run has this loop structure.
std::vector<std::optional<MatchedState>> matched_states(const Space& space);

// An expression as a block program that no step of the run made (core/tilings/schedule.h).
struct BuiltProgram {
    std::string listing = {};  // with several blocks in every dimension
    bool proven = false;       // equal to the program in exact arithmetic
    Text missing = {};         // which rules the algorithm would need besides its own
    Text why_not = {};         // then there is no listing: why none can be built
};

// By expression; none for those that are a state, of which `states` tells.
std::vector<std::optional<BuiltProgram>> built_programs(
    const Space& space, const std::vector<std::optional<MatchedState>>& states);

}  // namespace blockscope::tilings
