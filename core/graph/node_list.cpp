#include "core/graph/node_list.h"

#include <algorithm>
#include <stdexcept>

namespace blockscope {

namespace {

using ListPiece = NodeList::Piece;
using PiecePtr = NodeList::PiecePtr;

constexpr std::size_t kLeafSize = 16;

PiecePtr leaf(std::vector<NodePtr> nodes) {
    auto piece = std::make_shared<ListPiece>();
    for (const NodePtr& node : nodes) {
        piece->lowest_id = std::min(piece->lowest_id, node->id.value);
        piece->highest_id = std::max(piece->highest_id, node->id.value);
        for (const ValueRef& ref : node->inputs) {
            piece->lowest_read = std::min(piece->lowest_read, ref.node.value);
            piece->highest_read = std::max(piece->highest_read, ref.node.value);
        }
        piece->kinds = static_cast<std::uint8_t>(piece->kinds | 1u << node->kind.index());
    }
    piece->first = nodes.front().get();
    piece->size = static_cast<std::uint32_t>(nodes.size());
    piece->nodes = std::move(nodes);
    return piece;
}

PiecePtr pair(PiecePtr left, PiecePtr right) {
    auto piece = std::make_shared<ListPiece>();
    piece->first = left->first;
    piece->size = left->size + right->size;
    piece->lowest_id = std::min(left->lowest_id, right->lowest_id);
    piece->highest_id = std::max(left->highest_id, right->highest_id);
    piece->lowest_read = std::min(left->lowest_read, right->lowest_read);
    piece->highest_read = std::max(left->highest_read, right->highest_read);
    piece->height = static_cast<std::uint8_t>(std::max(left->height, right->height) + 1);
    piece->kinds = left->kinds | right->kinds;
    piece->left = std::move(left);
    piece->right = std::move(right);
    return piece;
}

// A pair of two trees whose heights differ by at most two, turned so that they differ by at most one.
PiecePtr balanced(const PiecePtr& left, const PiecePtr& right) {
    if (left->height > right->height + 1) {
        if (left->left->height >= left->right->height) return pair(left->left, pair(left->right, right));
        return pair(pair(left->left, left->right->left), pair(left->right->right, right));
    }
    if (right->height > left->height + 1) {
        if (right->right->height >= right->left->height) return pair(pair(left, right->left), right->right);
        return pair(pair(left, right->left->left), pair(right->left->right, right->right));
    }
    return pair(left, right);
}

PiecePtr join(const PiecePtr& left, const PiecePtr& right) {
    if (!left) return right;
    if (!right) return left;
    if (left->height == 0 && right->height == 0) {
        if (left->size + right->size > kLeafSize) return pair(left, right);
        std::vector<NodePtr> nodes = left->nodes;
        nodes.insert(nodes.end(), right->nodes.begin(), right->nodes.end());
        return leaf(std::move(nodes));
    }
    // Leaves always go down to a leaf, so that single nodes put to a list one by one fill it.
    if (left->height > right->height + 1 || right->height == 0)
        return balanced(left->left, join(left->right, right));
    if (right->height > left->height + 1 || left->height == 0)
        return balanced(join(left, right->left), right->right);
    return pair(left, right);
}

PiecePtr tree(const std::vector<NodePtr>& nodes, std::size_t first, std::size_t last) {
    if (first == last) return nullptr;
    const auto at = [&](std::size_t i) { return nodes.begin() + static_cast<std::ptrdiff_t>(i); };
    if (last - first <= kLeafSize) return leaf({at(first), at(last)});
    const std::size_t middle = first + (last - first) / 2;
    return pair(tree(nodes, first, middle), tree(nodes, middle, last));
}

PiecePtr part(const PiecePtr& piece, std::size_t first, std::size_t last) {
    if (first >= last) return nullptr;
    if (first == 0 && last == piece->size) return piece;
    if (piece->height == 0) {
        const auto begin = piece->nodes.begin();
        return leaf({begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)});
    }
    const std::size_t middle = piece->left->size;
    return join(
        first < middle ? part(piece->left, first, std::min(last, middle)) : nullptr,
        last > middle ? part(piece->right, first > middle ? first - middle : 0, last - middle) : nullptr);
}

// The tree with `nodes` in place of some nodes of one leaf, in the same shape; null if more than one leaf is
// concerned or the leaf would become empty or too large.
PiecePtr in_leaf(const PiecePtr& piece, std::size_t first, std::size_t last,
                 const std::vector<NodePtr>& nodes) {
    if (piece->height > 0) {
        const std::size_t middle = piece->left->size;
        if (last <= middle && (first < middle || middle == 0)) {
            PiecePtr left = in_leaf(piece->left, first, last, nodes);
            return left ? pair(std::move(left), piece->right) : nullptr;
        }
        if (first < middle) return nullptr;
        PiecePtr right = in_leaf(piece->right, first - middle, last - middle, nodes);
        return right ? pair(piece->left, std::move(right)) : nullptr;
    }
    const std::size_t size = piece->nodes.size() - (last - first) + nodes.size();
    if (size == 0 || size > kLeafSize) return nullptr;
    std::vector<NodePtr> result;
    result.reserve(size);
    const auto begin = piece->nodes.begin();
    result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(first));
    result.insert(result.end(), nodes.begin(), nodes.end());
    result.insert(result.end(), begin + static_cast<std::ptrdiff_t>(last), piece->nodes.end());
    return leaf(std::move(result));
}

