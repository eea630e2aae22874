#include "app/worker/command.h"

#include <filesystem>
#include <system_error>

namespace blockscope::worker {

std::vector<std::string> local_worker() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    // In the build folder the command line lies beside the window's folder.
    for (const fs::path& place : {here, here / "../bin", here / "../cli"}) {
        const fs::path program = place / "blockscope-cli";
        if (fs::exists(program, error)) return {program.string(), "worker"};
    }
    return {"blockscope-cli", "worker"};
}

std::vector<std::string> remote_worker(const std::string& host) {
    if (host.empty() || host[0] == '-') return {};
    return {"ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", host, "blockscope-cli", "worker"};
}

}  // namespace blockscope::worker
