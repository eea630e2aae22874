// Rules of the napkin's Section 4 and Appendix A.2 that the program itself does not need: what its numbers
// are compared with.
#pragma once

#include <cmath>
#include <vector>

#include "core/napkin/levels.h"

namespace blockscope::napkin {

// Equation 3: a term's cost grows as q^(1+β). How much faster it is with `fewer` bytes per value instead of
// `more`.
inline double quantisation_gain(double beta, double more, double fewer) {
    return std::pow(more / fewer, 1 + beta);
}

// Section 4.4: a level may cache for its children if N_g,child / N_g,cache <= children, in groups (processors
// kept active at both levels).
inline bool can_cache(double child_groups, double cache_groups, double children) {
    return child_groups / cache_groups <= children;
}

// Section 4.5, appendix A.2.2: the two levels that stand for `children` linked processors: x with the
// difference of the weights and the memory of all, and c with the cross weight.
inline std::vector<TransferLevel> cross_transfer_levels(const TransferLevel& child, double cross_weight,
                                                        double children) {
    return {{child.name + ", cross", child.weight - cross_weight, children * child.memory},
            {child.name, cross_weight, child.memory}};
}

}  // namespace blockscope::napkin
