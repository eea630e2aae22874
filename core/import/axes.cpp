#include "core/import/axes.h"

#include <algorithm>

namespace blockscope::model {
namespace {

using TensorDims = std::vector<AtomList>;

class RoleChoice {
public:
    RoleChoice(const TensorGraph& graph, const TrackedDimensions& dims,
               const std::map<std::size_t, Text>& opaque)
        : graph_(graph), dims_(dims), opaque_(opaque), roles_(dims.atoms().count(), AtomRole::Open) {}

    std::vector<AtomRole> run() {
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n)
            if (opaque_.count(n) == 0) {
                demand(n);
            } else {
                stand_alone(n);
            }
        for (const int input : graph_.inputs) add_array(dims_.of_tensor(input));
        settle();
        choose(sums_);
        choose(rows_);
        for (const AtomList& array : arrays_) rest(array);
        return std::move(roles_);
    }

private:
    AtomRole& role(int atom) { return roles_[static_cast<std::size_t>(atom)]; }
    void want(int atom, AtomRole wanted) {
        if (role(atom) == AtomRole::Open) role(atom) = wanted;
    }
    void want_axis(const AtomList& list) {
        if (list.size() == 1) want(list[0], AtomRole::Axis);
        if (list.size() > 1) sums_.push_back(list);
    }

    void demand(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        const NodeForm form = meaning_of(node.op).form;
        if (form == NodeForm::Product) product_demands(n);
        if (form == NodeForm::Rows) {
            const TensorDims dims = dims_.of_input(n, 0);
            if (const auto axis = axis_of(whole_attribute(node, "axis", -1), dims.size()))
                want_axis(dims[*axis]);
        }
        add_array(dims_.of_tensor(node.outputs[0]));
    }

    void add_array(const TensorDims& dims) {
        AtomList all;
        for (const AtomList& list : dims) all.insert(all.end(), list.begin(), list.end());
        arrays_.push_back(std::move(all));
    }

    // What a custom operator reads and makes only has to be arrays.
    void stand_alone(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i] >= 0) add_array(dims_.of_input(n, i));
        for (const int output : node.outputs)
            if (output >= 0) add_array(dims_.of_tensor(output));
    }

    void product_demands(std::size_t n) {
        TensorDims a = dims_.of_input(n, 0);
        TensorDims b = dims_.of_input(n, 1);
        if (a.size() == 1) a.insert(a.begin(), AtomList());
        if (b.size() == 1) b.emplace_back();
        want_axis(a.back());
        AtomList left;
        AtomList right;
        const std::size_t rank = std::max(a.size(), b.size());
        for (std::size_t i = 0; i + 2 < rank; ++i) {
            const AtomList none;
            const AtomList& x = i + a.size() >= rank ? a[i + a.size() - rank] : none;
            const AtomList& y = i + b.size() >= rank ? b[i + b.size() - rank] : none;
            if (!x.empty() && !y.empty()) {
                for (const int atom : x) want(atom, AtomRole::Batch);
            } else {
                left.insert(left.end(), x.begin(), x.end());
                right.insert(right.end(), y.begin(), y.end());
            }
        }
        left.insert(left.end(), a[a.size() - 2].begin(), a[a.size() - 2].end());
        right.insert(right.end(), b.back().begin(), b.back().end());
        rows_.push_back(std::move(left));
        rows_.push_back(std::move(right));
    }

    // Of each list one atom is an axis and the others are not.
    void settle() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (const std::vector<AtomList>* lists : {&sums_, &rows_})
                for (const AtomList& list : *lists) changed = settle(list) || changed;
        }
    }
    bool settle(const AtomList& list) {
        std::vector<int> open;
        bool has_axis = false;
        for (const int atom : list) {
            has_axis = has_axis || role(atom) == AtomRole::Axis;
            if (role(atom) == AtomRole::Open) open.push_back(atom);
        }
        if (open.empty() || (!has_axis && open.size() > 1)) return false;
        for (const int atom : open) role(atom) = has_axis ? AtomRole::Batch : AtomRole::Axis;
        return true;
    }

    void choose(const std::vector<AtomList>& lists) {
        for (const AtomList& list : lists)
            for (auto atom = list.rbegin(); atom != list.rend(); ++atom) {
                if (role(*atom) != AtomRole::Open) continue;
                role(*atom) = AtomRole::Axis;
                settle();
            }
    }

    void rest(const AtomList& array) {
        auto axes =
            std::count_if(array.begin(), array.end(), [&](int atom) { return role(atom) == AtomRole::Axis; });
        for (auto atom = array.rbegin(); atom != array.rend(); ++atom)
            if (role(*atom) == AtomRole::Open) role(*atom) = axes++ < 2 ? AtomRole::Axis : AtomRole::Batch;
    }

    const TensorGraph& graph_;
    const TrackedDimensions& dims_;
    const std::map<std::size_t, Text>& opaque_;
    std::vector<AtomRole> roles_;
    std::vector<AtomList> sums_;  // exactly one atom of each is an axis
    std::vector<AtomList> rows_;
    std::vector<AtomList> arrays_;
};

}  // namespace

std::vector<AtomRole> roles_of_atoms(const TensorGraph& graph, const TrackedDimensions& dims,
                                     const std::map<std::size_t, Text>& opaque) {
    return RoleChoice(graph, dims, opaque).run();
}

}  // namespace blockscope::model
