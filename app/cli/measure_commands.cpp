// blockscope-cli run, bench and tune: states of a run checked and timed, compared in turn, and tuned.
#include <unistd.h>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/measuring.h"
#include "app/cli/terminal.h"
#include "app/worker/predict.h"
#include "app/worker/session.h"
#include "core/cost/counts.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/measure/record.h"
#include "core/measure/sampling.h"

namespace blockscope::cli {

namespace {

constexpr double kSlower = 1.02;  // times the unfused program's time: less is a tie

// A state that lost at its own block sizes, measured at others.
struct OtherBlocks {
    std::size_t own;  // its record
    measure::Record record;
    std::vector<std::string> chosen;  // "N=512/512": block sizes that are others
};

double median(const measure::Record& record) {
    return record.warm ? record.warm->summary.median : 0;
}

std::vector<std::string> differing_blocks(const DimTable& own, const DimTable& other) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < own.size(); ++i)
        if (own[i].block != other[i].block)
            texts.push_back(other[i].name + "=" + std::to_string(other[i].size) + "/" +
                            std::to_string(other[i].block));
    return texts;
}

// States of processors alone: their model answers at once. The search for a card's block sizes compiles
// kernels, which is left to `tune`.
std::vector<OtherBlocks> at_other_blocks(Measuring& measuring, const std::vector<measure::Record>& records) {
    std::vector<OtherBlocks> found;
    const std::vector<worker::Task>& tasks = measuring.tasks();
    const bool has_unfused = tasks.front().state.rfind("step 0", 0) == 0 && median(records.front()) > 0;
    if (!has_unfused || !measuring.device().architecture.empty()) return found;
    const State initial(tasks.front().initial, measuring.form());
    const auto repeats = [&](const worker::Task& task) {
        const State state(task.blocks);
        return state.counts().replication(initial.counts());
    };
    for (std::size_t i = 1; i < tasks.size(); ++i) {
        const double own = repeats(tasks[i]);
        if (own <= kRepeatsWork || median(records[i]) <= kSlower * median(records.front())) continue;
        std::vector<worker::SearchRow> rows;
        const std::vector<worker::Task> all = measuring.candidates(tasks[i], rows);
        const auto better = std::find_if(all.begin() + 1, all.end(),
                                         [&](const worker::Task& task) { return repeats(task) < own; });
        if (better == all.end()) continue;
        worker::Task task = *better;
        if (tasks[i].predicted_seconds <= 0) task.predicted_seconds = 0;  // the search's guess is no model's
        const measure::Record record = measuring.run(task, task.state + ", other block sizes");
        if (median(record) <= 0) continue;  // nobody asked for it: that it failed is nobody's matter
        found.push_back({i, record, differing_blocks(tasks[i].blocks->dims, task.blocks->dims)});
    }
    return found;
}

void print_other_blocks(const std::vector<measure::Record>& records, const std::vector<OtherBlocks>& others) {
    for (const OtherBlocks& other : others) {
        std::string options;
        for (const std::string& text : other.chosen) options += " --set " + text;
        std::cout << other.record.subject.state << " takes "
                  << ratio_text(median(records[other.own]) / median(records.front()))
                  << " times as long as step 0 at these block sizes, and "
                  << ratio_text(median(other.record) / median(records.front())) << " times with" << options
                  << " (the last lines); tune tries more\n";
    }
}

int run_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    std::vector<measure::Record> records;
    for (const worker::Task& task : measuring.tasks()) records.push_back(measuring.run(task, task.state));
    const std::vector<OtherBlocks> others = at_other_blocks(measuring, records);
    std::vector<measure::Record> all = records;
    for (const OtherBlocks& other : others) all.push_back(other.record);
    if (arguments.json) {
        Json json = measurements_json("run", measuring, all);
        auto& measurements = std::get<json::Array>(json["measurements"].data);
        for (std::size_t i = 0; i < others.size(); ++i)
            measurements[records.size() + i]["instead_of"] = others[i].own;
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        print_csv(all);
    } else {
        print_records(all);
        print_best(measuring);
        print_notes(measuring);
        print_other_blocks(records, others);
        print_circumstances(measuring, all);
    }
    std::cout.flush();
    return measuring.finish(all);
}

}  // namespace

