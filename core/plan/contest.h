// The MLSys 2026 graph scheduling contest: operators over matrices, a fast memory that holds little of them,
// and steps that compute some operators together, tile by tile. What a schedule costs, and which of the
// contest's rules it breaks. Where the published rules leave a choice,
// - tiles divide all results of a step, which have one size;
// - a product that a pointwise operator of its step reads is not split;
// - operators inside a step pay for the native tiles that they compute;
// - without a traversal order nothing stays between tiles;
// - a lone pointwise input gives its place to the result, as the contest's example 2 needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/ways.h"
#include "core/support/result.h"

namespace blockscope::plan {

struct ContestTensor {
    std::int64_t width = 1, height = 1;  // columns, rows

    double size() const { return static_cast<double>(width) * static_cast<double>(height); }
};

struct ContestOperator {
    bool matmul = false;  // otherwise pointwise
    std::vector<int> inputs;
    int output = 0;
    double cost = 0;  // of a tile of the hardware's own size, over the whole reduction
};

struct ContestProblem {
    std::vector<ContestTensor> tensors;
    std::vector<ContestOperator> operators;
    double capacity = 0;   // of the fast memory, in elements
    double bandwidth = 1;  // elements per unit of time
    std::int64_t native_width = 1, native_height = 1;

    // By tensor.
    std::vector<int> maker;  // -1: an input of the graph
    std::vector<std::vector<int>> readers;
};

struct Granularity {
    std::int64_t width = 1, height = 1, depth = 1;

    bool operator==(const Granularity&) const = default;
};

struct ContestStep {
    std::vector<int> operators;
    Granularity granularity;
    std::vector<int> retained;                // tensors that stay in the fast memory for the next step
    std::optional<std::vector<int>> order{};  // of the tiles; without: row by row, nothing kept between tiles
    std::optional<double> claimed{};          // the latency as the file has it
};
using ContestSchedule = std::vector<ContestStep>;

// {"widths", "heights", "inputs", "outputs", "base_costs", "op_types", "fast_memory_capacity",
//  "slow_memory_bandwidth", "native_granularity"}
Result<ContestProblem> read_contest_problem(const std::string& text, const std::string& file);
// {"subgraphs", "granularities", "tensors_to_retain", "traversal_orders"?, "subgraph_latencies"?}
Result<ContestSchedule> read_contest_schedule(const std::string& text, const std::string& file);
// The same, with the claimed latencies.
std::string contest_text(const ContestSchedule& schedule);

struct ContestViolation {
    int step = 0;  // from 1; 0: of the schedule as a whole
    Text why;
};
std::string to_string(const ContestViolation& violation);

struct ContestCost {
    std::vector<double> steps;  // 0 where a step is too wrong to be costed
    std::vector<ContestViolation> violations;

    double total() const;
};
ContestCost contest_cost(const ContestProblem& problem, const ContestSchedule& schedule);

// ---- Finding a schedule.

struct ContestPlan {
    ContestSchedule unfused;   // a step for each operator, cut in the best way; empty if one does not fit
    ContestSchedule fused;     // every operator once, nothing retained
    ContestSchedule schedule;  // with operators computed again and tensors retained where that saves time
    double unfused_cost = kNever, fused_cost = kNever, cost = kNever;
    bool optimal = false;  // proven of the fused one: no other steps, of operators that read each other's
                           // results, cost less in their best cuts
    std::string bounded;   // what kept it from being proven
};

// Never worse than unfused. Without steps where nothing fits.
ContestPlan contest_plan(const ContestProblem& problem, std::int64_t effort = kEffort / 10);

}  // namespace blockscope::plan
