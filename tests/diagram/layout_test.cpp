// Drawings are tidy: every sample, every step.
#include "core/diagram/layout/drawing.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "core/diagram/arrange.h"
#include "core/diagram/flow.h"
#include "core/diagram/place.h"
#include "core/diagram/resources.h"
#include "core/fusion/trace.h"
#include "core/napkin/study.h"
#include "tests/diagram/drawing_checks.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;
using testing::IsEmpty;

constexpr double kWidth = 1100;

Circuit algorithm(const std::string& sample, std::int64_t stream) {
    const ArrayProgram program = read_sample(sample);
    const Flow flow = separated(flow_of(program));
    const Result<Circuit> circuit = fused(flow, natural_plan(flow, program.dims, stream));
    if (!circuit) throw std::runtime_error(circuit.problems().front().message.str());
    return *circuit;
}

Circuit state(const std::string& sample, int step) {
    const Trace trace = fuse(block_sample(sample));
    const Result<Circuit> circuit = circuit_of(*trace.state(step));
    if (!circuit) throw std::runtime_error(circuit.problems().front().message.str());
    return *circuit;
}

// Crossings by drawing: what tests/diagram/golden/crossings.txt keeps, BLOCKSCOPE_UPDATE=1 writes.
class Crossings {
public:
    Crossings() {
        std::ifstream file(path());
        std::string name;
        for (int count = 0; file >> name >> count;) most_[name] = count;
    }
    ~Crossings() {
        if (!std::getenv("BLOCKSCOPE_UPDATE") || seen_.empty()) return;
        for (const auto& [name, count] : seen_) most_[name] = count;
        std::ofstream file(path());
        for (const auto& [name, count] : most_) file << name << ' ' << count << '\n';
    }
    void expect(const std::string& name, int count) {
        seen_[name] = count;
        if (std::getenv("BLOCKSCOPE_UPDATE")) return;
        ASSERT_TRUE(most_.count(name) > 0) << name << " is not in " << path();
        EXPECT_LE(count, most_.at(name)) << name << " has more crossings than it had";
    }

private:
    static std::string path() {
        return std::string(BLOCKSCOPE_SOURCE_DIR) + "/tests/diagram/golden/crossings.txt";
    }
    std::map<std::string, int> most_, seen_;
};
Crossings crossings;

void expect_tidy(const Circuit& circuit, const std::string& name) {
    LayoutOptions options;
    options.width = kWidth;
    const Drawing drawing = lay_out(circuit, options);
    crossings.expect(name, drawing.crossings);
    EXPECT_THAT(overlaps(drawing), IsEmpty());
    EXPECT_THAT(loose_ends(drawing), IsEmpty());
    EXPECT_THAT(cut_corners(drawing), IsEmpty());
    EXPECT_THAT(outside(drawing), IsEmpty());
    // Every operator has a glyph or, where only the level or the order changes, a place.
    EXPECT_EQ(drawing.glyphs.size(), columns(circuit).executions.size());
    EXPECT_EQ(tikz(drawing, ""), tikz(lay_out(circuit, options), ""));
    for (const Rect& line : drawing.lines) EXPECT_LE(line.width, kWidth * 1.35);
    // No formula is cut.
    for (const DrawnGlyph& glyph : drawing.glyphs)
        EXPECT_EQ(glyph.text.find("…"), std::string::npos) << glyph.text;
}

class Drawings : public testing::TestWithParam<std::string> {};

TEST_P(Drawings, OfProgramsAreTidy) {
    const Flow flow = flow_of(read_sample(GetParam()));
    expect_tidy(circuit_of(flow), GetParam() + "/program");
    expect_tidy(circuit_of(separated(flow)), GetParam() + "/separated");
    expect_tidy(circuit_of(with_learned_maps(flow, weights_of(flow))), GetParam() + "/model");
}

