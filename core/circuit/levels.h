// Performance models over several levels (Section 4 and Appendix A.2): every level l adds w_l H*(a, M_l).
#pragma once

#include <string>
#include <vector>

#include "core/circuit/power_law.h"
#include "core/cost/device.h"

namespace blockscope::circuit {

// A level that data is transferred to.
struct ModelLevel {
    std::string name;
    double memory = 0;  // values that one of its nodes holds
    double weight = 0;  // seconds per value transferred to it: 1/bandwidth
};

// The same in bytes, as devices are described.
struct ByteLevel {
    std::string name;
    double memory = 0;     // bytes
    double bandwidth = 0;  // bytes per second
};

// Equation 2: Σ_l w_l H*(a, M_l), in seconds. The highest level, where the data is, is not among `levels`.
double weighted_transfers(const PowerLaw& law, const Values& sizes, const std::vector<ModelLevel>& levels);

// Equation 3: levels as values of `bytes` bytes each: M = M_bytes/q, w = q/bandwidth.
std::vector<ModelLevel> quantised(const std::vector<ByteLevel>& levels, double bytes);

// How much faster the term of exponent β becomes when values shrink from `from` to `to` bytes:
// (from/to)^(1+β).
double quantisation_gain(const Fraction& beta, double from, double to);

// The levels below global memory of a device, outermost first: the capacity of one instance each, and the
// bandwidth at which the level above feeds all instances together (its own, times its instances). A level
// whose feeder's bandwidth or whose capacity is not known is left out.
std::vector<ByteLevel> byte_levels(const Device& device);

// Theorem 2: a level used as an intermediate cache of its children has their memory, N_c·M_c, instead of its
// own.
ModelLevel intermediate_cache(const ModelLevel& level, const ModelLevel& child, double children);

// Theorem 3: `child` linked to its siblings at `between` seconds per value. Gives the level x, with the
// memory of all children and the weight w_(h→c) - w_(x→c), and then the child with the weight w_(x→c).
std::vector<ModelLevel> cross_transfer(const ModelLevel& child, double between, double children);

// What the cross-transfer level saves, ΔH* = Δw Σ_t α_t M_c^-β_t (1 - N^-β_t), in seconds (Appendix A.2.3).
double cross_transfer_gain(const PowerLaw& law, const Values& sizes, const ModelLevel& child, double between,
                           double children);

// Transfers per operation, H*/K (Appendix B.1): "M^-1/2 + 0.5·b^-1" for a matmul.
Formula transfers_per_operation(const PowerLaw& law, const Formula& work);

// The least memory with which an algorithm of these transfers per operation is not bound by `values` per
// second where `operations` per second can be done, all other symbols as in `sizes`; 0 if no memory is
// enough.
double least_memory(const Formula& per_operation, const Values& sizes, double values, double operations);
// The same for the size of one axis, at a memory of `memory` values.
double least_axis(const Formula& per_operation, const std::string& axis, Values sizes, double memory,
                  double values, double operations);

}  // namespace blockscope::circuit
