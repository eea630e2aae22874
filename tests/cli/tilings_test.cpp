// blockscope-cli tilings: the funnel, candidates, the search, tables of times, figures, and what is refused.
#include <gmock/gmock.h>
#include <map>

#include <filesystem>
#include <fstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const kPaper =
    "dim M = 1024\ndim N = 1024\ndim K = 512\ndim H = 512\ninput A[M,K], B[K,N], D[N,H] : f16\n"
    "C = A @ B\noutput E = C @ D\n";

TEST(TilingsCommand, ShowsThePapersFunnel) {
    const Outcome shown = run_cli({"tilings", "-"}, kPaper);
    EXPECT_THAT(shown, ends(0, {"NVIDIA A100 PCIe 40 GB: 108 processors", "C[m,n] sums over k",
                                "26 expressions: 24 deep, 2 flat", "26 · 64 · 64 · 32 · 32 = 109,051,904",
                                "20,971,520", "12,582,912", "5,292", "2,253", "57.4%",
                                "mhn(k(L_A,L_B,C_C),L_D,C_E,S_E)", "mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)",
                                "m(L_A,h(n(L_B,C_C,L_D,C_E),S_E))"}));
    EXPECT_THAT(shown.out, Not(HasSubstr("nmkh")));
    EXPECT_THAT(run_cli({"tilings", "-", "--expressions", "--same", "subtiling"}, kPaper),
                ends(0, {"nmkh", "2: partial C", "1: as mhnk", "12,582,912", "8,388,608", "step 5, proven",
                         "step 5, grid turned, proven"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--deep"}, kPaper), ends(0, {"24 expressions: 24 deep, 0 flat"}));
}

TEST(TilingsCommand, SaysWhatDropsACandidate) {
    EXPECT_THAT(run_cli({"tilings", "-", "--candidate", "mhnk m=48 n=64 k=64 h=64"}, kPaper),
                ends(0, {"dropped by rule 3: tiles of 48 pad m = 1024 by 3.1%"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--candidate", "mhnk m=64 n=64 k=64 h=64", "--json"}, kPaper),
                ends(0, {"\"dropped_by\": null", "\"statement\": \"L_A\"", "\"runs\": 16384"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--candidate", "mhnk m=7"}, kPaper),
                ends(3, {}, {"multiples of 16"}));
}

TEST(TilingsCommand, PrintsJson) {
    const Outcome json = run_cli({"tilings", "--workload", "s6", "--json"});
    EXPECT_THAT(json, ends(0, {"\"blockscope\": \"tilings\"", "\"text\": \"mhnk\"",
                               "\"default\": \"mhn(k(L_Q,L_Keys,C_S),L_V,C_O,S_O)\"", "\"flat\": true",
                               "\"left\": 166400", "\"left\": 291", "\"dropped_by\": 4",
                               "\"alpha\": ", "\"tiles\": {"}));
}

TEST(TilingsCommand, ReadsAllWorkloads) {
    EXPECT_THAT(run_cli({"tilings", "--workload", "all"}),
                ends(0, {"G12", "S9", "3,033", "Ansor", "2.70x", "FlashAttention"}));
}

// Times from a table: what stands at "null" or is missing cannot run.
TEST(TilingsCommand, SearchesInATable) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "tilings-times.txt";
    const std::filesystem::path saved = std::filesystem::path(testing::TempDir()) / "tilings-saved.txt";
    std::ofstream(file) << "# of a machine\nmhnk m=32 n=16 k=64 h=32: 2e-05\nmhnk m=64 n=16 k=64 h=32: null\n"
                           "hmnk m=32 n=16 k=64 h=32: 1e-05\nmn(k,h) m=32 n=16 k=64 h=32: 4e-05\n";
    const std::vector<std::string> command{
        "tilings",      "--workload", "G1",     "--measure",   "table:" + file.string(),
        "--exhaustive", "--search",   "--save", saved.string()};
    EXPECT_THAT(run_cli(command), ends(0, {"Algorithm 1, seed 1",
                                           "best ever seen:", "Estimates against 3 measured", "cannot run"}));
    std::ifstream read(saved);
    const std::string text{std::istreambuf_iterator<char>(read), {}};
    EXPECT_THAT(text, HasSubstr("hmnk m=32 n=16 k=64 h=32: 1e-05\n"));
    EXPECT_THAT(text, HasSubstr("mhnk m=64 n=16 k=64 h=32: null\n"));
    std::vector<std::string> plot = command;
    plot.insert(plot.end(), {"--plot", "fig11"});
    EXPECT_THAT(run_cli(plot), ends(0, {"<svg", "<circle", "estimated against measured: Pearson"}));
    std::ofstream(file) << "mhnk m=32 n=16 k=64 h=32\n";
    EXPECT_THAT(run_cli(command), ends(3, {}, {"expected a candidate, a colon and its seconds"}));
}

TEST(TilingsCommand, MeasuresOnTheProcessor) {
    const std::string text =
        "dim M = 32\ndim N = 32\ndim K = 16\ndim H = 16\ninput A[M,K], B[K,N], D[N,H]\nC = A @ B\noutput E = "
        "C @ D\n";
    EXPECT_THAT(run_cli({"tilings", "-", "--device", "xeon-8480", "--measure", "cpu", "--exhaustive",
                         "--threads", "1"},
                        text),
                ends(0, {"Estimates against 12 measured", "Spearman"}));
}

TEST(TilingsCommand, PlotsSpeedUps) {
    EXPECT_THAT(run_cli({"tilings", "--workload", "all", "--plot", "fig8"}),
                ends(0, {"<svg", "S9", "<rect"}));
}

TEST(TilingsCommand, RefusesWhatItCannotDo) {
    const std::string norm = "dim M = 32\ninput A[M,M], B[M,M]\noutput C = rmsnorm(A) @ B\n";
    EXPECT_THAT(run_cli({"tilings", "-"}, norm),
                ends(3, {}, {"a chain has products with softmax", "no rmsnorm"}));
    EXPECT_THAT(run_cli({"tilings"}), ends(2, {}, {"tilings takes FILE or --workload NAME"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G13"}), ends(2, {}, {"there is no workload 'G13'"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--search"}), ends(2, {}, {"say --measure cpu"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--search", "--measure", "x"}),
                ends(2, {}, {"--measure is cpu or table:FILE"}));
    for (const auto& [options, why] : std::map<std::vector<std::string>, std::string>{
             {{"G1", "--measure", "cpu"}, "--search or --exhaustive which candidates"},
             {{"G1", "--measure", "x"}, "--measure is cpu or table:FILE"},
             {{"G1", "--save", "table.txt"}, "--save writes what"},
             {{"all", "--search", "--measure", "cpu"}, "one workload is measured at a time"},
             {{"G1", "--search", "--measure", "cpu", "--candidate", "mhnk"}, "--candidate explains"}}) {
        std::vector<std::string> command{"tilings", "--workload"};
        command.insert(command.end(), options.begin(), options.end());
        EXPECT_THAT(run_cli(command), ends(2, {}, {why}));
    }
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--one", "z"}), ends(2, {}, {"no loop 'z'"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--plot", "fig11"}),
                ends(2, {}, {"--exhaustive or --search"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--device", "nowhere"}),
                ends(5, {}, {"there is no device"}));
}

}  // namespace
}  // namespace blockscope::test