Command run_row() {
    const auto arguments = std::make_shared<MeasureArguments>();
    arguments->by_default = StatesByDefault::UnfusedAndBest;
    return {.name = "run",
            .summary = "check and time the best state of a run, or others, beside the initial block program",
            .options = joined(joined(measure_options(*arguments),
                                     measured_states(*arguments,
                                                     "all, or one: 1, 2, ..., last; by default the "
                                                     "best state and the initial block program")),
                              {no_cold_option(*arguments)}),
            .notes =
                "Each result is compared with a float64 reference before it is timed. Every measurement is "
                "kept.\n"
                "Examples:\n"
                "  blockscope-cli run samples/attention.bp\n"
                "  blockscope-cli run samples/attention.bp --snapshot 2 --set M=8192/64 --type bf16",
            .run = [arguments](const Invocation&) { return run_command(*arguments); }};
}

// ---- blockscope-cli bench: states of a run against one of them, interleaved.

namespace {

int bench_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    const worker::Task baseline = measuring.snapshot(arguments.baseline);
    std::vector<measure::Record> records;
    for (const worker::Task& task : measuring.tasks()) {
        // Under whatever name it was asked for.
        if (measure::structure_key(*task.blocks) == measure::structure_key(*baseline.blocks)) continue;
        records.push_back(measuring.compare(task, baseline, task.state + " against " + baseline.state).a);
    }
    if (records.empty())
        throw UsageError("there is nothing to compare: the only state is the baseline itself");
    if (arguments.json) {
        Json json = measurements_json("bench", measuring, records);
        json["baseline"] = baseline.state;
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        print_csv(records);
    } else {
        print_records(records);
        print_best(measuring);
        std::cout << "\nratio: time over that of " << baseline.state
                  << ", run in turn; below 1 is faster, with its 95% interval\n";
        print_notes(measuring);
        print_circumstances(measuring, records);
    }
    std::cout.flush();
    return measuring.finish(records);
}

}  // namespace

Command bench_row() {
    const auto arguments = std::make_shared<MeasureArguments>();
    const std::vector<Option> baseline = {
        {.names = "--baseline",
         .argument = "K",
         .help = "compare with snapshot K (default 0, the initial block program)",
         .to = &arguments->baseline}};
    return {.name = "bench",
            .summary = "compare the states of a run with one of them, run by run",
            .options = joined(joined(measure_options(*arguments),
                                     measured_states(*arguments, "all (default), or one: 1, 2, ..., last")),
                              baseline),
            .notes =
                "The two programs run in turn, so that whatever disturbs the machine disturbs both; a ratio "
                "below 1 is faster than the baseline.\n"
                "Examples:\n"
                "  blockscope-cli bench samples/attention.bp\n"
                "  blockscope-cli bench samples/attention.bp --snapshot 2 --baseline 1 --json",
            .run = [arguments](const Invocation&) { return bench_command(*arguments); }};
}

// ---- blockscope-cli tune: block sizes that the model likes, measured.

