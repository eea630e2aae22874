// Every file of tests/hostile/json is refused with the problem that its .expected file holds. Files are named
// for the format that they attack; any_* are read as all three. BLOCKSCOPE_UPDATE=1 writes the .expected
// files anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/json/json_io.h"

namespace blockscope::test {
namespace {

const std::filesystem::path kFolder = BLOCKSCOPE_SOURCE_DIR "/tests/hostile/json";

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

template <class T>
std::string first_problem(const Result<T>& read) {
    return read ? "it was accepted" : to_string(read.problems().at(0));
}

// The first problem of each reader that the file is for, one a line.
std::string refusals(const std::filesystem::path& path) {
    const std::string text = content(path);
    const std::string file = path.filename().string();
    const std::string format = file.substr(0, file.find('_'));
    const bool any = format == "any";
    std::string lines;
    if (any || format == "array") lines += first_problem(read_array_program(text, file)) + "\n";
    if (any || format == "block") lines += first_problem(read_block_program(text, file)) + "\n";
    if (any || format == "trace") lines += first_problem(read_trace(text, file)) + "\n";
    return lines;
}

std::vector<std::filesystem::path> files() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        if (entry.path().extension() == ".json") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

TEST(HostileJson, ThereAreAtLeast35Files) {
    EXPECT_GE(files().size(), 35U);
}

TEST(HostileJson, EveryFileIsRefusedAsExpected) {
    const bool update = std::getenv("BLOCKSCOPE_UPDATE") != nullptr;
    for (const std::filesystem::path& path : files()) {
        const std::string found = refusals(path);
        std::filesystem::path expected = path;
        expected.replace_extension(".expected");
        if (update) std::ofstream(expected, std::ios::binary) << found;
        EXPECT_EQ(found, content(expected)) << path.filename();
        EXPECT_EQ(found.find("it was accepted"), std::string::npos) << path.filename();
    }
}

// Several problems of one file are reported at once.
TEST(HostileJson, SeveralProblemsAreReportedTogether) {
    const std::string file = "array_several_problems.json";
    const Result<ArrayProgram> read = read_array_program(content(kFolder / file), file);
    ASSERT_FALSE(read);
    std::vector<std::string> pointers;
    for (const Problem& problem : read.problems()) pointers.push_back(problem.place.pointer);
    EXPECT_EQ(pointers, (std::vector<std::string>{"/dims/0/size", "/ops/0/axes/0", "/ops/0/elem",
                                                  "/ops/1/axes/0", "/ops/3/operands/0", "/outputs/0/name"}));
}

}  // namespace
}  // namespace blockscope::test
