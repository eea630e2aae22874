// The text language: whatever is accepted is valid, and its printed form means the same.
#include "core/json/json_io.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "tests/fuzz/require.h"

namespace {

using namespace blockscope;

void run(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "f");
    if (!program) return fuzz::require_reasons(program, "f");
    ArrayProgram checked = *program;
    fuzz::require(check_program(checked).empty(), "check_program refuses what parse_program accepts");
    const std::string printed = print_program(*program);
    const Result<ArrayProgram> again = parse_program(printed, "printed");
    fuzz::require(static_cast<bool>(again), "the printed program is refused:\n" + printed);
    fuzz::require(write_json(*again) == write_json(*program), "the printed program differs:\n" + printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    run(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
