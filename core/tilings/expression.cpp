// Which expressions there are. Remove a root: what is left falls into parts that share no product; every
// grouping of these parts into subtrees is a forest, each group again any tree over its loops, unless two of
// the subtrees wait for each other. (Of four chained products, mnp(kq,h) is none: h computes with what k
// makes, and q with what h makes.)
#include "core/tilings/expression.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace blockscope::tilings {

namespace {

using Loops = std::set<int>;

bool together(const Chain& chain, int a, int b) {
    return std::any_of(chain.products.begin(), chain.products.end(),
                       [&](const Product& product) { return product.has(a) && product.has(b); });
}

// The parts of `loops` between which no product connects.
std::vector<Loops> parts_of(const Chain& chain, Loops loops) {
    std::vector<Loops> parts;
    while (!loops.empty()) {
        Loops part{*loops.begin()};
        loops.erase(loops.begin());
        bool grown = true;
        while (grown) {
            grown = false;
            for (auto left = loops.begin(); left != loops.end();) {
                const bool joins = std::any_of(part.begin(), part.end(),
                                               [&](int loop) { return together(chain, loop, *left); });
                if (joins) part.insert(*left);
                grown |= joins;
                left = joins ? loops.erase(left) : std::next(left);
            }
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

// All ways to put the parts into groups.
std::vector<std::vector<Loops>> groupings(const std::vector<Loops>& parts) {
    std::vector<std::vector<Loops>> all{{}};
    for (const Loops& part : parts) {
        std::vector<std::vector<Loops>> next;
        for (const std::vector<Loops>& groups : all) {
            next.push_back(groups);
            next.back().push_back(part);
            for (std::size_t i = 0; i < groups.size(); ++i) {
                next.push_back(groups);
                next.back()[i].insert(part.begin(), part.end());
            }
        }
        all = std::move(next);
    }
    return all;
}

bool waits(const Chain& chain, int product, int on) {
    const std::vector<int>& needs = chain.products[static_cast<std::size_t>(product)].needs;
    return std::any_of(needs.begin(), needs.end(),
                       [&](int need) { return need == on || waits(chain, need, on); });
}

// A subtree of a forest: its loops, and the products that compute in it, the first one first.
struct Subtree {
    Loops loops;
    std::vector<int> products = {};
};

bool waits(const Chain& chain, const Subtree& subtree, const Subtree& on) {
    for (const int product : subtree.products)
        for (const int before : on.products)
            if (waits(chain, product, before)) return true;
    return false;
}

// Siblings in the order of their data: none waits for a later one. Nothing if there is no such order.
std::optional<std::vector<Loops>> in_order(const Chain& chain, const std::vector<Loops>& groups) {
    std::vector<Subtree> left;
    for (const Loops& loops : groups) {
        left.push_back({loops});
        for (std::size_t i = 0; i < chain.products.size(); ++i) {
            const Product& product = chain.products[i];
            if (loops.count(product.row) + loops.count(product.col) + loops.count(product.depth) > 0)
                left.back().products.push_back(static_cast<int>(i));
        }
    }
    std::sort(left.begin(), left.end(),
              [](const Subtree& a, const Subtree& b) { return a.products < b.products; });
    std::vector<Loops> ordered;
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), [&](const Subtree& one) {
            return std::none_of(left.begin(), left.end(), [&](const Subtree& other) {
                return &other != &one && waits(chain, one, other);
            });
        });
        if (next == left.end()) return std::nullopt;
        ordered.push_back(std::move(next->loops));
        left.erase(next);
    }
    return ordered;
}

class Enumerator {
public:
    explicit Enumerator(const Chain& chain) : chain_(chain) {}

