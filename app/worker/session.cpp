#include "app/worker/session.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "app/worker/predict.h"
#include "app/worker/probe.h"
#include "core/json/device_files.h"
#include "core/measure/record.h"
#include "core/state/choose.h"
#include "core/state/state.h"

namespace blockscope::worker {

using measure::Failure;
using measure::Record;

namespace {

// The reference at the sizes of what runs.
measure::Reference reference_of(const Task& task) {
    if (task.array) {
        ArrayProgram array = *task.array;
        array.dims = task.blocks->dims;
        return array;
    }
    BlockProgram initial = *task.initial;
    initial.dims = task.blocks->dims;
    return std::make_shared<const BlockProgram>(std::move(initial));
}

std::string plain_number(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

bool blames_the_code(measure::FailureClass cls) {
    using measure::FailureClass;
    return cls == FailureClass::Mismatch || cls == FailureClass::IllegalAddress ||
           cls == FailureClass::Launch || cls == FailureClass::Timeout || cls == FailureClass::LostWorker;
}

}  // namespace

measure::Subject subject_of(const Task& task, const measure::Machine& machine) {
    measure::Subject subject;
    subject.program = task.program;
    const bool paper = task.options.loops == LoopForm::Paper;
    subject.state = task.state + (paper ? ", the paper's loops" : "");
    subject.program_key = measure::structure_key(*task.initial);
    subject.state_key = measure::structure_key(*task.blocks) + (paper ? "-paper" : "");
    subject.dims = task.blocks->dims;
    subject.elem = task.options.tf32 ? "tf32" : to_string(task.options.elem);
    subject.device = task.device;
    if (!task.options.target.empty()) subject.device += ", " + task.options.target;
    if (task.options.block_threads > 0)
        subject.device += ", " + std::to_string(task.options.block_threads) + " threads";
    if (task.options.stages > 0) subject.device += ", " + std::to_string(task.options.stages) + " stages";
    if (task.options.range != 1) subject.device += ", inputs up to " + plain_number(task.options.range);
    subject.machine = machine.host + ": " + machine.cpu;
    subject.threads = task.options.threads;
    return subject;
}

Record Session::begin(const Task& task) {
    Record record;
    record.time = utc_now();
    record.seed = task.seed;
    record.model = task.model;
    if (task.predicted_seconds > 0) record.predicted_seconds = task.predicted_seconds;
    const measure::Outcome<measure::Hello> hello = client_.hello();
    if (hello) {
        record.machine = hello->machine;
        record.before = record.after = hello->now;
    } else {
        record.failure = hello.failure();
    }
    record.subject = subject_of(task, record.machine);
    return record;
}

// What is wrong on this card, or does not run there, is done in another way if there is one; the log says so.
std::optional<Failure> Session::make_ready(const Task& task, Record& record, Ready& ready) {
    if (record.failure) return record.failure;
    std::string instead;
    std::optional<Failure> failure = attempt(task, record, ready, instead);
    if (!failure || instead.empty() || !blames_the_code(failure->cls)) return failure;
    Task other = task;
    other.options.target = instead;
    std::string none;
    const std::string first = record.prepared;
    if (attempt(other, record, ready, none)) {
        record.prepared = first;
        return failure;
    }
    record.fallback = {instead, *failure};
    record.prepared = "not what suits the card best: " + failure->message.str() + "\n" + record.prepared;
    return std::nullopt;
}

std::optional<Failure> Session::attempt(const Task& task, Record& record, Ready& ready,
                                        std::string& instead) {
    const auto prepared = client_.prepare({.device = task.device,
                                           .program = task.blocks,
                                           .reference = reference_of(task),
                                           .options = task.options,
                                           .seed = task.seed});
    if (!prepared) return prepared.failure();
    ready.job = prepared->job;
    record.prepared = prepared->log;
    instead = prepared->instead;
    if (task.card && !prepared->kernels.empty())
        record.predicted_seconds = predicted_on_card(task.blocks, *task.card, task.options.elem, task.model,
                                                     prepared->kernels, task.options.loops);
    const auto checked = client_.check({ready.job});
    if (!checked) {
        client_.release(ready.job);
        return checked.failure();
    }
    record.check = checked->check;
    ready.run_seconds = checked->run_seconds;
    return std::nullopt;
}

void Session::keep(const Record& record) {
    if (file_.empty() || (record.failure && record.failure->cls == measure::FailureClass::Cancelled)) return;
    file_problem_ = measure::append_record(file_, record);
}

std::optional<Failure> Session::check_only(const Task& task) {
    Record record = begin(task);
    Ready ready;
    auto failure = make_ready(task, record, ready);
    if (!failure) client_.release(ready.job);
    return failure;
}

Record Session::run(const Task& task) {
    Record record = begin(task);
    Ready ready;
    record.failure = make_ready(task, record, ready);
    if (!record.failure) {
        const double predicted = std::max(task.predicted_seconds, ready.run_seconds);
        const auto measured = client_.measure({ready.job, task.warm, task.cold, task.plan}, predicted);
        client_.release(ready.job);
        if (measured) {
            record.warm = measured->warm;
            record.cold = measured->cold;
            record.kernels = measured->kernels;
            record.before = measured->before;
            record.after = measured->after;
        } else {
            record.failure = measured.failure();
        }
    }
    keep(record);
    return record;
}

Session::Pair Session::compare(const Task& a, const Task& b) {
    Pair pair{begin(a), begin(b)};
    Ready ready_a;
    Ready ready_b;
    pair.a.failure = make_ready(a, pair.a, ready_a);
    const int generation = client_.generation();
    if (!pair.a.failure) pair.b.failure = make_ready(b, pair.b, ready_b);
    // A worker that was lost meanwhile has taken the first job with it.
    const bool both = !pair.a.failure && !pair.b.failure && client_.generation() == generation;
    if (both) {
        const double predicted =
            std::max({a.predicted_seconds, b.predicted_seconds, ready_a.run_seconds + ready_b.run_seconds});
        const auto compared = client_.compare({ready_a.job, ready_b.job, a.plan}, predicted);
        if (compared) {
            pair.a.warm = compared->a;
            pair.b.warm = compared->b;
            for (Record* record : {&pair.a, &pair.b}) {
                record->before = compared->before;
                record->after = compared->after;
            }
            pair.a.against = {b.state, measure::subject_key(pair.b.subject), compared->ratio};
        } else {
            pair.a.failure = compared.failure();
        }
    } else if (!pair.a.failure) {
        pair.a.failure = pair.b.failure
                             ? pair.b.failure
                             : Failure{measure::FailureClass::LostWorker,
                                       Text("The worker was lost between two programs of a comparison."),
                                       {}};
    }
    for (const std::string& job : {ready_a.job, ready_b.job})
        if (!job.empty()) client_.release(job);
    keep(pair.a);
    if (pair.b.warm) keep(pair.b);
    return pair;
}

namespace {

// A processor of which only the cores and caches are known: how fast it is, is assumed.
Device assumed_cpu(const measure::Machine& machine) {
    Device device = *find_device(builtin_devices(), kUsualProcessor);
    device.processors.value = std::max(1, machine.cores);
    for (const measure::Cache& cache : machine.caches)
        for (MemoryLevel& level : device.memory)
            if (cache.bytes > 0 && level.name == "L" + std::to_string(cache.level))
                level.capacity.value = static_cast<double>(cache.bytes);
    return device;
}

}  // namespace

std::vector<Task> tuning_candidates(const Task& task, const measure::Machine& machine, int top) {
    const auto calibrated = task.device == "cpu" ? calibrated_cpu(machine.cpu) : std::nullopt;
    const Device device = calibrated ? *calibrated : assumed_cpu(machine);
    const auto with_blocks = [&](ProgramPtr blocks) {
        Task candidate = task;
        candidate.blocks = std::move(blocks);
        candidate.predicted_seconds = 0;
        if (calibrated) {
            candidate.predicted_seconds = predicted_seconds(candidate.blocks, device, task.options.elem,
                                                            task.options.threads, task.options.loops);
            candidate.model = kCpuModel;
        }
        return candidate;
    };
    const ChosenState state{State(task.blocks, in_loops(task.options.loops)), 0, task.state};
    std::vector<Task> result{with_blocks(task.blocks)};
    for (const PredictedChoice& choice : search_predicted({state}, device, top + 1).best)
        if (choice.dims != task.blocks->dims && result.size() <= static_cast<std::size_t>(top))
            result.push_back(with_blocks(with_dims(task.blocks, choice.dims)));
    return result;
}

// Session::race(): heats of candidates that fit the memory together, the best of each against the next ones.

using measure::FailureClass;
using measure::Outcome;
using measure::Record;

namespace {

constexpr std::size_t kMostInHeat = 32;

}  // namespace

Outcome<measure::Calm> Session::wait_for_calm(const std::string& device, double seconds) {
    const Outcome<measure::CalmAnswer> answer = client_.calm({device, seconds});
    if (!answer) return answer.failure();
    return answer->calm;
}

Session::Raced Session::race(const std::vector<Task>& tasks,
                             const std::function<void(std::size_t)>& preparing) {
    Racing racing{tasks, preparing, std::vector<Ready>(tasks.size()), {}};
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        racing.raced.records.push_back(begin(tasks[i]));
        waiting.push_back(i);
    }
    while (!waiting.empty()) {
        const std::vector<std::size_t> heat = prepare_heat(racing, waiting);
        const bool alone = racing.raced.best && heat.size() == 1;  // nothing fits beside the best
        if (alone) {
            release_all(racing);
            run_alone(racing, waiting);
            break;
        }
        if (heat.empty()) break;
        if (!run_heat(racing, heat)) {
            release_all(racing);
            run_alone(racing, heat);
            run_alone(racing, waiting);
            break;
        }
        const Ready kept = racing.raced.best ? racing.ready[*racing.raced.best] : Ready{};
        if (racing.raced.best) racing.ready[*racing.raced.best].job.clear();
        release_all(racing);
        if (racing.raced.best) racing.ready[*racing.raced.best] = kept;
    }
    release_all(racing);
    for (const Record& record : racing.raced.records) keep(record);
    return std::move(racing.raced);
}

// The best so far and, of those that wait, as many as fit the memory beside it; the others go on waiting. A
// worker that is lost with one takes all jobs with it: they are prepared again.
std::vector<std::size_t> Session::prepare_heat(Racing& racing, std::vector<std::size_t>& waiting) {
    std::vector<std::size_t> heat;
    if (racing.raced.best) heat.push_back(*racing.raced.best);
    std::vector<std::size_t> later;
    for (const std::size_t i : waiting) (heat.size() < kMostInHeat ? heat : later).push_back(i);
    int generation = client_.generation();
    for (std::size_t at = 0; at < heat.size();) {
        const std::size_t i = heat[at];
        Record& record = racing.raced.records[i];
        if (racing.ready[i].job.empty()) {
            if (racing.preparing) racing.preparing(i);
            record.failure = make_ready(racing.tasks[i], record, racing.ready[i]);
            if (client_.generation() != generation || client_.pid() < 0) {
                generation = client_.generation();
                for (const std::size_t other : heat)
                    if (other != i || record.failure) racing.ready[other].job.clear();
                if (record.failure) heat.erase(heat.begin() + static_cast<std::ptrdiff_t>(at));
                at = 0;
                continue;
            }
        }
        if (!record.failure) {
            ++at;
            continue;
        }
        racing.ready[i].job.clear();
        if (record.failure->cls == FailureClass::OutOfMemory && at > 0) {
            record.failure.reset();
            later.push_back(i);
        }
        heat.erase(heat.begin() + static_cast<std::ptrdiff_t>(at));
    }
    waiting = std::move(later);
    return heat;
}

// False: the worker was lost, and nobody knows by which of them.
bool Session::run_heat(Racing& racing, const std::vector<std::size_t>& heat) {
    measure::RaceRequest request{{}, racing.tasks[heat.front()].plan};
    double predicted = 0;
    for (const std::size_t i : heat) {
        request.jobs.push_back(racing.ready[i].job);
        predicted = std::max({predicted, racing.tasks[i].predicted_seconds, racing.ready[i].run_seconds});
    }
    const Outcome<measure::RacedAnswer> answer = client_.race(request, predicted);
    Raced& raced = racing.raced;
    if (!answer) {
        if (answer.failure().cls != FailureClass::Cancelled) return false;
        for (const std::size_t i : heat) raced.records[i].failure = answer.failure();
        return true;
    }
    raced.best.reset();
    raced.ties.clear();
    if (answer->best >= 0) raced.best = heat[static_cast<std::size_t>(answer->best)];
    for (std::size_t lane = 0; lane < heat.size(); ++lane) {
        const measure::RacedLane& found = answer->lanes.at(lane);
        const Task& task = racing.tasks[heat[lane]];
        Record& record = raced.records[heat[lane]];
        record.warm = found.warm;
        record.kernels = found.kernels;
        record.failure = found.failure;
        record.before = answer->before;
        record.after = answer->after;
        record.against.reset();
        if (raced.best && found.over_best) {
            const Record& best = raced.records[*raced.best];
            record.against = {best.subject.state, measure::subject_key(best.subject), *found.over_best};
            if (found.stayed && found.over_best->tie()) raced.ties.push_back(heat[lane]);
        }
        if (!found.stayed || !found.warm || !task.cold || record.cold) continue;
        const auto cold = client_.measure({racing.ready[heat[lane]].job, false, true, task.plan}, predicted);
        if (cold) record.cold = cold->cold;
    }
    return true;
}

void Session::run_alone(Racing& racing, const std::vector<std::size_t>& tasks) {
    const std::string file = std::exchange(file_, {});  // race() keeps all records itself
    for (const std::size_t i : tasks) {
        if (racing.preparing) racing.preparing(i);
        racing.raced.records[i] = run(racing.tasks[i]);
    }
    file_ = file;
    racing.raced.in_turns = false;
    racing.raced.best.reset();
    racing.raced.ties.clear();
    for (std::size_t i = 0; i < racing.raced.records.size(); ++i) {
        const Record& record = racing.raced.records[i];
        if (!record.warm) continue;
        const auto& best = racing.raced.best;
        if (best && record.warm->summary.median >= racing.raced.records[*best].warm->summary.median) continue;
        racing.raced.best = i;
    }
}

void Session::release_all(Racing& racing) {
    for (Ready& ready : racing.ready) {
        if (!ready.job.empty()) client_.release(ready.job);
        ready.job.clear();
    }
}

}  // namespace blockscope::worker
