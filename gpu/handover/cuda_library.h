// Kernels as a CUDA library that knows no more than pointers:
//
//     extern "C" const char* attention_cuda(void* const* arrays, void* stream)
//
// starts all launches on the stream, and says what went wrong; null if nothing did.
#pragma once

#include <string>

#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

// `arrays` are those of the set, in its order; a mask's is never read.
std::string cuda_library(const KernelSet& set, const std::string& name);

}  // namespace blockscope::gpu
