// blockscope-cli tilings of several workloads: every candidate of each measured, a file that is gone on with,
// and what the figures show as numbers.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/tilings/chain.h"
#include "core/tilings/search.h"
#include "core/tilings/workloads.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const kTilingsLittle =
    "dim M = 32\ndim N = 32\ndim K = 16\ndim H = 16\ninput A[M,K], B[K,N], D[N,H]\nC = A @ B\n"
    "output E = C @ D\n";

std::filesystem::path tilings_file(const std::string& name) {
    return std::filesystem::path(testing::TempDir()) / name;
}

std::string table_text(const std::filesystem::path& file) {
    std::ifstream read(file);
    return {std::istreambuf_iterator<char>(read), {}};
}

nlohmann::json tilings_json_of(const std::vector<std::string>& command, const std::string& program = {}) {
    const Outcome outcome = run_cli(command, program);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
}

// A line for each candidate that the rules keep, with a time that `of` makes of its estimate.
template <class Of>
std::string table_lines(const std::string& workload, const std::string& device, const Of& of) {
    std::string lines;
    const auto json = tilings_json_of({"tilings", "--workload", workload, "--device", device, "--json"});
    for (const auto& row : json["candidates"]) {
        if (!row["dropped_by"].is_null()) continue;
        std::string text = row["expression"].get<std::string>();
        for (const char* loop : {"m", "n", "k", "h"})
            text += " " + std::string(loop) + "=" + std::to_string(row["tiles"][loop].get<int>());
        lines += tilings::measured_line(text, of(row["seconds"].get<double>()));
    }
    return lines;
}

std::string table_head(const std::string& workload, const std::string& on) {
    const ArrayProgram program = tilings::workload_program(*tilings::find_workload(workload));
    return tilings::measured_head(
        tilings::measured_subject(workload, tilings::read_chain(program).value(), on));
}

