// Types of nodes from their inputs' types: Table 1's constraints, and how maps and reductions wrap
// and unwrap lists.
#include "core/graph/verify.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

TypeCheck fits(Type type) {
    return {{type}, {}};
}

TypeCheck wrong(std::string sentence) {
    return {{}, std::move(sentence)};
}

std::string count_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " input" : " inputs");
}

class Checker {
public:
    Checker(const std::vector<Type>& inputs, const DimTable& dims) : in_(inputs), dims_(dims) {}

    TypeCheck operator()(const Input&) const { return wrong("an input node declares its own type"); }
    TypeCheck operator()(const Misc&) const {
        return wrong("a miscellaneous operator declares its own types");
    }

    TypeCheck operator()(const Output&) const {
        if (in_.size() != 1) return wrong("an output takes 1 input, found " + count_text(in_.size()));
        return {};
    }

    TypeCheck operator()(const Reduce& reduce) const {
        if (in_.size() != 1) return wrong("a reduction takes 1 input, found " + count_text(in_.size()));
        if (!in_[0].is_list() || in_[0].dim(0) != reduce.dim)
            return wrong("a reduction over " + name(reduce.dim) + " needs a list over it, found " +
                         text(in_[0]));
        return fits(in_[0].element());
    }

    TypeCheck operator()(const Elementwise& node) const {
        if (argument_count(*node.expr) > static_cast<int>(in_.size()))
            return wrong("an elementwise expression refers to more arguments than its " +
                         count_text(in_.size()));
        if (in_.empty()) return wrong("an elementwise operator needs an input");
        Type result = in_[0];
        for (const Type& type : in_) {
            if (type.is_list())
                return wrong("an elementwise operator takes items, found the list " + text(type));
            if (result.item().kind == ItemKind::Scalar && type.item().kind != ItemKind::Scalar) result = type;
        }
        for (const Type& type : in_)
            if (type.item().kind != ItemKind::Scalar && type.item() != result.item())
                return wrong("an elementwise operator needs inputs of one shape, found " + text(result) +
                             " and " + text(type));
        return fits(node.to ? result.with_elem(*node.to) : result);
    }

    TypeCheck operator()(const Functional& node) const {
        if (static_cast<int>(in_.size()) != arity(node.op))
            return wrong(to_string(node.op) + " takes " +
                         count_text(static_cast<std::size_t>(arity(node.op))) + ", found " +
                         std::to_string(in_.size()));
        for (const Type& type : in_)
            if (type.is_list())
                return wrong(to_string(node.op) + " takes items, found the list " + text(type));
        const Item& a = in_[0].item();
        switch (node.op) {
            case FunctionalOp::Add:
            case FunctionalOp::Mul:
                return need(node.op, a == in_[1].item(), a);
            case FunctionalOp::RowShift:
            case FunctionalOp::RowScale:
                return need(node.op, is_block(a) && in_[1].item() == Item::vector(a.rows), a);
            case FunctionalOp::ColShift:
            case FunctionalOp::ColScale:
                return need(node.op, is_block(a) && in_[1].item() == Item::vector(a.cols), a);
            case FunctionalOp::RowSum:
            case FunctionalOp::RowMax:
                return need(node.op, is_block(a), Item::vector(a.rows));
            case FunctionalOp::BlockMax:
                return need(node.op, a.kind != ItemKind::Scalar, Item::scalar());
            case FunctionalOp::Dot:
                return need(node.op, is_block(a) && is_block(in_[1].item()) && a.cols == in_[1].item().cols,
                            Item::block(a.rows, in_[1].item().rows));
            case FunctionalOp::Outer:
                return need(node.op, is_vector(a) && is_vector(in_[1].item()),
                            Item::block(a.rows, in_[1].item().rows));
        }
        throw InternalError("unknown functional operator");
    }

