// The caption under the picture, and what stays marked in it after a step.
#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <algorithm>
#include <array>

#include "app/costs/best.h"
#include "app/shell/caption_bar.h"
#include "app/shell/telling.h"
#include "app/window/picture_view.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

class Captioned : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(t.open_sample("attention"));
        ASSERT_TRUE(test::wait_until([&] { return view().picture() != nullptr; }));
        bar = t.window.findChild<CaptionBar*>();
        ASSERT_NE(bar, nullptr);
    }
    PictureView& view() { return t.window.view(); }
    Document& document() { return t.window.document(); }
    void go(int step) {
        const Content& content = document().content();
        document().go(
            content.history.path(content.history.branch(content.branch).tip)[static_cast<std::size_t>(step)]);
    }
    bool says(const QString& text) {
        return test::wait_until([&] { return bar->sentence().contains(text); });
    }
    bool at_rest() {
        return test::wait_until([&] {
            return view().picture() && !view().canvas().moving() &&
                   view().picture()->figure.find(document().content().state().step->made.front().made) >= 0;
        });
    }

    TestWindow t;
    CaptionBar* bar = nullptr;
};

TEST_F(Captioned, SaysWhatTheStepDidAndPrepares) {
    go(2);
    EXPECT_TRUE(says(QStringLiteral("Saves no bytes yet: S still goes through memory. Step 10 uses this.")))
        << bar->sentence().toStdString();
    EXPECT_TRUE(bar->head().contains(QStringLiteral("Line the loops up")));
    EXPECT_TRUE(bar->head().contains(QStringLiteral("fuse loops")));
    EXPECT_FALSE(bar->bytes().contains(QStringLiteral("→")));
    go(9);
    EXPECT_TRUE(says(QStringLiteral("no longer goes through memory")));
    EXPECT_TRUE(bar->bytes().contains(QStringLiteral("→")));
    go(0);
    EXPECT_TRUE(says(QStringLiteral("each red line is a trip through global memory")));
}

// A step that makes the state slower says so where one looks, and why.
TEST_F(Captioned, SaysWhatAStepCosts) {
    t.window.resize(2400, 1000);  // with room for the reason
    go(1);
    EXPECT_TRUE(
        says(QStringLiteral("% slower. Its kernel: 103 MB from memory take longest; only 32 of 132 "
                            "processors have a task.")))
        << bar->sentence().toStdString();
    t.window.resize(1440, 900);  // with room for the shortest one
    EXPECT_TRUE(says(QStringLiteral("% slower: only 32 of 132 processors have a task.")))
        << bar->sentence().toStdString();
    EXPECT_FALSE(bar->sentence().contains(QStringLiteral("Its kernel")));
    go(9);
    EXPECT_TRUE(says(QStringLiteral("no longer goes through memory")));
    EXPECT_FALSE(bar->sentence().contains(QStringLiteral("slower"))) << bar->sentence().toStdString();
    go(1);
    Best::of(document()).set_objective(ObjectiveKind::Traffic);  // of which it has less
    EXPECT_TRUE(test::wait_until([&] { return !bar->sentence().contains(QStringLiteral("slower")); }));
    EXPECT_TRUE(bar->sentence().contains(QStringLiteral("Saves 32.5 MB")));
}

TEST_F(Captioned, SaysThatTheLastStateIsFlashAttention) {
    go(17);
    EXPECT_TRUE(says(QStringLiteral("This is Flash Attention")));
    EXPECT_TRUE(bar->sentence().contains(QStringLiteral("online softmax")));
    t.window.resize(2400, 1000);  // with room for what the step did, too
    EXPECT_TRUE(test::wait_until([&] {
        return bar->sentence().startsWith(
            QStringLiteral("The loops over N for exp(...) of S and P and dot of O are one now, as each "
                           "iteration needs only its counterpart. This is"));
    })) << bar->sentence().toStdString();
}

// However narrow it is: beside the lesson and the listing, in a small window with type of 125%, on a branch
// of its own.
TEST_F(Captioned, ItsHeadingIsNeverCut) {
    const auto check = [&](const QString& where) {
        QCoreApplication::processEvents();
        ASSERT_TRUE(test::wait_until([&] { return Telling::of(document()).current() != nullptr; }));
        QCoreApplication::processEvents();
        for (const QLabel* label : bar->findChildren<QLabel*>()) {
            if (label->wordWrap() || !label->isVisible()) continue;
            EXPECT_LE(label->fontMetrics().horizontalAdvance(label->text()), label->width())
                << where.toStdString() << ": " << label->text().toStdString() << " in " << bar->width();
            EXPECT_FALSE(label->text().isEmpty() && label->accessibleName().contains(QStringLiteral("Step")));
        }
    };
    t.window.services().show_panel("panel.lesson");
    t.window.services().show_panel("panel.listing");
    const QFont usual = QApplication::font();
    const std::array<std::pair<QSize, int>, 3> windows = {
        {{{1440, 900}, 100}, {{1280, 720}, 125}, {{1024, 768}, 125}}};
    for (const auto& [size, percent] : windows) {
        QFont font = usual;
        font.setPointSizeF(usual.pointSizeF() * percent / 100);
        QApplication::setFont(font);
        t.window.resize(size);
        for (int step = 0; step <= 17; ++step) {
            go(step);
            check(QStringLiteral("%1 at %2 %").arg(size.width()).arg(percent));
        }
    }
    QApplication::setFont(usual);
    document().go(2);
    document().apply(all_matches(*document().content().program()).back());
    document().rename_step(document().content().current, QString(900, QLatin1Char('x')));
    check(QStringLiteral("branch"));
    EXPECT_EQ(bar->head(), QStringLiteral("Step 3 of 3"));
}

