// MCFuser's best candidate beside Blockscope's own best state of the same program with searched block sizes:
// which of them is faster, and why. Command line and window say the same; only the command measures ours.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/worker/own_best.h"
#include "core/support/text.h"
#include "core/tilings/model.h"
#include "core/tilings/space.h"

namespace blockscope::worker {

struct TilingComparison {
    int candidate = 0;  // measured the fastest, else the best by our model
    double paper = 0;   // seconds by MCFuser's model
    double own = 0;     // by Blockscope's
    std::optional<double> measured = {};
    tilings::Estimate estimate = {};  // of the candidate: what it does
    OwnState best;
    std::vector<Text> why = {};  // sentences without a full stop, from the numbers

    // How many times as fast ours is: measured where both are, else by our model.
    double speed_of_ours() const;
    bool both_measured() const { return measured && best.measured; }
};

struct ComparedTilings {
    const tilings::Space* space = nullptr;  // stays until the comparison is made
    tilings::TripCounts counts = tilings::TripCounts::Block;
    Device device = {};
    int processors = 0;            // of a processor, that times are of; 0: all
    std::vector<double> own = {};  // seconds of all candidates by Blockscope's model; empty: not known yet
    std::map<int, std::optional<double>> measured = {};  // by candidate, on `device` itself
    bool measure_ours = false;                           // on this machine's processor
};

// Without `made` no candidate is a kernel of the card, and `why_not` is a sentence.
struct Compared {
    std::optional<TilingComparison> made = {};
    Text why_not = {};
};
// Problems are of our search, which finds nothing that fits. Ends with Stopped while `stop` is up.
Result<Compared> compare_tilings(const ComparedTilings& asked, const StopSign& stop = kNeverStop);

// "Ours is 1.42 times as fast, by our model."
Text verdict_of(const TilingComparison& made);

// The two as rows of a table, with what is counted of each.
struct ComparedRow {
    std::string name;  // "mhn(k) m=32 ...", "ours: step 16 M/64 N/64"
    double paper = 0, own = 0;
    std::optional<double> measured = {};
    double flops = 0, bytes = 0, tasks = 0;
};
std::vector<ComparedRow> rows_of(const TilingComparison& made, const tilings::Space& space);

}  // namespace blockscope::worker
