// The results file: nothing that was written is ever lost.
#include "core/measure/record.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace blockscope::test {
namespace {

using namespace measure;
namespace fs = std::filesystem;

// A folder that goes with the test.
class ResultsFile : public testing::Test {
protected:
    ResultsFile() {
        std::string pattern = (fs::temp_directory_path() / "blockscope-results-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        file_ = (folder_ / "some" / "results.jsonl").string();
    }
    ~ResultsFile() override { fs::remove_all(folder_); }

    std::string contents() const {
        std::ifstream stream(file_, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    fs::path folder_;
    std::string file_;
};

Record record(int number) {
    Record record;
    record.time = "2026-01-31T12:34:56Z";
    record.subject.program = "attention \"fused\"";
    record.subject.state = "snapshot " + std::to_string(number);
    record.subject.dims = {{"M", 4096, 128, DimKind::Blocked}};
    record.subject.elem = "f32";
    record.seed = static_cast<std::uint64_t>(number);
    record.check = Check{1e-6, 1e-4, "all", true};
    record.warm = Timing{summarize({1, 2, 3, 4, 5, 6, 7}), {false, 3, false, 1.75e9}, 12, 2.5e-6};
    record.cold = Timing{summarize({2, 3, 4}), {true, 0, true, 1e9}};
    record.kernels = {1e-3, 2.5e-6};
    record.against = Against{"step 0", "0123456789abcdef", {0.5, {0.4, 0.6}, 0.95, 25}};
    record.predicted_seconds = 3.5;
    record.model = "calibrated";
    record.prepared = "2 threads, AVX-512";
    return record;
}

TEST_F(ResultsFile, ARecordIsReadAsItWasWritten) {
    const Record full = record(1);
    Record failed = record(2);
    failed.warm = failed.cold = std::nullopt;
    failed.check = std::nullopt;
    failed.kernels = {};
    failed.failure = Failure{FailureClass::Timeout, Text("too long"), "log\n"};
    ASSERT_FALSE(append_record(file_, full));
    ASSERT_FALSE(append_record(file_, failed));
    const Result<Results> results = read_results(file_);
    ASSERT_TRUE(results);
    EXPECT_EQ(results->records, (std::vector<Record>{full, failed}));
    EXPECT_EQ(results->unreadable, 0);
}

TEST_F(ResultsFile, NoFileHasNoResults) {
    const Result<Results> results = read_results(file_);
    ASSERT_TRUE(results);
    EXPECT_TRUE(results->records.empty());
}

TEST_F(ResultsFile, ALineThatACrashCutOffSpoilsNothingElse) {
    ASSERT_FALSE(append_record(file_, record(1)));
    const std::string whole = contents();
    for (const std::size_t kept : {std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
        std::ofstream(file_, std::ios::binary) << whole << whole.substr(0, kept);
        Result<Results> results = read_results(file_);
        ASSERT_TRUE(results);
        // A record whose newline alone is missing is whole.
        EXPECT_EQ(results->records.size(), kept == whole.size() - 1 ? 2U : 1U);
        ASSERT_FALSE(append_record(file_, record(2)));
        results = read_results(file_);
        ASSERT_TRUE(results);
        EXPECT_EQ(results->records.back(), record(2));
        EXPECT_EQ(results->unreadable, kept == whole.size() - 1 ? 0 : 1);
    }
}

TEST_F(ResultsFile, LinesOfALaterVersionAreLeftOut) {
    ASSERT_FALSE(append_record(file_, record(1)));
    std::string later = contents();
    later.replace(later.find("\"version\": 1"), 12, "\"version\": 2");
    std::ofstream(file_, std::ios::app) << later << "nonsense\n";
    const Result<Results> results = read_results(file_);
    ASSERT_TRUE(results);
    EXPECT_EQ(results->records.size(), 1U);
    EXPECT_EQ(results->unreadable, 2);
}

TEST_F(ResultsFile, TheNewestOfASubjectIsFound) {
    Record older = record(1);
    older.time = "2025-01-01T00:00:00Z";
    const Results results{{older, record(2), record(1)}, 0};
    const std::string key = subject_key(record(1).subject);
    ASSERT_NE(newest(results, key), nullptr);
    EXPECT_EQ(newest(results, key)->time, record(1).time);
    EXPECT_EQ(newest(results, "0000000000000000"), nullptr);
}

TEST_F(ResultsFile, WhereNothingCanBeWrittenIsSaid) {
    const auto problem = append_record("/proc/blockscope/results.jsonl", record(1));
    ASSERT_TRUE(problem);
    EXPECT_THAT(to_string(*problem),
                testing::HasSubstr("/proc/blockscope/results.jsonl: The results cannot be kept"));
}

// Appends for ever; after each record that is kept it tells its number through `told`.
[[noreturn]] void append_for_ever(const std::string& file, int first, int told) {
    for (int i = first;; ++i) {
        if (append_record(file, record(i))) _exit(1);
        if (write(told, &i, sizeof i) != sizeof i) _exit(1);
    }
}

TEST_F(ResultsFile, FiftyKillsLoseNothing) {
    std::mt19937 random(5);
    std::uniform_int_distribution<int> microseconds(0, 3000);
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    std::vector<int> kept;
    for (int kills = 0; kills < 50; ++kills) {
        const pid_t child = fork();
        if (child == 0) append_for_ever(file_, kills * 100000, told[1]);
        int number = 0;
        ASSERT_EQ(read(told[0], &number, sizeof number), ssize_t{sizeof number});
        kept.push_back(number);
        usleep(static_cast<useconds_t>(microseconds(random)));
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));
    }
    close(told[1]);
    for (int number = 0; read(told[0], &number, sizeof number) == sizeof number;) kept.push_back(number);
    close(told[0]);
    const Result<Results> results = read_results(file_);
    ASSERT_TRUE(results);
    std::vector<int> found;
    for (const Record& each : results->records) found.push_back(static_cast<int>(each.seed));
    EXPECT_THAT(found, testing::IsSupersetOf(kept));
    EXPECT_GE(kept.size(), 50U);
    EXPECT_LE(results->unreadable, 50);
}

}  // namespace
}  // namespace blockscope::test
