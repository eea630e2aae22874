// blockscope-cli apply: rewrites by hand, after some steps of the algorithm and perhaps before the rest.
#include "app/cli/commands.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"

namespace blockscope::cli {

int apply_command(const ApplyArguments& arguments) {
    Loaded loaded = load_program(arguments.file);
    Trace trace = fuse_up_to(loaded.blocks, arguments.at);
    trace.stopped = "Every choice is applied.";
    for (const std::string& choice : arguments.choices) {
        const ProgramPtr before = trace.last();
        trace.steps.push_back(checked_apply(before, find_match(*before, choice)));
    }
    if (arguments.then_fuse) trace = fuse_on_watched(std::move(trace));
    return show({"apply", std::move(loaded), std::move(trace)}, arguments.view);
}

}  // namespace blockscope::cli
