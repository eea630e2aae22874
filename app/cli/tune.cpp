// blockscope-cli tune: block sizes that the model likes, measured.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/measure_report.h"
#include "app/cli/measuring.h"
#include "app/worker/tuning.h"

namespace blockscope::cli {
namespace {

// "--set M=4096/64 --set N=4096/256": the options that choose these block sizes.
std::string options_of(const measure::Record& record) {
    std::string text;
    for (const Dim& dim : record.subject.dims)
        text += (text.empty() ? "--set " : " --set ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                std::to_string(dim.block);
    return text;
}

}  // namespace

int tune_command(const MeasureArguments& arguments) {
    Measuring measuring(arguments);
    std::vector<measure::Record> records;
    for (const worker::Task& task : measuring.tasks()) {
        const std::vector<worker::Task> all =
            worker::tuning_candidates(task, measuring.machine(), arguments.top);
        for (std::size_t i = 0; i < all.size(); ++i)
            records.push_back(measuring.run(all[i], task.state + ", blocks " + std::to_string(i + 1) +
                                                        " of " + std::to_string(all.size())));
    }
    const measure::Record* best = worker::fastest(records);
    if (arguments.json) {
        Json json = measurements_json("tune", measuring, records);
        if (best) json["best"] = best - records.data();
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        print_csv(records);
    } else {
        print_records(records);
        if (best) std::cout << "\nfastest: " << options_of(*best) << '\n';
        print_circumstances(measuring, records);
    }
    std::cout.flush();
    return measuring.finish(records);
}

}  // namespace blockscope::cli
