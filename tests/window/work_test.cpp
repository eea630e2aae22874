#include "app/document/work.h"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <stdexcept>
#include <thread>

#include "tests/window/window_support.h"

namespace blockscope {
namespace {

// Holds a job up until the test lets it go on.
struct Gate {
    std::shared_ptr<std::atomic<bool>> open = std::make_shared<std::atomic<bool>>(false);
    Work::Job job(std::function<void()> finish) const {
        return [open = open, finish](const Stop&) -> Work::Finish {
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

}  // namespace
}  // namespace blockscope
