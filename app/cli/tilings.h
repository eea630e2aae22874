// The parts of `tilings`: what it is asked, what it found, and how that is said.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/envelope.h"
#include "app/cli/terminal.h"
#include "app/worker/tiling_comparison.h"
#include "core/tilings/schedule.h"
#include "core/tilings/search.h"
#include "core/tilings/states.h"
#include "core/tilings/workloads.h"

namespace blockscope::tilings {

constexpr std::string_view kTable = "table:";  // what a file of times follows in --measure

struct TilingsArguments {
    std::string file;
    std::vector<std::string> sizes;  // of the file's dimensions
    std::string workload;            // instead of a file: "G3", "all"
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
    bool compare = false;
    int sample = 32;  // of --plot fig10
    std::string save;
    std::string plot;
    std::string output;
    bool json = false;

    // Whether a table of workloads is asked for.
    bool several() const { return workload == "all" || workload.find(',') != std::string::npos; }
};

struct TilingsResult {
    std::string name;
    Device device;
    Space space;
    TripCounts counts = TripCounts::Block;
    std::vector<int> ones = {};          // loops that the stage Reduced leaves out
    std::vector<double> estimates = {};  // by candidate
    std::vector<int> order = {};         // candidates, the best estimate first
    std::vector<double> own = {};  // seconds by candidate, by Blockscope's own model; empty: not asked for
    std::vector<std::optional<MatchedState>> states = {};  // by expression; empty: not asked for
    std::vector<std::optional<BuiltProgram>> built = {};   // of the others
    std::map<int, std::optional<double>> measured = {};
    std::optional<Search> search = {};
    std::optional<Ranking> ranking = {};      // estimates against all that was measured
    std::optional<Ranking> own_ranking = {};  // those of Blockscope's own model
    std::optional<worker::TilingComparison> comparison = {};
    int processors = 0;                     // of a processor, that estimates are of; 0: all
    std::vector<std::string> notes = {};    // on what was measured, and what could not be
    std::optional<cli::Json> machine = {};  // that has run candidates on its processor
    int known = 0;                          // candidates whose times were in the file of --save
    double seconds = 0;                     // that space, rules, model and ranking took
};

int run_command(const TilingsArguments& arguments);
int run_workloads(const TilingsArguments& arguments);  // of several
// Prints a figure's SVG or writes it to --output; with --json prints what it shows as numbers.
int hand_out_figure(const std::string& text, cli::Json json, const TilingsArguments& arguments);
Rules rules_of(const TilingsArguments& arguments);
const Workload& workload_named(const std::string& name);  // throws UsageError
// Of a processor: as many as measuring takes. A card's estimates are of the whole card, whatever is measured.
int own_processors(const TilingsArguments& arguments, const Device& device);

// "0.93".
std::string rounded(double value, const char* format = "%.2f");

template <class T>
T checked(Result<T> result) {
    if (!result) throw cli::BadInput(result.problems());
    return std::move(result).value();
}

// Space, rules and both rankings of a program.
TilingsResult ranked(const std::string& name, const ArrayProgram& program, const TilingsArguments& arguments,
                     const Rules& rules);

// Runs, looks up or goes on with what --search and --exhaustive ask for, and ranks both models by it. Throws
// UsageError, BadInput and NoDevice. `title`: of the progress.
void measure(TilingsResult& result, const TilingsArguments& arguments,
             const std::string& title = "measured candidates");
// The search's own measurements alone, on the processor: of one workload among all.
Search measured_search(const TilingsResult& result, const TilingsArguments& arguments);
void compare_with_own(TilingsResult& result, const TilingsArguments& arguments);
void print_comparison(const TilingsResult& result);
cli::Json comparison_json(const TilingsResult& result);

void print_tilings(const TilingsResult& result, const TilingsArguments& arguments);
cli::Json tilings_json(const TilingsResult& result);
cli::Json estimate_json(const Estimate& estimate);
cli::Json candidate_json(const TilingsResult& result, const Candidate& candidate);
cli::Json funnel_json(const Space& space);
cli::Json ranking_json(const Ranking& ranking);
cli::Json predicted_json(const TilingsResult& result);  // what Fig. 11 shows

// One encoder of a network: attention as its S workload, and its products one by one. Fig. 9.
struct EncoderRow {
    std::string network;
    int layers = 0;
    double rest = 0;     // seconds of a layer without attention: estimated
    double unfused = 0;  // of its attention, operator by operator
    double fused = 0;    // by the best candidate
    double speedup() const { return (rest + unfused) / (rest + fused); }
};
// A workload on this machine's processor, in seconds.
struct MeasuredWorkload {
    double fused = 0;    // the best that the search met
    double deep = 0;     // of Chimera's space
    double unfused = 0;  // our engine, operator by operator, at its best block sizes
    double own = 0;      // our own best state
    double tuning = 0;   // that space, model, search and its measurements took
    double deep_tuning = 0;
    int measurements = 0;
};

// Of the 21 workloads: what is left of each, and its best candidate.
struct WorkloadRow {
    Workload workload;
    TilingsResult result;
    double fused = 0;    // seconds, estimated: the best candidate
    double deep = 0;     // the best one of Chimera's space
    double unfused = 0;  // the best tilings of each product alone, and a softmax of its own
    std::optional<MeasuredWorkload> measured = {};
};

// Shared memory of candidates, estimated and as our own kernels take it: Fig. 10.
struct SharedPoint {
    Candidate candidate;
    std::int64_t layout = 0;    // bytes of tiles in the generated kernel's layout
    std::int64_t compiled = 0;  // with what ptxas adds; 0: not compiled
    std::string refused = {};   // by the generator or the compiler
};
struct SharedMemory {
    std::vector<SharedPoint> points = {};
    std::string architecture = {};  // that was compiled for; empty: nothing was
    std::string why_not = {};       // then why
    std::int64_t limit = 0;         // bytes that a thread block may have
    int of = 0;                     // candidates that the points are a sample of: all that rule 3 keeps
};
SharedMemory shared_memory(const TilingsResult& result, int sample);
void print_shared(const TilingsResult& result, const SharedMemory& shared);
cli::Json shared_json(const TilingsResult& result, const SharedMemory& shared);

constexpr double kPaperOverRelay = 1.45;  // MCFuser+Relay over Relay, average of the three networks
std::vector<EncoderRow> encoders(const TilingsArguments& arguments);
void print_encoders(const std::vector<EncoderRow>& rows);

// Plots as SVG. Throws UsageError where what they show was not measured.
std::string predicted_plot(const TilingsResult& result);                           // Fig. 11
std::string shared_plot(const TilingsResult& result, const SharedMemory& shared);  // Fig. 10
std::string speedup_plot(const std::vector<WorkloadRow>& rows);                    // Fig. 8
std::string encoder_plot(const std::vector<EncoderRow>& rows);                     // Fig. 9
std::string tuning_plot(const std::vector<WorkloadRow>& rows);                     // Table IV

}  // namespace blockscope::tilings
