// Every sample becomes a block program that means the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/exec/prove.h"
#include "core/program/convert.h"

namespace blockscope::test {
namespace {

std::vector<std::string> sample_files() {
    std::vector<std::string> names;
    const std::filesystem::path folder = std::filesystem::path(BLOCKSCOPE_SOURCE_DIR) / "samples";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".bp") names.push_back(entry.path().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

ArrayProgram read(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    Result<ArrayProgram> program = parse_program(text.str(), file);
    if (!program) throw InternalError(to_string(program.problems().at(0)));
    return *program;
}

class ConvertSample : public testing::TestWithParam<std::string> {};

TEST_P(ConvertSample, SaysWhereEveryNodeComesFrom) {
    const Conversion conversion = to_block_program(read(GetParam()));
    EXPECT_EQ(conversion.origins.size(), conversion.program.graph->nodes().size());
}

TEST_P(ConvertSample, MeansTheSame) {
    const ArrayProgram program = read(GetParam());
    const BlockProgram converted = to_block_program(program).program;
    const DimTable sizes = proof_dims(program.dims);
    const auto mismatch = compare_exact(program, converted, sizes, 1);
    EXPECT_FALSE(mismatch.has_value()) << mismatch->output << " differs at " << mismatch->index;
    EXPECT_LT(relative_error(program, converted, sizes, 2), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(All, ConvertSample, testing::ValuesIn(sample_files()), [](const auto& sample) {
    std::string name = std::filesystem::path(sample.param).stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

}  // namespace
}  // namespace blockscope::test
