#include "app/worker/session.h"

#include <algorithm>
#include <sstream>

#include "app/worker/probe.h"
#include "core/measure/results_file.h"
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
    subject.state = task.state;
    subject.program_key = measure::structure_key(*task.initial);
    subject.state_key = measure::structure_key(*task.blocks);
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
    record.prepared = "not what suits the card best: " + failure->message.str() + "\n" + record.prepared;
    return std::nullopt;
}

std::optional<Failure> Session::attempt(const Task& task, Record& record, Ready& ready,
                                        std::string& instead) {
    const auto prepared =
        client_.prepare({task.device, task.blocks, reference_of(task), task.options, task.seed});
    if (!prepared) return prepared.failure();
    ready.job = prepared->job;
    record.prepared = prepared->log;
    instead = prepared->instead;
    if (task.card && !prepared->kernels.empty())
        record.predicted_seconds =
            predicted_on_card(task.blocks, *task.card, task.options.elem, task.model, prepared->kernels);
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

constexpr int kConsidered = 64;  // of the search's favourites, ranked again by the model if there is one

std::int64_t private_cache(const measure::Machine& machine) {
    std::int64_t bytes = 0;
    for (const measure::Cache& cache : machine.caches)
        if (cache.level == 2) bytes = cache.bytes;
    return bytes;
}

ProgramPtr with_blocks(const ProgramPtr& program, const std::vector<std::int64_t>& blocks) {
    BlockProgram result = *program;
    for (std::size_t i = 0; i < blocks.size(); ++i) result.dims[i].block = blocks[i];
    return std::make_shared<const BlockProgram>(std::move(result));
}

}  // namespace

std::vector<Task> tuning_candidates(const Task& task, const measure::Machine& machine, int top) {
    const auto device = task.device == "cpu" ? calibrated_cpu(machine.cpu) : std::nullopt;
    const CacheModel model = cache_model(device, private_cache(machine), machine.cores, task.options.threads);
    const State state(task.blocks);
    std::vector<Task> result;
    for (const BlockChoice& choice : suggest_blocks(state.loops(), model, std::max(kConsidered, top))) {
        Task candidate = task;
        candidate.blocks = with_blocks(task.blocks, choice.blocks);
        if (candidate.blocks->dims == task.blocks->dims) continue;
        candidate.predicted_seconds = choice.predicted_seconds;
        candidate.model = "block search";
        if (device) {
            candidate.predicted_seconds =
                predicted_seconds(candidate.blocks, *device, task.options.elem, task.options.threads);
            candidate.model = kCpuModel;
        }
        result.push_back(std::move(candidate));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Task& a, const Task& b) { return a.predicted_seconds < b.predicted_seconds; });
    if (result.size() > static_cast<std::size_t>(top)) result.resize(static_cast<std::size_t>(top));
    // Its own block sizes are predicted as all others are: by one model.
    Task own = task;
    own.predicted_seconds = 0;
    if (device) {
        own.predicted_seconds =
            predicted_seconds(own.blocks, *device, task.options.elem, task.options.threads);
        own.model = kCpuModel;
    }
    result.insert(result.begin(), std::move(own));
    return result;
}

const measure::Record* fastest(const std::vector<measure::Record>& records) {
    const measure::Record* best = nullptr;
    for (const measure::Record& record : records)
        if (record.warm && (!best || record.warm->summary.median < best->warm->summary.median))
            best = &record;
    return best;
}

}  // namespace blockscope::worker
