#include "core/plan/branches.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace blockscope::plan {

namespace {

// Numbers nodes so that two have the same number if little tells them apart: what they are, how far they are
// from the first and the last nodes, and the numbers of their neighbours, so many times over. What is left is
// told apart by Correspondence.
class Colours {
public:
    explicit Colours(const Problem& problem) : problem_(problem), colour_(problem.alike.size()) {
        constexpr int kMostRounds = 32;
        std::size_t count = number(places());
        for (int round = 0; round < kMostRounds; ++round) {
            problem.stop->check();
            std::vector<Neighbourhood> all;
            for (std::size_t node = 0; node < colour_.size(); ++node) all.push_back(around(node));
            const std::size_t finer = number(all);
            if (finer == count) break;
            count = finer;
        }
        of_colour_.resize(count);
        for (const int colour : colour_) ++of_colour_[static_cast<std::size_t>(colour)];
    }

    int of(int node) const { return colour_[slot(node)]; }
    bool alone(int node) const { return of_colour_[static_cast<std::size_t>(of(node))] == 1; }

private:
    // Its own number, and those of the nodes that it reads and of its readers.
    using Neighbourhood = std::tuple<int, std::vector<int>, std::vector<int>>;

    std::vector<std::tuple<int, int, int>> places() const {
        const std::vector<int> order = topological_order(problem_);
        std::vector<std::tuple<int, int, int>> all(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            auto& [what, from_first, to_last] = all[slot(order[i])];
            what = problem_.alike[slot(order[i])];
            for (const int source : problem_.before[slot(order[i])])
                from_first = std::max(from_first, std::get<1>(all[slot(source)]) + 1);
        }
        for (std::size_t i = order.size(); i-- > 0;)
            for (const int reader : problem_.after[slot(order[i])])
                std::get<2>(all[slot(order[i])]) =
                    std::max(std::get<2>(all[slot(order[i])]), std::get<2>(all[slot(reader)]) + 1);
        return all;
    }

    Neighbourhood around(std::size_t node) const {
        const auto of_all = [this](const std::vector<int>& nodes) {
            std::vector<int> colours;
            for (const int one : nodes) colours.push_back(of(one));
            std::sort(colours.begin(), colours.end());
            return colours;
        };
        return {colour_[node], of_all(problem_.before[node]), of_all(problem_.after[node])};
    }

    template <class Value>
    std::size_t number(const std::vector<Value>& values) {
        std::map<Value, int> numbers;
        for (const Value& value : values) numbers.emplace(value, 0);
        int next = 0;
        for (auto& [value, one] : numbers) one = next++;
        for (std::size_t node = 0; node < values.size(); ++node) colour_[node] = numbers.at(values[node]);
        return numbers.size();
    }

    const Problem& problem_;
    std::vector<int> colour_;
    std::vector<int> of_colour_;  // how many nodes
};

// Connected nodes that each have others of their colour, by colour.
std::vector<FusionGroup> branches_of(const Problem& problem, const Colours& colours) {
    std::vector<bool> seen(static_cast<std::size_t>(problem.nodes()));
    std::vector<FusionGroup> all;
    for (int node = 0; node < problem.nodes(); ++node) {
        if (seen[slot(node)] || colours.alone(node)) continue;
        FusionGroup branch{node};
        seen[slot(node)] = true;
        for (std::size_t i = 0; i < branch.size(); ++i)
            for (const auto* edges : {&problem.before, &problem.after})
                for (const int next : (*edges)[slot(branch[i])]) {
                    if (seen[slot(next)] || colours.alone(next)) continue;
                    seen[slot(next)] = true;
                    branch.push_back(next);
                }
        std::sort(branch.begin(), branch.end(),
                  [&](int a, int b) { return std::pair(colours.of(a), a) < std::pair(colours.of(b), b); });
        all.push_back(std::move(branch));
    }
    return all;
}

// Which node of one branch each node of another one corresponds to: of the same colour, and with all edges
// corresponding. Several nodes of a branch may have one colour, so it is searched for, in so many steps at
// most.
class Correspondence {
public:
    Correspondence(const Problem& problem, const Colours& colours, const FusionGroup& a, const FusionGroup& b)
        : problem_(problem), colours_(colours), a_(a), b_(b) {}

