// The parts of a model in a row, layers that are repeated, and what they take.
#include "core/plan/layers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "core/cost/models/baseline.h"
#include "core/json/device_files.h"
#include "core/program/convert.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace plan;
using testing::ElementsAre;

// `layers` of a norm, a gated product and what goes around them, behind a product of their own, before a
// norm.
ArrayProgram stacked(int layers) {
    std::string inputs, text = "x_0 = T @ E\n";
    for (int i = 0; i < layers; ++i) {
        const std::string n = std::to_string(i), old = "x_" + n, now = "x_" + std::to_string(i + 1);
        inputs += ", Wg_" + n + "[D, F], Wu_" + n + "[D, F], Wd_" + n + "[F, D]";
        text += "h_" + n + "_norm = rmsnorm(" + old + ")\n";
        text += "h_" + n + "_gate = h_" + n + "_norm @ Wg_" + n + "\n";
        text += "h_" + n + "_up = h_" + n + "_norm @ Wu_" + n + "\n";
        text += "h_" + n + "_act = silu(h_" + n + "_gate)\n";
        text += "h_" + n + "_down = (h_" + n + "_act * h_" + n + "_up) @ Wd_" + n + "\n";
        text += now + " = " + old + " + h_" + n + "_down\n";
    }
    const std::string dims = "dim M = 256 / 64\ndim D = 128 / 64\ndim F = 256 / 64\ndim V = 64 / 64\n";
    return parse_program(dims + "input T[M, V], E[V, D]" + inputs + " : bf16\n" + text +
                             "output Y = layernorm(x_" + std::to_string(layers) + ")\n",
                         "")
        .value();
}

Device h100() {
    return *find_device(builtin_devices(), "h100-sxm5");
}

TEST(RepeatedRuns, AreTheLongestOfTheShortestLayers) {
    EXPECT_TRUE(repeated_runs({}).empty());
    EXPECT_THAT(repeated_runs({0}), ElementsAre(LayerRun{0, 1, 1, {}}));
    EXPECT_THAT(repeated_runs({0, 0, 0}), ElementsAre(LayerRun{0, 1, 3, {}}));
    // Twice two of four parts each are four of two.
    EXPECT_THAT(repeated_runs({7, 1, 2, 1, 2, 1, 2, 1, 2, 9}),
                ElementsAre(LayerRun{0, 1, 1, {}}, LayerRun{1, 2, 4, {}}, LayerRun{9, 1, 1, {}}));
    // One more part of the next layer is not a layer.
    EXPECT_THAT(repeated_runs({1, 2, 1, 2, 1}), ElementsAre(LayerRun{0, 2, 2, {}}, LayerRun{4, 1, 1, {}}));
    EXPECT_THAT(repeated_runs({1, 1, 2, 1, 1, 2}), ElementsAre(LayerRun{0, 3, 2, {}}));
}

TEST(Layers, OfAStackAreOneWithACount) {
    const ArrayProgram program = stacked(5);
    const ModelLayers layers = layers_of(program, h100());
    ASSERT_EQ(layers.runs.size(), 3U);
    EXPECT_EQ(layers.runs[1].count, 5);
    EXPECT_EQ(layers.runs[1].parts, 1);
    EXPECT_EQ(layers.parts[1].title, "MLP");
    for (int layer = 0; layer < 5; ++layer) EXPECT_EQ(layers.parts[slot(1 + layer)].like, 1);
    EXPECT_EQ(layers.runs[0].title, "matmul");
    EXPECT_EQ(layers.runs[2].title, "layer_norm");
}

TEST(Layers, OfADecoderBlockAreItsAttentionAndItsMlp) {
    const ModelLayers layers = layers_of(read_sample("decoder-block"), h100());
    ASSERT_EQ(layers.parts.size(), 2U);
    EXPECT_EQ(layers.parts[0].title, "attention");
    EXPECT_EQ(layers.parts[1].title, "MLP");
}

// A part that is opened is one part; a program without layers is not cut where layers would be.
TEST(Layers, PartsThatAreOpenedStayWhole) {
    const ArrayProgram program = read_sample("decoder-block");
    const ModelLayers layers = layers_of(program, h100());
    for (const ModelPart& part : layers.parts) {
        const ArrayProgram alone = group_program(program, layers.graph, part.nodes).value();
        const ModelLayers again = layers_of(alone, h100());
        ASSERT_EQ(again.parts.size(), 1U) << part.title;
        EXPECT_EQ(again.parts[0].title, part.title);
    }
    EXPECT_EQ(layers_of(read_sample("lora"), h100()).parts.size(), 1U);
}

// Beside one another they are none.
TEST(Layers, FollowOneAnother) {
    const std::string text =
        "dim M = 64 / 64\ndim D = 64 / 64\ninput X[M, D], V[M, D], a[D, D], b[D, D], c[D, D], d[D, D]\n"
        "output Y = relu(X @ a) @ b\noutput Z = relu(V @ c) @ d\n";
    const ModelLayers layers = layers_of(parse_program(text, "").value(), h100());
    ASSERT_EQ(layers.parts.size(), 4U);
    EXPECT_EQ(layers.parts[2].like, 0) << "they are the same";
    for (const LayerRun& run : layers.runs) EXPECT_EQ(run.count, 1);
}

