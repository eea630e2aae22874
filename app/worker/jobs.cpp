// What a worker does: programs prepared, checked and timed, one request after the other.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ios>
#include <new>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "app/worker/probe.h"
#include "app/worker/serve.h"
#include "core/json/json_io.h"
#include "core/measure/sampling.h"
#include "gpu/driver/driver.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::worker {

using measure::Outcome;

constexpr int kMostRuns = 100;
constexpr double kTogether = 10;  // of the least seconds that are timed: what several runs take together

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Outcome<int> runs_of_sample(measure::Prepared& prepared) {
    const double least = prepared.least_seconds();
    if (least <= 0) return 1;
    double shortest = least;
    for (int i = 0; i < 3; ++i) {
        const Outcome<double> seconds = prepared.run();
        if (!seconds) return seconds.failure();
        shortest = std::min(shortest, *seconds);
    }
    if (shortest >= least) return 1;
    const double runs = std::ceil(kTogether * least / std::max(shortest, 1e-9));
    return static_cast<int>(std::min<double>(kMostRuns, runs));
}

measure::Sampled sampled(measure::Prepared& prepared, int runs) {
    measure::Sampled what;
    what.run = [&prepared, runs] { return runs == 1 ? prepared.run() : prepared.run_many(runs); };
    what.clock = [&prepared] { return prepared.clock(); };
    what.now = now;
    return what;
}

Outcome<measure::Timing> timing_of(measure::Prepared& prepared, std::vector<double> samples,
                                   const measure::Course& course, int runs) {
    const Outcome<double> empty = prepared.empty_seconds();
    if (!empty) return empty.failure();
    return measure::Timing{measure::summarize(std::move(samples)), course, runs, *empty};
}

using measure::Failure;
using measure::FailureClass;

measure::AnswerBody compile_kernels(const measure::CompileRequest& request) {
    if (!gpu::capability_of(request.architecture))
        return Failure{FailureClass::Refused, Text("'%1' is no architecture.", request.architecture), {}};
    const gpu::Nvrtc nvrtc = gpu::Nvrtc::open(gpu::Driver::installed_version());
    if (!nvrtc)
        return Failure{FailureClass::Refused, Text("NVIDIA's run-time compiler is not there."),
                       nvrtc.report()};
    const Result<gpu::Compiled> compiled =
        gpu::CubinCache(gpu::cubin_folder()).compile(nvrtc, request.source, request.architecture);
    if (!compiled) {
        std::string words;
        for (const Problem& problem : compiled.problems()) words += to_string(problem) + "\n";
        return Failure{FailureClass::Compile,
                       Text("The kernels do not compile for %1.", request.architecture), words};
    }
    measure::CompiledAnswer answer{.compiler = "NVRTC " + nvrtc.version(),
                                   .seconds = compiled->seconds,
                                   .from_cache = compiled->from_cache,
                                   .kernels = {},
                                   .warnings = compiled->warnings};
    for (const gpu::KernelReport& kernel : compiled->kernels)
        answer.kernels.push_back({kernel.kernel, kernel.registers, kernel.spill_stores, kernel.shared_bytes});
    return answer;
}

using measure::AnswerBody;
using measure::Failure;
using measure::FailureClass;
using measure::Outcome;
using measure::WorkProgress;

namespace {

constexpr std::size_t kMostJobs = 64;
constexpr std::size_t kMostKnown = 2;  // references that are kept

Failure refused(const Text& sentence) {
    return {FailureClass::Refused, sentence, {}};
}

Failure cancelled() {
    return {FailureClass::Cancelled, Text("The measurement was cancelled."), {}};
}

// An array program's results do not depend on its blocks, unless only some rows of each were computed.
std::string reference_key(const measure::PrepareRequest& request, bool with_blocks) {
    std::ostringstream range;  // all its digits
    range << std::hexfloat << request.options.range;
    std::string text =
        blockscope::to_string(request.options.elem) + std::to_string(request.seed) + " " + range.str();
    if (const auto* array = std::get_if<ArrayProgram>(&request.reference)) {
        ArrayProgram plain = *array;
        if (!with_blocks)
            for (Dim& dim : plain.dims) dim.block = 1;
        return text + write_json(plain);
    }
    return text + write_json(*std::get<ProgramPtr>(request.reference));
}

// The machine from now on until it is asked for.
class Meanwhile {
public:
    explicit Meanwhile(measure::Backend& backend) : backend_(backend), start_(backend.cpu_times()) {}
    measure::Conditions conditions() const {
        measure::Conditions now = current_conditions();
        const std::optional<measure::CpuTimes> end = backend_.cpu_times();
        if (start_ && end) now.others = measure::cores_of_others(*start_, *end);
        return now;
    }

private:
    measure::Backend& backend_;
    std::optional<measure::CpuTimes> start_;
};

bool same_bits(const Tensors<double>& a, const Tensors<double>& b) {
    for (const auto& [name, tensor] : a) {
        const auto other = b.find(name);
        if (other == b.end() || other->second.data.size() != tensor.data.size()) return false;
        if (std::memcmp(tensor.data.data(), other->second.data.data(), tensor.data.size() * sizeof(double)) !=
            0)
            return false;
    }
    return true;
}

}  // namespace

