// A library that is opened in NVRTC's place: compiles the generated CUDA over the emulator, with the compiler
// that builds the tests. What it gives for a CUBIN is a shared library, which the fake driver opens.
#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Program {
    std::string source;
    std::string log;
    std::string code;
};

std::string whole_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The words behind "KERNEL " and "TMA_KERNEL ": what the kernels are called.
std::vector<std::string> kernels(const std::string& source) {
    std::vector<std::string> names;
    for (const std::string mark : {"\nKERNEL ", "\nTMA_KERNEL "})
        for (auto at = source.find(mark); at != std::string::npos; at = source.find(mark, at + 1)) {
            const auto begin = at + mark.size();
            names.push_back(source.substr(begin, source.find('(', begin) - begin));
        }
    return names;
}

std::string emulated(const std::string& source) {
    std::string text = "#include \"" BLOCKSCOPE_SOURCE_DIR
                       "/tests/gpu/emulator/emulator.h\"\n"
                       "#include \"" BLOCKSCOPE_SOURCE_DIR
                       "/tests/gpu/emulator/tensor_cores.h\"\n"
                       "#include \"" BLOCKSCOPE_SOURCE_DIR
                       "/tests/gpu/emulator/bulk.h\"\n"
                       "#include \"" BLOCKSCOPE_SOURCE_DIR "/tests/gpu/emulator/wgmma.h\"\n";
    if (source.find("nanosecond_count") != std::string::npos)
        text += "#include \"" BLOCKSCOPE_SOURCE_DIR "/tests/gpu/emulator/clock.h\"\n";
    text += source + "\n#include \"" BLOCKSCOPE_SOURCE_DIR "/tests/gpu/fake/launcher.h\"\n";
    for (const std::string& name : kernels(source)) text += "LAUNCHER(" + name + ")\n";
    return text;
}

// In the words of --ptxas-options=-v, with the driver's 64 registers.
std::string ptxas_log(const std::string& source) {
    std::string log;
    for (const std::string& name : kernels(source))
        log += "ptxas info    : Compiling entry function '" + name +
               "' for 'sm_80'\nptxas info    : Function properties for " + name +
               "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
               "ptxas info    : Used 64 registers, 380 bytes cmem[0]\n";
    return log;
}

int compile(Program& program) {
    std::string pattern = (std::filesystem::temp_directory_path() / "blockscope-nvrtc-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return 1;
    const std::filesystem::path folder = pattern;
    std::ofstream(folder / "kernels.cpp") << emulated(program.source);
    // Compiled by a name without folders and linked on its own: so ccache finds what it has compiled before.
    const std::string command = "cd " + pattern +
                                " && { " BLOCKSCOPE_COMPILER_LAUNCHER " " BLOCKSCOPE_COMPILER
                                " -std=c++20 -w -fPIC -O1 -c -o kernels.o kernels.cpp && " BLOCKSCOPE_COMPILER
                                " -shared -o kernels.so kernels.o " BLOCKSCOPE_EMULATOR "; } 2> log";
    const bool fine = std::system(command.c_str()) == 0;
    program.log = whole_file(folder / "log") + ptxas_log(program.source);
    program.code = whole_file(folder / "kernels.so");
    std::filesystem::remove_all(folder);
    return fine ? 0 : 6;
}

Program& of(void* program) {
    return *static_cast<Program*>(program);
}

}  // namespace

extern "C" {

// 0.1; 13.1 of a copy that is called libnvrtc.so.13.
int nvrtcVersion(int* major, int* minor) {
    Dl_info self{};
    dladdr(reinterpret_cast<void*>(nvrtcVersion), &self);
    const std::string name = std::filesystem::path(self.dli_fname ? self.dli_fname : "").filename().string();
    const std::string prefix = "libnvrtc.so.";
    *major = name.rfind(prefix, 0) == 0 ? std::atoi(name.c_str() + prefix.size()) : 0;
    *minor = 1;
    return 0;
}
int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*,
                       const char* const*) {
    *program = new Program{source, {}, {}};
    return 0;
}
int nvrtcDestroyProgram(void** program) {
    delete &of(*program);
    *program = nullptr;
    return 0;
}
// BLOCKSCOPE_FAKE_NVRTC: "crash", "hang", "no-groups" (no kernel with threads that only copy compiles).
int nvrtcCompileProgram(void* program, int, const char* const*) {
    const char* said = std::getenv("BLOCKSCOPE_FAKE_NVRTC");
    const std::string fault = said ? said : "";
    if (fault == "crash") std::abort();
    if (fault == "no-groups" && of(program).source.find("WARP_SPECIALISED = true") != std::string::npos) {
        of(program).log = "ptxas: there is no wgmma here";
        return 6;
    }
    while (fault == "hang") std::this_thread::sleep_for(std::chrono::seconds(1));
    return compile(of(program));
}
int nvrtcGetProgramLogSize(void* program, std::size_t* size) {
    *size = of(program).log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
    std::memcpy(log, of(program).log.c_str(), of(program).log.size() + 1);
    return 0;
}
int nvrtcGetCUBINSize(void* program, std::size_t* size) {
    *size = of(program).code.size();
    return 0;
}
int nvrtcGetCUBIN(void* program, char* code) {
    std::memcpy(code, of(program).code.data(), of(program).code.size());
    return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 1;
    return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
    *architectures = 80;
    return 0;
}
const char* nvrtcGetErrorString(int code) {
    return code == 6 ? "NVRTC_ERROR_COMPILATION" : "an error of the fake compiler";
}

}  // extern "C"
