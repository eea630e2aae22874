// The example of a document in docs/json.md is as Blockscope writes it. BLOCKSCOPE_UPDATE=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/diagram/step_tree.h"
#include "tests/document/contents.h"

namespace blockscope::test {
namespace {

const char* const kPage = BLOCKSCOPE_SOURCE_DIR "/docs/json.md";

std::string example() {
    Content content = content_of_text("dim M = 8 / 4\ndim K = 6 / 3\ninput X[M, K]\noutput Y = exp(X) * 2\n");
    content.name = "example";
    content.history.set_note(0, "Two maps; **one** is enough.");
    circuit::StepTree tree;
    tree.add({circuit::CircuitAction::Kind::Group, "M", 4});
    tree.add({circuit::CircuitAction::Kind::Relabel, "M", 0, "rows"});
    content.circuit = std::make_shared<const circuit::StepTree>(std::move(tree));
    return write_document(prepared(std::move(content)));
}

TEST(DocumentsPage, HasADocumentAsItIsWritten) {
    std::ifstream file(kPage, std::ios::binary);
    std::string page(std::istreambuf_iterator<char>(file), {});
    const std::string begin = "```json\n";
    const std::size_t from = page.find(begin, page.find("\n## Documents\n")) + begin.size();
    const std::size_t to = page.find("```", from);
    ASSERT_NE(to, std::string::npos);
    if (std::getenv("BLOCKSCOPE_UPDATE") != nullptr)
        std::ofstream(kPage, std::ios::binary) << page.replace(from, to - from, example());
    else
        EXPECT_EQ(page.substr(from, to - from), example());
    EXPECT_TRUE(read_document(example(), "example"));
}

}  // namespace
}  // namespace blockscope::test
