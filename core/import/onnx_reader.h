// ONNX files: protobuf, after the schema beside this file (onnx/onnx.proto).
#pragma once

#include <string>

#include "core/import/tensor_graph.h"
#include "core/support/result.h"

namespace blockscope::model {

// Whether this build has protobuf, which reading needs.
bool reads_onnx();

// The main graph of the model in `bytes`. Constant nodes become tensors with values; of weights whose numbers
// lie in another file, or nowhere, the type and the extents are enough. Problems have a byte or the name of a
// node or tensor as their place.
Result<TensorGraph> read_onnx(const std::string& bytes, const std::string& file);

}  // namespace blockscope::model
