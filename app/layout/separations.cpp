#include "app/layout/separations.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

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

}  // namespace blockscope
