// Overlapped execution (Section 5.7, Section 6): the operators of several warpgroups on the pipelines of one
// processor, by a small list scheduler.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/clocks.h"

namespace blockscope::circuit {

struct LaneTask {
    std::string name;
    Unit unit = Unit::Matrix;
    double clocks = 0;    // per thread
    double overhead = 0;  // as a part of `clocks`: 0.5 is half as long again
    double duration() const { return clocks * (1 + overhead); }
};

// How one warpgroup orders its iterations (Figures 36 and 37).
enum class Overlap : std::uint8_t {
    Inter,  // matrix products in order; other warpgroups use the tensor cores meanwhile
    Intra,  // the next iteration's first product comes before this one's last: it needs room for its result
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

}  // namespace blockscope::circuit
