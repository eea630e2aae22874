// What a diagram says by itself: of drawings that are no program of operators on whole axes, such as those of
// peeled and safe states, where iterations are sliced off and carried on.
#pragma once

#include "core/circuit/study.h"

namespace blockscope::circuit {

// A partition of the drawing.
struct DrawnPart {
    std::string axis, part;  // names
    PartitionKind kind = PartitionKind::Group;
    std::int64_t size = 1;   // of one part
    std::int64_t parts = 1;  // how many
    bool operator==(const DrawnPart&) const = default;
};

struct DrawnStudy {
    Circuit circuit;
    Resources resources;
    std::vector<DrawnPart> parts;  // outermost first, each symbol once
    std::string memory_symbol;
    std::optional<PowerLaw> law;  // H* over the sizes of its groups
    bool law_of_numbers = false;
    std::string no_law;  // why there is none
    double bytes = 1;    // per value: of the widest input
    std::string local;   // the level that the limit is of
    double memory = 0;   // values
    std::vector<GroupAxis> groups;
    std::optional<GroupSizes> best;
    LevelPlans level_plans;
    std::optional<LevelModels> models;
};

// Levels, H* and the best sizes of the groups that are drawn; streams stay as they are. Only `memory` and
// `link` of the options count.
DrawnStudy study_drawn(Circuit circuit, const Device& device, const StudyOptions& options = {});

}  // namespace blockscope::circuit
