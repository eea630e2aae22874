// Model files of every format that is read.
#pragma once

#include <string>

#include "core/import/tensor_graph.h"
#include "core/support/result.h"

namespace blockscope::model {

// Whether the file is called as models are: NAME.onnx or NAME.pt2.
bool is_model_file(const std::string& file);

// The model in a file, whose first bytes say its format: an archive of torch.export, or else ONNX. Problems
// call it `file`, as do those of a file that cannot be read.
Result<TensorGraph> read_model_file(const std::string& file);

}  // namespace blockscope::model
