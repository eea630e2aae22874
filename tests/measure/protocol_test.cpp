// Messages: what is written is read again, and what is hostile is refused.
#include "core/measure/protocol.h"

#include <gmock/gmock.h>

#include "core/json/json_io.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace measure;
using testing::HasSubstr;

template <class Message>
void expect_round_trip(const Message& message) {
    const std::string line = write_message(message);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    if constexpr (std::is_same_v<Message, Request>) {
        const Result<Request> read = read_request(line);
        ASSERT_TRUE(read) << line << to_string(read.problems()[0]);
        EXPECT_EQ(write_message(*read), line);
    } else {
        const Result<Answer> read = read_answer(line);
        ASSERT_TRUE(read) << line << to_string(read.problems()[0]);
        EXPECT_EQ(write_message(*read), line);
    }
}

Timing timing() {
    return {summarize({1e-3, 2e-3, 1.5e-3, 1.1e-3, 1.2e-3, 1.3e-3}), {true}};
}

TEST(Protocol, RequestsAreReadAsTheyWereWritten) {
    const ProgramPtr program = block_sample("attention");
    SamplingPlan plan;
    plan.samples = 7;
    expect_round_trip(Request{1, HelloRequest{}});
    expect_round_trip(
        Request{2, PrepareRequest{"cpu", program, read_sample("attention"), {ElemType::BF16, false, 3}, 99}});
    expect_round_trip(Request{3, PrepareRequest{"cpu", program, program, {}, 1ULL << 63U}});
    PrepareRequest small{"cuda0", program, program, {ElemType::F16}, 1};
    small.options.range = 0.25;
    small.options.tf32 = true;
    expect_round_trip(Request{3, small});
    EXPECT_EQ(std::get<PrepareRequest>(read_request(write_message(Request{3, small}))->body).options,
              small.options);
    expect_round_trip(Request{4, CheckRequest{"j1"}});
    expect_round_trip(Request{5, MeasureRequest{"j1", true, false, plan}});
    expect_round_trip(Request{6, CompareRequest{"j1", "j2", plan}});
    expect_round_trip(Request{6, RaceRequest{{"j1", "j2", "j3"}, plan}});
    expect_round_trip(Request{6, CalmRequest{"cpu", 20, 0.5}});
    expect_round_trip(Request{7, CalibrateRequest{"cpu"}});
    expect_round_trip(Request{7, CompileRequest{"KERNEL kernel_1() {\n}\n", "sm_90a"}});
    expect_round_trip(Request{8, ReleaseRequest{"j1"}});
    expect_round_trip(Request{9, CancelRequest{5}});
    expect_round_trip(Request{10, QuitRequest{}});
}

TEST(Protocol, APreparedProgramIsTheOneThatWasSent) {
    const ProgramPtr program = block_sample("rmsnorm-swiglu");
    const Result<Request> read = read_request(
        write_message(Request{2, PrepareRequest{"cpu", program, read_sample("rmsnorm-swiglu"), {}, 1}}));
    ASSERT_TRUE(read);
    const auto& prepare = std::get<PrepareRequest>(read->body);
    EXPECT_EQ(write_json(*prepare.program), write_json(*program));
    EXPECT_EQ(write_json(std::get<ArrayProgram>(prepare.reference)),
              write_json(read_sample("rmsnorm-swiglu")));
}

