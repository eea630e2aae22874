// A diagram back to the list of its operators.
#include <algorithm>

#include "core/circuit/flow.h"
#include "core/support/cases.h"

namespace blockscope::circuit {

namespace {

struct NoFlow {
    std::string what;
};

class Reading {
public:
    explicit Reading(const Circuit& circuit) : circuit_(circuit) { flow_.axes = circuit.axes; }

    Flow run() {
        std::vector<int> inputs;
        for (std::size_t i = 0; i < circuit_.root->domain.size(); ++i)
            inputs.push_back(array(circuit_.root->domain[i], circuit_.inputs.at(i)));
        flow_.inputs = inputs;
        flow_.outputs = walk(*circuit_.root, inputs);
        flow_.output_names = circuit_.outputs;
        for (std::size_t i = 0; i < flow_.outputs.size(); ++i) {
            std::string& name = flow_.arrays.at(static_cast<std::size_t>(flow_.outputs[i])).name;
            if (name.empty()) name = circuit_.outputs.at(i);
        }
        return std::move(flow_);
    }

private:
    AxisId whole(AxisId id) const {
        while (const std::optional<AxisId> next = axis_of(circuit_.axes, id).whole) id = *next;
        return id;
    }

    int array(ArrayType type, const std::string& name) {
        for (AxisId& axis : type.axes) axis = whole(axis);
        type.level = 0;
        type.cached = false;
        flow_.arrays.push_back({name, std::move(type)});
        return static_cast<int>(flow_.arrays.size()) - 1;
    }

    std::vector<int> walk(const Term& term, std::vector<int> in) {
        return std::visit(Cases{[&](const Apply& what) { return apply(what, term, in); },
                                [&](const Rearrange& what) {
                                    std::vector<int> out;
                                    for (const int i : what.take)
                                        out.push_back(in.at(static_cast<std::size_t>(i)));
                                    return out;
                                },
                                [&](const Compose& what) {
                                    for (const TermPtr& part : what.parts) in = walk(*part, in);
                                    return in;
                                },
                                [&](const Product& what) { return product(what, in); },
                                [&](const Block& what) { return walk(*what.body, in); },
                                [&](const Partition& what) { return partition(what, in); }},
                          term.what);
    }

    std::vector<int> product(const Product& what, const std::vector<int>& in) {
        std::vector<int> out;
        auto next = in.begin();
        for (const TermPtr& part : what.parts) {
            const auto end = next + static_cast<std::ptrdiff_t>(part->domain.size());
            const std::vector<int> made = walk(*part, {next, end});
            out.insert(out.end(), made.begin(), made.end());
            next = end;
        }
        return out;
    }

    std::vector<int> partition(const Partition& what, const std::vector<int>& in) {
        const auto dropped = [](const Cut& cut) { return cut.dropped; };
        const std::string axis = axis_of(circuit_.axes, what.whole).name;
        if (std::any_of(what.split.begin(), what.split.end(), dropped) ||
            std::any_of(what.join.begin(), what.join.end(), dropped))
            throw NoFlow{"parts of " + axis + " that arrays number instead of having the axis"};
        if (std::any_of(what.carry.begin(), what.carry.end(), [](int input) { return input >= 0; }))
            throw NoFlow{"a stream of " + axis + " that goes on from a first value"};
        return walk(*what.body, in);
    }

    std::vector<int> apply(const Apply& what, const Term& term, const std::vector<int>& in) {
        if (what.op.kind == OperatorKind::Transfer) return in;
        if (what.op.kind == OperatorKind::Reindex && !what.own.empty())
            throw NoFlow{"the slice or join " + what.op.label};
        FlowOp made;
        made.apply = what;
        for (std::vector<AxisId>* axes : {&made.apply.own, &made.apply.weave})
            for (AxisId& axis : *axes) axis = whole(axis);
        for (std::vector<Segment>* segments : {&made.apply.inputs, &made.apply.outputs})
            for (Segment& segment : *segments) segment.level = 0;
        made.inputs = in;
        for (std::size_t i = 0; i < term.codomain.size(); ++i)
            made.outputs.push_back(array(term.codomain[i], what.outputs.at(i).name));
        made.expr = expression(what.op);
        flow_.ops.push_back(std::move(made));
        return flow_.ops.back().outputs;
    }

    // Of the labels that expression_label makes, those of operators that are linear in an argument.
    static ExprPtr expression(const Operator& op) {
        if (op.kind != OperatorKind::Elementwise) return nullptr;
        if (op.label == "+") return call(Fn::Add, arg(0), arg(1));
        if (op.label == "×") return call(Fn::Mul, arg(0), arg(1));
        if (op.label.rfind("* ", 0) == 0) return call(Fn::Mul, arg(0), number(1));
        return nullptr;
    }

    const Circuit& circuit_;
    Flow flow_;
};

}  // namespace

Result<Flow> flow_of(const Circuit& circuit) {
    try {
        Flow flow = Reading(circuit).run();
        flow.groups = named_groups(flow);
        return flow;
    } catch (const NoFlow& part) {
        return Problem{{}, "found " + part.what + "; expected operators on whole axes"};
    }
}

}  // namespace blockscope::circuit
