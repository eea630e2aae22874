#include <algorithm>
#include <map>
#include <set>

#include "core/circuit/layout/lines.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

constexpr int kSweeps = 16;
constexpr double kFar = 1e6;
constexpr double kTether = 0.25;  // how much rows of one station want to be together, beside a wire's 1
constexpr double kMate = 0.5;     // and a wire that leads nowhere with its array

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

// The chain wants to be `delta` below another one.
struct Wish {
    int other = 0;
    double delta = 0;
    double weight = 1;
};

struct Bound {
    int other = 0;
    double space = 0;
};

class Heights {
public:
    Heights(const Stations& stations, int chains) : count_(at(chains)) {
        above_.resize(count_), below_.resize(count_), wishes_.resize(count_);
        rims_.resize(count_, Row::Kind::Wire);
        for (std::size_t s = 0; s < stations.list.size(); ++s) {
            stand_apart(stations.list[s]);
            if (s > 0 && !stations.list[s].line_start) bend_little(stations, s);
        }
        for (const auto& [pair, space] : spaces_) {
            below_[at(pair.first)].push_back({pair.second, space});
            above_[at(pair.second)].push_back({pair.first, space});
        }
        std::set<int> lone;
        for (int chain = 0; chain < chains; ++chain)
            if (wishes_[at(chain)].empty()) lone.insert(chain);
        for (const auto& [pair, delta] : tethers_) {
            const bool with_its_array =
                mates_.count(pair) > 0 && lone.count(pair.first) + lone.count(pair.second) > 0;
            wish(pair.first, pair.second, delta, with_its_array ? kMate : kTether);
        }
    }

    std::vector<double> run() {
        sort();
        heights_.assign(count_, 0);
        for (const int chain : order_) heights_[at(chain)] = std::max(0.0, least(chain));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            move_rims(sweep % 2 == 1, (sweep / 2) % 2 == 1);
            for (const int chain : order_) settle(chain);
            move_rims(sweep % 2 == 0, (sweep / 2) % 2 == 0);
            for (auto chain = order_.rbegin(); chain != order_.rend(); ++chain) settle(*chain);
        }
        move_rims(true, false);
        return std::move(heights_);
    }

private:
    void stand_apart(const Station& station) {
        for (std::size_t r = 0; r < station.rows.size(); ++r) {
            const Row& lower = station.rows[r];
            rims_[at(lower.chain)] = lower.kind == Row::Kind::Glyph ? Row::Kind::Wire : lower.kind;
            if (r == 0) continue;
            const Row& upper = station.rows[r - 1];
            const double space = space_between(upper, lower) + upper.offset - lower.offset;
            const std::pair<int, int> pair(upper.chain, lower.chain);
            const auto [place, fresh] = spaces_.emplace(pair, space);
            if (!fresh) place->second = std::max(place->second, space);
            const bool rim = upper.kind == Row::Kind::Top || upper.kind == Row::Kind::Bottom ||
                             lower.kind == Row::Kind::Top || lower.kind == Row::Kind::Bottom;
            if (!rim) tethers_[pair] = spaces_.at(pair);
            if (upper.wire() && lower.wire() && upper.strand == lower.strand) mates_.insert(pair);
        }
    }

    void bend_little(const Stations& stations, std::size_t s) {
        const Station& before = stations.list[s - 1];
        for (const Row& row : stations.list[s].rows) {
            for (std::size_t l = 0; l < row.from.size(); ++l) {
                const Row& from = before.rows[at(row.from[l].row)];
                if (from.chain == row.chain) continue;
                double delta = from.offset - row.offset;
                if (from.kind == Row::Kind::Glyph)
                    delta += stations.glyphs[at(from.index)].exit(row.from[l].port);
                if (row.kind == Row::Kind::Glyph)
                    delta -= stations.glyphs[at(row.index)].entry(static_cast<int>(l));
                wish(from.chain, row.chain, delta, 1);
            }
        }
    }

    // `lower` wants to be `delta` below `upper`.
    void wish(int upper, int lower, double delta, double weight) {
        wishes_[at(lower)].push_back({upper, delta, weight});
        wishes_[at(upper)].push_back({lower, -delta, weight});
    }

    // Chains do not cross, so that what is above what is an order (of those that share a station).
    void sort() {
        std::vector<std::size_t> waiting(count_);
        std::set<int> ready;
        for (std::size_t c = 0; c < count_; ++c) {
            waiting[c] = above_[c].size();
            if (waiting[c] == 0) ready.insert(static_cast<int>(c));
        }
        while (!ready.empty()) {
            const int chain = *ready.begin();
            ready.erase(ready.begin());
            order_.push_back(chain);
            for (const Bound& bound : below_[at(chain)])
                if (--waiting[at(bound.other)] == 0) ready.insert(bound.other);
        }
        if (order_.size() != count_) throw InternalError("wires that are above each other");
    }

    double least(int chain) const {
        double result = -kFar;
        for (const Bound& bound : above_[at(chain)])
            result = std::max(result, heights_[at(bound.other)] + bound.space);
        return result;
    }

    double most(int chain) const {
        double result = kFar;
        for (const Bound& bound : below_[at(chain)])
            result = std::min(result, heights_[at(bound.other)] - bound.space);
        return result;
    }

    // Rims give way to one side or the other, so that what is beside them can move.
    void move_rims(bool tops_down, bool bottoms_down) {
        for (const int chain : order_) {
            if (rims_[at(chain)] == Row::Kind::Top && !tops_down)
                heights_[at(chain)] = std::max(least(chain), -kFar / 2);
            if (rims_[at(chain)] == Row::Kind::Bottom && !bottoms_down) heights_[at(chain)] = least(chain);
        }
        for (auto chain = order_.rbegin(); chain != order_.rend(); ++chain) {
            if (rims_[at(*chain)] == Row::Kind::Top && tops_down) heights_[at(*chain)] = most(*chain);
            if (rims_[at(*chain)] == Row::Kind::Bottom && bottoms_down)
                heights_[at(*chain)] = std::min(most(*chain), kFar / 2);
        }
    }

    // To the weighted median of the wishes, as far as there is room.
    void settle(int chain) {
        if (rims_[at(chain)] != Row::Kind::Wire || wishes_[at(chain)].empty()) return;
        std::vector<std::pair<double, double>> wished;
        double all = 0;
        for (const Wish& wish : wishes_[at(chain)]) {
            wished.emplace_back(heights_[at(wish.other)] + wish.delta, wish.weight);
            all += wish.weight;
        }
        std::sort(wished.begin(), wished.end());
        double passed = 0;
        double target = wished.back().first;
        for (const auto& [height, weight] : wished) {
            passed += weight;
            if (passed * 2 < all) continue;
            target = height;
            break;
        }
        heights_[at(chain)] = std::max(least(chain), std::min(target, most(chain)));
    }

    std::size_t count_;
    std::vector<std::vector<Bound>> above_, below_;
    std::vector<std::vector<Wish>> wishes_;
    std::vector<Row::Kind> rims_;  // Top, Bottom, or Wire for everything else
    std::map<std::pair<int, int>, double> spaces_;
    std::map<std::pair<int, int>, double> tethers_;
    std::set<std::pair<int, int>> mates_;  // wires of one array, next to each other
    std::vector<int> order_;
    std::vector<double> heights_;
};

}  // namespace

std::vector<double> chain_heights(const Stations& stations, int chains) {
    return Heights(stations, chains).run();
}

}  // namespace blockscope::circuit
