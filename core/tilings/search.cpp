#include "core/tilings/search.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <set>

namespace blockscope::tilings {

namespace {

// SplitMix64: small, and the same everywhere.
std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t value = (state += 0x9e3779b97f4a7c15ull);
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31);
}

std::size_t below(std::uint64_t& state, std::size_t count) {
    return static_cast<std::size_t>(next_random(state) % count);
}

double unit(std::uint64_t& state) {
    return static_cast<double>(next_random(state) >> 11) * 0x1p-53;
}

// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
        const double mean = (static_cast<double>(i + end) + 1) / 2;
        for (; i < end; ++i) result[order[i]] = mean;
    }
    return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto count = static_cast<double>(a.size());
    const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / count;
    const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / count;
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean_a) * (b[i] - mean_b);
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace

Text why_ended(SearchEnd end) {
    switch (end) {
        case SearchEnd::GoesOn:
            return Text("goes on");
        case SearchEnd::Converged:
            return Text("the best of a round differs from the best before by less than epsilon");
        case SearchEnd::NothingRuns:
            return Text("no candidate of the population can run");
        case SearchEnd::Rounds:
            return Text("the bound on rounds is reached");
    }
    return {};
}

Searcher::Searcher(const Space& space, TripCounts counts)
    : space_(space), estimates_(estimated_seconds(space, space.candidates, counts)) {
    for (std::size_t i = 0; i < space.candidates.size(); ++i)
        index_.emplace(std::make_pair(space.candidates[i].expression, space.candidates[i].tiles),
                       static_cast<int>(i));
}

Search Searcher::begin(const SearchOptions& options) const {
    Search search{.options = options};
    search.random = options.seed;
    std::vector<int> all(space_.candidates.size());
    std::iota(all.begin(), all.end(), 0);
    const std::size_t count = std::min(all.size(), static_cast<std::size_t>(options.population));
    for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + below(search.random, all.size() - i)]);
    all.resize(count);
    search.population = std::move(all);
    if (search.population.empty()) search.end = SearchEnd::NothingRuns;
    return search;
}

// One loop gets another size that rule 3 keeps; drawn again until rule 4 holds. Where no size of any loop
// does, the child is its parent.
Mutation Searcher::mutated(int parent, Search& search) const {
    const Candidate& from = space_.candidates[static_cast<std::size_t>(parent)];
    const auto loops = static_cast<std::size_t>(space_.chain.loop_count());
    for (int attempt = 0; attempt < 1000; ++attempt) {
        const std::size_t loop = below(search.random, loops);
        const std::vector<TileSize>& sizes = space_.sizes[loop];
        const TileSize& size = sizes[below(search.random, sizes.size())];
        if (!size.kept || size.size == from.tiles[loop]) continue;
        std::vector<std::int64_t> tiles = from.tiles;
        tiles[loop] = size.size;
        const auto child = index_.find({from.expression, tiles});
        if (child != index_.end()) return {parent, child->second, static_cast<int>(loop)};
    }
    return {parent, parent, -1};
}

void Searcher::measure_top(Search& search, SearchRound& round, const Measurer& measure,
                           const StopSign& stop) const {
    std::set<int> seen;
    int ran = 0;
    for (const int candidate : round.population) {
        if (ran == search.options.top) break;
        if (!seen.insert(candidate).second) continue;
        stop.check();
        const auto known = search.known.find(candidate);
        MeasuredOne row{.candidate = candidate,
                        .estimate = estimates_[static_cast<std::size_t>(candidate)],
                        .anew = known == search.known.end()};
        row.seconds =
            row.anew ? measure(space_.candidates[static_cast<std::size_t>(candidate)]) : known->second;
        search.known[candidate] = row.seconds;
        round.measured.push_back(row);
        if (!row.seconds) continue;
        ++ran;
        if (round.best && *row.seconds >= round.best_seconds) continue;
        round.best = candidate;
        round.best_seconds = *row.seconds;
    }
}

void Searcher::round(Search& before, const Measurer& measure, const StopSign& stop) const {
    if (before.end != SearchEnd::GoesOn) return;
    Search search = before;
    SearchRound round{.population = search.population};
    std::stable_sort(round.population.begin(), round.population.end(), [&](int a, int b) {
        return estimates_[static_cast<std::size_t>(a)] < estimates_[static_cast<std::size_t>(b)];
    });
    measure_top(search, round, measure, stop);
    if (!round.best) search.end = SearchEnd::NothingRuns;
    if (round.best) {
        const bool first = !search.best;
        round.difference = first ? std::numeric_limits<double>::infinity()
                                 : std::abs(round.best_seconds - search.best_seconds) / search.best_seconds;
        search.returned = round.best;
        search.returned_seconds = round.best_seconds;
        if (first || round.best_seconds < search.best_seconds) {
            search.best = round.best;
            search.best_seconds = round.best_seconds;
        }
        if (round.difference < search.options.epsilon) search.end = SearchEnd::Converged;
    }
    if (search.end == SearchEnd::GoesOn &&
        static_cast<int>(search.rounds.size()) + 1 >= search.options.most_rounds)
        search.end = SearchEnd::Rounds;
    if (search.end == SearchEnd::GoesOn) {
        std::vector<double> sums;
        double sum = 0;
        for (const int candidate : round.population)
            sums.push_back(sum += 1 / estimates_[static_cast<std::size_t>(candidate)]);
        search.population.clear();
        for (std::size_t i = 0; i < round.population.size(); ++i) {
            const auto picked = std::upper_bound(sums.begin(), sums.end() - 1, unit(search.random) * sum);
            round.mutations.push_back(
                mutated(round.population[static_cast<std::size_t>(picked - sums.begin())], search));
            search.population.push_back(round.mutations.back().child);
        }
    }
    search.rounds.push_back(std::move(round));
    before = std::move(search);
}

