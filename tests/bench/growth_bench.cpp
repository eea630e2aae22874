// How the command line grows with its programs: time and memory of whole processes, reading, checking and
// printing included. `--family NAME`, as often as wanted, runs these families only.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/bench/summary.h"

namespace {

namespace fs = std::filesystem;

using Lines = std::string (*)(int);

// X, exp(X), exp(exp(X)), ...: all become one operator.
std::string chain(int count) {
    std::string text = "dim M = 64 / 32\ndim N = 64 / 32\ninput X[M, N] : f32\nx0 = exp(X)\n";
    for (int i = 1; i < count; ++i)
        text += "x" + std::to_string(i) + " = exp(x" + std::to_string(i - 1) + ")\n";
    return text + "output x" + std::to_string(count - 1) + "\n";
}

std::string products(int count) {
    std::string text = "dim M = 64 / 32\ndim N = 64 / 32\ndim K = 64 / 32\n";
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        text +=
            "input A" + n + "[M, K], B" + n + "[K, N] : f32\noutput C" + n + " = A" + n + " @ B" + n + "\n";
    }
    return text;
}

std::string attention(const std::string& n, const std::string& queries) {
    return "input K" + n + "[N, D], V" + n + "[N, D] : f32\nS" + n + " = " + queries + " @ K" + n +
           ".T * D^-0.5\nP" + n + " = softmax(S" + n + ")\nO" + n + " = P" + n + " @ V" + n + "\n";
}

const char* const kAttentionDims = "dim M = 64 / 32\ndim N = 64 / 32\ndim D = 64 / 32\n";

std::string attentions(int count) {
    std::string text = kAttentionDims;
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        text += "input Q" + n + "[M, D] : f32\n" + attention(n, "Q" + n) + "output O" + n + "\n";
    }
    return text;
}

// Each takes the result of the one before as its queries.
std::string attention_sequence(int count) {
    std::string text = std::string(kAttentionDims) + "input Q[M, D] : f32\n";
    for (int i = 0; i < count; ++i)
        text += attention(std::to_string(i), i == 0 ? "Q" : "O" + std::to_string(i - 1));
    return text + "output O" + std::to_string(count - 1) + "\n";
}

struct Family {
    const char* name;
    const char* what;
    const char* command;
    Lines program;
    std::vector<int> sizes;  // the last is that of the goal
};

constexpr double kGoalSeconds = 10;
constexpr double kGoalMegabytes = 2000;

const std::vector<Family>& families() {
    static const std::vector<Family> kFamilies = {
        {"chain", "elementwise operators, one after the other", "fuse", chain, {2500, 5000, 10000, 20000}},
        {"products", "independent products", "fuse", products, {625, 1250, 2500, 5000}},
        {"matches", "independent products", "matches", products, {625, 1250, 2500, 5000}},
        {"attentions", "independent attentions", "fuse", attentions, {32, 80, 200, 500, 1000}},
        {"sequence", "attentions, one after the other", "fuse", attention_sequence, {125, 250, 500, 1000}},
        {"trace", "elementwise operators, one after the other", "replay", chain, {1000, 2000, 4000, 8000}},
    };
    return kFamilies;
}

struct Measured {
    double seconds = 0;    // of the processor
    double megabytes = 0;  // at most resident
    bool fine = false;
};

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// What is printed goes to `output`.
Measured run(const char* command, const fs::path& program, const std::vector<std::string>& options = {},
             const fs::path& output = "/dev/null") {
    std::vector<std::string> words = {BLOCKSCOPE_CLI, command, program.string()};
    words.insert(words.end(), options.begin(), options.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (std::freopen(output.c_str(), "w", stdout) == nullptr) _exit(126);
        execv(BLOCKSCOPE_CLI, arguments.data());
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child) return {};
    return {seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
            static_cast<double>(usage.ru_maxrss) / 1000, WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

// What the command reads: the program, or for replay the trace of its fusion.
fs::path input_of(const Family& family, const fs::path& program) {
    if (std::string(family.command) != "replay") return program;
    const fs::path trace = fs::path(program).replace_extension("json");
    run("fuse", program, {"--all", "--format", "json"}, trace);
    return trace;
}

bool report(const Family& family, const fs::path& folder) {
    std::printf("%s (%s): %s\n", family.name, family.command, family.what);
    std::vector<std::pair<double, double>> times;
    std::vector<std::pair<double, double>> memory;
    Measured last;
    for (const int size : family.sizes) {
        const fs::path file = folder / (std::string(family.name) + std::to_string(size) + ".bp");
        std::ofstream(file) << family.program(size);
        last = run(family.command, input_of(family, file));
        if (!last.fine) {
            std::printf("  %6d  FAILED\n", size);
            return false;
        }
        std::printf("  %6d  %7.2f s  %6.0f MB\n", size, last.seconds, last.megabytes);
        times.emplace_back(size, std::max(last.seconds, 1e-3));
        memory.emplace_back(size, last.megabytes);
    }
    const bool met = last.seconds < kGoalSeconds && last.megabytes < kGoalMegabytes;
    std::printf("  time grows as n^%.2f, memory as n^%.2f   goal: under %.0f s and %.0f MB%s\n\n",
                blockscope::growth_exponent(times), blockscope::growth_exponent(memory), kGoalSeconds,
                kGoalMegabytes, met ? "" : "   MISSED");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> wanted;
    for (int i = 1; i + 1 < argc; ++i)
        if (argv[i] == std::string("--family")) wanted.emplace_back(argv[i + 1]);
    const fs::path folder = fs::temp_directory_path() / ("blockscope-growth-" + std::to_string(getpid()));
    fs::create_directories(folder);
    bool fine = true;
    for (const Family& family : families())
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), family.name) != wanted.end())
            fine = report(family, folder) && fine;
    fs::remove_all(folder);
    return fine ? 0 : 1;
}
