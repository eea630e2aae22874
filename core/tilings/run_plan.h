// What a blocked run does, decided before it runs: where each statement stands in the loops, in which of
// their iterations it runs, and how many tiles of each product live at once.
#pragma once

#include <vector>

#include "core/tilings/space.h"

namespace blockscope::tilings {

struct Guard {
    int loop = 0;
    bool last = false;  // else the first iteration
    bool operator==(const Guard&) const = default;
};

// A product's compute block, or the store (the number of products).
struct PlannedStatement {
    int index = 0;
    std::vector<Guard> guards;
};

struct PlannedLoop {
    int loop = -1;  // -1: the outermost, which is none
    struct Item {
        int loop = -1;       // of RunPlan::loops, or
        int statement = -1;  // of RunPlan::statements
    };
    std::vector<Item> items = {};
};

struct RunPlan {
    std::vector<PlannedLoop> loops;  // the first is the outermost
    std::vector<PlannedStatement> statements;
    // By product: the loops of its result along which tiles live side by side.
    std::vector<std::vector<int>> alive;
    // Loops that stand outermost, one in another, and belong to the output: tasks.
    std::vector<int> tasks;
};

RunPlan plan_run(const Chain& chain, const LoopForest& forest);

}  // namespace blockscope::tilings