Search Searcher::run(const SearchOptions& options, const Measurer& measure, const StopSign& stop) const {
    Search search = begin(options);
    while (search.end == SearchEnd::GoesOn) round(search, measure, stop);
    return search;
}

Ranking compare_ranking(const std::vector<double>& estimates, const std::vector<double>& seconds) {
    Ranking ranking{.count = static_cast<int>(estimates.size())};
    if (estimates.empty()) return ranking;
    ranking.pearson = correlation(estimates, seconds);
    ranking.spearman = correlation(ranks(estimates), ranks(seconds));
    std::vector<std::size_t> order(estimates.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return estimates[a] < estimates[b]; });
    const double best = *std::min_element(seconds.begin(), seconds.end());
    for (std::size_t i = 0; i < order.size(); ++i)
        if (seconds[order[i]] == best && ranking.best_rank == 0) ranking.best_rank = static_cast<int>(i) + 1;
    for (const int top : {1, 8, 64}) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < order.size() && static_cast<int>(i) < top; ++i)
            least = std::min(least, seconds[order[i]]);
        ranking.tops.push_back(top);
        ranking.regret.push_back(least / best - 1);
    }
    return ranking;
}

namespace {

constexpr std::string_view kHead = "# blockscope tilings ";

class MeasuredReader {
public:
    MeasuredReader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

    Result<MeasuredText> read() {
        std::size_t at = 0;
        while (at < text_.size()) {
            ++number_;
            const std::size_t end = text_.find('\n', at);
            std::string_view line(text_.data() + at, (end == std::string::npos ? text_.size() : end) - at);
            at = end == std::string::npos ? text_.size() : end + 1;
            if (line.ends_with('\r')) line.remove_suffix(1);
            made_.cut = end == std::string::npos;
            // What wrote the head ends each line: the rest of this one is not there.
            if (made_.cut && !made_.last_subject.empty()) break;
            if (auto problem = read_line(line)) return *problem;
        }
        return std::move(made_);
    }

private:
    std::optional<Problem> read_line(std::string_view line) {
        if (line.size() > kMostMeasuredLine)
            return wrong(1, Text("a line has at most %1 bytes", std::to_string(kMostMeasuredLine)));
        if (line.find_first_not_of(" \t") == std::string_view::npos) return std::nullopt;
        if (line.starts_with(kHead)) begin_section(std::string(line.substr(kHead.size())));
        if (line.front() == '#') return std::nullopt;
        const std::size_t colon = line.rfind(": ");
        if (colon == std::string_view::npos || colon == 0) return expected(1);
        const std::string candidate(line.substr(0, colon));
        const std::string_view value = line.substr(colon + 2);
        MeasuredTable& table = made_.sections[section_].table;
        if (table.count(candidate) > 0)
            return wrong(1, Text("the candidate %1 stands in the table twice", candidate));
        if (value == "null") {
            table[candidate] = std::nullopt;
            return std::nullopt;
        }
        double seconds = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (error != std::errc() || end != value.data() + value.size() || !(seconds > 0) ||
            !std::isfinite(seconds))
            return expected(static_cast<int>(colon) + 3);
        table[candidate] = seconds;
        return std::nullopt;
    }

    void begin_section(const std::string& subject) {
        made_.last_subject = subject;
        MeasuredSection& first = made_.sections.front();
        if (first.subject.empty() && first.table.empty()) first.subject = subject;
        const MeasuredSection* known = made_.of(subject);
        section_ = known ? static_cast<std::size_t>(known - made_.sections.data()) : made_.sections.size();
        if (!known) made_.sections.push_back({.subject = subject, .table = {}});
    }

    Problem expected(int column) const {
        return wrong(column, Text("expected a candidate, a colon and its seconds or null: "
                                  "mhnk m=32 n=64 k=16 h=16: 1.2e-05"));
    }
    Problem wrong(int column, Text message) const {
        return {{.file = file_, .line = number_, .column = column, .pointer = {}}, std::move(message)};
    }

    const std::string& text_;
    const std::string& file_;
    int number_ = 0;
    std::size_t section_ = 0;
    MeasuredText made_{.sections = {{}}, .last_subject = {}};
};

}  // namespace

const MeasuredSection* MeasuredText::of(const std::string& subject) const {
    const auto found = std::find_if(sections.begin(), sections.end(), [&](const MeasuredSection& section) {
        return section.subject == subject;
    });
    return found == sections.end() ? nullptr : &*found;
}

std::vector<const MeasuredSection*> MeasuredText::named(const std::string& name) const {
    std::vector<const MeasuredSection*> found;
    for (const MeasuredSection& section : sections)
        if (section.subject.starts_with(name + ":")) found.push_back(&section);
    return found;
}

Result<MeasuredText> read_measured_text(const std::string& text, const std::string& file) {
    return MeasuredReader(text, file).read();
}

std::string measured_subject(const std::string& name, const Chain& chain, const std::string& on) {
    std::string text = name + ":";
    for (const Loop& loop : chain.loops) text += " " + loop.name + "=" + std::to_string(loop.size);
    return text + " batch=" + std::to_string(chain.batch) + ", on " + on;
}

std::string measured_head(const std::string& subject) {
    std::string line = std::string(kHead) + subject;
    for (char& letter : line)
        if (static_cast<unsigned char>(letter) < ' ') letter = '?';
    return line + "\n";
}

std::string measured_line(const std::string& candidate, const std::optional<double>& seconds) {
    if (!seconds) return candidate + ": null\n";
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", *seconds);
    return candidate + ": " + text + "\n";
}

}  // namespace blockscope::tilings