// Calls see(position) for all nodes with this id until it returns false.
template <class See>
bool each_with_id(const ListPiece& piece, std::uint32_t id, std::size_t start, const See& see) {
    if (id < piece.lowest_id || id > piece.highest_id) return true;
    if (piece.height > 0)
        return each_with_id(*piece.left, id, start, see) &&
               each_with_id(*piece.right, id, start + piece.left->size, see);
    for (std::size_t i = 0; i < piece.nodes.size(); ++i)
        if (piece.nodes[i]->id.value == id && !see(start + i)) return false;
    return true;
}

bool any_reads(const ListPiece& piece, std::size_t first, std::size_t last, NodeId producer) {
    if (first >= last || producer.value < piece.lowest_read || producer.value > piece.highest_read)
        return false;
    if (piece.height > 0) {
        const std::size_t middle = piece.left->size;
        return (first < middle && any_reads(*piece.left, first, std::min(last, middle), producer)) ||
               (last > middle &&
                any_reads(*piece.right, first > middle ? first - middle : 0, last - middle, producer));
    }
    for (std::size_t i = first; i < last; ++i)
        for (const ValueRef& ref : piece.nodes[i]->inputs)
            if (ref.node == producer) return true;
    return false;
}

// Calls see(node, position) for all nodes of this kind.
template <class See>
void each_of_kind(const ListPiece& piece, std::size_t kind, std::size_t start, const See& see) {
    if (!(piece.kinds >> kind & 1u)) return;
    if (piece.height > 0) {
        each_of_kind(*piece.left, kind, start, see);
        each_of_kind(*piece.right, kind, start + piece.left->size, see);
        return;
    }
    for (std::size_t i = 0; i < piece.nodes.size(); ++i)
        if (piece.nodes[i]->kind.index() == kind) see(piece.nodes[i], start + i);
}

}  // namespace

NodeList::NodeList(const std::vector<NodePtr>& nodes) : root_(tree(nodes, 0, nodes.size())) {}

std::size_t NodeList::size() const {
    return root_ ? root_->size : 0;
}

const NodePtr& NodeList::operator[](std::size_t position) const {
    const Piece* piece = root_.get();
    while (piece->height > 0) {
        const std::size_t middle = piece->left->size;
        const bool right = position >= middle;
        if (right) position -= middle;
        piece = right ? piece->right.get() : piece->left.get();
    }
    return piece->nodes[position];
}

const NodePtr& NodeList::at(std::size_t position) const {
    if (position >= size()) throw std::out_of_range("NodeList::at");
    return (*this)[position];
}

