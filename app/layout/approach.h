// Bounded steps from where things are to where they would be tidy.
#pragma once

#include "app/layout/separations.h"

namespace blockscope {

// One axis of a picture; vectors by variable.
struct Axis {
    std::vector<double> wish;    // where things are, or should appear
    std::vector<double> weight;  // of staying there
    std::vector<double> most;    // the farthest to move for tidiness; infinity for what may go anywhere
};

// A solution of `separations` between the one closest to the wishes and `tidy` (another solution; shifted as
// a whole so that most stays). What must make room moves as far as it must.
std::vector<double> approach(const Separations& separations, const Axis& axis, std::vector<double> tidy);

// `value` on the grid of whole pixels, such that whole gaps stay.
double snapped(double value);

}  // namespace blockscope
