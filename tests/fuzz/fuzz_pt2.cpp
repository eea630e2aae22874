// The reader of archives of torch.export: whatever is accepted becomes a program that the language reads, or
// is refused with reasons. The bytes are an archive, or else the exported program in one.
#include "core/import/import.h"
#include "core/import/pt2_reader.h"
#include "core/program/array_program.h"
#include "tests/fuzz/require.h"
#include "tests/import/made_archives.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace blockscope;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!model::looks_like_pt2(bytes)) bytes = test::archive_of(bytes);
    Result<model::TensorGraph> graph = model::read_pt2(model::bytes_of_memory(bytes), "f");
    if (!graph) return 0;
    const Result<model::ImportedModel> imported = model::import_model(std::move(graph).value(), {}, "f");
    if (!imported) {
        fuzz::require_reasons(imported, "f");
        return 0;
    }
    fuzz::require(static_cast<bool>(parse_program(imported->text, "written")),
                  "what was written is refused:\n" + imported->text);
    return 0;
}
