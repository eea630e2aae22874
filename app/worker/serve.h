// The worker process: reads requests from one descriptor and writes answers to another.
#pragma once

#include "app/worker/jobs.h"

namespace blockscope::worker {

// The devices of this machine; with BLOCKSCOPE_FAKE_DEVICE set, the fake one of the tests as well
// (fake_backend.h). `out` is where a fake device writes what is no message.
Backends local_backends(int out);

// Until `in` ends or somebody says quit; then it ends the process at once, whatever is being done. Messages
// that are not understood are answered with a failure.
[[noreturn]] void serve(int in, int out, Backends backends);

// `blockscope-cli worker`: stdin and stdout, and nothing but messages on stdout.
[[noreturn]] void worker_main();

}  // namespace blockscope::worker