TEST_P(Drawings, OfAlgorithmsAreTidy) {
    expect_tidy(algorithm(GetParam(), 1), GetParam() + "/items");
    expect_tidy(algorithm(GetParam(), 16), GetParam() + "/algorithm");
}

TEST_P(Drawings, OfStatesAreTidy) {
    const Trace trace = fuse(block_sample(GetParam()));
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        const Result<Circuit> circuit = circuit_of(*trace.state(step));
        ASSERT_TRUE(circuit) << circuit.problems().front().message;
        expect_tidy(*circuit, GetParam() + "/" + std::to_string(step));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Drawings, testing::ValuesIn(distinct_samples()),
                         [](const auto& sample) { return test_name(sample.param); });

// The fewest crossings that these have: none, K's d under x, and the heads' joints.
TEST(Drawing, CrossesAsLittleAsThePaper) {
    EXPECT_EQ(lay_out(circuit_of(flow_from(kMatmul))).crossings, 0);
    EXPECT_EQ(lay_out(circuit_of(flow_from(kAttention))).crossings, 1);
}

// H and M under the columns are those of the resources; the widest column is marked once per level.
TEST(Drawing, HasTheNumbersOfTheResources) {
    const Circuit circuit = algorithm("attention", 16);
    const Resources costs = resources(circuit);
    LayoutOptions options;
    options.numbers = NumberStyle::Formulas;
    const Drawing drawing = lay_out(circuit, options);
    int transfers = 0;
    int widest = 0;
    for (const DrawnNumber& number : drawing.numbers) {
        transfers += number.kind == NumberKind::Transfer ? 1 : 0;
        if (!number.widest) continue;
        ++widest;
        EXPECT_EQ(number.formula, costs.widest(1).text());
        EXPECT_THAT(number.sum, testing::Contains(testing::HasSubstr("(")));  // what is carried along
    }
    EXPECT_EQ(transfers, static_cast<int>(costs.transfers.size()));
    EXPECT_EQ(widest, 1);
    options.numbers = NumberStyle::None;
    EXPECT_THAT(lay_out(circuit, options).numbers, IsEmpty());
}

// A transfer is where wires change their level; what a stream carries stands in parentheses.
TEST(Drawing, ShowsLevelsAndWhatIsCarried) {
    const Drawing drawing = lay_out(algorithm("attention", 16));
    const auto levels = [&](WireEnd end) {
        return std::count_if(drawing.wires.begin(), drawing.wires.end(),
                             [&](const DrawnWire& wire) { return wire.to == end; });
    };
    EXPECT_EQ(levels(WireEnd::Level), 8);  // Q, K, V and O have two wires each
    EXPECT_THAT(drawing.labels, testing::Contains(testing::Field(&DrawnLabel::text, "(g_M)")));
    EXPECT_THAT(drawing.frames, testing::Contains(testing::Field(&DrawnFrame::kind, FrameKind::Stream)));
}

// Caches look like no other level, have asterisks where they begin, and leave the other levels their looks.
TEST(Drawing, ShowsCaches) {
    const Flow flow = flow_from(kAttention);
    const Hierarchy levels = hierarchy_of(device("h100-sxm5"), true, false);
    const Drawing drawing =
        lay_out(fused(flow, {{axis(flow, "q"), PartitionKind::Group, 128}}, levels).value());
    EXPECT_THAT(drawing.looks, testing::ElementsAre(0, kCacheLook, 1, 2, 3));
    for (const char* text : {"g_q*", "x*", "d*"})
        EXPECT_THAT(drawing.labels, testing::Contains(testing::AllOf(testing::Field(&DrawnLabel::text, text),
                                                                     testing::Field(&DrawnLabel::level, 1))));
}

