// blockscope-cli run: states of a run, checked and timed.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/measure_report.h"
#include "app/cli/measuring.h"

namespace blockscope::cli {

int run_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    std::vector<measure::Record> records;
    for (const worker::Task& task : measuring.tasks()) records.push_back(measuring.run(task, task.state));
    if (arguments.json) {
        std::cout << to_text(measurements_json("run", measuring, records)) << '\n';
    } else if (arguments.csv) {
        print_csv(records);
    } else {
        print_records(records);
        print_notes(measuring);
        print_circumstances(measuring, records);
    }
    std::cout.flush();
    return measuring.finish(records);
}

}  // namespace blockscope::cli
