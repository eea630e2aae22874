// blockscope-cli plan: every way of deciding on a plain graph, and graphs that are none.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

#include "core/json/device_files.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

const char* const kChain =
    R"({"n": 4, "edges": [[0,1],[1,2],[2,3]], "out_bytes": [10,12,10,1], "local": [4,4,4,4],)"
    R"( "cap": 8, "launch": 1})";

TEST(PlanCommand, ShowsEveryWay) {
    const Outcome plan = run_cli({"plan", "--graph", "-"}, kChain);
    EXPECT_EQ(plan.code, 0) << plan.err;
    EXPECT_THAT(plan.out, HasSubstr("no plan costs less"));
    EXPECT_THAT(plan.out, HasSubstr("0-3 need 16 of local memory, of which there is 8"));
    EXPECT_THAT(plan.out, HasSubstr("  0, 1  costs 13\n"));
    const std::string json = run_cli({"plan", "--graph", "-", "--json"}, kChain).out;
    EXPECT_THAT(json, HasSubstr("\"exact\": {\n      \"value\": 27"));
    EXPECT_THAT(json, HasSubstr("\"one\": {\n      \"value\": null"));
}

const char* const kProducts =
    "dim M = 128 / 32\ninput X[M, M], W[M, M], V[M, M] : bf16\nH = relu(X @ W)\noutput Y = H @ V\n";

TEST(PlanCommand, PlansAProgram) {
    const Outcome plan = run_cli({"plan", "-", "--device", "a100-sxm-80gb"}, kProducts);
    EXPECT_THAT(plan,
                ends(0, {"plans for NVIDIA A100", "3 operators, 6 candidates, 5 of them different",
                         "no plan of these kernels costs less", "Kernels, exact:", "library kernels: "}));
    EXPECT_THAT(run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--way", "each"}, kProducts),
                ends(0, {"Kernels, each operator for itself:", "H = elementwise\n"}));
    const Outcome json = run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--json"}, kProducts);
    EXPECT_THAT(json, ends(0, {"\"device\": \"a100-sxm-80gb\"", "\"searched\": 5", "\"library\": {",
                               "\"launches\": 1", "\"bound\": ", "\"left_out\": false"}));
    EXPECT_THAT(run_cli({"plan", "-", "--device", "nowhere"}, kProducts),
                ends(5, {}, {"there is no device 'nowhere'"}));
    EXPECT_THAT(run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--way", "best"}, kProducts),
                ends(2, {}, {"there is no way best; there are exact, greedy"}));
    EXPECT_THAT(run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--run"}, kProducts),
                ends(2, {}, {"--run is on this machine's processor"}));
}

TEST(PlanCommand, HandsAPlanOver) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "handed-over-plan";
    std::filesystem::remove_all(folder);
    EXPECT_THAT(
        run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--way", "each", "-o", folder.string()},
                kProducts),
        ends(0, {"written to ",
                 "each kernel's program and listing and CUDA, plan.cu with all launches, and plan.json"}));
    for (const char* name : {"kernel-1.bp", "kernel-2.listing.txt", "kernel-3.cu", "plan.cu", "plan.json"})
        EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
    EXPECT_THAT(run_cli({"check", (folder / "kernel-3.bp").string()}), ends(0, {}));
    EXPECT_THAT(
        run_cli({"plan", "-", "--device", "a100-sxm-80gb", "-o", (folder / "plan.json" / "x").string()},
                kProducts),
        ends(2, {}, {"cannot make the folder"}));
}

// What was not written is not said to be.
TEST(PlanCommand, SaysWhatIsHandedOver) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "handed-over-unknown";
    const std::string unknown =
        "dim M = 64 / 32\ninput X[M, M]\nH = custom(\"mystery\", X)\noutput Y = exp(H)\n";
    EXPECT_THAT(run_cli({"plan", "-", "--device", "a100-sxm-80gb", "-o", folder.string()}, unknown),
                ends(0, {"program and listing, CUDA of 1 of 2, and plan.json"}, {"no CUDA is generated"}));
    EXPECT_FALSE(std::filesystem::exists(folder / "plan.cu"));
    EXPECT_THAT(run_cli({"plan", "-", "--device", "epyc-9755", "-o", folder.string()}, kProducts),
                ends(0, {"each kernel's program and listing, and plan.json"}));
}

