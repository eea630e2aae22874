// The kernels of a plan as one file that nvcc makes a program of: each kernel in a namespace of its own, the
// arrays between them, and one sequence of launches.
#pragma once

#include <string>
#include <vector>

#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

// In the order in which they run. Inputs and outputs of the same name are the same array. The program fills
// the inputs with random numbers, runs all launches five times, and prints the times and a checksum of each
// output that no other kernel reads.
std::string plan_source(const std::vector<KernelSet>& kernels);

}  // namespace blockscope::gpu
