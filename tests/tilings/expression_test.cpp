// Tiling expressions: how many, counted a second time by all parent functions; and their texts in three
// stages.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;
using tilings::Chain;
using tilings::Expression;
using tilings::Stage;

// Every function that gives each loop a parent (or none), written down plainly: a forest if nothing is its
// own ancestor, an expression if the loops of each product are ancestors of one another.
struct ParentForest {
    std::vector<int> parent;
    bool above(int a, int b) const {  // a is an ancestor of b
        for (int at = parent[static_cast<std::size_t>(b)]; at >= 0; at = parent[static_cast<std::size_t>(at)])
            if (at == a) return true;
        return false;
    }
};

// Whether some product with a loop under `a` (or `a` itself) needs one with a loop under `b`, at any
// distance.
bool subtree_waits(const Chain& chain, const ParentForest& forest, int a, int b) {
    const auto under = [&](int top, const tilings::Product& product) {
        for (const int loop : {product.row, product.col, product.depth})
            if (loop == top || forest.above(top, loop)) return true;
        return false;
    };
    std::vector<int> reached;
    for (std::size_t i = 0; i < chain.products.size(); ++i)
        if (under(a, chain.products[i])) reached.push_back(static_cast<int>(i));
    for (std::size_t at = 0; at < reached.size(); ++at)
        for (const int need : chain.products[static_cast<std::size_t>(reached[at])].needs) {
            if (under(b, chain.products[static_cast<std::size_t>(need)])) return true;
            reached.push_back(need);
        }
    return false;
}

// No two siblings wait for each other.
bool can_be_ordered(const Chain& chain, const ParentForest& forest) {
    for (int a = 0; a < chain.loop_count(); ++a)
        for (int b = 0; b < a; ++b)
            if (forest.parent[static_cast<std::size_t>(a)] == forest.parent[static_cast<std::size_t>(b)] &&
                subtree_waits(chain, forest, a, b) && subtree_waits(chain, forest, b, a))
                return false;
    return true;
}

bool is_forest(const ParentForest& forest) {
    for (std::size_t i = 0; i < forest.parent.size(); ++i) {
        int at = static_cast<int>(i);
        for (std::size_t steps = 0; at >= 0; ++steps, at = forest.parent[static_cast<std::size_t>(at)])
            if (steps > forest.parent.size()) return false;
    }
    return true;
}

std::vector<ParentForest> parent_forests(const Chain& chain) {
    const int count = chain.loop_count();
    std::vector<ParentForest> found;
    ParentForest forest{std::vector<int>(static_cast<std::size_t>(count), -1)};
    const std::function<void(int)> choose = [&](int loop) {
        if (loop == count) {
            if (!is_forest(forest)) return;
            for (const tilings::Product& product : chain.products)
                for (const int a : {product.row, product.col, product.depth})
                    for (const int b : {product.row, product.col, product.depth})
                        if (a != b && !forest.above(a, b) && !forest.above(b, a)) return;
            if (can_be_ordered(chain, forest)) found.push_back(forest);
            return;
        }
        for (int parent = -1; parent < count; ++parent) {
            if (parent == loop) continue;
            forest.parent[static_cast<std::size_t>(loop)] = parent;
            choose(loop + 1);
        }
    };
    choose(0);
    return found;
}

// What rule 1 compares: the order of the bound loops (or nothing) and who is whose ancestor among the rest.
using Key = std::pair<std::vector<int>, std::set<std::pair<int, int>>>;

std::vector<int> bound_loops(const Chain& chain, const ParentForest& forest) {
    std::vector<int> bound;
    for (const int loop : {chain.output.row, chain.output.col}) {
        bool nested = true;
        for (int other = 0; other < chain.loop_count(); ++other)
            nested &= other == loop || forest.above(loop, other) || forest.above(other, loop);
        if (nested) bound.push_back(loop);
    }
    if (bound.size() == 2 && forest.above(bound[1], bound[0])) std::swap(bound[0], bound[1]);
    return bound;
}