// Every way runs, and computes what the reference evaluator does.
TEST(PlanCommand, RunsEveryWay) {
    const std::string small =
        "dim M = 64 / 32\ninput X[M, M], W[M, M] : f32\nH = relu(X @ W)\noutput Y = softmax(H)\n";
    // Of a machine that was calibrated, as is needed for that.
    const std::string cache = testing::TempDir() + "plan-local";
    std::filesystem::create_directories(cache + "/blockscope");
    Device cpu = *find_device(builtin_devices(), "ryzen-9-9950x");
    cpu.name = kLocalCpu;
    cpu.title = "This machine";
    cpu.calibration = Calibration{"2026-01-02T03:04:05Z", "a test", "by hand"};
    std::ofstream(cache + "/blockscope/local-cpu.json") << write_json(cpu);
    const std::vector<std::string> environment = {"XDG_CACHE_HOME=" + cache};
    EXPECT_THAT(run_cli({"plan", "-", "--run", "--rounds", "3"}, small, environment),
                ends(0, {"Run here, 3 rounds in turns", "from reference", "exact"}));
    const Outcome json = run_cli({"plan", "-", "--run", "--rounds", "3", "--json"}, small, environment);
    ASSERT_EQ(json.code, 0) << json.err;
    EXPECT_THAT(json.out, HasSubstr("\"from_reference\": "));
    EXPECT_THAT(json.out, testing::Not(HasSubstr("\"from_reference\": null")));
}

TEST(PlanCommand, RefusesBlockPrograms) {
    const Outcome blocks = run_cli({"convert", "-", "--to", "block-json"}, kProducts);
    EXPECT_THAT(run_cli({"plan", "-", "--device", "h100-sxm5"}, blocks.out),
                ends(2, {}, {"holds a block program; plans are made of array programs"}));
}

TEST(PlanCommand, SaysWhichTwoMayBeOneKernel) {
    const std::string graph =
        R"({"nodes": [{"name": "mm", "kind": "matmul", "shape": [8, 8], "bytes": 40000},)"
        R"( {"name": "drop", "kind": "dropout", "shape": [8, 8], "bytes": 8000}], "edges": [["mm", "drop"]]})";
    EXPECT_THAT(run_cli({"plan", "legality", "-"}, graph), ends(0, {"mm + drop: legal"}));
    EXPECT_THAT(run_cli({"plan", "legality", "-", "--training", "--local", "47999"}, graph),
                ends(0, {"rule 4: drop draws random numbers", "rule 5: mm and drop need 48000 bytes"}));
    EXPECT_THAT(run_cli({"plan", "legality", "-", "--json", "--training"}, graph),
                ends(0, {"\"violated\": [\n        4\n      ]", "\"legal\": false"}));
}

TEST(PlanCommand, EstimatesWhatFusingBrings) {
    const std::string times =
        R"({"operators": [{"compute": 0.01, "memory": 0.04, "launch": 0.02},)"
        R"( {"compute": 0.01, "memory": 0.04, "launch": 0.02}, {"compute": 0.01, "memory": 0.04, "launch": 0.02}]})";
    EXPECT_THAT(run_cli({"plan", "benefit", "-"}, times), ends(0, {"2.33 times as fast: worth it"}));
    EXPECT_THAT(run_cli({"plan", "benefit", "-", "--json"}, times), ends(0, {"\"worth_it\": true"}));
}

