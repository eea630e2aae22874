// The napkin's performance models from plain power laws H*(a, M) = Σ_t α_t M^(-β_t): "FlashAttention on a
// Napkin", section 4 and appendices A.2 and B. Values in, values out: whatever derives α and β can use them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/algebra/power_law.h"
#include "core/cost/device.h"
#include "core/diagram/term.h"

namespace blockscope::napkin {

using algebra::ClippedLaw;
using algebra::NumericLaw;

// A level of a hierarchy: what a value moved into it costs (1/bandwidth: seconds) and the values that it
// holds.
struct TransferLevel {
    std::string name;
    double weight = 0;
    double memory = 0;
    bool operator==(const TransferLevel&) const = default;
};

// Equation 2: Σ_l w_l H*(a, M_l).
double total_cost(const ClippedLaw& law, const std::vector<TransferLevel>& levels);

// A level in bytes at `q` bytes per value: M = M_bytes/q, w = q/bandwidth (section 4.3).
TransferLevel quantised(std::string name, double bytes_per_second, double bytes, double q);

// Section 4.4: a level that only caches for `children` of these holds what they hold together.
TransferLevel caching_level(std::string name, double weight, const TransferLevel& child, double children);
// Section 4.5, appendix A.2.3: what it saves if `children` linked processors pass data on among themselves at
// `cross_weight` per value, less than the weight of `child` (h -> c): (w_hc - w_xc) (H*(M_c) - H*(N M_c)),
// which is (w_hc - w_xc) Σ_t α_t M_c^(-β_t) (1 - N^(-β_t)) where no group is larger than its axis.
double cross_transfer_gain(const ClippedLaw& law, const TransferLevel& child, double cross_weight,
                           double children);

}  // namespace blockscope::napkin

namespace blockscope::circuit {

// The levels of a device for the performance models of core/napkin/levels.h (Section 4 and Appendix
// A.2), and arithmetic intensity (Appendix B.1).

using algebra::GroupChoice;
using algebra::NoPowerLaw;
using algebra::PowerLaw;
using algebra::PowerTerm;

// A level that data is transferred to, in bytes, as devices are described.
struct ByteLevel {
    std::string name;
    double memory = 0;     // bytes
    double bandwidth = 0;  // bytes per second
    double instances = 1;
    std::string from = {};  // the level that feeds it
};

// Equation 3: levels as values of `bytes` bytes each: M = M_bytes/q, w = q/bandwidth.
std::vector<napkin::TransferLevel> transfer_levels(const std::vector<ByteLevel>& levels, double bytes);

// The levels below global memory of a device, outermost first: the capacity of one instance each, and the
// bandwidth at which the level above feeds all instances together (its own, times its instances). A level
// whose feeder's bandwidth or whose capacity is not known is left out. Of a CPU the vector registers of its
// cores are the innermost level, where it says how wide they are and how fast its nearest cache is.
std::vector<ByteLevel> byte_levels(const Device& device);

// Transfers per operation, H*/K (Appendix B.1): "M^-1/2 + 0.5·b^-1" for a matmul.
Formula transfers_per_operation(const PowerLaw& law, const Formula& work, const std::string& memory = "M");

// `symbol` is the memory's in all of these.
//
// The least memory with which an algorithm of these transfers per operation is not bound by `values` per
// second where `operations` per second can be done, all other symbols as in `sizes`; 0 if no memory is
// enough.
double least_memory(const Formula& per_operation, const Values& sizes, double values, double operations,
                    const std::string& symbol = "M");
// The same for the size of one axis, at a memory of `memory` values.
double least_axis(const Formula& per_operation, const std::string& axis, Values sizes, double memory,
                  double values, double operations, const std::string& symbol = "M");

// What a level of a device asks of an algorithm so that transfers do not bind it (Appendix B.1).
struct LevelIntensity {
    std::string level;
    // Values that its instances hold for the algorithm: its own memory, or, where it feeds several instances
    // of the next level, all that those hold (an intermediate cache, Theorem 2).
    double memory = 0;
    bool caches = false;
    double values_per_second = 0;  // into all its instances
    double least_memory = 0;       // with all axes as they are; 0: no memory is enough
    // By axis of the transfers per operation: the size from which they do not bind at any memory, and at
    // `memory`; 0: no size is enough.
    struct Axis {
        std::string axis;
        double at_any_memory = 0;
        double at_memory = 0;
    };
    std::vector<Axis> axes;
};

// One per level, outermost first. `per_operation` is H*/K (transfers_per_operation), `operations` per second
// of the device, `bytes` per value, `symbol` the memory's.
std::vector<LevelIntensity> level_intensities(const Formula& per_operation, const Values& sizes,
                                              const std::vector<ByteLevel>& levels, double bytes,
                                              double operations, const std::string& symbol = "M");

}  // namespace blockscope::circuit
