// blockscope-cli tilings: the funnel, candidates, the search, tables of times, figures, and what is refused.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const kPaper =
    "dim M = 1024\ndim N = 1024\ndim K = 512\ndim H = 512\ninput A[M,K], B[K,N], D[N,H] : f16\n"
    "C = A @ B\noutput E = C @ D\n";

const char* const kSmall =
    "dim M = 128\ndim N = 128\ndim K = 128\ndim H = 128\ninput A[M,K], B[K,N], D[N,H]\nC = A @ B\n"
    "output E = C @ D\n";
const char* const kTiny =
    "dim M = 32\ndim N = 32\ndim K = 16\ndim H = 16\ninput A[M,K], B[K,N], D[N,H]\nC = A @ B\n"
    "output E = C @ D\n";

TEST(TilingsCommand, ShowsThePapersFunnel) {
    const Outcome shown = run_cli({"tilings", "-"}, kPaper);
    EXPECT_THAT(shown,
                ends(0, {"NVIDIA A100 PCIe 40 GB: 108 processors", "C[m,n] sums over k",
                         "26 expressions: 24 deep, 2 flat", "26 · 64 · 64 · 32 · 32 = 109,051,904",
                         "20,971,520", "12,582,912", "5,292", "99.96%", "2,253", "57.4%", "paper", "26 → 5",
                         "or 38.9% with loaded tiles only", "mhn(k(L_A,L_B,C_C),L_D,C_E,S_E)",
                         "mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)", "m(L_A,h(n(L_B,C_C,L_D,C_E),S_E))"}));
    EXPECT_THAT(shown.out, Not(HasSubstr("nmkh")));
    // What the line below the table says of loaded tiles.
    EXPECT_THAT(run_cli({"tilings", "-", "--shared", "ABD"}, kPaper).out, HasSubstr("38.9%  "));
    EXPECT_THAT(run_cli({"tilings", "-", "--expressions", "--same", "subtiling"}, kPaper),
                ends(0, {"nmkh", "2: partial C", "1: as mhnk", "12,582,912", "8,388,608", "step 5, proven",
                         "step 5, grid turned, proven", "built, proven",
                         "No state of the fusion algorithm is mn(k,h), nm(k,h): no rule exchanges",
                         "(E along h)", "(C along n)"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--deep"}, kPaper), ends(0, {"24 expressions: 24 deep, 0 flat"}));
}

TEST(TilingsCommand, SaysWhatDropsACandidate) {
    EXPECT_THAT(run_cli({"tilings", "-", "--candidate", "mhnk m=48 n=64 k=64 h=64"}, kPaper),
                ends(0, {"dropped by rule 3: tiles of 48 pad m = 1024 by 3.1%"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--candidate", "mhnk m=64 n=64 k=64 h=64", "--json"}, kPaper),
                ends(0, {"\"dropped_by\": null", "\"statement\": \"L_A\"", "\"runs\": 16384", "\"phi\": [",
                         "\"memory_bound\": true"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--candidate", "mhnk m=256 n=256 k=64 h=64"}, kPaper),
                ends(0, {"phi as printed", "170.7           204.8     102.4  200.6    memory"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--candidate", "mhnk m=7"}, kPaper),
                ends(3, {}, {"multiples of 16"}));
}

TEST(TilingsCommand, PrintsJson) {
    const Outcome json = run_cli({"tilings", "--workload", "s6", "--json"});
    EXPECT_THAT(json, ends(0, {"\"blockscope\": \"tilings\"", "\"text\": \"mhnk\"",
                               "\"default\": \"mhn(k(L_Q,L_Keys,C_S),L_V,C_O,S_O)\"", "\"flat\": true",
                               "\"left\": 166400", "\"left\": 291", "\"dropped_by\": 4",
                               "\"alpha\": ", "\"tiles\": {", "\"own_seconds\": ", "\"built\": {",
                               "\"missing\": \"no rule exchanges"}));
}

TEST(TilingsCommand, ReadsAllWorkloads) {
    EXPECT_THAT(run_cli({"tilings", "--workload", "all"}),
                ends(0, {"G12", "S9", "3,033", "Ansor", "2.70x", "FlashAttention"}));
}

// The table of workloads and the whole networks tell one time of attention as separate kernels.
TEST(TilingsCommand, UnfusedAttentionHasASoftmaxOfItsOwn) {
    const Outcome outcome = run_cli({"tilings", "--workload", "S1,S2,S3,G1", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    ASSERT_EQ(json["networks"].size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_DOUBLE_EQ(json["workloads"][i]["unfused_seconds"].get<double>(),
                         json["networks"][i]["attention_unfused_seconds"].get<double>());
    // The two products take 27.9 us, the softmax 5.4 us.
    EXPECT_NEAR(json["workloads"][0]["unfused_seconds"].get<double>(), 33.2e-6, 0.1e-6);
}

// Four chained products: no expression has siblings that wait for each other.
TEST(TilingsCommand, ShowsEveryExpressionOfFourProducts) {
    const std::string four =
        "dim M = 32\ndim N = 32\ndim K = 32\ndim H = 32\ndim P = 32\ndim Q = 32\n"
        "input A[M,K], B[K,N], D[N,H], F[H,P], R[P,Q]\nC = A @ B\nE = C @ D\nG = E @ F\noutput S = G @ R\n";
    const Outcome shown = run_cli({"tilings", "-", "--expressions"}, four);
    EXPECT_THAT(shown, ends(0, {"1002 expressions: 720 deep, 282 flat"}));
    EXPECT_THAT(shown.out, Not(HasSubstr("mnp(kq,h)")));
}

// Every candidate that the search tells of is named, as those that are listed are.
TEST(TilingsCommand, ASearchNamesItsCandidates) {
    const Outcome outcome = run_cli(
        {"tilings", "-", "--device", "xeon-8480", "--measure", "cpu", "--search", "--threads", "1", "--json"},
        kTiny);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    std::set<std::string> known;
    for (const auto& candidate : json["candidates"]) {
        std::string text = candidate["expression"].get<std::string>();
        for (const char* loop : {"m", "n", "k", "h"})
            text += " " + std::string(loop) + "=" + std::to_string(candidate["tiles"][loop].get<int>());
        if (candidate["dropped_by"].is_null()) known.insert(text);
    }
    for (const auto& round : json["search"]["rounds"]) {
        std::set<std::string> population;
        for (const auto& one : round["population"]) population.insert(one.get<std::string>());
        for (const std::string& one : population) EXPECT_EQ(known.count(one), 1u) << one;
        for (const auto& one : round["measured"])
            EXPECT_EQ(population.count(one["candidate"].get<std::string>()), 1u) << one;
        for (const auto& one : round["mutations"]) {
            EXPECT_EQ(population.count(one["parent"].get<std::string>()), 1u) << one;
            EXPECT_EQ(known.count(one["child"].get<std::string>()), 1u) << one;
        }
    }
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
    EXPECT_THAT(run_cli(command),
                ends(0, {"Algorithm 1, seed 1", "best ever seen:", "Estimates against 3 measured",
                         "cannot run", "The table has no time of 743 of 747 candidates."}));
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

std::string contents(const std::filesystem::path& file) {
    std::ifstream read(file);
    return {std::istreambuf_iterator<char>(read), {}};
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// What a run has measured, another one does not measure again; a line that a crash has cut is.
TEST(TilingsCommand, GoesOnWhereItWasInterrupted) {
    const std::filesystem::path saved = std::filesystem::path(testing::TempDir()) / "tilings-resumed.txt";
    std::filesystem::remove(saved);
    const std::vector<std::string> command{"tilings",   "-",      "--device",     "xeon-8480",
                                           "--measure", "cpu",    "--exhaustive", "--threads",
                                           "1",         "--save", saved.string()};
    EXPECT_THAT(run_cli(command, kTiny), ends(0, {"Estimates against 12 measured"}));
    const std::string whole = contents(saved);
    EXPECT_EQ(lines_in(whole), 13u);
    EXPECT_THAT(whole,
                HasSubstr("# blockscope tilings <stdin>: m=32 n=32 k=16 h=16 batch=1, on cpu, 1 thread\n"));
    // Times that no machine has, and the last of them cut: they are not measured again.
    std::string changed;
    std::istringstream old(whole);
    for (std::string line; std::getline(old, line);)
        changed += line.front() == '#' ? line + "\n" : line.substr(0, line.rfind(": ")) + ": 0.125\n";
    changed.resize(changed.size() - 4);
    std::ofstream(saved) << changed;
    EXPECT_THAT(run_cli(command, kTiny),
                ends(0, {"11 of the times were in", "Estimates against 12 measured"}));
    const std::string again = contents(saved);
    EXPECT_EQ(lines_in(again), 13u);
    std::size_t kept = 0;
    for (std::size_t at = again.find(": 0.125\n"); at != std::string::npos;
         at = again.find(": 0.125\n", at + 1))
        ++kept;
    EXPECT_EQ(kept, 11u);
    EXPECT_THAT(run_cli(command, kSmall), ends(2, {}, {"goes on with a file of the same measurements"}));
    std::ofstream(saved) << "mhnk m=32 n=32 k=16 h=16: 1\n";
    EXPECT_THAT(run_cli(command, kTiny), ends(2, {}, {"does not say what it is of"}));
    std::ofstream(saved) << again << "xyz m=32 n=32 k=16 h=16: 1\n";
    EXPECT_THAT(run_cli(command, kTiny), ends(3, {}, {"there is no expression xyz"}));
}

TEST(TilingsCommand, LeavesAUsableFileOnCtrlC) {
    const std::filesystem::path folder(testing::TempDir());
    const std::filesystem::path saved = folder / "tilings-interrupted.txt";
    const std::filesystem::path program = folder / "tilings-interrupted.bp";
    std::filesystem::remove(saved);
    std::ofstream(program) << kSmall;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        static_cast<void>(std::freopen("/dev/null", "w", stdout));
        execl(BLOCKSCOPE_CLI, BLOCKSCOPE_CLI, "tilings", program.c_str(), "--device", "xeon-8480",
              "--measure", "cpu", "--exhaustive", "--threads", "1", "--save", saved.c_str(),
              static_cast<char*>(nullptr));
        _exit(127);
    }
    while (lines_in(contents(saved)) < 4 && waitpid(child, nullptr, WNOHANG) == 0) usleep(1000);
    kill(child, SIGINT);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 130);
    const std::size_t lines = lines_in(contents(saved));
    EXPECT_GE(lines, 4u);
    EXPECT_LT(lines, 769u);
    EXPECT_THAT(run_cli({"tilings", program.string(), "--device", "xeon-8480", "--measure", "cpu", "--search",
                         "--threads", "1", "--save", saved.string()}),
                ends(0, {"Algorithm 1"}));
    EXPECT_GE(lines_in(contents(saved)), lines);
}

TEST(TilingsCommand, SetsOurOwnStateBesideIt) {
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--compare"}),
                ends(0, {"Beside Blockscope's own best state", "ours: step", "times as fast, by our model"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--device", "xeon-8480", "--measure", "cpu", "--search", "--threads",
                         "1", "--compare", "--json"},
                        kTiny),
                ends(0, {"\"comparison\": {", "\"measured_seconds\": ", "\"why\": [", "\"own_ranking\": {"}));
}

// What stands beside the candidate is our best, not one that a glance has found. Searches begin at the block
// sizes of the file, so that they may end at others that are as good.
TEST(TilingsCommand, OursIsNoWorseThanWhatTuneFinds) {
    for (const std::string workload : {"g4", "s1"}) {
        const Outcome beside =
            run_cli({"tilings", "--workload", workload == "g4" ? "G4" : "S1", "--compare", "--json"});
        const Outcome tuned = run_cli({"tune", sample("mcfuser-" + workload + ".bp"), "--predict", "--device",
                                       "a100-pcie-40gb", "--json"});
        ASSERT_EQ(beside.code, 0) << beside.err;
        ASSERT_EQ(tuned.code, 0) << tuned.err;
        const auto ours = nlohmann::json::parse(beside.out)["comparison"]["own"]["own_seconds"].get<double>();
        const auto found = nlohmann::json::parse(tuned.out)["choices"][0]["seconds"].get<double>();
        EXPECT_LE(ours, found * 1.05) << workload;
    }
}

// Whatever runs on the processor, a card's estimates are of the whole card; and the readers are told.
TEST(TilingsCommand, ThreadsOfTheProcessorAreNoneOfACard) {
    const Outcome outcome =
        run_cli({"tilings", "-", "--measure", "cpu", "--search", "--threads", "1", "--json"}, kTiny);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["device"]["processors"], 108);
    EXPECT_EQ(json["measured_on"]["threads"], 1);
    EXPECT_THAT(json["measured_on"]["checked"].get<std::string>(),
                HasSubstr("elements against the float64 reference"));
    EXPECT_THAT(json["notes"].dump(), HasSubstr("The times are this processor's, the estimates those of"));
}

// One candidate has one time by our model, in the list and in the comparison.
TEST(TilingsCommand, OneThreadHasOnePrediction) {
    const Outcome outcome = run_cli({"tilings", "-", "--device", "xeon-8480", "--measure", "cpu", "--search",
                                     "--threads", "1", "--compare", "--json"},
                                    kTiny);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    const auto compared = json["comparison"]["candidate"];
    int found = 0;
    for (const auto& row : json["candidates"]) {
        std::string text = row["expression"].get<std::string>();
        for (const char* loop : {"m", "n", "k", "h"})
            text += " " + std::string(loop) + "=" + std::to_string(row["tiles"][loop].get<int>());
        if (text != compared["text"] || row.count("own_seconds") == 0) continue;
        ++found;
        EXPECT_DOUBLE_EQ(row["own_seconds"].get<double>(), compared["own_seconds"].get<double>());
    }
    EXPECT_EQ(found, 1);
}

TEST(TilingsCommand, MeasuresOnACard) {
    const std::vector<std::string> card{"BLOCKSCOPE_CUDA_DRIVER=" BLOCKSCOPE_FAKE_CUDA_LIBRARY,
                                        "BLOCKSCOPE_NVRTC=" BLOCKSCOPE_FAKE_NVRTC_LIBRARY,
                                        "XDG_CACHE_HOME=" BLOCKSCOPE_CUBIN_FOLDER};
    const std::vector<std::string> command{"tilings",      "-", "--search",   "--measure", "cuda0",
                                           "--population", "3", "--measured", "1"};
    EXPECT_THAT(run_cli(command, kTiny, card), ends(0, {"Algorithm 1", "best ever seen:"}));
    EXPECT_THAT(run_cli({"tilings", "-", "--search", "--measure", "cuda7"}, kTiny, card),
                ends(5, {}, {"there is no device 'cuda7'"}));
}

TEST(TilingsCommand, ShowsSharedMemoryOfItsKernels) {
    const std::vector<std::string> layout{"BLOCKSCOPE_NVRTC=/nowhere"};
    EXPECT_THAT(run_cli({"tilings", "-", "--plot", "fig10", "--sample", "12"}, kPaper, layout),
                ends(0, {"Shared memory of 12 of 5292 candidates that rule 3 keeps", "NVRTC is not here",
                         "rule 4 is right for", "over 90%, 8.2% and 1.2%"}));
    const std::string picture = (std::filesystem::path(testing::TempDir()) / "tilings-fig10.svg").string();
    EXPECT_THAT(run_cli({"tilings", "-", "--plot", "fig10", "--sample", "12", "-o", picture}, kPaper, layout),
                ends(0, {}));
    EXPECT_THAT(contents(picture), HasSubstr("1.2 Shm"));
    EXPECT_THAT(run_cli({"tilings", "-", "--plot", "fig10", "--device", "xeon-8480"}, kPaper, layout),
                ends(2, {}, {"is of kernels for cards"}));
}

TEST(TilingsCommand, MeasuresSeveralWorkloads) {
    EXPECT_THAT(run_cli({"tilings", "--workload", "S4,S7", "--device", "xeon-8480", "--search", "--measure",
                         "cpu", "--threads", "1", "--population", "1", "--measured", "1"}),
                ends(0, {"Measured on this processor", "our best state", "S4", "S7", "Bert-Base"}));
}

TEST(TilingsCommand, PlotsSpeedUps) {
    EXPECT_THAT(run_cli({"tilings", "--workload", "all", "--plot", "fig8"}),
                ends(0, {"<svg", "S9", "<rect"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "all", "--plot", "fig9"}),
                ends(0, {"<svg", "Bert-Large", "1.45"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "all", "--plot", "tuning"}),
                ends(2, {}, {"say --search --measure cpu"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--plot", "tuning"}),
                ends(2, {}, {"--workload all or of several"}));
}

TEST(TilingsCommand, RefusesWhatItCannotDo) {
    const std::string norm = "dim M = 32\ninput A[M,M], B[M,M]\noutput C = rmsnorm(A) @ B\n";
    EXPECT_THAT(run_cli({"tilings", "-"}, norm),
                ends(3, {}, {"a chain has products with softmax", "no rmsnorm"}));
    EXPECT_THAT(run_cli({"tilings"}), ends(2, {}, {"tilings takes FILE or --workload NAME"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G13"}), ends(2, {}, {"there is no workload 'G13'"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--search"}), ends(2, {}, {"say --measure cpu"}));
    EXPECT_THAT(run_cli({"tilings", "--workload", "G1", "--search", "--measure", "x"}),
                ends(2, {}, {"--measure is cpu, a card (cuda0) or table:FILE"}));
    for (const auto& [options, why] : std::map<std::vector<std::string>, std::string>{
             {{"G1", "--measure", "cpu"}, "--search or --exhaustive which candidates"},
             {{"G1", "--measure", "x"}, "--measure is cpu, a card (cuda0) or table:FILE"},
             {{"G1", "--save", "table.txt"}, "--save writes what"},
             {{"all", "--exhaustive", "--measure", "cpu", "--compare"},
              "of several workloads the processor is searched"},
             {{"G1,S2", "--search", "--measure", "cuda0"}, "of several workloads the processor is searched"},
             {{"G1", "--search", "--measure", "cuda0", "--threads", "2"}, "--threads is for --measure cpu"},
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
