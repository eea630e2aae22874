// What a measurement is of, so that a result can be told from one of another program, state or size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/measure/failure.h"
#include "core/measure/sampling.h"
#include "core/measure/statistics.h"
#include "core/support/text.h"

namespace blockscope::measure {

struct Subject {
    std::string program;      // what people call it: the file's or document's name
    std::string state;        // "step 0", "snapshot 2", "snapshot 2, safe"
    std::string program_key;  // structure_key() of the initial program
    std::string state_key;    // structure_key() of the state that ran
    DimTable dims;            // names, sizes and blocks
    std::string elem;         // "f32": what runs, whatever the program declares
    std::string device;       // "cpu"
    std::string machine;      // CPU model and host; another machine's result is another result
    int threads = 0;          // 0: all

    bool operator==(const Subject&) const = default;
};

// 16 hexadecimal digits that two programs share if they have the same structure and operators, whatever their
// sizes, block sizes and node numbers.
std::string structure_key(const BlockProgram& program);

// The same for everything that makes a result comparable: both structures, sizes, blocks, type, device,
// machine, threads. Names for people do not count.
std::string subject_key(const Subject& subject);

// What differs between what was `measured` and what is asked for `now`, a sentence each: "The program has
// changed.", "The sizes differ: M was 4096/128 and is 2048/128." Empty if the result is still one of this
// (same subject key).
std::vector<Text> stale_reasons(const Subject& measured, const Subject& now);

// One result, as the results file keeps it.

// Times of one way of running: seconds.
struct Timing {
    Summary summary;
    Course course;  // how the samples were come by
    int runs = 1;  // of which each sample is the mean, where a single one is too short for the device's clock
    double empty_seconds = 0;  // what nothing takes between the same two points in time; 0: not known
    bool operator==(const Timing&) const = default;
};

// How a result was checked before it was timed.
struct Check {
    double error = 0;        // largest difference, relative to the output's largest reference value
    double tolerance = 0;    // what was allowed
    std::string how;         // "all 262144 elements against the float64 reference"
    bool repeatable = true;  // a second run gave the same bits
    bool operator==(const Check&) const = default;
};

// A paired comparison with another state at the same time: this state's time over the other's.
struct Against {
    std::string state;
    std::string subject_key;
    Ratio ratio;
    bool operator==(const Against&) const = default;
};

struct Record {
    std::string time;  // UTC, "2026-01-31T12:34:56Z"
    Subject subject;
    Machine machine;
    Conditions before, after;
    std::uint64_t seed = 1;  // of the inputs
    std::optional<Check> check;
    std::optional<Timing> warm, cold;
    std::vector<double> kernels;  // seconds of the top-level operators in the order of the listing, warm
                                  // medians; empty where the device does not time them
    std::optional<Against> against;
    std::optional<double> predicted_seconds;
    std::string model;               // that predicted
    std::string prepared;            // how the program was lowered and compiled, for people
    std::optional<Failure> failure;  // why there is no time

    bool operator==(const Record&) const = default;
};

}  // namespace blockscope::measure
