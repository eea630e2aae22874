// The two ways of deciding of the taxonomy of fusion, one decision at a time: greedy over the edges, as it
// tells of TorchInductor, and graph colouring, as it tells of XLA; and both exactly as it prints them.
//
//     for (const DecisionStep& step : find_stepped("edges")->decide(problem, names).steps)
//         step.why    // "B reads A: one kernel from here on, which moves 24 MB less"
#pragma once

#include <string>
#include <vector>

#include "core/plan/problem.h"
#include "core/support/text.h"

namespace blockscope::plan {

constexpr int kMostStepped = 300;  // operators; each step has the groups of all

struct DecisionStep {
    std::vector<int> nodes;  // what it is about: the two of an edge, one operator, or a kernel
    bool together = false;   // whether some came together
    Text why;
    std::vector<FusionGroup>
        groups;  // by node, after the step: what it stands together with; empty: not decided
};

struct Decided {
    std::vector<DecisionStep> steps;
    std::vector<FusionGroup> groups;  // in the end; as printed they may share nodes
    Text note;                        // what is to be known of this one; may be empty
};

struct SteppedWay {
    const char* name;  // "edges-as-printed"
    const char* way;   // of which it is (ways.h): "edges"
    bool as_printed;
    Decided (*decide)(const Problem& problem, const std::vector<std::string>& names);
};
const std::vector<SteppedWay>& stepped_ways();
// Null: none of this name.
const SteppedWay* find_stepped(const std::string& name);

}  // namespace blockscope::plan