AnswerBody Jobs::answer(const measure::RequestBody& request, const WorkProgress& progress) {
    try {
        if (const auto* r = std::get_if<measure::PrepareRequest>(&request)) return prepare(*r);
        if (const auto* r = std::get_if<measure::CheckRequest>(&request)) return check(*r, progress);
        if (const auto* r = std::get_if<measure::MeasureRequest>(&request)) return measure(*r, progress);
        if (const auto* r = std::get_if<measure::CompareRequest>(&request)) return compare(*r, progress);
        if (const auto* r = std::get_if<measure::RaceRequest>(&request)) return race(*r, progress);
        if (const auto* r = std::get_if<measure::CalmRequest>(&request)) return calm(*r, progress);
        if (const auto* r = std::get_if<measure::CalibrateRequest>(&request)) return calibrate(*r, progress);
        if (const auto* r = std::get_if<measure::CompileRequest>(&request)) return compile_kernels(*r);
        if (const auto* r = std::get_if<measure::ReleaseRequest>(&request)) return release(*r);
        return refused(Text("This request is not for here."));
    } catch (const std::bad_alloc&) {
        return Failure{
            FailureClass::OutOfMemory, Text("The machine has not enough memory for this program."), {}};
    } catch (const std::exception& error) {
        return Failure{FailureClass::Internal, Text("Internal error of the worker, please report it."),
                       error.what()};
    }
}

AnswerBody Jobs::prepare(const measure::PrepareRequest& request) {
    const Outcome<measure::Backend*> device = backend(request.device);
    if (!device) return device.failure();
    if (jobs_.size() >= kMostJobs) return refused(Text("There are too many programs; release some of them."));
    const double start = now();
    Outcome<std::unique_ptr<measure::Prepared>> prepared =
        (*device)->prepare(*request.program, request.options);
    if (!prepared) return prepared.failure();
    const double seconds = now() - start;
    const std::string name = "j" + std::to_string(++last_job_);
    Job& job = jobs_[name];
    job.prepared = std::move(prepared).value();
    job.backend = *device;
    job.request = request;
    return measure::PreparedAnswer{.job = name,
                                   .seconds = seconds,
                                   .log = job.prepared->log(),
                                   .instead = job.prepared->instead(),
                                   .kernels = job.prepared->kernels()};
}

Outcome<const Jobs::Known*> Jobs::known(const measure::PrepareRequest& request) {
    const std::string exact = reference_key(request, true);
    const std::string loose = reference_key(request, false);
    for (const Known& each : known_)
        if (each.key == exact || (each.key == loose && each.expected.rows.empty())) return &each;
    Known fresh;
    fresh.inputs =
        measure::random_inputs(*request.program, request.options.elem, request.seed, request.options.range);
    Outcome<measure::Expected> expected =
        measure::expected_outputs(request.reference, fresh.inputs, request.seed);
    if (!expected) return expected.failure();
    fresh.expected = std::move(expected).value();
    fresh.key = fresh.expected.rows.empty() ? loose : exact;
    known_.push_front(std::move(fresh));
    if (known_.size() > kMostKnown) known_.pop_back();
    return &known_.front();
}

AnswerBody Jobs::check(const measure::CheckRequest& request, const WorkProgress& progress) {
    const Outcome<Job*> found = job(request.job);
    if (!found) return found.failure();
    if (!progress("reference", 0, 0)) return cancelled();
    const Outcome<const Known*> reference = known((*found)->request);
    if (!reference) return reference.failure();
    if (!progress("check", 0, 0)) return cancelled();
    return run_and_compare(**found, **reference);
}

