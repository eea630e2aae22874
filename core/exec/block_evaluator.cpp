// A block program's graph prepared for evaluation: values have slots, inner graphs are prepared once.
#include <memory>
#include <vector>

#include "core/exec/block_operators.h"
#include "core/exec/evaluate.h"
#include "core/graph/graph.h"
#include "core/support/result.h"

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
        int slot;                              // of output 0; the others follow
        BlockExpr<S> expr = {};                // of an elementwise operator
        std::unique_ptr<BlockPlan> body = {};  // of a map
        std::vector<Value<S>> args = {};       // values of `inputs` while the step runs
    };

    // `graph` must outlive the plan.
    BlockPlan(const Graph& graph, const DimTable& dims);

    std::vector<int> inputs;    // slots of Input nodes, in port order
    std::vector<Read> outputs;  // of Output nodes, in port order
    std::vector<Step> steps;    // all other nodes, in order of execution
    std::vector<Value<S>> frame;
};

namespace {

template <class S>
BlockExpr<S> compiled(const Elementwise& elementwise, const std::vector<Type>& inputs, const Type& output,
                      const DimTable& dims) {
    std::vector<bool> spread;
    for (const Type& type : inputs)
        spread.push_back(type.item().kind == ItemKind::Scalar && output.item().kind != ItemKind::Scalar);
    return BlockExpr<S>(*elementwise.expr, dims, std::move(spread));
}

}  // namespace

template <class S>
BlockPlan<S>::BlockPlan(const Graph& graph, const DimTable& dims) {
    std::unordered_map<std::uint32_t, std::pair<const Node*, int>> slots;  // by node id
    int next = 0;
    const auto read = [&slots](const ValueRef& ref) {
        const auto found = slots.find(ref.node.value);
        if (found == slots.end())
            throw InternalError("a node reads " + to_string(ref.node) + ", which is not before it");
        const auto& [producer, slot] = found->second;
        return Read{slot + ref.port, ref.first, edge_type(*producer, ref)};
    };
    for (const NodePtr& node : graph.nodes()) {
        std::vector<Read> reads;
        std::vector<Type> types;
        for (const ValueRef& ref : node->inputs) {
            reads.push_back(read(ref));
            types.push_back(reads.back().type);
        }
        slots[node->id.value] = {node.get(), next};
        if (node->is<Output>()) {
            outputs.push_back(reads.at(0));
        } else if (node->is<Input>()) {
            inputs.push_back(next);
        } else {
            Step step{.node = node.get(), .inputs = std::move(reads), .slot = next};
            if (const auto* elementwise = node->as<Elementwise>())
                step.expr = compiled<S>(*elementwise, types, node->outputs.at(0), dims);
            if (const auto* map = node->as<Map>()) step.body = std::make_unique<BlockPlan>(*map->body, dims);
            step.args.resize(step.inputs.size());
            steps.push_back(std::move(step));
        }
        next += static_cast<int>(node->outputs.size());
    }
    frame.resize(static_cast<std::size_t>(next));
}

template struct BlockPlan<double>;
template struct BlockPlan<Exact>;

// The block program, block by block, straight from its graph.

namespace {

// `stop` outlives it.
template <class S>
class BlockEvaluator {
public:
    BlockEvaluator(const BlockProgram& program, const Tensors<S>& inputs, const StopSign& stop)
        : program_(program), inputs_(inputs), stop_(stop), plan_(*program.graph, program.dims) {}

    Tensors<S> run() {
        const std::vector<NodePtr> inputs = program_.graph->inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i)
            plan_.frame[static_cast<std::size_t>(plan_.inputs[i])] = input(*inputs[i]);
        run(plan_);
        Tensors<S> outputs;
        const std::vector<NodePtr> nodes = program_.graph->outputs();
        for (std::size_t i = 0; i < nodes.size(); ++i)
            outputs[nodes[i]->template as<Output>()->name] =
                assemble(read(plan_, plan_.outputs[i]), plan_.outputs[i].type, program_.dims);
        return outputs;
    }

private:
    using Plan = BlockPlan<S>;
    using Step = typename Plan::Step;

