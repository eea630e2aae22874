#include "core/plan/branches.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
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

Exchange inverse(const Exchange& exchange) {
    Exchange back;
    for (const auto& [from, to] : exchange) back[{from.first, to}] = from.second;
    return back;
}

FusionGroup Branches::exchanged(const FusionGroup& nodes, const Exchange& exchange) const {
    FusionGroup made = nodes;
    if (exchange.empty()) return made;
    for (int& node : made) {
        const At& at = at_[slot(node)];
        const auto found = at.group < 0 ? exchange.end() : exchange.find({at.group, at.branch});
        if (found == exchange.end()) continue;
        const std::vector<FusionGroup>& branches = groups_[static_cast<std::size_t>(at.group)].branches;
        node = branches[static_cast<std::size_t>(found->second)][static_cast<std::size_t>(at.position)];
    }
    std::sort(made.begin(), made.end());
    return made;
}

LikeBranches::LikeBranches(const Branches& branches, const FusionGroup& sources) : branches_(branches) {
    std::map<std::pair<int, int>, std::vector<int>> positions;
    for (const int node : sources)
        if (const Branches::At& at = branches.at(node); at.group >= 0)
            positions[{at.group, at.branch}].push_back(at.position);
    std::map<std::pair<int, std::vector<int>>, int> classes;  // by group and positions
    for (auto& [branch, of_sources] : positions) {
        std::sort(of_sources.begin(), of_sources.end());
        const auto next = static_cast<int>(classes.size());
        const int made = classes.emplace(std::pair(branch.first, std::move(of_sources)), next).first->second;
        class_of_[branch] = made;
        members_.resize(classes.size());
        members_[static_cast<std::size_t>(made)].push_back(branch.second);
    }
}

int LikeBranches::class_of(int group, int branch) const {
    const auto found = class_of_.find({group, branch});
    return found == class_of_.end() ? kWithoutSources : found->second;
}

std::vector<int> LikeBranches::first_of(int group, int which, std::size_t count) const {
    std::vector<int> first;
    if (which != kWithoutSources) {
        const std::vector<int>& all = members_[static_cast<std::size_t>(which)];
        first.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
        return first;
    }
    for (int branch = 0; first.size() < count; ++branch)
        if (class_of(group, branch) == kWithoutSources) first.push_back(branch);
    return first;
}

namespace {

using Positions = std::map<int, std::vector<int>>;  // by branch: what it has of some nodes

// Branches in the order of what they have, at these places; a branch that has to make room goes where one of
// them came from. Both lists are ascending.
void put(int group, std::vector<int> branches, const std::vector<int>& places, const Positions& have,
         Exchange& made) {
    std::vector<int> free, in_the_way;
    std::set_difference(branches.begin(), branches.end(), places.begin(), places.end(),
                        std::back_inserter(free));
    std::set_difference(places.begin(), places.end(), branches.begin(), branches.end(),
                        std::back_inserter(in_the_way));
    for (std::size_t i = 0; i < free.size(); ++i) made[{group, in_the_way[i]}] = free[i];
    std::stable_sort(branches.begin(), branches.end(), [&](int a, int b) { return have.at(a) > have.at(b); });
    for (std::size_t i = 0; i < branches.size(); ++i)
        if (branches[i] != places[i]) made[{group, branches[i]}] = places[i];
}

}  // namespace

Exchange LikeBranches::in_order(const FusionGroup& nodes) const {
    std::map<std::pair<int, int>, Positions> touched;  // by group and class
    for (const int node : nodes)
        if (const Branches::At& at = branches_.at(node); at.group >= 0)
            touched[{at.group, class_of(at.group, at.branch)}][at.branch].push_back(at.position);
    Exchange made;
    for (auto& like : touched) {
        std::vector<int> branches;
        for (auto& [branch, positions] : like.second) {
            std::sort(positions.begin(), positions.end());
            branches.push_back(branch);
        }
        const auto [group, which] = like.first;
        const std::vector<int> places = first_of(group, which, branches.size());
        put(group, std::move(branches), places, like.second, made);
    }
    return made;
}

FusionGroup LikeBranches::one_of_each(const FusionGroup& nodes, const FusionGroup& kernel) const {
    std::set<std::pair<int, int>> touched;
    for (const int node : kernel) touched.insert({branches_.at(node).group, branches_.at(node).branch});
    std::set<std::tuple<int, int, int>> had;  // group, class and position
    FusionGroup made;
    for (const int node : nodes) {
        const Branches::At& at = branches_.at(node);
        const bool other = at.group < 0 || touched.contains({at.group, at.branch});
        if (other || had.insert({at.group, class_of(at.group, at.branch), at.position}).second)
            made.push_back(node);
    }
    return made;
}

}  // namespace blockscope::plan