TEST(Protocol, AnswersAreReadAsTheyWereWritten) {
    Hello hello;
    hello.machine = {"host", "cpu \"X\"", 2, {{1, "Data", 49152}}, {"avx2"}, "", 1 << 30, "Linux", "0.1.0"};
    hello.devices = {{"cpu", "X"}};
    const Conditions before{0.5, 3.9, 1 << 20};
    expect_round_trip(Answer{1, hello});
    expect_round_trip(Answer{2, PreparedAnswer{"j1", 0.5, "log\nof two lines"}});
    expect_round_trip(
        Answer{2, PreparedAnswer{"j1",
                                 0.5,
                                 "",
                                 "sm_90",
                                 {{NodeId{7}, 2, 3, 512, true, true, {{NodeId{3}, ElemType::F32}}},
                                  {NodeId{9}, 1, 1, 0, false}}}});
    expect_round_trip(Answer{3, CheckedAnswer{{1e-6, 1e-4, "all", false}, 0.25}});
    expect_round_trip(Answer{4, MeasuredAnswer{timing(), std::nullopt, before, before}});
    expect_round_trip(Answer{4, MeasuredAnswer{timing(), std::nullopt, before, before, {1e-3, 2.5e-6}}});
    expect_round_trip(
        Answer{5, ComparedAnswer{timing(), timing(), {0.5, {0.4, 0.6}, 0.95, 25}, before, before}});
    const Conditions after{0.5, 3.9, 1 << 20, 1.25};
    const Failure lost{FailureClass::Launch, Text("no"), {}};
    expect_round_trip(
        Answer{5, RacedAnswer{{{timing(), std::nullopt, true, std::nullopt, {1e-3}},
                               {timing(), Ratio{1.5, {1.4, 1.6}, 0.95, 6}, false, std::nullopt, {}},
                               {std::nullopt, std::nullopt, false, lost, {}}},
                              0,
                              before,
                              after}});
    expect_round_trip(
        Answer{5, RacedAnswer{{{std::nullopt, std::nullopt, false, lost, {}}}, -1, before, after}});
    expect_round_trip(Answer{5, CalmAnswer{{1.5, 20}}});
    expect_round_trip(Answer{5, CalmAnswer{{std::nullopt, 0}}});
    expect_round_trip(Answer{6, CalibratedAnswer{json::Object{{"name", "x"}}}});
    expect_round_trip(Answer{6, CalibratedAnswer{json::Object{{"name", "x"}}, 1.5}});
    expect_round_trip(
        Answer{6, CompiledAnswer{"NVRTC 13.0", 0.5, true, {{"kernel_1", 255, 8, 1024}}, {"slow"}}});
    expect_round_trip(Answer{7, DoneAnswer{}});
    expect_round_trip(Answer{8, ProgressEvent{"warm", 3, 25}});
    expect_round_trip(Answer{0, Failure{FailureClass::Mismatch, Text("wrong\n"), "log"}});
}

// The English stands there for all readers; the template and its arguments stand beside it for the window.
TEST(Protocol, FailuresKeepTheirTemplates) {
    const Text said("The worker ended while %1.", Text("the kernel %1 was started", std::string("k1")));
    const std::string line = write_message(Answer{7, Failure{FailureClass::Launch, said, {}}});
    EXPECT_THAT(line, HasSubstr("\"message\": \"The worker ended while the kernel k1 was started.\""));
    EXPECT_THAT(
        line,
        HasSubstr("\"text\": [\"The worker ended while %1.\", [\"the kernel %1 was started\", \"k1\"]]"));
    const auto read = read_answer(line);
    ASSERT_TRUE(read);
    const Text back = std::get<Failure>(read->body).message;
    EXPECT_EQ(back, said);
    EXPECT_EQ(back.english(), said.english());
    EXPECT_EQ(back.arguments().at(0).english(), "the kernel %1 was started");
    EXPECT_FALSE(back.arguments().at(0).arguments().at(0).is_template());
    // A text that says something else than the message is not believed.
    std::string other = line;
    other.replace(other.find("k1\"]"), 2, "k2");
    const auto misread = read_answer(other);
    ASSERT_TRUE(misread);
    EXPECT_FALSE(std::get<Failure>(misread->body).message.is_template());
}

TEST(Protocol, EveryFailureClassHasAName) {
    for (int i = 0; i <= static_cast<int>(FailureClass::Internal); ++i) {
        const auto cls = static_cast<FailureClass>(i);
        EXPECT_EQ(failure_class(to_string(cls)), cls);
    }
    EXPECT_EQ(failure_class("nonsense"), std::nullopt);
}

struct Hostile {
    std::string line;
    std::string sentence;
};

