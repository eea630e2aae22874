#include "core/cost/counts_difference.h"

#include <algorithm>
#include <set>

namespace blockscope {

namespace {

class CountsComparison {
public:
    void equal(const std::string& what, std::int64_t a, std::int64_t b) {
        if (a != b && difference_.empty())
            difference_ = what + ": " + std::to_string(a) + " and " + std::to_string(b);
    }
    void equal(const std::string& what, const Transfers& a, const Transfers& b) {
        equal(what, a.items, b.items);
        equal("values of " + what, a.values, b.values);
        equal("bytes of " + what, a.bytes, b.bytes);
    }
    void equal(const std::string& what, const Flops& a, const Flops& b) {
        equal("matrix operations" + what, a.matrix, b.matrix);
        equal("vector operations" + what, a.vector, b.vector);
        equal("special operations" + what, a.special, b.special);
    }
    std::string difference() const { return difference_; }

private:
    std::string difference_;
};

Flops flops_of(const Counts& counts, NodeId node) {
    for (const NodeFlops& entry : counts.operators)
        if (entry.node == node) return entry.flops;
    return {};  // a loop over no blocks: nothing was executed
}

}  // namespace

std::string counts_difference(const LoopProgram& program, const Counts& a, const Counts& b) {
    CountsComparison same;
    same.equal("arrays", std::ssize(a.buffers), std::ssize(b.buffers));
    for (std::size_t i = 0; i < std::min(a.buffers.size(), b.buffers.size()); ++i) {
        const std::string& name = program.buffers.at(i).name;
        same.equal("loads of " + name, a.buffers[i].loads, b.buffers[i].loads);
        same.equal("stores to " + name, a.buffers[i].stores, b.buffers[i].stores);
    }
    same.equal("transfers of inputs", a.inputs, b.inputs);
    same.equal("transfers of outputs", a.outputs, b.outputs);
    same.equal("transfers in between", a.intermediates, b.intermediates);
    std::set<NodeId> nodes;
    for (const Counts* counts : {&a, &b})
        for (const NodeFlops& entry : counts->operators) nodes.insert(entry.node);
    for (const NodeId node : nodes)
        same.equal(" of " + to_string(node), flops_of(a, node), flops_of(b, node));
    same.equal("", a.flops, b.flops);
    same.equal("launches", a.launches, b.launches);
    same.equal("tasks", a.tasks, b.tasks);
    same.equal("values in local memory", a.local.values, b.local.values);
    return same.difference();
}

}  // namespace blockscope