// The same questions of some operators of a program.
TEST(PlanCommand, AsksAboutTheOperatorsOfAProgram) {
    const std::vector<std::string> device{"--device", "a100-sxm-80gb"};
    const auto ask = [&device](std::vector<std::string> words) {
        words.insert(words.end(), device.begin(), device.end());
        return run_cli(words, kProducts);
    };
    EXPECT_THAT(
        ask({"plan", "legality", "-", "--operators", "x1,Y"}),
        ends(0, {"x1 + Y: not legal\n  rule 1: neither x1 nor Y reads", "rule 2: x1 leads to Y through H"}));
    EXPECT_THAT(ask({"plan", "legality", "-", "--local", "1000"}),
                ends(0, {"x1 + H: not legal\n  rule 5: "}));
    EXPECT_THAT(ask({"plan", "legality", "-"}), ends(0, {"x1 + H: legal\n", "H + Y: legal\n"}));
    EXPECT_THAT(ask({"plan", "benefit", "-", "--operators", "x1,H"}),
                ends(0, {"By the guide's estimate: ", "times as fast: worth it", "as a kernel each, ",
                         "as one (snapshot 1, 1 launch), ", "x1 + H: legal\n"}));
    EXPECT_THAT(ask({"plan", "benefit", "-", "--operators", "x1,Y", "--json"}),
                ends(0, {"\"together\": null", "\"why_not\": \"they fall into parts"}));
    EXPECT_THAT(ask({"plan", "benefit", "-", "--operators", "x1,Z"}),
                ends(2, {}, {"there is no operator Z"}));
    EXPECT_THAT(run_cli({"plan", "benefit", "-", "--operators", "a"}, R"({"operators": []})"),
                ends(2, {}, {"--operators is of a program"}));
}

// The worked example that computes operator 0 twice, and the same with a tensor that nobody computed.
TEST(PlanCommand, SchedulesProblemsOfTheContest) {
    const std::string problem = BLOCKSCOPE_SOURCE_DIR "/samples/plans/contest.json";
    EXPECT_THAT(run_cli({"plan", "contest", problem}),
                ends(0, {"unfused                     11468.8  3", "no other steps cost less"}));
    EXPECT_THAT(run_cli({"plan", "contest", problem, "--json"}), ends(0, {"\"cost\": 4500.0"}));
    const Outcome written = run_cli({"plan", "contest", problem, "-o", "-"});
    EXPECT_THAT(run_cli({"plan", "contest", problem, "--solution", "-"}, written.out),
                ends(0, {"costs 4500\n"}));
    const std::string start = R"({"subgraphs": [[0,1],[)",
                      end = R"(2]], "granularities": [[128,128,1],)"
                            R"([128,128,1]], "tensors_to_retain": [[2],[]]})";
    EXPECT_THAT(run_cli({"plan", "contest", problem, "--solution", "-"}, start + "0," + end),
                ends(0, {"costs 6276.8\n"}));
    EXPECT_THAT(run_cli({"plan", "contest", problem, "--solution", "-"}, start + end),
                ends(4, {"step 2: tensor 1 is read and is in neither memory"}));
    EXPECT_THAT(run_cli({"plan", "contest", problem, "--solution", "-", "--json"}, start + end),
                ends(4, {"\"cost\": null", "\"step\": 2"}));
    EXPECT_EQ(run_cli({"plan", "contest", problem, "--solution", "-", "-o", "x"}, start + end).code, 2);
    EXPECT_EQ(run_cli({"plan", "legality", problem, "--solution", "x"}).code, 2);
    EXPECT_THAT(run_cli({"plan", "contest", "-"}, "{}"), ends(3, {}, {"widths"}));
}

// What docs/plans.md shows.
TEST(PlanCommand, TakesTheSamples) {
    const auto file = [](const char* name) {
        return std::string(BLOCKSCOPE_SOURCE_DIR "/samples/plans/") + name;
    };
    EXPECT_THAT(run_cli({"plan", "--graph", file("chain.json")}),
                ends(0, {"  0  costs 15\n  1, 2  costs 12\n"}));
    EXPECT_THAT(
        run_cli({"plan", "legality", file("feed-forward.json")}),
        ends(0,
             {"mm1 + gelu: legal\n",
              "mm1 + mm2: not legal\n  rule 1: neither mm1 nor mm2 reads what the other computes\n"
              "  rule 2: mm1 leads to mm2 through gelu, too, which would have to run within the kernel\n"}));
    EXPECT_THAT(run_cli({"plan", "benefit", file("add-relu-mul.json")}),
                ends(0, {"unfused 0.21, fused 0.09"}));
}

