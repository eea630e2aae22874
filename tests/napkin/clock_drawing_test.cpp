// Clock diagrams as geometry: blocks as wide as their clocks, one after the other in their rows, hatched
// overheads, waits, a ruler.
#include "core/napkin/drawings.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "core/json/value.h"
#include "core/napkin/clocks.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

// Two products and a softmax between them; the softmax takes half as long again.
const std::vector<LaneTask> kTasks = {{"· that makes S", Unit::Matrix, 4, 0},
                                      {"softmax that makes P", Unit::Special, 4, 0.5},
                                      {"· that makes O", Unit::Matrix, 4, 0}};

ClockDrawing drawn(int lanes, Overlap overlap, double width = 900) {
    ClockOptions options;
    options.width = width;
    return draw_clocks(schedule(kTasks, lanes, overlap, 8), options);
}

double scale_of(const ClockDrawing& drawing) {
    return (drawing.ruler.at(1) - drawing.ruler.at(0)) / drawing.product;
}

TEST(ClockDrawing, BlocksAreAsWideAsTheirClocks) {
    const ClockDrawing drawing = drawn(2, Overlap::Inter);
    const double scale = scale_of(drawing);
    int hatched = 0;
    for (const ClockBlock& block : drawing.blocks) {
        if (block.iteration > 1) continue;  // later ones may be cut off
        EXPECT_NEAR(block.work.width, scale * 4, 1e-6);
        EXPECT_NEAR(block.overhead.width, block.unit == Unit::Special ? scale * 2 : 0, 1e-6);
        EXPECT_NEAR(block.overhead.left(), block.work.right(), 1e-6);
        EXPECT_NEAR(block.work.left(), drawing.ruler.front() + scale * block.begins, 1e-6);
        hatched += block.overhead.width > 0 ? 1 : 0;
    }
    EXPECT_GT(hatched, 0);
    EXPECT_EQ(drawing.product, 4);
}

TEST(ClockDrawing, NothingOverlapsAndEverythingIsInside) {
    for (const Overlap overlap : {Overlap::Inter, Overlap::Intra})
        for (const int lanes : {1, 2, 3}) {
            const ClockDrawing drawing = drawn(lanes, overlap);
            ASSERT_EQ(drawing.lanes.size(), static_cast<std::size_t>(lanes));
            for (std::size_t i = 0; i < drawing.blocks.size(); ++i) {
                const Rect& box = drawing.blocks[i].work;
                EXPECT_GE(box.left(), drawing.bounds.left());
                EXPECT_LE(drawing.blocks[i].overhead.right(), drawing.bounds.right() + 1e-6);
                EXPECT_LE(box.bottom(), drawing.ruler_y);
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_FALSE(box.grown(-0.01).intersects(drawing.blocks[j].work)) << i << " and " << j;
            }
        }
}

// With two warpgroups the tensor cores are asked for while they work.
TEST(ClockDrawing, WaitsAreMarked) {
    const ClockDrawing drawing = drawn(2, Overlap::Inter);
    ASSERT_FALSE(drawing.barriers.empty());
    for (const ClockBarrier& barrier : drawing.barriers) {
        EXPECT_GT(barrier.waited, 0);
        const bool begins = std::any_of(
            drawing.blocks.begin(), drawing.blocks.end(),
            [&](const ClockBlock& block) { return std::abs(block.work.left() - barrier.x) < 1e-6; });
        EXPECT_TRUE(begins) << barrier.x;
    }
    EXPECT_THAT(drawn(1, Overlap::Inter).barriers, testing::IsEmpty());
}

TEST(ClockDrawing, TextsStandWhereTheyFit) {
    const auto named = [](const ClockDrawing& drawing) {
        return std::count_if(drawing.blocks.begin(), drawing.blocks.end(),
                             [](const ClockBlock& block) { return !block.text.empty(); });
    };
    EXPECT_GT(named(drawn(2, Overlap::Inter, 1600)), 0);
    EXPECT_EQ(drawn(2, Overlap::Inter, 1600).blocks.front().text, "S");
    EXPECT_EQ(named(drawn(2, Overlap::Inter, 180)), 0);
}

TEST(ClockDrawing, IsWrittenForLatex) {
    const std::string text = tikz(drawn(2, Overlap::Intra), "two warpgroups");
    EXPECT_EQ(text.rfind("% two warpgroups\n\\begin{tikzpicture}", 0), 0U);
    EXPECT_THAT(text, testing::HasSubstr("\\draw[overhead]"));
    EXPECT_THAT(text, testing::HasSubstr("\\draw[barrier]"));
    EXPECT_THAT(text, testing::HasSubstr("{warpgroup 2}"));
    EXPECT_THAT(text, testing::EndsWith("\\end{tikzpicture}\n"));
}

struct TraceEvent {
    double from = 0, to = 0;
};

double number_at(const json::Object& object, const std::string& key) {
    for (const json::Member& member : object) {
        if (member.key != key) continue;
        if (const auto* whole = std::get_if<std::int64_t>(&member.value.data))
            return static_cast<double>(*whole);
        return std::get<double>(member.value.data);
    }
    ADD_FAILURE() << "no " << key;
    return 0;
}

// By process and thread.
std::map<std::pair<int, int>, std::vector<TraceEvent>> lasting_events(const json::Value& trace) {
    std::map<std::pair<int, int>, std::vector<TraceEvent>> found;
    for (const json::Member& member : std::get<json::Object>(trace.data)) {
        if (member.key != "traceEvents") continue;
        for (const json::Value& value : std::get<json::Array>(member.value.data)) {
            const auto& event = std::get<json::Object>(value.data);
            const bool lasts = std::any_of(event.begin(), event.end(), [](const json::Member& part) {
                return part.key == "ph" && std::get<std::string>(part.value.data) == "X";
            });
            if (!lasts) continue;
            const double from = number_at(event, "ts");
            found[{static_cast<int>(number_at(event, "pid")), static_cast<int>(number_at(event, "tid"))}]
                .push_back({from, from + number_at(event, "dur")});
        }
    }
    return found;
}

// Viewers take events of a thread that overlap in part for a mistake.
TEST(ClockTrace, HasEveryTaskAndNothingOverlapsInAThread) {
    for (const Overlap overlap : {Overlap::Inter, Overlap::Intra}) {
        const Schedule made = schedule(kTasks, 2, overlap, 8);
        auto threads = lasting_events(to_trace_events(made, "attention"));
        double clocks = 0, expected = 0;
        for (const ScheduledTask& task : made.scheduled) expected += task.worked - task.start;
        for (auto& [thread, events] : threads) {
            std::sort(events.begin(), events.end(),
                      [](const TraceEvent& a, const TraceEvent& b) { return a.from < b.from; });
            for (std::size_t i = 1; i < events.size(); ++i)
                EXPECT_LE(events[i - 1].to, events[i].from + 1e-9) << thread.first << "/" << thread.second;
            for (const TraceEvent& event : events)
                if (thread.first == 2) clocks += 1000 * (event.to - event.from);
        }
        EXPECT_NEAR(clocks, expected, 1e-6);
        EXPECT_EQ(threads.size(), 2U * 2 + 2) << "two units of two warpgroups, and the two units";
    }
}

}  // namespace
}  // namespace blockscope::test
