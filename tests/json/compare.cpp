#include "tests/json/compare.h"

namespace blockscope::test {

void expect_round_trip(const BlockProgram& program) {
    const std::string text = write_json(program);
    const Result<BlockProgram> read = read_block_program(text, "f");
    if (!read) {
        ADD_FAILURE() << to_string(read.problems().at(0)) << "\n" << text;
        return;
    }
    EXPECT_EQ(read->dims, program.dims);
    EXPECT_EQ(read->next_id, program.next_id);
    EXPECT_TRUE(identical(*read->graph, *program.graph)) << text;
    EXPECT_EQ(write_json(*read), text);
}

}  // namespace blockscope::test