std::size_t how_often(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

// One row for each workload, with what either model loses; a time that is the estimate ranks perfectly.
TEST(TilingsOfWorkloads, AreMeasuredExhaustively) {
    const auto file = tilings_file("tilings-two.txt");
    const auto same = [](double estimate) { return std::optional(estimate); };
    const auto turned = [](double estimate) { return std::optional(1e-9 / estimate); };
    std::ofstream(file) << "# of a machine\n"
                        << table_head("G1", "it") << table_lines("G1", "a100-pcie-40gb", same)
                        << table_head("S6", "it") << table_lines("S6", "a100-pcie-40gb", turned);
    std::vector<std::string> command{
        "tilings", "--workload", "G1,S6,G2", "--measure", "table:" + file.string(), "--exhaustive"};
    EXPECT_THAT(run_cli(command), ends(0, {"Every candidate measured", "747", "291",
                                           "G2: The table has no time of 966 of 966 candidates."}));
    command.push_back("--json");
    const auto rows = tilings_json_of(command).at("workloads");
    ASSERT_EQ(rows.size(), 3u);
    const auto &first = rows[0]["exhaustive"], &second = rows[1]["exhaustive"];
    EXPECT_EQ(first["candidates"], 747);
    EXPECT_EQ(first["ran"], 747);
    EXPECT_DOUBLE_EQ(first["ranking"]["spearman"].get<double>(), 1);
    EXPECT_NEAR(first["ranking"]["pearson"].get<double>(), 1, 1e-9);
    ASSERT_EQ(first["ranking"]["regret"].size(), 3u);
    EXPECT_EQ(first["ranking"]["regret"][2]["top"], 64);
    EXPECT_EQ(first["ranking"]["regret"][0]["regret"], 0);
    EXPECT_LT(first["own_ranking"]["spearman"].get<double>(), 1);
    EXPECT_NEAR(first["best"]["seconds"].get<double>(), rows[0]["best"]["seconds"].get<double>(), 1e-10);
    EXPECT_EQ(second["ran"], 291);
    EXPECT_DOUBLE_EQ(second["ranking"]["spearman"].get<double>(), -1);
    EXPECT_GT(second["ranking"]["regret"][0]["regret"].get<double>(), 0.1);
    EXPECT_EQ(rows[2]["exhaustive"]["ran"], 0);
    EXPECT_TRUE(rows[2]["exhaustive"]["ranking"].is_null());
    // One of them alone finds its own times in the file.
    EXPECT_EQ(tilings_json_of({"tilings", "--workload", "S6", "--measure", "table:" + file.string(),
                               "--exhaustive", "--json"})["measured"]
                  .size(),
              291u);
}

// A table has to say whose times it has, and of one machine.
TEST(TilingsOfWorkloads, NeedTablesThatTellThemApart) {
    const auto file = tilings_file("tilings-unclear.txt");
    const std::vector<std::string> command{
        "tilings", "--workload", "G1,G2", "--measure", "table:" + file.string(), "--exhaustive"};
    std::ofstream(file) << "mhnk m=32 n=16 k=64 h=32: 2e-05\n";
    EXPECT_THAT(run_cli(command), ends(2, {}, {"does not say whose times it has"}));
    std::ofstream(file) << table_head("G1", "cpu, 1 thread") << "mhnk m=32 n=16 k=64 h=32: 2e-05\n"
                        << table_head("G1", "cpu, all threads") << "mhnk m=32 n=16 k=64 h=32: 1e-05\n";
    EXPECT_THAT(run_cli(command), ends(2, {}, {"times of G1 of 2 kinds", "all threads"}));
}

// Ctrl-C keeps what is measured, each workload below its own head, and nothing is measured twice.
TEST(TilingsOfWorkloads, GoOnWhereTheyWereInterrupted) {
    const auto file = tilings_file("tilings-several.txt");
    const auto known = [](double) { return std::optional(0.125); };
    const std::string small = table_head("S6", "cpu, 1 thread") + table_lines("S6", "xeon-8480", known);
    std::ofstream(file) << small;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        static_cast<void>(std::freopen("/dev/null", "w", stdout));
        execl(BLOCKSCOPE_CLI, BLOCKSCOPE_CLI, "tilings", "--workload", "S6,G1", "--device", "xeon-8480",
              "--measure", "cpu", "--exhaustive", "--threads", "1", "--save", file.c_str(),
              static_cast<char*>(nullptr));
        _exit(127);
    }
    const std::size_t before = how_often(small, "\n");
    while (how_often(table_text(file), "\n") < before + 3 && waitpid(child, nullptr, WNOHANG) == 0)
        usleep(1000);
    kill(child, SIGINT);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 130);
    const std::string saved = table_text(file);
    const std::string head = table_head("G1", "cpu, 1 thread");
    ASSERT_EQ(saved.substr(0, small.size() + head.size()), small + head);
    EXPECT_EQ(how_often(saved, "# blockscope"), 2u);

    std::ofstream(file) << small << head << table_lines("G1", "xeon-8480", known);
    const std::vector<std::string> command{"tilings",   "--workload", "S6,G1",  "--device",
                                           "xeon-8480", "--measure",  "cpu",    "--exhaustive",
                                           "--threads", "1",          "--save", file.string()};
    const std::string whole = table_text(file);
    EXPECT_THAT(run_cli(command), ends(0, {"of the times were there already"}));
    EXPECT_EQ(table_text(file), whole);
    std::ofstream(file) << "mhnk m=32 n=32 k=16 h=16: 1\n";
    EXPECT_THAT(run_cli(command), ends(2, {}, {"does not say what it is of"}));
}

TEST(TilingsOfWorkloads, RefuseWhatWouldChangeNothing) {
    const std::vector<std::string> all{"tilings", "--workload", "G1,S2", "--measure", "cpu", "--exhaustive"};
    for (const auto& more : std::vector<std::vector<std::string>>{
             {"--search"}, {"--compare"}, {"--plot", "fig8"}, {"--plot", "fig11"}}) {
        std::vector<std::string> command = all;
        command.insert(command.end(), more.begin(), more.end());
        EXPECT_THAT(run_cli(command), ends(2, {}, {"of several workloads"})) << more.front();
    }
}

// ---- Figures as numbers.

