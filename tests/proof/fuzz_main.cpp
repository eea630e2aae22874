// blockscope-fuzz N SEED: proves every step of the random programs SEED, SEED+1, ..., SEED+N-1.
// Exit codes: 0 all proven, 2 usage, 4 a mismatch.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/rules/rule.h"
#include "tests/proof/report.h"

namespace {

using namespace blockscope;
using Clock = std::chrono::steady_clock;

struct Arguments {
    std::uint64_t count = 0;
    std::uint64_t seed = 0;
    bool report = true;  // reduce and print failures; else stop at the first one without a word
};

bool parse_number(const char* text, std::uint64_t& number) {
    char* end = nullptr;
    number = std::strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

bool parse(int count, char** texts, Arguments& arguments) {
    if (count == 4 && std::strcmp(texts[3], "--detect") == 0)
        arguments.report = false;
    else if (count != 3)
        return false;
    return parse_number(texts[1], arguments.count) && parse_number(texts[2], arguments.seed);
}

class Run {
public:
    explicit Run(const Arguments& arguments) : arguments_(arguments), start_(Clock::now()) {}

    int execute() {
        std::vector<std::thread> threads;
        const unsigned cores = arguments_.report ? std::max(1U, std::thread::hardware_concurrency()) : 1;
        for (unsigned i = 0; i < cores; ++i) threads.emplace_back([this] { work(); });
        for (std::thread& thread : threads) thread.join();
        if (!arguments_.report) return failures_ > 0 ? 4 : 0;
        show_progress(true);
        summarise();
        return failures_ > 0 ? 4 : 0;
    }

private:
    static constexpr int kMostFailures = 5;

    void work() {
        CheckOptions options;
        options.listing = true;
        while (failures_ < (arguments_.report ? kMostFailures : 1)) {
            const std::uint64_t at = next_++;
            if (at >= arguments_.count) return;
            Statistics statistics;
            const std::uint64_t seed = arguments_.seed + at;
            const std::optional<Failure> failure = check_seed(seed, options, statistics);
            std::string report;
            if (failure && arguments_.report) report = failure_report(seed, *failure, options);
            const std::lock_guard lock(mutex_);
            sum_.add(statistics);
            if (failure) ++failures_;
            if (!report.empty()) std::printf("\n%s\n", report.c_str());
            if (arguments_.report) show_progress(false);
        }
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    void show_progress(bool last) {
        if (!isatty(2) || (!last && seconds() < shown_ + 0.2)) return;
        shown_ = seconds();
        std::fprintf(stderr, "\r%ld of %llu programs, %ld steps proven, %.0f s%s", sum_.programs,
                     static_cast<unsigned long long>(arguments_.count), sum_.steps, shown_,
                     last ? "\n" : " ");
    }

    void summarise() const {
        const double programs = static_cast<double>(std::max(1L, sum_.programs));
        std::printf("%ld programs from seed %llu, %ld steps proven, %.0f s\n", sum_.programs,
                    static_cast<unsigned long long>(arguments_.seed), sum_.steps, seconds());
        std::printf("%ld random orders ended with no match left, %ld safe forms and %ld listings executed\n",
                    sum_.walks_ended, sum_.safe_forms, sum_.listings);
        std::printf("%-6s %12s %22s\n", "rule", "applications", "per 100,000 programs");
        for (const Rule& rule : rules()) {
            const auto found = sum_.applied.find(rule.id);
            const long count = found == sum_.applied.end() ? 0 : found->second;
            std::printf("%-6s %12ld %22.0f\n", to_string(rule.id).c_str(), count,
                        static_cast<double>(count) * 100000 / programs);
        }
        if (failures_ == 0)
            std::printf("no mismatch\n");
        else
            std::printf("%d programs failed\n", failures_.load());
    }

    Arguments arguments_;
    Clock::time_point start_;
    std::atomic<std::uint64_t> next_{0};
    std::atomic<int> failures_{0};
    std::mutex mutex_;
    Statistics sum_;
    double shown_ = 0;
};

}  // namespace

int main(int count, char** texts) {
    Arguments arguments;
    if (!parse(count, texts, arguments)) {
        std::fprintf(stderr,
                     "usage: blockscope-fuzz N SEED [--detect]\n"
                     "  proves every step of N random programs; --detect: only the exit code, 4 at the first "
                     "mismatch\n");
        return 2;
    }
    return Run(arguments).execute();
}
