// Algorithms drawn on all levels of a device, each with groups of its own (Figures 20 and 24).
#include "core/napkin/study.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/diagram/document.h"
#include "core/diagram/layout/drawing.h"
#include "core/diagram/term.h"
#include "core/json/value.h"
#include "tests/diagram/drawing_checks.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Study on(const Flow& flow, const std::string& name) {
    Result<Study> made = study(flow, device(name));
    if (!made) throw std::runtime_error(made.problems().front().message.str());
    return std::move(made).value();
}

// Read off the drawing: H into every level is that of the level's own two-level model (Section 4.2), and so
// is the sum of Equation 2. The innermost one holds at most what that says: what comes from the level around
// it comes when it is used.
void expect_levels(const Study& study, const Circuit& drawn) {
    EXPECT_THAT(verify(drawn), testing::IsEmpty());
    const Resources costs = resources(drawn);
    const Values at = sizes(drawn.axes);
    const std::vector<LevelPlan>& plans = study.level_plans.levels;
    ASSERT_EQ(static_cast<std::size_t>(drawn.lowest_level), plans.size());
    double seconds = 0;
    for (std::size_t l = 0; l < plans.size(); ++l) {
        const double into = costs.into(static_cast<int>(l) + 1).value(at);
        EXPECT_DOUBLE_EQ(into, plans[l].transferred) << plans[l].level.name;
        seconds += study.bytes / plans[l].level.bandwidth * into;
    }
    EXPECT_LE(costs.widest(drawn.lowest_level).value(at), plans.back().memory);
    EXPECT_DOUBLE_EQ(seconds, study.level_plans.seconds.value());
}

TEST(LevelCircuit, HasTheTransfersOfEveryLevel) {
    int drawn_ones = 0;
    for (const char* name :
         {"attention", "matmul", "lora", "multihead-attention", "rmsnorm-matmul", "gated-mlp", "mcfuser-g4"})
        for (const char* where : {"h100-sxm5", "a100-sxm-80gb", "epyc-9755"}) {
            SCOPED_TRACE(std::string(name) + " on " + where);
            const Study study = on(separated(flow_of(read_sample(name))), where);
            const Result<Circuit> drawn = level_circuit(study);
            if (!study.level_plans.seconds) {
                EXPECT_FALSE(drawn);
                continue;
            }
            ASSERT_TRUE(drawn) << drawn.problems().front().message;
            ++drawn_ones;
            expect_levels(study, *drawn);
        }
    EXPECT_GE(drawn_ones, 12);
}

// g in shared memory, h in registers; the L2 around it holds more than the axis.
TEST(LevelCircuit, NamesThePartsOfEveryLevel) {
    const Study study = on(flow_from(kMatmul), "h100-sxm5");
    const Circuit drawn = level_circuit(study).value();
    EXPECT_EQ(drawn.levels, (std::vector<std::string>{"global", "L2", "shared", "registers"}));
    const Axis& part = *std::find_if(drawn.axes.begin(), drawn.axes.end(),
                                     [](const Axis& axis) { return axis.name == "g_a"; });
    EXPECT_EQ(part.at_levels, (std::vector<std::string>{"", "a", "g_a", "h_a"}));
    for (std::size_t l = 0; l < 3; ++l)
        EXPECT_EQ(part.level_sizes.at(l + 1), study.level_plans.levels[l].groups[0].second);
    const Resources costs = resources(drawn);
    EXPECT_FORMULA(costs.into(3), "a·b·c·h_a^-1 + a·b·c·h_c^-1 + a·c");
    EXPECT_FORMULA(costs.into(2), "a·b·c·g_a^-1 + a·b·c·g_c^-1 + a·c");
    EXPECT_FORMULA(costs.widest(3), "h_a·h_c + h_a·s_b + h_c·s_b");
}

TEST(LevelCircuit, IsDrawnWithNumbersOfEveryLevel) {
    for (const char* text : {kMatmul, kAttention}) {
        const Circuit circuit = level_circuit(on(flow_from(text), "h100-sxm5")).value();
        const Drawing drawing = lay_out(circuit);
        EXPECT_THAT(overlaps(drawing), testing::IsEmpty());
        EXPECT_THAT(loose_ends(drawing), testing::IsEmpty());
        EXPECT_THAT(outside(drawing), testing::IsEmpty());
        std::set<std::string> bands;
        for (const DrawnLabel& label : drawing.labels)
            if (label.role == LabelRole::Number) bands.insert(label.text);
        EXPECT_THAT(bands, testing::IsSupersetOf({"H_1", "H_2", "H_3", "M_2", "M_3"}));
    }
}

TEST(LevelCircuit, IsADocument) {
    const Circuit circuit = level_circuit(on(flow_from(kMatmul), "h100-sxm5")).value();
    const std::string text = json::print(to_json(CircuitDocument{"levels", circuit, std::nullopt}));
    const Result<CircuitDocument> read = read_circuit(text, "levels.json");
    ASSERT_TRUE(read) << read.problems().front().message;
    EXPECT_EQ(read->circuit.axes, circuit.axes);
    EXPECT_EQ(resources(read->circuit).into(3).text(), resources(circuit).into(3).text());
    // A size at a level without a name there.
    Circuit wrong = circuit;
    for (Axis& axis : wrong.axes)
        if (!axis.at_levels.empty()) axis.at_levels.resize(2);
    EXPECT_THAT(verify(wrong), testing::Contains(testing::HasSubstr("no name there")));
    EXPECT_FALSE(read_circuit(json::print(to_json(CircuitDocument{"", wrong, std::nullopt})), "w.json"));
}

// A block of which not even one row fits.
TEST(LevelCircuit, SaysWhatDoesNotFit) {
    const Study study = on(separated(flow_of(read_sample("decoder-block"))), "h100-sxm5");
    const Result<Circuit> drawn = level_circuit(study);
    ASSERT_FALSE(drawn);
    EXPECT_THAT(drawn.problems().front().message, testing::HasSubstr("found no groups that fit into"));
}

}  // namespace
}  // namespace blockscope::test