AnswerBody Jobs::run_and_compare(Job& job, const Known& known) {
    measure::Prepared& prepared = *job.prepared;
    if (const auto failure = prepared.set_inputs(known.inputs)) return *failure;
    measure::CheckedAnswer answer;
    Tensors<double> outputs;
    for (int round = 0; round < 2; ++round) {
        if (const auto failure = prepared.poison()) return *failure;
        const Outcome<double> seconds = prepared.run();
        if (!seconds) return seconds.failure();
        Outcome<Tensors<double>> found = prepared.outputs();
        if (!found) return found.failure();
        const measure::Difference difference =
            measure::compare_outputs(known.expected, job.request.reference, *found);
        const measure::PrepareOptions& options = job.request.options;
        const bool card = !job.backend->info().architecture.empty();
        double allowed =
            card ? measure::tolerance(options.elem, *job.request.program) : measure::tolerance(options.elem);
        if (options.tf32) allowed = std::max(allowed, measure::kTf32Tolerance);
        if (!measure::agrees(difference, allowed)) {
            const auto overflow = card ? measure::overflow_sentence(known.expected, job.request.reference,
                                                                    *found, options.elem, allowed)
                                       : std::nullopt;
            if (overflow) return Failure{FailureClass::Overflow, *overflow, {}};
            return Failure{FailureClass::Mismatch, measure::difference_sentence(difference, allowed), {}};
        }
        answer.check.error = std::max(answer.check.error, difference.error);
        answer.check.tolerance = allowed;
        if (round == 0) answer.run_seconds = *seconds;
        if (round == 1) answer.check.repeatable = same_bits(outputs, *found);
        outputs = std::move(found).value();
    }
    answer.check.how = known.expected.how;
    job.checked = true;
    return answer;
}

Outcome<measure::Timing> Jobs::timing(Job& job, const measure::SamplingPlan& plan, bool cold,
                                      const WorkProgress& progress) {
    const Outcome<int> runs = cold ? Outcome<int>(1) : runs_of_sample(*job.prepared);
    if (!runs) return runs.failure();
    measure::Sampled what = sampled(*job.prepared, *runs);
    if (cold)
        what.before = [&job]() -> std::optional<Failure> {
            if (job.prepared->evict()) return std::nullopt;
            return job.backend->flush_caches();
        };
    what.progress = [&](int done, int expected) { return progress(cold ? "cold" : "warm", done, expected); };
    Outcome<measure::Samples> samples = measure::sample(plan, what);
    if (!samples) return samples.failure();
    return timing_of(*job.prepared, std::move(samples->seconds), samples->course, *runs);
}

// Medians of warm runs, as many as the plan has samples but no longer than its time; nothing where the device
// does not time top-level operators.
Outcome<std::vector<double>> Jobs::kernels(Job& job, const measure::SamplingPlan& plan,
                                           const WorkProgress& progress) {
    std::vector<std::vector<double>> samples;  // by operator
    const double start = now();
    for (int run = 0; run < plan.samples; ++run) {
        if (run > 0 && now() - start > plan.seconds) break;
        const Outcome<std::vector<double>> seconds = job.prepared->run_kernels();
        if (!seconds) return seconds.failure();
        samples.resize(seconds->size());
        for (std::size_t i = 0; i < seconds->size(); ++i) samples[i].push_back((*seconds)[i]);
        if (samples.empty()) break;
        if (!progress("operators", run + 1, plan.samples)) return cancelled();
    }
    std::vector<double> medians;
    for (std::vector<double>& times : samples) medians.push_back(measure::summarize(std::move(times)).median);
    return medians;
}

AnswerBody Jobs::measure(const measure::MeasureRequest& request, const WorkProgress& progress) {
    const Outcome<Job*> found = checked_job(request.job);
    if (!found) return found.failure();
    measure::MeasuredAnswer answer;
    const Meanwhile meanwhile(*(*found)->backend);
    answer.before = current_conditions();
    for (const bool cold : {false, true}) {
        if (!(cold ? request.cold : request.warm)) continue;
        Outcome<measure::Timing> result = timing(**found, request.plan, cold, progress);
        if (!result) return result.failure();
        (cold ? answer.cold : answer.warm) = *result;
        if (cold) continue;
        Outcome<std::vector<double>> each = kernels(**found, request.plan, progress);
        if (!each) return each.failure();
        answer.kernels = std::move(each).value();
    }
    answer.after = meanwhile.conditions();
    return answer;
}

AnswerBody Jobs::compare(const measure::CompareRequest& request, const WorkProgress& progress) {
    const Outcome<Job*> a = checked_job(request.a);
    if (!a) return a.failure();
    const Outcome<Job*> b = checked_job(request.b);
    if (!b) return b.failure();
    measure::ComparedAnswer answer;
    const Meanwhile meanwhile(*(*a)->backend);
    answer.before = current_conditions();
    const Outcome<int> runs_a = runs_of_sample(*(*a)->prepared), runs_b = runs_of_sample(*(*b)->prepared);
    if (!runs_a) return runs_a.failure();
    if (!runs_b) return runs_b.failure();
    measure::Sampled first = sampled(*(*a)->prepared, *runs_a);
    first.progress = [&](int done, int expected) { return progress("compare", done, expected); };
    const measure::Sampled second = sampled(*(*b)->prepared, *runs_b);
    Outcome<measure::PairedSamples> pairs = measure::sample_pairs(request.plan, first, second);
    if (!pairs) return pairs.failure();
    answer.ratio = measure::paired_ratio(pairs->a, pairs->b);
    Outcome<measure::Timing> timing_a =
        timing_of(*(*a)->prepared, std::move(pairs->a), pairs->course, *runs_a);
    Outcome<measure::Timing> timing_b =
        timing_of(*(*b)->prepared, std::move(pairs->b), pairs->course, *runs_b);
    if (!timing_a) return timing_a.failure();
    if (!timing_b) return timing_b.failure();
    answer.a = std::move(timing_a).value();
    answer.b = std::move(timing_b).value();
    answer.after = meanwhile.conditions();
    return answer;
}