    Value<S> input(const Node& node) {
        const Input& input = *node.as<Input>();
        const Type& type = node.outputs.at(0);
        if (input.source == InputSource::CausalMask) {
            const std::vector<std::int64_t> shape = array_layout(type, input.transposed, program_.dims).shape;
            if (shape.size() != 2) throw InternalError("a causal mask has two axes and no batch");
            return cut(causal_mask<S>(shape[0], shape[1], input.window), type, input.transposed,
                       program_.dims, memory_);
        }
        const auto found = inputs_.find(input.name);
        if (found == inputs_.end()) throw InternalError("no array is given for the input " + input.name);
        return cut(found->second, type, input.transposed, program_.dims, memory_);
    }

    static const Value<S>& read(const Plan& plan, const typename Plan::Read& from) {
        const Value<S>* value = &plan.frame[static_cast<std::size_t>(from.slot)];
        for (int i = 0; i < from.first; ++i) value = &value->elements[0];
        return *value;
    }

    // A step takes as long as one block.
    void run(Plan& plan) {
        for (Step& step : plan.steps) {
            stop_.check();
            for (std::size_t i = 0; i < step.inputs.size(); ++i) step.args[i] = read(plan, step.inputs[i]);
            Value<S>* results = &plan.frame[static_cast<std::size_t>(step.slot)];
            std::visit([&](const auto& kind) { run(kind, step, results); }, step.node->kind);
        }
    }

    void run(const Input&, Step&, Value<S>*) { throw InternalError("an input is not a step"); }
    void run(const Output&, Step&, Value<S>*) { throw InternalError("an output is not a step"); }

    void run(const Functional& functional, Step& step, Value<S>* results) {
        results[0] = BlockOperators<S>::functional(functional.op, step.args.data(), memory_.scalars);
    }

    void run(const Elementwise&, Step& step, Value<S>* results) {
        results[0] = step.expr.evaluate(step.args.data(), memory_.scalars);
    }

    void run(const Reduce& reduce, Step& step, Value<S>* results) {
        const Fn fn = reduce.op == ReduceOp::Sum ? Fn::Add : Fn::Max;
        results[0] = BlockOperators<S>::fold(fn, step.args[0].elements, step.args[0].count, memory_);
    }

    void run(const Misc& misc, Step& step, Value<S>* results) {
        std::vector<Tensor<S>> arrays;
        arrays.reserve(step.args.size());
        for (std::size_t i = 0; i < step.args.size(); ++i)
            arrays.push_back(assemble(step.args[i], step.inputs[i].type, program_.dims));
        if (misc.name == "transpose") {
            results[0] = cut(arrays.at(0), step.node->outputs.at(0), true, program_.dims, memory_);
            return;
        }
        std::vector<const Tensor<S>*> operands;
        operands.reserve(arrays.size());
        for (const Tensor<S>& array : arrays) operands.push_back(&array);
        for (std::size_t port = 0; port < step.node->outputs.size(); ++port) {
            const Type& type = step.node->outputs[port];
            const Tensor<S> result = custom_array(misc.name, operands, static_cast<int>(port),
                                                  array_layout(type, false, program_.dims).shape);
            results[port] = cut(result, type, false, program_.dims, memory_);
        }
    }

    // One output of a map while it runs.
    struct MapResult {
        Value<S>* list = nullptr;  // collected
        Accumulator<S> total;      // reduced
        Value<S> last;             // carried
    };

    void run(const Map& map, Step& step, Value<S>* results) {
        const int count = static_cast<int>(program_.dims.at(map.dim.value).blocks());
        std::vector<MapResult> outputs = begin(map, *step.node, count);
        take_continued(map, step, outputs);
        take_broadcast(map, step);
        for (int index = map.start; index < count; ++index) {
            take_iterated(map, step, index, count);
            take_carried(map, step, outputs);
            run(*step.body);
            give(map, step, index, outputs);
        }
        for (std::size_t i = 0; i < outputs.size(); ++i)
            results[i] = finish(map.outputs[i], outputs[i], count);
    }

    std::vector<MapResult> begin(const Map& map, const Node& node, int count) {
        std::vector<MapResult> outputs;
        for (std::size_t i = 0; i < map.outputs.size(); ++i) {
            const MapOutput& output = map.outputs[i];
            MapResult result{
                nullptr, Accumulator<S>(output.mode == PortOut::ReducedMax ? Fn::Max : Fn::Add), {}};
            if (output.mode == PortOut::Collected) result.list = memory_.values.allocate(count);
            if (output.mode == PortOut::Carried)
                result.last = initial(output.init, node.outputs[i].item().kind);
            outputs.push_back(std::move(result));
        }
        return outputs;
    }

