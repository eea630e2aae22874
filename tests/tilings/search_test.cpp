// Algorithm 1: what a round does, when it ends, and how good it is over many seeds.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/tilings/search.h"
#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using tilings::Candidate;
using tilings::Search;
using tilings::SearchEnd;
using tilings::Searcher;
using tilings::SearchOptions;
using tilings::Space;
using tilings::TripCounts;

// A machine that agrees with the model up to a factor of its own for each candidate, which nothing tells
// beforehand: exp of a number between -spread and spread.
double simulated(const Space& space, const Candidate& candidate, double estimate, double spread) {
    std::uint64_t hash = 1469598103934665603ull;
    for (const char letter : to_string(space, candidate))
        hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
    hash ^= hash >> 29;
    return estimate * std::exp((static_cast<double>(hash % 10'000) / 5'000 - 1) * spread);
}

struct Machine {
    explicit Machine(const std::string& workload, double spread = 0.1)
        : space(tilings::make_space(workload_chain(workload), a100()).value()),
          searcher(space, TripCounts::Block) {
        for (std::size_t i = 0; i < space.candidates.size(); ++i)
            seconds.push_back(simulated(space, space.candidates[i], searcher.estimates()[i], spread));
        best = *std::min_element(seconds.begin(), seconds.end());
    }
    int number(const Candidate& candidate) const {
        return static_cast<int>(std::find(space.candidates.begin(), space.candidates.end(), candidate) -
                                space.candidates.begin());
    }
    tilings::Measurer measurer() const {
        return [this](const Candidate& candidate) {
            return std::optional<double>(seconds[static_cast<std::size_t>(number(candidate))]);
        };
    }

    Space space;
    Searcher searcher;
    std::vector<double> seconds;
    double best = 0;
};

TEST(TilingSearch, EndsNearTheBestOverAHundredSeeds) {
    for (const char* workload : {"G1", "G2", "G3", "G4", "S2", "S8"}) {
        const Machine machine(workload);
        int near = 0;
        std::vector<int> measurements;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const Search search = machine.searcher.run({.seed = seed}, machine.measurer());
            near += search.best_seconds <= 1.05 * machine.best ? 1 : 0;
            measurements.push_back(search.measurements());
        }
        std::sort(measurements.begin(), measurements.end());
        EXPECT_GE(near, 90) << workload;
        EXPECT_LE(measurements[50], 25) << workload;
    }
}

TEST(TilingSearch, IsTheSameForASeed) {
    const Machine machine("G1");
    const Search a = machine.searcher.run({.seed = 7}, machine.measurer());
    const Search b = machine.searcher.run({.seed = 7}, machine.measurer());
    ASSERT_EQ(a.rounds.size(), b.rounds.size());
    for (std::size_t i = 0; i < a.rounds.size(); ++i)
        EXPECT_EQ(a.rounds[i].population, b.rounds[i].population);
    EXPECT_NE(machine.searcher.begin({.seed = 8}).population, machine.searcher.begin({.seed = 7}).population);
}

TEST(TilingSearch, TellsWhatEachRoundDid) {
    const Machine machine("G1");
    const Search search = machine.searcher.run({.seed = 3}, machine.measurer());
    ASSERT_GE(search.rounds.size(), 2u);
    EXPECT_EQ(search.end, SearchEnd::Converged);
    for (std::size_t i = 0; i < search.rounds.size(); ++i) {
        const tilings::SearchRound& round = search.rounds[i];
        EXPECT_EQ(round.population.size(), 256u);
        EXPECT_EQ(round.measured.size(), 8u);
        for (std::size_t j = 0; j + 1 < round.measured.size(); ++j)
            EXPECT_LE(round.measured[j].estimate, round.measured[j + 1].estimate);
        const bool last = i + 1 == search.rounds.size();
        EXPECT_EQ(round.mutations.size(), last ? 0u : 256u);
        EXPECT_EQ(round.difference < 0.01, last);
        // A child differs from its parent in the tile of one loop, which the rules allow.
        for (const tilings::Mutation& mutation : round.mutations) {
            const Candidate& parent = machine.space.candidates[static_cast<std::size_t>(mutation.parent)];
            const Candidate& child = machine.space.candidates[static_cast<std::size_t>(mutation.child)];
            EXPECT_EQ(parent.expression, child.expression);
            int changed = 0;
            for (std::size_t loop = 0; loop < 4; ++loop)
                changed += parent.tiles[loop] != child.tiles[loop] ? 1 : 0;
            EXPECT_EQ(changed, mutation.loop < 0 ? 0 : 1);
        }
    }
    // The printed algorithm returns the last round's best, which may be worse than the best ever seen.
    EXPECT_EQ(search.returned, search.rounds.back().best);
    EXPECT_LE(search.best_seconds, search.returned_seconds);
}

