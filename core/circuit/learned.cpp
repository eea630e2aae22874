#include "core/circuit/learned.h"

#include <algorithm>

namespace blockscope::circuit {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

int uses(const Flow& flow, int array) {
    int count = 0;
    for (const FlowOp& op : flow.ops)
        count += static_cast<int>(std::count(op.inputs.begin(), op.inputs.end(), array));
    return count + static_cast<int>(std::count(flow.outputs.begin(), flow.outputs.end(), array));
}

// Axes that only the weights have are the map's own: it makes them.
FlowOp learned(const FlowOp& contraction, std::size_t data) {
    const Apply& from = contraction.apply;
    Apply made = from;
    made.op = {OperatorKind::Custom, kLearned};
    made.weave.clear();
    std::vector<Slot> places;
    for (std::size_t w = 0; w < from.weave.size(); ++w) {
        const std::vector<Slot>& slots = from.inputs[data].slots;
        const bool passes =
            std::find(slots.begin(), slots.end(), Slot{false, static_cast<int>(w)}) != slots.end();
        std::vector<AxisId>& axes = passes ? made.weave : made.own;
        places.push_back({!passes, static_cast<int>(axes.size())});
        axes.push_back(from.weave[w]);
    }
    made.inputs = {from.inputs[data]};
    for (std::vector<Segment>* segments : {&made.inputs, &made.outputs})
        for (Segment& segment : *segments)
            for (Slot& slot : segment.slots)
                if (!slot.own) slot = places[static_cast<std::size_t>(slot.index)];
    return {std::move(made), {contraction.inputs[data]}, contraction.outputs, nullptr};
}

}  // namespace

std::vector<std::string> weights_of(const Flow& flow) {
    std::vector<std::string> names;
    for (const int input : flow.inputs) {
        const std::string& name = flow.arrays.at(static_cast<std::size_t>(input)).name;
        if (!name.empty() && name.front() == 'W') names.push_back(name);
    }
    return names;
}

Flow with_learned_maps(const Flow& flow, const std::vector<std::string>& weights) {
    Flow made = flow;
    for (FlowOp& op : made.ops) {
        if (op.apply.op.kind != OperatorKind::Contraction) continue;
        for (const std::size_t weight : {std::size_t{0}, std::size_t{1}}) {
            const int array = op.inputs[weight];
            const auto input = std::find(made.inputs.begin(), made.inputs.end(), array);
            if (input == made.inputs.end() || uses(made, array) != 1 ||
                !contains(weights, made.arrays.at(static_cast<std::size_t>(array)).name))
                continue;
            made.inputs.erase(input);
            op = learned(op, 1 - weight);
            break;
        }
    }
    return made;
}

}  // namespace blockscope::circuit
