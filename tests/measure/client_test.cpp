// A conversation with the real worker and its fake device.
#include "app/worker/client.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/worker/session.h"
#include "core/measure/record.h"
#include "tests/measure/worker_fixture.h"

namespace blockscope::test {
namespace {

using namespace measure;
using testing::HasSubstr;

TEST_F(WorkerTest, SaysWhatMachineItIs) {
    use_faults("");
    worker::Client client(command());
    const auto hello = client.hello();
    ASSERT_TRUE(hello) << hello.failure().message;
    EXPECT_EQ(hello->version, kProtocolVersion);
    EXPECT_GE(hello->machine.cores, 1);
    EXPECT_FALSE(hello->machine.cpu.empty());
    EXPECT_GT(hello->machine.memory_bytes, 1 << 20);
    EXPECT_GT(hello->now.free_bytes, 1 << 20);
    EXPECT_THAT(hello->devices, testing::Contains(BackendInfo{"fake", "a device for tests"}));
    EXPECT_EQ(client.generation(), 1);
}

TEST_F(WorkerTest, PreparesChecksAndMeasures) {
    use_faults("");
    worker::Client client(command());
    std::vector<std::string> phases;
    client.on_progress([&](const ProgressEvent& event) {
        if (phases.empty() || phases.back() != event.phase) phases.push_back(event.phase);
    });
    const auto prepared = client.prepare(prepare_request());
    ASSERT_TRUE(prepared) << prepared.failure().message;
    const auto checked = client.check({prepared->job});
    ASSERT_TRUE(checked) << checked.failure().message;
    EXPECT_LT(checked->check.error, 1e-12);
    EXPECT_TRUE(checked->check.repeatable);
    EXPECT_EQ(checked->check.how, "all 512 elements against the float64 reference");
    const auto measured = client.measure({prepared->job, true, true, quick()}, 0);
    ASSERT_TRUE(measured) << measured.failure().message;
    EXPECT_EQ(measured->warm->summary.count, 25);
    EXPECT_EQ(measured->cold->summary.count, 25);
    EXPECT_GT(measured->warm->summary.median, 0);
    EXPECT_THAT(phases, testing::ElementsAre("reference", "check", "warm", "cold"));
}

TEST_F(WorkerTest, NothingIsTimedBeforeItWasChecked) {
    use_faults("");
    worker::Client client(command());
    const auto prepared = client.prepare(prepare_request());
    ASSERT_TRUE(prepared);
    const auto measured = client.measure({prepared->job, true, true, quick()}, 0);
    ASSERT_FALSE(measured);
    EXPECT_EQ(measured.failure().cls, FailureClass::Refused);
    EXPECT_THAT(measured.failure().message, HasSubstr("nothing is timed before its result is right"));
    EXPECT_FALSE(client.compare({prepared->job, prepared->job, quick()}, 0));
    // A job whose check failed is not timed either.
    use_faults("wrong@check");
    worker::Client wrong(command());
    const auto broken = wrong.prepare(prepare_request());
    ASSERT_TRUE(broken);
    const auto checked = wrong.check({broken->job});
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.failure().cls, FailureClass::Mismatch);
    EXPECT_THAT(checked.failure().message, HasSubstr("element 511 of O is "));
    EXPECT_FALSE(wrong.measure({broken->job, true, true, quick()}, 0));
}

TEST_F(WorkerTest, ComparisonsAreInterleaved) {
    use_faults("");
    worker::Client client(command());
    const auto a = client.prepare(prepare_request());
    const auto b = client.prepare(prepare_request());
    ASSERT_TRUE(a && b && client.check({a->job}) && client.check({b->job}));
    const auto compared = client.compare({a->job, b->job, quick()}, 0);
    ASSERT_TRUE(compared) << compared.failure().message;
    EXPECT_EQ(compared->ratio.pairs, 25);
    EXPECT_TRUE(compared->ratio.tie());
    EXPECT_EQ(compared->a.summary.count, compared->b.summary.count);
}

TEST_F(WorkerTest, UnknownDevicesAndJobsAreRefused) {
    use_faults("");
    worker::Client client(command());
    PrepareRequest request = prepare_request();
    request.device = "gpu";
    const auto prepared = client.prepare(request);
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.failure().cls, FailureClass::Refused);
    EXPECT_THAT(prepared.failure().message, HasSubstr("There is no device 'gpu' here; there is "));
    EXPECT_EQ(client.check({"j77"}).failure().message, "There is no job j77.");
    EXPECT_EQ(client.generation(), 1);
}

