#include "app/layout/separations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr double kTouching = 1e-7;

// Variables that move together: each at the block's position plus its offset.
struct Block {
    std::vector<int> members;
    double position = 0;
    double pull = 0, weight = 0;  // sums of weight * (wish - offset) and of weight
};

class Blocks {
public:
    Blocks(const Separations& separations, const std::vector<double>& wish, const std::vector<double>& weight,
           Separations::Measure measure)
        : separations_(separations),
          wish_(wish),
          weight_(weight),
          measure_(measure),
          block_of_(wish.size()),
          offset_(wish.size(), 0),
          blocks_(wish.size()) {}

    // After all producers of `variable` in the order of constraints.
    void place(int variable) {
        block_of_[at(variable)] = variable;
        const double weight = weight_[at(variable)];
        blocks_[at(variable)] = {{variable}, wish_[at(variable)], weight * wish_[at(variable)], weight};
        int block = variable;
        for (const Separation* worst = violated(block); worst; worst = violated(block)) block = merge(*worst);
    }

    double position(int variable) const {
        return blocks_[at(block_of_[at(variable)])].position + offset_[at(variable)];
    }

private:
    const Separation* violated(int block) const {
        const Separation* worst = nullptr;
        double most = kTouching;
        for (const int member : blocks_[at(block)].members) {
            for (const Separation& s : separations_.into(member)) {
                if (block_of_[at(s.from)] == block) continue;
                const double by = position(s.from) + s.gap - position(s.to);
                if (by <= most) continue;
                most = by;
                worst = &s;
            }
        }
        return worst;
    }

    // Joins the blocks of both ends so that they touch; the larger takes the smaller in.
    int merge(const Separation& s) {
        int into = block_of_[at(s.from)], other = block_of_[at(s.to)];
        double shift = offset_[at(s.from)] + s.gap - offset_[at(s.to)];
        if (blocks_[at(into)].members.size() < blocks_[at(other)].members.size()) {
            std::swap(into, other);
            shift = -shift;
        }
        for (const int member : blocks_[at(other)].members) {
            block_of_[at(member)] = into;
            offset_[at(member)] += shift;
            blocks_[at(into)].members.push_back(member);
        }
        Block& whole = blocks_[at(into)];
        whole.pull += blocks_[at(other)].pull - blocks_[at(other)].weight * shift;
        whole.weight += blocks_[at(other)].weight;
        blocks_[at(other)].members.clear();
        whole.position = measure_ == Separations::Measure::Mean ? whole.pull / whole.weight : median(into);
        return into;
    }

    // Half way between the lower and the upper median.
    double median(int block) const {
        std::vector<std::pair<double, double>> wishes;
        double total = 0;
        for (const int member : blocks_[at(block)].members) {
            wishes.emplace_back(wish_[at(member)] - offset_[at(member)], weight_[at(member)]);
            total += weight_[at(member)];
        }
        std::sort(wishes.begin(), wishes.end());
        double sum = 0;
        for (std::size_t i = 0; i < wishes.size(); ++i) {
            sum += wishes[i].second;
            if (sum > total / 2 * (1 + 1e-9)) return wishes[i].first;
            if (sum >= total / 2 * (1 - 1e-9) && i + 1 < wishes.size())
                return (wishes[i].first + wishes[i + 1].first) / 2;
        }
        return wishes.back().first;
    }

    const Separations& separations_;
    const std::vector<double>& wish_;
    const std::vector<double>& weight_;
    Separations::Measure measure_;
    std::vector<int> block_of_;
    std::vector<double> offset_;
    std::vector<Block> blocks_;
};

}  // namespace

void Separations::add(int from, int to, double gap) {
    into_[at(to)].push_back({from, to, gap});
    out_of_[at(from)].push_back({from, to, gap});
}

void Separations::finish() {
    std::vector<std::size_t> missing;
    for (const auto& separations : into_) missing.push_back(separations.size());
    order_.clear();
    for (int v = 0; v < size(); ++v)
        if (missing[at(v)] == 0) order_.push_back(v);
    for (std::size_t done = 0; done < order_.size(); ++done)
        for (const Separation& s : out_of_[at(order_[done])])
            if (--missing[at(s.to)] == 0) order_.push_back(s.to);
    if (order_.size() != into_.size())
        throw InternalError("boxes of a picture must be left of each other in a circle");
}

