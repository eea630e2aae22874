// Two states on one page: readable, marked, side by side or one above the other.
#include "app/export/comparison.h"

#include <gmock/gmock.h>

#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ComparisonPage compared(FusedRun& run, std::size_t before, std::size_t after) {
    const std::vector<StateId> way = run.content->history.path(run.content->history.branch(1).tip);
    ComparisonRequest request;
    request.before = way.at(std::min(before, way.size() - 1));
    request.after = way.at(std::min(after, way.size() - 1));
    request.times = {{request.before, QStringLiteral("249 µs")}, {request.after, QStringLiteral("105 µs")}};
    request.best = request.after;
    request.by = QStringLiteral("predicted time");
    return compare_on_paper(*run.content, request, run.source()).value();
}

class Compared : public testing::TestWithParam<const char*> {};

TEST_P(Compared, NamesAreSevenPointsHighAndNothingOverlaps) {
    FusedRun run(GetParam());
    const ComparisonPage page = compared(run, 0, 999);
    EXPECT_GE(smallest_print(page), 6.99);
    const Rect paper{0, 0, page.paper.width, page.paper.height};
    for (const ComparisonCell& cell : page.cells) {
        EXPECT_GE(cell.rect.x, 0);
        EXPECT_GE(cell.rect.y, 0);
        EXPECT_LE(cell.rect.right(), paper.right());
        EXPECT_LE(cell.rect.bottom(), paper.bottom());
        const Rect& bounds = cell.picture->geometry.bounds;
        EXPECT_LE(bounds.width * page.scale, cell.rect.width + 0.5);
        EXPECT_LE(bounds.height * page.scale, cell.rect.height + 0.5);
        EXPECT_FALSE(cell.lights.boxes.empty()) << "differences are marked";
    }
    EXPECT_FALSE(page.cells[0].rect.intersects(page.cells[1].rect));
    EXPECT_FALSE(page.signs.empty()) << "and explained";
}

INSTANTIATE_TEST_SUITE_P(Samples, Compared, testing::Values("attention", "softmax", "rmsnorm-swiglu"),
                         [](const auto& one) {
                             std::string name = one.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST(Comparison, ItsHeadersSayBytesTimeAndWhichIsBest) {
    FusedRun run("attention");
    const ComparisonPage page = compared(run, 0, 17);
    const std::string before = page.cells[0].numbers.toStdString(),
                      after = page.cells[1].numbers.toStdString();
    EXPECT_THAT(before, HasSubstr("moved"));
    EXPECT_THAT(before, HasSubstr("249 µs"));
    EXPECT_THAT(before, Not(HasSubstr("best state")));
    EXPECT_THAT(after, HasSubstr("105 µs"));
    EXPECT_THAT(after, HasSubstr("best state"));
    EXPECT_TRUE(page.cells[1].best);
    EXPECT_THAT(page.summary.toStdString(), HasSubstr("predicted time"));
    const std::string svg = comparison_bytes("svg", page, Theme::light()).toStdString();
    EXPECT_THAT(xml_problem(svg), IsEmpty());
    EXPECT_THAT(svg, HasSubstr("Initial program"));
    EXPECT_TRUE(comparison_bytes("pdf", page, Theme::light()).startsWith("%PDF"));
}

TEST(Comparison, TwoStatesThatAreNearKeepOnePaper) {
    FusedRun run("softmax");
    const ComparisonPage page = compared(run, 0, 1);
    EXPECT_LE(std::max(page.paper.width, page.paper.height), 1124) << "A4";
}

}  // namespace
}  // namespace blockscope::test
