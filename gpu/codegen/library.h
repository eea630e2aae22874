// The tile library: readable CUDA under resources/cuda, compiled in, so that nothing is read when a program
// runs.
#pragma once

#include <string>

namespace blockscope::gpu {

extern const char* const kBaseLibrary;      // element types, memory, barriers
extern const char* const kPlainLibrary;     // blocks in registers without tensor cores
extern const char* const kTensorLibrary;    // blocks in registers as accumulators of tensor cores
extern const char* const kOperatorLibrary;  // block operators, for both
extern const char* const kPanelLibrary;     // products in float32, for both
extern const char* const kTileLibrary;      // operands of tensor cores in shared memory
extern const char* const kMmaLibrary;       // products by tensor cores
extern const char* const kBulkLibrary;      // tiles that a thread brings ahead of the others
extern const char* const kWgmmaLibrary;     // products by groups of four warps
extern const char* const kReference;        // block operators on the host, in double precision

// The library's parts stand behind each other in one text.
std::string without_pragma_once(std::string text);

}  // namespace blockscope::gpu
