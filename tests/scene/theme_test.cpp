#include "app/scene/theme.h"

#include <gtest/gtest.h>

namespace blockscope {
namespace {

class Themes : public testing::TestWithParam<bool> {
protected:
    Theme theme = GetParam() ? Theme::dark_theme() : Theme::light();
};

TEST_P(Themes, TextIsReadableOnEveryFill) {
    for (const QColor& fill : {theme.canvas, theme.box, theme.formula, theme.array, theme.opaque,
                               frame_fill(theme, 0), frame_fill(theme, 20)}) {
        EXPECT_GE(contrast(theme.ink, fill), 4.5) << fill.name().toStdString();
    }
    EXPECT_GE(contrast(theme.faint, theme.canvas), 4.5);
}

TEST_P(Themes, EdgesAndRimsStandOut) {
    for (const int depth : {0, 4, 20}) {
        EXPECT_GE(contrast(theme.buffered, frame_fill(theme, depth)), 3) << depth;
        EXPECT_GE(contrast(theme.frame_rim, frame_fill(theme, depth)), 3) << depth;
    }
    EXPECT_GE(contrast(theme.buffered, theme.canvas), 3);
    EXPECT_GE(contrast(theme.box_rim, theme.canvas), 3);
    EXPECT_GE(contrast(theme.formula_rim, theme.canvas), 3);
    EXPECT_GE(contrast(theme.array_rim, theme.canvas), 3);
    EXPECT_GE(contrast(theme.opaque_rim, theme.canvas), 3);
}

TEST_P(Themes, MarksStandOut) {
    for (const QColor& mark : {theme.selected, theme.hovered, theme.match, theme.culprit, theme.made,
                               theme.search, theme.removed, theme.added, theme.moved, theme.changed})
        for (const int depth : {0, 20})
            EXPECT_GE(contrast(mark, frame_fill(theme, depth)), 2.5)
                << mark.name().toStdString() << " " << depth;
}

TEST_P(Themes, FramesDeepenAndNeverPassTheirLimit) {
    double before = contrast(theme.canvas, theme.canvas);
    for (int depth = 0; depth < 8; ++depth) {
        const double now = contrast(theme.canvas, frame_fill(theme, depth));
        EXPECT_GT(now, before);
        before = now;
    }
    EXPECT_LE(before, contrast(theme.canvas, theme.frame_fill));
}

INSTANTIATE_TEST_SUITE_P(LightAndDark, Themes, testing::Bool());

TEST(Contrast, IsThatOfWcag) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-3);
    EXPECT_NEAR(contrast(QColor("#767676"), Qt::white), 4.54, 0.01);
}

TEST(Measure, IsWiderForMoreText) {
    const Measure measure = qt_measure();
    EXPECT_GT(measure("row_scale", TextRole::Label).width, measure("dot", TextRole::Label).width);
    EXPECT_GT(measure("dot", TextRole::Label).height, measure("dot", TextRole::Edge).height);
}

}  // namespace
}  // namespace blockscope
