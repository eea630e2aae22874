#include "core/cost/executed.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/cost/lifetime.h"
#include "core/cost/terms.h"
#include "core/exec/block_operators.h"
#include "core/exec/evaluate.h"
#include "core/graph/type.h"
#include "core/loops/loop_program.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

using ExecutedItem = Value<double>;

Type list_type(const Buffer& buffer, std::size_t from) {
    Type type = buffer.type;
    for (std::size_t i = buffer.dims.size(); i-- > from;) type = type.list_over(buffer.dims[i]);
    return type;
}

// As the program declares it: what reads V transposed is called VT.
std::string declared_name(const Buffer& buffer) {
    return buffer.transposed ? buffer.name.substr(0, buffer.name.size() - 1) : buffer.name;
}

void flatten(const ExecutedItem& value, std::vector<ExecutedItem>& items) {
    if (!value.is_list()) return items.push_back(value);
    for (int i = 0; i < value.count; ++i) flatten(value.elements[i], items);
}

class Execution {
public:
    Execution(const LoopProgram& program, const Tensors<double>& inputs)
        : program_(program),
          temps_(static_cast<std::size_t>(program.temps) + 1),
          arrays_(program.buffers.size()),
          lives_(program.temps),
          extents_(program),
          masks_(program) {
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            Counts& counts = executed_.counts;
            counts.buffers.push_back({static_cast<int>(i), {}, {}});
            arrays_[i] = items_of(program.buffers[i], inputs);
        }
    }

    Executed run() {
        Counts& counts = executed_.counts;
        for (const Statement& launch : program_.body) {
            ++counts.launches;
            const auto* loop = std::get_if<LoopPtr>(&launch.what);
            launch_tasks_ = loop && !(*loop)->serial ? 0 : 1;
            const Grid grid = grid_of(launch);
            innermost_ = grid.loops.empty() ? nullptr : grid.loops.back();
            statement(launch);
            counts.tasks = counts.launches == 1 ? launch_tasks_ : std::min(counts.tasks, launch_tasks_);
        }
        counts.local.values = lives_.most();
        for (const auto& [node, flops] : by_node_) {
            counts.operators.push_back({node, flops});
            counts.flops.matrix += flops.matrix;
            counts.flops.vector += flops.vector;
            counts.flops.special += flops.special;
        }
        for (std::size_t i = 0; i < arrays_.size(); ++i) finish(i);
        return std::move(executed_);
    }

    void operator()(const Load& s) {
        const Span span = place(s.buffer, s.at);
        const ExecutedItem& item = arrays_[at(s.buffer)].at(span.first);
        if (!item.data)
            throw InternalError(program_.buffers[at(s.buffer)].name + " is read before it is stored");
        moved(loads(s.buffer), s.buffer, item);
        set(s.to, item);
    }
    void operator()(const Store& s) {
        const ExecutedItem item = get(s.from);
        moved(stores(s.buffer), s.buffer, item);
        arrays_[at(s.buffer)].at(place(s.buffer, s.at).first) = item;
    }
    void operator()(const Compute& s) {
        const ExprPtr less = less_work();
        set(s.to, less ? elementwise(*less, s.args) : functional(s.op, s.args));
    }
    void operator()(const Evaluate& s) {
        const ExprPtr less = less_work();
        set(s.to, elementwise(less ? *less : *s.expr, s.args));
    }
    ExecutedItem elementwise(const Expr& expr, const std::vector<Temp>& operands) {
        args_.clear();
        for (const Temp arg : operands) args_.push_back(arg.id > 0 ? get(arg) : ExecutedItem());
        // A scalar is spread over the elements of the others.
        const bool larger = std::any_of(args_.begin(), args_.end(), [](const ExecutedItem& item) {
            return item.data && (item.rows != 1 || item.cols != 1);
        });
        for (ExecutedItem& arg : args_)
            if (larger && arg.rows == 1 && arg.cols == 1) arg.rows = arg.cols = kSpread;
        return evaluate(expr);
    }
    void operator()(const Accumulate& s) {
        const bool dot = s.functional && s.op == FunctionalOp::Dot;
        const ExecutedItem summand = s.functional ? functional(s.op, s.args) : get(s.args.at(0));
        if (!dot) work().vector += summand.size();  // a dot's sum is in its multiply-adds
        ExecutedItem& sum = temps_[at(s.to.id)];
        lives_.read(s.to.id);
        sum = BlockOperators<double>::zip(Fn::Add, sum, summand, memory_.scalars);
        lives_.grow(s.to.id, sum.size());
    }
    void operator()(const Initialise& s) {
        ExecutedItem& item = temps_[at(s.to.id)];
        item = number(s.value);
        const std::optional<Shape> shape = shape_here(s.to);
        if (!shape) return lives_.set_unshaped(s.to.id);
        item = BlockOperators<double>::fill(item, shape->rows, shape->cols, memory_.scalars);
        lives_.set(s.to.id, item.size());
    }
    void operator()(const Assign& s) { set(s.to, get(s.from)); }
    void operator()(const CallMisc& s) {
        std::vector<Tensor<double>> arrays;
        for (std::size_t i = 0; i < s.inputs.size(); ++i)
            arrays.push_back(gather(s.inputs[i], s.at.at(s.outputs.size() + i)));
        std::vector<const Tensor<double>*> operands;
        for (const Tensor<double>& array : arrays) operands.push_back(&array);
        for (std::size_t i = 0; i < s.outputs.size(); ++i) {
            const Type type = list_type(program_.buffers[at(s.outputs[i])], s.at[i].size());
            const bool transpose = s.name == "transpose";
            const Tensor<double> result = transpose
                                              ? arrays.at(0)
                                              : custom_array(s.name, operands, static_cast<int>(i),
                                                             array_layout(type, false, program_.dims).shape);
            scatter(s.outputs[i], s.at[i], cut(result, type, transpose, program_.dims, memory_));
        }
    }
    void operator()(const LoopPtr& shared) {
        const Loop& loop = *shared;
        const BlockRange blocks = blocks_of(loop);
        for (const Statement& inner : loop.body)
            if (const auto* sum = std::get_if<Accumulate>(&inner.what)) {
                lives_.next();
                lives_.set(sum->to.id, 1);
                temps_[at(sum->to.id)] = number(0);
            }
        if (&loop == innermost_) launch_tasks_ += std::max<std::int64_t>(0, blocks.count());
        loops_.push_back({loop.var, 0});
        for (std::int64_t i = blocks.begin; i < blocks.end; ++i) {
            loops_.back().second = i;
            for (const Statement& inner : loop.body) statement(inner);
        }
        loops_.pop_back();
    }

