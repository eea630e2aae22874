// Parts of a program that have a name.
#include <algorithm>
#include <optional>
#include <set>

#include "core/circuit/flow.h"

namespace blockscope::circuit {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

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

}  // namespace blockscope::circuit
