// One measurement: what it is of, so that it can be told from one of another program, state or size; its
// result; and the file that keeps results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/measure/failure.h"
#include "core/measure/sampling.h"
#include "core/support/result.h"
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

// What ran where what suits the card best did not do: another target, and what was wrong with the first.
struct Fallback {
    std::string target;
    Failure failure;
    bool operator==(const Fallback&) const = default;
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
    std::string model;     // that predicted
    std::string prepared;  // how the program was lowered and compiled, for people
    std::optional<Fallback> fallback = {};
    std::optional<Failure> failure;  // why there is no time

    bool operator==(const Record&) const = default;
};

// The results file: one JSON object a line, only ever appended to, each line on disk before the next one
// begins (docs/measuring.md).

constexpr int kRecordVersion = 1;

std::string write_record(const Record& record);  // one line, without its newline
Result<Record> read_record(const std::string& line, const std::string& file);

// Appends one line and waits until it is on disk; makes the folder and the file if need be. A last line that
// a crash left unfinished is closed first, so that it spoils nothing but itself. Returns what went wrong.
std::optional<Problem> append_record(const std::string& file, const Record& record);

struct Results {
    std::vector<Record> records;  // in the order of the file
    int unreadable = 0;           // lines that were left out: cut off by a crash, or of a later version
};
// Every record that can be read. A file that does not exist has none.
Result<Results> read_results(const std::string& file);

// Newest record with this subject key; null if there is none.
const Record* newest(const Results& results, const std::string& subject_key);

// $XDG_DATA_HOME/blockscope/results.jsonl, or ~/.local/share/blockscope/results.jsonl.
std::string default_results_file();

}  // namespace blockscope::measure
