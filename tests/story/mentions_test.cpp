// The words of a sentence that the glossary explains.
#include "core/glossary/glossary.h"

#include <gmock/gmock.h>

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> explained(const std::string& sentence) {
    std::vector<std::string> words;
    for (const Mention& mention : mentions(sentence))
        words.push_back(sentence.substr(mention.begin, mention.length) + "=" + mention.term->name);
    return words;
}

TEST(Mentions, AreTheLongestNamesAndAliases) {
    EXPECT_THAT(explained("it stays in local memory"), ElementsAre("local memory=Local memory"));
    EXPECT_THAT(explained("this is Flash Attention"), ElementsAre("Flash Attention=Flash Attention"));
    EXPECT_THAT(explained("buffered edges"), ElementsAre("buffered edges=Buffered edge"));
}

TEST(Mentions, AreWholeWordsOnceEach) {
    EXPECT_THAT(explained("a snapshot, and another snapshot"), ElementsAre("snapshot=Snapshot"));
    EXPECT_THAT(explained("resnapshot snapshotted"), IsEmpty());
}

// M is a dimension of most programs, and a term of the circuits.
TEST(Mentions, LeaveNamesOfOneLetterAlone) {
    EXPECT_THAT(explained("the loops over M and H"), IsEmpty());
}

}  // namespace
}  // namespace blockscope::test
