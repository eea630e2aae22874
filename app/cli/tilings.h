// The parts of `tilings`: what it is asked, what it found, and how that is said.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "core/tilings/search.h"
#include "core/tilings/states.h"
#include "core/tilings/workloads.h"

namespace blockscope::tilings {

struct TilingsArguments {
    std::string file;
    std::string workload;  // instead of a file: "G3", "all"
    std::string device = "a100-pcie-40gb";
    std::string same = "gridorder";
    std::string padding = "exact";
    std::string shared = "ABCDE";
    std::string counts = "block";
    bool deep = false;
    std::string one;  // loops of extent one in the stage Reduced: "k"
    bool expressions = false;
    std::string candidate;
    int top = 8;
    bool search = false;
    bool exhaustive = false;
    std::string measure;
    int threads = 0;
    SearchOptions options = {};
    std::string save;
    std::string plot;
    std::string output;
    bool json = false;
};

// Measured times by candidate as text; nothing: it cannot run.
using MeasuredTable = std::map<std::string, std::optional<double>>;
// Lines of "CANDIDATE: SECONDS" or "CANDIDATE: null"; '#' starts a comment. Throws BadInput.
MeasuredTable read_measured(const std::string& file);
std::string measured_text(const Space& space, const std::map<int, std::optional<double>>& measured);

struct TilingsResult {
    std::string name;
    Space space;
    TripCounts counts = TripCounts::Block;
    std::vector<int> ones = {};                            // loops that the stage Reduced leaves out
    std::vector<double> estimates = {};                    // by candidate
    std::vector<int> order = {};                           // candidates, the best estimate first
    std::vector<std::optional<MatchedState>> states = {};  // by expression; empty: not asked for
    std::map<int, std::optional<double>> measured = {};
    std::optional<Search> search = {};
    std::optional<Ranking> ranking = {};  // estimates against all that was measured
    double seconds = 0;                   // that space, rules, model and ranking took
};

int run_command(const TilingsArguments& arguments);
void print_tilings(const TilingsResult& result, const TilingsArguments& arguments);
cli::Json tilings_json(const TilingsResult& result);
cli::Json estimate_json(const Estimate& estimate);

// Of the 21 workloads: what is left of each, and its best candidate.
struct WorkloadRow {
    Workload workload;
    TilingsResult result;
    double fused = 0;    // seconds, estimated: the best candidate
    double deep = 0;     // the best one of Chimera's space
    double unfused = 0;  // the best tilings of each product alone
};
void print_workloads(const std::vector<WorkloadRow>& rows);
cli::Json workloads_json(const std::vector<WorkloadRow>& rows);

// Plots as SVG. Throws UsageError where what they show was not measured.
std::string predicted_plot(const TilingsResult& result);         // Fig. 11
std::string speedup_plot(const std::vector<WorkloadRow>& rows);  // Fig. 8

}  // namespace blockscope::tilings
