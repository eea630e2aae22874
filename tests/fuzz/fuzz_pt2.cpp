// The reader of archives of torch.export. The bytes are an archive, or else the exported program in one.
#include "core/import/pt2_reader.h"
#include "tests/fuzz/model.h"
#include "tests/import/made_archives.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace blockscope;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (!model::looks_like_pt2(bytes)) bytes = test::archive_of(bytes);
    fuzz::require_model(model::read_pt2(model::bytes_of_memory(bytes), "f"));
    return 0;
}
