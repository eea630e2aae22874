#include "gpu/nvrtc/nvrtc.h"

#include <dlfcn.h>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "core/support/whole_file.h"
#include "gpu/library_search.h"

namespace blockscope::gpu {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLibrary = "libnvrtc.so.";

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::vector<std::string> entries(const fs::path& folder, std::string_view prefix) {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().rfind(prefix, 0) == 0) found.push_back(entry.path().string());
    std::sort(found.rbegin(), found.rend());
    return found;
}

// The built-ins of this very version, beside the library: libnvrtc-builtins.so.13.0 of libnvrtc.so.13, which
// is a link to libnvrtc.so.13.0.88.
std::string builtins_of(const fs::path& library) {
    const fs::path folder = library.has_parent_path() ? library.parent_path() : fs::path(".");
    const std::vector<std::string> all = entries(folder, "libnvrtc-builtins.so.");
    std::error_code ignored;
    for (const fs::path& name : {fs::canonical(library, ignored).filename(), library.filename()}) {
        std::string version = name.string();
        if (version.rfind(kLibrary, 0) != 0) continue;
        version.erase(0, kLibrary.size());  // "13" or "13.0.88"
        const std::string minor = version.substr(0, version.find('.', version.find('.') + 1));
        for (const std::string& one : all)
            if (fs::path(one).filename().string().rfind("libnvrtc-builtins.so." + minor, 0) == 0) return one;
    }
    return all.size() == 1 ? all.front() : "";
}

void add_folder(const fs::path& folder, std::vector<Candidate>& candidates) {
    for (const std::string& library : entries(folder, kLibrary))
        candidates.push_back({library, builtins_of(library)});
}

// Where this program lies, and the libraries that came with it.
void add_own(std::vector<Candidate>& candidates) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return;
    add_folder(program.parent_path(), candidates);
    add_folder(program.parent_path().parent_path() / "lib", candidates);
}

void add_toolkit(const fs::path& root, std::vector<Candidate>& candidates) {
    for (const char* inside : {"lib64", "lib"}) add_folder(root / inside, candidates);
}

void add_python(std::vector<Candidate>& candidates) {
    std::vector<std::string> roots = entries("/usr/local/lib", "python3");
    for (const std::string& one : entries("/usr/lib", "python3")) roots.push_back(one);
    if (const std::string home = variable("HOME"); !home.empty())
        for (const std::string& one : entries(fs::path(home) / ".local/lib", "python3")) roots.push_back(one);
    if (const std::string own = variable("VIRTUAL_ENV"); !own.empty())
        for (const std::string& one : entries(fs::path(own) / "lib", "python3")) roots.push_back(one);
    for (const std::string& root : roots)
        for (const char* packages : {"dist-packages", "site-packages"})
            for (const char* inside : {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"})
                add_folder(fs::path(root) / packages / inside, candidates);
}

}  // namespace

std::vector<Candidate> nvrtc_candidates() {
    std::vector<Candidate> candidates;
    if (const std::string own = variable("BLOCKSCOPE_NVRTC"); !own.empty()) {
        add_folder(own, candidates);
        if (candidates.empty()) candidates.push_back({own, builtins_of(own)});  // a file
        return candidates;
    }
    add_own(candidates);
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
        if (const std::string root = variable(name); !root.empty()) add_toolkit(root, candidates);
    add_toolkit("/usr/local/cuda", candidates);
    for (const std::string& root : entries("/usr/local", "cuda-")) add_toolkit(root, candidates);
    add_python(candidates);
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) candidates.push_back({name, ""});
    std::vector<Candidate> unique;  // /usr/local/cuda is a link to one of the versions
    for (Candidate& one : candidates) {
        const auto same = [&](const Candidate& other) { return other.library == one.library; };
        if (std::none_of(unique.begin(), unique.end(), same)) unique.push_back(std::move(one));
    }
    return unique;
}

std::string Nvrtc::report() const {
    if (library_)
        return "NVRTC, NVIDIA's run-time compiler, is " + search_.found + ", version " + version() + ".\n";
    std::string text = "NVRTC, NVIDIA's run-time compiler, was not found. Looked for:\n" + search_.lines() +
                       "Any of these installs it:\n";
    for (const std::string& command : nvrtc_commands()) text += "  " + command + "\n";
    return text + "or set BLOCKSCOPE_NVRTC to the library or its folder.\n";
}

std::vector<std::string> nvrtc_commands() {
    return {"pip install nvidia-cuda-nvrtc", "apt-get install cuda-nvrtc-13-0    (NVIDIA's repository)",
            "apt-get install libnvrtc12         (Debian non-free)"};
}

std::string Search::lines() const {
    std::string text;
    for (const Attempt& attempt : attempts) text += "  " + attempt.path + ": " + attempt.outcome + "\n";
    return text;
}

namespace {

using Program = void*;

// A program of the library that is destroyed in any case.
struct OwnedProgram {
    Program value = nullptr;
    int (*destroy)(Program*) = nullptr;
    ~OwnedProgram() {
        if (value) destroy(&value);
    }
};

template <class F>
bool resolve(void* handle, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(handle, name));
    return function != nullptr;
}

}  // namespace