// What somebody decides stands beside what is best.
TEST(PlanCommand, ObeysDecisions) {
    const Outcome graph = run_cli({"plan", "--graph", "-", "--pin", "1,2"}, kChain);
    EXPECT_THAT(graph, ends(0, {"as decided, the rest exact", "Kernels of the decided way",
                                "  0  costs 11\n  1, 2  costs 21\n  3  costs 12\n"}));
    EXPECT_THAT(run_cli({"plan", "--graph", "-", "--apart", "0:1", "--apart", "2:3", "--json"}, kChain),
                ends(0, {"\"decided\": {\n      \"value\": 44"}));
    const std::vector<std::string> program{"plan", "-", "--device", "a100-sxm-80gb"};
    const auto with = [&program](std::vector<std::string> more) {
        more.insert(more.begin(), program.begin(), program.end());
        return more;
    };
    EXPECT_THAT(run_cli(with({"--pin", "x1", "--pin", "H,Y"}), kProducts),
                ends(0, {"Kernels, as decided, the rest exact:", "x1 = matmul\n", "H = elementwise, Y = "}));
    EXPECT_THAT(run_cli(with({"--pin", "x1,Y"}), kProducts), ends(2, {}, {"x1, Y cannot be one kernel"}));
    EXPECT_THAT(run_cli(with({"--apart", "x1:Z"}), kProducts), ends(2, {}, {"there is no operator Z"}));
}

TEST(PlanCommand, EndsAfterTheTimeThatItIsGiven) {
    EXPECT_THAT(run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--seconds", "0.0001"}, kProducts),
                ends(7, {}, {"no plan yet: stopped after 0 of "}));
    EXPECT_THAT(run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--seconds", "1000"}, kProducts),
                ends(0, {"no plan of these kernels costs less"}));
}

TEST(PlanCommand, HonoursOrRefusesOptionsOfGraphs) {
    std::string wide = R"({"n": 81, "edges": [)", bytes;
    for (int i = 0; i < 40; ++i)
        wide += (i > 0 ? "," : "") + std::string("[0,") + std::to_string(1 + i) + "],[" +
                std::to_string(1 + i) + "," + std::to_string(41 + i) + "]";
    for (int i = 0; i < 81; ++i) bytes += (i > 0 ? "," : "") + std::to_string(1 + i % 7);
    wide += R"(], "out_bytes": [)" + bytes + "]";
    EXPECT_THAT(run_cli({"plan", "--graph", "-", "--seconds", "0.0001"}, wide + "}"),
                ends(7, {"no plan costs less", "stopped: what it had joined until then"}));
    EXPECT_THAT(run_cli({"plan", "--graph", "-", "--seconds", "0.0001"},
                        wide + R"(, "local": [)" + bytes + R"(], "cap": 20})"),
                ends(7, {"stopped: each operator for itself instead", "Kernels of the exact way"}));
    EXPECT_THAT(run_cli({"plan", "--graph", "-", "--way", "each"}, kChain),
                ends(0, {"Kernels of the each way", "  0  costs 11\n"}));
    EXPECT_THAT(run_cli({"plan", "--graph", "-", "--way", "library"}, kChain),
                ends(2, {}, {"there is no way library"}));
    for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
             {"--device", "h100-sxm5"}, {"--output", "x"}, {"--run"}, {"--measure"}, {"--rounds", "9"}}) {
        std::vector<std::string> words{"plan", "--graph", "-"};
        words.insert(words.end(), option.begin(), option.end());
        EXPECT_THAT(run_cli(words, kChain), ends(2, {}, {option.front() + " is of a program"}));
    }
}

TEST(PlanCommand, RefusesRoundsOfWhatDoesNotRun) {
    EXPECT_THAT(run_cli({"plan", sample("softmax.bp"), "--rounds", "9"}),
                ends(2, {}, {"--rounds is of --run and --measure"}));
}

TEST(PlanCommand, PrintsDecisionsOneByOne) {
    EXPECT_THAT(run_cli({"plan", "--graph", "-", "--steps", "edges-as-printed"}, kChain),
                ends(0, {"Decisions, edges-as-printed:", "the group of 1 becomes 0, 1; that of 0 stays 0",
                         "4 groups in the end, and 3 of 4 operators"}));
    EXPECT_THAT(
        run_cli({"plan", "-", "--device", "a100-sxm-80gb", "--steps", "fewest-as-printed"}, kProducts),
        ends(0, {"takes colour 1", "no kernel has more than two operators"}));
    EXPECT_THAT(run_cli({"plan", "--graph", "-", "--steps", "edges", "--json"}, kChain),
                ends(0, {"\"decisions\": {\n    \"way\": \"edges\"", "\"together\": true"}));
    EXPECT_EQ(run_cli({"plan", "--graph", "-", "--steps", "greedy"}, kChain).code, 2);
}

