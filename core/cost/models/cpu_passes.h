// Seconds of the CPU engine's passes over blocks on one core.
#pragma once

#include <vector>

#include "core/cost/device.h"
#include "core/cost/kernel_work.h"

namespace blockscope {

// Seconds by what the core does. Each pass takes its instructions, or its bytes from the cache that holds
// the blocks, whichever takes longer.
struct PassSeconds {
    double vector = 0;   // sums, products, divisions, rows folded
    double special = 0;  // exp and its like
    double moves = 0;    // copies and transpositions
};

// `bandwidth`: bytes per second that the core gets of the cache that its blocks are in; 0: they are in the
// nearest, whose time is in the instructions'.
PassSeconds pass_seconds(const std::vector<PassWork>& passes, const Device& device, double bandwidth);

// What a kernel without a plan does, from its counts.
std::vector<PassWork> counted_passes(const KernelWork& kernel);

// FLOPs per second of a block product on one core.
double product_rate(const MatrixWork& product, const Device& device);

}  // namespace blockscope
