// Pseudocode expansions as diagrams: the same brackets as the tree, the same transfers as the streamed
// diagram, and tidy pictures on two levels and on those of a GPU.

#include <gmock/gmock.h>

#include <set>

#include "core/diagram/arrange.h"
#include "core/diagram/flow.h"
#include "core/diagram/layout/drawing.h"
#include "core/diagram/resources.h"
#include "core/diagram/term.h"
#include "core/napkin/study.h"
#include "tests/diagram/drawing_checks.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;
using testing::IsEmpty;

Circuit made(const LoopSplit& split, PseudocodeOptions options) {
    options.inner = split.inner;
    const Result<Circuit> circuit = pseudocode(split.flow, split.rows, split.stream, options);
    if (!circuit) throw std::runtime_error(circuit.problems().front().message.str());
    return *circuit;
}

PseudocodeOptions on_h100() {
    PseudocodeOptions options;
    options.hierarchy = hierarchy_of(device("h100-sxm5"), false, false);
    return options;
}

void expect_tidy(const Circuit& circuit) {
    EXPECT_THAT(verify(circuit), IsEmpty());
    const Drawing drawing = lay_out(circuit);
    EXPECT_THAT(overlaps(drawing), IsEmpty());
    EXPECT_THAT(loose_ends(drawing), IsEmpty());
    EXPECT_THAT(outside(drawing), IsEmpty());
    EXPECT_EQ(drawing.glyphs.size(), columns(circuit).executions.size());
}

// Their only axes to stream are those of a sum that all else waits for.
const std::set<std::string> kWithoutStream = {"decoder-block", "layernorm", "softmax"};

std::vector<std::string> streamed_samples() {
    std::vector<std::string> names = sample_names();
    std::erase_if(names, [](const std::string& name) { return kWithoutStream.count(name) > 0; });
    return names;
}

TEST(PseudocodeOf, SomeSamplesHasNoLoop) {
    for (const std::string& name : kWithoutStream)
        EXPECT_FALSE(loop_split(separated(flow_of(read_sample(name))))) << name;
}

// Threads share the rows of a product, not a batch or heads, of which a thread block has one.
TEST(PseudocodeOf, HeadsIsTheLoopOfOneHead) {
    for (const char* name : {"multihead-attention", "gqa"}) {
        const Result<LoopSplit> split = loop_split(separated(flow_of(read_sample(name))));
        ASSERT_TRUE(split) << name;
        EXPECT_EQ(axis_of(split->flow.axes, split->rows).name, "M") << name;
        EXPECT_EQ(axis_of(split->flow.axes, split->stream).name, "N") << name;
        EXPECT_EQ(axis_of(split->flow.axes, axis_named(split->flow.axes, "B")).size, 1) << name;
    }
}

class Pseudocode : public testing::TestWithParam<std::string> {};

TEST_P(Pseudocode, OfSamplesIsSoundAndTidy) {
    const Result<LoopSplit> split = loop_split(separated(flow_of(read_sample(GetParam()))));
    ASSERT_TRUE(split);
    for (const PseudocodeOptions& options : {PseudocodeOptions{}, on_h100()}) {
        SCOPED_TRACE(options.hierarchy.names.size());
        expect_tidy(made(*split, options));
    }
    PseudocodeOptions fragments = on_h100();
    fragments.hierarchy.fragments = true;
    expect_tidy(made(*split, fragments));
}

// A loop moves what the relabelled diagram moves (Figure 15): nothing is loaded twice.
TEST_P(Pseudocode, MovesWhatTheStreamMoves) {
    const Result<LoopSplit> split = loop_split(separated(flow_of(read_sample(GetParam()))));
    ASSERT_TRUE(split);
    PseudocodeOptions options;
    options.rows = options.stream = options.sub = options.inner_stream = options.inner_sub = 1;
    const Circuit loop = made(*split, options);
    Plan plan = {{split->rows, PartitionKind::Group, 1}, {split->stream, PartitionKind::Stream, 1}};
    if (split->inner.value >= 0) plan.push_back({split->inner, PartitionKind::Stream, 1, true});
    const Result<Circuit> relabelled = fused(split->flow, plan);
    ASSERT_TRUE(relabelled) << relabelled.problems().front().message;
    EXPECT_EQ(resources(loop).transferred.value(sizes(loop.axes)),
              resources(*relabelled).transferred.value(sizes(relabelled->axes)));
}

