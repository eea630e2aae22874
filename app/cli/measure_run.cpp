// blockscope-cli run: states of a run, checked and timed.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/measure_report.h"
#include "app/cli/measuring.h"
#include "app/cli/quantity.h"
#include "core/cost/counts.h"
#include "core/cost/repeats.h"

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
    const Counts unfused = count(lower(*tasks.front().initial));
    const auto repeats = [&](const worker::Task& task) {
        return count(lower(*task.blocks)).replication(unfused);
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

}  // namespace

int run_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    std::vector<measure::Record> records;
    for (const worker::Task& task : measuring.tasks()) records.push_back(measuring.run(task, task.state));
    const std::vector<OtherBlocks> others = at_other_blocks(measuring, records);
    std::vector<measure::Record> all = records;
    for (const OtherBlocks& other : others) all.push_back(other.record);
    if (arguments.json) {
        Json json = measurements_json("run", measuring, all);
        for (std::size_t i = 0; i < others.size(); ++i)
            json["measurements"][records.size() + i]["instead_of"] = others[i].own;
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

}  // namespace blockscope::cli
