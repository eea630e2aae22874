// A block program's graph prepared for evaluation: values have slots, inner graphs are prepared once.
#pragma once

#include <memory>
#include <vector>

#include "core/exec/block_expr.h"
#include "core/graph/graph.h"

namespace blockscope {

template <class S>
struct BlockPlan {
    // A value in the frame, entered `first` times at index 0.
    struct Read {
        int slot;
        int first;
        Type type;  // of what is read
    };

    struct Step {
        const Node* node;
        std::vector<Read> inputs;
        int slot;                         // of output 0; the others follow
        BlockExpr<S> expr;                // of an elementwise operator
        std::unique_ptr<BlockPlan> body;  // of a map
        std::vector<Value<S>> args;       // values of `inputs` while the step runs
    };

    // `graph` must outlive the plan.
    BlockPlan(const Graph& graph, const DimTable& dims);

    std::vector<int> inputs;    // slots of Input nodes, in port order
    std::vector<Read> outputs;  // of Output nodes, in port order
    std::vector<Step> steps;    // all other nodes, in order of execution
    std::vector<Value<S>> frame;
};

}  // namespace blockscope