// The functions that are used, by their exported names.
struct Nvrtc::Library {
    int (*version)(int*, int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*cubin_size)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*architecture_count)(int*) = nullptr;
    int (*architectures)(int*) = nullptr;
    const char* (*error)(int) = nullptr;

    // The name that is missing; empty if all are there.
    std::string load(void* handle) {
        if (!resolve(handle, "nvrtcVersion", version)) return "nvrtcVersion";
        if (!resolve(handle, "nvrtcCreateProgram", create)) return "nvrtcCreateProgram";
        if (!resolve(handle, "nvrtcDestroyProgram", destroy)) return "nvrtcDestroyProgram";
        if (!resolve(handle, "nvrtcCompileProgram", compile)) return "nvrtcCompileProgram";
        if (!resolve(handle, "nvrtcGetProgramLogSize", log_size)) return "nvrtcGetProgramLogSize";
        if (!resolve(handle, "nvrtcGetProgramLog", log)) return "nvrtcGetProgramLog";
        if (!resolve(handle, "nvrtcGetCUBINSize", cubin_size)) return "nvrtcGetCUBINSize";
        if (!resolve(handle, "nvrtcGetCUBIN", cubin)) return "nvrtcGetCUBIN";
        if (!resolve(handle, "nvrtcGetNumSupportedArchs", architecture_count))
            return "nvrtcGetNumSupportedArchs";
        if (!resolve(handle, "nvrtcGetSupportedArchs", architectures)) return "nvrtcGetSupportedArchs";
        if (!resolve(handle, "nvrtcGetErrorString", error)) return "nvrtcGetErrorString";
        return "";
    }
};

// Libraries stay open: NVRTC keeps state of its own.
Nvrtc Nvrtc::open(int driver_version) {
    Nvrtc result;
    Nvrtc newer;  // than the driver
    for (const Candidate& candidate : nvrtc_candidates()) {
        if (!candidate.builtins.empty()) dlopen(candidate.builtins.c_str(), RTLD_NOW | RTLD_GLOBAL);
        void* handle = dlopen(candidate.library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
            result.search_.attempts.push_back({candidate.library, linker_words(candidate.library)});
            continue;
        }
        auto library = std::make_shared<Library>();
        const std::string missing = library->load(handle);
        if (!missing.empty()) {
            result.search_.attempts.push_back({candidate.library, "lacks " + missing});
            continue;
        }
        result.library_ = library;
        if (driver_version > 0 && result.major() > driver_version / 1000) {
            result.search_.attempts.push_back(
                {candidate.library, result.version() + ", newer than what the driver runs, CUDA " +
                                        cuda_version(driver_version) + ": taken only if there is no other"});
            if (!newer) newer = result, newer.search_.found = candidate.library;
            result.library_ = nullptr;
            continue;
        }
        result.search_.attempts.push_back({candidate.library, "opened"});
        result.search_.found = candidate.library;
        return result;
    }
    if (newer) newer.search_.attempts = result.search_.attempts;
    return newer ? newer : result;
}

int Nvrtc::major() const {
    int major = 0;
    int minor = 0;
    if (library_) library_->version(&major, &minor);
    return major;
}

std::string cuda_version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string Nvrtc::version() const {
    int major = 0;
    int minor = 0;
    if (library_) library_->version(&major, &minor);
    return std::to_string(major) + "." + std::to_string(minor);
}

std::vector<int> Nvrtc::architectures() const {
    int count = 0;
    if (library_) library_->architecture_count(&count);
    std::vector<int> result(static_cast<std::size_t>(count));
    if (count > 0) library_->architectures(result.data());
    return result;
}

std::vector<std::string> Nvrtc::options(const std::string& architecture) {
    return {"-arch=" + architecture, "-std=c++17", "--ptxas-options=-v"};
}

Result<Compiled> Nvrtc::compile(const std::string& source, const std::string& architecture) const {
    if (!library_) return Problem{{}, report()};
    const Library& nvrtc = *library_;
    OwnedProgram program{nullptr, nvrtc.destroy};
    if (const int code = nvrtc.create(&program.value, source.c_str(), "kernels.cu", 0, nullptr, nullptr);
        code != 0)
        return Problem{{}, Text("NVRTC: %1", std::string(nvrtc.error(code)))};
    const std::vector<std::string> texts = options(architecture);
    std::vector<const char*> given;
    for (const std::string& text : texts) given.push_back(text.c_str());
    const auto start = std::chrono::steady_clock::now();
    const int code = nvrtc.compile(program.value, static_cast<int>(given.size()), given.data());
    Compiled compiled;
    compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::size_t size = 0;
    if (nvrtc.log_size(program.value, &size) == 0 && size > 1) {
        compiled.log.resize(size);
        nvrtc.log(program.value, compiled.log.data());
        compiled.log.resize(size - 1);
    }
    if (code != 0)
        return Problem{
            {}, Text("NVRTC: %1 for %2\n%3", std::string(nvrtc.error(code)), architecture, compiled.log)};
    compiled.kernels = read_report(compiled.log);
    compiled.warnings = read_warnings(compiled.log);
    if (const std::string why = serialised(compiled.warnings); !why.empty())
        return Problem{{}, Text("tensor-core instructions are run one by one: %1", why)};
    if (nvrtc.cubin_size(program.value, &size) != 0 || size == 0)
        return Problem{{}, Text("NVRTC gave no code for %1", architecture)};
    compiled.cubin.resize(size);
    nvrtc.cubin(program.value, compiled.cubin.data());
    return compiled;
}

// What the compiler's log says, and CUBINs that were made before.

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
    write_whole_file(file, sizes_text.str() + key + compiled->log +
                               std::string(compiled->cubin.begin(), compiled->cubin.end()));
    return compiled;
}

}  // namespace blockscope::gpu
