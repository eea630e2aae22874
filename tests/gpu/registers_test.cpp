// What the kernels of the paper's examples need of a card: a golden table, compared with tolerances because
// the compiler's next version may give a register more. Of compile times it is the share that is compared:
// of the median of the same run, in seconds of a core, so that neither the machine nor its load counts.
// BLOCKSCOPE_UPDATE=1 writes the table again.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "core/fusion/trace.h"
#include "core/safety/safety.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/gpu/for_cards.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using gpu::KernelSet;

constexpr const char* kGolden = BLOCKSCOPE_SOURCE_DIR "/tests/gpu/golden/registers.txt";
constexpr int kRegisters = 24;  // more or fewer than in the table
constexpr double kShare = 4;    // times as long, or as short, against the others, as in the table

struct Row {
    int threads = 0;
    int shared_bytes = 0;
    int registers = 0;
    int spilled = 0;
    double seconds = 0;  // of a core that compiling took
};

// "attention sm_80 kernel_1" -> what it needs.
std::map<std::string, Row> read_table() {
    std::map<std::string, Row> table;
    std::ifstream in(kGolden);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string sample, card, kernel;
        Row row;
        if (line[0] == '#' || !(words >> sample >> card >> kernel)) continue;
        words >> row.threads >> row.shared_bytes >> row.registers >> row.spilled >> row.seconds;
        table[sample + " " + card + " " + kernel] = row;
    }
    return table;
}

void write_table(const std::map<std::string, Row>& table) {
    std::ofstream out(kGolden);
    out << "# sample, card, kernel: threads, shared memory (bytes), registers, bytes spilled; seconds of a "
           "core that\n"
           "# compiling took, whose shares of their median are compared\n"
        << std::fixed << std::setprecision(2);
    for (const auto& [name, row] : table)
        out << name << ' ' << row.threads << ' ' << row.shared_bytes << ' ' << row.registers << ' '
            << row.spilled << ' ' << row.seconds << '\n';
}

double median_seconds(const std::map<std::string, Row>& table) {
    std::vector<double> seconds;
    for (const auto& [name, row] : table) seconds.push_back(row.seconds);
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
}

// What this thread alone has computed.
double core_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

KernelSet fused(const std::string& sample, const std::string& card) {
    return for_card(make_safe(*fuse(block_sample(sample)).last()).program, card);
}

// Before anything is compiled: near enough for the thread blocks that a multiprocessor holds at once.
TEST(ExpectedRegisters, AreNearThoseOfTheTable) {
    const std::map<std::string, Row> table = read_table();
    std::size_t found = 0;
    for (const auto& [name, row] : table) {
        std::istringstream words(name);
        std::string sample, card, kernel;
        words >> sample >> card >> kernel;
        const KernelSet set = fused(sample, card);
        const gpu::ProcessorLimits limits = gpu::limits_of(*gpu::capability_of(card));
        for (const gpu::Launch& launch : set.launches) {
            if (launch.kernel != kernel) continue;
            ++found;
            EXPECT_NEAR(launch.registers, row.registers, 64) << name;
            const gpu::KernelNeeds expected = gpu::needs_of(launch, nullptr);
            EXPECT_EQ(expected.registers, launch.registers);
            EXPECT_EQ(gpu::blocks_per_processor(limits, expected),
                      gpu::blocks_per_processor(limits, {row.threads, row.registers, row.shared_bytes}))
                << name;
        }
    }
    EXPECT_EQ(found, table.size());
    EXPECT_GT(found, 0U);
}

class CompiledForCards : public testing::Test {
protected:
    void SetUp() override {
        if (!nvrtc_) GTEST_SKIP() << nvrtc_.report();
    }

    struct One {
        std::string sample, card;
        KernelSet set;
        std::optional<Result<gpu::Compiled>> compiled;
        double seconds = 0;  // of a core
    };

    static void add_rows(const One& one, std::map<std::string, Row>& table) {
        const auto& [sample, card, set, result, seconds] = one;
        const Result<gpu::Compiled>& compiled = *result;
        ASSERT_TRUE(compiled) << sample << ", " << card << ": " << compiled.problems().at(0).message;
        EXPECT_TRUE(compiled->warnings.empty()) << sample << ": " << compiled->warnings.at(0);
        ASSERT_EQ(compiled->kernels.size(), set.launches.size());
        for (const gpu::KernelReport& kernel : compiled->kernels)
            for (const gpu::Launch& launch : set.launches)
                if (launch.kernel == kernel.kernel)
                    table[sample + " " + card + " " + kernel.kernel] = {
                        launch.threads, launch.shared_bytes, kernel.registers, kernel.spill_stores, seconds};
    }

    void compile_all(std::vector<One>& all) const {
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t i = next++; i < all.size(); i = next++) {
                const double start = core_seconds();
                all[i].compiled = nvrtc_.compile(source(all[i].set), all[i].card);
                all[i].seconds = core_seconds() - start;
            }
        };
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
            threads.emplace_back(work);
        for (std::thread& thread : threads) thread.join();
    }

    const gpu::Nvrtc nvrtc_ = gpu::Nvrtc::open();
};

// As many at once as there are cores.
TEST_F(CompiledForCards, ThePapersExamplesNeedWhatTheTableSays) {
    const bool update = std::getenv("BLOCKSCOPE_UPDATE") != nullptr;
    const std::vector<int> known = nvrtc_.architectures();
    std::map<std::string, Row> found;
    std::vector<One> all;
    for (const std::string card : kCards) {
        if (std::find(known.begin(), known.end(), std::stoi(card.substr(3))) == known.end()) {
            std::printf("%s: not known to NVRTC %s\n", card.c_str(), nvrtc_.version().c_str());
            continue;
        }
        for (const std::string sample : {"attention", "layernorm-matmul", "rmsnorm-swiglu"})
            all.push_back({sample, card, fused(sample, card), {}, 0});
    }
    compile_all(all);
    for (const One& one : all) add_rows(one, found);
    if (update) return write_table(found);
    std::map<std::string, Row> table = read_table();
    std::erase_if(table, [&](const auto& entry) { return found.count(entry.first) == 0; });
    ASSERT_FALSE(table.empty());
    const double median = median_seconds(found), median_then = median_seconds(table);
    for (const auto& [name, row] : found) {
        const auto expected = table.find(name);
        ASSERT_NE(expected, table.end()) << name;
        EXPECT_EQ(row.threads, expected->second.threads) << name;
        EXPECT_EQ(row.shared_bytes, expected->second.shared_bytes) << name;
        EXPECT_NEAR(row.registers, expected->second.registers, kRegisters) << name;
        EXPECT_NEAR(row.spilled, expected->second.spilled, 64) << name;
        const double share = row.seconds / median, then = expected->second.seconds / median_then;
        EXPECT_LT(share, kShare * then) << name << ": " << row.seconds << " s, median " << median;
        EXPECT_GT(share, then / kShare) << name << ": " << row.seconds << " s, median " << median;
    }
    for (const auto& [name, row] : found)
        if (name.find(" sm_80 ") != std::string::npos || name.find(" sm_90a ") != std::string::npos) {
            EXPECT_EQ(row.spilled, 0) << name;
        }
}

}  // namespace
}  // namespace blockscope::test
