// The chapters of a run.
#include "core/story/chapters.h"

#include <gmock/gmock.h>

#include "tests/story/stories.h"
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

// Where there is little room their names still say what is done.
TEST(Chapters, HaveShortNamesThatSaySomething) {
    std::vector<std::string> names;
    for (const Chapter& chapter : chapters_of(fuse(block_sample("attention"))))
        names.push_back(chapter.short_title.str());
    EXPECT_THAT(names, ElementsAre("line up", "move division", "fuse", "one kernel"));
    for (const std::string& sample : distinct_samples())
        for (const Chapter& chapter : chapters_of(fuse(block_sample(sample)))) {
            EXPECT_NE(chapter.short_title.str(), "swap") << sample;
            EXPECT_LE(chapter.short_title.str().size(), chapter.title.str().size()) << sample;
        }
}

TEST(Chapters, HoldEveryStepOfEverySampleOnce) {
    for (const std::string& sample : distinct_samples()) {
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

TEST(Chapters, OfOneTitleInARowAreOne) {
    const auto chapter = [](ChapterKind kind, const char* title, int first, int last) {
        return Chapter{.kind = kind,
                       .title = std::string(title),
                       .short_title = {},
                       .shortest_title = {},
                       .first = first,
                       .last = last,
                       .bytes_before = 100 - first,
                       .bytes_after = 99 - last};
    };
    const std::vector<Chapter> made = joined(
        {chapter(ChapterKind::Extend, "Extend a loop", 1, 2),
         chapter(ChapterKind::Extend, "Extend a loop", 3, 5), chapter(ChapterKind::Fuse, "Fuse loops", 6, 6),
         chapter(ChapterKind::Own, "mine", 7, 7), chapter(ChapterKind::Own, "mine", 8, 8)});
    ASSERT_EQ(made.size(), 4U);
    EXPECT_EQ(made[0].first, 1);
    EXPECT_EQ(made[0].last, 5);
    EXPECT_EQ(made[0].bytes_before, 99);
    EXPECT_EQ(made[0].bytes_after, 94);
}

TEST(Chapters, GiveTheirStepsToGroups) {
    const RunStory story = story_of("attention");
    const std::vector<Chapter> chapters = chapters_of(story.trace());
    ASSERT_EQ(chapters.size(), 4U);
    EXPECT_EQ(with_groups(chapters, {}, story.trace()).size(), 4U);
    const std::vector<Chapter> parts = with_groups(chapters, {{3, 4, "mine"}, {6, 9, "over"}}, story.trace());
    const std::vector<std::tuple<int, int, std::string>> expected{
        {1, 2, "Line the loops up"},      {3, 4, "mine"},
        {5, 5, "Line the loops up"},      {6, 9, "over"},
        {10, 15, "Fuse the inner loops"}, {16, 17, chapters.back().title.str()}};
    ASSERT_EQ(parts.size(), expected.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(std::tuple(parts[i].first, parts[i].last, parts[i].title.str()), expected[i]) << i;
        if (i == 0) continue;
        EXPECT_EQ(parts[i].bytes_before, parts[i - 1].bytes_after) << i;
    }
    EXPECT_EQ(parts[1].kind, ChapterKind::Own);
    EXPECT_EQ(parts.front().bytes_before, chapters.front().bytes_before);
    EXPECT_EQ(parts.back().bytes_after, chapters.back().bytes_after);
}

// One kernel is claimed where there is one and nothing is stored between.
TEST(Chapters, SayOneKernelWhereThereIsOne) {
    for (const std::string& sample : distinct_samples()) {
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
