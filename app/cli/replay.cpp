// blockscope-cli replay: a trace from a file, repeated and shown.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/failures.h"
#include "app/cli/run.h"
#include "core/json/json_io.h"

namespace blockscope::cli {

int replay_command(const ReplayArguments& arguments) {
    const std::string text = read_file(arguments.file);
    const std::string name = display_name(arguments.file);
    Result<Trace> trace = read_trace(text, name);
    if (!trace) throw BadInput(trace.problems(), text);
    Loaded loaded{name, {}, trace->initial};
    return show({"replay", std::move(loaded), std::move(trace).value()}, arguments.view);
}

}  // namespace blockscope::cli
