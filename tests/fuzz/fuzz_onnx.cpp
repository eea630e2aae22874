// The reader of ONNX models: whatever is accepted becomes a program that the language reads, or is
// refused with reasons.
#include "core/import/import.h"
#include "core/import/onnx_reader.h"
#include "core/program/array_program.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace blockscope;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    Result<model::TensorGraph> graph = model::read_onnx(bytes, "f");
    if (!graph) {
        fuzz::require_reasons(graph, "f");
        return 0;
    }
    const Result<model::ImportedModel> imported = model::import_model(std::move(graph).value(), {}, "f");
    if (!imported) {
        fuzz::require_reasons(imported, "f");
        return 0;
    }
    fuzz::require(static_cast<bool>(parse_program(imported->text, "written")),
                  "what was written is refused:\n" + imported->text);
    return 0;
}
