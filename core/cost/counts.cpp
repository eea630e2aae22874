#include "core/cost/counts.h"

#include <algorithm>
#include <cmath>

#include "core/cost/extents.h"
#include "core/cost/lifetime.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

void add(Transfers& to, const Transfers& more) {
    to.items = saturating_add(to.items, more.items);
    to.values = saturating_add(to.values, more.values);
    to.bytes = saturating_add(to.bytes, more.bytes);
}

void add(Flops& to, const Flops& more, std::int64_t times) {
    to.matrix = saturating_add(to.matrix, saturating_multiply(more.matrix, times));
    to.vector = saturating_add(to.vector, saturating_multiply(more.vector, times));
    to.special = saturating_add(to.special, saturating_multiply(more.special, times));
}

// Operations on one element of an elementwise expression; shared parts are computed each time they stand
// in it, as the listing writes them. Constant parts cost nothing.
Flops per_element(const Expr& expr) {
    Flops flops;
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call || argument_count(expr) == 0) return flops;
    for (const ExprPtr& a : call->args) add(flops, per_element(*a), 1);
    switch (call->fn) {
        case Fn::Exp:
        case Fn::Log:
        case Fn::Sqrt:
        case Fn::Tanh:
        case Fn::Erf:
        case Fn::Sin:
        case Fn::Cos:
            ++flops.special;
            return flops;
        case Fn::Neg:
        case Fn::Abs:
        case Fn::Floor:
        case Fn::Add:
        case Fn::Sub:
        case Fn::Mul:
        case Fn::Div:
        case Fn::Max:
        case Fn::Min:
            ++flops.vector;
            return flops;
        case Fn::Pow: {
            const Number* exponent = std::get_if<Number>(&call->args[1]->value);
            const bool square = exponent && exponent->value == 2;
            ++(square ? flops.vector : flops.special);
            return flops;
        }
    }
    throw InternalError("unknown function");
}

class Counter {
public:
    explicit Counter(const LoopProgram& program) : program_(program), extents_(program) {
        for (std::size_t i = 0; i < program.buffers.size(); ++i)
            counts_.buffers.push_back({static_cast<int>(i), {}, {}});
    }

    Counts run() {
        block(program_.body);
        for (const BufferTraffic& traffic : counts_.buffers) total(traffic);
        counts_.local = largest_live_set(program_, extents_);
        launches();
        return std::move(counts_);
    }

    void operator()(const Load& s) { add(traffic(s.buffer).loads, moved(s.to, s.buffer)); }
    void operator()(const Store& s) { add(traffic(s.buffer).stores, moved(s.from, s.buffer)); }
    void operator()(const Initialise&) {}
    void operator()(const Assign&) {}
    void operator()(const LoopPtr& loop) {
        nest_.push_back(loop.get());
        block(loop->body);
        nest_.pop_back();
    }
    void operator()(const Evaluate& s) { record(per_element(*s.expr), sum(axes(s.to))); }
    void operator()(const Compute& s) { apply(s.op, s.args); }
    // The addition of a dot product is part of its multiply-adds.
    void operator()(const Accumulate& s) {
        if (s.functional) apply(s.op, s.args);
        if (!s.functional || s.op != FunctionalOp::Dot) record({0, 1, 0}, sum(axes(s.to)));
    }
    void operator()(const CallMisc& s) {
        for (const int buffer : s.outputs) add(traffic(buffer).stores, whole(buffer));
        for (const int buffer : s.inputs) add(traffic(buffer).loads, whole(buffer));
    }

private:
    const std::vector<Extent>& axes(Temp t) const { return extents_.of(t).axes; }
    std::int64_t sum(const std::vector<Extent>& extents) const {
        return sum_over(nest_, extents, program_.dims);
    }
    BufferTraffic& traffic(int buffer) { return counts_.buffers.at(static_cast<std::size_t>(buffer)); }

    Transfers moved(Temp t, int buffer) const {
        const std::int64_t values = sum(axes(t));
        const ElemType elem = program_.buffers.at(static_cast<std::size_t>(buffer)).type.elem();
        return {sum({}), values, saturating_multiply(values, bytes_per_element(elem))};
    }

