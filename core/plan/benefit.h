// The guide's estimate of what fusing brings (PTO guide, section 4.1), on numbers that somebody types:
//
//     T_unfused = sum of compute + memory + launch of each operator
//     T_fused   = sum of compute + the largest memory + the largest launch, unless given
//
// Three operators of 0.01, 0.04 and 0.02 ms each: 0.21 ms against 0.09 ms, 2.33 times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/support/result.h"

namespace blockscope::plan {

struct OperatorTime {
    std::string name;
    double compute = 0, memory = 0, launch = 0;  // in any unit of time, all in the same
};

struct FusedTime {
    std::optional<double> compute, memory, launch;  // what is known of the fused kernel
};

struct BenefitQuestion {
    std::vector<OperatorTime> operators;  // at least one
    FusedTime fused = {};
};

constexpr double kWorthFusing = 1.2;  // "performance improvement > 20%", section 5.2

struct Benefit {
    double unfused = 0, fused = 0;
    double compute = 0, memory = 0, launch = 0;  // of the fused kernel
    double speedup() const { return fused > 0 ? unfused / fused : 1; }
    bool worth_it() const { return speedup() > kWorthFusing; }
};

// {"operators": [{"name", "compute", "memory", "launch"}...], "fused"?: {"compute"?, "memory"?, "launch"?}}
Result<BenefitQuestion> read_benefit(const std::string& text, const std::string& file);
Benefit benefit(const BenefitQuestion& question);

}  // namespace blockscope::plan
