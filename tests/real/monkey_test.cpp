// Two thousand random deeds: nothing crashes, the window keeps answering, and the document stays one that can
// be written, read and undone. BLOCKSCOPE_MONKEY_SEED and BLOCKSCOPE_MONKEY_COUNT choose others.
#include <gmock/gmock.h>

#include <QDir>

#include <cstdlib>

#include "app/document/content.h"
#include "tests/real/monkey.h"

namespace blockscope {
namespace {

using test::Desk;
using test::Monkey;

constexpr std::uint64_t kSeed = 20'260'214;
constexpr int kDeeds = 2'000;
constexpr int kCheckEvery = 50;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

void check_history(const Content& content) {
    const History& history = content.history;
    ASSERT_TRUE(history.has(content.current));
    const std::vector<StateId> way = history.path(history.branch(content.branch).tip);
    ASSERT_TRUE(std::count(way.begin(), way.end(), content.current) == 1)
        << "the branch leads through the state";
    for (const StateId state : content.compared) ASSERT_TRUE(history.has(state));
    ASSERT_TRUE(!content.baseline || history.has(*content.baseline));
}

void check_text(const Content& content) {
    const std::string text = write_document(content);
    const Result<Content> read = read_document(text, "monkey");
    ASSERT_TRUE(read) << "a document that cannot be opened again:\n" << text;
    ASSERT_EQ(write_document(read.value()), text);
}

// Back to the first change that is kept, and forth again.
void check_undo(Document& document) {
    const std::string text = write_document(document.content());
    int count = 0;
    for (; document.can_undo(); ++count) document.undo();
    for (; count > 0; --count) document.redo();
    ASSERT_EQ(write_document(document.content()), text);
}

TEST(Monkey, DoesWhatItLikesAndTheDocumentStaysWhole) {
    const std::uint64_t seed = from_environment("BLOCKSCOPE_MONKEY_SEED", kSeed);
    const int count = static_cast<int>(from_environment("BLOCKSCOPE_MONKEY_COUNT", kDeeds));
    const std::string log = QDir::temp().filePath(QStringLiteral("blockscope-monkey.log")).toStdString();
    std::printf("seed %llu, %d deeds, log in %s\n", static_cast<unsigned long long>(seed), count,
                log.c_str());
    std::fflush(stdout);
    Desk desk;
    Monkey monkey(desk, seed, log);
    ASSERT_TRUE(desk.open(QStringLiteral("attention")));
    for (int deed = 1; deed <= count; ++deed) {
        const std::string what = monkey.act();
        SCOPED_TRACE("deed " + std::to_string(deed) + ": " + what);
        if (desk.document().empty()) continue;
        check_history(desk.content());
        if (deed % kCheckEvery == 0) {
            check_text(desk.content());
            check_undo(desk.document());
        }
        if (HasFatalFailure()) return;
    }
    ASSERT_TRUE(!desk.document().empty() || desk.open(QStringLiteral("softmax")));
    EXPECT_TRUE(desk.settle()) << "the picture of the last state appears";
}

}  // namespace
}  // namespace blockscope
