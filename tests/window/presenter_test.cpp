// The presentation: text for the last row, pointer, spotlight, blank screen, questions; and everything as it
// was afterwards.
#include "app/window/presenter.h"

#include <gmock/gmock.h>

#include <functional>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStatusBar>
#include <QTest>

#include "app/costs/best.h"
#include "app/export/export_dialog.h"
#include "app/scene/canvas.h"
#include "app/shell/appearance.h"
#include "app/shell/caption_bar.h"
#include "app/shell/telling.h"
#include "app/window/docks.h"
#include "app/window/message_bars.h"
#include "app/window/picture_view.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using Tool = PresenterLayer::Tool;

class Presented : public testing::Test {
protected:
    void open(const char* sample) {
        ASSERT_TRUE(t.open_sample(sample));
        ASSERT_TRUE(test::wait_until([&] { return view().picture() != nullptr; }));
    }
    PictureView& view() { return t.window.view(); }
    Canvas& canvas() { return view().canvas(); }
    Document& document() { return t.window.document(); }
    const QLabel* sentence() {
        const QList<QLabel*> labels = t.window.findChild<CaptionBar*>()->findChildren<QLabel*>();
        return *std::find_if(labels.begin(), labels.end(),
                             [](const QLabel* each) { return each->wordWrap(); });
    }
    QuestionCard& card() { return t.window.presenter().card(); }
    void act(const char* id) { t.window.actions().trigger(id); }
    // The picture is that of the state, in the shape that the view now asks for.
    bool settled() {
        return test::wait_until([&] {
            const PicturePtr now = t.window.services().pictures.known(
                document().snapshot(), document().content().current, view().shape());
            return now && now == view().picture() && !canvas().moving();
        });
    }
    // Presents attention in windows of three sizes, and calls `look` at each of its first steps, whose
    // question is open. `where` says which one it is.
    void at_questions(int steps, const std::function<void(const std::string& where)>& look) {
        open("attention");
        act("view.presentation");
        for (const QSize& size : {QSize(1280, 720), QSize(1440, 900), QSize(1024, 768)}) {
            document().home();
            t.window.resize(size);
            ASSERT_TRUE(test::wait_until([&] { return t.window.size() == size; }));
            if (!card().asking()) act("present.questions");
            for (int step = 0; step < steps; ++step) {
                const std::string where = std::to_string(size.width()) + ", step " + std::to_string(step);
                ASSERT_TRUE(test::wait_until([&] { return card().question() && !card().answered(); }))
                    << where;
                ASSERT_NO_FATAL_FAILURE(look(where));
                document().forward();
            }
        }
    }
    // No bar comes or goes any more: costs of the state are known.
    bool calm() {
        QSize last;
        int same = 0;
        return test::wait_until([&] {
            same = canvas().size() == last ? same + 1 : 0;
            last = canvas().size();
            return same > 20 && view().holds_room();
        });
    }
    bool asked() {
        return test::wait_until([&] { return card().question().has_value(); });
    }
    test::TestWindow t;
};

constexpr double kNameHeight = 12;  // the height of the smallest names of a picture at scale 1

// Of parts of a picture, and at least of a picture that is seen whole; where a talk begins and at its
// snapshots all is seen even in smaller letters.
struct Room {
    QSize size;
    double pixels = 0, whole = 0;
};

// What can be read is no smaller where two of the screen's pixels make one.
TEST(Letters, AreReadOnScreensWithSmallPixels) {
    EXPECT_EQ(least_letters(900, 1), 11);
    EXPECT_EQ(least_letters(2160, 1), 22) << "the same share of the height";
    EXPECT_EQ(least_letters(2160, 2), 11);
    EXPECT_NEAR(least_letters(1800, 2), 9.17, 0.01);
    EXPECT_EQ(least_letters(900, 2), 8.8);
    EXPECT_EQ(least_letters(720, 1.25), 8.8);
}

