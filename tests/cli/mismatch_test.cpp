// A step that changes the result exits with 4. No rule does that, so the step here is made by hand.
#include <gmock/gmock.h>

#include <memory>

#include "app/cli/run.h"
#include "app/cli/terminal.h"

namespace blockscope::test {
namespace {

// The program with every elementwise operator's expression replaced by itself plus one.
GraphPtr spoiled(const Graph& graph) {
    std::vector<NodePtr> nodes;
    for (const NodePtr& node : graph.nodes()) {
        Node copy = *node;
        if (auto* elementwise = std::get_if<Elementwise>(&copy.kind)) {
            elementwise->expr = call(Fn::Add, elementwise->expr, number(1));
        } else if (auto* map = std::get_if<Map>(&copy.kind)) {
            map->body = spoiled(*map->body);
        }
        nodes.push_back(std::make_shared<const Node>(std::move(copy)));
    }
    return std::make_shared<const Graph>(std::move(nodes));
}

cli::Run spoiled_run() {
    cli::Run run{"fuse", cli::load_program(BLOCKSCOPE_SOURCE_DIR "/samples/attention.bp"), {}};
    run.trace = cli::fuse_watched(run.loaded.blocks);
    Step& step = run.trace.steps[4];
    BlockProgram wrong = *step.after;
    wrong.graph = spoiled(*wrong.graph);
    step.after = std::make_shared<const BlockProgram>(std::move(wrong));
    return run;
}

TEST(Mismatch, ExitsWith4AndNamesTheStep) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = cli::show(spoiled_run(), {});
    const std::string out = testing::internal::GetCapturedStdout();
    const std::string err = testing::internal::GetCapturedStderr();
    EXPECT_EQ(code, cli::kMismatch);
    EXPECT_THAT(out, testing::HasSubstr("✗ the proof fails"));
    EXPECT_THAT(err, testing::HasSubstr("step 5 (rule 1) changes the result: output O differs at element "));
}

TEST(Mismatch, IsNotLookedForInStepsThatAreNotShown) {
    testing::internal::CaptureStdout();
    cli::View view;
    view.step = 4;
    EXPECT_EQ(cli::show(spoiled_run(), view), cli::kFine);
    testing::internal::GetCapturedStdout();
}

TEST(Mismatch, IsInTheEnvelope) {
    cli::View view;
    const cli::Run run = spoiled_run();
    const cli::Proof proof = cli::prove(run, cli::select(run, view), view);
    EXPECT_EQ(proof.verdict, cli::Proof::Verdict::Mismatch);
    EXPECT_EQ(proof.failed_step, 5);
    ASSERT_TRUE(proof.mismatch.has_value());
    EXPECT_EQ(proof.mismatch->output, "O");
}

}  // namespace
}  // namespace blockscope::test