// Wide diagrams wrap; a frame that goes on is open where it does.
TEST(Drawing, Wraps) {
    const Circuit circuit = circuit_of(flow_of(read_sample("decoder-block")));
    LayoutOptions options;
    options.width = 600;
    const Drawing narrow = lay_out(circuit, options);
    options.width = 1e5;
    const Drawing wide = lay_out(circuit, options);
    EXPECT_GT(narrow.lines.size(), 3U);
    EXPECT_EQ(wide.lines.size(), 1U);
    EXPECT_TRUE(std::any_of(narrow.frames.begin(), narrow.frames.end(),
                            [](const DrawnFrame& frame) { return frame.open_right; }));
    EXPECT_TRUE(std::none_of(wide.frames.begin(), wide.frames.end(),
                             [](const DrawnFrame& frame) { return frame.open_right || frame.open_left; }));
}

TEST(Drawing, RepeatsInBrackets) {
    const Circuit model = repeated(circuit_of(flow_of(read_sample("decoder-block"))), "Decoder", "32");
    const Drawing drawing = lay_out(model);
    ASSERT_FALSE(drawing.frames.empty());
    EXPECT_EQ(drawing.frames.front().kind, FrameKind::Repeat);
    EXPECT_EQ(drawing.frames.front().title, "Decoder × 32");
    expect_tidy(model, "decoder-block/repeated");
}

TEST(RichText, LowersAndRaises) {
    EXPECT_THAT(rich_text("g_q^(128)·d + x^-1/2"),
                testing::ElementsAre(TextRun{"g", 0}, TextRun{"q", -1}, TextRun{"(128)", 1},
                                     TextRun{"·d + x", 0}, TextRun{"-1/2", 1}));
    EXPECT_THAT(rich_text("(s_x)"),
                testing::ElementsAre(TextRun{"(s", 0}, TextRun{"x", -1}, TextRun{")", 0}));
    EXPECT_THAT(rich_text("_ ^"), testing::ElementsAre(TextRun{"_ ^", 0}));
}

// ---- geometry, as LaTeX; BLOCKSCOPE_UPDATE=1 writes the files anew ----

void expect_golden(const Circuit& circuit, const std::string& name) {
    const std::string path = std::string(BLOCKSCOPE_SOURCE_DIR) + "/tests/diagram/golden/" + name + ".tex";
    const std::string made = tikz(lay_out(circuit), name);
    if (std::getenv("BLOCKSCOPE_UPDATE")) {
        std::ofstream(path) << made;
        return;
    }
    std::ifstream file(path);
    std::stringstream kept;
    kept << file.rdbuf();
    EXPECT_EQ(made, kept.str())
        << "if this is meant: BLOCKSCOPE_UPDATE=1 diagram_test --gtest_filter='*Golden*'";
}

TEST(DrawingGolden, Matmul) {
    expect_golden(circuit_of(flow_from(kMatmul)), "matmul");
}
TEST(DrawingGolden, Attention) {
    expect_golden(circuit_of(flow_from(kAttention)), "attention");
}
TEST(DrawingGolden, FlashAttention) {
    expect_golden(algorithm("attention", 16), "flash-attention");
}
TEST(DrawingGolden, AttentionAfterStep17) {
    expect_golden(state("attention", 17), "attention-17");
}
// Figure 30, and Figure 32: the same loop on the levels of a device.
TEST(DrawingGolden, PseudocodeOfAttention) {
    const Flow flow = flow_from(kAttention);
    PseudocodeOptions options;
    expect_golden(pseudocode(flow, axis(flow, "q"), axis(flow, "x"), options).value(), "attention-loop");
    options.hierarchy = hierarchy_of(device("h100-sxm5"), false, false);
    options.divisors = {{"w_q", 128, {}}, {"d", 128, {}}, {"u_x", 16, {}}, {"s_x", 8, {}}};
    expect_golden(pseudocode(flow, axis(flow, "q"), axis(flow, "x"), options).value(), "attention-h100");
}
TEST(DrawingGolden, DecoderBlock) {
    expect_golden(circuit_of(flow_of(read_sample("decoder-block"))), "decoder-block");
}

}  // namespace
}  // namespace blockscope::test
