// Screenshots of the window against the kept ones (golden.h).
#include <gmock/gmock.h>

#include <QElapsedTimer>
#include <QPainter>
#include <QScrollBar>
#include <QTabWidget>

#include "app/circuit/circuit_steps.h"
#include "app/circuit/circuit_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/model_view.h"
#include "app/panels/timeline.h"
#include "app/scene/canvas.h"
#include "app/shell/telling.h"
#include "app/window/start_page.h"
#include "core/rules/rule.h"
#include "tests/real/desk.h"
#include "tests/real/golden.h"

namespace blockscope {
namespace {

using test::compare_with_golden;
using test::Desk;
using test::wait_until;

const QString kScreensAttention = QStringLiteral("attention");

// Badges say "proven" once they know.
bool proven(Desk& desk) {
    return wait_until([&] {
        for (const auto& [id, state] : desk.content().history.states())
            if (desk.window().services().proofs.proof(state->program).verdict == Proof::Verdict::Waiting)
                return false;
        return true;
    });
}

// The window once nothing in it changes any more.
QImage still_image(Desk& desk) {
    QImage last;
    int same = 0;
    QElapsedTimer since;
    since.start();
    wait_until([&] {
        if (since.elapsed() < 250) return false;
        since.restart();
        const QImage now = desk.image();
        same = now == last ? same + 1 : 0;
        last = now;
        return same >= 6;
    });
    return last;
}

TEST(Screens, StartPage) {
    Desk desk;
    EXPECT_TRUE(wait_until([&] { return !desk.window().thumbnails().busy(); }));
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("start")), "");
}

TEST(Screens, AttentionFromStartToEndLightAndDark) {
    Desk desk;
    ASSERT_TRUE(desk.open(kScreensAttention));
    ASSERT_TRUE(proven(desk));
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("attention-first")), "");
    ASSERT_TRUE(desk.press(Qt::Key_End, 1));
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("attention-last")), "");
    desk.window().actions().trigger("view.theme_dark");
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("attention-last-dark")), "");
}

// A part of a lesson with an answer to it.
TEST(Screens, Lesson) {
    Desk desk;
    LessonDesk& lessons = desk.window().lessons();
    const auto ready = [&] {
        return wait_until([&] { return !lessons.busy() && !lessons.prompt().isEmpty(); });
    };
    lessons.begin(*find_lesson("4-flash-attention"), 5);
    ASSERT_TRUE(ready());
    lessons.answer(0);
    ASSERT_TRUE(proven(desk));
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("lesson")), "");
    desk.window().actions().trigger("view.theme_dark");
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("lesson-dark")), "");
}

TEST(Screens, Matches) {
    Desk desk;
    ASSERT_TRUE(desk.open(kScreensAttention));
    desk.window().services().show_panel("panel.matches");
    desk.window().actions().trigger("window.picture");
    const QImage image = still_image(desk);
    const QWidget* dock = desk.window().docks().dock("panel.matches");
    EXPECT_EQ(compare_with_golden(image.copy(dock->geometry()), QStringLiteral("matches")), "");
}

// The current step's cell, come to from the start: where the strip stands depends on the way there and on how
// wide it was on that way (its caption grows while states are told).
void scroll_from_the_start(Desk& desk) {
    auto* strip = desk.window().findChild<TimelineStrip*>();
    ASSERT_NE(strip, nullptr);
    strip->horizontalScrollBar()->setValue(0);
    const QSize size = strip->size();
    strip->resize(size - QSize(1, 0));
    strip->resize(size);
}

// One panel, light and dark.
void compare_panel(Desk& desk, const char* panel, const QString& name) {
    desk.window().services().show_panel(panel);
    desk.window().actions().trigger("window.picture");
    const QWidget* dock = desk.window().docks().dock(panel);
    for (const auto& [theme, suffix] : {std::pair{"view.theme_light", ""}, {"view.theme_dark", "-dark"}}) {
        desk.window().actions().trigger(theme);
        const QImage image = still_image(desk);
        const double scale = image.devicePixelRatio();
        const QRect place(dock->geometry().topLeft() * scale, dock->size() * scale);
        EXPECT_EQ(compare_with_golden(image.copy(place), name + QString::fromLatin1(suffix)), "");
    }
    desk.window().actions().trigger("view.theme_light");
}