TEST(TilingsFigures, AreNumbersOfSpeedUps) {
    const auto eighth = tilings_json_of({"tilings", "--workload", "G1,S1", "--plot", "fig8", "--json"});
    EXPECT_EQ(eighth["figure"], "fig8");
    EXPECT_EQ(eighth["measured"], false);
    EXPECT_THAT(eighth["content"].get<std::string>(), HasSubstr("<svg"));
    ASSERT_EQ(eighth["workloads"].size(), 2u);
    const auto& row = eighth["workloads"][1];
    EXPECT_EQ(row["name"], "S1");
    EXPECT_DOUBLE_EQ(row["speedup"].get<double>(),
                     row["unfused_seconds"].get<double>() / row["fused_seconds"].get<double>());
    EXPECT_DOUBLE_EQ(row["deep_speedup"].get<double>(),
                     row["unfused_seconds"].get<double>() / row["deep_seconds"].get<double>());
    const auto table = tilings_json_of({"tilings", "--workload", "S1,G1", "--json"});
    EXPECT_EQ(row["fused_seconds"], table["workloads"][0]["best"]["seconds"]);

    const auto ninth = tilings_json_of({"tilings", "--workload", "all", "--plot", "fig9", "--json"});
    EXPECT_EQ(ninth["figure"], "fig9");
    EXPECT_EQ(ninth["networks"], table["networks"]);
    EXPECT_EQ(ninth["paper_over_relay"], 1.45);
}

TEST(TilingsFigures, AreNumbersOfSearches) {
    const std::vector<std::string> search{
        "tilings",   "--workload", "S7,S7",        "--device", "xeon-8480",  "--search", "--measure", "cpu",
        "--threads", "1",          "--population", "1",        "--measured", "1",        "--json"};
    std::vector<std::string> plot = search;
    plot.insert(plot.end(), {"--plot", "tuning"});
    const auto tuning = tilings_json_of(plot);
    EXPECT_EQ(tuning["figure"], "tuning");
    ASSERT_EQ(tuning["workloads"].size(), 2u);
    for (const auto& row : tuning["workloads"]) {
        EXPECT_EQ(row["name"], "S7");
        EXPECT_GT(row["tuning_seconds"].get<double>(), 0);
        EXPECT_GT(row["deep_tuning_seconds"].get<double>(), 0);
        EXPECT_GE(row["measurements"].get<int>(), 1);
    }
}

TEST(TilingsFigures, AreNumbersOfPredictions) {
    const auto file = tilings_file("tilings-figure.txt");
    std::ofstream(file) << "mhnk m=32 n=16 k=64 h=32: 2e-05\nmhnk m=64 n=16 k=64 h=32: null\n"
                           "hmnk m=32 n=16 k=64 h=32: 1e-05\nmn(k,h) m=32 n=16 k=64 h=32: 4e-05\n";
    const auto figure = tilings_json_of({"tilings", "--workload", "G1", "--measure", "table:" + file.string(),
                                         "--exhaustive", "--plot", "fig11", "--json"});
    EXPECT_EQ(figure["figure"], "fig11");
    ASSERT_EQ(figure["points"].size(), 3u);
    for (const auto& point : figure["points"]) {
        EXPECT_GT(point["estimate"].get<double>(), 0);
        EXPECT_GT(point["own_estimate"].get<double>(), 0);
        if (point["candidate"] == "hmnk m=32 n=16 k=64 h=32") {
            EXPECT_EQ(point["seconds"], 1e-05);
        }
    }
    EXPECT_EQ(figure["ranking"]["count"], 3);
    EXPECT_EQ(figure["own_ranking"]["count"], 3);
}

// ---- Sizes of a file's dimensions.

TEST(TilingsCommandSet, GivesOtherSizes) {
    const auto json =
        tilings_json_of({"tilings", "-", "--set", "M=64", "--set", "H=48", "--json"}, kTilingsLittle);
    std::vector<int> sizes;
    for (const auto& loop : json["loops"]) sizes.push_back(loop["size"].get<int>());
    EXPECT_EQ(sizes, (std::vector<int>{64, 32, 16, 48}));
    EXPECT_EQ(json["funnel"][0]["left"], 26 * 4 * 2 * 1 * 3);
    EXPECT_THAT(run_cli({"tilings", "-", "--set", "Z=64"}, kTilingsLittle), ends(2, {}, {"Z"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--set", "M=64"}),
                ends(2, {}, {"--set is for FILE"}));
}

}  // namespace
}  // namespace blockscope::test
