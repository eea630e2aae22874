// States of the samples at chosen sizes with their measured times: what the models are judged by. Measured
// now, or read from a file of earlier measurements.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/cost/kernel_work.h"
#include "core/fusion/trace.h"
#include "core/program/array_program.h"

namespace blockscope::bench {

// One state at one size.
struct Point {
    std::string sample;
    int set = 0;        // snapshots of one program at one size and block size
    std::string sizes;  // "M=256/32 N=256/32"
    int snapshot = 0;   // 0: the unfused program
    bool safe = false;  // its numerically safe form
    StateWork work;
    double measured = 0;  // seconds
    double probe = 0;     // of the machine's speed then (machine_speed.h), seconds; 0: not known
    std::map<std::string, double> predicted = {};  // by model
};

// A sample at these sizes, and its snapshots.
struct Sized {
    ArrayProgram array;
    Trace trace;
    // Null if there are fewer snapshots.
    ProgramPtr snapshot(int number, bool safe) const;
};
Sized sized(const std::string& sample, const DimTable& dims);
// The sample's dimensions with at most `size` elements in blocks of `block`; batch dimensions have at most 4.
DimTable dims_of(const std::string& sample, std::int64_t size, std::int64_t block);
std::string sizes_text(const DimTable& dims);

// What the models read of a state that the CPU engine runs in float32.
StateWork work_of(const ProgramPtr& state);

// Points of a file: `--csv` of an earlier report, or a results file of blockscope-cli (*.jsonl; the medians
// of warm runs of samples, the newest of each state). Throws std::runtime_error if it cannot be read.
std::vector<Point> read_points(const std::string& file);
// Every point with what the models say.
void write_points(const std::string& file, const std::vector<Point>& points);

}  // namespace blockscope::bench