    // The nodes of the other branch in the order of the first; none where none is found.
    std::optional<FusionGroup> find() {
        if (!extend()) return std::nullopt;
        return made_;
    }

private:
    bool extend() {
        if (made_.size() == a_.size()) return edges_correspond();
        if (++steps_ > kMostSteps) return false;
        const int node = a_[made_.size()];
        for (const int other : b_) {
            if (colours_.of(other) != colours_.of(node)) continue;
            if (std::find(made_.begin(), made_.end(), other) != made_.end()) continue;
            made_.push_back(other);
            if (extend()) return true;
            made_.pop_back();
        }
        return false;
    }
    bool edges_correspond() const {
        std::map<int, int> image;
        for (std::size_t i = 0; i < a_.size(); ++i) image[a_[i]] = made_[i];
        for (std::size_t i = 0; i < a_.size(); ++i)
            for (const auto* edges : {&problem_.before, &problem_.after}) {
                FusionGroup expected;
                for (const int next : (*edges)[slot(a_[i])]) {
                    const auto found = image.find(next);
                    expected.push_back(found == image.end() ? next : found->second);
                }
                std::sort(expected.begin(), expected.end());
                if (expected != (*edges)[slot(made_[i])]) return false;
            }
        return true;
    }

    static constexpr int kMostSteps = 10'000;
    const Problem& problem_;
    const Colours& colours_;
    const FusionGroup& a_;
    const FusionGroup& b_;
    FusionGroup made_;
    int steps_ = 0;
};

}  // namespace

Branches::Branches(const Problem& problem) : at_(static_cast<std::size_t>(problem.nodes())) {
    if (problem.alike.empty()) return;
    const Colours colours(problem);
    std::map<std::vector<int>, BranchGroup> by_colours;
    for (FusionGroup& branch : branches_of(problem, colours)) {
        std::vector<int> key;
        for (const int node : branch) key.push_back(colours.of(node));
        BranchGroup& group = by_colours[key];
        if (group.branches.empty())
            group.branches.push_back(std::move(branch));
        else if (auto like = Correspondence(problem, colours, group.branches.front(), branch).find())
            group.branches.push_back(std::move(*like));
    }
    for (auto& [key, group] : by_colours) {
        if (group.branches.size() < 2) continue;
        for (std::size_t b = 0; b < group.branches.size(); ++b)
            for (std::size_t i = 0; i < group.branches[b].size(); ++i)
                at_[slot(group.branches[b][i])] = {static_cast<int>(groups_.size()), static_cast<int>(b),
                                                   static_cast<int>(i)};
        groups_.push_back(std::move(group));
    }
}

std::vector<int> Branches::exchange(const FusionGroup& nodes) const {
    return exchange(nodes, {});
}

std::vector<int> Branches::exchange(const FusionGroup& nodes, const FusionGroup& sources) const {
    std::vector<int> made(at_.size());
    std::iota(made.begin(), made.end(), 0);
    // By group and branch: the positions that it has of the sources, and of the nodes.
    using Pattern = std::pair<std::vector<int>, std::vector<int>>;
    std::map<int, std::vector<Pattern>> touched;
    const auto note = [&](const FusionGroup& set, auto part) {
        for (const int node : set) {
            const At& at = at_[slot(node)];
            if (at.group < 0) continue;
            std::vector<Pattern>& patterns = touched[at.group];
            patterns.resize(groups_[static_cast<std::size_t>(at.group)].branches.size());
            (patterns[static_cast<std::size_t>(at.branch)].*part).push_back(at.position);
        }
    };
    note(sources, &Pattern::first);
    note(nodes, &Pattern::second);
    for (auto& group : touched) {
        std::vector<Pattern>& patterns = group.second;
        const std::vector<FusionGroup>& branches = groups_[static_cast<std::size_t>(group.first)].branches;
        for (Pattern& pattern : patterns) {
            std::sort(pattern.first.begin(), pattern.first.end());
            std::sort(pattern.second.begin(), pattern.second.end());
        }
        // Branches change places only with those that have the same of the sources.
        std::map<std::vector<int>, std::vector<std::size_t>> like;
        for (std::size_t b = 0; b < branches.size(); ++b) like[patterns[b].first].push_back(b);
        for (const auto& [key, places] : like) {
            std::vector<std::size_t> order = places;
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return patterns[a].second > patterns[b].second;
            });
            for (std::size_t i = 0; i < order.size(); ++i)
                for (std::size_t at = 0; at < branches[order[i]].size(); ++at)
                    made[slot(branches[order[i]][at])] = branches[places[i]][at];
        }
    }
    return made;
}

FusionGroup exchanged(const FusionGroup& nodes, const std::vector<int>& exchange) {
    FusionGroup made;
    made.reserve(nodes.size());
    for (const int node : nodes) made.push_back(exchange[slot(node)]);
    std::sort(made.begin(), made.end());
    return made;
}

std::vector<int> inverse(const std::vector<int>& exchange) {
    std::vector<int> back(exchange.size());
    for (std::size_t node = 0; node < exchange.size(); ++node)
        back[slot(exchange[node])] = static_cast<int>(node);
    return back;
}

}  // namespace blockscope::plan