Key key_of(const Chain& chain, const ParentForest& forest, bool grid_order) {
    const std::vector<int> bound = bound_loops(chain, forest);
    Key key{grid_order ? bound : std::vector<int>(), {}};
    for (int a = 0; a < chain.loop_count(); ++a)
        for (int b = 0; b < chain.loop_count(); ++b)
            if (std::count(bound.begin(), bound.end(), a) + std::count(bound.begin(), bound.end(), b) == 0 &&
                forest.above(a, b))
                key.second.insert({a, b});
    // A loop that is bound in one and not in the other makes a difference even without ancestors.
    for (const int loop : bound)
        if (!grid_order) key.second.insert({loop, loop});
    return key;
}

bool keeps_partial(const Chain& chain, const Key& key) {
    for (const tilings::Product& reader : chain.products)
        for (const int need : reader.needs) {
            const tilings::Product& made = chain.products[static_cast<std::size_t>(need)];
            if (key.second.count({made.depth, made.row}) + key.second.count({made.depth, made.col}) > 0)
                return true;
        }
    return false;
}

struct Counts {
    std::size_t all = 0;
    std::size_t deep = 0;
    std::size_t rule_1 = 0;
    std::size_t rule_2 = 0;
    bool operator==(const Counts&) const = default;
};
void PrintTo(const Counts& counts, std::ostream* to) {
    *to << counts.all << " (" << counts.deep << " deep) -> " << counts.rule_1 << " -> " << counts.rule_2;
}

Counts counted_plainly(const Chain& chain, bool grid_order) {
    Counts counts;
    std::set<Key> keys;
    for (const ParentForest& forest : parent_forests(chain)) {
        ++counts.all;
        bool deep = true;
        for (int a = 0; a < chain.loop_count(); ++a)
            for (int b = 0; b < a; ++b) deep &= forest.above(a, b) || forest.above(b, a);
        counts.deep += deep ? 1 : 0;
        keys.insert(key_of(chain, forest, grid_order));
    }
    counts.rule_1 = keys.size();
    for (const Key& key : keys) counts.rule_2 += keeps_partial(chain, key) ? 0 : 1;
    return counts;
}

Counts counted(const Chain& chain, tilings::SameBlock same) {
    const tilings::Space space = tilings::make_space(chain, a100(), {.same = same}).value();
    Counts counts;
    for (const tilings::JudgedExpression& judged : space.expressions) {
        ++counts.all;
        counts.deep += judged.expression.flat ? 0 : 1;
        counts.rule_1 += judged.same_as < 0 ? 1 : 0;
        counts.rule_2 += judged.kept() ? 1 : 0;
    }
    return counts;
}

TEST(TilingExpressions, AreAsManyAsThePaperSays) {
    const Chain two = chain_of(two_products(64, 64, 64, 64));
    EXPECT_EQ(counted(two, tilings::SameBlock::GridOrder), (Counts{26, 24, 5, 3}));
    EXPECT_EQ(counted(two, tilings::SameBlock::SubTiling), (Counts{26, 24, 3, 2}));
    const Chain one =
        chain_of("dim M = 32\ndim N = 32\ndim K = 32\ninput A[M,K], B[K,N]\noutput C = A @ B\n");
    EXPECT_EQ(tilings::expressions_of(one).size(), 6u);
    const Chain four = chain_of(
        "dim M = 32\ndim N = 32\ndim K = 32\ndim H = 32\ndim P = 32\ndim Q = 32\n"
        "input A[M,K], B[K,N], D[N,H], F[H,P], R[P,Q]\nC = A @ B\nE = C @ D\nG = E @ F\noutput S = G @ R\n");
    EXPECT_EQ(tilings::expressions_of(four).size(), 1002u)
        << "1,014 less 12 whose siblings wait for each other";
    EXPECT_EQ(counted(four, tilings::SameBlock::GridOrder), counted_plainly(four, true));
    const std::vector<Expression> three = tilings::expressions_of(chain_of(kThreeProducts));
    EXPECT_EQ(three.size(), 146u);
    EXPECT_EQ(std::count_if(three.begin(), three.end(), [](const Expression& each) { return each.flat; }),
              26);
}