AnswerBody Jobs::race(const measure::RaceRequest& request, const WorkProgress& progress) {
    std::vector<Job*> jobs;
    for (const std::string& name : request.jobs) {
        const Outcome<Job*> found = checked_job(name);
        if (!found) return found.failure();
        jobs.push_back(*found);
    }
    measure::RacedAnswer answer;
    const Meanwhile meanwhile(*jobs.front()->backend);
    answer.before = current_conditions();
    std::vector<measure::Sampled> what;
    std::vector<int> runs;
    for (Job* each : jobs) {
        const Outcome<int> several = runs_of_sample(*each->prepared);
        runs.push_back(several ? *several : 1);  // a program that fails will do so in the race
        what.push_back(sampled(*each->prepared, runs.back()));
    }
    what.front().progress = [&](int done, int expected) { return progress("rounds", done, expected); };
    const Outcome<measure::Race> race = measure::race(request.plan, what);
    if (!race) return race.failure();
    const std::optional<measure::Standing> standing = measure::standing(race->lanes);
    answer.best = standing ? static_cast<int>(standing->best) : -1;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const measure::Lane& lane = race->lanes[i];
        // Nothing that this process has measured of a card since then is right.
        if (lane.failure && lane.failure->cls == FailureClass::IllegalAddress) return *lane.failure;
        measure::RacedLane raced{.stayed = lane.stayed, .failure = lane.failure};
        if (!lane.seconds.empty()) {
            const Outcome<measure::Timing> warm =
                timing_of(*jobs[i]->prepared, lane.seconds, race->course, runs[i]);
            if (!warm) return warm.failure();
            raced.warm = *warm;
            if (standing && i != standing->best) raced.over_best = standing->over_best[i];
        }
        if (lane.stayed && raced.warm) {
            const Outcome<std::vector<double>> each = kernels(*jobs[i], request.plan, progress);
            if (!each) return each.failure();
            raced.kernels = *each;
        }
        answer.lanes.push_back(std::move(raced));
    }
    answer.after = meanwhile.conditions();
    return answer;
}

AnswerBody Jobs::calm(const measure::CalmRequest& request, const WorkProgress& progress) {
    const Outcome<measure::Backend*> device = backend(request.device);
    if (!device) return device.failure();
    const measure::Watch watch = {
        [&] { return (*device)->cpu_times(); },
        [&] { std::this_thread::sleep_for(std::chrono::duration<double>(request.look_seconds)); },
        [&](double waited, double most) {
            return progress("waiting for a calm machine", static_cast<int>(waited), static_cast<int>(most));
        }};
    const Outcome<measure::Calm> calm = measure::wait_for_calm(watch, request.wait_seconds);
    if (!calm) return calm.failure();
    return measure::CalmAnswer{*calm};
}

AnswerBody Jobs::calibrate(const measure::CalibrateRequest& request, const WorkProgress& progress) {
    const Outcome<measure::Backend*> device = backend(request.device);
    if (!device) return device.failure();
    const Meanwhile meanwhile(**device);
    Outcome<json::Value> description = (*device)->calibrate(progress);
    if (!description) return description.failure();
    return measure::CalibratedAnswer{std::move(description).value(), meanwhile.conditions().others};
}

AnswerBody Jobs::release(const measure::ReleaseRequest& request) {
    if (jobs_.erase(request.job) == 0) return refused(Text("There is no job %1.", request.job));
    return measure::DoneAnswer{};
}

Outcome<measure::Backend*> Jobs::backend(const std::string& name) const {
    std::string names;
    for (const auto& each : backends_) {
        if (each->info().name == name) return each.get();
        names += (names.empty() ? "" : ", ") + each->info().name;
    }
    return refused(
        Text("There is no device '%1' here; there is %2.", name, names.empty() ? Text("none") : Text(names)));
}

Outcome<Jobs::Job*> Jobs::job(const std::string& name) {
    const auto found = jobs_.find(name);
    if (found == jobs_.end()) return refused(Text("There is no job %1.", name));
    return &found->second;
}

Outcome<Jobs::Job*> Jobs::checked_job(const std::string& name) {
    Outcome<Job*> found = job(name);
    if (found && !(*found)->checked)
        return refused(
            Text("Job %1 has not been checked; nothing is timed before its result is right.", name));
    return found;
}

}  // namespace blockscope::worker
