// blockscope-cli fuse: the fusion algorithm, step by step.
#include "app/cli/commands.h"
#include "app/cli/run.h"

namespace blockscope::cli {

int fuse_command(const FuseArguments& arguments) {
    Loaded loaded = load_program(arguments.file);
    Trace trace = fuse_watched(loaded.blocks);
    return show({"fuse", std::move(loaded), std::move(trace)}, arguments.view);
}

}  // namespace blockscope::cli