TEST_F(Presented, NamesAreAsHighAsARoomNeeds) {
    open("attention");
    constexpr double kLeastOfAll = 11;
    const Room rooms[] = {{{1920, 1080}, 20, 20}, {{1440, 900}, 16.6, 14}, {{1024, 768}, 14, 14}};
    for (const Room& room : rooms) {
        document().home();
        act("view.presentation");
        ASSERT_TRUE(settled());
        t.window.resize(room.size);
        ASSERT_TRUE(test::wait_until([&] { return t.window.size() == room.size; }));
        do {
            ASSERT_TRUE(settled());
            const HistoryState& state = document().content().state();
            const std::string where = std::to_string(room.size.width()) + ", step " +
                                      std::to_string(document().content().history.depth(state.id));
            const bool all = !state.step || state.snapshot;
            const double least = !canvas().is_fitted() ? room.pixels : all ? kLeastOfAll : room.whole;
            EXPECT_GE(canvas().camera().scale * kNameHeight, least - 0.01) << where;
            const Rect seen = canvas().visible(), bounds = view().picture()->geometry.bounds;
            if (all) {
                EXPECT_TRUE(canvas().is_fitted()) << where << ": a talk begins and ends with everything";
                EXPECT_TRUE(seen.contains({bounds.left(), bounds.top()}) &&
                            seen.contains({bounds.right(), bounds.bottom()}))
                    << where;
            }
            if (bounds.width > seen.width) {
                EXPECT_GE(seen.left(), bounds.left() - 0.25 * seen.width) << "most of the view is used";
                EXPECT_LE(seen.right(), bounds.right() + 0.25 * seen.width);
            }
            EXPECT_FALSE(canvas().lights().edge_labels) << "they are smaller";
            ASSERT_TRUE(test::wait_until([&] { return Telling::of(document()).current() != nullptr; }));
            QCoreApplication::processEvents();
            const QLabel* told = sentence();
            EXPECT_GE(QFontInfo(told->font()).pixelSize(), room.pixels) << told->text().toStdString();
            EXPECT_LE(told->heightForWidth(told->width()), told->height()) << told->text().toStdString();
        } while (document().can_forward() && (document().forward(), true) &&
                 document().content().history.depth(document().content().current) < 18 &&
                 document().content().current != document().content().history.branch(1).tip);
        act("view.presentation");
    }
}

TEST_F(Presented, EverythingIsAsItWasAfterwards) {
    open("attention");
    t.window.resize(1440, 900);
    ASSERT_TRUE(settled());
    canvas().zoom(1.5);
    ASSERT_TRUE(settled());
    const Camera camera = canvas().camera();
    const QSize size = t.window.size();
    act("view.presentation");
    ASSERT_TRUE(settled());
    act("present.spotlight");
    act("present.questions");
    ASSERT_TRUE(asked());
    EXPECT_TRUE(card().isVisible());
    act("edit.deselect");
    EXPECT_FALSE(t.appearance.presenting());
    t.window.resize(size);
    ASSERT_TRUE(settled());
    EXPECT_TRUE(t.window.docks().shown());
    EXPECT_TRUE(t.window.statusBar()->isVisible());
    EXPECT_FALSE(t.window.isFullScreen());
    EXPECT_FALSE(card().isVisible());
    EXPECT_EQ(t.window.presenter().layer().tool(), Tool::None);
    EXPECT_FALSE(t.window.actions().get("present.questions")->isChecked());
    EXPECT_NEAR(canvas().camera().scale, camera.scale, 1e-6);
    EXPECT_NEAR(canvas().camera().center.x, camera.center.x, 1e-6);
    EXPECT_NEAR(canvas().camera().center.y, camera.center.y, 1e-6);
}

TEST_F(Presented, AnOpenQuestionHidesWhatTheNextStepMatches) {
    open("attention");
    const auto marks = [&] {
        const auto& boxes = canvas().lights().boxes;
        return std::count_if(boxes.begin(), boxes.end(),
                             [](const auto& each) { return each.second == Mark::Match; });
    };
    ASSERT_TRUE(test::wait_until([&] { return marks() > 0; }));
    act("view.presentation");
    act("present.questions");
    EXPECT_EQ(marks(), 0) << "while it is thought out, too";
    ASSERT_TRUE(asked());
    EXPECT_EQ(marks(), 0);
    card().answer(card().question()->right);
    EXPECT_GT(marks(), 0);
    document().forward();
    ASSERT_TRUE(test::wait_until([&] { return card().question().has_value(); }));
    ASSERT_TRUE(settled());
    EXPECT_EQ(marks(), 0);
    act("view.presentation");
    EXPECT_GT(marks(), 0);
}

TEST_F(Presented, AWindowThatCoveredTheScreenStillDoes) {
    open("softmax");
    act("view.full_screen");
    ASSERT_TRUE(t.window.isFullScreen());
    act("view.presentation");
    act("edit.deselect");
    EXPECT_TRUE(t.window.isFullScreen());
}

TEST_F(Presented, BBlanksTheScreenInAPresentationAlone) {
    open("attention");
    PresenterLayer& layer = t.window.presenter().layer();
    QTest::keyClick(&canvas(), Qt::Key_B);
    EXPECT_EQ(layer.tool(), Tool::None);
    document().home();
    act("view.presentation");
    const StateId before = document().content().current;
    QTest::keyClick(&canvas(), Qt::Key_B);
    EXPECT_EQ(layer.tool(), Tool::Blank);
    EXPECT_EQ(document().content().current, before) << "not to the best state";
    EXPECT_TRUE(t.window.actions().get("present.blank")->isChecked());
    QTest::keyClick(&canvas(), Qt::Key_B);
    EXPECT_EQ(layer.tool(), Tool::None);
    QTest::keyClick(&canvas(), Qt::Key_Period);
    EXPECT_EQ(layer.tool(), Tool::Blank);
    document().forward();
    EXPECT_EQ(layer.tool(), Tool::None) << "a step is seen";
    EXPECT_EQ(layer.geometry(), t.window.rect());
}

