// Everything that can go wrong in a worker costs one measurement, and the next one works.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "app/worker/client.h"
#include "tests/measure/worker_fixture.h"

namespace blockscope::test {
namespace {

using namespace measure;
using testing::HasSubstr;

struct Fault {
    std::string spec;
    FailureClass cls;
    std::string sentence;
    bool restarted;  // the worker is another one afterwards
};

class FaultsTest : public WorkerTest {
protected:
    // Short limits, so that what hangs is noticed soon.
    static worker::TimeLimits limits() {
        worker::TimeLimits limits;
        limits.prepare = limits.check = limits.timing = limits.calibrate = 0.6;
        return limits;
    }
    static bool no_child_left() { return waitpid(-1, nullptr, WNOHANG) < 0; }
};

TEST_F(FaultsTest, EachHasItsClassAndTheNextMeasurementWorks) {
    const std::vector<Fault> faults = {
        {"compile@prepare", FailureClass::Compile, "does not compile", false},
        {"oom@prepare", FailureClass::OutOfMemory, "memory", false},
        {"launch@check", FailureClass::Launch, "launched", false},
        {"illegal@measure", FailureClass::IllegalAddress, "memory that is not its own", true},
        {"wrong@check", FailureClass::Mismatch, "differs from the reference", false},
        {"nan@check", FailureClass::Mismatch, "is nan", false},
        {"crash@prepare", FailureClass::LostWorker, "was ended by signal 9", true},
        {"crash@check", FailureClass::LostWorker, "while checking the result. It was ended by signal 9",
         true},
        {"oom@flush", FailureClass::OutOfMemory, "memory", false},
        {"crash@measure", FailureClass::LostWorker, "while timing the program", true},
        {"exit@measure", FailureClass::LostWorker, "exited with code 3", true},
        {"hang@prepare", FailureClass::Timeout, "The time limit of 0.6 s for preparing", true},
        {"hang@check", FailureClass::Timeout, "for checking the result", true},
        {"hang@measure", FailureClass::Timeout, "for timing the program", true},
        {"garbage@measure", FailureClass::LostWorker, "something that is no message", true},
        {"partial@measure", FailureClass::LostWorker, "ended while timing the program", true},
    };
    for (const Fault& fault : faults) {
        use_faults(fault.spec);
        worker::Client client(command(), limits());
        worker::Session session(client, "");
        const Record record = session.run(task());
        ASSERT_TRUE(record.failure) << fault.spec;
        EXPECT_EQ(record.failure->cls, fault.cls) << fault.spec << record.failure->message;
        EXPECT_THAT(record.failure->message, HasSubstr(fault.sentence)) << fault.spec;
        EXPECT_FALSE(record.warm || record.cold) << fault.spec;
        EXPECT_EQ(client.pid() < 0, fault.restarted) << fault.spec;
        // From now on workers are well; one that survived is not restarted.
        use_faults("");
        if (fault.restarted) {
            EXPECT_TRUE(no_child_left()) << fault.spec;
            const Record next = session.run(task());
            EXPECT_FALSE(next.failure) << fault.spec << ": " << next.failure->message;
            EXPECT_EQ(client.generation(), 2) << fault.spec;
        }
    }
}

TEST_F(FaultsTest, LogsAndLastWordsAreKept) {
    use_faults("compile@prepare");
    worker::Client compiler(command());
    EXPECT_EQ(compiler.prepare(prepare_request()).failure().log, "line 1: no");
    use_faults("partial@measure");
    worker::Client partial(command());
    worker::Session session(partial, "");
    EXPECT_THAT(session.run(task()).failure->log, HasSubstr("{\"id\": 1, \"type\": \"meas"));
}

TEST_F(FaultsTest, ASlowCompilerIsWaitedFor) {
    use_faults("slow@prepare");
    worker::Client client(command(), limits());
    const auto prepared = client.prepare(prepare_request());
    ASSERT_TRUE(prepared) << prepared.failure().message;
    EXPECT_GE(prepared->seconds, 0.3);
}

TEST_F(FaultsTest, SignsOfLifeExtendTheLimit) {
    use_faults("run=100");
    worker::Client client(command(), limits());
    const auto prepared = client.prepare(prepare_request());
    ASSERT_TRUE(prepared && client.check({prepared->job}));
    SamplingPlan plan{0, 0, 12, 0, 20};  // 1.2 s, twice the limit
    const auto measured = client.measure({prepared->job, true, false, plan}, 0);
    EXPECT_TRUE(measured) << measured.failure().message;
}

TEST_F(FaultsTest, LongPredictionsExtendTheLimit) {
    EXPECT_EQ(worker::timing_limit({}, 0.1), 10);
    EXPECT_EQ(worker::timing_limit({}, 2), 40);
}

TEST_F(FaultsTest, AWorkerThatIsLostThreeTimesIsMarked) {
    use_faults("crash@prepare");
    worker::Client client(command());
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(client.marked(), "");
        EXPECT_EQ(client.prepare(prepare_request()).failure().cls, FailureClass::LostWorker);
    }
    EXPECT_THAT(client.marked(), HasSubstr("lost 3 times in a row"));
    EXPECT_EQ(client.prepare(prepare_request()).failure().message, client.marked());
    EXPECT_EQ(client.generation(), 3) << "it is not started again";
    use_faults("");
    EXPECT_FALSE(client.hello()) << "until it is told to";
    client.unmark();
    EXPECT_TRUE(client.hello());
}

TEST_F(FaultsTest, AWorkerThatSomebodyKilledIsStartedAgain) {
    use_faults("");
    worker::Client client(command());
    ASSERT_TRUE(client.hello());
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(kill(client.pid(), SIGKILL), 0);
        worker::Session session(client, "");
        const Record lost = session.run(task());
        ASSERT_TRUE(lost.failure);
        EXPECT_EQ(lost.failure->cls, FailureClass::LostWorker);
        const Record next = session.run(task());
        ASSERT_FALSE(next.failure) << next.failure->message;
    }
    EXPECT_EQ(client.generation(), 21);
}

