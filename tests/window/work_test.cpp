#include "app/document/work.h"

#include <gmock/gmock.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <stdexcept>
#include <thread>

#include "app/shell/progress.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

// Holds a job up until the test lets it go on.
struct Gate {
    std::shared_ptr<std::atomic<bool>> open = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<std::atomic<int>> waiting = std::make_shared<std::atomic<int>>(0);
    Work::Job job(std::function<void()> finish) const {
        return [open = open, waiting = waiting, finish](const Stop&) -> Work::Finish {
            ++*waiting;
            while (!*open) std::this_thread::yield();
            return finish;
        };
    }
};

TEST(Work, FinishesOnTheThreadThatAsked) {
    Work work;
    const std::thread::id here = std::this_thread::get_id();
    std::thread::id there;
    bool done = false;
    work.start(QStringLiteral("x"), [&there](const Stop&) {
        there = std::this_thread::get_id();
        return Work::Finish([] {});
    });
    ASSERT_TRUE(test::wait_until([&] { return !work.busy(); }));
    EXPECT_NE(there, here);
    work.start(QStringLiteral("x"), [&](const Stop&) -> Work::Finish {
        return [&] { done = std::this_thread::get_id() == here; };
    });
    ASSERT_TRUE(test::wait_until([&] { return done; }));
}

TEST(Work, SaysWhatTakesLong) {
    Work work;
    const Gate gate;
    QSignalSpy slow(&work, &Work::slow);
    QSignalSpy finished(&work, &Work::finished);
    work.start(QStringLiteral("Opening"), gate.job({}));
    ASSERT_TRUE(test::wait_until([&] { return slow.count() == 1; }));
    EXPECT_EQ(slow[0][0].toString(), QStringLiteral("Opening"));
    *gate.open = true;
    ASSERT_TRUE(test::wait_until([&] { return finished.count() == 1; }));
}

TEST(Work, SaysHowMuchIsDoneIfTheJobKnows) {
    Work work;
    const Gate gate;
    QSignalSpy progressed(&work, &Work::progressed);
    EXPECT_EQ(work.permille(), -1);
    work.start(QStringLiteral("x"), [open = gate.open](const Stop& stop) -> Work::Finish {
        stop.done(1, 4);
        while (!*open) std::this_thread::yield();
        return {};
    });
    ASSERT_TRUE(test::wait_until([&] { return progressed.count() > 0; }));
    EXPECT_EQ(progressed[0][0].toInt(), 250);
    *gate.open = true;
    ASSERT_TRUE(test::wait_until([&] { return !work.busy(); }));
    EXPECT_EQ(work.permille(), -1);
}

TEST(Work, ACancelledJobLeavesNothing) {
    Work work;
    const Gate gate;
    bool done = false;
    work.start(QStringLiteral("x"), gate.job([&] { done = true; }));
    work.cancel();
    EXPECT_FALSE(work.busy());
    *gate.open = true;
    bool second = false;
    work.start(QStringLiteral("y"), [&](const Stop&) -> Work::Finish { return [&] { second = true; }; });
    ASSERT_TRUE(test::wait_until([&] { return second; }));
    EXPECT_FALSE(done);
}

TEST(Work, ABrokenInvariantIsSaid) {
    Work work;
    QSignalSpy failed(&work, &Work::failed);
    work.start(QStringLiteral("x"), [](const Stop&) -> Work::Finish { throw std::logic_error("broken"); });
    ASSERT_TRUE(test::wait_until([&] { return failed.count() == 1; }));
    EXPECT_EQ(failed[0][0].toString(), QStringLiteral("broken"));
}

// What the core is in the middle of ends with the job, and is no mistake.
TEST(Work, WorkOfTheCoreEndsWithTheSignOfItsJob) {
    struct Ends {
        std::atomic<bool>& ended;
        ~Ends() { ended = true; }
    };
    std::atomic<bool> begun = false, ended = false;
    Work work;
    QSignalSpy failed(&work, &Work::failed);
    work.start(QStringLiteral("x"), [&](const Stop& stop) -> Work::Finish {
        const Ends ends{ended};
        for (begun = true;; std::this_thread::yield()) stop.sign().check();
    });
    ASSERT_TRUE(test::wait_until([&] { return begun.load(); }));
    EXPECT_FALSE(ended);
    work.cancel();
    ASSERT_TRUE(test::wait_until([&] { return ended.load(); }));
    QCoreApplication::processEvents();
    EXPECT_EQ(failed.count(), 0);
}

