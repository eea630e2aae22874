#include "gpu/nvrtc/search.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "gpu/nvrtc/nvrtc.h"

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

}  // namespace blockscope::gpu
