// The napkin's performance models from plain power laws H*(a, M) = Σ_t α_t M^(-β_t): "FlashAttention on a
// Napkin", section 4 and appendices A.2 and B. Values in, values out: whatever derives α and β can use them.
#pragma once

#include <string>
#include <vector>

namespace blockscope::napkin {

struct LawTerm {
    double alpha = 0;
    double beta = 0;  // not negative
    bool operator==(const LawTerm&) const = default;
};
using PowerLaw = std::vector<LawTerm>;

// Equation 1: values moved with `memory` values of local memory.
double transfers(const PowerLaw& law, double memory);

// A level of a hierarchy: what a value moved into it costs (1/bandwidth: seconds) and the values that it
// holds.
struct TransferLevel {
    std::string name;
    double weight = 0;
    double memory = 0;
    bool operator==(const TransferLevel&) const = default;
};

// Equation 2: Σ_l w_l H*(a, M_l).
double total_cost(const PowerLaw& law, const std::vector<TransferLevel>& levels);

// A level in bytes at `q` bytes per value: M = M_bytes/q, w = q/bandwidth (section 4.3).
TransferLevel quantised(std::string name, double bytes_per_second, double bytes, double q);

// Equation 3: a term's cost grows as q^(1+β). How much faster it is with `fewer` bytes per value instead of
// `more`.
double quantisation_gain(double beta, double more, double fewer);

// Section 4.4: a level that only caches for `children` of these holds what they hold together.
TransferLevel caching_level(std::string name, double weight, const TransferLevel& child, double children);
// The condition for it: N_g,child / N_g,cache <= children, in groups (processors kept active at both levels).
bool can_cache(double child_groups, double cache_groups, double children);

// Section 4.5, appendix A.2.2: `children` linked processors pass data on among themselves at `cross_weight`
// per value, less than the weight of `child` (h -> c). The two levels that stand for it: x with the
// difference of the weights and the memory of all, and c with the cross weight.
std::vector<TransferLevel> cross_transfer_levels(const TransferLevel& child, double cross_weight,
                                                 double children);
// Appendix A.2.3: what that saves, (w_hc - w_xc) Σ_t α_t M_c^(-β_t) (1 - N^(-β_t)).
double cross_transfer_gain(const PowerLaw& law, const TransferLevel& child, double cross_weight,
                           double children);

}  // namespace blockscope::napkin
