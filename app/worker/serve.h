// The worker process: reads requests from one descriptor and writes answers to another.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/measure/backend.h"
#include "core/measure/protocol.h"
#include "core/measure/record.h"
#include "core/measure/reference.h"

namespace blockscope::worker {

// ---- How the samples of a prepared program are taken: what measure::sample() wants to know of it.

// Seconds of a steady clock.
double now();

// How many warm runs make a sample: one, or where three runs show that it is too short for the device's clock
// (Prepared::least_seconds) so many that they last ten times as long as they have to, but no more than 100.
measure::Outcome<int> runs_of_sample(measure::Prepared& prepared);

// Samples that are the mean of so many runs each; without anything to do before them, and without progress.
measure::Sampled sampled(measure::Prepared& prepared, int runs);

// At least one sample.
measure::Outcome<measure::Timing> timing_of(measure::Prepared& prepared, std::vector<double> samples,
                                            const measure::Course& course, int runs);

// CUDA that is to be compiled for its report alone: in the worker, so that whatever happens to the compiler
// happens to a process that can be ended.

// A CompiledAnswer, or why there is none: Refused without a compiler (with what was looked for as its log)
// and for what is no architecture, Compile with the compiler's words. CUBINs are kept as those of
// measurements are.
measure::AnswerBody compile_kernels(const measure::CompileRequest& request);

// What a worker does: programs prepared, checked and timed, one request after the other.

using Backends = std::vector<std::unique_ptr<measure::Backend>>;

// Answers requests. Failures are answers; nothing is thrown but what is broken.
class Jobs {
public:
    explicit Jobs(Backends backends) : backends_(std::move(backends)) {}

    // Everything but hello, cancel and quit. `progress` is called now and then; false gives up.
    measure::AnswerBody answer(const measure::RequestBody& request, const measure::WorkProgress& progress);

private:
    // Inputs and outputs of one reference, shared by the jobs that have it.
    struct Known {
        std::string key;
        Tensors<double> inputs;
        measure::Expected expected;
    };
    struct Job {
        std::unique_ptr<measure::Prepared> prepared;
        measure::Backend* backend = nullptr;
        measure::PrepareRequest request;
        bool checked = false;
    };

    measure::AnswerBody prepare(const measure::PrepareRequest& request);
    measure::AnswerBody check(const measure::CheckRequest& request, const measure::WorkProgress& progress);
    measure::AnswerBody run_and_compare(Job& job, const Known& known);
    measure::AnswerBody measure(const measure::MeasureRequest& request,
                                const measure::WorkProgress& progress);
    measure::AnswerBody compare(const measure::CompareRequest& request,
                                const measure::WorkProgress& progress);
    measure::AnswerBody race(const measure::RaceRequest& request, const measure::WorkProgress& progress);
    measure::AnswerBody calm(const measure::CalmRequest& request, const measure::WorkProgress& progress);
    measure::AnswerBody calibrate(const measure::CalibrateRequest& request,
                                  const measure::WorkProgress& progress);
    measure::AnswerBody release(const measure::ReleaseRequest& request);

    static measure::Outcome<measure::Timing> timing(Job& job, const measure::SamplingPlan& plan, bool cold,
                                                    const measure::WorkProgress& progress);
    static measure::Outcome<std::vector<double>> kernels(Job& job, const measure::SamplingPlan& plan,
                                                         const measure::WorkProgress& progress);
    measure::Outcome<const Known*> known(const measure::PrepareRequest& request);
    measure::Outcome<measure::Backend*> backend(const std::string& name) const;
    measure::Outcome<Job*> job(const std::string& name);
    measure::Outcome<Job*> checked_job(const std::string& name);

    Backends backends_;
    std::map<std::string, Job> jobs_;
    std::list<Known> known_;  // newest first
    int last_job_ = 0;
};

// The devices of this machine; with BLOCKSCOPE_FAKE_DEVICE set, the fake one of the tests as well
// (backends.h). `out` is where a fake device writes what is no message.
Backends local_backends(int out);

// Until `in` ends or somebody says quit; then it ends the process at once, whatever is being done. Messages
// that are not understood are answered with a failure.
[[noreturn]] void serve(int in, int out, Backends backends);

// `blockscope-cli worker`: stdin and stdout, and nothing but messages on stdout.
[[noreturn]] void worker_main();

}  // namespace blockscope::worker