// The window shows the step, with its sentence: the caption keeps the room of the longest one that it showed.
bool told(Desk& desk) {
    return desk.settle() && wait_until([&] { return !Telling::of(desk.document()).work().busy(); });
}

// Six steps of attention, a branch of one step at the third, notes.
void make_history(Desk& desk) {
    for (int step = 0; step < 3; ++step) {
        ASSERT_TRUE(desk.press(Qt::Key_Space, 1));
        ASSERT_TRUE(told(desk));
    }
    desk.document().apply(all_matches(*desk.content().program()).back());
    ASSERT_TRUE(told(desk));
    desk.document().set_note(desk.content().current, QStringLiteral("Another *order*."));
    desk.document().go(desk.content().history.branch(1).tip);
    ASSERT_TRUE(told(desk));
    while (desk.content().history.depth(desk.content().current) > 6) {
        desk.document().back();
        ASSERT_TRUE(told(desk));
    }
    ASSERT_TRUE(proven(desk));
}

TEST(Screens, Panels) {
    Desk desk;
    ASSERT_TRUE(desk.open(kScreensAttention));
    make_history(desk);
    compare_panel(desk, "panel.history", QStringLiteral("history"));
    compare_panel(desk, "panel.rule", QStringLiteral("rule"));
    compare_panel(desk, "panel.listing", QStringLiteral("listing"));
    compare_panel(desk, "panel.editor", QStringLiteral("editor"));
    compare_panel(desk, "panel.sizes", QStringLiteral("sizes"));
    scroll_from_the_start(desk);
    compare_panel(desk, "panel.timeline", QStringLiteral("timeline"));
}

TEST(Screens, ArrayProgramAndComparison) {
    Desk desk(Desk::Motion::Off, QSize(1100, 700));
    ASSERT_TRUE(desk.open(kScreensAttention));
    make_history(desk);
    desk.window().services().show_panel("panel.array");
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("array")), "");
    desk.window().actions().trigger("window.picture");
    desk.document().compare_with({0});
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("compare")), "");
    desk.window().actions().trigger("view.theme_dark");
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("compare-dark")), "");
}

// The circuit is drawn on another thread.
bool drawn(Desk& desk) {
    return wait_until([&] {
        for (const CircuitView* view : desk.window().findChildren<CircuitView*>())
            if (view->isVisible() && view->drawing()) return true;
        return false;
    });
}

// The circuit behind its tab, its last state on levels, and beside the picture.
TEST(Screens, CircuitLightAndDarkAndBeside) {
    Desk desk(Desk::Motion::Off, QSize(1280, 760));
    ASSERT_TRUE(desk.open(kScreensAttention));
    ASSERT_TRUE(proven(desk));
    ASSERT_TRUE(desk.press(Qt::Key_End, 1));
    desk.window().services().show_panel("panel.circuit");
    ASSERT_TRUE(drawn(desk));
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("circuit")), "");
    desk.window().actions().trigger("view.theme_dark");
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("circuit-dark")), "");
    desk.window().actions().trigger("view.theme_light");
    desk.window().actions().trigger("circuit.beside");
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("circuit-beside")), "");
}

// Every tab of the kernel's dock, those with colours of their own in the dark, too.
TEST(Screens, KernelsTabs) {
    Desk desk(Desk::Motion::Off, QSize(1280, 900));
    ASSERT_TRUE(desk.open(kScreensAttention));
    ASSERT_TRUE(proven(desk));
    desk.window().services().show_panel("panel.kernel");
    auto* tables = desk.window().findChild<KernelTables*>();
    ASSERT_NE(tables, nullptr);
    ASSERT_TRUE(wait_until([&] { return tables->study() && !tables->busy(); }));
    const QWidget* dock = desk.window().docks().dock("panel.kernel");
    const auto compare = [&](int tab, const char* name) {
        tables->tabs().setCurrentIndex(tab);
        const QImage image = still_image(desk);
        EXPECT_EQ(compare_with_golden(image.copy(dock->geometry()), QString::fromLatin1(name)), "");
    };
    compare(0, "kernel-clocks");
    compare(1, "kernel-configuration");
    compare(2, "kernel-code");
    compare(3, "kernel-levels");
    tables->models().derive(1, 0, 5);
    compare(4, "kernel-models");
    desk.window().actions().trigger("view.theme_dark");
    compare(0, "kernel-clocks-dark");
    compare(3, "kernel-levels-dark");
    compare(4, "kernel-models-dark");
}

