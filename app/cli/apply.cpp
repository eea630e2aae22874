// blockscope-cli apply: rewrites by hand, after some steps of the algorithm and perhaps before the rest.
#include "app/cli/commands.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"

namespace blockscope::cli {
namespace {

// Appends the algorithm's run from the trace's last state.
void fuse_on(Trace& trace) {
    Trace rest = fuse_watched(trace.last());
    const int done = static_cast<int>(trace.steps.size());
    for (Step& step : rest.steps) trace.steps.push_back(std::move(step));
    for (const int snapshot : rest.snapshots) trace.snapshots.push_back(done + snapshot);
    trace.stopped = rest.stopped;
}

}  // namespace

int apply_command(const ApplyArguments& arguments) {
    Loaded loaded = load_program(arguments.file);
    Trace trace = fuse_up_to(loaded.blocks, arguments.at);
    trace.stopped = "Every choice is applied.";
    for (const std::string& choice : arguments.choices) {
        const ProgramPtr before = trace.last();
        trace.steps.push_back(checked_apply(before, find_match(*before, choice)));
    }
    if (arguments.then_fuse) fuse_on(trace);
    return show({"apply", std::move(loaded), std::move(trace)}, arguments.view);
}

}  // namespace blockscope::cli
