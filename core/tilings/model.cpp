#include "core/tilings/model.h"

#include <algorithm>
#include <map>

#include "core/cost/models/model.h"

namespace blockscope::tilings {

namespace {

// The loops that a statement's trip count multiplies.
struct CountedStatement {
    const Statement* statement = nullptr;
    std::vector<int> loops;
};

std::vector<CountedStatement> counted(const Placed& placed, const JudgedExpression& judged,
                                      TripCounts counts) {
    std::vector<CountedStatement> all;
    for (const Statement& statement : placed.statements) {
        CountedStatement row{&statement, statement.around};
        if (counts == TripCounts::Block) {
            if (statement.kind == StatementKind::Store) row.loops = statement.loops;
            for (const int loop : judged.grid)
                if (!contains(row.loops, loop)) row.loops.push_back(loop);
        }
        all.push_back(std::move(row));
    }
    return all;
}

// A candidate seen through the numbers that equations 3 to 5 need.
class Estimator {
public:
    Estimator(const Space& space, TripCounts counts) : space_(space), counts_(counts) {}

    Estimate estimate(const Candidate& candidate) {
        const Chain& chain = space_.chain;
        std::vector<std::int64_t> trip(chain.loops.size());
        std::vector<int> ones;
        for (int loop = 0; loop < chain.loop_count(); ++loop) {
            trip[at(loop)] = trips(chain.size(loop), candidate.tiles[at(loop)]);
            if (trip[at(loop)] == 1) ones.push_back(loop);
        }
        Estimate made;
        const auto product = [](const std::vector<int>& loops, const std::vector<std::int64_t>& numbers) {
            std::int64_t result = 1;
            for (const int loop : loops) result *= numbers[at(loop)];
            return result;
        };
        for (const CountedStatement& row : statements(candidate.expression, ones)) {
            StatementCost cost{.text = to_string(*row.statement),
                               .tile = product(row.statement->loops, candidate.tiles),
                               .trips = product(row.loops, trip)};
            const double done = static_cast<double>(cost.tile) * static_cast<double>(cost.trips) *
                                static_cast<double>(chain.batch);
            if (row.statement->kind == StatementKind::Compute)
                cost.flops = 2 * done;
            else
                cost.bytes = done * bytes_per_element(chain.elem);
            made.bytes += cost.bytes;
            made.flops += cost.flops;
            made.statements.push_back(std::move(cost));
        }
        made.blocks = static_cast<double>(product(space_.judged(candidate).grid, trip) * chain.batch);
        made.alpha = mcfuser_alpha(made.blocks, space_.device.processors);
        made.memory = made.bytes / space_.device.bandwidth;
        made.compute = made.flops / space_.device.peak;
        made.seconds = (made.memory + made.compute) * made.alpha;
        return made;
    }

private:
    static std::size_t at(int loop) { return static_cast<std::size_t>(loop); }

    struct Layout {
        Placed placed;
        std::vector<CountedStatement> rows;
    };

    const std::vector<CountedStatement>& statements(int expression, const std::vector<int>& ones) {
        const auto known = known_.find({expression, ones});
        if (known != known_.end()) return known->second.rows;
        Layout& layout = known_[{expression, ones}];
        const JudgedExpression& judged = space_.expressions[at(expression)];
        layout.placed = place(space_.chain, judged.expression.roots, Stage::Reduced, ones);
        layout.rows = counted(layout.placed, judged, counts_);
        return layout.rows;
    }

    const Space& space_;
    TripCounts counts_;
    std::map<std::pair<int, std::vector<int>>, Layout> known_;
};

}  // namespace

Estimate estimate(const Space& space, const Candidate& candidate, TripCounts counts) {
    return Estimator(space, counts).estimate(candidate);
}

std::vector<double> estimated_seconds(const Space& space, const std::vector<Candidate>& candidates,
                                      TripCounts counts) {
    Estimator estimator(space, counts);
    std::vector<double> seconds;
    seconds.reserve(candidates.size());
    for (const Candidate& candidate : candidates) seconds.push_back(estimator.estimate(candidate).seconds);
    return seconds;
}

Intensity intensity(double tile_rows, double tile_cols, double depth, ElemType elem,
                    const TargetDevice& device) {
    const double flops = 2 * tile_rows * tile_cols * depth;
    return {.printed = mcfuser_phi(tile_rows, tile_cols, depth),
            .once = flops / (tile_rows * tile_cols + (tile_rows + tile_cols) * depth),
            .machine = device.peak / device.bandwidth,
            .bytes = bytes_per_element(elem)};
}

}  // namespace blockscope::tilings
