// The parts of a program that follow one another, and which of them are the same: a model of 32 equal layers
// is shown as one layer and a count.
//
//     x1 = x + attention(rmsnorm(x))      one part: behind it nothing but x1 goes on
//     x2 = x1 + mlp(rmsnorm(x1))          the next one; the two together are a layer
//     x3 = x2 + attention(rmsnorm(x2))    the first part again
//     ...
#pragma once

#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/plan/operators.h"
#include "core/support/stop_sign.h"

namespace blockscope::plan {

// What the operators of a part move and take as library kernels (BaselineKind::Library), one after the other.
struct PartCost {
    double bytes = 0;
    double seconds = 0;
    int kernels = 0;

    PartCost& operator+=(const PartCost& other);
};

struct ModelPart {
    FusionGroup nodes;  // of the operator graph, ascending
    int like = 0;       // the first part that is the same up to names; its own number if it is the first
    std::string title;  // "attention", "MLP", else what its operators do: "matmul, softmax"
    PartCost cost;
};

// Parts first .. first + parts - 1 are a layer, and so are the next ones: `count` layers in all.
struct LayerRun {
    int first = 0;
    int parts = 1;
    int count = 1;
    // "layers_0 to layers_31" by the names of the operators; "layer" if they say nothing.
    std::string title = {};

    bool operator==(const LayerRun&) const = default;
};

struct ModelLayers {
    OperatorGraph graph;
    std::vector<ModelPart> parts;  // in an order in which they can run
    std::vector<LayerRun> runs;    // all parts, in order; what is not repeated is a run of one part
    PartCost all;

    // The operators of parts first .. last, which are a program of their own (group_program()).
    FusionGroup nodes(int first, int last) const;
    PartCost cost(int first, int last) const;
    // Of parts first .. last, which are in the first layer of the run, and of the same parts of its other
    // layers.
    PartCost cost_in_all(const LayerRun& run, int first, int last) const;
};

// `program` is valid, its sizes those of its dimensions. A part ends where at most one array goes on to what
// comes behind, and no library kernel is divided. Where layers are found in that way, what is common to all
// of them does not count: arrays that most of the program reads, as the positions of a rotary embedding, and
// a mask that is computed first. Ends with Stopped while `stop` is up.
ModelLayers layers_of(const ArrayProgram& program, const Device& device, const StopSign& stop = kNeverStop);

// By themselves, for tests: the runs of a sequence of numbers of parts that are the same. The longest
// repetition comes first where there is a choice, of equally long ones that of the shortest layers.
std::vector<LayerRun> repeated_runs(const std::vector<int>& like);

}  // namespace blockscope::plan
