// docs/teaching.md has all values of expressions, and its example is a lesson that holds.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/lesson/rehearsal.h"
#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

const std::string kPagePath = BLOCKSCOPE_SOURCE_DIR "/docs/teaching.md";

std::string teaching_page() {
    std::ifstream file(kPagePath, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string parameter_text(Parameter parameter) {
    switch (parameter) {
        case Parameter::State:
            return "STATE";
        case Parameter::Rule:
            return "RULE";
        case Parameter::Place:
            return "PLACE";
        case Parameter::Dim:
            return "M";
        case Parameter::Array:
            return "\"Q\"";
        case Parameter::Node:
            return "\"dot\"";
        case Parameter::Device:
            return "\"h100-sxm5\"";
        case Parameter::Type:
            return "bf16";
        case Parameter::File:
            return "\"attention.bp\"";
        case Parameter::Number:
            return "VALUES";
    }
    return {};
}

// What may be left out stands in square brackets.
std::string functions_list() {
    std::string text;
    for (const Function& row : functions()) {
        std::string arguments;
        for (std::size_t i = 0; i < row.parameters.size(); ++i) {
            const bool needed = static_cast<int>(i) < row.needed;
            arguments += std::string(needed ? "" : "[") + (i > 0 ? ", " : "") +
                         parameter_text(row.parameters[i]) + (needed ? "" : "]");
        }
        text += "- `" + std::string(row.name) + (arguments.empty() ? "" : "(" + arguments + ")") +
                "`: " + std::string(row.meaning) + "\n";
    }
    return text;
}

TEST(TeachingPage, HasEveryValue) {
    const std::string begin = "<!-- generated: functions -->\n";
    std::string text = teaching_page();
    const std::size_t from = text.find(begin) + begin.size();
    const std::size_t to = text.find("<!-- /generated -->", from);
    ASSERT_NE(to, std::string::npos);
    if (std::getenv("BLOCKSCOPE_UPDATE") != nullptr)
        std::ofstream(kPagePath, std::ios::binary) << text.replace(from, to - from, functions_list());
    else
        EXPECT_EQ(text.substr(from, to - from), functions_list()) << "run this test with BLOCKSCOPE_UPDATE=1";
}

// The indented lines of the page.
TEST(TeachingPage, HasAnExampleThatHolds) {
    std::istringstream page(teaching_page());
    std::string example;
    for (std::string line; std::getline(page, line);) {
        const bool inside = line.rfind("    ", 0) == 0 || (line.empty() && !example.empty());
        if (inside) example += (line.empty() ? "" : line.substr(4)) + "\n";
        if (!inside && !example.empty()) break;
    }
    Result<Lesson> lesson = read_lesson(example, "example.md");
    ASSERT_TRUE(lesson) << to_string(lesson.problems().front());
    const Rehearsal rehearsal =
        rehearse(std::make_shared<const Lesson>(std::move(lesson).value()), sample_sources());
    EXPECT_THAT(messages_of(rehearsal.problems), testing::IsEmpty());
    EXPECT_EQ(rehearsal.tasks, 3);
}

}  // namespace
}  // namespace blockscope::lesson::test
