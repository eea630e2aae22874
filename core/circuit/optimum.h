// The best group sizes of an algorithm under a memory limit, searched: for programs without a closed form,
// and for sizes that have to be whole.
#pragma once

#include <optional>
#include <vector>

#include "core/circuit/place.h"
#include "core/circuit/power_law.h"
#include "core/circuit/resources.h"

namespace blockscope::circuit {

struct Optimum {
    Plan plan;
    double transferred = 0;  // H, values
    double memory = 0;       // of the widest column, values
};

// The plan like `plan` with the group sizes (powers of two, or the whole axis) that transfer least among
// those whose widest column holds at most `limit` values; of equal ones that with the least memory. Streams
// keep their sizes. Empty if none fits, or if the plan itself is not possible.
std::optional<Optimum> best_groups(const Flow& flow, const Plan& plan, double limit);

// The memory's symbol in a power law beside these axes: "M", or "Mem" if one of them has that name.
std::string memory_symbol(const Axes& axes);

// The law with all sizes but those of groups put in, as sums of sizes are numbers then; none if that has no
// law either.
std::optional<PowerLaw> law_of_numbers(const Resources& resources, const Values& at,
                                       const std::vector<std::string>& groups);

// The diagram of a flow's natural plan with streams of 1, its resources and, where there is one, its power
// law.
struct Analysis {
    Plan plan;
    Circuit circuit;
    Resources resources;
    std::optional<PowerLaw> law;
    std::string no_law;  // why there is none
};
Analysis analyse(const Flow& flow, const Plan& plan);

}  // namespace blockscope::circuit