private:
    // Items of an array: the first, and how many.
    struct Span {
        std::size_t first = 0;
        std::size_t count = 1;
    };

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }

    // What the line computes where the mask that it adds is all zeros; null if it adds none, or is not there.
    ExprPtr less_work() const {
        const std::optional<Unmasked> less = masks_.unmasked(*line_);
        if (!less) return nullptr;
        const CausalBounds& bounds = less->mask.bounds;
        const std::int64_t row = bounds.one_block ? 0 : index_of(bounds.row);
        const std::int64_t column = less->mask.one_column ? 0 : index_of(less->mask.column);
        return is_clear(less->mask, program_.dims, row, column) ? less->expr : nullptr;
    }

    BlockRange blocks_of(const Loop& loop) const {
        const Dim& dim = program_.dims.at(loop.var.dim.value);
        if (!loop.bounds) return {loop.start, dim.blocks()};
        const CausalBounds& bounds = *loop.bounds;
        return visible_blocks(program_.dims.at(bounds.row.dim.value), dim, bounds.window,
                              bounds.one_block ? 0 : index_of(bounds.row));
    }

    void statement(const Statement& statement) {
        node_ = statement.node;
        line_ = &statement;
        if (!std::holds_alternative<LoopPtr>(statement.what)) lives_.next();
        std::visit(*this, statement.what);
    }

    // ---- temporaries

    const ExecutedItem& get(Temp temp) {
        const ExecutedItem& item = temps_[at(temp.id)];
        if (!item.data) throw InternalError("t" + std::to_string(temp.id) + " is read before it is set");
        lives_.read(temp.id);
        return item;
    }
    void set(Temp temp, const ExecutedItem& item) {
        temps_[at(temp.id)] = item;
        lives_.set(temp.id, item.size());
    }
    // Everywhere, along axes whose extents what it is combined with has.
    ExecutedItem number(double value) {
        double* data = memory_.scalars.allocate(1);
        *data = value;
        return item_value(kSpread, kSpread, static_cast<const double*>(data));
    }

    struct Shape {
        int rows = 1;
        int cols = 1;
    };
    // Of a number before the loop that carries it, which no instruction tells: the one that it has in the
    // loop's first iteration. None if nothing tells.
    std::optional<Shape> shape_here(Temp temp) const {
        const std::vector<Extent>& axes = extents_.of(temp).axes;
        if (axes.empty()) return {};
        Shape shape;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const auto* loop = axes[i].fixed ? nullptr : loop_of(axes[i].var);
            const Dim& dim = program_.dims.at(axes[i].dim.value);
            const std::int64_t first = !axes[i].fixed && axes[i].later && dim.blocks() > 1 ? 1 : 0;
            (i == 0 ? shape.rows : shape.cols) =
                static_cast<int>(dim.block_size(loop ? loop->second : first));
        }
        return shape;
    }

    // ---- arithmetic

    Flops& work() { return by_node_[node_]; }

    ExecutedItem functional(FunctionalOp op, const std::vector<Temp>& temps) {
        args_.clear();
        for (const Temp temp : temps) args_.push_back(get(temp));
        const ExecutedItem result = BlockOperators<double>::functional(op, args_.data(), memory_.scalars);
        if (op == FunctionalOp::Dot)
            work().matrix += std::int64_t{2} * args_[0].size() * args_[1].rows;
        else
            work().vector += std::max(result.size(), args_[0].size());
        return result;
    }

    // Of the operands in args_.
    ExecutedItem evaluate(const Expr& expr) {
        if (const Arg* arg = std::get_if<Arg>(&expr.value)) return args_.at(at(arg->index));
        if (const Number* constant = std::get_if<Number>(&expr.value)) return number(constant->value);
        if (const SizeOf* size = std::get_if<SizeOf>(&expr.value))
            return number(static_cast<double>(program_.dims.at(size->dim.value).size));
        const Call& call = std::get<Call>(expr.value);
        const ExecutedItem a = evaluate(*call.args.front());
        const ExecutedItem b = call.args.size() > 1 ? evaluate(*call.args.back()) : a;
        const ExecutedItem result = BlockOperators<double>::zip(call.fn, a, b, memory_.scalars);
        if (argument_count(expr) > 0) (is_special(call) ? work().special : work().vector) += result.size();
        return result;
    }

    // ---- memory

    std::vector<ExecutedItem> items_of(const Buffer& buffer, const Tensors<double>& inputs) {
        std::size_t count = 1;
        for (const DimId dim : buffer.dims)
            count *= static_cast<std::size_t>(program_.dims.at(dim.value).blocks());
        std::vector<ExecutedItem> items;
        if (buffer.kind != Buffer::Kind::Input) {
            items.resize(count);
            return items;
        }
        const Type type = list_type(buffer, 0);
        if (buffer.source == InputSource::CausalMask) {
            const std::vector<std::int64_t> shape =
                array_layout(type, buffer.transposed, program_.dims).shape;
            flatten(cut(causal_mask<double>(shape.at(0), shape.at(1), buffer.window), type, buffer.transposed,
                        program_.dims, memory_),
                    items);
            return items;
        }
        const auto found = inputs.find(declared_name(buffer));
        if (found == inputs.end()) throw InternalError("no array is given for the input " + buffer.name);
        flatten(cut(found->second, type, buffer.transposed, program_.dims, memory_), items);
        return items;
    }

    Span place(int index, const std::vector<Index>& indices) const {
        const Buffer& buffer = program_.buffers[at(index)];
        Span span;
        for (std::size_t i = 0; i < buffer.dims.size(); ++i) {
            const auto blocks = static_cast<std::size_t>(program_.dims.at(buffer.dims[i].value).blocks());
            span.first *= blocks;
            if (i >= indices.size())
                span.count *= blocks;
            else if (!indices[i].zero)
                span.first += static_cast<std::size_t>(index_of(indices[i].var));
        }
        return span;
    }

    // Null outside of that loop.
    const std::pair<LoopVar, std::int64_t>* loop_of(const LoopVar& var) const {
        for (const auto& loop : loops_)
            if (loop.first == var) return &loop;
        return nullptr;
    }
    std::int64_t index_of(const LoopVar& var) const {
        const auto* loop = loop_of(var);
        if (!loop) throw InternalError("an index of no loop around");
        return loop->second;
    }

    Transfers& loads(int buffer) { return executed_.counts.buffers[at(buffer)].loads; }
    Transfers& stores(int buffer) { return executed_.counts.buffers[at(buffer)].stores; }
    void moved(Transfers& sum, int buffer, const ExecutedItem& item) const {
        ++sum.items;
        sum.values += item.size();
        sum.bytes += std::int64_t{item.size()} * bytes_per_element(program_.buffers[at(buffer)].type.elem());
    }

    // The nested list of `items` over the buffer's dimensions from `level` on.
    ExecutedItem listed(const Buffer& buffer, std::size_t level, const ExecutedItem*& items) {
        if (level == buffer.dims.size()) return *items++;
        const auto count = static_cast<int>(program_.dims.at(buffer.dims[level].value).blocks());
        ExecutedItem* elements = memory_.values.allocate(count);
        for (int i = 0; i < count; ++i) elements[i] = listed(buffer, level + 1, items);
        return list_value(static_cast<const ExecutedItem*>(elements), count);
    }

    Tensor<double> gather(int index, const std::vector<Index>& indices) {
        const Buffer& buffer = program_.buffers[at(index)];
        const Span span = place(index, indices);
        for (std::size_t i = 0; i < span.count; ++i)
            moved(loads(index), index, arrays_[at(index)].at(span.first + i));
        const ExecutedItem* first = &arrays_[at(index)].at(span.first);
        return assemble(listed(buffer, indices.size(), first), list_type(buffer, indices.size()),
                        program_.dims);
    }
    void scatter(int index, const std::vector<Index>& indices, const ExecutedItem& value) {
        std::vector<ExecutedItem> items;
        flatten(value, items);
        const Span span = place(index, indices);
        for (std::size_t i = 0; i < items.size(); ++i) {
            moved(stores(index), index, items[i]);
            arrays_[at(index)].at(span.first + i) = items[i];
        }
    }

    // What the whole is, once it has run.
    void finish(std::size_t index) {
        const Buffer& buffer = program_.buffers[index];
        Counts& counts = executed_.counts;
        const BufferTraffic& traffic = counts.buffers[index];
        Transfers& sum = buffer.kind == Buffer::Kind::Input    ? counts.inputs
                         : buffer.kind == Buffer::Kind::Output ? counts.outputs
                                                               : counts.intermediates;
        for (const Transfers* part : {&traffic.loads, &traffic.stores}) {
            if (buffer.source == InputSource::CausalMask) continue;
            sum.items += part->items;
            sum.values += part->values;
            sum.bytes += part->bytes;
        }
        if (buffer.kind != Buffer::Kind::Output) return;
        const ExecutedItem* first = arrays_[index].data();
        executed_.outputs[buffer.name] =
            assemble(listed(buffer, 0, first), list_type(buffer, 0), program_.dims);
    }

    const LoopProgram& program_;
    BlockMemory<double> memory_;
    std::vector<ExecutedItem> temps_;                // by id; without data: not set
    std::vector<ExecutedItem> args_;                 // of the line that is executed
    std::vector<std::vector<ExecutedItem>> arrays_;  // by buffer: items in row-major order of its dimensions
    std::vector<std::pair<LoopVar, std::int64_t>> loops_;
    std::map<NodeId, Flops> by_node_;
    ValueLives lives_;
    const TempExtents extents_;
    MaskBlocks masks_;
    NodeId node_;
    const Statement* line_ = nullptr;  // that is executed
    std::int64_t launch_tasks_ = 0;
    const Loop* innermost_ = nullptr;  // axis of the launch's grid
    Executed executed_;
};

}  // namespace

Executed execute(const LoopProgram& program, const Tensors<double>& inputs) {
    return Execution(program, inputs).run();
}

}  // namespace blockscope
