// The tile library: readable CUDA under resources/cuda, compiled in, so that nothing is read when a program
// runs.
#pragma once

namespace blockscope::gpu {

extern const char* const kBaseLibrary;   // element types, memory, barriers
extern const char* const kPlainLibrary;  // block operators in float32

}  // namespace blockscope::gpu
