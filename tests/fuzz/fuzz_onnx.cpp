// The reader of ONNX models.
#include "core/import/onnx_reader.h"
#include "tests/fuzz/model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace blockscope;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    fuzz::require_model(model::read_onnx(bytes, "f"));
    return 0;
}
