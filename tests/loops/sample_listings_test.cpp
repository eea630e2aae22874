// The listing of every step of every sample, and of its safe form, can be executed and is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/support/listing_check.h"

namespace blockscope {
namespace {

std::vector<std::filesystem::path> sample_paths() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples"))
        if (entry.path().extension() == ".bp") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string test_name(const testing::TestParamInfo<std::filesystem::path>& sample) {
    std::string name = sample.param.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class SampleListings : public testing::TestWithParam<std::filesystem::path> {
protected:
    Trace trace() const {
        std::stringstream text;
        text << std::ifstream(GetParam()).rdbuf();
        const Result<ArrayProgram> program = parse_program(text.str(), GetParam().filename().string());
        if (!program) throw std::runtime_error(to_string(program.problems()[0]));
        return fuse(std::make_shared<const BlockProgram>(to_block_program(*program).program));
    }
};

TEST_P(SampleListings, EveryStep) {
    const Trace run = trace();
    for (int step = 0; step <= static_cast<int>(run.steps.size()); ++step) {
        const BlockProgram& state = *run.state(step);
        ASSERT_EQ(reader::check_listing(state, proof_dims(state), 1), "") << "after step " << step;
    }
}

TEST_P(SampleListings, TheSafeFormOfTheFirstStateAndOfEverySnapshot) {
    const Trace run = trace();
    std::vector<int> steps = run.snapshots;
    steps.push_back(0);
    for (const int step : steps)
        for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
            const BlockProgram safe = make_safe(*run.state(step), sharing).program;
            ASSERT_EQ(reader::check_listing(safe, proof_dims(safe), 1), "") << "after step " << step;
        }
}

INSTANTIATE_TEST_SUITE_P(All, SampleListings, testing::ValuesIn(sample_paths()), test_name);

}  // namespace
}  // namespace blockscope