TEST_F(FaultsTest, AWorkerThatCannotBeStartedSaysWhy) {
    worker::Client client({"/nonexistent/blockscope-cli", "worker"});
    const auto hello = client.hello();
    ASSERT_FALSE(hello);
    EXPECT_EQ(hello.failure().cls, FailureClass::LostWorker);
    EXPECT_THAT(hello.failure().message,
                HasSubstr("/nonexistent/blockscope-cli cannot be started: No such file"));
}

TEST_F(FaultsTest, AProgramThatIsNoWorkerIsALostWorker) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"true"}, {"yes"}, {"sh", "-c", "sleep 100"}}) {
        worker::TimeLimits limits;
        limits.hello = 0.5;
        worker::Client client(command, limits);
        const auto hello = client.hello();
        ASSERT_FALSE(hello);
        EXPECT_THAT(hello.failure().cls, testing::AnyOf(FailureClass::LostWorker, FailureClass::Timeout));
        EXPECT_TRUE(no_child_left());
    }
}

// A line of a MiB does not fit into any pipe: whoever sends it must not wait for ever.
TEST_F(FaultsTest, AWorkerThatDoesNotListenIsEndedInTime) {
    use_faults("");
    const std::string stops =
        std::string("read line; echo \"$line\" | ") + BLOCKSCOPE_CLI + " worker; exec sleep 100";
    PrepareRequest request = prepare_request();
    BlockProgram large = *request.program;
    const std::string name(200, 'A');
    for (int i = 0; i < 4000; ++i) large.dims.push_back({name + std::to_string(i), 8, 8, DimKind::Blocked});
    request.program = std::make_shared<const BlockProgram>(large);
    const std::vector<std::string> deaf{"sh", "-c", stops};
    worker::Client client(deaf, limits());
    ASSERT_TRUE(client.hello()) << client.hello().failure().message;
    const auto prepared = client.prepare(request);
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.failure().cls, FailureClass::Timeout) << prepared.failure().message;
    EXPECT_THAT(prepared.failure().message, HasSubstr("does not listen"));
    EXPECT_TRUE(no_child_left());
    // Cancelling does not wait either.
    worker::Client patient(deaf);
    ASSERT_TRUE(patient.hello());
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        patient.cancel();
    });
    EXPECT_EQ(patient.prepare(request).failure().cls, FailureClass::Cancelled);
    canceller.join();
}

TEST_F(FaultsTest, TheWorkerGoesWithItsClient) {
    use_faults("run=60000");
    pid_t pid = -1;
    {
        worker::Client client(command());
        ASSERT_TRUE(client.prepare(prepare_request()));
        pid = client.pid();
        EXPECT_EQ(kill(pid, 0), 0);
    }
    EXPECT_NE(kill(pid, 0), 0);
}

}  // namespace
}  // namespace blockscope::test
