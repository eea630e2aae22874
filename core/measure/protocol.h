// What is said between a worker process and whoever wants something measured: one JSON object a line, each
// request with an id that its answers repeat (app/worker/README.md).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/measure/backend.h"
#include "core/measure/record.h"
#include "core/measure/sampling.h"
#include "core/program/array_program.h"
#include "core/support/result.h"

namespace blockscope::measure {

constexpr int kProtocolVersion = 1;
constexpr std::size_t kMaxLine = std::size_t{64} << 20U;  // bytes of one message

// What a result is compared with: the array program where there is one, as it shares nothing with blocks;
// else the initial block program.
using Reference = std::variant<ArrayProgram, ProgramPtr>;

// ---- requests

struct HelloRequest {};
struct PrepareRequest {
    std::string device;
    ProgramPtr program;
    Reference reference;
    PrepareOptions options;
    std::uint64_t seed = 1;  // of the inputs
};
struct CheckRequest {
    std::string job;
};
struct MeasureRequest {
    std::string job;
    bool warm = true;
    bool cold = true;
    SamplingPlan plan;
};
struct CompareRequest {  // warm, interleaved: a over b
    std::string a, b;
    SamplingPlan plan;
};
struct RaceRequest {  // warm, in turns, until one is clearly the fastest (sampling.h)
    std::vector<std::string> jobs;
    SamplingPlan plan;
};
struct CalmRequest {  // waits until others leave the machine alone, at most so long
    std::string device;
    double wait_seconds = 0;
    double look_seconds = 0.5;  // of one look
};
struct CalibrateRequest {
    std::string device;
};
struct CompileRequest {  // CUDA, by the run-time compiler of the worker's machine; needs no device
    std::string source;
    std::string architecture;  // "sm_80"
};
struct ReleaseRequest {  // frees a job's memory
    std::string job;
};
struct CancelRequest {
    std::int64_t target = 0;  // the id of the request to give up
};
struct QuitRequest {};

using RequestBody =
    std::variant<HelloRequest, PrepareRequest, CheckRequest, MeasureRequest, CompareRequest, RaceRequest,
                 CalmRequest, CalibrateRequest, CompileRequest, ReleaseRequest, CancelRequest, QuitRequest>;
struct Request {
    std::int64_t id = 0;
    RequestBody body;
};

// ---- answers

struct Hello {
    int version = kProtocolVersion;
    Machine machine;
    Conditions now;
    std::vector<BackendInfo> devices;
};
struct PreparedAnswer {
    std::string job;
    double seconds = 0;  // that preparing took
    std::string log;
    std::string instead = {};  // a target for the case that this one is wrong (Prepared::instead)
    std::vector<PreparedKernel> kernels = {};  // of cards
};
struct CheckedAnswer {
    Check check;
    double run_seconds = 0;  // of one run, not warmed up: what time limits go by
};
struct MeasuredAnswer {
    std::optional<Timing> warm, cold;
    Conditions before, after;
    std::vector<double> kernels = {};  // as Record::kernels
};
struct ComparedAnswer {
    Timing a, b;
    Ratio ratio;
    Conditions before, after;
};
// Of one job of a race.
struct RacedLane {
    std::optional<Timing> warm = {};      // over the rounds in which it ran
    std::optional<Ratio> over_best = {};  // its times over the fastest's, round by round; none of the fastest
    bool stayed = true;                   // to the end
    std::optional<Failure> failure;       // why it left; a lane that left without was clearly slower
    std::vector<double> kernels = {};     // as Record::kernels, of those that stayed
};
struct RacedAnswer {
    std::vector<RacedLane> lanes;  // in the order of the jobs
    int best = -1;                 // the fastest; -1: none has a time
    Conditions before, after;
};
struct CalmAnswer {
    Calm calm;
};
struct CalibratedAnswer {
    json::Value device;
    std::optional<double> others =
        std::nullopt;  // cores that others kept busy meanwhile, where that is known
};
struct CompiledKernel {
    std::string kernel;
    int registers = 0;      // of a thread
    int spilled_bytes = 0;  // of a thread, stored
    int shared_bytes = 0;   // of a thread block, static
    bool operator==(const CompiledKernel&) const = default;
};
struct CompiledAnswer {
    std::string compiler;  // "NVRTC 13.0"
    double seconds = 0;
    bool from_cache = false;
    std::vector<CompiledKernel> kernels;
    std::vector<std::string> warnings;
};
struct DoneAnswer {};
struct ProgressEvent {  // any number of them before the answer
    std::string phase;  // "reference", "warm", "cold", "compare", ...: phase_text
    int done = 0;
    int total = 0;  // 0: unknown
};

using AnswerBody =
    std::variant<Hello, PreparedAnswer, CheckedAnswer, MeasuredAnswer, ComparedAnswer, RacedAnswer,
                 CalmAnswer, CalibratedAnswer, CompiledAnswer, DoneAnswer, ProgressEvent, Failure>;
struct Answer {
    std::int64_t id = 0;  // of the request; 0 if that could not be read
    AnswerBody body;
};

// One line each, without its newline.
std::string write_message(const Request& request);
std::string write_message(const Answer& answer);

// All problems, with JSON pointers. Unknown keys, types and versions are problems.
Result<Request> read_request(const std::string& line);
Result<Answer> read_answer(const std::string& line);
// The id of a message that is otherwise not understood, 0 if there is none.
std::int64_t message_id(const std::string& line);

// The phase of a Progress as people read it.
Text phase_text(const std::string& phase);

}  // namespace blockscope::measure