INSTANTIATE_TEST_SUITE_P(Samples, Pseudocode, testing::ValuesIn(streamed_samples()),
                         [](const auto& sample) { return test_name(sample.param); });

// Brackets and products in order: "(", "((", "[", and the products that are inside.
void brackets(const std::vector<CodeNode>& nodes, std::vector<std::string>& found) {
    for (const CodeNode& node : nodes) {
        const bool column = node.kind == CodeNode::Kind::Column;
        if (column) continue;
        found.push_back(node.kind == CodeNode::Kind::Loop      ? "(" + node.part
                        : node.kind == CodeNode::Kind::SubLoop ? "((" + node.part
                                                               : "[");
        brackets(node.body, found);
        found.push_back(")");
    }
}

void brackets(const Axes& axes, const circuit::Term& term, std::vector<std::string>& found) {
    if (const auto* what = term.as<Compose>())
        for (const TermPtr& part : what->parts) brackets(axes, *part, found);
    if (const auto* what = term.as<Product>())
        for (const TermPtr& part : what->parts) brackets(axes, *part, found);
    if (const auto* what = term.as<circuit::Block>()) {
        found.push_back("[");
        brackets(axes, *what->body, found);
        found.push_back(")");
    }
    if (const auto* what = term.as<Partition>()) {
        const bool stream = what->kind == PartitionKind::Stream;
        const std::string& name = axis_of(axes, what->part).name;
        if (stream) found.push_back((name.rfind("u_", 0) == 0 ? "((" : "(") + name);
        brackets(axes, *what->body, found);
        if (stream) found.push_back(")");
    }
}

// Also of a stream in every part of another one, which SwiGLU after RMSNorm needs: D is as long as K.
TEST(Expansions, AreTheSameAsTreeAndAsDiagram) {
    const std::vector<std::pair<Flow, int>> loops = {{flow_from(kMatmul), 1},
                                                     {flow_from(kAttention), 1},
                                                     {separated(flow_of(read_sample("rmsnorm-swiglu"))), 2},
                                                     {separated(flow_of(read_sample("bias-gelu-mlp"))), 2}};
    for (const auto& [flow, streams] : loops) {
        const Result<LoopSplit> split = loop_split(flow);
        ASSERT_TRUE(split);
        std::vector<std::string> tree, diagram;
        brackets(expand(split->flow, split->rows, split->stream, {false, split->inner})->code, tree);
        const Circuit circuit = made(*split, on_h100());
        brackets(circuit.axes, *circuit.root, diagram);
        EXPECT_EQ(diagram, tree);
        const auto loop = [](const std::string& bracket) { return bracket.rfind("(s_", 0) == 0; };
        EXPECT_EQ(std::count_if(diagram.begin(), diagram.end(), loop), streams);
    }
}

// The heads and accumulators of both loops are drawn: what the inner one keeps of a row begins in every part
// of the outer one, and scales its results there.
TEST(Expansions, KeepWhatTheInnerLoopKeeps) {
    const Result<LoopSplit> split = loop_split(separated(flow_of(read_sample("rmsnorm-swiglu"))));
    ASSERT_TRUE(split);
    EXPECT_EQ(axis_of(split->flow.axes, split->stream).name, "K");
    EXPECT_EQ(axis_of(split->flow.axes, split->inner).name, "D");
    const Drawing drawing = lay_out(made(*split, {}));
    const auto count = [&](const std::string& text) {
        return std::count_if(drawing.glyphs.begin(), drawing.glyphs.end(),
                             [&](const DrawnGlyph& glyph) { return glyph.text == text; });
    };
    EXPECT_EQ(count("0"), 4);      // sum of squares, gate, up, output
    EXPECT_EQ(count("/ rms"), 2);  // gate and up
    EXPECT_EQ(count("rms"), 1);
}

// A box is as high as its wires need: axes of size 1 (one part of a batch, one head) have none.
TEST(Expansions, DrawBoxesAsHighAsTheirWires) {
    const Result<LoopSplit> split = loop_split(separated(flow_of(read_sample("gqa"))));
    ASSERT_TRUE(split);
    const Drawing drawing = lay_out(made(*split, on_h100()));
    int boxes = 0;
    for (const DrawnGlyph& glyph : drawing.glyphs) {
        if (glyph.kind != GlyphKind::Box) continue;
        ++boxes;
        EXPECT_LT(glyph.box.height, 40) << glyph.text;
    }
    EXPECT_GT(boxes, 2);
}

