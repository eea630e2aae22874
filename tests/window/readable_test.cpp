// What one sees at first and after each step, over every sample and in windows of three sizes: names that can
// be read, the part that has changed, and how much of the canvas there is for it.
#include <gmock/gmock.h>

#include <QTabBar>
#include <QToolBar>
#include <climits>
#include <cmath>
#include <set>

#include "app/panels/timeline.h"
#include "app/scene/canvas.h"
#include "app/scene/legend.h"
#include "app/scene/theme.h"
#include "app/shell/controls.h"
#include "app/shell/telling.h"
#include "app/window/panel_strip.h"
#include "app/window/panel_table.h"
#include "app/window/picture_view.h"
#include "tests/support/samples.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

constexpr double kLeastName = 11;  // pixels

const QSize kSizes[] = {{1440, 900}, {1280, 720}, {1024, 640}};

// Pixels of the smallest name on the canvas.
double least_name(const Canvas& canvas) {
    const int smallest =
        std::min(picture_font(TextRole::Label).pixelSize(), picture_font(TextRole::Corner).pixelSize());
    return canvas.camera().scale * smallest;
}

// Whether all of `part` is seen, or as much of it as the view holds at the scale at which names can be read.
bool within_view(const Canvas& canvas, const Rect& part) {
    const Rect view = visible(canvas.camera(), canvas.size());
    const auto overlap = [](double low, double high, double from, double to) {
        return std::min(high, to) - std::max(low, from);
    };
    const double x = overlap(view.left(), view.right(), part.left(), part.right());
    const double y = overlap(view.top(), view.bottom(), part.top(), part.bottom());
    return x >= std::min(part.width, view.width * 0.5) - 1 &&
           y >= std::min(part.height, view.height * 0.5) - 1;
}

constexpr double kLeastShare = 0.2;

// How much of the canvas the picture takes. A small program is not drawn larger than it is.
double share_used(const Canvas& canvas) {
    if (canvas.camera().scale >= 1) return 1;
    const Rect view = visible(canvas.camera(), canvas.size());
    const Rect& all = canvas.picture()->geometry.bounds;
    const double width = std::min(view.right(), all.right()) - std::max(view.left(), all.left());
    const double height = std::min(view.bottom(), all.bottom()) - std::max(view.top(), all.top());
    return width * height / (view.width * view.height);
}

// Waits until the canvas shows the document's state, and its sentence, which takes room from the picture, is
// there.
bool shows_state(TestWindow& t) {
    return test::wait_until([&] {
        if (Telling::of(t.window.document()).work().busy()) return false;
        PictureView& view = t.window.view();
        const auto known = t.window.services().pictures.known(
            t.window.document().snapshot(), t.window.document().content().current, view.shape());
        return known && known == view.picture();
    });
}

// Around what the last step made.
std::optional<Rect> made_part(TestWindow& t) {
    const HistoryState& state = t.window.document().content().state();
    if (!state.step) return std::nullopt;
    Spot spot;
    for (const Lineage& line : state.step->made) spot.nodes.insert(line.made);
    return bounds_of(*t.window.view().picture(), spot);
}

class Readable : public testing::TestWithParam<std::string> {
protected:
    void look(TestWindow& t, const std::string& where) {
        const Canvas& canvas = t.window.view().canvas();
        EXPECT_GE(least_name(canvas), kLeastName - 1e-6) << where;
        const std::optional<Rect> part = made_part(t);
        EXPECT_TRUE(!part || within_view(canvas, *part)) << where;
        EXPECT_GE(share_used(canvas), kLeastShare) << where;
        const Rect view = visible(canvas.camera(), canvas.size());
        const Picture& picture = *canvas.picture();
        for (std::size_t i = 0; i < picture.figure.boxes.size(); ++i)
            if (picture.geometry.boxes[i].intersects(view)) {
                EXPECT_EQ(picture.figure.boxes[i].label.find("…"), std::string::npos)
                    << where << ": " << picture.figure.boxes[i].label;
            }
    }
};

