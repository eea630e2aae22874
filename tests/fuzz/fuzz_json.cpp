// The JSON readers: whatever is accepted is written as JSON that is read as the same program again.
#include "core/json/json_io.h"
#include "tests/fuzz/require.h"

namespace {

using namespace blockscope;

template <class Read>
void run(Read read, const std::string& text) {
    const auto first = read(text, "f");
    if (!first) return fuzz::require_reasons(first, "f");
    const std::string written = write_json(*first);
    const auto again = read(written, "written");
    fuzz::require(static_cast<bool>(again), "what was written is refused:\n" + written);
    fuzz::require(write_json(*again) == written, "what was written reads as something else:\n" + written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    run(read_array_program, text);
    run(read_block_program, text);
    run(read_trace, text);
    return 0;
}
