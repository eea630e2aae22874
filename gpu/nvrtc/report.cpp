// What the compiler's log says, and CUBINs that were made before.
#include <unistd.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

namespace {

// The number that stands before `what` in `line`; 0 if it is not there.
int number_before(const std::string& line, const std::string& what) {
    const auto end = line.find(what);
    if (end == std::string::npos) return 0;
    auto begin = end;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(line[begin - 1])) != 0) --begin;
    return begin == end ? 0 : std::stoi(line.substr(begin, end - begin));
}

std::string in_quotes(const std::string& line) {
    const auto begin = line.find('\'');
    const auto end = line.find('\'', begin + 1);
    return begin == std::string::npos || end == std::string::npos ? ""
                                                                  : line.substr(begin + 1, end - begin - 1);
}

// FNV-1a: a collision would need an adversary, who could as well write the cache.
std::string hash(const std::string& text) {
    std::uint64_t value = 1469598103934665603ULL;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    std::ostringstream hex;
    hex << std::hex << value;
    return hex.str();
}

std::string read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Under its name only when it is whole.
void write(const std::filesystem::path& file, const std::string& bytes) {
    const std::string partial = file.string() + "." + std::to_string(getpid());
    std::error_code ignored;
    {
        std::ofstream out(partial, std::ios::binary);
        out << bytes;
        if (!out) return;
    }
    std::filesystem::rename(partial, file, ignored);
}

}  // namespace

std::vector<KernelReport> read_report(const std::string& log) {
    std::vector<KernelReport> kernels;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("Compiling entry function") != std::string::npos) {
            kernels.emplace_back();
            kernels.back().kernel = in_quotes(line);
        }
        if (kernels.empty()) continue;
        KernelReport& kernel = kernels.back();
        if (line.find("bytes stack frame") != std::string::npos) {
            kernel.stack = number_before(line, " bytes stack frame");
            kernel.spill_stores = number_before(line, " bytes spill stores");
            kernel.spill_loads = number_before(line, " bytes spill loads");
        }
        if (line.find(" registers") != std::string::npos) {
            kernel.registers = number_before(line, " registers");
            kernel.shared_bytes = number_before(line, " bytes smem");
        }
    }
    return kernels;
}

std::vector<std::string> read_warnings(const std::string& log) {
    std::vector<std::string> warnings;
    std::istringstream lines(log);
    // What ptxas gives for a loss of speed (C7506, C7510 and others) is an "info" in most of its versions.
    for (std::string line; std::getline(lines, line);)
        if (line.find("warning") != std::string::npos ||
            line.find("Potential Performance Loss") != std::string::npos)
            warnings.push_back(line);
    return warnings;
}

std::string serialised(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
        if (warning.find("serializ") != std::string::npos) return warning;
    return {};
}

std::string cubin_folder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
        return std::string(cache) + "/blockscope/cubin";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::string(home) + "/.cache/blockscope/cubin";
    return {};
}

// An entry is the source (a collision shows), then the log, then the CUBIN; in front of them their sizes, and
// the seconds that compiling took.
Result<Compiled> CubinCache::compile(const Nvrtc& nvrtc, const std::string& source,
                                     const std::string& architecture) const {
    std::string key = nvrtc.version() + "\n";
    for (const std::string& option : Nvrtc::options(architecture)) key += option + "\n";
    key += source;
    const std::filesystem::path file = std::filesystem::path(folder_) / (hash(key) + ".cubin");
    const std::string entry = read(file);
    std::istringstream in(entry);
    std::size_t sizes[3] = {0, 0, 0};
    double seconds = 0;
    if (in >> sizes[0] >> sizes[1] >> sizes[2] >> seconds && in.get() == '\n') {
        const auto at = static_cast<std::size_t>(in.tellg());
        if (entry.size() == at + sizes[0] + sizes[1] + sizes[2] && entry.compare(at, sizes[0], key) == 0) {
            Compiled compiled;
            compiled.log = entry.substr(at + sizes[0], sizes[1]);
            compiled.cubin.assign(entry.end() - static_cast<std::ptrdiff_t>(sizes[2]), entry.end());
            compiled.kernels = read_report(compiled.log);
            compiled.warnings = read_warnings(compiled.log);
            compiled.seconds = seconds;
            compiled.from_cache = true;
            return compiled;
        }
    }
    Result<Compiled> compiled = nvrtc.compile(source, architecture);
    if (!compiled) return compiled;
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
    std::ostringstream sizes_text;
    sizes_text << key.size() << ' ' << compiled->log.size() << ' ' << compiled->cubin.size() << ' '
               << compiled->seconds << '\n';
    write(file, sizes_text.str() + key + compiled->log +
                    std::string(compiled->cubin.begin(), compiled->cubin.end()));
    return compiled;
}

}  // namespace blockscope::gpu
