#include "app/cli/measure_report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/terminal.h"
#include "core/cost/counts.h"
#include "core/measure/results_file.h"

namespace blockscope::cli {
namespace {

using measure::Record;
using measure::Timing;
using Row = std::vector<std::string>;

std::string number(double value, const char* format) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

constexpr double kRepeats = 1.1;  // times the unfused program's operations, from which on it is said

void find_custom(const Graph& graph, std::set<std::string>& names) {
    for (const NodePtr& node : graph.nodes()) {
        if (const Misc* misc = node->as<Misc>(); misc && misc->name != "transpose") names.insert(misc->name);
        if (const Map* map = node->as<Map>()) find_custom(*map->body, names);
    }
}

std::string interval_text(const Timing& timing) {
    return time_text(timing.summary.interval.low) + " .. " + time_text(timing.summary.interval.high);
}

// "1.00", relative to the first record that has a time; with an interval if the two ran in turn.
std::string ratio_cell(const Record& record, const Record* first) {
    if (record.against) {
        const measure::Ratio& ratio = record.against->ratio;
        return number(ratio.median, "%.3f") + " [" + number(ratio.interval.low, "%.3f") + ", " +
               number(ratio.interval.high, "%.3f") + "]" + (ratio.tie() ? " tie" : "");
    }
    if (!first || !record.warm) return {};
    return number(record.warm->summary.median / first->warm->summary.median, "%.2f");
}

std::string blocks_of(const Record& record) {
    std::string text;
    for (const Dim& dim : record.subject.dims)
        text += (text.empty() ? "" : " ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                std::to_string(dim.block);
    return text;
}

Row row_of(const Record& record, const Record* first) {
    if (record.failure)
        return {record.subject.state, to_string(record.failure->cls), "", "", "", "", "", "", "",
                blocks_of(record)};
    const Timing& warm = record.warm ? *record.warm : *record.cold;
    return {record.subject.state,
            record.warm ? time_text(warm.summary.median) : "",
            record.warm ? interval_text(warm) : "",
            record.warm ? time_text(warm.summary.min) : "",
            std::to_string(warm.summary.count) + (warm.capped ? " (cap)" : ""),
            record.cold ? time_text(record.cold->summary.median) : "",
            ratio_cell(record, first),
            record.predicted_seconds ? time_text(*record.predicted_seconds) : "",
            record.check ? number(record.check->error, "%.1e") : "",
            blocks_of(record)};
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

void print_rows(const std::vector<Row>& rows) {
    const Style style = style_for(STDOUT_FILENO);
    std::vector<int> widths(rows[0].size(), 0);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = pad(rows[r][0], widths[0]);
        for (std::size_t i = 1; i < rows[r].size(); ++i) line += "  " + pad_left(rows[r][i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        std::cout << style(r == 0 ? Tone::Dim : Tone::Plain, line) << '\n';
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

}  // namespace

std::string time_text(double seconds) {
    static constexpr const char* kUnits[] = {"s", "ms", "µs", "ns"};
    std::size_t unit = 0;
    while (seconds < 1 && seconds > 0 && unit < 3) {
        seconds *= 1000;
        ++unit;
    }
    return number(seconds, seconds < 10 ? "%.2f " : seconds < 100 ? "%.1f " : "%.0f ") + kUnits[unit];
}

void print_records(const std::vector<Record>& records) {
    const auto first =
        std::find_if(records.begin(), records.end(), [](const Record& r) { return r.warm.has_value(); });
    const Record* base = first == records.end() ? nullptr : &*first;
    std::vector<Row> rows = {{"state", "median", "95% interval", "least", "samples", "cold", "ratio",
                              "predicted", "error", "sizes"}};
    for (const Record& record : records) rows.push_back(row_of(record, base));
    if (same_sizes(records))
        for (Row& row : rows) row.pop_back();
    drop_empty_columns(rows);
    print_rows(rows);
}

// Other than those of all cores.
std::string threads_of(const Measuring& measuring) {
    const int threads = measuring.tasks().front().options.threads;
    if (threads == 0 || threads == measuring.machine().cores) return "";
    return ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

void print_circumstances(const Measuring& measuring, const std::vector<Record>& records) {
    const Style style = style_for(STDOUT_FILENO);
    const measure::Machine& machine = measuring.machine();
    const measure::BackendInfo& device = measuring.device();
    const bool card = !device.architecture.empty();
    std::string line = records.front().subject.elem + " on " + (card ? device.model : machine.cpu) + ", " +
                       (card ? device.architecture + " in " + machine.host
                             : std::to_string(machine.cores) + (machine.cores == 1 ? " core" : " cores")) +
                       threads_of(measuring) + ", load " + number(records.back().after.load, "%.2f");
    if (records.back().after.clock_ghz > 0 && !card)
        line += ", " + number(records.back().after.clock_ghz, "%.2f GHz");
    std::cout << '\n' << style(Tone::Dim, line) << '\n';
    if (same_sizes(records)) std::cout << style(Tone::Dim, "sizes: " + blocks_of(records.front())) << '\n';
    const auto checked =
        std::find_if(records.begin(), records.end(), [](const Record& r) { return r.check.has_value(); });
    if (checked != records.end()) std::cout << style(Tone::Dim, "checked: " + checked->check->how) << '\n';
    if (!measuring.results_file().empty())
        std::cout << style(Tone::Dim, "kept in " + measuring.results_file()) << '\n';
}

void print_notes(const Measuring& measuring) {
    std::set<std::string> custom;
    find_custom(*measuring.tasks().front().initial->graph, custom);
    std::string lines;
    for (const std::string& name : custom)
        lines += "'" + name + "' is a custom operator: a stand-in runs for it, whose time means nothing\n";
    for (const worker::Task& task : measuring.tasks()) {
        const Counts unfused = count(lower(*task.initial));
        const double times = count(lower(*task.blocks)).replication(unfused);
        if (times > kRepeats)
            lines += task.state + " does " + number(times, "%.1f") +
                     " times the operations of step 0 at these block sizes; tune looks for better ones\n";
    }
    if (!lines.empty()) std::cout << '\n' << lines;
}

void print_csv(const std::vector<Record>& records) {
    std::cout
        << "state,type,device,sizes,warm_samples,warm_min,warm_q1,warm_median,warm_q3,warm_low,warm_high,"
           "cold_samples,cold_min,cold_q1,cold_median,cold_q3,cold_low,cold_high,ratio,ratio_low,"
           "ratio_high,predicted,error,failure\n";
    std::cout.precision(9);
    for (const Record& record : records) {
        std::cout << '"' << record.subject.state << "\"," << record.subject.elem << ','
                  << record.subject.device << ',' << blocks_of(record);
        csv_timing(record.warm);
        csv_timing(record.cold);
        if (record.against) {
            const measure::Ratio& ratio = record.against->ratio;
            std::cout << ',' << ratio.median << ',' << ratio.interval.low << ',' << ratio.interval.high;
        } else {
            std::cout << ",,,";
        }
        std::cout << ',';
        if (record.predicted_seconds) std::cout << *record.predicted_seconds;
        std::cout << ',';
        if (record.check) std::cout << record.check->error;
        std::cout << ',' << (record.failure ? to_string(record.failure->cls) : "") << '\n';
    }
}

Json measurements_json(const std::string& command, const Measuring& measuring,
                       const std::vector<Record>& records) {
    Json json = envelope(command);
    json["file"] = measuring.file_name();
    json["results"] = measuring.results_file();
    json["machine"] = Json::object();
    json["measurements"] = Json::array();
    for (const Record& record : records) {
        Json each = Json::parse(measure::write_record(record));
        json["machine"] = each["machine"];
        for (const char* key : {"format", "version", "machine"}) each.erase(key);
        json["measurements"].push_back(std::move(each));
    }
    return json;
}

}  // namespace blockscope::cli