// The bar over a panel whose job takes long.
struct LateWork : testing::Test {
    ~LateWork() override { *gate.open = true; }  // or the jobs would be waited for
    LateWork() {
        panel.resize(500, 300);
        panel.show();
    }
    bool announced() {
        return test::wait_until([&] { return bar.isVisible(); });
    }
    QPushButton& cancel() { return *bar.findChild<QPushButton*>(); }

    Work work;
    QWidget panel;
    ProgressOverlay bar{work, 10, &panel};
    const Gate gate;
};

TEST_F(LateWork, IsAnnouncedInPlaceUntilItIsDone) {
    work.start(QStringLiteral("Writing the listing"), gate.job({}));
    EXPECT_FALSE(bar.isVisible()) << "what is quick is not announced";
    ASSERT_TRUE(announced());
    EXPECT_EQ(bar.findChild<QLabel*>()->text(), QStringLiteral("Writing the listing"));
    EXPECT_TRUE(panel.rect().contains(bar.geometry()));
    EXPECT_EQ(bar.y(), 10);
    *gate.open = true;
    EXPECT_TRUE(test::wait_until([&] { return !bar.isVisible(); }));
}

TEST_F(LateWork, CancelEndsIt) {
    bool done = false, said = false;
    QObject::connect(&bar, &ProgressOverlay::cancelled, &bar, [&] { said = true; });
    work.start(QStringLiteral("x"), gate.job([&] { done = true; }));
    ASSERT_TRUE(announced());
    cancel().click();
    EXPECT_TRUE(said);
    EXPECT_FALSE(bar.isVisible());
    EXPECT_FALSE(work.busy());
    *gate.open = true;
    bool second = false;
    work.start(QStringLiteral("y"), [&](const Stop&) -> Work::Finish { return [&] { second = true; }; });
    ASSERT_TRUE(test::wait_until([&] { return second; }));
    EXPECT_FALSE(done);
}

TEST_F(LateWork, SaysWhatWasGivenUpUntilItIsStartedAgain) {
    QSignalSpy again(&bar, &ProgressOverlay::again_clicked), cancelled(&bar, &ProgressOverlay::cancelled);
    work.start(QStringLiteral("x"), gate.job({}));
    ASSERT_TRUE(announced());
    cancel().click();
    bar.say_given_up(QStringLiteral("Cancelled: no links."));
    EXPECT_TRUE(bar.isVisible());
    EXPECT_EQ(bar.findChild<QLabel*>()->text(), QStringLiteral("Cancelled: no links."));
    EXPECT_FALSE(bar.findChild<QProgressBar*>()->isVisible());
    EXPECT_EQ(cancel().text(), QStringLiteral("Again"));
    cancel().click();
    EXPECT_EQ(again.count(), 1);
    EXPECT_EQ(cancelled.count(), 1) << "nothing is left to cancel";
    work.start(QStringLiteral("y"), gate.job({}));
    ASSERT_TRUE(test::wait_until([&] { return bar.findChild<QLabel*>()->text() == QStringLiteral("y"); }));
    EXPECT_EQ(cancel().text(), QStringLiteral("Cancel"));
    EXPECT_TRUE(bar.findChild<QProgressBar*>()->isVisible());
    bar.say_given_up({});
    EXPECT_TRUE(bar.isVisible()) << "it works";
    work.cancel();
    EXPECT_FALSE(bar.isVisible());
}