    TypeCheck operator()(const Map& map) const {
        if (!map.body) return wrong("a map needs an inner graph");
        if (map.dim.value >= dims_.size()) return wrong("a map's dimension does not exist");
        if (map.start != 0 && map.start != 1) return wrong("a map starts at 0 or, peeled, at 1");
        if (map.inputs.size() != in_.size())
            return wrong("a map's " + std::to_string(map.inputs.size()) + " input modes do not fit its " +
                         count_text(in_.size()));
        if (map.outputs.empty()) return wrong("a map needs an output");
        const std::vector<NodePtr> ports = map.body->inputs();
        const std::vector<Type> results = result_types(*map.body);
        if (results.size() != map.outputs.size())
            return wrong("a map's output modes do not fit its inner graph's outputs");
        TypeCheck check = outputs(map, results);
        if (check.error.empty()) check.error = inputs(map, ports, results);
        if (check.error.empty()) check.error = peeling(map);
        return check;
    }

private:
    static bool is_block(const Item& item) { return item.kind == ItemKind::Block; }
    static bool is_vector(const Item& item) { return item.kind == ItemKind::Vector; }
    std::string name(DimId dim) const { return dim.value < dims_.size() ? dims_[dim.value].name : "?"; }
    std::string text(const Type& type) const { return to_string(type, dims_); }

    TypeCheck need(FunctionalOp op, bool condition, Item result) const {
        if (condition) return fits(in_[0].with_item(result));
        std::string sentence = to_string(op) + " does not take " + text(in_[0]);
        if (in_.size() > 1) sentence += " and " + text(in_[1]);
        return wrong(sentence);
    }

    static std::vector<Type> result_types(const Graph& body) {
        const GraphIndex index(body);
        std::vector<Type> types;
        for (const NodePtr& output : body.outputs()) {
            const Node* producer = output->inputs.size() == 1 ? index.find(output->inputs[0].node) : nullptr;
            if (!producer || output->inputs[0].port >= producer->outputs.size()) return {};
            if (output->inputs[0].first > producer->outputs[output->inputs[0].port].rank()) return {};
            types.push_back(edge_type(*producer, output->inputs[0]));
        }
        return types;
    }

    TypeCheck outputs(const Map& map, const std::vector<Type>& results) const {
        TypeCheck check;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const bool collected = map.outputs[i].mode == PortOut::Collected;
            if (!collected && results[i].is_list())
                return wrong("a map's reduced or carried output needs an item, found the list " +
                             text(results[i]));
            if (collected && results[i].rank() == kMaxRank)
                return wrong("a value has more than 8 list dimensions");
            check.outputs.push_back(collected ? results[i].list_over(map.dim) : results[i]);
        }
        return check;
    }

    std::string inputs(const Map& map, const std::vector<NodePtr>& ports,
                       const std::vector<Type>& results) const {
        std::size_t port = 0;
        for (std::size_t i = 0; i < in_.size(); ++i) {
            const MapInput& input = map.inputs[i];
            if (input.mode == PortIn::Continued) {
                if (input.continues < 0 || input.continues >= static_cast<int>(results.size()))
                    return "a continued input names no output";
                if (in_[i] != results[static_cast<std::size_t>(input.continues)])
                    return "a continued input needs " +
                           text(results[static_cast<std::size_t>(input.continues)]) + ", found " +
                           text(in_[i]);
                continue;
            }
            if (input.mode == PortIn::Iterated && (!in_[i].is_list() || in_[i].dim(0) != map.dim))
                return "a map over " + name(map.dim) + " cannot iterate over " + text(in_[i]);
            const Type inner = input.mode == PortIn::Iterated ? in_[i].element() : in_[i];
            if (port >= ports.size()) return "a map has more inputs than its inner graph";
            if (ports[port]->outputs.at(0) != inner)
                return "an inner graph's input is " + text(ports[port]->outputs[0]) +
                       ", but the map gives it " + text(inner);
            ++port;
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (map.outputs[i].mode != PortOut::Carried) continue;
            if (port >= ports.size() || ports[port]->outputs.at(0) != results[i])
                return "a carried output has no inner input of its type";
            ++port;
        }
        return port == ports.size() ? "" : "an inner graph has more inputs than its map";
    }

    static std::string peeling(const Map& map) {
        std::vector<int> continued(map.outputs.size(), 0);
        for (const MapInput& input : map.inputs)
            if (input.mode == PortIn::Continued) ++continued[static_cast<std::size_t>(input.continues)];
        for (std::size_t i = 0; i < map.outputs.size(); ++i) {
            if (continued[i] != map.start)
                return "each output of a peeled map, and of no other, continues one input";
        }
        return "";
    }

    const std::vector<Type>& in_;
    const DimTable& dims_;
};

}  // namespace

TypeCheck check_types(const Kind& kind, const std::vector<Type>& inputs, const DimTable& dims) {
    return std::visit(Checker(inputs, dims), kind);
}

}  // namespace blockscope
