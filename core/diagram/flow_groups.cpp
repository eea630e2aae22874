// Parts of a program that have a name.
#include <algorithm>
#include <optional>
#include <set>

#include "core/diagram/flow.h"
#include "core/support/index.h"

namespace blockscope::circuit {

namespace {

class Finder {
public:
    explicit Finder(const Flow& flow) : flow_(flow), producer_(flow.arrays.size(), -1) {
        for (std::size_t i = 0; i < flow.ops.size(); ++i)
            for (const int array : flow.ops[i].outputs) producer_[at(array)] = static_cast<int>(i);
    }

    std::vector<FlowGroup> run() {
        for (int i = 0; i < static_cast<int>(flow_.ops.size()); ++i) {
            if (kind(i) == OperatorKind::Softmax) attention(i);
            if (kind(i) == OperatorKind::Elementwise) {
                gated(i);
                plain_layer(i);
                residual(i);
            }
        }
        // Outer ones first; what overlaps without being nested is left out.
        std::stable_sort(groups_.begin(), groups_.end(), [](const FlowGroup& a, const FlowGroup& b) {
            return a.last - a.first > b.last - b.first;
        });
        std::vector<FlowGroup> kept;
        for (const FlowGroup& group : groups_)
            if (std::all_of(kept.begin(), kept.end(), [&](const FlowGroup& k) {
                    const bool apart = group.last < k.first || k.last < group.first;
                    return (apart || (k.first <= group.first && group.last <= k.last)) &&
                           !(k.first == group.first && k.last == group.last);
                }))
                kept.push_back(group);
        return kept;
    }

private:
    const FlowOp& op(int i) const { return flow_.ops.at(at(i)); }
    OperatorKind kind(int i) const { return op(i).apply.op.kind; }
    static bool pointwise(OperatorKind kind) {
        return kind == OperatorKind::Elementwise || kind == OperatorKind::Cast;
    }

    // The contraction that an array comes from through elementwise operators; the path is added to `path`.
    std::optional<int> contraction_before(int array, std::set<int>& path) const {
        const int p = producer_[at(array)];
        if (p < 0) return std::nullopt;
        if (kind(p) == OperatorKind::Contraction) {
            path.insert(p);
            return p;
        }
        if (!pointwise(kind(p))) return std::nullopt;
        std::optional<int> found;
        std::set<int> further;
        for (const int input : op(p).inputs)
            if (const std::optional<int> one = contraction_before(input, further))
                found = found ? std::min(*found, *one) : *one;
            else if (producer_[at(input)] >= 0 && kind(producer_[at(input)]) == OperatorKind::Mask)
                further.insert(producer_[at(input)]);
        if (!found) return std::nullopt;
        path.insert(further.begin(), further.end());
        path.insert(p);
        return found;
    }

    // The contraction that takes an array through elementwise operators with one input.
    std::optional<int> contraction_after(int array, std::set<int>& path) const {
        int only = -1;
        for (int i = 0; i < static_cast<int>(flow_.ops.size()); ++i) {
            if (std::count(op(i).inputs.begin(), op(i).inputs.end(), array) == 0) continue;
            if (only >= 0) return std::nullopt;
            only = i;
        }
        if (only < 0) return std::nullopt;
        path.insert(only);
        if (kind(only) == OperatorKind::Contraction) return only;
        if (!pointwise(kind(only)) || op(only).inputs.size() != 1) return std::nullopt;
        return contraction_after(op(only).outputs[0], path);
    }

    void add(const std::string& title, const std::set<int>& path) {
        const int first = *path.begin();
        const int last = *path.rbegin();
        if (last - first + 1 == static_cast<int>(path.size()) && path.size() > 1)
            groups_.push_back({title, first, last});
    }

    void attention(int softmax) {
        std::set<int> path = {softmax};
        if (!contraction_before(op(softmax).inputs[0], path)) return;
        if (!contraction_after(op(softmax).outputs[0], path)) return;
        add("Attention", path);
    }

