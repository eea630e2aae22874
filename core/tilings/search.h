// MCFuser's Algorithm 1 as a search that can be replayed: a population, its estimates, what was measured of
// it, and why the search went on or stopped. A search is a value; a round makes the next one of it, so that
// it can be stopped between rounds and gone on with later.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/tilings/model.h"
#include "core/tilings/space.h"

namespace blockscope::tilings {

struct SearchOptions {
    int population = 256;  // N
    int top = 8;           // n, measured in each round
    double epsilon = 0.01;
    std::uint64_t seed = 1;
    int most_rounds = 50;  // the printed algorithm has no such bound
    TripCounts counts = TripCounts::Block;
};

// Seconds of a candidate (an index of Space::candidates), or nothing if it cannot run.
using Measurer = std::function<std::optional<double>(const Candidate& candidate)>;

struct Mutation {
    int parent = 0;  // index of Space::candidates
    int child = 0;
    int loop = 0;  // that got another size; -1: none has one that survives the rules
};

struct MeasuredOne {
    int candidate = 0;
    double estimate = 0;
    std::optional<double> seconds = {};
    bool anew = true;  // false: known from an earlier round
};

struct SearchRound {
    std::vector<int> population = {};        // by estimate, the least first
    std::vector<MeasuredOne> measured = {};  // until `top` have run
    std::vector<Mutation> mutations = {};    // that made the next population; none after the last round
    std::optional<int> best = {};            // of this round
    double best_seconds = 0;
    double difference = 0;  // to the best before, as a share of it
};

enum class SearchEnd { GoesOn, Converged, NothingRuns, Rounds };
Text why_ended(SearchEnd end);

struct Search {
    SearchOptions options = {};
    std::vector<SearchRound> rounds = {};
    std::vector<int> population = {};                 // of the next round
    std::map<int, std::optional<double>> known = {};  // measured so far, by candidate
    std::optional<int> best = {};                     // ever seen
    double best_seconds = 0;
    std::optional<int> returned = {};  // by the printed algorithm: the last round's
    double returned_seconds = 0;
    SearchEnd end = SearchEnd::GoesOn;
    std::uint64_t random = 0;  // state of the generator

    int measurements() const { return static_cast<int>(known.size()); }
};

class Searcher {
public:
    Searcher(const Space& space, TripCounts counts);

    Search begin(const SearchOptions& options) const;
    // One round. While `stop` is up, it ends with Stopped and the search is as before.
    void round(Search& search, const Measurer& measure, const StopSign& stop = kNeverStop) const;
    // Rounds until it ends.
    Search run(const SearchOptions& options, const Measurer& measure,
               const StopSign& stop = kNeverStop) const;

    const std::vector<double>& estimates() const { return estimates_; }

private:
    Mutation mutated(int parent, Search& search) const;
    void measure_top(Search& search, SearchRound& round, const Measurer& measure, const StopSign& stop) const;

    const Space& space_;
    std::vector<double> estimates_;
    std::map<std::pair<int, std::vector<std::int64_t>>, int> index_;
};

// How well estimates rank what was measured: of candidates that ran.
struct Ranking {
    int count = 0;
    double pearson = 0;
    double spearman = 0;
    int best_rank = 0;                // of the fastest one, by estimate, from 1
    std::vector<int> tops = {};       // 1, 8, 64
    std::vector<double> regret = {};  // best of the top so many against the best of all: 0.03 is 3% slower
};
Ranking compare_ranking(const std::vector<double>& estimates, const std::vector<double>& seconds);

// Measured times of candidates as a table of text, one a line, which is written as measuring goes on: a file
// that ends in the middle of a line holds all the lines before it.
//
//     # blockscope tilings G1: m=512 n=256 k=64 h=64 batch=1, on cpu, 1 thread
//     mhnk m=32 n=64 k=16 h=16: 1.2e-05
//     mhnk m=512 n=64 k=16 h=16: null
//
// Another head begins the times of another chain, or goes on with those of one above it.

// By candidate as text: seconds, or nothing where it cannot run.
using MeasuredTable = std::map<std::string, std::optional<double>>;

struct MeasuredSection {
    std::string subject;  // what follows "# blockscope tilings "; empty: nobody says
    MeasuredTable table;
};
struct MeasuredText {
    std::vector<MeasuredSection> sections;  // at least one; each subject once
    std::string last_subject;               // of the last line
    bool cut = false;                       // the last line has no end: left out if there is a head above it

    const MeasuredSection* of(const std::string& subject) const;  // null: there is none
    // Those that measured_subject() says are of the chain of this name.
    std::vector<const MeasuredSection*> named(const std::string& name) const;
};

constexpr std::size_t kMostMeasuredLine = 4096;  // bytes

// Problems name line and column: of a line that is none of the above, a candidate that stands twice, a time
// that is not above zero. `file` is what they call it. Candidates are not looked up in a space.
Result<MeasuredText> read_measured_text(const std::string& text, const std::string& file);

// "G1: m=512 n=256 k=64 h=64 batch=1, on cpu, 1 thread": what times are comparable with. `on`: the device.
std::string measured_subject(const std::string& name, const Chain& chain, const std::string& on);
// With its line end.
std::string measured_head(const std::string& subject);
std::string measured_line(const std::string& candidate, const std::optional<double>& seconds);

}  // namespace blockscope::tilings