TEST_F(Presented, PointerAndSpotlightAreThereInAPresentationAlone) {
    open("softmax");
    PresenterLayer& layer = t.window.presenter().layer();
    EXPECT_FALSE(t.window.actions().get("present.pointer")->isEnabled());
    act("view.presentation");
    act("present.pointer");
    EXPECT_EQ(layer.tool(), Tool::Pointer);
    EXPECT_TRUE(layer.testAttribute(Qt::WA_TransparentForMouseEvents));
    layer.point_at({200, 200});
    const QImage seen = layer.grab().toImage();
    EXPECT_GT(qRed(seen.pixel(200, 200)), 180);
    act("present.spotlight");
    EXPECT_EQ(layer.tool(), Tool::Spotlight) << "one at a time";
    EXPECT_FALSE(t.window.actions().get("present.pointer")->isChecked());
    act("present.spotlight");
    EXPECT_FALSE(layer.isVisible());
}

TEST_F(Presented, QuestionsAreAnsweredBeforeTheStepAndCounted) {
    open("attention");
    document().home();
    act("view.presentation");
    act("present.questions");
    ASSERT_TRUE(asked());
    const StateId before = document().content().current;
    QTest::keyClick(&canvas(), static_cast<Qt::Key>(Qt::Key_1 + card().question()->right));
    EXPECT_TRUE(card().answered());
    EXPECT_EQ(card().right(), 1);
    EXPECT_TRUE(card().verdict().startsWith(QStringLiteral("Right")));
    EXPECT_EQ(document().content().current, before) << "it is revealed by the step itself";
    document().forward();
    ASSERT_TRUE(test::wait_until([&] { return card().question() && !card().answered(); }));
    const int wrong = (card().question()->right + 1) % static_cast<int>(card().question()->choices.size());
    EXPECT_TRUE(card().answer(wrong));
    EXPECT_FALSE(card().answer(wrong)) << "once";
    EXPECT_EQ(card().right(), 1);
    EXPECT_EQ(card().all(), 2);
    EXPECT_TRUE(card().verdict().startsWith(QStringLiteral("No: ")));
    EXPECT_TRUE(view().rect().contains(card().geometry()));
    document().end();
    EXPECT_FALSE(card().isVisible()) << "nothing follows";
}

// On a projector of 1024 pixels, too: answers are not cut, before and after.
TEST_F(Presented, AnswersAreReadWhole) {
    open("attention");
    act("view.presentation");
    t.window.resize(1024, 768);
    ASSERT_TRUE(settled());
    act("present.questions");
    const auto whole = [&](const char* when) {
        for (const QPushButton* choice : card().findChildren<QPushButton*>())
            if (choice->isVisible()) {
                EXPECT_GE(choice->width(), choice->sizeHint().width())
                    << when << choice->text().toStdString();
            }
        EXPECT_TRUE(view().rect().contains(card().geometry())) << when;
    };
    for (int step = 0; step < 12; ++step) {
        ASSERT_TRUE(test::wait_until([&] { return card().question() && !card().answered(); })) << step;
        QCoreApplication::processEvents();
        whole("asked: ");
        card().answer((card().question()->right + 1) % static_cast<int>(card().question()->choices.size()));
        QCoreApplication::processEvents();
        whole("answered: ");
        document().forward();
    }
}

// The card stands beside the picture or below it, never over it.
TEST_F(Presented, AQuestionCoversNothingOfThePicture) {
    at_questions(8, [this](const std::string& where) {
        ASSERT_TRUE(settled());
        EXPECT_FALSE(card().geometry().intersects(canvas().geometry())) << where;
        EXPECT_TRUE(view().rect().contains(card().geometry())) << where;
        EXPECT_GE(canvas().width() * canvas().height() * 2, view().width() * view().height()) << where;
    });
    act("present.questions");
    EXPECT_EQ(canvas().width(), view().width()) << "it has its room again";
}

// Dialogs have the large type, and room for it.
TEST_F(Presented, TheExportDialogCutsNothing) {
    open("attention");
    act("view.presentation");
    ExportDialog dialog(t.appearance.theme(), {0, 0, 100, 100}, {}, &t.window);
    dialog.show();
    QCoreApplication::processEvents();
    EXPECT_GE(QFontInfo(dialog.font()).pixelSize(), 20);
    for (const QWidget* each : dialog.findChildren<QWidget*>()) {
        if (!each->isVisible() ||
            !(qobject_cast<const QCheckBox*>(each) || qobject_cast<const QComboBox*>(each)))
            continue;
        EXPECT_GE(each->width(), each->sizeHint().width()) << each->accessibleName().toStdString();
    }
}

