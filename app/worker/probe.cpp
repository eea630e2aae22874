#include "app/worker/probe.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

#include "app/worker/predict.h"
#include "core/engine/cpu_program.h"
#include "core/json/device_files.h"
#include "core/state/state.h"

namespace blockscope::worker {

namespace {

using measure::Cache;
using measure::Conditions;
using measure::Machine;

std::string first_line(const std::string& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

// The value of "key : value" in /proc/cpuinfo or /proc/meminfo; the first one.
std::string value_of(const std::string& file, const std::string& key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (line.compare(0, key.size(), key) != 0) continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || line.find_first_not_of(" \t", key.size()) != colon) continue;
        const std::size_t start = line.find_first_not_of(" \t", colon + 1);
        return start == std::string::npos ? std::string() : line.substr(start);
    }
    return {};
}

std::int64_t kilobytes(const std::string& key) {
    return 1024 * std::strtoll(value_of("/proc/meminfo", key).c_str(), nullptr, 10);
}

std::int64_t size_in_bytes(const std::string& text) {
    char* end = nullptr;
    const std::int64_t number = std::strtoll(text.c_str(), &end, 10);
    if (*end == 'K') return number * 1024;
    if (*end == 'M') return number * 1024 * 1024;
    return number;
}

std::vector<Cache> caches() {
    std::vector<Cache> result;
    for (int i = 0; i < 16; ++i) {
        const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
        const std::string level = first_line(folder + "level");
        if (level.empty()) break;
        result.push_back({static_cast<int>(std::strtol(level.c_str(), nullptr, 10)),
                          first_line(folder + "type"), size_in_bytes(first_line(folder + "size"))});
    }
    return result;
}

std::vector<std::string> instruction_sets() {
    static const char* const kNames[] = {"sse4_2",      "avx",         "avx2",        "fma",
                                         "f16c",        "avx512f",     "avx512bw",    "avx512vl",
                                         "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile",
                                         "amx_bf16",    "asimd",       "sve",         "bf16"};
    std::string flags = value_of("/proc/cpuinfo", "flags");
    if (flags.empty()) flags = value_of("/proc/cpuinfo", "Features");  // as ARM calls them
    std::istringstream words(flags);
    std::vector<std::string> found;
    for (std::string word; words >> word;)
        if (std::find(std::begin(kNames), std::end(kNames), word) != std::end(kNames)) found.push_back(word);
    return found;
}

int usable_cores() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

Machine this_machine() {
    Machine machine;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    machine.host = host;
    machine.cpu = value_of("/proc/cpuinfo", "model name");
    machine.cores = usable_cores();
    machine.caches = caches();
    machine.isa = instruction_sets();
    machine.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    machine.memory_bytes = kilobytes("MemTotal");
    utsname system{};
    if (uname(&system) == 0)
        machine.os = std::string(system.sysname) + " " + system.release + " " + system.machine;
    machine.program = BLOCKSCOPE_VERSION;
    return machine;
}

Conditions current_conditions() {
    Conditions conditions;
    double load[1] = {0};
    if (getloadavg(load, 1) == 1) conditions.load = load[0];
    conditions.clock_ghz = clock_ghz();
    conditions.free_bytes = kilobytes("MemAvailable");
    return conditions;
}

std::optional<double> busy_seconds(const std::string& line, double ticks_per_second) {
    std::istringstream words(line);
    std::string name;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, stolen = 0;
    if (!(words >> name >> user >> nice >> system >> idle) || name != "cpu") return std::nullopt;
    words >> waiting >> interrupts >> soft >> stolen;  // older systems have fewer
    return (user + nice + system + interrupts + soft + stolen) / ticks_per_second;
}

std::optional<measure::CpuTimes> cpu_times() {
    const auto seconds = [](clockid_t clock) {
        timespec time{};
        clock_gettime(clock, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const std::optional<double> busy =
        busy_seconds(first_line("/proc/stat"), static_cast<double>(sysconf(_SC_CLK_TCK)));
    if (!busy) return std::nullopt;
    return measure::CpuTimes{seconds(CLOCK_MONOTONIC), *busy, seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

double clock_ghz() {
#if defined(__x86_64__) || defined(__aarch64__)
    using SteadyClock = std::chrono::steady_clock;
    constexpr int kSteps = 20000;
    constexpr int kUnrolled = 16;
    double best = 0;
    for (int repetition = 0; repetition < 10; ++repetition) {
        std::uint64_t x = 1;
        std::uint64_t y = 3;
        const SteadyClock::time_point start = SteadyClock::now();
        for (int i = 0; i < kSteps; ++i) {
#pragma GCC unroll 16
            for (int j = 0; j < kUnrolled; ++j) {
#if defined(__x86_64__)
                asm volatile("add %1, %0" : "+r"(x) : "r"(y));
#else
                asm volatile("add %0, %0, %1" : "+r"(x) : "r"(y));
#endif
            }
        }
        const double seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
        best = std::max(best, static_cast<double>(kSteps) * kUnrolled / seconds * 1e-9);
    }
    return best;
#else
    return 0;
#endif
}

std::optional<Device> calibrated_cpu(const std::string& cpu) {
    const auto file = local_cpu_file();
    std::error_code error;
    if (file.empty() || !std::filesystem::exists(file, error)) return std::nullopt;
    Result<Device> device = read_device_file(file);
    if (!device || device->title != cpu) return std::nullopt;
    return std::move(device).value();
}

Form in_loops(LoopForm loops) {
    Form form;
    form.loops = loops;
    return form;
}

double predicted_seconds(const ProgramPtr& program, const Device& device, ElemType inputs, int threads,
                         LoopForm loops) {
    const State state(program, in_loops(loops));
    const StateWork work = engine_work(state.loops(), {inputs, ElemType::F32}, state.cost_basis());
    return predict(*find_time_model(kCpuModel), work, device, {.processors = threads, .warm = true}).seconds;
}

ModelSetting setting_of(const std::vector<measure::PreparedKernel>& kernels) {
    ModelSetting setting;
    for (const measure::PreparedKernel& kernel : kernels) {
        const auto [known, fresh] = setting.resident.emplace(kernel.node, kernel.resident);
        if (!fresh) known->second = std::min(known->second, kernel.resident);
        if (kernel.by_warps) setting.by_warps.insert(kernel.node);
        setting.computed_in.insert(kernel.computed_in.begin(), kernel.computed_in.end());
        if (kernel.parts > 1) setting.parts[kernel.node] = {kernel.parts, kernel.part_bytes, kernel.added};
    }
    return setting;
}

double predicted_on_card(const ProgramPtr& program, const Device& card, ElemType elem,
                         const std::string& model, const std::vector<measure::PreparedKernel>& kernels,
                         LoopForm loops) {
    const State state(program, in_loops(loops).kept_in(elem));
    const TimeModel* named = find_time_model(model);
    const TimeModel& found = named ? *named : *find_time_model(kCpuModel);
    if (kernels.empty()) return predict_as_built(found, state, card).seconds;
    return predict(found, state.work(), card, setting_of(kernels)).seconds;
}

}  // namespace blockscope::worker
