#include "app/figure/figure.h"
#include "app/figure/nest.h"

namespace blockscope {

namespace {

void collect(const Graph& graph, int depth, Folds& folds) {
    for (const NodePtr& node : graph.nodes()) {
        if (!node->is<Map>()) continue;
        if (depth == 0)
            folds.insert(node->id);
        else
            collect(nest_of(*node).body(), depth - 1, folds);
    }
}

}  // namespace

Folds folds_at_depth(const BlockProgram& program, int depth) {
    Folds folds;
    if (depth >= 0) collect(*program.graph, depth, folds);
    return folds;
}

}  // namespace blockscope
