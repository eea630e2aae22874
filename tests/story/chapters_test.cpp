// The chapters of a run.
#include "core/story/chapters.h"

#include <gmock/gmock.h>

#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> described(const std::vector<Chapter>& chapters) {
    std::vector<std::string> lines;
    for (const Chapter& chapter : chapters)
        lines.push_back(std::to_string(chapter.first) + "-" + std::to_string(chapter.last) + " " +
                        chapter.title.str());
    return lines;
}

TEST(Chapters, OfAttention) {
    EXPECT_THAT(described(chapters_of(fuse(block_sample("attention")))),
                ElementsAre("1-6 Line the loops up", "7-7 Move the division behind the product",
                            "8-15 Fuse the inner loops", "16-17 One kernel, nothing stored in between"));
}

TEST(Chapters, HoldEveryStepOfEverySampleOnce) {
    for (const std::string& sample : sample_names()) {
        const Trace trace = fuse(block_sample(sample));
        const std::vector<Chapter> chapters = chapters_of(trace);
        int next = 1;
        for (const Chapter& chapter : chapters) {
            EXPECT_EQ(chapter.first, next) << sample;
            EXPECT_FALSE(chapter.title.empty()) << sample;
            const State state(trace.state(chapter.last));
            EXPECT_EQ(chapter.bytes_after, state.counts().bytes()) << sample;
            next = chapter.last + 1;
        }
        EXPECT_EQ(next, static_cast<int>(trace.steps.size()) + 1) << sample;
        EXPECT_EQ(chapter_at(chapters, 0), nullptr);
    }
}

// One kernel is claimed where there is one and nothing is stored between.
TEST(Chapters, SayOneKernelWhereThereIsOne) {
    for (const std::string& sample : sample_names()) {
        const Trace trace = fuse(block_sample(sample));
        for (const Chapter& chapter : chapters_of(trace)) {
            if (chapter.title.str().rfind("One kernel", 0) != 0) continue;
            const State state(trace.state(chapter.last));
            EXPECT_EQ(state.counts().launches, 1) << sample;
            EXPECT_EQ(state.counts().intermediates.bytes, 0) << sample;
            EXPECT_EQ(chapter.title == "One kernel, at the price of repeated work",
                      chapter.bytes_after > chapter.bytes_before)
                << sample;
        }
    }
}

}  // namespace
}  // namespace blockscope::test
