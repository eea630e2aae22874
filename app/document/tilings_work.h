// What a document keeps of the page Tilings: what the funnel reads the paper's rules as, what Algorithm 1 is
// told, and every measured time. A search is not kept round by round: its choices and these times make it
// anew.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json/reader.h"
#include "core/json/value.h"
#include "core/program/array_program.h"
#include "core/support/result.h"
#include "core/tilings/search.h"

namespace blockscope {

struct TilingChoices {
    std::string workload = {};  // "G3", of the paper; empty: the document's program
    tilings::Rules rules = {};
    tilings::TripCounts counts = tilings::TripCounts::Block;
    int seed = 1;
    int population = 256;
    int top = 8;
    double epsilon = 0.01;
    bool operator==(const TilingChoices&) const = default;

    tilings::SearchOptions search_options() const;
};

// A search that was begun: its first rounds measured nothing that is not known.
struct KeptSearch {
    TilingChoices choices = {};
    std::string device = {};  // whose description ranked the candidates
    int rounds = 0;
    bool operator==(const KeptSearch&) const = default;
};

// Candidates as text, with their seconds; nothing: it cannot run.
using MeasuredTilings = std::map<std::string, std::optional<double>>;

// What one machine measured of one chain.
struct TilingsRun {
    std::string workload = {};  // empty: the document's program
    std::string machine = {};
    MeasuredTilings measured = {};
    std::optional<KeptSearch> search = {};
    bool operator==(const TilingsRun&) const = default;
};

struct TilingsWork {
    TilingChoices choices = {};
    std::vector<TilingsRun> runs = {};
    bool operator==(const TilingsWork&) const = default;

    const TilingsRun* run(const std::string& workload, const std::string& machine) const;  // null: none
    // Made, if there is none.
    TilingsRun& run_of(const std::string& workload, const std::string& machine);
};
using TilingsWorkPtr = std::shared_ptr<const TilingsWork>;  // null: as nobody has looked yet

bool same_tilings(const TilingsWorkPtr& a, const TilingsWorkPtr& b);
// Without what was measured of the document's program: it is another now.
TilingsWorkPtr without_own_runs(const TilingsWorkPtr& work);
// How many measured times of `a` are not in `b`.
int measured_only_in(const TilingsWorkPtr& a, const TilingsWorkPtr& b);

constexpr int kMostTilingsPopulation = 100'000;  // as `tilings --population`
constexpr std::size_t kMostTilingsRuns = 256;

// The key "tilings" of a document (docs/json.md); left out where nobody has looked.
void add_tilings(json::Object& document, const TilingsWorkPtr& work);
// Each candidate is looked up in its chain: `array` is the document's program, null for block programs. Null
// if something is wrong, which is reported.
TilingsWorkPtr read_tilings(const json::Reader& reader, const ArrayProgram* array);

}  // namespace blockscope