    // `value` everywhere, along axes whose extents the first iteration knows.
    Value<S> initial(double value, ItemKind kind) {
        S* data = memory_.scalars.allocate(1);
        *data = scalar_from<S>(value);
        const int rows = kind == ItemKind::Scalar ? 1 : kSpread;
        const int cols = kind == ItemKind::Block ? kSpread : 1;
        return item_value(rows, cols, static_cast<const S*>(data));
    }

    void take_continued(const Map& map, const Step& step, std::vector<MapResult>& outputs) {
        for (std::size_t i = 0; i < map.inputs.size(); ++i) {
            if (map.inputs[i].mode != PortIn::Continued) continue;
            const auto output = static_cast<std::size_t>(map.inputs[i].continues);
            const PortOut mode = map.outputs.at(output).mode;
            if (mode == PortOut::Collected)
                outputs[output].list[0] = step.args[i];
            else if (mode == PortOut::Carried)
                outputs[output].last = step.args[i];
            else
                outputs[output].total.add(step.args[i], memory_.scalars);
        }
    }

    static Value<S>& port(Step& step, std::size_t index) {
        return step.body->frame[static_cast<std::size_t>(step.body->inputs.at(index))];
    }

    void take_broadcast(const Map& map, Step& step) {
        std::size_t inner = 0;
        for (std::size_t i = 0; i < map.inputs.size(); ++i) {
            if (map.inputs[i].mode == PortIn::Continued) continue;
            if (map.inputs[i].mode == PortIn::Broadcast) port(step, inner) = step.args[i];
            ++inner;
        }
    }

    void take_iterated(const Map& map, Step& step, int index, int count) {
        std::size_t inner = 0;
        for (std::size_t i = 0; i < map.inputs.size(); ++i) {
            if (map.inputs[i].mode == PortIn::Continued) continue;
            if (map.inputs[i].mode == PortIn::Iterated) {
                if (step.args[i].count != count)
                    throw InternalError("a map iterates over a list of the wrong length");
                port(step, inner) = step.args[i].elements[index];
            }
            ++inner;
        }
    }

    // The inner graph's last inputs are the carried values.
    void take_carried(const Map& map, Step& step, const std::vector<MapResult>& outputs) {
        std::size_t inner = step.body->inputs.size();
        for (std::size_t i = outputs.size(); i-- > 0;)
            if (map.outputs[i].mode == PortOut::Carried) port(step, --inner) = outputs[i].last;
    }

    void give(const Map& map, const Step& step, int index, std::vector<MapResult>& outputs) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const Value<S>& value = read(*step.body, step.body->outputs.at(i));
            switch (map.outputs[i].mode) {
                case PortOut::Collected:
                    outputs[i].list[index] = value;
                    break;
                case PortOut::ReducedSum:
                case PortOut::ReducedMax:
                    outputs[i].total.add(value, memory_.scalars);
                    break;
                case PortOut::Carried:
                    outputs[i].last = value;
                    break;
            }
        }
    }

    static Value<S> finish(const MapOutput& output, const MapResult& result, int count) {
        switch (output.mode) {
            case PortOut::Collected:
                return list_value(static_cast<const Value<S>*>(result.list), count);
            case PortOut::ReducedSum:
            case PortOut::ReducedMax:
                if (result.total.empty()) throw InternalError("a reduced map without iterations");
                return result.total.value();
            case PortOut::Carried:
                return result.last;
        }
        throw InternalError("unknown output mode");
    }

    const BlockProgram& program_;
    const Tensors<S>& inputs_;
    const StopSign& stop_;
    BlockMemory<S> memory_;
    Plan plan_;
};

}  // namespace

Tensors<double> evaluate(const BlockProgram& program, const Tensors<double>& inputs) {
    return BlockEvaluator<double>(program, inputs, kNeverStop).run();
}

Tensors<Exact> evaluate(const BlockProgram& program, const Tensors<Exact>& inputs, const StopSign& stop) {
    return BlockEvaluator<Exact>(program, inputs, stop).run();
}

}  // namespace blockscope
