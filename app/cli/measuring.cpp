#include "app/cli/measuring.h"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "app/cli/cost.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "app/worker/client.h"
#include "app/worker/predict.h"
#include "app/worker/probe.h"
#include "app/worker/session.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/measure/record.h"

namespace blockscope::cli {

namespace {

using measure::Failure;
using measure::FailureClass;
using measure::Record;

// Results that cannot be written are refused before anything is measured.
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
      trace_(fuse_watched(initial_, arguments.rules.set())) {
    if (!arguments.no_results)
        results_ = arguments.results.empty() ? measure::default_results_file() : arguments.results;
    refuse_unwritable(arguments.results);
    // Which state is the best depends on the device; what is asked for by number is refused before it starts.
    if (looks_for_best()) open_device();
    for (const ChosenState& chosen : states()) tasks_.push_back(task(chosen));
    if (!looks_for_best()) open_device();
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
    if (device_.name == "cpu" && arguments_.type != "f32" && arguments_.type != "bf16")
        throw UsageError("the processor takes inputs in f32 or bf16; --type " + arguments_.type +
                         " is for cards");
}

// By predicted time where it will run: on the card, or on this machine if it is calibrated, else on a
// processor that is described.
Stakes Measuring::stakes() const {
    const bool card = !device_.architecture.empty();
    const bool calibrated = arguments_.host.empty() && std::filesystem::exists(local_cpu_file());
    StateArguments words;
    words.objective = arguments_.objective;
    Stakes stakes =
        stakes_on(words, card ? card_description() : chosen_device(calibrated ? kLocalCpu : kUsualProcessor));
    stakes.safe = !arguments_.unsafe;
    stakes.run = AsRun{.type = arguments_.type,
                       .threads = card ? 0 : threads(*stakes.device),
                       .all = arguments_.threads == 0};
    return stakes;
}

int Measuring::threads(const Device& processor) const {
    const int cores = std::min(std::max(1, machine_.cores), static_cast<int>(processor.processors.value));
    return arguments_.threads > 0 ? std::min(arguments_.threads, cores) : cores;
}

// A processor's engine keeps all but inputs in float32.
Form Measuring::rated_form() const {
    Form rated = form();
    rated.loops = arguments_.loops;
    rated.stored = {input_type(), device_.architecture.empty() ? ElemType::F32 : input_type()};
    return rated;
}

ElemType Measuring::input_type() const {
    for (const ElemType elem : {ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2})
        if (to_string(elem) == arguments_.type) return elem;
    return ElemType::F32;
}

bool Measuring::looks_for_best() const {
    if (!arguments_.state.empty() || !arguments_.objective.empty()) return true;
    return !arguments_.step && arguments_.snapshot.empty() && arguments_.by_default != StatesByDefault::All;
}

std::vector<ChosenState> Measuring::states() {
    if (!looks_for_best())
        return chosen_states(trace_, {.step = arguments_.step, .snapshot = arguments_.snapshot}, form());
    const Stakes stakes = this->stakes();
    std::optional<Choice> chosen;
    if (arguments_.state.empty()) {
        chosen = best_choice(trace_, rated_form(), stakes);
        if (!chosen) return chosen_states(trace_, {}, form());  // nothing tells them apart: all
    } else {
        StateArguments words;
        words.state = arguments_.state;
        words.objective = arguments_.objective;
        chosen = choose(trace_, words, rated_form(), stakes);
    }
    Choice& best = *chosen;
    if (best.ranking) {
        best_sentence_ = cli::best_sentence(*best.ranking, stakes);
        best_json_ = cli::best_json(*best.ranking, stakes, static_cast<int>(trace_.steps.size()));
    }
    std::vector<ChosenState> states;
    if (arguments_.state.empty() && arguments_.by_default == StatesByDefault::UnfusedAndBest &&
        best.state.step > 0)
        states.push_back(chosen_state(trace_, StateChoice::step(0), form()));
    states.push_back(std::move(best.state));
    return states;
}

Device Measuring::card_description() const {
    return worker::description_for(load_devices().devices, calibrated_name(arguments_.host, device_.name),
                                   device_.model, device_.architecture);
}

void Measuring::predict() {
    if (arguments_.type == "tf32") {
        unpredicted_ = "no time is predicted: no model has rates of tf32";
        return;
    }
    if (!device_.architecture.empty()) {
        const Device card = card_description();
        for (worker::Task& task : tasks_) {
            task.predicted_seconds = worker::predicted_on_card(task.blocks, card, task.options.elem,
                                                               worker::kCpuModel, {}, task.options.loops);
            task.model = worker::kCpuModel;
            task.card = card;
        }
        return;
    }
    const std::optional<Device> device = arguments_.on == "cpu" && arguments_.host.empty()
                                             ? worker::calibrated_cpu(machine_.cpu)
                                             : std::nullopt;
    if (!device) {
        if (arguments_.on == "cpu" && arguments_.host.empty())
            unpredicted_ =
                "no time is predicted: 'blockscope-cli calibrate' has not measured this machine yet";
        return;
    }
    for (worker::Task& task : tasks_) {
        task.predicted_seconds = worker::predicted_seconds(task.blocks, *device, task.options.elem,
                                                           threads(*device), task.options.loops);
        task.model = worker::kCpuModel;
    }
}

void Measuring::open_device() {
    client_ = std::make_unique<worker::Client>(worker_for(arguments_.host));
    session_ = std::make_unique<worker::Session>(*client_, results_);
    const measure::Outcome<measure::Hello> hello = client_->hello();
    if (!hello) {
        std::string sentence = hello.failure().message.str();
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

namespace {

// In its plain form, though the safe one is another program: results say so.
bool overflows(const State& state) {
    return !state.form().safe && state.in_form(computable_form(state.form())).exponentials() > 0;
}

}  // namespace

Form Measuring::form() const {
    return safe_form(!arguments_.unsafe);
}

worker::Task Measuring::task(const ChosenState& chosen) const {
    worker::Task task;
    task.program = loaded_.name;
    task.state = chosen.name + (overflows(chosen.state) ? ", plain" : "");
    task.initial = initial_;
    task.array = loaded_.array;
    task.blocks = chosen.state.program();
    task.device = arguments_.on;
    task.options.elem = input_type();
    task.options.tf32 = arguments_.type == "tf32";
    task.options.threads = arguments_.threads;
    task.options.target = arguments_.target;
    task.options.block_threads = arguments_.block_threads;
    task.options.stages = arguments_.stages;
    task.options.range = arguments_.range;
    task.options.loops = arguments_.loops;
    task.seed = arguments_.seed;
    task.plan = arguments_.plan;
    task.cold = !arguments_.no_cold;
    return task;
}

worker::Task Measuring::snapshot(const std::string& number) const {
    return task(chosen_state(trace_, snapshot_choice(number), form()));
}

std::vector<worker::Task> Measuring::candidates(const worker::Task& task,
                                                std::vector<worker::SearchRow>& rows) {
    if (device_.architecture.empty()) return worker::tuning_candidates(task, machine_, arguments_.top);
    StatusLine status;
    const worker::CardSearch search{.architecture = device_.architecture,
                                    .device = card_description(),
                                    .top = arguments_.top,
                                    .worker = client_->command()};
    const auto found = worker::search_card(task, search, [&](const std::string& phase, int done, int total) {
        status.show(task.state + ": " + phase + ", " + std::to_string(done) + " of " + std::to_string(total));
        return true;
    });
    if (!found) throw NoDevice(found.failure().message.str());
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

// If waiting fails, nothing is said here: the next measurement fails for the same reason and says so.
void Measuring::wait_for_calm() {
    if (waited_) return;
    waited_ = true;
    watch("waiting until others leave the machine alone (--wait 0: do not)");
    if (arguments_.wait > 0) session_->wait_for_calm(arguments_.on, arguments_.wait);
    status_.reset();
}

worker::Session::Raced Measuring::race(const std::vector<worker::Task>& tasks) {
    wait_for_calm();
    watch("preparing");
    worker::Session::Raced raced = session_->race(tasks, [&](std::size_t task) {
        watch(tasks[task].state + ", blocks " + std::to_string(task + 1) + " of " +
              std::to_string(tasks.size()));
    });
    status_.reset();
    return raced;
}

Record Measuring::run(const worker::Task& task, const std::string& what) {
    wait_for_calm();
    watch(what);
    Record record = session_->run(task);
    status_.reset();
    return record;
}

worker::Session::Pair Measuring::compare(const worker::Task& a, const worker::Task& b,
                                         const std::string& what) {
    wait_for_calm();
    watch(what);
    worker::Session::Pair pair = session_->compare(a, b);
    status_.reset();
    return pair;
}

int Measuring::finish(const std::vector<Record>& records) const {
    if (session_->file_problem())
        std::cerr << "blockscope-cli: " << harmless_name(to_string(*session_->file_problem())) << '\n';
    say_failures(records);
    int failed = 0;
    int timeouts = 0;
    bool mismatch = false;
    for (const Record& record : records) {
        if (record.fallback) {
            ++failed;
            mismatch = mismatch || record.fallback->failure.cls == FailureClass::Mismatch;
        }
        if (!record.failure) continue;
        ++failed;
        timeouts += record.failure->cls == FailureClass::Timeout ? 1 : 0;
        mismatch = mismatch || record.failure->cls == FailureClass::Mismatch ||
                   record.failure->cls == FailureClass::Overflow;
    }
    if (mismatch) return kMismatch;
    if (failed == 0) return session_->file_problem() ? kPartial : kFine;
    return timeouts == static_cast<int>(records.size()) ? kTimeout : kPartial;
}

// ---- The options of the commands that measure.

namespace {

// What runs, and how.
std::vector<Option> execution_of_tasks(MeasureArguments& to) {
    return {
        set_option(to.sizes),
        {.names = "--type",
         .argument = "T",
         .help = "of the inputs: f32 (default), bf16, or on a card any; tf32 is f32 with products by tensor "
                 "cores; sums are float32",
         .to = &to.type,
         .choices = type_names()},
        {.names = "--unsafe",
         .help = "the states themselves, not their numerically safe forms, which are built",
         .to = &to.unsafe},
        {.names = "--target",
         .argument = "T",
         .help = "on a card: kernels for this target (codegen has them all) instead of the card's own",
         .to = &to.target,
         .offered = target_names},
        {.names = "--block-threads",
         .argument = "N",
         .help = "on a card: threads of a thread block",
         .to = &to.block_threads,
         .check = whole_between(64, 1024)},
        {.names = "--stages",
         .argument = "N",
         .help = "on a card: stages of tiles that are copied ahead, at most",
         .to = &to.stages,
         .check = whole_between(1, 8)},
        {.names = "--threads",
         .argument = "N",
         .help = "on a processor: how many (default: all cores)",
         .to = &to.threads,
         .check = whole_between(1, 4096)}};
}

// How often, and where the results go.
std::vector<Option> sampling_options(MeasureArguments& to) {
    return {{.names = "--seed",
             .argument = "S",
             .help = "of the random inputs (default 1)",
             .to = &to.seed,
             .check = seed_number()},
            {.names = "--range",
             .argument = "R",
             .help = "random inputs lie in [-R, R] (default 1): smaller ones keep f16 from overflowing",
             .to = &to.range,
             .check = above_zero()},
            {.names = "--samples",
             .argument = "N",
             .help = "at least so many (default 25)",
             .to = &to.plan.samples,
             .check = whole_between(1, 1'000'000)},
            {.names = "--seconds",
             .argument = "S",
             .help = "and at least so long (default 0.3)",
             .to = &to.plan.seconds,
             .check = not_below_zero()},
            {.names = "--cap",
             .argument = "S",
             .help = "but no longer than so long (default 20 s)",
             .to = &to.plan.cap_seconds,
             .check = above_zero()},
            wait_option(to.wait),
            {.names = "--results",
             .argument = "OUT",
             .help = "append to this file (default $XDG_DATA_HOME/blockscope/results.jsonl)",
             .to = &to.results,
             .completion = Completion::Files},
            {.names = "--no-results", .help = "append to no file", .to = &to.no_results}};
}

}  // namespace

std::vector<Option> machine_options(std::string& on, std::string& host) {
    return {{.names = "--on",
             .argument = "DEVICE",
             .help = "the device: cpu (default), or a card: cuda0, cuda1, ...",
             .to = &on,
             .offered =
                 [] {
                     return std::vector<std::string>{"cpu", "cuda0"};
                 }},
            {.names = "--host",
             .argument = "HOST",
             .help = "measure on another machine: ssh HOST blockscope-cli worker",
             .to = &host,
             .check = not_empty(),
             .completion = Completion::Hosts}};
}

Option wait_option(double& seconds) {
    return {
        .names = "--wait",
        .argument = "S",
        .help = "wait at most so long until others leave the machine alone (default 20 s; 0: do not wait)",
        .to = &seconds,
        .check = not_below_zero()};
}

std::vector<Option> table_options(bool& csv, bool& json, const std::string& csv_help) {
    return {{.names = "--csv", .help = csv_help, .to = &csv, .excludes = {"--json"}}, json_option(json)};
}

std::vector<Option> measure_options(MeasureArguments& arguments) {
    std::vector<Option> all =
        joined({file_option(arguments.file)}, machine_options(arguments.on, arguments.host));
    all = joined(all, rule_set_options(arguments.rules));
    all = joined(joined(all, {form_option(arguments.loops)}), execution_of_tasks(arguments));
    all = joined(all, sampling_options(arguments));
    return joined(all, table_options(arguments.csv, arguments.json, "print comma-separated values"));
}

std::vector<Option> measured_states(MeasureArguments& arguments, const std::string& snapshots) {
    Option objective =
        objective_option(arguments.objective,
                         "what the best state has least of (default time: as predicted for where it runs)");
    objective.excludes = {"--snapshot", "--step"};
    return {{.names = "--snapshot",
             .argument = "K",
             .help = snapshots + "; 0 is the initial block program",
             .to = &arguments.snapshot,
             .offered =
                 [] {
                     return std::vector<std::string>{"all", "last"};
                 }},
            {.names = "--step",
             .argument = "N",
             .help = "the state after step N instead",
             .to = &arguments.step,
             .excludes = {"--snapshot"}},
            state_option(arguments.state),
            objective};
}

Option no_cold_option(MeasureArguments& arguments) {
    return {.names = "--no-cold", .help = "only with warm caches", .to = &arguments.no_cold};
}

namespace {

int parts_of(const worker::BuildPlan& plan) {
    int most = 1;
    for (const auto& [node, parts] : plan.setting.parts) most = std::max(most, parts.parts);
    return most;
}

Json choices_json(const worker::PredictedSearch& found, const std::vector<ChosenState>& states) {
    Json all = json::Array{};
    for (const worker::PredictedChoice& choice : found.best)
        all.push_back({{"state", states[choice.state].name},
                       {"blocks", worker::short_blocks(choice.dims)},
                       {"options", worker::set_options(choice.dims)},
                       {"seconds", choice.prediction.seconds},
                       {"binds", choice.prediction.binding},
                       {"sentence", choice.prediction.sentence.str()},
                       {"parts", parts_of(choice.plan)},
                       {"target", choice.plan.target}});
    return all;
}

void print_choices(const worker::PredictedSearch& found, const std::vector<ChosenState>& states,
                   const Device& device, const Style& style) {
    const Form form = actual_form(states.front().state);
    std::cout << style(Tone::Bold, "predicted on " + device.title + ", of the " + form_title(form)) << '\n';
    std::vector<Row> rows = {{"state", "blocks", "time", "binds", "parts", "built for"}};
    for (const worker::PredictedChoice& choice : found.best)
        rows.push_back({states[choice.state].name, worker::short_blocks(choice.dims),
                        seconds_text(choice.prediction.seconds), choice.prediction.binding,
                        std::to_string(parts_of(choice.plan)),
                        choice.plan.target.empty() ? "-" : choice.plan.target});
    print_table(rows, Align::Right, style);
    if (found.best.empty()) return;
    const worker::PredictedChoice& best = found.best.front();
    std::cout << '\n'
              << "best: " << states[best.state].name << " " << worker::set_options(best.dims) << '\n'
              << best.prediction.kernels.front().sentence.str() << '\n';
}

}  // namespace

int predict_tune(const PredictArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const Device device = chosen_device(arguments.device);
    const Trace trace = fuse_watched(resized(loaded.blocks, arguments.sizes), arguments.rules);
    Form asked;
    asked.loops = arguments.loops;
    const Form form = worker::built_form(device, asked, arguments.safe);
    std::optional<Ranking> ranking;
    std::vector<ChosenState> states;
    const Stakes stakes{.device = device, .safe = arguments.safe};
    if (arguments.step || !arguments.snapshot.empty() || !arguments.state.empty()) {
        states = chosen_states(trace,
                               {.step = arguments.step,
                                .snapshot = arguments.snapshot,
                                .state = arguments.state,
                                .device = arguments.device,
                                .safe = arguments.safe},
                               form);
    } else {
        ranking = choose(trace, {}, form, stakes).ranking;
        states = states_to_search(trace, *ranking);
    }
    const auto start = std::chrono::steady_clock::now();
    const worker::PredictedSearch found = worker::search_predicted(states, device, arguments.top);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const TimesRequest request{device, {find_time_model(kUsualModel)}, {}, arguments.safe};
    const Baselines baselines = baselines_of(loaded, State(trace.initial, form), "", request);
    std::optional<Verdict> said;
    if (!found.best.empty())
        said = verdict_on_search(found.best.front().prediction.seconds, seconds_of(baselines));
    if (arguments.json) {
        Json json = envelope("tune");
        json["file"] = display_name(arguments.file);
        json["device"] = device.name;
        json["predicted"] = true;
        json["timed_form"] = form_name(actual_form(states.front().state));
        if (ranking) json["best"] = best_json(*ranking, stakes, static_cast<int>(trace.steps.size()));
        json["considered"] = found.considered;
        json["fitting"] = found.predicted;
        json["search_seconds"] = took.count();
        json["choices"] = choices_json(found, states);
        if (said) json["verdict"] = {{"fuse", said->fuse}, {"sentence", said->sentence.str()}};
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    if (ranking)
        std::cout << "at the program's own block sizes: " << best_sentence(*ranking, stakes) << "\n\n";
    print_choices(found, states, device, style_for(STDOUT_FILENO));
    if (said) std::cout << said->sentence.str() << '\n';
    if (!not_calibrated(device).empty()) std::cout << not_calibrated(device).str() << '\n';
    std::cout << count_text(static_cast<std::int64_t>(found.considered)) << " block sizes, of which "
              << count_text(static_cast<std::int64_t>(found.predicted)) << " fit, in "
              << seconds_text(took.count()) << "; nothing was measured\n";
    return kFine;
}

}  // namespace blockscope::cli
