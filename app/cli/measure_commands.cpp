// blockscope-cli run, bench and tune: states of a run checked and timed, compared in turn, and tuned.
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>

#include "app/cli/failures.h"
#include "app/cli/measuring.h"
#include "app/cli/quantity.h"
#include "app/cli/terminal.h"
#include "app/worker/session.h"
#include "core/cost/counts.h"
#include "core/cost/models/model.h"
#include "core/measure/results_file.h"

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

// A processor's model takes no time to ask; the search for a card's block sizes compiles kernels: that is
// tune's.
std::vector<OtherBlocks> at_other_blocks(Measuring& measuring, const std::vector<measure::Record>& records) {
    std::vector<OtherBlocks> found;
    const std::vector<worker::Task>& tasks = measuring.tasks();
    const bool has_unfused = tasks.front().state.rfind("step 0", 0) == 0 && median(records.front()) > 0;
    if (!has_unfused || !measuring.device().architecture.empty()) return found;
    const State initial(tasks.front().initial);
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
    return {.name = "run",
            .summary = "check and time the states of a run",
            .options = joined(joined(measure_options(*arguments),
                                     measured_states(*arguments, "all (default), or one: 1, 2, ...")),
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
        if (task.state == baseline.state) continue;
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
    const std::vector<Option> baseline = {{.names = "--baseline",
                                           .argument = "K",
                                           .help = "compare with snapshot K (default 0, the unfused program)",
                                           .to = &arguments->baseline}};
    return {.name = "bench",
            .summary = "compare the states of a run with one of them, run by run",
            .options = joined(joined(measure_options(*arguments),
                                     measured_states(*arguments, "all (default), or one: 1, 2, ...")),
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

// "M/64 N/256".
std::string block_sizes(const worker::SearchRow& row) {
    std::string text;
    for (const Dim& dim : row.dims)
        if (dim.kind == DimKind::Blocked)
            text += (text.empty() ? "" : " ") + dim.name + "/" + std::to_string(dim.block);
    return text;
}

// "--set M=4096/64 --set N=4096/256": the options that choose these block sizes.
std::string options_of(const worker::Task& task) {
    std::string text;
    for (const Dim& dim : task.blocks->dims)
        text += (text.empty() ? "--set " : " --set ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                std::to_string(dim.block);
    if (task.options.block_threads > 0)
        text += " --block-threads " + std::to_string(task.options.block_threads);
    if (task.options.stages > 0) text += " --stages " + std::to_string(task.options.stages);
    return text;
}

// What the search for a card's block sizes found before anything was measured.
Json searched_json(const std::vector<worker::SearchRow>& rows) {
    Json all = json::Array{};
    for (const worker::SearchRow& row : rows) {
        Json json = {{"blocks", block_sizes(row)}, {"predicted_seconds", row.predicted_seconds}};
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
        table.push_back({block_sizes(row), std::to_string(row.threads), std::to_string(row.stages),
                         said(row.registers), said(row.spilled_bytes), said(row.shared_bytes),
                         said(row.resident), seconds_text(row.predicted_seconds)});
    }
    std::cout << '\n';
    print_table(table, Align::Right, style_for(STDOUT_FILENO));
    for (const worker::SearchRow& row : rows)
        if (!row.refused.empty()) std::cout << block_sizes(row) << ": " << row.refused << '\n';
}

int tune_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    std::vector<measure::Record> records;
    std::vector<worker::SearchRow> rows;
    std::vector<worker::Task> ran;
    for (const worker::Task& task : measuring.tasks()) {
        const std::vector<worker::Task> all = measuring.candidates(task, rows);
        for (std::size_t i = 0; i < all.size(); ++i)
            records.push_back(measuring.run(all[i], task.state + ", blocks " + std::to_string(i + 1) +
                                                        " of " + std::to_string(all.size())));
        ran.insert(ran.end(), all.begin(), all.end());
    }
    const measure::Record* best = worker::fastest(records);
    if (arguments.json) {
        Json json = measurements_json("tune", measuring, records);
        if (best) json["best"] = best - records.data();
        if (!rows.empty()) json["search"] = searched_json(rows);
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        print_csv(records);
    } else {
        print_records(records);
        print_searched(rows);
        if (best)
            std::cout << "\nfastest: " << options_of(ran.at(static_cast<std::size_t>(best - records.data())))
                      << '\n';
        print_circumstances(measuring, records);
    }
    std::cout.flush();
    return measuring.finish(records);
}

}  // namespace

Command tune_row() {
    const auto arguments = std::make_shared<MeasureArguments>();
    arguments->snapshot = "last";
    const Option top = {.names = "--top",
                        .argument = "N",
                        .help = "measure so many of the model's favourites (default 8)",
                        .to = &arguments->top,
                        .check = whole_between(1, 1000)};
    return {.name = "tune",
            .summary = "search for the best block sizes of a snapshot",
            .options = joined(joined(measure_options(*arguments),
                                     measured_states(*arguments, "last (default), all, or one: 1, 2, ...")),
                              {no_cold_option(*arguments), top}),
            .notes =
                "Every measurement is kept.\n"
                "Example:\n  blockscope-cli tune samples/attention.bp --set M=2048 --set N=2048",
            .run = [arguments](const Invocation&) { return tune_command(*arguments); }};
}

namespace {

using measure::Record;
using measure::Timing;

std::string formatted(double value, const char* format) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

void find_custom(const Graph& graph, std::set<std::string>& names) {
    for (const NodePtr& node : graph.nodes()) {
        if (const Misc* misc = node->as<Misc>(); misc && misc->name != "transpose") names.insert(misc->name);
        if (const Map* map = node->as<Map>()) find_custom(*map->body, names);
    }
}

std::string interval_text(const Timing& timing) {
    return time_text(timing.summary.interval.low) + " .. " + time_text(timing.summary.interval.high);
}

// How many, and what is unusual about them.
std::string samples_text(const Timing& timing) {
    const measure::Course& course = timing.course;
    return std::to_string(timing.summary.count) +
           (timing.runs > 1 ? " of " + std::to_string(timing.runs) + " runs" : "") +
           (course.capped ? " (cap)" : "") + (course.slow ? " (slow clock)" : "");
}

// "1.00", relative to the first record that has a time; with an interval if the two ran in turn.
std::string ratio_cell(const Record& record, const Record* first) {
    if (record.against) {
        const measure::Ratio& ratio = record.against->ratio;
        return formatted(ratio.median, "%.3f") + " [" + formatted(ratio.interval.low, "%.3f") + ", " +
               formatted(ratio.interval.high, "%.3f") + "]" + (ratio.tie() ? " tie" : "");
    }
    if (!first || !record.warm) return {};
    return formatted(record.warm->summary.median / first->warm->summary.median, "%.2f");
}

std::string sizes_and_blocks(const Record& record) {
    std::string text;
    for (const Dim& dim : record.subject.dims)
        text += (text.empty() ? "" : " ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                std::to_string(dim.block);
    return text;
}

Row record_row(const Record& record, const Record* first) {
    if (record.failure)
        return {record.subject.state,    to_string(record.failure->cls), "", "", "", "", "", "", "",
                sizes_and_blocks(record)};
    const Timing& warm = record.warm ? *record.warm : *record.cold;
    return {record.subject.state,
            record.warm ? time_text(warm.summary.median) : "",
            record.warm ? interval_text(warm) : "",
            record.warm ? time_text(warm.summary.min) : "",
            samples_text(warm),
            record.cold ? time_text(record.cold->summary.median) : "",
            ratio_cell(record, first),
            record.predicted_seconds ? time_text(*record.predicted_seconds) : "",
            record.check ? formatted(record.check->error, "%.1e") : "",
            sizes_and_blocks(record)};
}

bool same_sizes(const std::vector<Record>& records) {
    return std::all_of(records.begin(), records.end(), [&](const Record& record) {
        return record.subject.dims == records.front().subject.dims;
    });
}

void drop_empty_columns(std::vector<Row>& rows) {
    for (std::size_t column = rows[0].size(); column-- > 1;) {
        const bool filled = std::any_of(rows.begin() + 1, rows.end(),
                                        [column](const Row& row) { return !row[column].empty(); });
        if (filled) continue;
        for (Row& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
}

void csv_timing(const std::optional<Timing>& timing) {
    if (!timing) {
        std::cout << ",,,,,,,";
        return;
    }
    const measure::Summary& s = timing->summary;
    std::cout << ',' << s.count << ',' << s.min << ',' << s.q1 << ',' << s.median << ',' << s.q3 << ','
              << s.interval.low << ',' << s.interval.high;
}

// One failure, and how often each state had it.
struct SharedFailure {
    const measure::Failure* failure;
    std::vector<std::pair<std::string, int>> states;

    bool is(const measure::Failure& other) const {
        return failure->message == other.message && failure->log == other.log;
    }
    // "step 0, snapshot 2 (9 times)".
    std::string names() const {
        std::string text;
        for (const auto& [state, times] : states)
            text += (text.empty() ? "" : ", ") + state +
                    (times > 1 ? " (" + std::to_string(times) + " times)" : "");
        return text;
    }
};

// The first record that has a time: what the others are multiples of.
const Record* first_timed(const std::vector<Record>& records) {
    const auto first =
        std::find_if(records.begin(), records.end(), [](const Record& r) { return r.warm.has_value(); });
    return first == records.end() ? nullptr : &*first;
}

// With its interval where two ran in turn.
void csv_ratio(const Record& record, const Record* first) {
    std::cout << ',';
    if (record.against) {
        const measure::Ratio& ratio = record.against->ratio;
        std::cout << ratio.median << ',' << ratio.interval.low << ',' << ratio.interval.high;
        return;
    }
    if (first && record.warm) std::cout << record.warm->summary.median / first->warm->summary.median;
    std::cout << ",,";
}

// Of devices that tell their clock: what it was, what did not count, and what of the times is nothing.
void print_course(const std::vector<Record>& records, const Style& style) {
    double low = 0, high = 0, empty = 0;
    int discarded = 0;
    for (const Record& record : records)
        for (const std::optional<Timing>* timing : {&record.warm, &record.cold}) {
            if (!*timing || (*timing)->course.clock_hz <= 0) continue;
            const double clock = (*timing)->course.clock_hz;
            low = low == 0 ? clock : std::min(low, clock);
            high = std::max(high, clock);
            discarded += (*timing)->course.discarded;
            empty = std::max(empty, (*timing)->empty_seconds);
        }
    if (high == 0) return;
    std::string line = "clock " + formatted(low / 1e9, "%.2f");
    if (formatted(high / 1e9, "%.2f") != formatted(low / 1e9, "%.2f"))
        line += " to " + formatted(high / 1e9, "%.2f");
    line += " GHz while it worked";
    if (discarded > 0)
        line +=
            ", " + std::to_string(discarded) + " samples at less than three quarters of its best left out";
    if (empty > 0) line += "; an empty kernel takes " + time_text(empty) + " between the same events";
    std::cout << style(Tone::Dim, line) << '\n';
}

}  // namespace

std::string time_text(double seconds) {
    static constexpr const char* kUnits[] = {"s", "ms", "µs", "ns"};
    std::size_t unit = 0;
    while (seconds < 1 && seconds > 0 && unit < 3) {
        seconds *= 1000;
        ++unit;
    }
    return formatted(seconds, seconds < 10 ? "%.2f " : seconds < 100 ? "%.1f " : "%.0f ") + kUnits[unit];
}

void print_records(const std::vector<Record>& records) {
    const Record* first = first_timed(records);
    std::vector<Row> rows = {{"state", "median", "95% interval", "least", "samples", "cold", "ratio",
                              "predicted", "error", "sizes"}};
    for (const Record& record : records) rows.push_back(record_row(record, first));
    if (same_sizes(records))
        for (Row& row : rows) row.pop_back();
    drop_empty_columns(rows);
    print_table(rows, Align::Right, style_for(STDOUT_FILENO));
}

void print_circumstances(const Measuring& measuring, const std::vector<Record>& records) {
    const Style style = style_for(STDOUT_FILENO);
    const measure::Machine& machine = measuring.machine();
    const measure::BackendInfo& device = measuring.device();
    const bool card = !device.architecture.empty();
    const int threads = records.front().subject.threads;
    const std::string cores = std::to_string(machine.cores) + (machine.cores == 1 ? " core" : " cores");
    const std::string used =
        threads == 0 ? cores
                     : std::to_string(threads) + (threads == 1 ? " thread on " : " threads on ") + cores;
    std::string line = records.front().subject.elem + " on " + (card ? device.model : machine.cpu) + ", " +
                       (card ? device.architecture + " in " + machine.host : used) + ", load " +
                       formatted(records.back().after.load, "%.2f");
    if (records.back().after.clock_ghz > 0 && !card)
        line += ", " + formatted(records.back().after.clock_ghz, "%.2f GHz");
    std::cout << '\n' << style(Tone::Dim, harmless_name(line)) << '\n';
    print_course(records, style);
    if (same_sizes(records))
        std::cout << style(Tone::Dim, "sizes: " + sizes_and_blocks(records.front())) << '\n';
    const auto checked =
        std::find_if(records.begin(), records.end(), [](const Record& r) { return r.check.has_value(); });
    if (checked != records.end())
        std::cout << style(Tone::Dim, "checked: " + harmless_name(checked->check->how)) << '\n';
    if (measuring.kept())
        std::cout << style(Tone::Dim, "kept in " + harmless_name(measuring.results_file())) << '\n';
}

void print_notes(const Measuring& measuring) {
    std::set<std::string> custom;
    find_custom(*measuring.tasks().front().initial->graph, custom);
    std::string lines;
    for (const std::string& name : custom)
        lines += "'" + name + "' is a custom operator: a stand-in runs for it, whose time means nothing\n";
    for (const worker::Task& task : measuring.tasks()) {
        const State state(task.blocks), initial(task.initial);
        lines += repeats_note(task.state, state.counts().replication(initial.counts()));
    }
    if (!lines.empty()) std::cout << '\n' << lines;
}

void print_csv(const std::vector<Record>& records) {
    std::cout
        << "state,type,device,sizes,warm_samples,warm_min,warm_q1,warm_median,warm_q3,warm_low,warm_high,"
           "cold_samples,cold_min,cold_q1,cold_median,cold_q3,cold_low,cold_high,ratio,ratio_low,"
           "ratio_high,predicted,error,failure\n";
    std::cout.precision(9);
    const Record* first = first_timed(records);
    for (const Record& record : records) {
        std::cout << '"' << record.subject.state << "\"," << record.subject.elem << ','
                  << record.subject.device << ',' << sizes_and_blocks(record);
        csv_timing(record.warm);
        csv_timing(record.cold);
        csv_ratio(record, first);
        std::cout << ',';
        if (record.predicted_seconds) std::cout << *record.predicted_seconds;
        std::cout << ',';
        if (record.check) std::cout << record.check->error;
        std::cout << ',' << (record.failure ? to_string(record.failure->cls) : "") << '\n';
    }
}

void say_failures(const std::vector<Record>& records) {
    std::vector<SharedFailure> all;
    for (const Record& record : records) {
        if (!record.failure) continue;
        auto known = std::find_if(all.begin(), all.end(),
                                  [&](const SharedFailure& shared) { return shared.is(*record.failure); });
        if (known == all.end()) known = all.insert(all.end(), {&*record.failure, {}});
        auto& states = known->states;
        if (states.empty() || states.back().first != record.subject.state)
            states.emplace_back(record.subject.state, 0);
        ++states.back().second;
    }
    for (const SharedFailure& shared : all) {
        const std::string log = harmless(shared.failure->log);
        std::cerr << "blockscope-cli: " << shared.names() << ": " << harmless(shared.failure->message.str())
                  << '\n';
        if (!log.empty()) std::cerr << log << (log.back() == '\n' ? "" : "\n");
    }
}

Json measurements_json(const std::string& command, const Measuring& measuring,
                       const std::vector<Record>& records) {
    Json json = envelope(command);
    json["file"] = measuring.file_name();
    json["results"] = measuring.results_file();
    json["machine"] = json::Object{};
    json["measurements"] = json::Array{};
    for (const Record& record : records) {
        const Json line = parsed(measure::write_record(record));
        Json kept = json::Object{};
        for (const json::Member& member : std::get<json::Object>(line.data)) {
            if (member.key == "machine") json["machine"] = member.value;
            if (member.key == "format" || member.key == "version" || member.key == "machine") continue;
            kept[member.key] = member.value;
        }
        json["measurements"].push_back(std::move(kept));
    }
    return json;
}

}  // namespace blockscope::cli
