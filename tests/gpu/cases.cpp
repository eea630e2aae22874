#include "tests/gpu/cases.h"

#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::test {

ProgramPtr float_sample(const std::string& name) {
    std::string text = sample_text(name);
    for (const std::string type : {"bf16", "f16"})
        for (auto at = text.find(": " + type); at != std::string::npos; at = text.find(": " + type))
            text.replace(at, type.size() + 2, ": f32");
    Result<ArrayProgram> program = parse_program(text, name);
    return std::make_shared<const BlockProgram>(to_block_program(*program).program);
}

}  // namespace blockscope::test