TEST(PlanCommand, RefusesWhatIsNoGraph) {
    EXPECT_THAT(run_cli({"plan", "--graph", "-"}, R"({"n": 1, "edges": [[0, 0]], "out_bytes": [1]})"),
                ends(3, {}, {"#/edges: node 0 stands on a cycle"}));
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"plan"},
                                               {"plan", "legality"},
                                               {"plan", "benefits", "-"},
                                               {"plan", "benefit", "-", "--graph", "-"}})
        EXPECT_EQ(run_cli(wrong).code, 2) << wrong.size();
    EXPECT_THAT(run_cli({"plan", "legality", "-"}, "{"), ends(3, {}, {"<stdin>"}));
}

// ---- layers

TEST(LayersCommand, ListsPartsWithWhatTheyTake) {
    const std::string file = sample("decoder-block.bp");
    EXPECT_THAT(run_cli({"layers", file, "--device", "h100-sxm5"}),
                ends(0, {"attention", "MLP", "all: 2 parts, 20 operators"}));
    const Outcome json = run_cli({"layers", file, "--device", "h100-sxm5", "--json"});
    ASSERT_EQ(json.code, 0) << json.err;
    const auto answer = nlohmann::json::parse(json.out);
    ASSERT_EQ(answer.at("parts").size(), 2U);
    EXPECT_EQ(answer.at("parts").at(1).at("title"), "MLP");
    double seconds = 0;
    for (const auto& part : answer.at("parts")) seconds += part.at("cost").at("seconds").get<double>();
    EXPECT_NEAR(seconds, answer.at("all").at("seconds").get<double>(), 1e-12);
    // The same as the baseline that `cost` compares with.
    const auto cost = nlohmann::json::parse(run_cli({"cost", file, "--device", "h100-sxm5", "--json"}).out);
    const auto& library = cost.at("baselines").at(0);
    EXPECT_EQ(library.at("name"), "library");
    EXPECT_NEAR(library.at("seconds").get<double>(), seconds, 1e-12);
}

TEST(LayersCommand, OpensPartsAsPrograms) {
    const std::string file = sample("decoder-block.bp");
    const Outcome part = run_cli({"layers", file, "--open", "2"});
    EXPECT_THAT(part, ends(0, {"silu("}));
    EXPECT_EQ(part.out.find("softmax"), std::string::npos);
    EXPECT_THAT(run_cli({"check", "-"}, part.out), ends(0, {"OK: "}));
    EXPECT_THAT(run_cli({"layers", file, "--open", "1-2"}), ends(0, {"silu(", "softmax("}));
    for (const char* words : {"0", "3", "2-1", "x", "1-", "-2", "99999999"})
        EXPECT_THAT(run_cli({"layers", file, "--open=" + std::string(words)}),
                    ends(2, {}, {"expected a number from 1 to 2"}))
            << words;
}

TEST(LayersCommand, RefusesWhatHasNoMeaning) {
    const std::string file = sample("matmul.bp");
    EXPECT_THAT(run_cli({"layers", file, "-o", "unused.bp"}), ends(2, {}, {"--output is of --open"}));
    EXPECT_EQ(run_cli({"layers", file, "--open", ""}).code, 2);
    EXPECT_THAT(run_cli({"layers", file, "--device", "h100-sxm5"}),
                ends(0, {"all: 1 part, 1 operator, ", " as 1 library kernel on "}));
}

TEST(LayersCommand, WantsAnArrayProgram) {
    const std::string blocks = run_cli({"convert", sample("attention.bp"), "--to", "block-json"}).out;
    EXPECT_THAT(run_cli({"layers", "-"}, blocks), ends(2, {}, {"holds a block program"}));
}

}  // namespace
}  // namespace blockscope::test