// The way back to the algorithm is higher than a line of text.
TEST_F(Captioned, HasRoomForTheSentenceOnABranch) {
    go(2);
    document().apply(all_matches(*document().content().program()).back());
    const QList<QLabel*> labels = bar->findChildren<QLabel*>();
    const QLabel* sentence =
        *std::find_if(labels.begin(), labels.end(), [](const QLabel* label) { return label->wordWrap(); });
    ASSERT_TRUE(says(QStringLiteral(".")));
    QCoreApplication::processEvents();
    const int two_lines = 2 * QFontMetrics(sentence->font()).lineSpacing();
    EXPECT_GE(sentence->height(), two_lines);
}

// At every step, in the width that a small window leaves with type of 125%.
TEST_F(Captioned, IsTwoLinesAtMost) {
    QLabel label;
    label.setWordWrap(true);
    label.setTextFormat(Qt::RichText);
    QFont font = bar->font();
    font.setPixelSize(16);
    label.setFont(font);
    for (int step = 0; step <= 17; ++step) {
        go(step);
        ASSERT_TRUE(test::wait_until([&] { return Telling::of(document()).current() != nullptr; }));
        label.setText(with_terms(bar->sentence(), Qt::black));
        EXPECT_LE(label.heightForWidth(1256), 2 * QFontMetrics(font).lineSpacing() + 4)
            << step << ": " << bar->sentence().toStdString();
    }
}

// A display of 1280 x 720 with type of 125% has room for a window of 1024 x 576. The picture moves for a
// longer sentence once, not with every step.
TEST_F(Captioned, NoSentenceIsCutInASmallWindow) {
    t.settings.set_overlay(false);  // with the panels beside it the bar is narrower still
    t.window.resize(1024, 576);
    const QList<QLabel*> labels = bar->findChildren<QLabel*>();
    const QLabel* sentence =
        *std::find_if(labels.begin(), labels.end(), [](const QLabel* label) { return label->wordWrap(); });
    int high = 0;
    for (int step = 0; step <= 18; ++step) {
        go(std::min(step, 17));
        document().show_safe(step == 18);  // which has most to say
        ASSERT_TRUE(test::wait_until([&] { return Telling::of(document()).current() != nullptr; }));
        QCoreApplication::processEvents();
        EXPECT_LE(sentence->heightForWidth(sentence->width()), sentence->height())
            << step << ": " << bar->sentence().toStdString() << " in " << bar->width();
        EXPECT_GE(QFontInfo(sentence->font()).pixelSize(), 11);
        EXPECT_GE(bar->height(), high) << step;
        high = bar->height();
    }
    t.window.resize(1440, 900);
    QCoreApplication::processEvents();
    EXPECT_LT(bar->height(), high) << "there is room for two long lines again";
}

TEST_F(Captioned, ExplainsTheWordsOfTheGlossary) {
    const QString html = with_terms(QStringLiteral("S still goes through global memory & more"), Qt::black);
    EXPECT_TRUE(html.contains(QStringLiteral("href=\"term:Global memory\""))) << html.toStdString();
    EXPECT_TRUE(html.contains(QStringLiteral("&amp; more")));
    EXPECT_TRUE(
        term_tip(QStringLiteral("term:Global memory")).contains(QStringLiteral("<h3>Global memory</h3>")));
    EXPECT_TRUE(term_tip(QStringLiteral("term:no such term")).isEmpty());
}

TEST_F(Captioned, WhatAStepMadeStaysMarked) {
    go(8);
    ASSERT_TRUE(test::wait_until([&] { return view().picture() != nullptr; }));
    t.window.actions().trigger("step.forward");
    ASSERT_TRUE(at_rest());
    const NodeId made = document().content().state().step->made.front().made;
    const Lights& lights = view().canvas().lights();
    const int box = view().picture()->figure.find(made);
    const bool marked = (lights.boxes.count(box) > 0 && lights.boxes.at(box) == Mark::Made) ||
                        (lights.around.count(box) > 0 && lights.around.at(box) == Mark::Made);
    EXPECT_TRUE(marked) << "after the animation";
    EXPECT_TRUE(test::wait_until([&] { return !view().canvas().ghosts().empty(); }))
        << "the red edge that step 9 took away, as soon as the step is told";
    t.window.actions().trigger("step.back");
    ASSERT_TRUE(at_rest());
    EXPECT_TRUE(test::wait_until([&] {
        const auto& boxes = view().canvas().lights().boxes;
        return std::any_of(boxes.begin(), boxes.end(),
                           [](const auto& lit) { return lit.second == Mark::Match; });
    })) << "what the next step matches";
}

}  // namespace
}  // namespace blockscope
