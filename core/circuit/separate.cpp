#include <algorithm>

#include "core/circuit/flow.h"

namespace blockscope::circuit {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

// Sets of wires; a wire is an axis of an array.
class Wires {
public:
    explicit Wires(const Flow& flow) {
        for (const FlowArray& array : flow.arrays) {
            first_.push_back(static_cast<int>(parent_.size()));
            for (std::size_t i = 0; i < array.type.axes.size(); ++i)
                parent_.push_back(static_cast<int>(parent_.size()));
        }
        for (const FlowOp& op : flow.ops) join(op);
    }

    int of(int array, std::size_t axis) { return root(first_[at(array)] + static_cast<int>(axis)); }

private:
    int root(int wire) {
        while (parent_[at(wire)] != wire) wire = parent_[at(wire)] = parent_[at(parent_[at(wire)])];
        return wire;
    }

    void join(const FlowOp& op) {
        std::vector<int> own(op.apply.own.size(), -1);
        std::vector<int> weave(op.apply.weave.size(), -1);
        const auto meet = [&](const Segment& segment, int array) {
            for (std::size_t i = 0; i < segment.slots.size(); ++i) {
                const Slot& slot = segment.slots[i];
                int& seen = (slot.own ? own : weave)[at(slot.index)];
                const int wire = of(array, i);
                if (seen >= 0) parent_[at(root(seen))] = wire;
                seen = wire;
            }
        };
        for (std::size_t i = 0; i < op.inputs.size(); ++i) meet(op.apply.inputs[i], op.inputs[i]);
        for (std::size_t i = 0; i < op.outputs.size(); ++i) meet(op.apply.outputs[i], op.outputs[i]);
    }

    std::vector<int> first_;
    std::vector<int> parent_;
};

class Separation {
public:
    explicit Separation(const Flow& flow) : flow_(flow), wires_(flow) { taken_.resize(flow.axes.size()); }

    Flow run() {
        for (std::size_t i = 0; i < flow_.arrays.size(); ++i) {
            std::vector<AxisId>& axes = flow_.arrays[i].type.axes;
            for (std::size_t a = 0; a < axes.size(); ++a)
                axes[a] = axis_for(wires_.of(static_cast<int>(i), a), axes[a]);
        }
        for (FlowOp& op : flow_.ops) {
            for (std::size_t i = 0; i < op.inputs.size(); ++i)
                rename(op.apply, op.apply.inputs[i], op.inputs[i]);
            for (std::size_t i = 0; i < op.outputs.size(); ++i)
                rename(op.apply, op.apply.outputs[i], op.outputs[i]);
        }
        return std::move(flow_);
    }

private:
    AxisId axis_for(int wires, AxisId old) {
        const auto found = axis_.find(wires);
        if (found != axis_.end()) return found->second;
        AxisId id = old;
        if (taken_[at(old.value)]++ > 0) {
            id = {static_cast<int>(flow_.axes.size())};
            Axis copy = flow_.axes[at(old.value)];
            copy.symbol = copy.symbol.empty() ? copy.name : copy.symbol;
            while (named(copy.name)) copy.name += '\'';
            flow_.axes.push_back(std::move(copy));
        }
        axis_[wires] = id;
        return id;
    }

    bool named(const std::string& name) const {
        return std::any_of(flow_.axes.begin(), flow_.axes.end(),
                           [&](const Axis& axis) { return axis.name == name; });
    }

    void rename(Apply& apply, const Segment& segment, int array) {
        for (std::size_t i = 0; i < segment.slots.size(); ++i) {
            const Slot& slot = segment.slots[i];
            (slot.own ? apply.own : apply.weave)[at(slot.index)] = flow_.arrays[at(array)].type.axes[i];
        }
    }

    Flow flow_;
    Wires wires_;
    std::map<int, AxisId> axis_;  // by set of wires
    std::vector<int> taken_;      // how many sets have this dimension
};

}  // namespace

Flow separated(const Flow& flow) {
    return Separation(flow).run();
}

}  // namespace blockscope::circuit
