// Makes edges straight: members whose links can be straight become groups that move together, and groups go
// to where their links pull them.
#include <algorithm>
#include <memory>
#include <vector>

#include "app/layout/separations.h"
#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr int kMostVisited = 400;  // members looked at before two groups count as connected
constexpr int kRounds = 14, kRoundsOfMany = 5, kRoundsOfVeryMany = 2;
constexpr int kMany = 600, kVeryMany = 3000;

// Members whose links are straight move together.
class Groups {
public:
    explicit Groups(const Separations& separations)
        : separations_(separations),
          group_(at(separations.size())),
          offset_(group_.size(), 0),
          members_(group_.size()) {
        for (int i = 0; i < separations.size(); ++i) {
            group_[at(i)] = i;
            members_[at(i)] = {i};
        }
    }

    int of(int member) const { return group_[at(member)]; }
    double offset(int member) const { return offset_[at(member)]; }
    const std::vector<int>& members(int group) const { return members_[at(group)]; }

    // Joins the groups of both ends so that the link is straight, unless something stands in between.
    void join(const Link& link) {
        const int a = of(link.a), b = of(link.b);
        if (a == b) return;
        // b's members get offsets in a's terms.
        const double shift = offset(link.a) + link.from - link.to - offset(link.b);
        if (!fits(a, b, shift) || connected(a, b) || connected(b, a)) return;
        for (const int member : members_[at(b)]) {
            group_[at(member)] = a;
            offset_[at(member)] += shift;
            members_[at(a)].push_back(member);
        }
        members_[at(b)].clear();
    }

private:
    // Whether the direct separations between the groups allow the shift.
    bool fits(int a, int b, double shift) const {
        for (const int member : members_[at(b)]) {
            const double place = offset(member) + shift;
            for (const Separation& s : separations_.into(member))
                if (of(s.from) == a && offset(s.from) + s.gap > place + 1e-9) return false;
            for (const Separation& s : separations_.out_of(member))
                if (of(s.to) == a && place + s.gap > offset(s.to) + 1e-9) return false;
        }
        return true;
    }

    // Whether something that is right of group a is left of group b.
    bool connected(int a, int b) {
        std::vector<int> todo;
        std::vector<char> seen(group_.size(), 0);
        const auto visit = [&](int group) {
            if (seen[at(group)]) return;
            seen[at(group)] = 1;
            todo.push_back(group);
        };
        seen[at(a)] = 1;
        for (const int member : members_[at(a)])
            for (const Separation& s : separations_.out_of(member))
                if (of(s.to) != b) visit(of(s.to));
        int visited = 0;
        while (!todo.empty()) {
            const int group = todo.back();
            todo.pop_back();
            for (const int member : members_[at(group)]) {
                if (++visited > kMostVisited) return true;
                for (const Separation& s : separations_.out_of(member)) {
                    if (of(s.to) == b) return true;
                    visit(of(s.to));
                }
            }
        }
        return false;
    }

    const Separations& separations_;
    std::vector<int> group_;
    std::vector<double> offset_;
    std::vector<std::vector<int>> members_;
};

// The separations of groups, each variable a group.
class Condensed {
public:
    Condensed(const Separations& separations, const Groups& groups) : groups_(groups) {
        variable_.assign(at(separations.size()), -1);
        int count = 0;
        for (int i = 0; i < separations.size(); ++i)
            if (groups.of(i) == i) variable_[at(i)] = count++;
        condensed_ = std::make_unique<Separations>(count);
        for (int i = 0; i < separations.size(); ++i)
            for (const Separation& s : separations.into(i))
                if (groups.of(s.from) != groups.of(s.to))
                    condensed_->add(variable(s.from), variable(s.to),
                                    groups.offset(s.from) + s.gap - groups.offset(s.to));
        condensed_->finish();
    }

    int variable(int member) const { return variable_[at(groups_.of(member))]; }
    const Separations& separations() const { return *condensed_; }

private:
    const Groups& groups_;
    std::vector<int> variable_;
    std::unique_ptr<Separations> condensed_;
};

// Each group to the mean of where its links pull it, again and again.
std::vector<double> balanced(const Condensed& condensed, const Groups& groups, const std::vector<Link>& links,
                             std::vector<double> places) {
    const std::size_t count = places.size();
    std::vector<double> weight(count, 0.01);
    for (const Link& link : links) {
        const auto a = at(condensed.variable(link.a)), b = at(condensed.variable(link.b));
        if (a == b) continue;
        weight[a] += 1;
        weight[b] += 1;
    }
    const int rounds = count > kVeryMany ? kRoundsOfVeryMany : count > kMany ? kRoundsOfMany : kRounds;
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> pull(count, 0);
        for (const Link& link : links) {
            const auto a = at(condensed.variable(link.a)), b = at(condensed.variable(link.b));
            if (a == b) continue;
            const double apart =
                places[b] + groups.offset(link.b) + link.to - places[a] - groups.offset(link.a) - link.from;
            pull[a] += apart;
            pull[b] -= apart;
        }
        // Both ends of a link move, so each goes most of half the way.
        for (std::size_t i = 0; i < count; ++i) places[i] += 0.6 * pull[i] / weight[i];
        places = condensed.separations().nearest(places, weight, Separations::Measure::Mean);
    }
    return places;
}

}  // namespace

std::vector<double> align(const Separations& separations, std::vector<Link> links,
                          const std::vector<double>& start) {
    std::stable_sort(links.begin(), links.end(),
                     [](const Link& a, const Link& b) { return a.priority < b.priority; });
    Groups groups(separations);
    for (const Link& link : links) groups.join(link);
    const Condensed condensed(separations, groups);
    std::vector<double> places(at(condensed.separations().size()), 0);
    std::vector<double> weight(places.size(), 0);
    for (int i = 0; i < separations.size(); ++i) {
        places[at(condensed.variable(i))] += start[at(i)] - groups.offset(i);
        weight[at(condensed.variable(i))] += 1;
    }
    for (std::size_t g = 0; g < places.size(); ++g) places[g] /= weight[g];
    places = balanced(condensed, groups, links,
                      condensed.separations().nearest(places, weight, Separations::Measure::Mean));
    std::vector<double> result;
    for (int i = 0; i < separations.size(); ++i)
        result.push_back(places[at(condensed.variable(i))] + groups.offset(i));
    return result;
}

}  // namespace blockscope
