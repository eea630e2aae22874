#include "core/print/label.h"

#include "core/support/result.h"

namespace blockscope {

namespace {

// a, b, ..., z, a1, b1, ...
std::vector<std::string> argument_names(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string letter(1, static_cast<char>('a' + i % 26));
        names.push_back(i < 26 ? letter : letter + std::to_string(i / 26));
    }
    return names;
}

struct Labeller {
    const Node& node;
    const DimTable& dims;

    std::string dim(DimId id) const { return dims.at(id.value).name; }

    std::string operator()(const Input& input) const {
        std::string text = input.name.empty() ? "input" : "input " + input.name;
        if (input.transposed) text += "T";
        if (input.source == InputSource::CausalMask) text += " (causal mask)";
        return text;
    }
    std::string operator()(const Output& output) const {
        return output.name.empty() ? "output" : "output " + output.name;
    }
    std::string operator()(const Functional& functional) const { return to_string(functional.op); }
    std::string operator()(const Elementwise& elementwise) const {
        return to_string(*elementwise.expr, argument_names(node.inputs.size()), dims);
    }
    std::string operator()(const Map& map) const {
        return (map.serial() ? "for " : "forall ") + dim(map.dim) + (map.start == 0 ? "" : " from 1");
    }
    std::string operator()(const Reduce& reduce) const {
        return (reduce.op == ReduceOp::Sum ? "sum over " : "max over ") + dim(reduce.dim);
    }
    std::string operator()(const Misc& misc) const { return misc.name; }
};

}  // namespace

std::string reference(const GraphIndex& index, const ValueRef& ref) {
    std::string text = to_string(ref.node);
    const Node* node = index.find(ref.node);
    if (node && node->outputs.size() > 1) text += "." + std::to_string(ref.port);
    for (int i = 0; i < ref.first; ++i) text += i == 0 ? "[0" : ",0";
    return ref.first > 0 ? text + "]" : text;
}

std::string label(const Node& node, const DimTable& dims) {
    return std::visit(Labeller{node, dims}, node.kind);
}

std::string to_string(PortIn mode) {
    switch (mode) {
        case PortIn::Iterated:
            return "iterated";
        case PortIn::Broadcast:
            return "broadcast";
        case PortIn::Continued:
            return "continued";
    }
    throw InternalError("unknown input mode");
}

std::string to_string(PortOut mode) {
    switch (mode) {
        case PortOut::Collected:
            return "collected";
        case PortOut::ReducedSum:
            return "sum";
        case PortOut::ReducedMax:
            return "max";
        case PortOut::Carried:
            return "carried";
    }
    throw InternalError("unknown output mode");
}

}  // namespace blockscope
