// A library that is opened in place of CUDA's driver: one card, whose kernels the emulator runs when they are
// launched. $BLOCKSCOPE_FAKE_CUDA holds words set apart by commas: no-card; hopper (9.0, not 8.0);
// memory=BYTES of the card; illegal (kernels fail as if they touched what is not theirs); hang, crash (a
// launch never returns, or ends the process); wrong (results differ from what was computed); once=FILE
// (faults happen only if FILE can be removed); quick (a launch takes a microsecond by the events);
// throttled, slow (of the clock, tests/gpu/emulator/clock.h).
#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "../emulator/tensor_map.h"

namespace {

using Clock = std::chrono::steady_clock;
using Pointer = unsigned long long;
using Start = const char* (*)(void**, long long, int, int, void* const*, const long long*, int);

constexpr int kOutOfMemory = 2;
constexpr int kNoDevice = 100;
constexpr int kNotFound = 500;
constexpr int kInvalidImage = 200;
constexpr int kIllegalAddress = 700;

struct Event {
    Clock::time_point when;
    long launches = 0;  // of kernels before it
};

struct Card {
    std::map<char*, long long> memory;  // address and bytes
    int trouble = 0;                    // that every later call gives
    long launches = 0;
};

Card& card() {
    static Card one;
    return one;
}

// "" without the word, its value or the word itself with it.
std::string word(const std::string& name) {
    const char* given = std::getenv("BLOCKSCOPE_FAKE_CUDA");
    std::string text = given ? given : "";
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string one = text.substr(begin, end - begin);
        if (one == name) return one;
        if (one.rfind(name + "=", 0) == 0) return one.substr(name.size() + 1);
        begin = end + 1;
    }
    return "";
}

bool fault(const std::string& name) {
    if (word(name).empty()) return false;
    const std::string once = word("once");
    return once.empty() || std::filesystem::remove(once);
}

long long capacity() {
    const std::string bytes = word("memory");
    return bytes.empty() ? 1LL << 30 : std::atoll(bytes.c_str());
}

long long used() {
    long long sum = 0;
    for (const auto& [address, bytes] : card().memory) sum += bytes;
    return sum;
}