// Jobs of the background, in the status bar.
TEST(StatusProgress, ShowsTheLastOfSeveralSlowJobsAndCancelsThatOne) {
    Work first, second;
    const Gate gate;
    StatusProgress strip;
    int cancelled_first = 0;
    strip.follow(first, [&] {
        ++cancelled_first;
        first.cancel();
    });
    strip.follow(second, [&] { second.cancel(); });
    auto& title = *strip.findChild<QLabel*>();
    auto& cancel = *strip.findChild<QToolButton*>();
    first.start(QStringLiteral("one"), gate.job({}));
    EXPECT_FALSE(strip.isVisible());
    ASSERT_TRUE(test::wait_until([&] { return strip.isVisible(); }));
    EXPECT_EQ(title.text(), QStringLiteral("one"));
    second.start(QStringLiteral("two"), gate.job({}));
    ASSERT_TRUE(test::wait_until([&] { return title.text() == QStringLiteral("two"); }));
    cancel.click();
    EXPECT_FALSE(second.busy());
    EXPECT_TRUE(first.busy());
    EXPECT_EQ(title.text(), QStringLiteral("one"));
    cancel.click();
    EXPECT_EQ(cancelled_first, 1);
    EXPECT_FALSE(strip.isVisible());
    *gate.open = true;
}

// The end of a job is told in the middle of a change: whoever is painted before having heard of it would
// paint what is gone.
TEST(StatusProgress, PaintsNobodyBeforeTheEventLoopGoesOn) {
    struct Neighbour : QWidget {
        using QWidget::QWidget;
        void paintEvent(QPaintEvent*) override { ++paints; }
        int paints = 0;
    };
    Work first, second;
    const Gate gate;
    QWidget window;
    auto* row = new QHBoxLayout(&window);
    auto* neighbour = new Neighbour(&window);
    auto* strip = new StatusProgress(&window);
    row->addWidget(neighbour);
    row->addWidget(strip);
    strip->follow(first, [] {});
    strip->follow(second, [] {});
    window.resize(600, 60);
    window.show();
    first.start(QStringLiteral("one"), [open = gate.open](const Stop& stop) -> Work::Finish {
        stop.done(1, 2);
        while (!*open) std::this_thread::yield();
        return {};
    });
    second.start(QStringLiteral("two"), gate.job({}));
    auto& title = *strip->findChild<QLabel*>();
    ASSERT_TRUE(test::wait_until([&] { return title.text() == QStringLiteral("two"); }));
    neighbour->update();
    const int before = neighbour->paints;
    second.cancel();
    EXPECT_EQ(title.text(), QStringLiteral("one"));
    EXPECT_EQ(neighbour->paints, before);
    EXPECT_TRUE(test::wait_until([&] { return strip->findChild<QProgressBar*>()->value() == 500; }));
    EXPECT_TRUE(test::wait_until([&] { return neighbour->paints > before; }));
    *gate.open = true;
}

TEST_F(LateWork, HasRoomForItsWordsInANarrowPanel) {
    work.start(QStringLiteral("Counting what the state costs"), gate.job({}));
    ASSERT_TRUE(announced());
    const auto uncut = [&] {
        const auto* title = bar.findChild<QLabel*>();
        const bool whole = title->wordWrap() ? title->height() >= title->heightForWidth(title->width())
                                             : title->width() >= title->sizeHint().width();
        return whole && cancel().width() >= cancel().sizeHint().width() &&
               panel.rect().contains(bar.geometry()) && bar.findChild<QProgressBar*>()->width() > 20;
    };
    EXPECT_TRUE(uncut());
    panel.resize(190, 300);
    EXPECT_TRUE(test::wait_until(uncut));
    EXPECT_GT(cancel().y(), bar.findChild<QLabel*>()->geometry().bottom());
    *gate.open = true;
    EXPECT_TRUE(test::wait_until([&] { return !work.busy(); }));
}

// A job that was given up before its turn does nothing: two threads are busy with such that cannot stop.
TEST(Work, WhatIsGivenUpBeforeItBeginsNeverBegins) {
    Work work;
    const Gate gate;
    std::atomic<int> begun = 0;
    for (int threads = 1; threads <= 2; ++threads) {  // so that both are taken
        work.start(QStringLiteral("x"), gate.job({}));
        ASSERT_TRUE(test::wait_until([&] { return *gate.waiting == threads; }));
    }
    for (int i = 0; i < 5; ++i)
        work.start(QStringLiteral("x"), [&begun](const Stop&) -> Work::Finish {
            ++begun;
            return {};
        });
    *gate.open = true;
    ASSERT_TRUE(test::wait_until([&] { return !work.busy(); }));
    EXPECT_EQ(begun, 1);
}

}  // namespace
}  // namespace blockscope