TEST(Layers, AreGivenUpWhenTheyAreToldTo) {
    EXPECT_THROW(layers_of(stacked(3), h100(), StopSign([] { return true; })), Stopped);
}

// The names that a model's exporter gives say which layers they are.
TEST(Layers, AreCalledByWhatTheirNamesShare) {
    std::string text =
        "dim M = 64 / 64\ndim D = 64 / 64\ninput x[M, D], a[D, D], b[D, D], c[D, D], d[D, D]\n";
    for (const char* weight : {"a", "b", "c", "d"}) {
        const int i = weight[0] - 'a';
        const std::string now = "layer_" + std::to_string(i),
                          old = i == 0 ? "x" : "layer_" + std::to_string(i - 1);
        text += now + "_up = " + old + " @ " + weight + "\n" + now + " = relu(" + now + "_up)\n";
    }
    const ModelLayers layers = layers_of(parse_program(text + "output y = layer_3\n", "").value(), h100());
    ASSERT_EQ(layers.runs.size(), 1U);
    EXPECT_EQ(layers.runs[0].count, 4);
    EXPECT_EQ(layers.runs[0].title, "layer_0 to layer_3");
}

// A mask that is computed once, the weight of an embedding that is the head's, too, and the positions are of
// no layer. A norm before the first layer is not its first part.
TEST(Layers, DoNotHangTogetherByWhatAllOfThemRead) {
    std::string inputs = "input T[M, D], E[D, D], seen[M, M], bias[M, D]", text, x = "x_start";
    text += "hidden = (1 - seen) * -10000\nx_start = layernorm(T @ E)\n";
    for (int i = 0; i < 3; ++i) {
        const std::string layer = "layer_" + std::to_string(i), n = std::to_string(i);
        for (const char* weight : {"q", "k", "v", "up", "down"}) inputs += ", " + (weight + n) + "[D, D]";
        text += layer + "_q = (" + x + " + bias) @ q" + n + "\n";
        text += layer + "_k = (" + x + " + bias) @ k" + n + "\n";
        text += layer + "_p = softmax(" + layer + "_q @ " + layer + "_k.T + hidden)\n";
        text += layer + "_n = layernorm(" + x + " + " + layer + "_p @ (" + x + " @ v" + n + "))\n";
        text +=
            layer + " = layernorm(" + layer + "_n + relu(" + layer + "_n @ up" + n + ") @ down" + n + ")\n";
        x = layer;
    }
    text = "dim M = 64 / 64\ndim D = 64 / 64\n" + inputs + "\n" + text;
    const ArrayProgram program = parse_program(text + "output Y = " + x + " @ E.T\n", "").value();
    const ModelLayers layers = layers_of(program, h100());
    const auto run = std::find_if(layers.runs.begin(), layers.runs.end(),
                                  [](const LayerRun& one) { return one.count > 1; });
    ASSERT_NE(run, layers.runs.end());
    EXPECT_EQ(run->count, 3);
    EXPECT_EQ(run->title, "layer_0 to layer_2");
    EXPECT_EQ(layers.parts[slot(run->first)].title, "attention");
    // All parts are in the runs, in order.
    int next = 0;
    for (const LayerRun& one : layers.runs) {
        EXPECT_EQ(one.first, next);
        next += one.parts * one.count;
    }
    EXPECT_EQ(next, static_cast<int>(layers.parts.size()));
}

// As the costs say it of the whole program.
TEST(Layers, TakeTogetherWhatLibraryKernelsTake) {
    for (const char* sample : {"attention", "decoder-block", "rmsnorm-swiglu", "rotary-attention"}) {
        const ArrayProgram program = read_sample(sample);
        const ModelLayers layers = layers_of(program, h100());
        const Baseline library = baseline(program, BaselineKind::Library);
        PartCost sum;
        for (const ModelPart& part : layers.parts) sum += part.cost;
        EXPECT_NEAR(sum.bytes, library.bytes(), 1) << sample;
        EXPECT_EQ(sum.kernels, static_cast<int>(library.kernels.size())) << sample;
        EXPECT_NEAR(sum.seconds, predict_baseline(library, h100()).seconds, 1e-12) << sample;
        EXPECT_NEAR(layers.all.seconds, sum.seconds, 1e-12) << sample;
    }
}

// Each part, and any of them in a row, is a program; every operator is in one part.
TEST(Layers, OfRandomProgramsAreProgramsOfTheirOwn) {
    int several = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const ArrayProgram program = random_array_program(seed);
        const ModelLayers layers = layers_of(program, h100());
        std::vector<int> nodes = layers.nodes(0, static_cast<int>(layers.parts.size()) - 1);
        std::vector<int> all(slot(layers.graph.nodes()));
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(nodes, all) << seed;
        for (std::size_t i = 0; i < layers.parts.size(); ++i) {
            EXPECT_TRUE(group_program(program, layers.graph, layers.parts[i].nodes)) << seed;
            if (i > 0) {
                const int last = static_cast<int>(i);
                auto both = group_program(program, layers.graph, layers.nodes(last - 1, last));
                ASSERT_TRUE(both) << seed;
                ArrayProgram checked = *both;
                EXPECT_TRUE(check_program(checked).empty()) << seed;
                ++several;
            }
        }
    }
    EXPECT_GT(several, 100);
}

}  // namespace
}  // namespace blockscope::test
