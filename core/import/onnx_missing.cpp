// Stands for onnx_reader.cpp where protobuf is not installed.
#include "core/import/onnx_reader.h"

namespace blockscope::model {

bool reads_onnx() {
    return false;
}

Result<TensorGraph> read_onnx(const std::string& /*bytes*/, const std::string& file) {
    return Problem{{file, 0, 0, {}},
                   Text("this build cannot read ONNX files: it was made without protobuf (Debian's packages "
                        "protobuf-compiler and libprotobuf-dev)")};
}

}  // namespace blockscope::model
