// blockscope-cli bench: states of a run against one of them, interleaved.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/measure_report.h"
#include "app/cli/measuring.h"

namespace blockscope::cli {

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

}  // namespace blockscope::cli