NodeList::Iterator NodeList::begin() const {
    return {root_.get(), 0};
}

NodeList::Iterator NodeList::end() const {
    return {root_.get(), size()};
}

std::reverse_iterator<NodeList::Iterator> NodeList::rbegin() const {
    return std::make_reverse_iterator(end());
}

std::reverse_iterator<NodeList::Iterator> NodeList::rend() const {
    return std::make_reverse_iterator(begin());
}

std::vector<NodePtr> NodeList::vector() const {
    return {begin(), end()};
}

void NodeList::Iterator::settle() {
    leaf_ = nullptr;
    begin_ = end_ = 0;
    if (!root_ || position_ >= root_->size) return;
    leaf_ = root_;
    std::size_t within = position_;
    while (leaf_->height > 0) {
        const std::size_t middle = leaf_->left->size;
        const bool right = within >= middle;
        if (right) within -= middle;
        leaf_ = right ? leaf_->right.get() : leaf_->left.get();
    }
    begin_ = position_ - within;
    end_ = begin_ + leaf_->nodes.size();
}

NodeList NodeList::slice(std::size_t first, std::size_t last) const {
    return NodeList(root_ ? part(root_, first, last) : nullptr);
}

NodeList NodeList::replaced(std::size_t first, std::size_t last, const std::vector<NodePtr>& nodes) const {
    if (root_)
        if (PiecePtr same_shape = in_leaf(root_, first, last, nodes)) return NodeList(std::move(same_shape));
    return slice(0, first) + NodeList(nodes) + slice(last, size());
}

NodeList operator+(const NodeList& a, const NodeList& b) {
    return NodeList(join(a.root_, b.root_));
}

std::optional<std::size_t> NodeList::position(NodeId id) const {
    std::optional<std::size_t> found;
    const auto first = [&](std::size_t position) {
        found = position;
        return false;
    };
    if (root_) each_with_id(*root_, id.value, 0, first);
    return found;
}

bool NodeList::twice(NodeId id) const {
    int count = 0;
    if (root_) each_with_id(*root_, id.value, 0, [&](std::size_t) { return ++count < 2; });
    return count > 1;
}

bool NodeList::reads(std::size_t first, std::size_t last, NodeId producer) const {
    return root_ && any_reads(*root_, first, std::min(last, size()), producer);
}

std::vector<const NodePtr*> NodeList::all_of(std::size_t kind) const {
    std::vector<const NodePtr*> found;
    const auto take = [&](const NodePtr& node, std::size_t) { found.push_back(&node); };
    if (root_) each_of_kind(*root_, kind, 0, take);
    return found;
}

std::vector<std::size_t> NodeList::positions_of(std::size_t kind) const {
    std::vector<std::size_t> found;
    const auto take = [&](const NodePtr&, std::size_t position) { found.push_back(position); };
    if (root_) each_of_kind(*root_, kind, 0, take);
    return found;
}

std::optional<std::size_t> NodeList::first_of(std::size_t kind) const {
    const Piece* piece = root_.get();
    if (!piece || !(piece->kinds >> kind & 1u)) return std::nullopt;
    std::size_t position = 0;
    while (piece->height > 0) {
        const bool right = !(piece->left->kinds >> kind & 1u);
        if (right) position += piece->left->size;
        piece = right ? piece->right.get() : piece->left.get();
    }
    for (const NodePtr& node : piece->nodes) {
        if (node->kind.index() == kind) break;
        ++position;
    }
    return position;
}

const NodeList::Piece* NodeList::piece_at(std::size_t position, const Piece& like) const {
    const Piece* piece = root_.get();
    while (piece && (piece->height != like.height || piece->size != like.size || position != 0)) {
        if (piece->height <= like.height) return nullptr;
        const std::size_t middle = piece->left->size;
        const bool right = position >= middle;
        if (right) position -= middle;
        piece = right ? piece->right.get() : piece->left.get();
    }
    return piece;
}

}  // namespace blockscope
