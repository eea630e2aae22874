#include "core/circuit/theorem.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/circuit/arrange.h"

namespace blockscope::circuit {

namespace {

bool has(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// Without some of the axes that it is weaved over.
Apply without(const Apply& apply, const std::vector<AxisId>& missing) {
    Apply made = apply;
    made.weave.clear();
    std::vector<int> place;  // of each weaved axis among those that stay, -1 if it goes
    for (const AxisId axis : apply.weave) {
        const bool stays = !has(missing, axis);
        place.push_back(stays ? static_cast<int>(made.weave.size()) : -1);
        if (stays) made.weave.push_back(axis);
    }
    for (std::vector<Segment>* segments : {&made.inputs, &made.outputs})
        for (Segment& segment : *segments) {
            std::vector<Slot> slots;
            for (const Slot& slot : segment.slots) {
                if (slot.own) slots.push_back(slot);
                if (!slot.own && place.at(static_cast<std::size_t>(slot.index)) >= 0)
                    slots.push_back({false, place[static_cast<std::size_t>(slot.index)]});
            }
            segment.slots = std::move(slots);
        }
    return made;
}

class PartOf {
public:
    PartOf(const Flow& flow, const std::vector<int>& ops, const std::vector<AxisId>& missing)
        : flow_(flow), ops_(ops.begin(), ops.end()), missing_(missing) {
        part_.axes = flow.axes;
    }

    Flow run() {
        std::set<int> made;
        for (const int i : ops_) {
            const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
            made.insert(op.outputs.begin(), op.outputs.end());
        }
        for (const int i : ops_) add(flow_.ops[static_cast<std::size_t>(i)], made);
        for (const int array : made)
            if (needed(array)) {
                part_.outputs.push_back(numbers_.at(array));
                part_.output_names.push_back(flow_.arrays.at(static_cast<std::size_t>(array)).name);
            }
        return std::move(part_);
    }

private:
    int number(int array) {
        const auto [place, fresh] = numbers_.try_emplace(array, static_cast<int>(part_.arrays.size()));
        if (!fresh) return place->second;
        FlowArray copy = flow_.arrays.at(static_cast<std::size_t>(array));
        std::erase_if(copy.type.axes, [&](AxisId axis) { return has(missing_, axis); });
        part_.arrays.push_back(std::move(copy));
        return place->second;
    }

    void add(const FlowOp& op, const std::set<int>& made) {
        FlowOp copy{without(op.apply, missing_), {}, {}, op.expr};
        for (const int input : op.inputs) {
            const bool fresh = numbers_.count(input) == 0;
            copy.inputs.push_back(number(input));
            if (fresh && made.count(input) == 0) part_.inputs.push_back(copy.inputs.back());
        }
        for (const int output : op.outputs) copy.outputs.push_back(number(output));
        part_.ops.push_back(std::move(copy));
    }

    bool needed(int array) const {
        if (std::find(flow_.outputs.begin(), flow_.outputs.end(), array) != flow_.outputs.end()) return true;
        for (std::size_t i = 0; i < flow_.ops.size(); ++i) {
            const std::vector<int>& inputs = flow_.ops[i].inputs;
            if (ops_.count(static_cast<int>(i)) == 0 &&
                std::find(inputs.begin(), inputs.end(), array) != inputs.end())
                return true;
        }
        return false;
    }

    const Flow& flow_;
    std::set<int> ops_;
    const std::vector<AxisId>& missing_;
    Flow part_;
    std::map<int, int> numbers_;  // array of the flow -> of the part
};

}  // namespace

Flow part_of(const Flow& flow, const std::vector<int>& ops, const std::vector<AxisId>& missing) {
    return PartOf(flow, ops, missing).run();
}

std::vector<TheoremStep> theorem_steps(const Flow& flow, const AxisVerdict& verdict) {
    std::vector<TheoremStep> steps;
    if (!verdict.stream) return steps;
    std::set<int> ops(verdict.accumulators.begin(), verdict.accumulators.end());
    std::set<AxisId> weaves;
    for (const int i : verdict.accumulators)
        for (const AxisId axis : flow.ops.at(static_cast<std::size_t>(i)).apply.weave)
            if (axis != verdict.axis) weaves.insert(axis);
    std::vector<AxisId> missing(weaves.begin(), weaves.end());
    for (const Reason& reason : verdict.stream_reasons) {
        if (reason.op >= 0) ops.insert(reason.op);
        if (reason.theorem == "Theorem 1, weaving") missing.clear();
        const std::vector<int> covered(ops.begin(), ops.end());
        steps.push_back({reason, covered, circuit_of(part_of(flow, covered, missing))});
    }
    return steps;
}

}  // namespace blockscope::circuit