std::vector<double> Separations::least(std::vector<double> lower) const {
    for (const int v : order_)
        for (const Separation& s : into_[at(v)])
            lower[at(v)] = std::max(lower[at(v)], lower[at(s.from)] + s.gap);
    return lower;
}

std::vector<double> Separations::greatest(std::vector<double> upper) const {
    for (auto v = order_.rbegin(); v != order_.rend(); ++v)
        for (const Separation& s : out_of_[at(*v)])
            upper[at(*v)] = std::min(upper[at(*v)], upper[at(s.to)] - s.gap);
    return upper;
}

std::vector<double> Separations::nearest(const std::vector<double>& wish, const std::vector<double>& weight,
                                         Measure measure) const {
    Blocks blocks(*this, wish, weight, measure);
    for (const int v : order_) blocks.place(v);
    std::vector<double> result;
    for (int v = 0; v < size(); ++v) result.push_back(blocks.position(v));
    return result;
}

std::vector<std::pair<int, int>> neighbours(const std::vector<Strip>& strips) {
    struct Event {
        double at;
        bool opens;
        int strip;
    };
    std::vector<Event> events;
    for (int i = 0; i < static_cast<int>(strips.size()); ++i) {
        const Strip& strip = strips[static_cast<std::size_t>(i)];
        if (strip.high <= strip.low) continue;
        events.push_back({strip.low, true, i});
        events.push_back({strip.high, false, i});
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        if (a.at != b.at) return a.at < b.at;
        return a.opens != b.opens ? !a.opens : a.strip < b.strip;
    });
    std::set<std::pair<double, int>> open;
    std::vector<std::pair<int, int>> pairs;
    for (const Event& event : events) {
        const std::pair<double, int> key{strips[static_cast<std::size_t>(event.strip)].place, event.strip};
        const auto here = event.opens ? open.insert(key).first : open.find(key);
        const auto after = std::next(here);
        const bool has_before = here != open.begin(), has_after = after != open.end();
        if (event.opens) {
            if (has_before) pairs.emplace_back(std::prev(here)->second, event.strip);
            if (has_after) pairs.emplace_back(event.strip, after->second);
        } else {
            if (has_before && has_after) pairs.emplace_back(std::prev(here)->second, after->second);
            open.erase(here);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

namespace {

// The shift of all of `tidy` that brings it closest to `held`: a weighted median.
double common_shift(const std::vector<double>& held, const std::vector<double>& tidy,
                    const std::vector<double>& weight) {
    std::vector<std::pair<double, double>> shifts;
    double total = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
        shifts.emplace_back(held[i] - tidy[i], weight[i]);
        total += weight[i];
    }
    std::sort(shifts.begin(), shifts.end());
    double sum = 0;
    for (const auto& [shift, w] : shifts) {
        sum += w;
        if (sum >= total / 2) return shift;
    }
    return 0;
}

}  // namespace

std::vector<double> approach(const Separations& separations, const Axis& axis, std::vector<double> tidy) {
    if (std::all_of(axis.most.begin(), axis.most.end(), [](double most) { return std::isinf(most); })) {
        const double all = common_shift(axis.wish, tidy, axis.weight);
        for (double& place : tidy) place += all;
        return tidy;
    }
    const std::vector<double> held =
        separations.nearest(axis.wish, axis.weight, Separations::Measure::Median);
    const double shift = common_shift(held, tidy, axis.weight);
    std::vector<double> lowest(held.size()), highest(held.size());
    for (std::size_t i = 0; i < held.size(); ++i) {
        const double most = axis.most[i];
        const bool forced = std::abs(held[i] - axis.wish[i]) > most;
        lowest[i] = std::min(held[i] - (forced ? most : 0), axis.wish[i] - most);
        highest[i] = std::max(held[i] + (forced ? most : 0), axis.wish[i] + most);
    }
    lowest = separations.least(std::move(lowest));
    highest = separations.greatest(std::move(highest));
    for (std::size_t i = 0; i < held.size(); ++i)
        tidy[i] = std::max(lowest[i], std::min(tidy[i] + shift, highest[i]));
    return tidy;
}

double snapped(double value) {
    return std::floor(value + 0.5);
}

}  // namespace blockscope