TEST_P(Readable, AtFirstAfterEachStepAndBackInWindowsOfThreeSizes) {
    for (const QSize& size : kSizes) {
        TestWindow t;
        t.window.resize(size);
        ASSERT_TRUE(t.open_sample(GetParam().c_str()));
        ASSERT_TRUE(test::wait_until([&] { return t.window.view().picture() != nullptr; }));
        ASSERT_TRUE(shows_state(t));
        const std::string window = std::to_string(size.width()) + " x " + std::to_string(size.height());
        look(t, window + ", at first");
        const Branch& branch =
            t.window.document().content().history.branch(t.window.document().content().branch);
        const int steps = std::min(20, t.window.document().content().history.depth(branch.tip));
        for (int step = 1; step <= steps; ++step) {
            t.window.document().forward();
            ASSERT_TRUE(shows_state(t));
            look(t, window + ", step " + std::to_string(step));
        }
        t.window.document().go(0);
        ASSERT_TRUE(shows_state(t));
        look(t, window + ", back");
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Readable, testing::ValuesIn(test::distinct_samples()),
                         [](const auto& sample) { return test::test_name(sample.param); });

// A sentence that takes a line more, or a smaller window: the view has another extent, and what the step made
// is what one is looking at.
TEST(ReadableSteps, WhatAStepMadeStaysInSightAsTheViewShrinks) {
    TestWindow t;
    t.window.resize(1024, 700);
    ASSERT_TRUE(t.open_sample("gated-mlp"));
    ASSERT_TRUE(shows_state(t));
    for (int step = 1; step <= 10; ++step) {
        t.window.document().forward();
        ASSERT_TRUE(shows_state(t));
        for (const int height : {640, 600, 700}) {
            t.window.resize(1024, height);
            ASSERT_TRUE(shows_state(t));
            const std::optional<Rect> part = made_part(t);
            EXPECT_TRUE(!part || within_view(t.window.view().canvas(), *part)) << step << ", " << height;
        }
    }
}

// A column of attention used to take a tenth of it.
TEST(CanvasRoom, IsUsedForThePicture) {
    for (const QSize& size : kSizes) {
        TestWindow t;
        t.window.resize(size);
        ASSERT_TRUE(t.open_sample("attention"));
        ASSERT_TRUE(shows_state(t));
        const Canvas& canvas = t.window.view().canvas();
        const Rect view = visible(canvas.camera(), canvas.size());
        const Rect& all = canvas.picture()->geometry.bounds;
        const double width = std::min(view.right(), all.right()) - std::max(view.left(), all.left());
        const double height = std::min(view.bottom(), all.bottom()) - std::max(view.top(), all.top());
        EXPECT_GE(width * height / (view.width * view.height), 0.4) << size.width();
    }
}

TEST(Direction, IsAChoiceAndKept) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    const auto flow_after = [&](const char* action) {
        t.window.actions().trigger(action);
        EXPECT_TRUE(shows_state(t)) << action;
        return t.window.view().picture()->geometry.flow;
    };
    EXPECT_EQ(flow_after("picture.flow_down"), Flow::Down);
    EXPECT_EQ(flow_after("picture.flow_right"), Flow::Right);
    EXPECT_EQ(Settings(t.folder.filePath(QStringLiteral("settings.ini"))).flow(), FlowChoice::Right);
    EXPECT_FALSE(t.window.actions().get("picture.flow_automatic")->isChecked());
    flow_after("picture.flow_automatic");
    EXPECT_TRUE(t.window.actions().get("picture.flow_automatic")->isChecked());
}

TEST(CompactTimeline, IsOneRowInSmallWindowsUntilTheUserChooses) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    const auto* timeline = t.window.findChild<Timeline*>();
    ASSERT_NE(timeline, nullptr);
    t.window.resize(1500, 900);
    EXPECT_FALSE(timeline->compact());
    t.window.resize(1280, 720);
    EXPECT_TRUE(timeline->compact());
    EXPECT_TRUE(test::wait_until([&] { return timeline->height() <= 44; })) << timeline->height();
    t.window.actions().trigger("view.compact");
    EXPECT_FALSE(timeline->compact());
    EXPECT_EQ(t.settings.compact(), std::optional(false));
    t.window.resize(1270, 700);
    EXPECT_FALSE(timeline->compact()) << "the user has chosen";
}

// A picture that fits is fitted; a view that becomes lower by some pixels, as by a longer sentence below it,
// does not take the camera from the steps.
TEST(OwnCamera, LeadsOnAfterTheViewHasAnotherExtent) {
    TestWindow t;
    t.window.resize(1500, 1000);
    ASSERT_TRUE(t.open_sample("attention"));
    PictureView& view = t.window.view();
    ASSERT_TRUE(test::wait_until([&] { return view.picture() != nullptr; }));
    t.window.actions().trigger("step.end");
    const auto shows_last = [&] {
        const Content& content = t.window.document().content();
        return content.state().step &&
               view.picture()->figure.find(content.state().step->made.front().made) >= 0;
    };
    ASSERT_TRUE(test::wait_until(shows_last));
    for (const int high : {980, 960, 940, 920, 900, 880, 700}) {
        t.window.resize(1500, high);
        QCoreApplication::processEvents();
    }
    t.window.actions().trigger("step.home");
    ASSERT_TRUE(
        test::wait_until([&] { return view.canvas().is_fitted() || view.canvas().camera().scale > 0.9; }));
    t.window.actions().trigger("step.end");
    ASSERT_TRUE(test::wait_until(shows_last));
    ASSERT_TRUE(test::wait_until([&] { return !view.canvas().moving(); }));
    const Rect seen = view.canvas().visible();
    const Rect& all = view.picture()->geometry.bounds;
    const double used =
        (std::min(seen.bottom(), all.bottom()) - std::max(seen.top(), all.top())) / seen.height;
    if (seen.height >= all.height) {
        EXPECT_LE(seen.top(), all.top());
        EXPECT_GE(seen.bottom(), all.bottom());
    } else {
        EXPECT_GT(used, 0.8) << "no blank half above or below";
    }
}

