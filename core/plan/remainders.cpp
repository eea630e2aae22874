#include "core/plan/remainders.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>

namespace blockscope::plan {

std::size_t HashOfNodes::operator()(const std::vector<int>& nodes) const {
    std::uint64_t all = nodes.size();
    for (const int node : nodes)
        all = (all ^ static_cast<std::uint64_t>(node)) * 0x9E3779B97F4A7C15U ^ (all >> 29U);
    return all;
}

Remainders::Remainders(const Dag& dag)
    : dag_(dag), reach_(static_cast<std::size_t>(dag.nodes())), few_(reach_.size()) {
    const std::size_t words = (static_cast<std::size_t>(dag.nodes()) + 63) / 64;
    const std::vector<int> order = topological_order(dag);
    for (std::size_t i = order.size(); i-- > 0;) {
        Bits& reached = reach_[slot(order[i])];
        reached.resize(words);
        reached[slot(order[i]) / 64] |= std::uint64_t{1} << (slot(order[i]) % 64);
        for (const int next : dag.after[slot(order[i])])
            for (std::size_t w = 0; w < words; ++w) reached[w] |= reach_[slot(next)][w];
    }
    for (const int node : order) few_[slot(node)] = few_before(node);
}

// None for a node that many lead to: has() then follows the sources to it instead.
std::optional<std::vector<int>> Remainders::few_before(int node) const {
    constexpr std::size_t kFew = 32;
    std::set<int> all;
    for (const int source : dag_.before[slot(node)]) {
        const std::optional<std::vector<int>>& above = few_[slot(source)];
        if (!above) return std::nullopt;
        all.insert(source);
        all.insert(above->begin(), above->end());
        if (all.size() > kFew) return std::nullopt;
    }
    return std::vector<int>(all.begin(), all.end());
}

bool Remainders::leads(int from, int to) const {
    return (reach_[slot(from)][slot(to) / 64] >> (slot(to) % 64) & 1U) != 0;
}

bool Remainders::meet(const Bits& a, const Bits& b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if ((a[w] & b[w]) != 0) return true;
    return false;
}

bool Remainders::has(const Remainder& part, int node) const {
    const auto is_source = [&](int one) { return std::binary_search(part.begin(), part.end(), one); };
    if (is_source(node)) return true;
    if (const auto& above = few_[slot(node)]) return std::any_of(above->begin(), above->end(), is_source);
    return std::any_of(part.begin(), part.end(), [&](int source) { return leads(source, node); });
}

FusionGroup Remainders::nodes(const Remainder& part) const {
    Bits all((static_cast<std::size_t>(dag_.nodes()) + 63) / 64);
    for (const int source : part)
        for (std::size_t w = 0; w < all.size(); ++w) all[w] |= reach_[slot(source)][w];
    FusionGroup nodes;
    for (std::size_t w = 0; w < all.size(); ++w)
        for (std::uint64_t rest = all[w]; rest != 0; rest &= rest - 1)
            nodes.push_back(static_cast<int>(w) * 64 + std::countr_zero(rest));
    return nodes;
}

// Two sources are in one part if a path leads from both to the same node, or others join them so.
std::vector<Remainder> Remainders::parts(const std::vector<int>& sources) const {
    struct Part {
        Remainder sources;
        Bits reach;
    };
    std::vector<Part> parts;
    for (const int source : sources) {
        Part joined{{source}, reach_[slot(source)]};
        const auto met = std::partition(parts.begin(), parts.end(), [&](const Part& part) {
            return !meet(part.reach, reach_[slot(source)]);
        });
        for (auto part = met; part != parts.end(); ++part) {
            joined.sources.insert(joined.sources.end(), part->sources.begin(), part->sources.end());
            for (std::size_t w = 0; w < joined.reach.size(); ++w) joined.reach[w] |= part->reach[w];
        }
        parts.erase(met, parts.end());
        parts.push_back(std::move(joined));
    }
    std::vector<Remainder> all;
    for (Part& part : parts) {
        std::sort(part.sources.begin(), part.sources.end());
        all.push_back(std::move(part.sources));
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<Remainder> Remainders::whole() const {
    std::vector<int> sources;
    for (int node = 0; node < dag_.nodes(); ++node)
        if (dag_.before[slot(node)].empty()) sources.push_back(node);
    return parts(sources);
}

std::vector<Remainder> Remainders::without(const Remainder& part, const FusionGroup& kernel) const {
    const auto built = [&](int node) { return std::binary_search(kernel.begin(), kernel.end(), node); };
    std::vector<int> sources;
    for (const int source : part)
        if (!built(source)) sources.push_back(source);
    for (const int node : kernel)
        for (const int next : dag_.after[slot(node)]) {
            const std::vector<int>& read = dag_.before[slot(next)];
            const bool waits = std::any_of(read.begin(), read.end(),
                                           [&](int source) { return !built(source) && has(part, source); });
            if (!waits && !built(next)) sources.push_back(next);
        }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return parts(sources);
}

FusionGroup Remainders::with(const FusionGroup& kernel, int node, const Remainder& part) const {
    std::set<int> more{node};
    std::vector<int> open{node};
    while (!open.empty()) {
        const int next = open.back();
        open.pop_back();
        for (const int source : dag_.before[slot(next)])
            if (!std::binary_search(kernel.begin(), kernel.end(), source) && has(part, source) &&
                more.insert(source).second)
                open.push_back(source);
    }
    FusionGroup grown;
    std::merge(kernel.begin(), kernel.end(), more.begin(), more.end(), std::back_inserter(grown));
    return grown;
}

}  // namespace blockscope::plan
