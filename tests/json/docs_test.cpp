// The examples of docs/json.md are what Blockscope writes, byte for byte, and its tables name every spelling.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "core/json/json_io.h"
#include "core/json/parts.h"

namespace blockscope::test {
namespace {

std::string documentation() {
    std::ifstream file(BLOCKSCOPE_SOURCE_DIR "/docs/json.md");
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> examples() {
    const std::string text = documentation();
    const std::string open = "```json\n";
    std::vector<std::string> found;
    std::size_t at = text.find(open);
    while (at != std::string::npos) {
        const std::size_t start = at + open.size();
        const std::size_t end = text.find("```", start);
        found.push_back(text.substr(start, end - start));
        at = text.find(open, end);
    }
    return found;
}

template <class T>
void expect_same_text(const Result<T>& read, const std::string& text) {
    if (!read) {
        ADD_FAILURE() << to_string(read.problems().at(0));
        return;
    }
    EXPECT_EQ(write_json(*read), text);
}

TEST(JsonDocumentation, ExamplesRoundTrip) {
    const std::vector<std::string> texts = examples();
    ASSERT_EQ(texts.size(), 4U);  // the last is a document: tests/document/docs_test.cpp
    expect_same_text(read_array_program(texts[0], "docs/json.md"), texts[0]);
    expect_same_text(read_block_program(texts[1], "docs/json.md"), texts[1]);
    expect_same_text(read_trace(texts[2], "docs/json.md"), texts[2]);
}

TEST(JsonDocumentation, NamesEverySpelling) {
    const std::string text = documentation();
    for (const auto& names :
         {json::array_op_names(), json::vector_axis_names(), json::broadcast_names(), json::elem_names(),
          json::fn_names(), json::source_names(), json::node_kind_names(), json::functional_names(),
          json::port_in_names(), json::port_out_names(), json::reduce_names()}) {
        for (const std::string& name : names) {
            EXPECT_THAT(text, testing::AnyOf(testing::HasSubstr("`" + name + "`"),
                                             testing::HasSubstr("\"" + name + "\"")))
                << name;
        }
    }
}

}  // namespace
}  // namespace blockscope::test
