// Measurements as tables and CSV, and what is said below them.
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>

#include "app/cli/measuring.h"
#include "app/cli/terminal.h"
#include "core/measure/record.h"
#include "core/measure/sampling.h"

namespace blockscope::cli {

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
        return {record.subject.state,    to_string(record.failure->cls), "", "", "", "", "", "", "", "",
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
            record.fallback ? record.fallback->target : "",
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

// The first record that has a time: what the others are multiples of. Null where they ran in turn and have
// ratios of their own.
const Record* first_timed(const std::vector<Record>& records) {
    const bool in_turn =
        std::any_of(records.begin(), records.end(), [](const Record& r) { return r.against.has_value(); });
    if (in_turn) return nullptr;
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

// Whoever reads a time has to know that it is not the kernels' that suit the card best.
void print_fallbacks(const std::vector<Record>& records, const Style& style) {
    for (const Record& record : records)
        if (record.fallback)
            std::cout << style(Tone::Yellow,
                               harmless_name(record.subject.state + " ran as " + record.fallback->target +
                                             ", as the target that suits the card best failed (" +
                                             to_string(record.fallback->failure.cls) +
                                             "): " + record.fallback->failure.message.str()))
                      << '\n';
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
                              "predicted", "error", "ran as", "sizes"}};
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
    double others = 0;
    for (const Record& record : records)
        if (measure::disturbed(record.after)) others = std::max(others, *record.after.others);
    if (others > 0) std::cout << style(Tone::Yellow, measure::distrust(others).str()) << '\n';
    if (!measuring.unpredicted().empty()) std::cout << style(Tone::Dim, measuring.unpredicted()) << '\n';
    print_fallbacks(records, style);
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

void print_best(const Measuring& measuring) {
    if (measuring.best_sentence()) std::cout << '\n' << *measuring.best_sentence() << '\n';
}

void print_notes(const Measuring& measuring) {
    std::set<std::string> custom;
    find_custom(*measuring.tasks().front().initial->graph, custom);
    std::string lines;
    for (const std::string& name : custom)
        lines += "'" + name + "' is a custom operator: a stand-in runs for it, whose time means nothing\n";
    for (const worker::Task& task : measuring.tasks()) {
        const State state(task.blocks);
        const State initial(task.initial, measuring.form());  // as it was measured: safe forms do more
        lines += repeats_note(task.state, state.counts().replication(initial.counts()));
    }
    if (!lines.empty()) std::cout << '\n' << lines;
}

void print_csv(const std::vector<Record>& records) {
    std::cout
        << "state,type,device,sizes,warm_samples,warm_min,warm_q1,warm_median,warm_q3,warm_low,warm_high,"
           "cold_samples,cold_min,cold_q1,cold_median,cold_q3,cold_low,cold_high,ratio,ratio_low,"
           "ratio_high,predicted,error,failure,ran_as\n";
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
        std::cout << ',' << (record.failure ? to_string(record.failure->cls) : "") << ','
                  << (record.fallback ? record.fallback->target : "") << '\n';
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
    if (measuring.best_json()) json["best_state"] = *measuring.best_json();
    json["measurements"] = json::Array{};
    for (const Record& record : records) {
        const Json line = parsed(measure::write_record(record));
        Json kept = json::Object{};
        for (const json::Member& member : std::get<json::Object>(line.data)) {
            if (member.key == "machine") json["machine"] = member.value;
            if (member.key == "format" || member.key == "version" || member.key == "machine") continue;
            kept[member.key] = member.value;
        }
        kept["trusted"] = !measure::disturbed(record.after);
        json["measurements"].push_back(std::move(kept));
    }
    return json;
}

}  // namespace blockscope::cli