    // f(a @ b) * (a @ c), and the contraction that follows.
    void gated(int e) {
        if (op(e).inputs.size() != 2) return;
        std::set<int> path = {e};
        const std::optional<int> left = contraction_before(op(e).inputs[0], path);
        const std::optional<int> right = contraction_before(op(e).inputs[1], path);
        if (!left || !right || *left == *right) return;
        const auto& a = op(*left).inputs;
        const auto& b = op(*right).inputs;
        if (std::none_of(a.begin(), a.end(),
                         [&](int x) { return std::find(b.begin(), b.end(), x) != b.end(); }))
            return;
        std::string title;
        for (const int i : path) {
            if (op(i).apply.op.label.find("silu") != std::string::npos) title = "SwiGLU";
            if (op(i).apply.op.label.find("gelu") != std::string::npos) title = "GeGLU";
        }
        if (title.empty()) return;
        add(title, path);
    }

    void plain_layer(int e) {
        std::set<int> path = {e};
        if (op(e).inputs.size() > 2) return;
        const std::optional<int> before = contraction_before(op(e).inputs[0], path);
        if (!before || !contraction_after(op(e).outputs[0], path)) return;
        add("MLP", path);
    }

    // x + f(x): from the first operator that takes x to the sum.
    void residual(int e) {
        if (op(e).apply.op.label != "+") return;
        for (const int x : op(e).inputs) {
            const int made = producer_[at(x)];
            bool softmax = false;
            bool contraction = false;
            int first = -1;
            for (int i = made + 1; i < e; ++i) {
                const auto& inputs = op(i).inputs;
                if (first < 0 && std::find(inputs.begin(), inputs.end(), x) != inputs.end()) first = i;
                softmax = softmax || (first >= 0 && kind(i) == OperatorKind::Softmax);
                contraction = contraction || (first >= 0 && kind(i) == OperatorKind::Contraction);
            }
            if (first < 0 || !contraction || kind(first) == OperatorKind::Contraction) continue;
            groups_.push_back({softmax ? "Attention layer" : "Feed-forward layer", first, e});
        }
    }

    const Flow& flow_;
    std::vector<int> producer_;  // by array
    std::vector<FlowGroup> groups_;
};

}  // namespace

std::vector<FlowGroup> named_groups(const Flow& flow) {
    return Finder(flow).run();
}

namespace {

bool contains_name(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

int uses(const Flow& flow, int array) {
    int count = 0;
    for (const FlowOp& op : flow.ops)
        count += static_cast<int>(std::count(op.inputs.begin(), op.inputs.end(), array));
    return count + static_cast<int>(std::count(flow.outputs.begin(), flow.outputs.end(), array));
}

// Axes that only the weights have are the map's own: it makes them.
FlowOp learned_map(const FlowOp& contraction, std::size_t data) {
    const Apply& from = contraction.apply;
    Apply made = from;
    made.op = {OperatorKind::Custom, kLearned};
    made.weave.clear();
    std::vector<Slot> places;
    for (std::size_t w = 0; w < from.weave.size(); ++w) {
        const std::vector<Slot>& slots = from.inputs[data].slots;
        const bool data_has_axis =
            std::find(slots.begin(), slots.end(), Slot{false, static_cast<int>(w)}) != slots.end();
        std::vector<AxisId>& axes = data_has_axis ? made.weave : made.own;
        places.push_back({!data_has_axis, static_cast<int>(axes.size())});
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
                !contains_name(weights, made.arrays.at(static_cast<std::size_t>(array)).name))
                continue;
            made.inputs.erase(input);
            op = learned_map(op, 1 - weight);
            break;
        }
    }
    return made;
}

namespace {

// Sets of wires; a wire is an axis of an array.
class JoinedWires {
public:
    explicit JoinedWires(const Flow& flow) {
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
    JoinedWires wires_;
    std::map<int, AxisId> axis_;  // by set of wires
    std::vector<int> taken_;      // how many sets have this dimension
};

}  // namespace

Flow separated(const Flow& flow) {
    return Separation(flow).run();
}

}  // namespace blockscope::circuit
