// Who uses the machine while it is measured: by processor times that the test makes up.
#include "core/measure/sampling.h"

#include <gmock/gmock.h>

#include "app/worker/probe.h"
#include "tests/measure/worker_fixture.h"

namespace blockscope::test {
namespace {

using namespace measure;

TEST(Calm, OthersAreWhatIsBusyButNotOneself) {
    EXPECT_DOUBLE_EQ(cores_of_others({10, 100, 5}, {12, 103, 6}), 1);
    EXPECT_EQ(cores_of_others({10, 100, 5}, {12, 101, 7}), 0) << "clocks differ by less than nothing";
    EXPECT_EQ(cores_of_others({10, 100, 5}, {10, 101, 5}), 0);
}

TEST(Calm, ReadsTheSystemsLine) {
    // user nice system idle iowait irq softirq steal guest guest_nice; guests are users already
    EXPECT_EQ(worker::busy_seconds("cpu  100 20 30 5000 700 5 5 40 99 9", 100), 2.0);
    EXPECT_EQ(worker::busy_seconds("cpu  100 20 30 5000", 100), 1.5);
    EXPECT_FALSE(worker::busy_seconds("intr 1 2 3 4", 100));
    EXPECT_FALSE(worker::busy_seconds("", 100));
    const auto now = worker::cpu_times();
    ASSERT_TRUE(now);
    EXPECT_GT(now->busy, 0);
}

// Others use 1.5 processors in the first `busy_looks` looks.
struct Others {
    int busy_looks = 0;
    int looks = 0;
    CpuTimes times = {};
    Watch watch() {
        return {[this] { return std::optional(times); },
                [this] {
                    times.now += 0.5;
                    times.own += 0.5;
                    times.busy += looks++ < busy_looks ? 1.25 : 0.5;
                },
                [](double, double) { return true; }};
    }
};

TEST(Calm, WaitsUntilTheMachineIsCalm) {
    Others others{3};
    const auto calm = wait_for_calm(others.watch(), 10);
    ASSERT_TRUE(calm);
    EXPECT_FALSE(calm->busy());
    EXPECT_DOUBLE_EQ(calm->waited, 2) << "three busy looks and a calm one";
}

TEST(Calm, WaitsNoLongerThanItMay) {
    Others others{100};
    const auto calm = wait_for_calm(others.watch(), 2);
    ASSERT_TRUE(calm);
    EXPECT_TRUE(calm->busy());
    EXPECT_DOUBLE_EQ(*calm->others, 1.5);
    EXPECT_DOUBLE_EQ(calm->waited, 2);
    Others once{100};
    EXPECT_TRUE(wait_for_calm(once.watch(), 0)->busy()) << "looks once";
    EXPECT_EQ(once.looks, 1);
}

TEST(Calm, CanBeCancelledAndNeedsNoTimes) {
    Others others{100};
    Watch watch = others.watch();
    watch.go_on = [](double waited, double) { return waited < 1; };
    const auto cancelled = wait_for_calm(watch, 10);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.failure().cls, FailureClass::Cancelled);
    watch.times = [] { return std::optional<CpuTimes>(); };
    const auto unknown = wait_for_calm(watch, 10);
    ASSERT_TRUE(unknown);
    EXPECT_FALSE(unknown->others);
    EXPECT_FALSE(unknown->busy());
}

TEST_F(WorkerTest, TheWorkerWaitsAndSaysWhatOthersDidMeanwhile) {
    use_faults("others=1.5,calm-after=4");
    worker::Client client(command());
    std::vector<std::string> phases;
    client.on_progress([&](const ProgressEvent& event) { phases.push_back(event.phase); });
    const auto busy = client.calm({"fake", 0, 0.001});
    ASSERT_TRUE(busy) << busy.failure().message;
    EXPECT_TRUE(busy->calm.busy());
    EXPECT_THAT(phases, testing::Contains("waiting for a calm machine"));
    const auto calm = client.calm({"fake", 60, 0.001});
    ASSERT_TRUE(calm);
    EXPECT_FALSE(calm->calm.busy());
    EXPECT_GT(calm->calm.waited, 0);
    use_faults("others=1.5");
    worker::Client other(command());
    worker::Session session(other, {});
    const Record record = session.run(task());
    ASSERT_TRUE(record.warm);
    EXPECT_DOUBLE_EQ(record.after.others.value_or(0), 1.5);
    EXPECT_TRUE(disturbed(record.after));
    const auto calibrated = other.calibrate({"fake"});
    ASSERT_TRUE(calibrated);
    EXPECT_DOUBLE_EQ(calibrated->others.value_or(0), 1.5);
}

}  // namespace
}  // namespace blockscope::test
