// blockscope-cli lesson: lists, checks and prints lessons, and makes a table of learners' progress.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/lesson/lesson.h"
#include "core/lesson/progress.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string written(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string broken_lesson() {
    return written("broken.md",
                   "---\ntitle: B\nminutes: 1\nprogram: gemm-relu.bp\ngoal: G\n---\n"
                   "```claim\nkernels(0) == 3\n```\n"
                   "```do\nFuse.\nuntil: applied(\"Fuse Maps\") > 0\nshow-me: step 1\n```\n");
}

TEST(LessonCommand, ListsTheLessonsThatComeWithIt) {
    const Outcome list = run_cli({"lesson", "list"});
    EXPECT_EQ(list.code, 0);
    EXPECT_EQ(lines_of(list.out).size(), lesson::shipped_lessons().size() + 1);
    EXPECT_THAT(list.out, HasSubstr("4-flash-attention"));
    EXPECT_THAT(run_cli({"lesson", "list", "--json"}).out, HasSubstr("\"lesson\": \"1-why-fuse\""));
}

TEST(LessonCommand, ChecksFilesAndNames) {
    EXPECT_THAT(run_cli({"lesson", "check", sample("lessons/3-three-rules.md")}),
                ends(0, {"3-three-rules.md: ", " tasks, ", " wrong ways"}));
    EXPECT_THAT(run_cli({"lesson", "check", "3-three-rules", "--json"}), ends(0, {"\"tasks\": "}));
}

TEST(LessonCommand, SaysWhatIsBrokenWithLineAndColumn) {
    const std::string file = broken_lesson();
    EXPECT_THAT(
        run_cli({"lesson", "check", file}),
        ends(3, {},
             {file + ":8:12: 'kernels(0) == 3' does not hold: the left side is 2, the right side 3",
              "    kernels(0) == 3\n               ^", file + ":12:16: there is no rule 'Fuse Maps'"}));
    EXPECT_THAT(run_cli({"lesson", "check", file, "--json"}).out, HasSubstr("\"column\": 12"));
    EXPECT_THAT(run_cli({"lesson", "check", "no-such-lesson"}), ends(3, {}, {"cannot be read"}));
    EXPECT_THAT(run_cli({"lesson", "chek"}), ends(2, {}, {}));
}

TEST(LessonCommand, PrintsSheets) {
    const Outcome handout = run_cli({"lesson", "handout", "1-why-fuse"});
    EXPECT_EQ(handout.code, 0);
    EXPECT_THAT(handout.out, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(handout.out, HasSubstr("Handout to a lesson of Blockscope"));
    EXPECT_THAT(handout.out, Not(HasSubstr("class=\"answer\"")));
    const std::string file = testing::TempDir() + "solution.html";
    EXPECT_EQ(run_cli({"lesson", "solution", "1-why-fuse", "-o", file}).code, 0);
    std::ifstream page(file);
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(page), {}), HasSubstr("class=\"answer\""));
    EXPECT_THAT(run_cli({"lesson", "handout"}), ends(2, {}, {"a sheet is made of one lesson"}));
    const std::string lesson =
        "---\ntitle: B\nminutes: 1\nprogram: gemm-relu.bp\ngoal: G\n---\nIt moves {traffic(9)}.\n";
    EXPECT_THAT(run_cli({"lesson", "handout", written("ninth.md", lesson)}),
                ends(3, {},
                     {"ninth.md:7:19: there is no step 9; the run takes 3 steps, and "
                      "step 0 is the initial block program"}));
}

TEST(LessonCommand, PrintsPdf) {
    if (!BLOCKSCOPE_PICTURES) GTEST_SKIP() << "this build has no pictures";
    const std::string file = testing::TempDir() + "handout.pdf";
    EXPECT_EQ(run_cli({"lesson", "handout", "4-flash-attention", "-o", file}).code, 0);
    std::ifstream pdf(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(pdf), {});
    EXPECT_THAT(bytes, StartsWith("%PDF-"));
    EXPECT_GT(bytes.size(), 10'000U);
}

TEST(LessonCommand, MakesATableOfProgress) {
    lesson::LearnerProgress ada{.learner = "Ada"};
    ada.set({.lesson = "1-why-fuse",
             .at = 1,
             .tasks = {{.name = "a", .done = true, .right = true, .tries = 1}, {.name = "b", .tries = 2}}});
    const std::string file = written("ada.json", lesson::write_json(ada));
    EXPECT_THAT(run_cli({"lesson", "progress", file}),
                ends(0, {"Ada      1-why-fuse  1     2   1             3"}));
    EXPECT_THAT(run_cli({"lesson", "progress", file, "--json"}), ends(0, {"\"at_first_try\": 1"}));
    EXPECT_THAT(run_cli({"lesson", "progress"}), ends(2, {}, {"name the files that learners have exported"}));
    EXPECT_THAT(run_cli({"lesson", "progress", sample("attention.bp")}), ends(3, {}, {}));
}

}  // namespace
}  // namespace blockscope::test