    const std::vector<LoopForest>& forests(const Loops& loops) {
        const auto known = known_.find(loops);
        if (known != known_.end()) return known->second;
        std::vector<LoopForest> all;
        if (loops.empty()) all.emplace_back();
        if (!loops.empty())
            for (const std::vector<Loops>& groups : groupings(parts_of(chain_, loops)))
                if (const auto siblings = in_order(chain_, groups)) add(*siblings, 0, {}, all);
        return known_.emplace(loops, std::move(all)).first->second;
    }

private:
    void add(const std::vector<Loops>& groups, std::size_t at, const LoopForest& so_far,
             std::vector<LoopForest>& all) {
        if (at == groups.size()) {
            all.push_back(so_far);
            return;
        }
        for (const int root : groups[at]) {
            Loops rest = groups[at];
            rest.erase(root);
            for (const LoopForest& inner : forests(rest)) {
                LoopForest longer = so_far;
                longer.push_back({root, inner});
                add(groups, at + 1, longer, all);
            }
        }
    }

    const Chain& chain_;
    std::map<Loops, std::vector<LoopForest>> known_;
};

bool is_flat(const LoopForest& forest) {
    if (forest.size() > 1) return true;
    return std::any_of(forest.begin(), forest.end(),
                       [](const LoopNode& node) { return is_flat(node.inner); });
}

void collect(const LoopForest& forest, Loops& loops) {
    for (const LoopNode& node : forest) {
        loops.insert(node.loop);
        collect(node.inner, loops);
    }
}

// Whether two loops are nested, in whichever order.
bool nested(const LoopForest& forest, int a, int b) {
    const auto has = [](const std::vector<int>& path, int loop) {
        return std::find(path.begin(), path.end(), loop) != path.end();
    };
    return has(path_to(forest, a), b) || has(path_to(forest, b), a);
}

}  // namespace

std::vector<Expression> expressions_of(const Chain& chain) {
    Loops loops;
    for (int loop = 0; loop < chain.loop_count(); ++loop) loops.insert(loop);
    Enumerator enumerator(chain);
    std::vector<Expression> all;
    for (const LoopForest& forest : enumerator.forests(loops)) all.push_back({forest, is_flat(forest)});
    std::stable_sort(all.begin(), all.end(),
                     [](const Expression& a, const Expression& b) { return !a.flat && b.flat; });
    return all;
}

std::string to_string(const LoopForest& forest, const Chain& chain) {
    const bool letters = std::all_of(chain.loops.begin(), chain.loops.end(),
                                     [](const Loop& loop) { return loop.name.size() == 1; });
    std::string text;
    for (const LoopNode& node : forest) {
        text += (text.empty() ? "" : ",") + chain.loops[static_cast<std::size_t>(node.loop)].name;
        if (node.inner.empty()) continue;
        const std::string inner = to_string(node.inner, chain);
        if (node.inner.size() > 1)
            text += "(" + inner + ")";
        else
            text += (letters ? "" : " ") + inner;
    }
    return text;
}

std::vector<int> path_to(const LoopForest& forest, int loop) {
    for (const LoopNode& node : forest) {
        if (node.loop == loop) return {loop};
        std::vector<int> inner = path_to(node.inner, loop);
        if (inner.empty()) continue;
        inner.insert(inner.begin(), node.loop);
        return inner;
    }
    return {};
}

LoopForest without(const LoopForest& forest, const std::vector<int>& loops) {
    LoopForest left;
    for (const LoopNode& node : forest) {
        LoopForest inner = without(node.inner, loops);
        if (std::find(loops.begin(), loops.end(), node.loop) == loops.end())
            left.push_back({node.loop, std::move(inner)});
        else
            left.insert(left.end(), inner.begin(), inner.end());
    }
    return left;
}

std::vector<int> grid_loops(const Expression& expression, const Chain& chain) {
    Loops loops;
    collect(expression.roots, loops);
    std::vector<int> grid;
    for (const int loop : loops) {
        const bool bound = chain.spatial(loop) && std::all_of(loops.begin(), loops.end(), [&](int other) {
                               return other == loop || nested(expression.roots, loop, other);
                           });
        if (bound) grid.push_back(loop);
    }
    std::sort(grid.begin(), grid.end(), [&](int a, int b) {
        return path_to(expression.roots, a).size() < path_to(expression.roots, b).size();
    });
    return grid;
}

}  // namespace blockscope::tilings