TEST(TilingExpressions, AreCountedTheSameInAnotherWay) {
    for (const std::string& text : {two_products(64, 64, 64, 64), std::string(kThreeProducts),
                                    std::string(kGated), std::string(kLora), std::string(kCausal)}) {
        const Chain chain = chain_of(text);
        EXPECT_EQ(counted(chain, tilings::SameBlock::GridOrder), counted_plainly(chain, true)) << text;
        EXPECT_EQ(counted(chain, tilings::SameBlock::SubTiling), counted_plainly(chain, false)) << text;
    }
}

TEST(TilingExpressions, NoneStandsTwice) {
    const Chain chain = chain_of(kThreeProducts);
    std::set<std::string> texts;
    for (const Expression& expression : tilings::expressions_of(chain))
        EXPECT_TRUE(texts.insert(to_string(expression.roots, chain)).second);
}

struct Texts {
    std::string defaults;
    std::string hoisted;
    std::string reduced;  // with one loop of extent one
};

Texts texts_of(const Chain& chain, const std::string& expression, const std::string& one) {
    for (const Expression& each : tilings::expressions_of(chain)) {
        if (to_string(each.roots, chain) != expression) continue;
        std::vector<int> ones;
        for (int loop = 0; loop < chain.loop_count(); ++loop)
            if (chain.loops[static_cast<std::size_t>(loop)].name == one) ones.push_back(loop);
        return {to_string(place(chain, each.roots, Stage::Default), chain),
                to_string(place(chain, each.roots, Stage::Hoisted), chain),
                to_string(place(chain, each.roots, Stage::Reduced, ones), chain)};
    }
    return {};
}

TEST(TilingExpressions, HaveThePapersTexts) {
    const Chain chain = chain_of(two_products(64, 64, 64, 64));
    const Texts mhnk = texts_of(chain, "mhnk", "k");
    EXPECT_EQ(mhnk.defaults, "mhn(k(L_A,L_B,C_C),L_D,C_E,S_E)");
    EXPECT_EQ(mhnk.hoisted, "mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)");
    EXPECT_EQ(mhnk.reduced, "m(L_A,h(n(L_B,C_C,L_D,C_E),S_E))");
    const Texts flat = texts_of(chain, "mn(k,h)", "h");
    EXPECT_EQ(flat.defaults, "mn(k(L_A,L_B,C_C),h(L_D,C_E,S_E))");
    EXPECT_EQ(flat.reduced, "m(n(k(L_A,L_B,C_C),L_D,C_E),S_E)");
    // A tile of D that only h and n index is loaded once for all rows.
    EXPECT_EQ(texts_of(chain, "hnmk", "k").hoisted, "hn(L_D,m(k(L_A,L_B,C_C),C_E,S_E))");
}

TEST(TilingExpressions, LoadATileOnceForTwoProducts) {
    EXPECT_EQ(texts_of(chain_of(kGated), "mhnk", "k").hoisted,
              "mh(n(k(L_A,L_B,C_T1,L_B2,C_C),L_b,L_D,C_E),S_E)");
}

TEST(TilingExpressions, AreShownAsTrees) {
    const Chain chain = chain_of(two_products(64, 64, 64, 64));
    const Expression flat = tilings::expressions_of(chain).back();
    EXPECT_EQ(tree_text(place(chain, flat.roots, Stage::Hoisted), chain),
              "for n\n  for m\n    for k\n      L_A\n      L_B\n      C_C\n    for h\n      L_D\n      C_E\n "
              "     S_E\n");
}

}  // namespace
}  // namespace blockscope::test
