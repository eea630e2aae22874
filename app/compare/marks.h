// How pictures of two compared states are marked: what is only in one of them, what moved, what changed.
#pragma once

#include <map>
#include <vector>

#include "app/compare/diff.h"
#include "app/scene/legend.h"

namespace blockscope {

struct ComparedMarks {
    std::map<NodeId, Mark> before, after;  // by node of either state
    Signs signs;                           // that a legend has to explain
};
ComparedMarks marks_of(const std::vector<Difference>& differences);

// The marks in a picture of their state.
Lights lights_of(const std::map<NodeId, Mark>& marks, const Picture& picture);

}  // namespace blockscope