int attribute(int which) {
    switch (which) {
        case 1:
            return 1024;
        case 13:
            return 1'000'000;
        case 16:
            return 2;
        case 38:
            return 1 << 20;
        case 39:
            return 2048;
        case 75:
            return word("hopper").empty() ? 8 : 9;
        case 76:
            return 0;
        case 81:
            return 164 * 1024;
        case 97:
            return 163 * 1024;
        default:
            return 0;
    }
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
    return 0;
}
int cuDriverGetVersion(int* version) {
    *version = 13000;
    return 0;
}
int cuDeviceGetCount(int* count) {
    *count = word("no-card").empty() ? 1 : 0;
    return *count == 0 ? kNoDevice : 0;
}
int cuDeviceGet(int* device, int index) {
    *device = index;
    return 0;
}
int cuDeviceGetName(char* name, int bytes, int) {
    std::snprintf(name, static_cast<std::size_t>(bytes), "Emulated card");
    return 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
    *value = attribute(which);
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = static_cast<std::size_t>(capacity());
    return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
    *context = &card();
    return card().trouble;
}
int cuCtxSetCurrent(void*) {
    return card().trouble;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
    // The image is a shared library. Its length is in its header: where the section table ends.
    const auto* bytes = static_cast<const char*>(image);
    if (std::memcmp(bytes, "\177ELF", 4) != 0) return kInvalidImage;
    unsigned long long sections = 0;
    unsigned short size = 0;
    unsigned short count = 0;
    std::memcpy(&sections, bytes + 40, 8);
    std::memcpy(&size, bytes + 58, 2);
    std::memcpy(&count, bytes + 60, 2);
    std::string file = (std::filesystem::temp_directory_path() / "blockscope-module-XXXXXX").string();
    const int descriptor = mkstemp(file.data());
    if (descriptor < 0) return kInvalidImage;
    std::ofstream(file, std::ios::binary).write(bytes, static_cast<long>(sections + 1ULL * size * count));
    *module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove(file);
    return *module ? card().trouble : kInvalidImage;
}
int cuModuleUnload(void* module) {
    dlclose(module);
    return card().trouble;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    *function = dlsym(module, (std::string("launch_") + name).c_str());
    return *function ? card().trouble : kNotFound;
}
int cuFuncSetAttribute(void*, int, int) {
    return card().trouble;
}
int cuFuncGetAttribute(int* value, int which, void*) {
    *value = which == 4 ? 64 : 0;
    return card().trouble;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
    *blocks = 2048 / threads;
    return card().trouble;
}
int cuMemAlloc_v2(Pointer* address, std::size_t bytes) {
    if (used() + static_cast<long long>(bytes) > capacity()) return kOutOfMemory;
    auto* memory = static_cast<char*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    card().memory[memory] = static_cast<long long>(bytes);
    *address = reinterpret_cast<Pointer>(memory);
    return card().trouble;
}
int cuMemFree_v2(Pointer address) {
    auto* memory = reinterpret_cast<char*>(address);
    card().memory.erase(memory);
    std::free(memory);
    return card().trouble;
}
int cuMemcpyHtoD_v2(Pointer to, const void* from, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return card().trouble;
}
int cuMemcpyDtoH_v2(void* to, Pointer from, std::size_t bytes) {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    const float large = 1000;  // in the first element, whatever its type
    if (bytes >= sizeof large && fault("wrong")) std::memcpy(to, &large, sizeof large);
    return card().trouble;
}
int cuMemsetD8Async(Pointer to, unsigned char value, std::size_t bytes, void*) {
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return card().trouble;
}
int cuStreamCreate(void** stream, unsigned) {
    *stream = &card();
    return card().trouble;
}
int cuStreamSynchronize(void*) {
    return card().trouble;
}
int cuEventCreate(void** event, unsigned) {
    static std::list<Event> events;  // as long as the process, as its context
    *event = &events.emplace_back();
    return card().trouble;
}
int cuEventRecord(void* event, void*) {
    *static_cast<Event*>(event) = {Clock::now(), card().launches};
    return card().trouble;
}
int cuEventSynchronize(void*) {
    return card().trouble;
}
int cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
    if (!word("quick").empty()) {
        *milliseconds = 0.001F * static_cast<float>(static_cast<Event*>(end)->launches -
                                                    static_cast<Event*>(begin)->launches);
        return card().trouble;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(static_cast<Event*>(end)->when -
                                                             static_cast<Event*>(begin)->when)
                        .count();
    return card().trouble;
}
int cuTensorMapEncodeTiled(void* to, int type, unsigned rank, void* address, const unsigned long long* sizes,
                           const unsigned long long* strides, const unsigned* box, const unsigned*, int,
                           int swizzle, int promotion, int) {
    constexpr int kInvalidValue = 1;
    TensorMap map;
    map.element = type == 0 ? 1 : type == 7 ? 4 : 2;
    if (rank < 2 || rank > 5 || swizzle != 3 || promotion != 2 ||
        box[0] * static_cast<unsigned>(map.element) != 128)
        return kInvalidValue;
    map.base = static_cast<const char*>(address);
    map.rank = static_cast<int>(rank);
    for (unsigned axis = 0; axis < rank; ++axis) {
        map.sizes[axis] = static_cast<long long>(sizes[axis]);
        map.strides[axis] = axis == 0 ? map.element : static_cast<long long>(strides[axis - 1]);
        map.box[axis] = static_cast<int>(box[axis]);
        if (box[axis] > 256 || (axis > 0 && map.strides[axis] % 16 != 0)) return kInvalidValue;
    }
    std::memcpy(to, &map, sizeof map);
    return card().trouble;
}
// Runs at once. As on a card, what goes wrong in a kernel shows at the next call that waits, and for ever.
int cuLaunchKernel(void* function, unsigned tiles, unsigned, unsigned, unsigned threads, unsigned, unsigned,
                   unsigned shared_bytes, void*, void** parameters, void**) {
    if (card().trouble) return card().trouble;
    ++card().launches;
    if (fault("crash")) std::raise(SIGKILL);
    if (fault("hang"))
        for (;;) pause();
    std::vector<void*> arrays;
    std::vector<long long> bytes;
    for (const auto& [address, size] : card().memory) {
        arrays.push_back(address);
        bytes.push_back(size);
    }
    const char* wrong = reinterpret_cast<Start>(function)(parameters, tiles, static_cast<int>(threads),
                                                          static_cast<int>(shared_bytes), arrays.data(),
                                                          bytes.data(), static_cast<int>(arrays.size()));
    if (*wrong) std::fprintf(stderr, "%s\n", wrong);
    if (*wrong || fault("illegal")) card().trouble = kIllegalAddress;
    return 0;
}

}  // extern "C"
