// blockscope-cli worker: measures for another program.
#include "app/cli/measure_commands.h"
#include "app/worker/serve.h"

namespace blockscope::cli {

int worker_command(const WorkerArguments&) {
    worker::worker_main();
}

}  // namespace blockscope::cli
