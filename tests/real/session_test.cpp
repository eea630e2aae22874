// What a user does with one open program.
#include <gmock/gmock.h>

#include <QDropEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QStatusBar>
#include <QToolTip>

#include "app/panels/proof_badge.h"
#include "app/scene/canvas.h"
#include "app/window/problem_bar.h"
#include "tests/real/desk.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

const QString kAttention = QStringLiteral("attention");

int frames(const Picture& picture, BoxKind kind) {
    int count = 0;
    for (const Box& box : picture.figure.boxes) count += box.kind == kind ? 1 : 0;
    return count;
}

TEST(Session, FoldingMakesCloudsAndUnfoldingTheSamePictureAgain) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
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

TEST(Session, AClickSelectsTheBlockUnderThePointerAndADoubleClickFoldsItsMap) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
    desk.canvas_image();
    Canvas& canvas = desk.window().view().canvas();
    const Figure& figure = desk.picture()->figure;
    for (std::size_t box = 0; box < figure.boxes.size(); ++box) {
        if (figure.boxes[box].kind != BoxKind::Functional) continue;
        const NodeId node = figure.boxes[box].id();
        desk.click(canvas, canvas.box_rect(static_cast<int>(box)).center().toPoint());
        EXPECT_TRUE(desk.document().selection().nodes.count(node) == 1) << figure.boxes[box].label;
        break;
    }
    EXPECT_FALSE(desk.document().selection().empty());
    ASSERT_TRUE(desk.press(Qt::Key_Escape, 1));
    EXPECT_TRUE(desk.document().selection().empty());
}

TEST(Session, KeysMoveAndZoomWhatIsSeen) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
    const Canvas& canvas = desk.window().view().canvas();
    ASSERT_TRUE(desk.press(Qt::Key_1, 1));
    const Rect start = canvas.visible();
    EXPECT_NEAR(start.width, canvas.width(), 1e-6);
    ASSERT_TRUE(desk.press(Qt::Key_Left, 1, Qt::ShiftModifier));
    EXPECT_LT(canvas.visible().left(), start.left());
    ASSERT_TRUE(desk.press(Qt::Key_Right, 2, Qt::ShiftModifier));
    EXPECT_GT(canvas.visible().left(), start.left());
    ASSERT_TRUE(desk.press(Qt::Key_Up, 1, Qt::ShiftModifier));
    EXPECT_LT(canvas.visible().top(), start.top());
    ASSERT_TRUE(desk.press(Qt::Key_Down, 2, Qt::ShiftModifier));
    EXPECT_GT(canvas.visible().top(), start.top());
    EXPECT_NEAR(canvas.visible().width, start.width, 1e-6);
    ASSERT_TRUE(desk.press(Qt::Key_Equal, 1, Qt::ControlModifier));
    EXPECT_LT(canvas.visible().width, start.width);
    ASSERT_TRUE(desk.press(Qt::Key_Minus, 2, Qt::ControlModifier));
    EXPECT_GT(canvas.visible().width, start.width);
    ASSERT_TRUE(desk.press(Qt::Key_F, 1));
    EXPECT_TRUE(canvas.is_fitted());
}

// The badge can be reached by the keyboard, and its button tells by which oracle.
TEST(Session, TheBadgeTellsByWhatTheStateIsProven) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
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
    ASSERT_TRUE(desk.open(kAttention));
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
    ASSERT_TRUE(desk.open(kAttention));
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
    ASSERT_TRUE(desk.open(kAttention));
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

TEST(Session, ABadFileThatIsDroppedSaysWhereItIsWrongAndTheDocumentStays) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
    const ContentPtr before = desk.document().snapshot();
    const QString bad =
        desk.file(QStringLiteral("bad.bp"), "dim M = 8 / 4\ninput A[M, K]\noutput B = nosuch(A)\n");
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(bad)});
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&desk.window(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&desk.window(), &drop);
    ProblemBar& bar = desk.window().problem_bar();
    ASSERT_TRUE(wait_until([&] { return bar.isVisible(); }));
    const auto* list = bar.findChild<QListWidget*>();
    ASSERT_GE(list->count(), 1);
    EXPECT_TRUE(list->item(0)->text().contains(QStringLiteral("bad.bp:2:")))
        << list->item(0)->text().toStdString();
    EXPECT_EQ(desk.document().snapshot(), before);
    // A good file afterwards takes the banner away.
    ASSERT_TRUE(desk.open(QStringLiteral("softmax")));
    EXPECT_FALSE(bar.isVisible());
}

TEST(Session, TheWindowMayBeSmallOrLargeAndThePictureStaysWhole) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
    for (const QSize size : {QSize(900, 600), QSize(1600, 1000)}) {
        desk.window().resize(size);
        ASSERT_TRUE(wait_until([&] { return desk.window().size() == size; }));
        ASSERT_TRUE(desk.settle());
        const Canvas& canvas = desk.window().view().canvas();
        const Rect seen = canvas.visible();
        const Rect& all = desk.picture()->geometry.bounds;
        EXPECT_GE(canvas.width(), 200);
        EXPECT_LE(seen.left(), all.left());
        EXPECT_GE(seen.right(), all.right());
        EXPECT_LE(seen.top(), all.top());
        EXPECT_GE(seen.bottom(), all.bottom());
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