// The circuit step by step: queries grouped, keys streamed, with its panel.
TEST(Screens, CircuitStepByStepLightAndDark) {
    Desk desk(Desk::Motion::Off, QSize(1280, 760));
    ASSERT_TRUE(desk.open(kScreensAttention));
    ASSERT_TRUE(proven(desk));
    desk.window().actions().trigger("circuit.steps");
    CircuitSteps& steps = CircuitSteps::of(desk.document());
    ASSERT_TRUE(wait_until([&] { return steps.session() && !steps.busy(); }));
    const auto act = [&](const char* name, circuit::CircuitAction::Kind kind) {
        const circuit::Axes& axes = steps.session()->current().flow->axes;
        for (std::size_t a = 0; a < axes.size(); ++a)
            if (axes[a].name == name) steps.act({kind, {static_cast<int>(a)}, 128, {}});
        return wait_until([&] { return !steps.busy(); });
    };
    ASSERT_TRUE(act("M", circuit::CircuitAction::Kind::Group));
    ASSERT_TRUE(act("N", circuit::CircuitAction::Kind::Stream));
    ASSERT_TRUE(drawn(desk));
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("circuit-steps")), "");
    desk.window().actions().trigger("view.theme_dark");
    EXPECT_EQ(compare_with_golden(still_image(desk), QStringLiteral("circuit-steps-dark")), "");
}

// Run with QT_SCALE_FACTOR=2: twice as many pixels, nothing larger or smaller than it was.
TEST(DoubleScreens, AttentionsPicture) {
    Desk desk(Desk::Motion::Off, QSize(800, 500));
    ASSERT_EQ(desk.window().devicePixelRatio(), 2);
    ASSERT_TRUE(desk.open(kScreensAttention));
    ASSERT_TRUE(proven(desk));
    const QImage image = still_image(desk);
    EXPECT_EQ(image.width(), 1600);
    EXPECT_EQ(compare_with_golden(image, QStringLiteral("attention-first-2x")), "");
}

TEST(DoubleScreens, Panels) {
    Desk desk(Desk::Motion::Off, QSize(800, 500));
    ASSERT_TRUE(desk.open(kScreensAttention));
    make_history(desk);
    compare_panel(desk, "panel.rule", QStringLiteral("rule-2x"));
    scroll_from_the_start(desk);
    compare_panel(desk, "panel.timeline", QStringLiteral("timeline-2x"));
}

QImage page_of_text(double x, QFont::HintingPreference hinting) {
    QImage page(640, 400, QImage::Format_RGB32);
    page.fill(Qt::white);
    QPainter painter(&page);
    painter.fillRect(400, 40, 200, 300, QColor(230, 235, 245));
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    font.setHintingPreference(hinting);
    painter.setFont(font);
    for (int line = 0; line < 20; ++line)
        painter.drawText(QPointF(20 + x, 30 + line * 18),
                         QStringLiteral("for m in 0 .. M: load Q[m, d] into q"));
    return page;
}

// What the comparison is worth: letters drawn otherwise pass, a panel less or a moved part does not.
TEST(Golden, AllowsOtherLettersAndNothingElse) {
    const QImage page = page_of_text(0, QFont::PreferFullHinting);
    const test::Difference letters = test::difference(page, page_of_text(0.4, QFont::PreferNoHinting));
    EXPECT_TRUE(letters.small()) << letters.mean << ' ' << letters.share;
    EXPECT_GT(letters.largest, 0) << "the letters do differ";
    QImage less = page;
    QPainter(&less).fillRect(400, 40, 200, 300, Qt::white);
    EXPECT_FALSE(test::difference(page, less).small());
    QImage without_text = page;
    QPainter(&without_text).fillRect(0, 0, 390, 400, Qt::white);
    EXPECT_FALSE(test::difference(page, without_text).small());
    EXPECT_FALSE(test::difference(page, page.copy(0, 0, 600, 400)).small());
}

}  // namespace
}  // namespace blockscope
