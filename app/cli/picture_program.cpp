#include "app/cli/picture_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "app/cli/failures.h"

namespace blockscope::cli {

int become_picture_program(char** arguments) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& place : {here, here / "../libexec/blockscope"}) {
        const fs::path program = place / "blockscope-render";
        if (!fs::exists(program, error)) continue;
        execv(program.c_str(), arguments);
        throw UsageError(program.string() + " cannot be run: " + std::strerror(errno));
    }
    throw UsageError("this build has no pictures: it was built without Qt 6 and Graphviz");
}

}  // namespace blockscope::cli