// Neither the picture nor the card moves under the eyes of those who look for the reason.
TEST_F(Presented, AnAnswerMovesNothing) {
    int asked = 0;
    at_questions(6, [&](const std::string& where) {
        ASSERT_TRUE(settled() && calm());
        const PictureShape shape = view().shape();
        const PicturePtr picture = view().picture();
        const Camera camera = canvas().camera();
        const QRect seen = canvas().geometry(), there = card().geometry();
        const int choices = static_cast<int>(card().question()->choices.size());
        card().answer((card().question()->right + asked++ % 2) % choices);
        QCoreApplication::processEvents();
        ASSERT_TRUE(settled());
        EXPECT_EQ(canvas().geometry(), seen) << where;
        EXPECT_EQ(card().geometry(), there) << where;
        EXPECT_EQ(view().shape(), shape) << where;
        EXPECT_EQ(view().picture(), picture) << where;
        EXPECT_EQ(canvas().camera(), camera) << where;
    });
    EXPECT_EQ(asked, 3 * 6);
}

// An animated step glows before it is shown: only then its picture has been there for a moment.
TEST_F(Presented, ThePictureOfAnAnimatedStepKeepsItsShapeBelowBars) {
    t.settings.set_animations(true);
    open("attention");
    act("view.presentation");
    canvas().set_animated(true);
    document().home();
    ASSERT_TRUE(settled());
    for (int step = 0; step < 2; ++step) {
        document().forward();
        ASSERT_TRUE(test::wait_until([&] { return view().holds_room(); })) << step;
        ASSERT_TRUE(settled());
    }
}

// What is laid out anew, as all of it no longer fits, is not laid out once more as the bar goes.
TEST_F(Presented, WhatBarsHideIsLaidOutAnewOnce) {
    open("attention");
    act("view.presentation");
    auto* bar = t.window.findChild<WrittenBar*>();
    int anew = 0;
    for (const QSize& size : {QSize(1440, 860), QSize(1100, 620)}) {
        t.window.resize(size);
        ASSERT_TRUE(test::wait_until([&] { return t.window.size() == size; }));
        ASSERT_TRUE(settled());
        ASSERT_TRUE(test::wait_until([&] { return view().holds_room(); }));
        const PictureShape before = view().shape();
        const int canvas_height = canvas().height();
        t.window.services().wrote(t.file("attention.svg", "<svg/>"));
        ASSERT_TRUE(test::wait_until([&] { return canvas().height() < canvas_height; }));
        ASSERT_TRUE(settled());
        ASSERT_TRUE(test::wait_until([&] { return view().holds_room(); }));
        const PictureShape below = view().shape();
        if (!(below == before)) ++anew;
        bar->hide();
        ASSERT_TRUE(test::wait_until([&] { return canvas().height() == canvas_height; }));
        ASSERT_TRUE(settled());
        EXPECT_EQ(view().shape(), below) << size.height();
    }
    EXPECT_GT(anew, 0);
}

// Red edges: a click on one that vanishes is right, on another wrong, on a thin one nothing.
TEST_F(Presented, AnEdgeIsAnsweredByAClickInThePicture) {
    open("attention");
    act("view.presentation");
    act("present.questions");
    const auto find = [&] {
        for (document().home(); document().can_forward(); document().forward()) {
            const StateId state = document().content().current;
            if (state == document().content().history.branch(1).tip) return false;
            if (!asked()) return false;
            if (card().question()->kind == Question::Kind::Edge) return true;
        }
        return false;
    };
    ASSERT_TRUE(find());
    ASSERT_TRUE(settled());
    const StateTold* told = nullptr;
    ASSERT_TRUE(test::wait_until([&] {
        told = Telling::of(document()).current();
        return told && told->names;
    }));
    const std::vector<ValueKey>& vanishing = card().question()->vanishing;
    const auto& edges = view().picture()->figure.edges;
    int right = -1, thin = -1;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const ValueKey key = told->names->key(edges[i].value);
        const bool goes = std::find(vanishing.begin(), vanishing.end(), key) != vanishing.end();
        if (edges[i].buffered && goes) right = static_cast<int>(i);
        if (!edges[i].buffered) thin = static_cast<int>(i);
    }
    ASSERT_GE(right, 0) << "the edge that vanishes is red in the picture";
    if (thin >= 0) {
        Q_EMIT canvas().clicked(-1, thin, Qt::NoModifier);
        EXPECT_FALSE(card().answered());
    }
    Q_EMIT canvas().clicked(-1, right, Qt::NoModifier);
    EXPECT_TRUE(card().answered());
    EXPECT_EQ(card().right(), 1);
}

}  // namespace
}  // namespace blockscope