TEST(Protocol, HostileRequestsAreRefusedWithAPlace) {
    const std::string deep(100000, '[');
    const std::vector<Hostile> all = {
        {"", "message"},
        {"{", "message"},
        {"null", "an object with an id and a type"},
        {"[]", "an object with an id and a type"},
        {deep, "message"},
        {"{\"id\":1}", "an id and a type"},
        {"{\"type\":\"hello\"}", "an id and a type"},
        {"{\"id\":0,\"type\":\"quit\"}", "message#/id: expected a whole number from 1"},
        {"{\"id\":-1,\"type\":\"quit\"}", "message#/id"},
        {"{\"id\":1e300,\"type\":\"quit\"}", "message#/id"},
        {"{\"id\":\"1\",\"type\":\"quit\"}", "message#/id"},
        {"{\"id\":1,\"type\":\"rm\"}", "message#/type"},
        {"{\"id\":1,\"type\":7}", "message#/type"},
        {"{\"id\":1,\"id\":2,\"type\":\"quit\"}", "message"},
        {"{\"id\":1,\"type\":\"quit\",\"now\":true}", "message#/now: found the unknown key"},
        {"{\"id\":1,\"type\":\"hello\"}", "the key \"version\" is missing"},
        {"{\"id\":1,\"type\":\"hello\",\"version\":2}", "message#/version: this worker speaks version 1"},
        {"{\"id\":1,\"type\":\"check\",\"job\":5}", "message#/job: expected a string"},
        {"{\"id\":1,\"type\":\"check\",\"job\":\"" + std::string(5000, 'x') + "\"}", "message#/job"},
        {"{\"id\":1,\"type\":\"cancel\",\"target\":0}", "message#/target"},
        {"{\"id\":1,\"type\":\"measure\",\"job\":\"j1\",\"warm\":1,\"cold\":true,\"plan\":{}}",
         "message#/warm"},
        {"{\"id\":1,\"type\":\"measure\",\"job\":\"j1\",\"warm\":true,\"cold\":true,\"plan\":{\"warmup_"
         "runs\":-1,"
         "\"warmup_seconds\":0,\"samples\":1,\"seconds\":0,\"cap_seconds\":1}}",
         "message#/plan/warmup_runs"},
        {"{\"id\":1,\"type\":\"measure\",\"job\":\"j1\",\"warm\":true,\"cold\":true,\"plan\":{\"warmup_"
         "runs\":1,"
         "\"warmup_seconds\":-2,\"samples\":1,\"seconds\":0,\"cap_seconds\":1}}",
         "message#/plan/warmup_seconds: expected a number that is not negative"},
        {"{\"id\":1,\"type\":\"prepare\",\"device\":\"cpu\",\"program\":{},\"reference\":{},\"type_of_"
         "inputs\":"
         "\"f33\",\"threads\":-1,\"seed\":1}",
         "message#/program"},
        {"{\"id\":1,\"type\":\"prepare\",\"device\":\"cpu\",\"program\":7,\"reference\":[],\"type_of_"
         "inputs\":"
         "\"f32\",\"threads\":0,\"seed\":1}",
         "message#/reference"},
    };
    for (const Hostile& hostile : all) {
        const Result<Request> read = read_request(hostile.line);
        ASSERT_FALSE(read) << hostile.line.substr(0, 80);
        std::string sentences;
        for (const Problem& problem : read.problems()) sentences += to_string(problem) + "\n";
        EXPECT_THAT(sentences, HasSubstr(hostile.sentence)) << hostile.line.substr(0, 80);
    }
}

TEST(Protocol, HostileAnswersAreRefused) {
    for (const std::string line :
         {"", "Segmentation fault", "{\"id\":1,\"type\":\"measured\"}",
          "{\"id\":1,\"type\":\"done\",\"x\":1}",
          "{\"id\":1,\"type\":\"failed\",\"failure\":{\"class\":\"bad\",\"message\":\"\",\"log\":\"\"}}",
          "{\"id\":1,\"type\":\"prepared\",\"job\":\"j\",\"seconds\":-1,\"log\":\"\"}",
          "{\"id\":1,\"type\":\"meas"})
        EXPECT_FALSE(read_answer(line)) << line;
}

TEST(Protocol, TheIdOfABrokenMessageIsFoundIfItHasOne) {
    EXPECT_EQ(message_id("{\"id\":17,\"type\":\"rm\"}"), 17);
    EXPECT_EQ(message_id("{\"id\":\"x\"}"), 0);
    EXPECT_EQ(message_id("nonsense"), 0);
}

}  // namespace
}  // namespace blockscope::test