TEST(ShortLegend, IsARowUntilItIsAskedFor) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_TRUE(test::wait_until([&] { return t.window.view().picture() != nullptr; }));
    const auto* strip = t.window.findChild<LegendStrip*>();
    const auto* legend = t.window.findChild<Legend*>();
    ASSERT_TRUE(strip && legend);
    EXPECT_TRUE(strip->isVisible());
    EXPECT_FALSE(legend->isVisible());
    // Of what is drawn, and of the next step's match, as soon as the run is known.
    const auto explains_all = [&] {
        Signs drawn = signs_of(*t.window.view().picture(), {});
        drawn.insert(Sign::Match);
        return strip->signs() == drawn;
    };
    EXPECT_TRUE(test::wait_until(explains_all));
    t.window.actions().trigger("step.forward");
    EXPECT_TRUE(test::wait_until([&] { return strip->signs().count(Sign::Made) > 0; }));
    t.window.resize(1500, 900);
    t.window.actions().trigger("view.legend");
    EXPECT_FALSE(strip->isVisible());
    EXPECT_TRUE(legend->isVisible());
}

// Without arrows to push them: a display of 1280 x 720 with type of 125% has room for a window of 1024 x 576.
TEST(Tabs, AllNamesAreSeenInASmallWindow) {
    TestWindow t;
    t.window.resize(1024, 576);
    ASSERT_TRUE(t.open_sample("attention"));
    QCoreApplication::processEvents();
    int bars = 0;
    for (QTabBar* bar : t.window.findChildren<QTabBar*>()) {
        if (!bar->isVisible()) continue;
        ++bars;
        for (int i = 0; i < bar->count(); ++i) {
            if (!bar->isTabVisible(i)) continue;
            EXPECT_TRUE(bar->rect().contains(bar->tabRect(i))) << bar->tabText(i).toStdString();
        }
    }
    EXPECT_GE(bars, 1) << "of the centre";
    int names = 0;
    for (const StripButton* name : t.window.findChildren<StripButton*>()) {
        ++names;
        EXPECT_TRUE(name->isVisible()) << name->text().toStdString();
        EXPECT_GE(name->height(), name->sizeHint().height()) << name->text().toStdString();
        const QRect place(name->mapTo(&t.window, QPoint()), name->size());
        EXPECT_TRUE(t.window.rect().contains(place)) << name->text().toStdString();
    }
    EXPECT_GE(names, 8) << "of the panels at the left and at the right";
}

// Of panels and pages, too, in a window of 1280 x 720; the names of those with more.
std::set<std::string> bars_of_rows(const QWidget& widget) {
    std::set<std::string> found;
    for (const QWidget* bar : widget.findChildren<QWidget*>()) {
        if (!bar->isVisible() || dynamic_cast<const FlowLayout*>(bar->layout()) == nullptr) continue;
        int lowest = 0, highest = INT_MAX;  // of what begins and of what ends in it
        for (int i = 0; i < bar->layout()->count(); ++i) {
            const QWidget* item = bar->layout()->itemAt(i)->widget();
            if (item == nullptr || !item->isVisible()) continue;
            lowest = std::max(lowest, item->geometry().top());
            highest = std::min(highest, item->geometry().bottom());
        }
        if (lowest > highest) found.insert(bar->parentWidget()->metaObject()->className());
    }
    return found;
}

TEST(Toolbars, OfPanelsAreOneRow) {
    TestWindow t;
    t.window.resize(1280, 720);
    ASSERT_TRUE(t.open_sample("attention"));
    for (const PanelInfo& panel : panel_table()) {
        // Those of circuits and CUDA hold more than a row.
        const std::string id = panel.id;
        if (id.starts_with("panel.circuit") || id == "panel.cuda" || panel.area == PanelArea::Beside)
            continue;
        if (!panel.open) continue;
        t.window.services().show_panel(panel.id);
        ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
        for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
        EXPECT_THAT(bars_of_rows(t.window), testing::IsEmpty()) << panel.id;
    }
}

TEST(Toolbars, AreOneRow) {
    for (const QSize& size : kSizes) {
        TestWindow t;
        t.window.resize(size);
        ASSERT_TRUE(t.open_sample("attention"));
        for (const QToolBar* bar : t.window.findChildren<QToolBar*>()) {
            EXPECT_LT(bar->height(), 2 * bar->iconSize().height() + 24) << size.width();
        }
    }
}

}  // namespace
}  // namespace blockscope
