// The commands that measure; their arguments are declared in measure_arguments.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/measure/sampling.h"

namespace CLI {
class App;
}

namespace blockscope::cli {

// What all of them take.
struct MeasureArguments {
    std::string file;
    std::string on = "cpu";          // the device
    std::string host;                // another machine, through ssh; empty: this one
    std::string snapshot = "all";    // "all", or a number; 0 is the initial program
    std::optional<int> step;         // instead of snapshots
    std::string baseline = "0";      // bench: the snapshot that others are compared with
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::string type = "f32";        // of the inputs
    bool safe = false;
    bool unsafe = false;    // on a card, where the safe form is the default
    std::string target;     // of a card's code generator; empty: what suits the card
    int threads = 0;        // 0: all
    int block_threads = 0;  // of a card's thread blocks; 0: what suits the program
    int stages = 0;         // of tiles that a card copies ahead; 0: what suits the program
    int top = 8;            // tune: how many block sizes are measured
    std::uint64_t seed = 1;
    double range = 1;  // the random inputs lie in [-range, range]
    measure::SamplingPlan plan;
    bool no_cold = false;
    std::string results;  // file; empty: the user's
    bool no_results = false;
    bool csv = false;
    bool json = false;
};
int run_command(const MeasureArguments& arguments);
int bench_command(const MeasureArguments& arguments);
int tune_command(const MeasureArguments& arguments);

struct CalibrateArguments {
    std::string on = "cpu";
    std::string host;
    std::string output;  // empty: the cache
    bool csv = false;
    bool json = false;
};
int calibrate_command(const CalibrateArguments& arguments);

struct DiagnosticsArguments {
    bool json = false;
};
int diagnostics_command(const DiagnosticsArguments& arguments);

struct WorkerArguments {
    bool json = false;  // it speaks JSON in any case
};
int worker_command(const WorkerArguments& arguments);

// Everything that was parsed lives here.
struct MeasureCommandLine {
    MeasureArguments run, bench, tune;
    CalibrateArguments calibrate;
    DiagnosticsArguments diagnostics;
    WorkerArguments worker;
};
void add_measuring(CLI::App& app, MeasureCommandLine& line, std::function<int()>& chosen);

}  // namespace blockscope::cli
