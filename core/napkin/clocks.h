// Clock analysis (Section 5.7): how many clock cycles each operator of a streamed algorithm takes on its
// pipeline, per thread (one row of the grouped axis) and per part of the stream, and what bounds the whole.
#pragma once

#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/diagram/document.h"
#include "core/json/value.h"
#include "core/napkin/expand.h"
#include "core/support/result.h"

namespace blockscope::circuit {

struct PipelineWork {
    Text operation;  // "· that makes S", "softmax that makes P", "scale and add to O"
    Unit unit = Unit::Matrix;
    ElemType elem = ElemType::F16;
    Formula ops;       // per thread and part of the stream
    double count = 0;  // `ops` at the configuration
    double rate = 0;   // operations per clock of one processor
    double clocks() const { return count / rate; }
};

struct ClockAnalysis {
    std::vector<PipelineWork> pipelines;  // in order of execution
    double bytes =
        0;  // that one part of the stream brings from global memory, however many threads there are
    double thread_bytes = 0;  // and for each thread besides: of rows that are streamed, too
    double operations = 0;    // of matrices, per thread and part

    double of(Unit unit) const;  // clocks on one kind of pipeline
    double bound() const;        // of matrix pipelines: the lower bound of Section 5.7
};

// Per part of the stream of `expansion` on `device`, at its configuration. A problem says what the device
// lacks.
Result<ClockAnalysis> clock_analysis(const Expansion& expansion, const Configuration& configuration,
                                     const Device& device);

// Appendix B.0.1: the number of threads (g) from which on transfers take no longer than the matrix pipelines:
// k g / f >= H / (B / N), without caches; H grows with g where rows are streamed. 0 if no number is enough.
double least_threads(const ClockAnalysis& analysis, const Device& device);

// Operations per second of the device if matrix pipelines never wait.
double ideal_rate(const ClockAnalysis& analysis, const Device& device);

// Overlapped execution (Section 5.7, Section 6): the operators of several warpgroups on the pipelines of one
// processor, by a small list scheduler.

struct LaneTask {
    std::string name;
    Unit unit = Unit::Matrix;
    double clocks = 0;    // per thread
    double overhead = 0;  // as a part of `clocks`: 0.5 is half as long again
    double duration() const { return clocks * (1 + overhead); }
};

struct ScheduledTask {
    int lane = 0;  // warpgroup
    int iteration = 0;
    int task = 0;  // of the list
    double start = 0;
    double worked = 0;  // end without overhead
    double end = 0;
};

// A task that waits for its pipeline though its operands are there.
struct Barrier {
    double at = 0;  // when it goes on
    int lane = 0;
    int iteration = 0;
    int task = 0;
    double waited = 0;
};

struct Schedule {
    std::vector<LaneTask> tasks;
    std::vector<ScheduledTask> scheduled;  // by start
    std::vector<Barrier> barriers;
    int lanes = 1;
    double period =
        0;  // clocks per thread from one iteration of all warpgroups to the next, once it is steady

    // The part of the period in which a pipeline works (overhead is no work).
    double busy(Unit unit) const;
};

// `tasks` run in this order in each of `iterations` iterations of `lanes` warpgroups. A pipeline runs one
// task at a time, its overhead included; what is not on the tensor cores also keeps its warpgroup's threads
// busy.
Schedule schedule(const std::vector<LaneTask>& tasks, int lanes, Overlap overlap, int iterations);

// The tasks of one iteration, with overheads by unit.
std::vector<LaneTask> lane_tasks(const ClockAnalysis& analysis, double special_overhead,
                                 double vector_overhead);

// The largest overhead of the tasks on `unit` (up to `most`) that leaves the period as it is without any.
double allowance(std::vector<LaneTask> tasks, Unit unit, int lanes, Overlap overlap, double most);

// Schedules as JSON (docs/json.md), in clocks per thread.

// {"format": "blockscope clocks", "version": 1, "lanes": 3, "period": 18, "tasks": [...], "scheduled": [...],
// "barriers": [...]}
json::Value to_json(const Schedule& schedule);

// The schedule as a trace that Perfetto and browsers open (the Trace Event Format): the warpgroups of one
// processor, a thread for each of their units, and below them the units themselves. A clock is shown as a
// nanosecond. `title` names the trace.
json::Value to_trace_events(const Schedule& schedule, const std::string& title);

}  // namespace blockscope::circuit
