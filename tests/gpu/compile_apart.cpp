#include "tests/gpu/compile_apart.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace blockscope::test {

Result<gpu::Compiled> compile_apart(const std::string& source, const std::string& card) {
    std::string folder = (std::filesystem::temp_directory_path() / "blockscope-apart-XXXXXX").string();
    if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary folder: " + folder);
    std::ofstream(folder + "/kernels.cu") << source;
    const std::string command =
        "cd " + folder + " && " BLOCKSCOPE_COMPILE_APART " " + card + " kernels.cu > log";
    const bool fine = std::system(command.c_str()) == 0;
    std::ifstream in(folder + "/log");
    gpu::Compiled compiled;
    compiled.log.assign(std::istreambuf_iterator<char>(in), {});
    std::filesystem::remove_all(folder);
    if (!fine) return Problem{{}, Text(compiled.log)};
    compiled.kernels = gpu::read_report(compiled.log);
    compiled.warnings = gpu::read_warnings(compiled.log);
    return compiled;
}

}  // namespace blockscope::test
