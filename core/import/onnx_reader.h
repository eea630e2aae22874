// ONNX files: protobuf, after the schema beside this file (onnx/onnx.proto).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/import/tensor_graph.h"
#include "core/support/result.h"

namespace blockscope::model {

// Whether this build has protobuf, which reading needs.
bool reads_onnx();

// The main graph of the model in `bytes`. Constant nodes become tensors with values; of weights whose numbers
// lie in another file, or nowhere, the type and the extents are enough. Problems have a byte or the name of a
// node or tensor as their place.
Result<TensorGraph> read_onnx(const std::string& bytes, const std::string& file);

// The bytes of an ONNX file before protobuf reads them: protobuf says only that it failed, and of a file that
// is cut short it may read a part.

// What is wrong with the bytes, with the byte and the field where; none if every length fits into what holds
// it. Also refuses more fields than a model of this many bytes has, so that reading takes no more memory than
// that.
std::optional<Problem> onnx_wire_problem(std::string_view bytes, const std::string& file);

// What is said of a file that protobuf cannot read because it is longer than 2 GiB.
Text too_large();

}  // namespace blockscope::model
