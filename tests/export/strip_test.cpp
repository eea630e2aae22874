#include "app/export/strip.h"

#include <gmock/gmock.h>

#include <regex>

#include "app/files/svg.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Derivation, TellsEveryStep) {
    FusedRun run("attention");
    const Derivation derivation = run.derivation();
    const int steps = run.content->history.depth(run.content->current);
    ASSERT_EQ(static_cast<int>(derivation.stages.size()), steps + 1);
    EXPECT_EQ(derivation.stages.front().title, "Initial program");
    for (int i = 1; i <= steps; ++i) {
        const Stage& stage = derivation.stages[static_cast<std::size_t>(i)];
        EXPECT_EQ(stage.number, i);
        EXPECT_FALSE(stage.rule.empty());
        EXPECT_FALSE(stage.explanation.empty());
        EXPECT_FALSE(stage.made.empty());
        EXPECT_FALSE(derivation.stages[static_cast<std::size_t>(i - 1)].matched.empty());
        EXPECT_EQ(stage.buffered_before, derivation.stages[static_cast<std::size_t>(i - 1)].buffered_after);
    }
    EXPECT_EQ(derivation.stages.back().buffered_after, buffered_edges(*run.content->program()));
    EXPECT_TRUE(derivation.stages.back().matched.empty());
}

TEST(Derivation, MarksWhatWasMadeAndWhatIsMatchedNext) {
    FusedRun run("attention");
    const Derivation derivation = run.derivation();
    const Stage& start = derivation.stages[0];
    const Lights first = lights_of(start);
    EXPECT_EQ(first.boxes.at(start.picture->figure.find(start.matched[0])), Mark::Match);
    // Step 1 makes the map that step 2 matches.
    const Stage& stage = derivation.stages[1];
    const int made = stage.picture->figure.find(stage.made[0]);
    EXPECT_EQ(lights_of(stage).boxes.at(made), Mark::Match);
    EXPECT_EQ(lights_of(stage).around.at(made), Mark::Made);
    const Stage& last = derivation.stages.back();
    EXPECT_EQ(lights_of(last).boxes.at(last.picture->figure.find(last.made[0])), Mark::Made);
}

TEST(Derivation, OfSnapshotsKeepsTheStepNumbers) {
    FusedRun run("attention");
    const Derivation derivation = run.derivation(Stages::Snapshots);
    ASSERT_EQ(derivation.stages.size(), 3U);
    EXPECT_EQ(derivation.stages[1].number, 15);
    EXPECT_EQ(derivation.stages[1].snapshot, 1);
    EXPECT_EQ(derivation.stages[1].rewrites, 15);
    EXPECT_THAT(derivation.stages[1].title, HasSubstr("15 rewrites: rules 1, 4, 3"));
    EXPECT_EQ(derivation.stages[2].snapshot, 2);
}

TEST(Derivation, EndsWhenItIsCancelled) {
    FusedRun run("softmax");
    int left = 2;
    const auto source = [&](StateId id, const PictureShape& shape, const auto&) {
        return left-- > 0 ? run.pictures.now(run.content, id, shape) : nullptr;
    };
    EXPECT_FALSE(derive(*run.content, Stages::All, source).has_value());
}

TEST(Strip, HasAPanelForEveryStageInReadingOrderAndNoneOverlap) {
    FusedRun run("attention");
    const Derivation derivation = run.derivation();
    for (const StripLayout& layout : {lay_out_pages(derivation), lay_out_sheet(derivation)}) {
        int next = 0;
        for (const StripPage& page : layout.pages)
            for (const StripPanel& panel : page.panels) {
                EXPECT_EQ(panel.stage, next++);
                EXPECT_GE(panel.rect.left(), 0);
                EXPECT_LE(panel.rect.right(), layout.size.width);
                EXPECT_LE(panel.rect.bottom(), layout.size.height);
                for (const StripPanel& other : page.panels)
                    EXPECT_TRUE(&other == &panel || !other.rect.intersects(panel.rect.grown(-1)));
                const Rect& bounds =
                    derivation.stages[static_cast<std::size_t>(panel.stage)].picture->geometry.bounds;
                EXPECT_LE(panel.picture_top + bounds.height * layout.scale, panel.rect.bottom() + 0.5);
                EXPECT_LE(bounds.width * layout.scale, panel.rect.width + 0.5);
            }
        EXPECT_EQ(next, static_cast<int>(derivation.stages.size()));
        EXPECT_GT(layout.scale, 0.39) << "the legend leaves the panels room";
    }
}

TEST(Strip, SvgIsXmlWithRulesAndExplanations) {
    FusedRun run("attention");
    const std::string svg = strip_svg(run.derivation(), Theme::light());
    EXPECT_THAT(xml_problem(svg), IsEmpty());
    EXPECT_THAT(svg, HasSubstr(">Rule 6a</text>"));
    EXPECT_THAT(svg, HasSubstr(">fuse loops</text>"));
    EXPECT_EQ(svg, strip_svg(run.derivation(), Theme::light()));
    // Its legend explains what occurs.
    EXPECT_THAT(svg, HasSubstr("summed over iterations"));
    EXPECT_THAT(svg, HasSubstr("made by the step"));
    EXPECT_THAT(svg, testing::Not(HasSubstr("opaque: nothing fuses")));
}

// On paper nothing can be pointed at: what has no room beside the number gets lines of its own.
TEST(Strip, ANarrowPanelCutsNeitherTitleNorSnapshot) {
    FusedRun run("attention");
    int lines = 0;
    for (const Stage& stage : run.derivation().stages) {
        const double width = 190;
        VectorDevice device;
        QPainter painter(&device);
        device.start("");
        paint_stage_header(painter, stage, Theme::light(), {0, 0, width, 400});
        paint_stage_words(painter, stage, Theme::light(), {0, kStageHeader, width, 300});
        painter.end();
        const std::string svg = svg_file({0, 0, width, 400}, "", "", svg_items(device.items(), plain_colour));
        EXPECT_THAT(svg, testing::Not(HasSubstr("…"))) << stage.number;
        if (stage.snapshot == 0) continue;
        ++lines;
        EXPECT_THAT(svg, HasSubstr("napshot " + std::to_string(stage.snapshot)));
        EXPECT_GT(stage_words_height(stage, width), stage_words_height(stage, 10 * width));
    }
    EXPECT_EQ(lines, 2);
}

TEST(Strip, PdfHasSeveralPagesOfPaperWithTextOfAReadableSize) {
    FusedRun run("attention");
    const std::string pdf = strip_pdf(run.derivation(), Theme::light()).toStdString();
    std::smatch count;
    ASSERT_TRUE(std::regex_search(pdf, count, std::regex("/Count ([0-9]+)")));
    EXPECT_EQ(std::stoul(count[1]), lay_out_pages(run.derivation()).pages.size());
    EXPECT_GT(std::stoul(count[1]), 1U);
    EXPECT_THAT(
        pdf, HasSubstr("/MediaBox [0 0 596.000000 842.000000]"));  // A4 in points, not in pixels of a printer
    EXPECT_EQ(pdf, strip_pdf(run.derivation(), Theme::light()).toStdString());
}

}  // namespace
}  // namespace blockscope::test
