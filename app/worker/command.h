// How to start a worker, here or on another machine.
#pragma once

#include <string>
#include <vector>

namespace blockscope::worker {

// The blockscope-cli beside this executable (or in ../bin) with the argument "worker"; the one on PATH if
// there is none.
std::vector<std::string> local_worker();

// `ssh HOST blockscope-cli worker`, without questions: ssh fails rather than asks for a password. `host` is a
// word as ssh takes it; one that begins with '-' (an option) or is empty gives no command.
std::vector<std::string> remote_worker(const std::string& host);

}  // namespace blockscope::worker