namespace {

// "--set M=4096/64 --set N=4096/256": the options that choose these block sizes.
std::string options_of(const worker::Task& task) {
    std::string text = worker::set_options(task.blocks->dims);
    if (task.options.block_threads > 0)
        text += " --block-threads " + std::to_string(task.options.block_threads);
    if (task.options.stages > 0) text += " --stages " + std::to_string(task.options.stages);
    return text;
}

// What the search for a card's block sizes found before anything was measured.
Json searched_json(const std::vector<worker::SearchRow>& rows) {
    Json all = json::Array{};
    for (const worker::SearchRow& row : rows) {
        Json json = {{"blocks", worker::short_blocks(row.dims)},
                     {"predicted_seconds", row.predicted_seconds}};
        if (row.threads > 0) json["threads"] = row.threads;
        if (row.stages > 0) json["stages"] = row.stages;
        if (row.compiled) {
            json["registers"] = row.registers;
            json["spilled_bytes"] = row.spilled_bytes;
            json["shared_bytes"] = row.shared_bytes;
            json["thread_blocks_at_once"] = row.resident;
        }
        if (!row.refused.empty()) json["refused"] = row.refused;
        all.push_back(std::move(json));
    }
    return all;
}

void print_searched(const std::vector<worker::SearchRow>& rows) {
    if (rows.empty()) return;
    std::vector<Row> table = {
        {"blocks", "threads", "stages", "registers", "spilled", "shared memory", "at once", "predicted"}};
    for (const worker::SearchRow& row : rows) {
        if (!row.refused.empty()) continue;
        const auto said = [&](int number) {
            return row.compiled ? std::to_string(number) : std::string("-");
        };
        table.push_back({worker::short_blocks(row.dims), std::to_string(row.threads),
                         std::to_string(row.stages), said(row.registers), said(row.spilled_bytes),
                         said(row.shared_bytes), said(row.resident), seconds_text(row.predicted_seconds)});
    }
    std::cout << '\n';
    print_table(table, Align::Right, style_for(STDOUT_FILENO));
    for (const worker::SearchRow& row : rows)
        if (!row.refused.empty()) std::cout << worker::short_blocks(row.dims) << ": " << row.refused << '\n';
}

void print_verdict(const worker::Session::Raced& raced, const std::vector<worker::Task>& tasks) {
    if (!raced.best) return;
    std::cout << "\nfastest: " << options_of(tasks[*raced.best]) << '\n';
    for (const std::size_t tie : raced.ties)
        std::cout << "not different from it: " << options_of(tasks[tie]) << '\n';
    if (!raced.in_turns)
        std::cout
            << "a program broke the worker: each was timed alone, one after the other, and the machine may "
               "have been another for each\n";
}

int tune_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    std::vector<worker::SearchRow> rows;
    std::vector<worker::Task> all;
    for (const worker::Task& task : measuring.tasks()) {
        const std::vector<worker::Task> more = measuring.candidates(task, rows);
        all.insert(all.end(), more.begin(), more.end());
    }
    const worker::Session::Raced raced = measuring.race(all);
    const std::vector<measure::Record>& records = raced.records;
    if (arguments.json) {
        Json json = measurements_json("tune", measuring, records);
        if (raced.best) json["best"] = *raced.best;
        json["ties"] = json::Array{};
        for (const std::size_t tie : raced.ties) json["ties"].push_back(tie);
        json["in_turns"] = raced.in_turns;
        if (!rows.empty()) json["search"] = searched_json(rows);
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        print_csv(records);
    } else {
        print_records(records);
        print_best(measuring);
        print_searched(rows);
        print_verdict(raced, all);
        print_circumstances(measuring, records);
    }
    std::cout.flush();
    return measuring.finish(records);
}

// For a described device; nothing is measured.
int predict_tune(const MeasureArguments& arguments) {
    PredictArguments wanted;
    wanted.file = arguments.file;
    wanted.device = arguments.device.empty() ? usual_device() : arguments.device;
    wanted.step = arguments.step;
    wanted.snapshot = arguments.snapshot;
    wanted.safe = !arguments.unsafe;
    wanted.state = arguments.state;
    wanted.sizes = arguments.sizes;
    wanted.rules = arguments.rules.set();
    wanted.loops = arguments.loops;
    wanted.top = arguments.top;
    wanted.json = arguments.json;
    return predict_tune(wanted);
}

}  // namespace

Command tune_row() {
    const auto arguments = std::make_shared<MeasureArguments>();
    arguments->by_default = StatesByDefault::Best;
    const Option top = {.names = "--top",
                        .argument = "N",
                        .help = "measure so many of the model's favourites (default 8)",
                        .to = &arguments->top,
                        .check = whole_between(1, 1000)};
    const Option predict = {
        .names = "--predict",
        .help =
            "by the model alone, for a device that need not be there (--device): block "
            "sizes, and parts of reductions, of the best state, the snapshots and step 0, or of those that "
            "--snapshot or --state names",
        .to = &arguments->predict};
    return {
        .name = "tune",
        .summary = "search for the best block sizes of a state",
        .options = joined(
            joined(measure_options(*arguments),
                   measured_states(*arguments, "all, or one: 1, 2, ..., last; by default the best state")),
            {no_cold_option(*arguments), top, predict,
             device_option(arguments->device,
                           "predict for this device: a name that `devices` lists, or a description's "
                           "file; by default this machine if it is calibrated, else h100-sxm5")}),
        .notes =
            "They run in turns, round by round; what is clearly slower than the fastest leaves. Ratios "
            "are those "
            "of the rounds. Every measurement is kept.\n"
            "Examples:\n"
            "  blockscope-cli tune samples/attention.bp --set M=2048 --set N=2048\n"
            "  blockscope-cli tune samples/attention.bp --predict --device h100-sxm5",
        .run = [arguments](const Invocation&) {
            return arguments->predict ? predict_tune(*arguments) : tune_command(*arguments);
        }};
}

}  // namespace blockscope::cli
