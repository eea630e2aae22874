// Children of one container side by side, tidily: edges straight where they can be, what is connected close
// together.
#pragma once

#include "app/layout/separations.h"

namespace blockscope {

// An edge that would be straight if a's place + from were b's place + to.
struct Link {
    int a = 0, b = 0;
    double from = 0, to = 0;
    int priority = 0;  // smaller ones become straight first
};

// Places that satisfy `separations`, which has been finished; `start` gives where to begin and what has no
// links stays.
std::vector<double> align(const Separations& separations, std::vector<Link> links,
                          const std::vector<double>& start);

}  // namespace blockscope
