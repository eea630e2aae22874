// Two states on one page: readable, marked, side by side or one above the other.
#include "app/export/comparison.h"

#include <gmock/gmock.h>

#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<ComparisonPage> compared(FusedRun& run, std::size_t before, std::size_t after) {
    const std::vector<StateId> way = run.content->history.path(run.content->history.branch(1).tip);
    ComparisonRequest request;
    request.before = way.at(std::min(before, way.size() - 1));
    request.after = way.at(std::min(after, way.size() - 1));
    request.times = {{request.before, QStringLiteral("249 µs")}, {request.after, QStringLiteral("105 µs")}};
    request.best = request.after;
    request.by = QStringLiteral("predicted time");
    return compare_on_paper(*run.content, request, run.source());
}

void check_page(const ComparisonPage& page) {
    EXPECT_GE(smallest_print(page), 6.99);
    EXPECT_LE(std::max(page.paper.width, page.paper.height), 1124) << "A4";
    EXPECT_LE(std::min(page.paper.width, page.paper.height), 795);
    const Rect paper{0, 0, page.paper.width, page.paper.height};
    for (const ComparisonCell& cell : page.cells) {
        EXPECT_GE(cell.rect.x, 0);
        EXPECT_GE(cell.rect.y, 0);
        EXPECT_LE(cell.rect.right(), paper.right());
        EXPECT_LE(cell.rect.bottom(), paper.bottom());
        EXPECT_LE(cell.part.width * page.scale, cell.rect.width + 0.5);
        EXPECT_LE(cell.part.height * page.scale, cell.rect.height + 0.5);
        EXPECT_FALSE(cell.lights.boxes.empty()) << "differences are marked";
        EXPECT_TRUE(std::any_of(cell.picture->geometry.boxes.begin(), cell.picture->geometry.boxes.end(),
                                [&](const Rect& box) { return box.intersects(cell.part); }));
        EXPECT_FALSE(cell.title.isEmpty());
        EXPECT_FALSE(cell.numbers.isEmpty());
    }
    if (page.cells.size() == 2) {
        EXPECT_FALSE(page.cells[0].rect.intersects(page.cells[1].rect));
    }
    EXPECT_FALSE(page.signs.empty()) << "and explained";
}

class Compared : public testing::TestWithParam<const char*> {};

TEST_P(Compared, CanBeReadOnPagesOfA4) {
    FusedRun run(GetParam());
    for (const std::size_t last : {std::size_t{999}, std::size_t{1}}) {
        const std::vector<ComparisonPage> pages = compared(run, 0, last);
        ASSERT_THAT(pages, Not(IsEmpty()));
        for (std::size_t i = 0; i < pages.size(); ++i) {
            SCOPED_TRACE("page " + std::to_string(i + 1));
            check_page(pages[i]);
            EXPECT_EQ(pages[i].paper, pages.front().paper);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Compared,
                         testing::Values("attention", "softmax", "rmsnorm-swiglu", "decoder-block"),
                         [](const auto& one) {
                             std::string name = one.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

// A decoder block has no room on one page: first all of it, folded, on as many sheets as it takes, then what
// became of its parts, unfolded.
TEST(Comparison, PartsOfALargeProgramFollowOnPagesOfTheirOwn) {
    FusedRun run("decoder-block");
    const std::vector<ComparisonPage> pages = compared(run, 0, 40);
    ASSERT_GE(pages.size(), 3U);
    const auto is_part = [](const ComparisonPage& page) {
        return page.summary.startsWith(QStringLiteral("Part "));
    };
    const auto has_frame = [](const ComparisonCell& cell) {
        const std::vector<Box>& boxes = cell.picture->figure.boxes;
        return std::any_of(boxes.begin(), boxes.end(),
                           [](const Box& box) { return box.kind == BoxKind::Frame; });
    };
    EXPECT_FALSE(is_part(pages.front()));
    const auto first = std::find_if(pages.begin(), pages.end(), is_part);
    ASSERT_NE(first, pages.end());
    EXPECT_TRUE(std::all_of(first, pages.end(), is_part)) << "at the end";
    for (auto page = first; page != pages.end(); ++page) {
        EXPECT_THAT(page->cells.at(0).numbers.toStdString(), HasSubstr("kernels of this part: "));
        EXPECT_TRUE(std::any_of(page->cells.begin(), page->cells.end(), has_frame))
            << "what the sheets before have no room for";
    }
    const QByteArray pdf = comparison_bytes("pdf", pages, Theme::light());
    EXPECT_EQ(pdf.count("/Type /Page\n"), static_cast<int>(pages.size()));
    const std::string svg = comparison_bytes("svg", pages, Theme::light()).toStdString();
    EXPECT_THAT(xml_problem(svg), IsEmpty());
    EXPECT_THAT(svg, HasSubstr("Part 1 of ")) << "below the others";
}

TEST(Comparison, ItsHeadersSayBytesTimeAndWhichIsBest) {
    FusedRun run("attention");
    const std::vector<ComparisonPage> pages = compared(run, 0, 17);
    ASSERT_THAT(pages, Not(IsEmpty()));
    const ComparisonPage& page = pages.front();
    const std::string before = page.cells[0].numbers.toStdString(),
                      after = page.cells[1].numbers.toStdString();
    EXPECT_THAT(before, HasSubstr("moved"));
    EXPECT_THAT(before, HasSubstr("249 µs"));
    EXPECT_THAT(before, Not(HasSubstr("best state")));
    EXPECT_THAT(after, HasSubstr("105 µs"));
    EXPECT_THAT(after, HasSubstr("best state"));
    EXPECT_TRUE(page.cells[1].best);
    EXPECT_THAT(page.summary.toStdString(), HasSubstr("predicted time"));
    const std::string svg = comparison_bytes("svg", pages, Theme::light()).toStdString();
    EXPECT_THAT(xml_problem(svg), IsEmpty());
    EXPECT_THAT(svg, HasSubstr("Initial program"));
    EXPECT_TRUE(comparison_bytes("pdf", pages, Theme::light()).startsWith("%PDF"));
}

TEST(Comparison, TwoStatesThatAreNearKeepOnePage) {
    FusedRun run("softmax");
    EXPECT_THAT(compared(run, 0, 1), testing::SizeIs(1));
}

}  // namespace
}  // namespace blockscope::test
