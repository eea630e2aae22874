// What each level of a device asks of an algorithm so that transfers do not bind it (Appendix B.1).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/circuit/levels.h"

namespace blockscope::circuit {

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
