#include "app/cli/measuring.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>

#include "app/cli/failures.h"
#include "app/cli/measure_report.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "app/worker/command.h"
#include "app/worker/predict.h"
#include "app/worker/tuning.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/measure/results_file.h"

namespace blockscope::cli {
namespace {

using measure::Failure;
using measure::FailureClass;
using measure::Record;

std::optional<int> whole_number(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string snapshot_name(int number) {
    return number == 0 ? "step 0" : "snapshot " + std::to_string(number);
}

// Not only once all is measured.
void refuse_unwritable(const std::string& results) {
    std::error_code error;
    if (results.empty() || !std::filesystem::exists(results, error)) return;
    if (std::filesystem::is_directory(results, error))
        throw UsageError("--results " + results + " is a folder; results are kept in a file");
    if (access(results.c_str(), W_OK) != 0) throw UsageError("--results " + results + " cannot be written");
}

}  // namespace

std::vector<std::string> worker_for(const std::string& host) {
    if (host.empty()) return worker::local_worker();
    std::vector<std::string> command = worker::remote_worker(host);
    if (command.empty()) throw UsageError("'" + host + "' is no host");
    return command;
}

Measuring::Measuring(const MeasureArguments& arguments)
    : arguments_(arguments),
      loaded_(load_program(arguments.file)),
      initial_(resized(loaded_.blocks, arguments.sizes)),
      trace_(fuse_watched(initial_)) {
    if (!arguments.no_results)
        results_ = arguments.results.empty() ? measure::default_results_file() : arguments.results;
    refuse_unwritable(arguments.results);
    if (arguments.step) {
        const int steps = static_cast<int>(trace_.steps.size());
        if (*arguments.step < 0 || *arguments.step > steps)
            throw UsageError("there is no step " + std::to_string(*arguments.step) + "; the run takes " +
                             std::to_string(steps));
        tasks_.push_back(task(*arguments.step, "step " + std::to_string(*arguments.step)));
    } else if (arguments.snapshot == "all") {
        for (std::size_t i = 0; i <= trace_.snapshots.size(); ++i)
            tasks_.push_back(snapshot(std::to_string(i)));
    } else {
        tasks_.push_back(snapshot(arguments.snapshot));
    }
    open_device();
    refuse_what_does_not_apply();
    predict();
}

// Options that the device would silently leave out of account, and types that it refuses for every state.
void Measuring::refuse_what_does_not_apply() const {
    const auto refuse = [&](bool given, const std::string& option, const char* of) {
        if (given) throw UsageError(option + " is for " + of + "; '" + device_.name + "' is none");
    };
    if (!device_.architecture.empty()) return refuse(arguments_.threads > 0, "--threads", "processors");
    constexpr int kMostPerCore = 8;
    const int most = kMostPerCore * std::max(1, machine_.cores);
    if (arguments_.threads > most)
        throw UsageError("--threads " + std::to_string(arguments_.threads) + " is too many for " +
                         std::to_string(machine_.cores) + " cores; at most " + std::to_string(most));
    refuse(arguments_.block_threads > 0, "--block-threads", "cards");
    refuse(arguments_.stages > 0, "--stages", "cards");
    refuse(!arguments_.target.empty(), "--target", "cards");
    refuse(arguments_.unsafe, "--unsafe", "cards");
    if (device_.name == "cpu" && arguments_.type != "f32" && arguments_.type != "bf16")
        throw UsageError("the processor takes inputs in f32 or bf16; --type " + arguments_.type +
                         " is for cards");
}

Device Measuring::card_description() const {
    return worker::description_for(load_devices().devices, calibrated_name(arguments_.host, device_.name),
                                   device_.model, device_.architecture);
}

void Measuring::predict() {
    if (arguments_.type == "tf32") return;  // no model has rates of it
    if (!device_.architecture.empty()) {
        const Device card = card_description();
        for (worker::Task& task : tasks_) {
            task.predicted_seconds = worker::predicted_on_card(*task.blocks, card, task.options.elem);
            task.model = worker::kCpuModel;
            task.card = card;
        }
        return;
    }
    const std::optional<Device> device = arguments_.on == "cpu" && arguments_.host.empty()
                                             ? worker::calibrated_cpu(machine_.cpu)
                                             : std::nullopt;
    if (!device) return;
    for (worker::Task& task : tasks_) {
        task.predicted_seconds =
            worker::predicted_seconds(*task.blocks, *device, task.options.elem, task.options.threads);
        task.model = worker::kCpuModel;
    }
}

void Measuring::open_device() {
    client_ = std::make_unique<worker::Client>(worker_for(arguments_.host));
    session_ = std::make_unique<worker::Session>(*client_, results_);
    const measure::Outcome<measure::Hello> hello = client_->hello();
    if (!hello) {
        std::string sentence = hello.failure().message;
        if (!hello.failure().log.empty()) sentence += "\n" + hello.failure().log;
        throw NoDevice(sentence);
    }
    machine_ = hello->machine;
    std::string names;
    for (const measure::BackendInfo& info : hello->devices) {
        if (info.name == arguments_.on) {
            device_ = info;
            return;
        }
        names += (names.empty() ? "" : ", ") + info.name;
    }
    throw NoDevice("there is no device '" + arguments_.on + "' on " + machine_.host + "; there is " +
                   (names.empty() ? "none" : names));
}

worker::Task Measuring::task(int step, std::string name) const {
    worker::Task task;
    task.program = loaded_.name;
    const bool card = arguments_.on.rfind("cuda", 0) == 0;
    const bool safe = arguments_.safe || (card && !arguments_.unsafe);
    task.state = std::move(name) + (safe ? ", safe" : "");
    task.initial = initial_;
    task.array = loaded_.array;
    const ProgramPtr& state = trace_.state(step);
    task.blocks = safe ? std::make_shared<const BlockProgram>(make_safe(*state).program) : state;
    task.device = arguments_.on;
    for (const ElemType elem : {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2})
        if (to_string(elem) == arguments_.type) task.options.elem = elem;
    task.options.tf32 = arguments_.type == "tf32";
    task.options.threads = arguments_.threads;
    task.options.target = arguments_.target;
    task.options.block_threads = arguments_.block_threads;
    task.options.stages = arguments_.stages;
    task.options.range = arguments_.range;
    task.seed = arguments_.seed;
    task.plan = arguments_.plan;
    task.cold = !arguments_.no_cold;
    return task;
}

int Measuring::snapshot_step(const std::string& number) const {
    const int last = static_cast<int>(trace_.snapshots.size());
    const std::optional<int> wanted = number == "last" ? last : whole_number(number);
    if (!wanted || *wanted < 0 || *wanted > last)
        throw UsageError("there is no snapshot '" + number + "'; the run has " + std::to_string(last) +
                         ", counted from 1, and 0 is the unfused program");
    return *wanted;
}

worker::Task Measuring::snapshot(const std::string& number) const {
    const int wanted = snapshot_step(number);
    const int step = wanted == 0 ? 0 : trace_.snapshots[static_cast<std::size_t>(wanted - 1)];
    return task(step, snapshot_name(wanted));
}

std::vector<worker::Task> Measuring::candidates(const worker::Task& task,
                                                std::vector<worker::SearchRow>& rows) {
    if (device_.architecture.empty()) return worker::tuning_candidates(task, machine_, arguments_.top);
    StatusLine status;
    const worker::CardSearch search{device_.architecture, card_description(), arguments_.top,
                                    client_->command()};
    const auto found = worker::search_card(task, search, [&](const std::string& phase, int done, int total) {
        status.show(task.state + ": " + phase + ", " + std::to_string(done) + " of " + std::to_string(total));
        return true;
    });
    if (!found) throw NoDevice(found.failure().message);
    std::vector<worker::Task> tasks{task};
    for (const worker::CardChoice& choice : found->choices) {
        rows.push_back(choice.row);
        if (worker::is_of(choice.row, task))
            tasks.front() = choice.task;
        else
            tasks.push_back(choice.task);
    }
    rows.insert(rows.end(), found->refused.begin(), found->refused.end());
    return tasks;
}

void Measuring::watch(const std::string& what) {
    status_ = std::make_unique<StatusLine>();
    status_->show(what);
    client_->on_progress([this, what](const measure::ProgressEvent& event) {
        std::string line = what + ": " + event.phase;
        if (event.total > 0) line += " " + std::to_string(event.done) + " of " + std::to_string(event.total);
        status_->show(line);
    });
}

Record Measuring::run(const worker::Task& task, const std::string& what) {
    watch(what);
    Record record = session_->run(task);
    status_.reset();
    return record;
}

worker::Session::Pair Measuring::compare(const worker::Task& a, const worker::Task& b,
                                         const std::string& what) {
    watch(what);
    worker::Session::Pair pair = session_->compare(a, b);
    status_.reset();
    return pair;
}

int Measuring::finish(const std::vector<Record>& records) const {
    if (session_->file_problem())
        std::cerr << "blockscope-cli: " << to_string(*session_->file_problem()) << '\n';
    say_failures(records);
    int failed = 0;
    int timeouts = 0;
    bool mismatch = false;
    for (const Record& record : records) {
        if (!record.failure) continue;
        ++failed;
        timeouts += record.failure->cls == FailureClass::Timeout ? 1 : 0;
        mismatch = mismatch || record.failure->cls == FailureClass::Mismatch;
    }
    if (mismatch) return kMismatch;
    if (failed == 0) return session_->file_problem() ? kPartial : kFine;
    return timeouts == static_cast<int>(records.size()) ? kTimeout : kPartial;
}

}  // namespace blockscope::cli
