// blockscope-cli tune: block sizes that the model likes, measured.
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/measure_report.h"
#include "app/cli/measuring.h"
#include "app/cli/table.h"
#include "app/worker/tuning.h"
#include "core/cost/models/model.h"

namespace blockscope::cli {
namespace {

// "M/64 N/256".
std::string blocks_of(const worker::SearchRow& row) {
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
Json search_json(const std::vector<worker::SearchRow>& rows) {
    Json all = Json::array();
    for (const worker::SearchRow& row : rows) {
        Json json{{"blocks", blocks_of(row)}, {"predicted_seconds", row.predicted_seconds}};
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

void print_search(const std::vector<worker::SearchRow>& rows) {
    if (rows.empty()) return;
    std::vector<Row> table = {
        {"blocks", "threads", "stages", "registers", "spilled", "shared memory", "at once", "predicted"}};
    for (const worker::SearchRow& row : rows) {
        if (!row.refused.empty()) continue;
        const auto said = [&](int number) {
            return row.compiled ? std::to_string(number) : std::string("-");
        };
        table.push_back({blocks_of(row), std::to_string(row.threads), std::to_string(row.stages),
                         said(row.registers), said(row.spilled_bytes), said(row.shared_bytes),
                         said(row.resident), seconds_text(row.predicted_seconds)});
    }
    std::cout << '\n';
    print_table(table, Align::Right, style_for(STDOUT_FILENO));
    for (const worker::SearchRow& row : rows)
        if (!row.refused.empty()) std::cout << blocks_of(row) << ": " << row.refused << '\n';
}

}  // namespace

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
        if (!rows.empty()) json["search"] = search_json(rows);
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        print_csv(records);
    } else {
        print_records(records);
        print_search(rows);
        if (best)
            std::cout << "\nfastest: " << options_of(ran.at(static_cast<std::size_t>(best - records.data())))
                      << '\n';
        print_circumstances(measuring, records);
    }
    std::cout.flush();
    return measuring.finish(records);
}

}  // namespace blockscope::cli
