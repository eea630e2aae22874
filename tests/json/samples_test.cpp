// Every sample round-trips in all three formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/program/convert.h"
#include "tests/json/compare.h"

namespace blockscope::test {
namespace {

TEST(JsonSamples, RoundTrip) {
    int samples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(BLOCKSCOPE_SOURCE_DIR "/samples")) {
        if (entry.path().extension() != ".bp") continue;
        SCOPED_TRACE(entry.path().filename());
        std::ifstream file(entry.path());
        const std::string text(std::istreambuf_iterator<char>(file), {});
        const Result<ArrayProgram> program = parse_program(text, entry.path().filename());
        ASSERT_TRUE(program) << to_string(program.problems().at(0));
        expect_round_trip(*program);
        const auto initial = std::make_shared<const BlockProgram>(to_block_program(*program).program);
        expect_round_trip(*initial);
        const Trace trace = fuse(initial);
        expect_round_trip(trace);
        expect_round_trip(*trace.last());
        ++samples;
    }
    EXPECT_GT(samples, 10);
}

}  // namespace
}  // namespace blockscope::test
