#include "gpu/nvrtc/nvrtc.h"

#include <dlfcn.h>

#include <chrono>

#include "gpu/linker_words.h"
#include "gpu/nvrtc/search.h"

namespace blockscope::gpu {

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
        return Problem{{}, std::string("NVRTC: ") + nvrtc.error(code)};
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
            {}, std::string("NVRTC: ") + nvrtc.error(code) + " for " + architecture + "\n" + compiled.log};
    compiled.kernels = read_report(compiled.log);
    compiled.warnings = read_warnings(compiled.log);
    if (const std::string why = serialised(compiled.warnings); !why.empty())
        return Problem{{}, "tensor-core instructions are run one by one: " + why};
    if (nvrtc.cubin_size(program.value, &size) != 0 || size == 0)
        return Problem{{}, "NVRTC gave no code for " + architecture};
    compiled.cubin.resize(size);
    nvrtc.cubin(program.value, compiled.cubin.data());
    return compiled;
}

}  // namespace blockscope::gpu
