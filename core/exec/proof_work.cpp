// An estimate of what evaluating a block program costs, without evaluating it.
#include "core/exec/prove.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr double kPerNode = 4;      // what a node costs whatever its size, in scalar operations
constexpr int kLargestTree = 1000;  // shared parts are computed once, so that a tree's size exaggerates

// All blocks are taken as full.
class WorkEstimate {
public:
    explicit WorkEstimate(const DimTable& dims) : dims_(dims) {}

    double graph(const Graph& graph) const {
        const GraphIndex index(graph);
        double total = 0;
        for (const NodePtr& node : graph.nodes())
            total += std::visit([&](const auto& kind) { return work(kind, *node, index); }, node->kind);
        return total;
    }

private:
    const Dim& dim(DimId id) const { return dims_.at(id.value); }

    double item_size(const Item& item) const {
        if (item.kind == ItemKind::Scalar) return 1;
        const double rows = static_cast<double>(dim(item.rows).block);
        return item.kind == ItemKind::Block ? rows * static_cast<double>(dim(item.cols).block) : rows;
    }

    double size(const Type& type) const {
        double count = item_size(type.item());
        for (int i = 0; i < type.rank(); ++i) count *= static_cast<double>(dim(type.dim(i)).blocks());
        return count;
    }

    double input_size(const Node& node, const GraphIndex& index) const {
        double total = 0;
        for (const ValueRef& ref : node.inputs) {
            const Node* producer = index.find(ref.node);
            if (!producer)
                throw InternalError("a node reads " + to_string(ref.node) + ", which does not exist");
            total += size(edge_type(*producer, ref));
        }
        return total;
    }

    double output_size(const Node& node) const {
        double total = 0;
        for (const Type& type : node.outputs) total += size(type);
        return total;
    }

    double work(const Input&, const Node& node, const GraphIndex&) const { return output_size(node); }
    double work(const Output&, const Node& node, const GraphIndex& index) const {
        return input_size(node, index);
    }
    double work(const Functional& functional, const Node& node, const GraphIndex& index) const {
        if (functional.op != FunctionalOp::Dot) return kPerNode + input_size(node, index);
        const Type left = edge_type(*index.find(node.inputs.at(0).node), node.inputs[0]);
        return kPerNode + 2 * output_size(node) * static_cast<double>(dim(left.item().cols).block);
    }
    double work(const Elementwise& elementwise, const Node& node, const GraphIndex&) const {
        return kPerNode + output_size(node) * tree_size(*elementwise.expr, kLargestTree);
    }
    double work(const Map& map, const Node&, const GraphIndex&) const {
        const auto iterations = static_cast<double>(dim(map.dim).blocks() - map.start);
        return kPerNode + iterations * (kPerNode + graph(*map.body));
    }
    double work(const Reduce&, const Node& node, const GraphIndex& index) const {
        return kPerNode + input_size(node, index);
    }
    double work(const Misc&, const Node& node, const GraphIndex& index) const {
        return kPerNode + input_size(node, index) + output_size(node);
    }

    const DimTable& dims_;
};

}  // namespace

double proof_work(const BlockProgram& program, const DimTable& dims) {
    return WorkEstimate(dims).graph(*program.graph);
}

}  // namespace blockscope
