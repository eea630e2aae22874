// H* where no group is larger than its axis: against a search over sizes, against what has to be moved, and
// the loops' derivation against the diagrams'.
#include "core/algebra/power_law.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/diagram/place.h"
#include "core/fusion/trace.h"
#include "core/napkin/optimum.h"
#include "core/napkin/study.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;
using algebra::ClippedLaw;

Study study_of(const std::string& program, const Device& on) {
    Result<Study> made = study(separated(flow_from(program.c_str())), on);
    if (!made) throw std::runtime_error(made.problems().front().message.str());
    return std::move(made).value();
}

const char* const kWide =
    "dim a = 4096 / 64\ndim b = 512 / 64\ndim c = 256 / 64\ninput A[a, b], B[b, c] : f16\noutput C = A @ B\n";

// Each input and output once.
double compulsory(const Flow& flow) {
    double values = 0;
    for (const auto* list : {&flow.inputs, &flow.outputs})
        for (const int array : *list) {
            double size = 1;
            for (const AxisId id : flow.arrays.at(static_cast<std::size_t>(array)).type.axes)
                size *= static_cast<double>(axis_of(flow.axes, id).size);
            values += size;
        }
    return values;
}

// The least abc/g_a + abc/g_c + ac for real sizes within the axes with g_a·g_c <= M.
double searched(double a, double b, double c, double memory) {
    double least = HUGE_VAL;
    for (int i = 0; i <= 4000; ++i) {
        const double rows = std::pow(a, i / 4000.0);
        const double columns = std::min(c, memory / rows);
        least = std::min(least, a * b * c / rows + a * b * c / columns + a * c);
    }
    return least;
}

TEST(ClippedLaw, IsTheLeastWithinTheAxes) {
    const Study wide = study_of(kWide, device("h100-sxm5"));
    ASSERT_TRUE(wide.clipped);
    std::vector<std::vector<std::string>> whole;
    for (const algebra::LawPiece& piece : wide.clipped->pieces) whole.push_back(piece.whole);
    EXPECT_EQ(whole, (std::vector<std::vector<std::string>>{{}, {"g_c"}, {"g_c", "g_a"}}));
    EXPECT_DOUBLE_EQ(wide.clipped->pieces[1].from, 256.0 * 256);
    EXPECT_DOUBLE_EQ(wide.clipped->pieces[2].from, 4096.0 * 256);
    for (double memory = 1024; memory < 1e8; memory *= 1.7) {
        const double least = searched(4096, 512, 256, memory);
        const double law = transfers(*wide.clipped, memory);
        EXPECT_LE(law, least * (1 + 1e-9)) << memory;
        EXPECT_NEAR(law, least, 1e-3 * least) << memory;
    }
}

// Where all groups are smaller than their axes it is the paper's law.
TEST(ClippedLaw, IsThePowerLawOfLargeAxes) {
    const Study found = study_of(sample_text("matmul"), device("h100-sxm5"));
    const Values at = sizes(found.circuit.axes);
    for (const double memory : {1e4, 1e5, 1e6})
        EXPECT_DOUBLE_EQ(transfers(*found.clipped, memory), found.law->value(at, memory));
}

// samples/matmul.bp: three arrays of 4096², which an L2 of 25 M values moves once.
TEST(ClippedLaw, MovesEveryArrayOnceAtLeast) {
    const Study matmul = study_of(sample_text("matmul"), device("h100-sxm5"));
    const LevelCost& l2 = matmul.models->levels.front();
    EXPECT_EQ(l2.level.name, "L2");
    EXPECT_DOUBLE_EQ(l2.transfers, 3 * 4096.0 * 4096);
    EXPECT_EQ(l2.whole.size(), 2u);
    EXPECT_DOUBLE_EQ(l2.seconds, l2.level.weight * 3 * 4096.0 * 4096);
    int levels = 0;
    for (const std::string& name : sample_names())
        for (const char* on : {"h100-sxm5", "a100-sxm-80gb", "epyc-9755"}) {
            SCOPED_TRACE(name + " on " + on);
            const Result<Study> found = study(separated(flow_of(read_sample(name))), device(on));
            ASSERT_TRUE(found);
            if (!found->models) continue;
            const double least = compulsory(found->flow) * (1 - 1e-9);
            for (const LevelCost& level : found->models->levels) {
                EXPECT_GE(level.transfers, least) << level.level.name;
                ++levels;
            }
            for (const CacheCost& cache : found->models->caches) {
                EXPECT_GE(cache.transfers, least);
                EXPECT_GE(cache.transfers_cached, least);
            }
            // Links save what is moved more than once at most.
            const LevelCost& child = found->models->levels.at(found->models->levels.size() > 1 ? 1 : 0);
            for (const CrossCost& cross : found->models->cross)
                EXPECT_LE(cross.saved, child.level.weight * (child.transfers - least) * (1 + 1e-9));
        }
    EXPECT_GT(levels, 100);
}

// More memory never moves more, and where one piece ends the next begins.
TEST(ClippedLaw, FallsWithoutJumps) {
    for (const std::string& name : sample_names()) {
        SCOPED_TRACE(name);
        const Result<Study> found = study(separated(flow_of(read_sample(name))), device("h100-sxm5"));
        if (!found->clipped) continue;
        double before = HUGE_VAL;
        for (double memory = 256; memory < 1e12; memory *= 1.3) {
            const double moved = transfers(*found->clipped, memory);
            EXPECT_LE(moved, before * (1 + 1e-9)) << memory;
            before = moved;
        }
        for (const algebra::LawPiece& piece : found->clipped->pieces) {
            if (piece.from == 0) continue;
            const double ends = transfers(*found->clipped, piece.from);
            EXPECT_NEAR(transfers(*found->clipped, piece.from * (1 + 1e-6)), ends, 0.01 * ends);
        }
    }
}

// The loops' derivation and the diagrams' are two; `optimum --memory` clips one memory at a time.
TEST(ClippedLaw, OfLoopsAndOfDiagramsIsTheSame) {
    const Study diagram = study_of(sample_text("matmul"), device("h100-sxm5"));
    const LoopProgram loops = lower(*fuse(block_sample("matmul")).last());
    const std::optional<ClippedLaw> law = napkin::clipped_law(loops, {});
    ASSERT_TRUE(law);
    for (double memory = 1024; memory < 1e9; memory *= 2.3) {
        const double moved = transfers(*law, memory);
        EXPECT_NEAR(moved, transfers(*diagram.clipped, memory), 1e-9 * moved) << memory;
        const napkin::Optimum at = napkin::find_optimum(loops, {.same = {}, .memory = memory});
        EXPECT_NEAR(moved, algebra::transfers(power_law(at.law, loops.dims), memory), 1e-9 * moved);
    }
}

TEST(ClippedLaw, OfSeveralAlgorithmsIsTheirSum) {
    ClippedLaw a = algebra::NumericLaw{{8, 1}, {2, 0}};
    a.pieces.push_back({.from = 4, .law = {{4, 0}}, .whole = {"g"}, .sizes = {}});
    const ClippedLaw sum = a + ClippedLaw(algebra::NumericLaw{{16, 0.5}});
    EXPECT_DOUBLE_EQ(transfers(sum, 1), 8 + 2 + 16);
    EXPECT_DOUBLE_EQ(transfers(sum, 4), 4 + 8);
    EXPECT_EQ(sum.at(5).whole, std::vector<std::string>{"g"});
}

}  // namespace
}  // namespace blockscope::test
