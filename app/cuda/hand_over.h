// A state handed over to PyTorch: the folder that `codegen --pytorch` writes (gpu/handover).
#pragma once

#include <QString>

#include "app/cuda/cuda_source.h"
#include "app/document/content.h"

namespace blockscope {

// Writes the state that is shown, as `choice` has it, with `source` as its CUDA. Returns why it could not;
// empty if it is written.
QString hand_over(const Content& content, const CudaChoice& choice, const CudaSource& source,
                  const QString& folder);

}  // namespace blockscope