// One stream that is asked for stays the only one.
TEST(Expansions, StreamWhatIsAskedForAlone) {
    const Flow flow = separated(flow_of(read_sample("rmsnorm-swiglu")));
    const Result<LoopSplit> split = loop_split(flow, "", "D");
    ASSERT_TRUE(split);
    EXPECT_EQ(axis_of(split->flow.axes, split->stream).name, "D");
    EXPECT_EQ(split->inner.value, -1);
}

// Figures 31 and 32: the same axis is g_q, t_q and w_q; divisors stand raised.
TEST(Expansions, AreRecolouredForTensorCores) {
    const Flow flow = flow_from(kAttention);
    PseudocodeOptions options = on_h100();
    options.divisors = {{"w_q", 128, {}}, {"u_x", 16, {}}};
    const Drawing drawing = lay_out(made({flow, axis(flow, "q"), axis(flow, "x")}, options));
    std::vector<std::string> labels;
    for (const DrawnLabel& label : drawing.labels)
        if (label.role == LabelRole::Axis) labels.push_back(label.text);
    for (const char* text : {"g_q", "t_q", "w_q^(128)", "s_x", "u_x^(16)", "3"})
        EXPECT_THAT(labels, testing::Contains(text));
    for (const DrawnGlyph& glyph : drawing.glyphs) {
        const int level = glyph.kind == GlyphKind::Cup ? 3 : 2;
        const bool placed = glyph.kind == GlyphKind::Cup || glyph.kind == GlyphKind::Triangle;
        EXPECT_TRUE(!placed || glyph.level == level) << glyph.detail;
    }
    EXPECT_EQ(std::count_if(drawing.frames.begin(), drawing.frames.end(),
                            [](const DrawnFrame& frame) { return frame.kind == FrameKind::Split; }),
              2);
}

// What cannot be split says why, as the tree does.
TEST(Expansions, RefuseWhatCannotBe) {
    const Flow flow = flow_from(kAttention);
    const Result<Circuit> wrong = pseudocode(flow, axis(flow, "x"), axis(flow, "x"));
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.problems().front().message, testing::HasSubstr("x cannot be grouped"));
}

// The columns of a result that a block has are called what the numbers call them.
TEST(Expansions, NameTheGroupsOfABlock) {
    const Flow flow = separated(flow_of(read_sample("matmul")));
    const Result<LoopSplit> split = loop_split(flow);
    ASSERT_TRUE(split);
    const Result<Circuit> made = pseudocode(split->flow, split->rows, split->stream);
    ASSERT_TRUE(made);
    std::vector<std::string> names;
    for (const Axis& axis : made->axes) names.push_back(axis.name);
    EXPECT_THAT(names, testing::Contains("g_C"));
    EXPECT_THAT(names, testing::Not(testing::Contains("C")));
}

TEST(Expansions, AreDocuments) {
    const Flow flow = flow_from(kAttention);
    const Circuit circuit = made({flow, axis(flow, "q"), axis(flow, "x")}, on_h100());
    const std::string text = json::print(to_json(circuit));
    const Result<CircuitDocument> read = read_circuit(text, "loop");
    ASSERT_TRUE(read) << read.problems().front().message;
    EXPECT_EQ(json::print(to_json(read->circuit)), text);
}

// Weights are gone, and every product with one is a learned map on the axis that it maps.
TEST(Learned, MapsOfTheDecoderBlock) {
    const Flow flow = flow_of(read_sample("decoder-block"));
    const std::vector<std::string> weights = weights_of(flow);
    EXPECT_THAT(weights, testing::UnorderedElementsAre("Wq", "Wk", "Wv", "Wo", "Wgate", "Wup", "Wdown"));
    const Circuit model = circuit_of(with_learned_maps(flow, weights));
    expect_tidy(model);
    EXPECT_EQ(model.inputs.size() + weights.size(), flow.inputs.size());
    const Drawing drawing = lay_out(model);
    EXPECT_EQ(std::count_if(drawing.glyphs.begin(), drawing.glyphs.end(),
                            [](const DrawnGlyph& glyph) { return glyph.kind == GlyphKind::Learned; }),
              static_cast<std::ptrdiff_t>(weights.size()));
}

}  // namespace
}  // namespace blockscope::test