    // All of an array, once.
    Transfers whole(int index) const {
        const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(index));
        Transfers all{1, 1, 0};
        for (const DimId dim : buffer.dims)
            all.items = saturating_multiply(all.items, program_.dims.at(dim.value).blocks());
        const Item& item = buffer.type.item();
        const auto split = [&](DimId axis) {
            return std::find(buffer.dims.begin(), buffer.dims.end(), axis) != buffer.dims.end();
        };
        const auto extent = [&](DimId axis) {
            return split(axis) ? program_.dims.at(axis.value).size
                               : program_.dims.at(axis.value).block_size(0);
        };
        if (item.kind != ItemKind::Scalar) all.values = extent(item.rows);
        if (item.kind == ItemKind::Block) all.values = saturating_multiply(all.values, extent(item.cols));
        for (const DimId dim : buffer.dims) {
            const bool axis = (item.kind != ItemKind::Scalar && dim == item.rows) ||
                              (item.kind == ItemKind::Block && dim == item.cols);
            if (!axis) all.values = saturating_multiply(all.values, program_.dims.at(dim.value).blocks());
        }
        all.bytes = saturating_multiply(all.values, bytes_per_element(buffer.type.elem()));
        return all;
    }

    void apply(FunctionalOp op, const std::vector<Temp>& args) {
        const std::vector<Extent>& a = axes(args.at(0));
        if (op == FunctionalOp::Dot) {
            std::vector<Extent> all = a;
            all.push_back(axes(args.at(1)).at(0));
            return record({2, 0, 0}, sum(all));
        }
        if (op == FunctionalOp::Outer) return record({0, 1, 0}, sum({a.at(0), axes(args.at(1)).at(0)}));
        record({0, 1, 0}, sum(a));
    }

    void record(const Flops& each, std::int64_t times) {
        add(counts_.flops, each, times);
        const auto found = std::find_if(counts_.operators.begin(), counts_.operators.end(),
                                        [&](const NodeFlops& f) { return f.node == node_; });
        NodeFlops& entry =
            found == counts_.operators.end() ? counts_.operators.emplace_back(NodeFlops{node_, {}}) : *found;
        add(entry.flops, each, times);
    }

    void total(const BufferTraffic& traffic) {
        const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(traffic.buffer));
        if (buffer.source == InputSource::CausalMask) return;
        const bool input = buffer.kind == Buffer::Kind::Input;
        Transfers& kind = input                                 ? counts_.inputs
                          : buffer.kind == Buffer::Kind::Output ? counts_.outputs
                                                                : counts_.intermediates;
        add(kind, traffic.loads);
        add(kind, traffic.stores);
    }

    void block(const Block& statements) {
        for (const Statement& statement : statements) {
            node_ = statement.node;
            std::visit(*this, statement.what);
        }
    }

    // The iterations of the parallel loops that hold nothing but one another.
    std::int64_t tasks_of(const Statement& launch) const {
        std::int64_t tasks = 1;
        for (const LoopPtr* loop = std::get_if<LoopPtr>(&launch.what); loop && !(*loop)->serial;) {
            tasks = saturating_multiply(tasks,
                                        program_.dims.at((*loop)->var.dim.value).blocks() - (*loop)->start);
            const Block& body = (*loop)->body;
            loop = body.size() == 1 ? std::get_if<LoopPtr>(&body[0].what) : nullptr;
        }
        return tasks;
    }

    void launches() {
        counts_.launches = static_cast<std::int64_t>(program_.body.size());
        for (const Statement& launch : program_.body) {
            const std::int64_t tasks = tasks_of(launch);
            counts_.tasks = counts_.tasks == 0 ? tasks : std::min(counts_.tasks, tasks);
        }
    }

    const LoopProgram& program_;
    TempExtents extents_;
    Nest nest_;
    NodeId node_;
    Counts counts_;
};

}  // namespace

std::int64_t Flops::total() const {
    return saturating_add(matrix, saturating_add(vector, special));
}

double Counts::intensity() const {
    return bytes() == 0 ? 0 : static_cast<double>(flops.total()) / static_cast<double>(bytes());
}

Counts count(const LoopProgram& program) {
    return Counter(program).run();
}

}  // namespace blockscope
