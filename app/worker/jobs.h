// What a worker does: programs prepared, checked and timed, one request after the other.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/measure/backend.h"
#include "core/measure/protocol.h"
#include "core/measure/reference.h"

namespace blockscope::worker {

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

}  // namespace blockscope::worker