TEST(TilingSearch, DrawsParentsByTheInverseOfTheirEstimate) {
    const Machine machine("G3", 2.0);
    double drawn = 0;
    double all = 0;
    int rounds = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Search search = machine.searcher.run({.seed = seed}, machine.measurer());
        for (const tilings::SearchRound& round : search.rounds) {
            if (round.mutations.empty()) continue;
            double inverse = 0;
            for (const int one : round.population)
                inverse += 1 / machine.searcher.estimates()[static_cast<std::size_t>(one)];
            // The mean of a draw with weight 1/t is the harmonic mean of all.
            all += static_cast<double>(round.population.size()) / inverse;
            double sum = 0;
            for (const tilings::Mutation& one : round.mutations)
                sum += machine.searcher.estimates()[static_cast<std::size_t>(one.parent)];
            drawn += sum / static_cast<double>(round.mutations.size());
            ++rounds;
        }
    }
    ASSERT_GT(rounds, 20);
    EXPECT_NEAR(drawn / all, 1, 0.05);
}

TEST(TilingSearch, PassesOverWhatCannotRun) {
    const Machine machine("G1");
    std::set<int> refused;
    const tilings::Measurer measure = [&](const Candidate& candidate) -> std::optional<double> {
        const int number = machine.number(candidate);
        if (candidate.tiles[1] == 16) {
            refused.insert(number);
            return std::nullopt;
        }
        return machine.seconds[static_cast<std::size_t>(number)];
    };
    const Search search = machine.searcher.run({.seed = 1}, measure);
    EXPECT_FALSE(refused.empty());
    for (const tilings::SearchRound& round : search.rounds)
        EXPECT_EQ(std::count_if(round.measured.begin(), round.measured.end(),
                                [](const tilings::MeasuredOne& one) { return one.seconds.has_value(); }),
                  8);
    ASSERT_TRUE(search.best);
    EXPECT_NE(machine.space.candidates[static_cast<std::size_t>(*search.best)].tiles[1], 16);
    const Search nothing = machine.searcher.run({}, [](const Candidate&) { return std::optional<double>(); });
    EXPECT_EQ(nothing.end, SearchEnd::NothingRuns);
    EXPECT_FALSE(nothing.best);
}

TEST(TilingSearch, StopsBetweenMeasurementsAndGoesOn) {
    const Machine machine("G1");
    const SearchOptions options{.seed = 5};
    const Search whole = machine.searcher.run(options, machine.measurer());
    Search search = machine.searcher.begin(options);
    machine.searcher.round(search, machine.measurer());
    int asked = 0;
    const StopSign stop([&] { return ++asked > 3; });
    EXPECT_THROW(machine.searcher.round(search, machine.measurer(), stop), Stopped);
    EXPECT_EQ(search.rounds.size(), 1u);
    while (search.end == SearchEnd::GoesOn) machine.searcher.round(search, machine.measurer());
    EXPECT_EQ(search.rounds.size(), whole.rounds.size());
    EXPECT_EQ(search.best, whole.best);
}

TEST(TilingSearch, EndsAtTheBoundOnRounds) {
    const Machine machine("G1", 2.0);
    const Search search = machine.searcher.run({.epsilon = 0, .most_rounds = 4}, machine.measurer());
    EXPECT_EQ(search.end, SearchEnd::Rounds);
    EXPECT_EQ(search.rounds.size(), 4u);
}

TEST(TilingRanking, ComparesEstimatesWithMeasurements) {
    const tilings::Ranking same = tilings::compare_ranking({1, 2, 3, 4}, {10, 20, 30, 40});
    EXPECT_DOUBLE_EQ(same.pearson, 1);
    EXPECT_DOUBLE_EQ(same.spearman, 1);
    EXPECT_EQ(same.best_rank, 1);
    EXPECT_EQ(same.regret[0], 0);
    // The fastest one comes second, the first is half as slow again.
    const tilings::Ranking swapped = tilings::compare_ranking({1, 2, 3, 4}, {30, 20, 40, 50});
    EXPECT_DOUBLE_EQ(swapped.spearman, 0.8);
    EXPECT_EQ(swapped.best_rank, 2);
    EXPECT_DOUBLE_EQ(swapped.regret[0], 0.5);
    EXPECT_EQ(swapped.regret[1], 0);
}

}  // namespace
}  // namespace blockscope::test
