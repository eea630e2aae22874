// The nodes of one graph level in their order: a list whose versions share what they have in common.
//
// The list is a balanced binary tree of immutable pieces; a leaf holds up to 16 nodes. Replacing, inserting
// or removing a few nodes of a list of n, cutting a part out and putting two lists together make about
// log2(n) new pieces and share all others with the old lists. A trace of 20,000 states of a level of 20,000
// nodes therefore takes memory for 20,000 changes, not for 20,000 levels. A piece knows the ids and kinds of
// the nodes below it, so that searches skip what cannot have what they look for.
#pragma once

#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "core/graph/node.h"

namespace blockscope {

class NodeList {
public:
    struct Piece;
    using PiecePtr = std::shared_ptr<const Piece>;
    class Iterator;
    using value_type = NodePtr;
    using const_iterator = Iterator;

    NodeList() = default;
    NodeList(
        const std::vector<NodePtr>& nodes);  // NOLINT(google-explicit-constructor): a list of the same nodes

    std::size_t size() const;
    bool empty() const { return !root_; }
    // Logarithmic; to see all nodes, iterate.
    const NodePtr& operator[](std::size_t position) const;
    const NodePtr& at(std::size_t position) const;  // throws std::out_of_range
    const NodePtr& front() const { return at(0); }
    const NodePtr& back() const { return at(size() - 1); }
    Iterator begin() const;
    Iterator end() const;
    std::reverse_iterator<Iterator> rbegin() const;
    std::reverse_iterator<Iterator> rend() const;
    std::vector<NodePtr> vector() const;

    // The nodes at positions first to last, the last left out.
    NodeList slice(std::size_t first, std::size_t last) const;
    // The list with `nodes` instead of those at positions first to last, the last left out.
    NodeList replaced(std::size_t first, std::size_t last, const std::vector<NodePtr>& nodes) const;
    friend NodeList operator+(const NodeList& a, const NodeList& b);

    // Where the first node with this id stands. Logarithmic if ids grow along the list, as a conversion makes
    // them; linear at worst.
    std::optional<std::size_t> position(NodeId id) const;
    // Whether more than one node has this id.
    bool twice(NodeId id) const;
    // Whether a node at positions first to last, the last left out, reads a value of `producer`.
    bool reads(std::size_t first, std::size_t last, NodeId producer) const;
    // All nodes of kind K, and their positions, in order, skipping pieces without any.
    template <class K>
    std::vector<const NodePtr*> all_of() const {
        return all_of(kind_index<K>(static_cast<const Kind*>(nullptr)));
    }
    template <class K>
    std::vector<std::size_t> positions_of() const {
        return positions_of(kind_index<K>(static_cast<const Kind*>(nullptr)));
    }
    template <class K>
    std::optional<std::size_t> first_of() const {
        return first_of(kind_index<K>(static_cast<const Kind*>(nullptr)));
    }
    // The first position whose node is not `before`; `before` holds for the nodes up to some place only.
    template <class Before>
    std::size_t partition_point(const Before& before) const;

    const Piece* root() const { return root_.get(); }
    // The piece that begins at `position` and has as many nodes and levels as `like`; null if there is none.
    const Piece* piece_at(std::size_t position, const Piece& like) const;

private:
    explicit NodeList(PiecePtr root) : root_(std::move(root)) {}
    template <class K, class... Ks>
    static constexpr std::size_t kind_index(const std::variant<Ks...>*) {
        static_assert(sizeof...(Ks) <= 8, "Piece::kinds has a bit for each");
        std::size_t index = 0;
        static_cast<void>(((std::is_same_v<K, Ks> || (++index, false)) || ...));
        return index;
    }
    std::vector<const NodePtr*> all_of(std::size_t kind) const;
    std::vector<std::size_t> positions_of(std::size_t kind) const;
    std::optional<std::size_t> first_of(std::size_t kind) const;

    PiecePtr root_;  // null if empty
};

// Operators in nodes or inside them: see map_contents of core/rules/conditions.h.
using FirstOperators = std::vector<const Node*>;

struct NodeList::Piece {
    PiecePtr left, right;        // null in a leaf
    std::vector<NodePtr> nodes;  // of a leaf, at least one
    const Node* first = nullptr;
    std::uint32_t size = 0;
    std::uint32_t lowest_id = UINT32_MAX, highest_id = 0;      // of the nodes
    std::uint32_t lowest_read = UINT32_MAX, highest_read = 0;  // of the nodes that they read
    std::uint8_t height = 0;                                   // 0 in a leaf
    std::uint8_t kinds = 0;                                    // a bit for each alternative of Kind

    // Found out when somebody asks for it first; whoever comes second throws their own away.
    mutable std::atomic<const FirstOperators*> first_operators{nullptr};

    Piece() = default;
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
    ~Piece() { delete first_operators.load(); }
};

// Goes from leaf to leaf: a step within a leaf is a step of a pointer, one to the next leaf is logarithmic.
class NodeList::Iterator {
public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = NodePtr;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodePtr*;
    using reference = const NodePtr&;

    Iterator() = default;
    Iterator(const Piece* root, std::size_t position) : root_(root), position_(position) { settle(); }

    const NodePtr& operator*() const { return leaf_->nodes[position_ - begin_]; }
    const NodePtr* operator->() const { return &**this; }
    Iterator& operator++() {
        ++position_;
        if (position_ == end_) settle();
        return *this;
    }
    Iterator operator++(int) {
        Iterator old = *this;
        ++*this;
        return old;
    }
    Iterator& operator--() {
        --position_;
        if (!leaf_ || position_ < begin_) settle();
        return *this;
    }
    Iterator operator--(int) {
        Iterator old = *this;
        --*this;
        return old;
    }
    bool operator==(const Iterator& other) const { return position_ == other.position_; }

private:
    void settle();

    const Piece* root_ = nullptr;
    const Piece* leaf_ = nullptr;  // null at the end
    std::size_t position_ = 0;
    std::size_t begin_ = 0, end_ = 0;  // of the leaf
};

template <class Before>
std::size_t NodeList::partition_point(const Before& before) const {
    const Piece* piece = root_.get();
    std::size_t position = 0;
    while (piece && piece->height > 0) {
        const bool right = before(*piece->right->first);
        if (right) position += piece->left->size;
        piece = right ? piece->right.get() : piece->left.get();
    }
    if (!piece) return 0;
    for (const NodePtr& node : piece->nodes) {
        if (!before(*node)) break;
        ++position;
    }
    return position;
}

}  // namespace blockscope
