// What a user does with one open program.
#include <gmock/gmock.h>

#include <QLineEdit>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolTip>

#include "app/scene/canvas.h"
#include "app/window/status_bar.h"
#include "tests/real/desk.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

const QString kSessionAttention = QStringLiteral("attention");

int frames(const Picture& picture, BoxKind kind) {
    int count = 0;
    for (const Box& box : picture.figure.boxes) count += box.kind == kind ? 1 : 0;
    return count;
}

TEST(Session, FoldingMakesCloudsAndUnfoldingTheSamePictureAgain) {
    Desk desk;
    ASSERT_TRUE(desk.open(kSessionAttention));
    const PicturePtr before = desk.picture();
    ASSERT_GT(frames(*before, BoxKind::Frame), 0);
    ASSERT_TRUE(desk.press(Qt::Key_T, 1, Qt::ShiftModifier));
    EXPECT_EQ(frames(*desk.picture(), BoxKind::Frame), 0);
    EXPECT_GT(frames(*desk.picture(), BoxKind::Cloud), 0);
    ASSERT_TRUE(desk.press(Qt::Key_U, 1));
    EXPECT_TRUE(test::same_geometry(*desk.picture(), *before));
    ASSERT_TRUE(desk.press(Qt::Key_Z, 1, Qt::ControlModifier));
    EXPECT_EQ(frames(*desk.picture(), BoxKind::Frame), 0);
}

// The badge can be reached by the keyboard, and its button tells by which oracle.
TEST(Session, TheBadgeTellsByWhatTheStateIsProven) {
    Desk desk;
    ASSERT_TRUE(desk.open(kSessionAttention));
    ASSERT_TRUE(desk.press(Qt::Key_Space, 2));
    auto* badge = desk.window().statusBar()->findChild<ProofBadge*>();
    ASSERT_NE(badge, nullptr);
    EXPECT_TRUE(badge->isVisible());
    EXPECT_EQ(badge->focusPolicy() & Qt::TabFocus, Qt::TabFocus);
    ASSERT_TRUE(wait_until([&] { return badge->text() == QStringLiteral("Proven"); }));
    const QString oracle = desk.window().services().proofs.proof(desk.content().program()).oracle;
    EXPECT_FALSE(oracle.isEmpty());
    desk.click(*badge, badge->rect().center());
    ASSERT_TRUE(wait_until([&] { return QToolTip::isVisible(); }));
    EXPECT_TRUE(QToolTip::text().contains(oracle)) << QToolTip::text().toStdString();
    QToolTip::hideText();
    ASSERT_TRUE(desk.press(Qt::Key_W, 1, Qt::ControlModifier));
    EXPECT_FALSE(badge->isVisible()) << "without a document there is nothing to prove";
}

TEST(Session, TheThemeIsSwitchedAtOnceAndRemembered) {
    Desk desk;
    ASSERT_TRUE(desk.open(kSessionAttention));
    const QColor light = desk.canvas_image().pixelColor(2, 400);
    desk.window().actions().trigger("view.theme_dark");
    const QColor dark = desk.canvas_image().pixelColor(2, 400);
    EXPECT_GT(light.lightness(), 200);
    EXPECT_LT(dark.lightness(), 60);
    EXPECT_EQ(desk.settings().theme(), ThemeChoice::Dark);
    desk.window().actions().trigger("view.theme_light");
    EXPECT_EQ(desk.canvas_image().pixelColor(2, 400), light);
}

TEST(Session, PresentationShowsThePictureAloneUntilEscape) {
    Desk desk;
    ASSERT_TRUE(desk.open(kSessionAttention));
    ASSERT_TRUE(desk.press(Qt::Key_F5, 1));
    EXPECT_FALSE(desk.window().menuBar()->isVisible());
    EXPECT_FALSE(desk.window().statusBar()->isVisible());
    for (const QDockWidget* dock : desk.window().findChildren<QDockWidget*>())
        EXPECT_FALSE(dock->isVisible());
    EXPECT_EQ(desk.window().view().width(), desk.window().width());
    ASSERT_TRUE(desk.press(Qt::Key_Space, 2));
    EXPECT_EQ(desk.content().history.depth(desk.content().current), 2);
    ASSERT_TRUE(desk.press(Qt::Key_Escape, 1));
    EXPECT_TRUE(desk.window().menuBar()->isVisible());
    EXPECT_TRUE(desk.window().statusBar()->isVisible());
}

TEST(Session, ThePaletteFindsNextStepByAFewLettersAndRunsIt) {
    Desk desk;
    ASSERT_TRUE(desk.open(kSessionAttention));
    desk.key(Qt::Key_K, Qt::ControlModifier);
    CommandPalette& palette = desk.window().palette_panel();
    ASSERT_TRUE(wait_until([&] { return palette.isVisible(); }));
    desk.type(QStringLiteral("next step"));
    ASSERT_TRUE(wait_until([&] { return palette.listed().size() < 20; }));
    ASSERT_FALSE(palette.listed().empty());
    EXPECT_EQ(palette.listed().front()->text, QStringLiteral("Next step"));
    desk.key(Qt::Key_Return);
    ASSERT_TRUE(desk.settle());
    EXPECT_FALSE(palette.isVisible());
    EXPECT_EQ(desk.content().history.depth(desk.content().current), 1);
}

TEST(Session, TheWindowMayBeSmallOrLargeAndThePictureIsWholeOrReadable) {
    Desk desk;
    ASSERT_TRUE(desk.open(kSessionAttention));
    for (const QSize size : {QSize(900, 600), QSize(1600, 1000)}) {
        desk.window().resize(size);
        ASSERT_TRUE(wait_until([&] { return desk.window().size() == size; }));
        ASSERT_TRUE(desk.settle());
        const Canvas& canvas = desk.window().view().canvas();
        const Rect seen = canvas.visible();
        const Rect& all = desk.picture()->geometry.bounds;
        EXPECT_GE(canvas.width(), 200);
        const bool whole = seen.left() <= all.left() && seen.right() >= all.right() &&
                           seen.top() <= all.top() && seen.bottom() >= all.bottom();
        EXPECT_TRUE(whole || canvas.width() / (seen.right() - seen.left()) > kReadableScale - 0.01)
            << size.width() << ": " << canvas.width() / (seen.right() - seen.left());
        for (const QWidget* part :
             desk.window().findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            const QRect area = part->geometry();
            // Panels behind tabs lie off the window, wholly; handles between panels reach over its rim.
            if (!part->isVisible() || part->isWindow() || !area.intersects(desk.window().rect())) continue;
            if (part->objectName() == QLatin1String("qt_qmainwindow_extended_splitter")) continue;
            EXPECT_TRUE(desk.window().rect().contains(area))
                << part->metaObject()->className() << ' ' << part->objectName().toStdString() << " at "
                << area.x() << ',' << area.y() << ' ' << area.width() << 'x' << area.height();
        }
    }
}

}  // namespace
}  // namespace blockscope
