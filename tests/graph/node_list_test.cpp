// Lists of nodes that share their parts behave as plain lists do.
#include "core/graph/node_list.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/random.h"

namespace blockscope::test {
namespace {

NodePtr node(std::uint32_t id, std::uint32_t reads = 0) {
    Node made{{id}, Output{}, {}, {}};
    if (id % 5 == 0) made.kind = Input{};
    if (reads != 0) made.inputs.push_back({{reads}});
    return std::make_shared<const Node>(std::move(made));
}

std::vector<NodePtr> some_nodes(Random& random, std::uint32_t& next, int count) {
    std::vector<NodePtr> nodes;
    for (int i = 0; i < count; ++i) {
        nodes.push_back(node(next, next > 3 ? next - static_cast<std::uint32_t>(random.between(1, 3)) : 0));
        ++next;
    }
    return nodes;
}

int height_limit(std::size_t size) {
    int height = 2;
    for (std::size_t covered = 1; covered < size; covered *= 2) height += 2;
    return height;
}

void expect_same(const NodeList& list, const std::vector<NodePtr>& plain) {
    ASSERT_EQ(list.size(), plain.size());
    EXPECT_EQ(list.vector(), plain);
    EXPECT_TRUE(std::equal(list.rbegin(), list.rend(), plain.rbegin(), plain.rend()));
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(list[i], plain[i]);
        EXPECT_EQ(list.position(plain[i]->id), i);
        if (plain[i]->is<Input>()) inputs.push_back(i);
    }
    EXPECT_EQ(list.positions_of<Input>(), inputs);
    EXPECT_EQ(list.first_of<Input>(), inputs.empty() ? std::nullopt : std::optional(inputs.front()));
    EXPECT_TRUE(list.positions_of<Misc>().empty());
    EXPECT_EQ(list.position({1000000}), std::nullopt);
    const int height = list.root() ? list.root()->height : 0;
    EXPECT_LE(height, height_limit(list.size())) << "the tree stays balanced";
}

TEST(NodeList, RandomChangesAreThoseOfAPlainList) {
    Random random(7);
    for (int round = 0; round < 20; ++round) {
        std::uint32_t next = 1;
        std::vector<NodePtr> plain = some_nodes(random, next, random.below(100));
        NodeList list(plain);
        for (int change = 0; change < 60; ++change) {
            const auto size = static_cast<int>(plain.size());
            const int first = random.between(0, size);
            const int last =
                random.chance(70) ? std::min(size, first + random.below(3)) : random.between(first, size);
            if (random.chance(10)) {
                list = list.slice(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
                plain = {plain.begin() + first, plain.begin() + last};
            } else if (random.chance(20)) {
                const NodeList other(some_nodes(random, next, random.below(60)));
                const std::vector<NodePtr> nodes = other.vector();
                const bool behind = random.chance(50);
                list = behind ? list + other : other + list;
                plain.insert(behind ? plain.end() : plain.begin(), nodes.begin(), nodes.end());
            } else {
                const std::vector<NodePtr> nodes = some_nodes(random, next, random.below(4));
                list = list.replaced(static_cast<std::size_t>(first), static_cast<std::size_t>(last), nodes);
                plain.erase(plain.begin() + first, plain.begin() + last);
                plain.insert(plain.begin() + first, nodes.begin(), nodes.end());
            }
            expect_same(list, plain);
        }
    }
}

TEST(NodeList, FindsWhatReadsANodeInARange) {
    Random random(8);
    std::uint32_t next = 1;
    const std::vector<NodePtr> plain = some_nodes(random, next, 200);
    const NodeList list(plain);
    for (int i = 0; i < 2000; ++i) {
        const int first = random.below(200);
        const int last = random.between(first, 200);
        const NodeId id{static_cast<std::uint32_t>(random.between(1, 210))};
        const bool reads = std::any_of(plain.begin() + first, plain.begin() + last, [&](const NodePtr& n) {
            return !n->inputs.empty() && n->inputs[0].node == id;
        });
        EXPECT_EQ(list.reads(static_cast<std::size_t>(first), static_cast<std::size_t>(last), id), reads);
    }
}

TEST(NodeList, FindsPlacesByAnOrder) {
    Random random(9);
    std::uint32_t next = 1;
    const NodeList list(some_nodes(random, next, 100));
    for (std::uint32_t id = 1; id <= 101; ++id)
        EXPECT_EQ(list.partition_point([&](const Node& n) { return n.id.value < id; }), id - 1);
}

std::size_t new_pieces(const NodeList::Piece* piece, const NodeList& old, std::size_t position) {
    if (!piece || old.piece_at(position, *piece) == piece) return 0;
    if (piece->height == 0) return 1;
    return 1 + new_pieces(piece->left.get(), old, position) +
           new_pieces(piece->right.get(), old, position + piece->left->size);
}

TEST(NodeList, AChangeOfOneNodeMakesAsManyPiecesAsTheTreeIsHigh) {
    Random random(10);
    std::uint32_t next = 1;
    const NodeList list(some_nodes(random, next, 20000));
    for (const std::size_t place : {0u, 7777u, 19999u}) {
        const NodeList other = list.replaced(place, place + 1, {node(next++)});
        EXPECT_LE(new_pieces(other.root(), list, 0), 13u);
    }
}

}  // namespace
}  // namespace blockscope::test
