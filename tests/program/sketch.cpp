#include "tests/program/sketch.h"

#include <gtest/gtest.h>

#include <map>

#include "core/graph/verify.h"
#include "core/program/convert.h"
#include "core/support/result.h"

namespace blockscope::test {

namespace {

class Sketcher {
public:
    Sketcher(const Graph& graph, const DimTable& dims) : graph_(graph), dims_(dims) { name_values(); }

    std::string lines(const std::string& separator) const {
        std::string text;
        for (const NodePtr& node : graph_.nodes()) {
            if (node->is<Input>()) continue;
            const std::string line =
                std::visit([&](const auto& kind) { return show(*node, kind); }, node->kind);
            text += (text.empty() ? "" : separator) + line;
        }
        return text;
    }

private:
    void name_values() {
        int inputs = 0;
        int operators = 0;
        for (const NodePtr& node : graph_.nodes()) {
            const auto* input = node->as<Input>();
            if (input && !input->name.empty()) {
                names_[node->id] = input->name + (input->transposed ? "T" : "");
            } else if (input) {
                names_[node->id] = "x" + std::to_string(inputs++);
            } else if (!node->is<Output>()) {
                names_[node->id] = "v" + std::to_string(operators++);
            }
        }
    }

    std::string dim(DimId id) const { return dims_.at(id.value).name; }
    std::string name(const ValueRef& ref) const { return names_.at(ref.node); }

    std::vector<std::string> operands(const Node& node) const {
        std::vector<std::string> all;
        for (const ValueRef& ref : node.inputs) all.push_back(name(ref));
        return all;
    }

    static std::string join(const std::vector<std::string>& parts) {
        std::string text;
        for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
        return text;
    }

    std::string show(const Node&, const Input&) const { throw InternalError("inputs are not shown"); }
    std::string show(const Node& node, const Output& output) const {
        return (output.name.empty() ? "-> " : output.name + " = ") + name(node.inputs.at(0));
    }
    std::string show(const Node& node, const Functional& f) const {
        return to_string(f.op) + "(" + join(operands(node)) + ")";
    }
    std::string show(const Node& node, const Elementwise& f) const {
        return to_string(*f.expr, operands(node), dims_) + (f.to ? " as " + to_string(*f.to) : "");
    }
    std::string show(const Node& node, const Map& map) const {
        std::vector<std::string> inputs;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const bool iterated = map.inputs.at(i).mode == PortIn::Iterated;
            inputs.push_back((iterated ? "i " : "b ") + name(node.inputs[i]));
        }
        return dim(map.dim) + "[" + join(inputs) + "]{" + sketch(*map.body, dims_) + "}";
    }
    std::string show(const Node& node, const Reduce& reduce) const {
        return std::string(reduce.op == ReduceOp::Sum ? "sum " : "max ") + dim(reduce.dim) + "(" +
               join(operands(node)) + ")";
    }
    std::string show(const Node& node, const Misc& misc) const {
        return "misc " + misc.name + "(" + join(operands(node)) + ")";
    }

    const Graph& graph_;
    const DimTable& dims_;
    std::map<NodeId, std::string> names_;
};

}  // namespace

std::string sketch(const Graph& graph, const DimTable& dims) {
    return Sketcher(graph, dims).lines("; ");
}

std::string sketch(const BlockProgram& program) {
    return Sketcher(*program.graph, program.dims).lines("\n") + "\n";
}

int top_level_operators(const BlockProgram& program) {
    int count = 0;
    for (const NodePtr& node : program.graph->nodes()) {
        if (!node->is<Input>() && !node->is<Output>()) ++count;
    }
    return count;
}

std::string converted(const ArrayProgram& program) {
    const Conversion conversion = to_block_program(program);
    for (const Violation& violation : verify(conversion.program)) ADD_FAILURE() << violation.sentence;
    return sketch(conversion.program);
}

}  // namespace blockscope::test
