#include "core/cost/counts.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/cost/lifetime.h"
#include "core/cost/terms.h"
#include "core/loops/loop_program.h"

namespace blockscope {

CostBasis::CostBasis(const LoopProgram& program)
    : extents(program), terms(cost_terms(program, extents)), alive(local_memory(program, extents)) {}

void CostBasis::resize(const LoopProgram& program) {
    set_sizes(alive, program, extents);
}

namespace {

void grow(std::int64_t& count, std::int64_t more) {
    count = saturating_add(count, more);
}

void add(Transfers& to, const Transfers& more) {
    grow(to.items, more.items);
    grow(to.values, more.values);
    grow(to.bytes, more.bytes);
}

void add(Flops& to, Quantity unit, std::int64_t operations) {
    grow(unit == Quantity::Matrix   ? to.matrix
         : unit == Quantity::Vector ? to.vector
                                    : to.special,
         operations);
}

class Counter {
public:
    explicit Counter(const LoopProgram& program) : program_(program) {
        for (std::size_t i = 0; i < program.buffers.size(); ++i)
            counts_.buffers.push_back({static_cast<int>(i), {}, {}});
    }

    Counts run(const std::vector<Term>& terms, const std::vector<LocalMemory>& alive) {
        for (const Term& term : terms) take(term);
        for (const BufferTraffic& traffic : counts_.buffers) total(traffic);
        counts_.local = largest_of(alive);
        counts_.compulsory = compulsory();
        launches();
        return std::move(counts_);
    }

private:
    void take(const Term& term) {
        const std::int64_t amount = value(term, program_.dims);
        switch (term.quantity) {
            case Quantity::LoadItems:
                return grow(traffic(term).loads.items, amount);
            case Quantity::LoadValues:
                return values(traffic(term).loads, term, amount);
            case Quantity::StoreItems:
                return grow(traffic(term).stores.items, amount);
            case Quantity::StoreValues:
                return values(traffic(term).stores, term, amount);
            case Quantity::Matrix:
            case Quantity::Vector:
            case Quantity::Special:
                return operations(term, amount);
        }
    }

    const Buffer& buffer(int index) const { return program_.buffers.at(static_cast<std::size_t>(index)); }
    BufferTraffic& traffic(const Term& term) {
        return counts_.buffers.at(static_cast<std::size_t>(term.buffer));
    }

    void values(Transfers& to, const Term& term, std::int64_t amount) {
        grow(to.values, amount);
        grow(to.bytes, saturating_multiply(amount, bytes_per_element(buffer(term.buffer).type.elem())));
    }

    void operations(const Term& term, std::int64_t amount) {
        add(counts_.flops, term.quantity, amount);
        const auto found = std::find_if(counts_.operators.begin(), counts_.operators.end(),
                                        [&](const NodeFlops& entry) { return entry.node == term.node; });
        NodeFlops& entry = found == counts_.operators.end()
                               ? counts_.operators.emplace_back(NodeFlops{term.node, {}})
                               : *found;
        add(entry.flops, term.quantity, amount);
    }

    void total(const BufferTraffic& traffic) {
        const Buffer& array = buffer(traffic.buffer);
        if (array.source == InputSource::CausalMask) return;
        Transfers& kind = array.kind == Buffer::Kind::Input    ? counts_.inputs
                          : array.kind == Buffer::Kind::Output ? counts_.outputs
                                                               : counts_.intermediates;
        add(kind, traffic.loads);
        add(kind, traffic.stores);
    }

    // An input may be read as two arrays, plain and transposed: the larger counts. What skips parts of an
    // array (of masked blocks, say) needs no more than it moves.
    std::int64_t compulsory() const {
        std::map<NodeId, std::int64_t> once;
        for (const BufferTraffic& traffic : counts_.buffers) {
            const Buffer& array = buffer(traffic.buffer);
            if (array.kind == Buffer::Kind::Intermediate || array.source == InputSource::CausalMask) continue;
            const std::int64_t moved = std::max(traffic.loads.bytes, traffic.stores.bytes);
            std::int64_t& bytes = once[array.node];
            bytes = std::max(bytes, std::min(moved, bytes_of(array, program_.dims)));
        }
        std::int64_t all = 0;
        for (const auto& [node, bytes] : once) grow(all, bytes);
        return all;
    }

    void launches() {
        counts_.launches = static_cast<std::int64_t>(program_.body.size());
        bool first = true;  // a launch can have no task at all: a peeled loop of one block
        for (const Statement& launch : program_.body) {
            const std::int64_t parallel = tasks(launch, program_.dims);
            counts_.tasks = first ? parallel : std::min(counts_.tasks, parallel);
            first = false;
        }
    }

    const LoopProgram& program_;
    Counts counts_;
};

}  // namespace

std::int64_t Flops::total() const {
    return saturating_add(matrix, saturating_add(vector, special));
}

double Counts::intensity() const {
    return bytes() == 0 ? 0 : static_cast<double>(flops.total()) / static_cast<double>(bytes());
}

double Counts::replication(const Counts& unfused) const {
    if (unfused.flops.total() == 0) return 1;
    return static_cast<double>(flops.total()) / static_cast<double>(unfused.flops.total());
}

std::int64_t bytes_of(const Buffer& buffer, const DimTable& dims) {
    const std::vector<DimId> axes = item_axes(buffer.type.item());
    const std::vector<int> split = axis_positions(buffer);
    std::int64_t bytes = bytes_per_element(buffer.type.elem());
    for (std::size_t i = 0; i < buffer.dims.size(); ++i) {
        const Dim& dim = dims.at(buffer.dims[i].value);
        const bool axis = std::find(split.begin(), split.end(), static_cast<int>(i)) != split.end();
        bytes = saturating_multiply(bytes, axis ? dim.size : dim.blocks());
    }
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        if (split[axis] < 0) bytes = saturating_multiply(bytes, dims.at(axes[axis].value).block_size(0));
    return bytes;
}

std::int64_t tasks(const Statement& launch, const DimTable& dims) {
    std::int64_t product = 1;
    for (const Loop* loop : grid_of(launch).loops)
        product = saturating_multiply(product, dims.at(loop->var.dim.value).blocks() - loop->start);
    return product;
}

Counts count(const LoopProgram& program) {
    return count(program, cost_terms(program), local_memory(program, TempExtents(program)));
}

Counts count(const LoopProgram& program, const std::vector<Term>& terms,
             const std::vector<LocalMemory>& alive) {
    return Counter(program).run(terms, alive);
}

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
