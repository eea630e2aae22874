// Two lists compared by the pieces and nodes that they share.
#include <algorithm>
#include <optional>
#include <vector>

#include "core/graph/level_change.h"

namespace blockscope {

namespace {

class Comparison {
public:
    // An id stands in one origin only. Those with an index are asked first, as they know at once.
    explicit Comparison(ListDifference& result) : result_(result) {
        for (std::size_t i = 0; i < result.origins.size(); ++i) order_.push_back(i);
        std::stable_partition(order_.begin(), order_.end(),
                              [&](std::size_t i) { return result.origins[i].index != nullptr; });
    }

    void piece(const NodeList::Piece& piece, std::size_t after) {
        if (is_kept(piece, after)) return;
        if (piece.height == 0) return leaf(piece, after);
        this->piece(*piece.left, after);
        this->piece(*piece.right, after + piece.left->size);
    }

private:
    bool is_kept(const NodeList::Piece& piece, std::size_t after) {
        for (const std::size_t i : order_) {
            const ListDifference::Origin& origin = result_.origins[i];
            const auto place = origin.place(piece.first->id);
            if (!place) continue;
            const bool same = origin.nodes->piece_at(*place, piece) == &piece;
            if (same) keep({i, *place, after, piece.size});
            return same;
        }
        return false;
    }

    void leaf(const NodeList::Piece& piece, std::size_t after) {
        for (std::size_t i = 0; i < piece.nodes.size(); ++i) node(piece.nodes[i], after + i);
    }

    void node(const NodePtr& node, std::size_t after) {
        for (const std::size_t i : order_) {
            const ListDifference::Origin& origin = result_.origins[i];
            const auto place = origin.place(node->id);
            if (!place) continue;
            const NodePtr& old = (*origin.nodes)[*place];
            if (old == node) return keep({i, *place, after, 1});
            result_.come.push_back({after, old.get(), i, *place});
            return;
        }
        result_.come.push_back({after});
    }

    void keep(const ListDifference::Kept& next) {
        if (!result_.kept.empty()) {
            ListDifference::Kept& last = result_.kept.back();
            if (last.origin == next.origin && last.before + last.size == next.before &&
                last.after + last.size == next.after) {
                last.size += next.size;
                return;
            }
        }
        result_.kept.push_back(next);
    }

    ListDifference& result_;
    std::vector<std::size_t> order_;  // of the origins
};

// Takes out of `difference.kept` what is not in the order of its origin.
void put_in_order(ListDifference& difference) {
    std::vector<ListDifference::Kept> moved;
    for (std::size_t origin = 0; origin < difference.origins.size(); ++origin) {
        std::vector<ListDifference::Kept> stays;
        for (const ListDifference::Kept& next : difference.kept) {
            if (next.origin != origin) continue;
            bool stay = true;
            while (stay && !stays.empty() && next.before < stays.back().before + stays.back().size) {
                stay = stays.back().size <= next.size;
                moved.push_back(stay ? stays.back() : next);
                if (stay) stays.pop_back();
            }
            if (stay) stays.push_back(next);
        }
    }
    if (moved.empty()) return;
    const auto is_moved = [&](const ListDifference::Kept& part) {
        return std::any_of(moved.begin(), moved.end(),
                           [&](const ListDifference::Kept& other) { return other.after == part.after; });
    };
    difference.kept.erase(std::remove_if(difference.kept.begin(), difference.kept.end(), is_moved),
                          difference.kept.end());
    for (const ListDifference::Kept& part : moved)
        for (std::size_t i = 0; i < part.size; ++i)
            difference.come.push_back({part.after + i,
                                       (*difference.origins[part.origin].nodes)[part.before + i].get(),
                                       part.origin, part.before + i});
    std::sort(difference.come.begin(), difference.come.end(),
              [](const ListDifference::Come& a, const ListDifference::Come& b) { return a.place < b.place; });
}

}  // namespace

std::optional<std::size_t> ListDifference::Origin::place(NodeId id) const {
    if (!index) return nodes->position(id);
    const int position = index->position(id);
    if (position < 0) return std::nullopt;
    return index->place(position);
}

ListDifference difference(std::vector<ListDifference::Origin> origins, const NodeList& after) {
    ListDifference result;
    result.origins = std::move(origins);
    if (after.root()) Comparison(result).piece(*after.root(), 0);
    put_in_order(result);
    return result;
}

bool ListDifference::uses(std::size_t origin) const {
    return std::any_of(kept.begin(), kept.end(), [&](const Kept& part) { return part.origin == origin; }) ||
           std::any_of(come.begin(), come.end(),
                       [&](const Come& node) { return node.old && node.origin == origin; });
}

std::vector<std::size_t> ListDifference::gone(std::size_t origin) const {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (const Kept& part : kept)
        if (part.origin == origin) ranges.emplace_back(part.before, part.before + part.size);
    std::sort(ranges.begin(), ranges.end());
    const std::size_t size = origins[origin].nodes->size();
    ranges.emplace_back(size, size);
    std::vector<std::size_t> places;
    std::size_t next = 0;
    for (const auto& [first, last] : ranges) {
        for (; next < first; ++next) places.push_back(next);
        next = std::max(next, last);
    }
    return places;
}

}  // namespace blockscope
