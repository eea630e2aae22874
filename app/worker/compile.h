// CUDA that is to be compiled for its report alone: in the worker, so that whatever happens to the compiler
// happens to a process that can be ended.
#pragma once

#include "core/measure/protocol.h"

namespace blockscope::worker {

// A CompiledAnswer, or why there is none: Refused without a compiler (with what was looked for as its log)
// and for what is no architecture, Compile with the compiler's words. CUBINs are kept as those of
// measurements are.
measure::AnswerBody compile_kernels(const measure::CompileRequest& request);

}  // namespace blockscope::worker
