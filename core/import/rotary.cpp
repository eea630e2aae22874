// Rotary embeddings as exporters write them out: x * cos + rotated(x) * sin. The halves of rows are slices or
// a split, joined again the other way round; of pairs of neighbours every second number is a slice.
#include <algorithm>

#include "core/import/recognise.h"

namespace blockscope::model {

namespace {

// What is taken of the last axis of a tensor, all of its other axes.
struct PartOfRows {
    int of = -1;
    TakenRange range;
};

class RotaryForm {
public:
    RotaryForm(const TensorGraph& graph, const GraphIndex& index) : graph_(graph), index_(index) {}

    // x * cos + rotated(x) * sin in any order.
    bool look(GraphNode& node) const {
        if (node.op != "Add" || node.inputs.size() != 2) return false;
        for (std::size_t i = 0; i < 2; ++i) {
            const GraphNode* plain = made_by(node.inputs[i], "Mul", 2);
            const GraphNode* turned = made_by(node.inputs[1 - i], "Mul", 2);
            if (plain == nullptr || turned == nullptr) continue;
            for (std::size_t k = 0; k < 2; ++k)
                for (const char* op : {kRope, kRopeInterleaved}) {
                    const int x = op == kRope ? halves_of(turned->inputs[k]) : pairs_of(turned->inputs[k]);
                    const std::size_t other = x == plain->inputs[0] ? 1 : 0;
                    if (x < 0 || plain->inputs[1 - other] != x) continue;
                    const int cosines = plain->inputs[other];
                    const int sines = turned->inputs[1 - k];
                    if (!fits(cosines, x) || !fits(sines, x)) continue;
                    node.op = op;
                    node.inputs = {x, cosines, sines};
                    node.attributes.clear();
                    return true;
                }
        }
        return false;
    }

private:
    std::optional<Sizes> sizes(int tensor) const {
        if (tensor < 0) return std::nullopt;
        return sizes_of(graph_.tensors[static_cast<std::size_t>(tensor)]);
    }
    const GraphNode* made_by(int tensor, const char* op, std::size_t inputs) const {
        const GraphNode* node = index_.producer(tensor);
        return node != nullptr && node->op == op && node->inputs.size() >= inputs ? node : nullptr;
    }

    // Whether the tensor's rows are as long as those of x, whose shape the product has, too.
    bool fits(int tensor, int x) const {
        const auto own = sizes(tensor);
        const auto all = sizes(x);
        if (!own || !all || own->empty() || all->size() < 2 || own->back() != all->back()) return false;
        return all->back() % 2 == 0 && broadcast_sizes(*own, *all) == all;
    }

    std::optional<PartOfRows> part(int tensor) const {
        const GraphNode* node = index_.producer(tensor);
        if (node == nullptr || node->inputs.empty()) return std::nullopt;
        const auto whole = sizes(node->inputs[0]);
        if (!whole || whole->empty()) return std::nullopt;
        const std::size_t last = whole->size() - 1;
        if (node->op == "Slice") {
            const auto ranges = slice_ranges(graph_, *node, *whole);
            for (std::size_t i = 0; ranges && i < last; ++i)
                if ((*ranges)[i].count != (*whole)[i] || (*ranges)[i].step != 1) return std::nullopt;
            return ranges ? std::optional(PartOfRows{node->inputs[0], ranges->back()}) : std::nullopt;
        }
        if (node->op != "Split" || axis_of(whole_attribute(*node, "axis", 0), whole->size()) != last)
            return std::nullopt;
        const auto starts = split_starts(graph_, *node, whole->back());
        const auto found = std::find(node->outputs.begin(), node->outputs.end(), tensor);
        const auto at = static_cast<std::size_t>(found - node->outputs.begin());
        if (!starts || at + 1 >= starts->size()) return std::nullopt;
        return PartOfRows{node->inputs[0],
                          {.start = (*starts)[at], .step = 1, .count = (*starts)[at + 1] - (*starts)[at]}};
    }

    // x, of which both are halves of the rows: the second one (negated) and the first one, or numbers of odd
    // and of even places. -1 if they are not.
    int parts_of_one(int negated, int kept, bool halves) const {
        const GraphNode* neg = made_by(negated, "Neg", 1);
        const auto second = neg != nullptr ? part(neg->inputs[0]) : std::nullopt;
        const auto first = part(kept);
        if (!first || !second || first->of != second->of) return -1;
        const auto whole = sizes(first->of);
        if (!whole || whole->back() % 2 != 0) return -1;
        const std::int64_t half = whole->back() / 2;
        const auto is = [&](const TakenRange& range, std::int64_t start) {
            return range.start == start && range.count == half && range.step == (halves ? 1 : 2);
        };
        return is(first->range, 0) && is(second->range, halves ? half : 1) ? first->of : -1;
    }

    // The two operands of a join along the last axis.
    std::optional<std::pair<int, int>> joined(int tensor) const {
        const GraphNode* concat = made_by(tensor, "Concat", 2);
        const auto own = sizes(tensor);
        if (concat == nullptr || concat->inputs.size() != 2 || !own || own->empty()) return std::nullopt;
        if (axis_of(whole_attribute(*concat, "axis", 0), own->size()) != own->size() - 1) return std::nullopt;
        return std::pair(concat->inputs[0], concat->inputs[1]);
    }

    int halves_of(int tensor) const {
        const auto both = joined(tensor);
        return both ? parts_of_one(both->first, both->second, true) : -1;
    }

    // [.., D/2, 1] of [.., D/2]; -1.
    int with_a_last_axis_of_one(int tensor) const {
        const GraphNode* node = made_by(tensor, "Unsqueeze", 1);
        const auto own = sizes(tensor);
        const auto from = node != nullptr ? sizes(node->inputs[0]) : std::nullopt;
        if (!own || !from) return -1;
        Sizes wanted = *from;
        wanted.push_back(1);
        return *own == wanted ? node->inputs[0] : -1;
    }

    int pairs_of(int tensor) const {
        const GraphNode* flat = index_.producer(tensor);
        if (flat == nullptr || flat->inputs.empty() || (flat->op != "Reshape" && flat->op != "Flatten"))
            return -1;
        const auto both = joined(flat->inputs[0]);
        if (!both) return -1;
        const int x =
            parts_of_one(with_a_last_axis_of_one(both->first), with_a_last_axis_of_one(both->second), false);
        return x >= 0 && sizes(x) == sizes(tensor) ? x : -1;
    }

    const TensorGraph& graph_;
    const GraphIndex& index_;
};

}  // namespace

bool becomes_rope(const TensorGraph& graph, const GraphIndex& index, GraphNode& node) {
    return RotaryForm(graph, index).look(node);
}

}  // namespace blockscope::model