TEST_F(WorkerTest, CancelsLongBeforeTheWorkWouldEnd) {
    // A worker that listens gives up by itself, one that is busy is killed. The work would take a minute or
    // more.
    for (const char* faults : {"run=5", "run=60000", "hang@measure"}) {
        use_faults(faults);
        worker::Client client(command());
        ASSERT_TRUE(client.hello());
        const auto prepared = client.prepare(prepare_request());
        ASSERT_TRUE(prepared);
        const bool check = faults == std::string("run=60000");
        ASSERT_TRUE(check || client.check({prepared->job}));
        std::chrono::steady_clock::time_point asked;
        std::thread canceller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = std::chrono::steady_clock::now();
            client.cancel();
        });
        SamplingPlan plan;
        plan.seconds = 100;
        plan.cap_seconds = 100;
        const FailureClass cls = check ? client.check({prepared->job}).failure().cls
                                       : client.measure({prepared->job, true, true, plan}, 0).failure().cls;
        const auto took = std::chrono::steady_clock::now() - asked;
        canceller.join();
        EXPECT_EQ(cls, FailureClass::Cancelled) << faults;
        EXPECT_LT(took, std::chrono::seconds(30)) << faults;
        EXPECT_EQ(client.check({prepared->job}).failure().cls, FailureClass::Cancelled) << "until resume()";
        client.resume();
        EXPECT_TRUE(client.hello()) << faults;
        EXPECT_EQ(client.marked(), "");
    }
}

TEST_F(WorkerTest, ASessionKeepsItsRecords) {
    use_faults("");
    worker::Client client(command());
    worker::Session session(client, file("results.jsonl"));
    worker::Task task = this->task();
    const Record record = session.run(task);
    ASSERT_FALSE(record.failure) << record.failure->message;
    EXPECT_TRUE(record.warm && record.cold && record.check);
    worker::Task other = task;
    other.state = "snapshot 1";
    other.blocks = fused();
    const auto pair = session.compare(other, task);
    ASSERT_FALSE(pair.a.failure) << pair.a.failure->message;
    EXPECT_EQ(pair.a.against->subject_key, subject_key(record.subject));
    const Result<Results> results = read_results(file("results.jsonl"));
    ASSERT_TRUE(results);
    ASSERT_EQ(results->records.size(), 3U);
    EXPECT_EQ(results->records[0], record);
    EXPECT_EQ(results->records[1], pair.a);
    EXPECT_EQ(results->records[2], pair.b);
    EXPECT_FALSE(session.file_problem());
}

// `ssh` on PATH is a script that runs the worker here, after some words of greeting.
TEST_F(WorkerTest, MeasuresOnAnotherMachineThroughSsh) {
    use_faults("");
    fake_ssh(
        "echo 'Welcome to HOST'; echo; echo \"$@\" >\"$BLOCKSCOPE_TEST_FOLDER/arguments\"\n"
        "while [ $# -gt 2 ]; do shift; done\nexec " BLOCKSCOPE_CLI " \"$2\"");
    worker::Client client(worker::remote_worker("me@far"));
    worker::Session session(client, "");
    const Record record = session.run(task());
    EXPECT_FALSE(record.failure) << record.failure->message;
    std::ifstream stream(file("arguments"));
    std::string arguments;
    std::getline(stream, arguments);
    EXPECT_EQ(arguments, "-T -o BatchMode=yes -o ConnectTimeout=10 me@far blockscope-cli worker");
}

TEST_F(WorkerTest, AnUnreachableMachineIsALostWorker) {
    fake_ssh("echo 'ssh: connect to host far port 22: Connection refused' >&2; exit 255");
    worker::Client client(worker::remote_worker("far"));
    const auto hello = client.hello();
    ASSERT_FALSE(hello);
    EXPECT_EQ(hello.failure().cls, FailureClass::LostWorker);
    EXPECT_THAT(hello.failure().log, HasSubstr("Connection refused"));
    EXPECT_TRUE(worker::remote_worker("-oProxyCommand=evil").empty());
    EXPECT_TRUE(worker::remote_worker("").empty());
}

}  // namespace
}  // namespace blockscope::test
