// --json on every command: one valid object of the version that docs/cli.md describes.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using Json = nlohmann::json;

Json parse(const Outcome& outcome) {
    Json json = Json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
    return json;
}

Json run_json(std::vector<std::string> arguments, int code = 0, const std::string& input = {}) {
    const std::string command = arguments.front();
    arguments.emplace_back("--json");
    const Outcome outcome = run_cli(arguments, input);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    Json json = parse(outcome);
    EXPECT_EQ(json["blockscope"], code == 0 ? command : "error");
    EXPECT_EQ(json["version"], 1);
    return json;
}

TEST(JsonEnvelope, Fuse) {
    const Json json = run_json({"fuse", sample("attention.bp")});
    ASSERT_EQ(json["steps"].size(), 17U);
    EXPECT_EQ(json["total_steps"], 17);
    EXPECT_EQ(json["snapshots"], Json({15, 17}));
    EXPECT_EQ(json["proof"]["verdict"], "proven");
    EXPECT_EQ(json["steps"][6]["rule"], "4");
    EXPECT_EQ(json["steps"][6]["number"], 7);
    EXPECT_EQ(json["steps"][0]["buffered_before"], 14);
    EXPECT_EQ(json["steps"][16]["buffered_after"], 4);
    EXPECT_EQ(json["steps"][0]["buffered_after"], json["steps"][1]["buffered_before"]);
    for (const Json& step : json["steps"]) {
        EXPECT_FALSE(step["explanation"].get<std::string>().empty());
        EXPECT_FALSE(step["roles"].empty());
        EXPECT_FALSE(step["made"].empty());
    }
    ASSERT_EQ(json["states"].size(), 1U);
    std::string listing;
    for (const Json& line : json["states"][0]["listing"]) listing += line["text"].get<std::string>() + "\n";
    EXPECT_EQ(listing, run_cli({"fuse", sample("attention.bp"), "--format", "listing"}).out);
}

TEST(JsonEnvelope, FuseUpToAStepWithAllStatesAndTheSafeForm) {
    const Json json = run_json({"fuse", sample("attention.bp"), "--step", "15", "--safe"});
    EXPECT_EQ(json["steps"].size(), 15U);
    EXPECT_EQ(json["snapshots"], Json({15}));
    ASSERT_EQ(json["states"].size(), 2U);
    EXPECT_EQ(json["states"][1]["safe"], true);
    EXPECT_EQ(run_json({"fuse", sample("attention.bp"), "--all"})["states"].size(), 18U);
}

TEST(JsonEnvelope, MatchesApplyAndWhy) {
    const Json matches = run_json({"matches", sample("attention.bp")});
    ASSERT_FALSE(matches["matches"].empty());
    const Json& match = matches["matches"][0];
    const std::string selector = match["selector"];
    const Json applied = run_json({"apply", sample("attention.bp"), selector});
    ASSERT_EQ(applied["steps"].size(), 1U);
    EXPECT_EQ(applied["steps"][0]["selector"], selector);
    const std::string nodes = selector.substr(selector.find('@') + 1);
    const Json why = run_json({"why", sample("attention.bp"), match["rule"], nodes});
    ASSERT_EQ(why["answers"].size(), 1U);
    EXPECT_EQ(why["answers"][0]["applies"], true);
    const Json not_applies = run_json({"why", sample("attention.bp"), "4", nodes});
    EXPECT_EQ(not_applies["answers"][0]["applies"], false);
    EXPECT_FALSE(not_applies["answers"][0]["reason"].get<std::string>().empty());
}

TEST(JsonEnvelope, CheckRulesConvertReplay) {
    EXPECT_EQ(run_json({"check", sample("attention.bp")})["holds"], "array-program");
    EXPECT_EQ(run_json({"rules"})["rules"].size(), 19U);
    EXPECT_EQ(run_json({"rules", "4"})["rules"].size(), 1U);
    const Json converted = run_json({"convert", sample("attention.bp"), "--to", "json"});
    EXPECT_TRUE(Json::parse(converted["content"].get<std::string>()).is_object());
    const std::string trace = run_cli({"fuse", sample("attention.bp"), "--all", "--format", "json"}).out;
    EXPECT_EQ(run_json({"replay", "-"}, 0, trace)["steps"].size(), 17U);
}

TEST(JsonEnvelope, FailuresToo) {
    const Json bad = run_json({"check", "-"}, 3, "output O = \xff\n");
    EXPECT_EQ(bad["exit"], 3);
    ASSERT_FALSE(bad["problems"].empty());
    EXPECT_EQ(bad["problems"][0]["file"], "<stdin>");
    EXPECT_EQ(bad["problems"][0]["line"], 1);
    EXPECT_EQ(run_json({"fuse", sample("attention.bp"), "--step", "99"}, 2)["exit"], 2);
    EXPECT_EQ(run_json({"fuse"}, 2)["exit"], 2);
    EXPECT_EQ(run_json({"check", "/no/such/file"}, 3)["exit"], 3);
}

}  // namespace
}  // namespace blockscope::test
