// Pictures in columns and from left to right, over every sample's whole run.
#include "app/layout/shape.h"

#include <gmock/gmock.h>

#include "core/safety/safety.h"
#include "tests/layout/laid_out_run.h"
#include "tests/layout/picture_check.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

using testing::IsEmpty;

constexpr Size kRoom{780, 520};  // of the canvas of a window of 1440 x 900

// A picture from left to right, mirrored back: from top to bottom, as it is checked.
Picture upright(Picture picture) {
    const auto turn = [](std::vector<Point>& points) {
        for (Point& p : points) std::swap(p.x, p.y);
    };
    for (Box& box : picture.figure.boxes) std::swap(box.size.width, box.size.height);
    for (Rect& r : picture.geometry.boxes) r = {r.y, r.x, r.height, r.width};
    picture.geometry.bounds = {picture.geometry.bounds.y, picture.geometry.bounds.x,
                               picture.geometry.bounds.height, picture.geometry.bounds.width};
    for (auto* ports : {&picture.geometry.in, &picture.geometry.out})
        for (auto& points : *ports) turn(points);
    for (Curve& curve : picture.geometry.edges) turn(curve);
    return picture;
}

struct Shown {
    Picture picture;
    Columns columns;
    int edges_through = 0;  // boxes, in the picture of one column
};

// The pictures of a run as a view of kRoom shows them.
std::vector<Shown> run_of(const std::string& sample, Flow flow) {
    const test::LaidOutRun& laid_out = test::laid_out_run(sample, flow);
    std::vector<Shown> run;
    Columns columns;
    for (std::size_t step = 0; step < laid_out.pictures.size(); ++step) {
        const Picture& picture = laid_out.pictures[step];
        const std::vector<Lineage> made = step ? laid_out.trace.steps[step - 1].made : std::vector<Lineage>{};
        columns = columns_of(picture, flow, kRoom, columns, made);
        run.push_back({shaped(picture, flow, columns), columns, test::edges_through_boxes(picture)});
    }
    return run;
}

class Shapes : public testing::TestWithParam<std::string> {};

TEST_P(Shapes, AreSoundPicturesInColumnsAndRows) {
    for (const Flow flow : {Flow::Down, Flow::Right}) {
        int step = 0;
        for (const Shown& shown : run_of(GetParam(), flow)) {
            const Picture picture = flow == Flow::Down ? shown.picture : upright(shown.picture);
            EXPECT_THAT(test::problems(picture, !shown.columns.empty()), IsEmpty())
                << "step " << step << (flow == Flow::Down ? ", down" : ", to the right");
            EXPECT_LE(test::edges_through_boxes(picture), shown.edges_through)
                << "step " << step << (flow == Flow::Down ? ", down" : ", to the right");
            // In two runs an edge or two go behind boxes that keep their places from step to step.
            EXPECT_LE(shown.edges_through, GetParam() == "decoder-block" ? 2 : 1) << "step " << step;
            ++step;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Shapes, testing::ValuesIn(test::distinct_samples()),
                         [](const auto& sample) { return test::test_name(sample.param); });

// The safe form of a sample's last state, and the same with what its maps hold in columns.
struct InColumns {
    Picture before, after;
};
InColumns safe_in_columns(const std::string& sample, Flow flow) {
    Layouter layouter;
    InColumns made;
    const test::LaidOutRun& run = test::laid_out_run(sample, flow);
    const SafeProgram safe = make_safe(*run.trace.last());
    Figure figure = make_figure(safe.program, {}, plain_measure);
    if (flow == Flow::Right) lay_on_side(figure);
    Geometry geometry = layouter.follow(figure, run.pictures.back(), safe.made);
    made.before = {std::move(figure), std::move(geometry)};
    made.after = wrapped_inside(layouter, made.before, flow, kRoom);
    return made;
}

TEST_P(Shapes, AreSoundWithMapsInColumns) {
    for (const Flow flow : {Flow::Down, Flow::Right}) {
        const InColumns made = safe_in_columns(GetParam(), flow);
        // As it is drawn, mirrored back: from top to bottom.
        const Picture shown =
            flow == Flow::Down ? shaped(made.after, flow, {}) : upright(shaped(made.after, flow, {}));
        const bool wrapped = !test::same_geometry(made.before.geometry, made.after.geometry);
        EXPECT_THAT(test::problems(shown, false, wrapped), IsEmpty()) << (flow == Flow::Right);
        EXPECT_LE(test::edges_through_boxes(shown), test::edges_through_boxes(made.before) + 1)
            << (flow == Flow::Right);
    }
}

// All of Flash Attention with online softmax is one chain in a map.
TEST(Shape, AChainInAMapIsLargerInColumns) {
    const InColumns made = safe_in_columns("fp8-attention", Flow::Right);
    const Picture as_is = shaped(made.before, Flow::Right, {});
    const Picture wrapped = shaped(made.after, Flow::Right, {});
    EXPECT_GT(fitting_scale(wrapped.geometry.bounds, kRoom),
              1.3 * fitting_scale(as_is.geometry.bounds, kRoom));
    EXPECT_LT(wrapped.geometry.bounds.width, 0.75 * as_is.geometry.bounds.width);
    // In a low and wide view, too.
    Layouter layouter;
    const Rect low = wrapped_inside(layouter, made.before, Flow::Right, {1190, 425}).geometry.bounds;
    EXPECT_LT(low.height, 0.75 * made.before.geometry.bounds.height) << "it lies on its side";
    // What fits stays as it is, and so does what has no view.
    for (const Size room : {Size{6000, 6000}, Size{}})
        EXPECT_TRUE(test::same_geometry(wrapped_inside(layouter, made.before, Flow::Right, room).geometry,
                                        made.before.geometry));
}

// In a presentation all of a picture is to be seen: maps within one another are put in columns until it is.
TEST(Shape, MapsInColumnsMakeAWholePictureLarger) {
    const Picture& last = test::laid_out_run("attention").pictures.back();
    Layouter layouter;
    const auto whole = [](const Picture& picture) { return fitting_scale(picture.geometry.bounds, kRoom); };
    const Picture fitted = wrapped_to_fit(layouter, last, Flow::Down, kRoom);
    EXPECT_GT(whole(fitted), 1.3 * whole(last));
    EXPECT_THAT(test::problems(fitted, false, true), IsEmpty());
    for (const Size room : {Size{6000, 6000}, Size{}})
        EXPECT_TRUE(
            test::same_geometry(wrapped_to_fit(layouter, last, Flow::Down, room).geometry, last.geometry));
}

TEST(Shape, ALongChainIsLargerInColumns) {
    Layouter layouter;
    Figure figure = make_figure(*test::block_sample("attention"), {}, plain_measure);
    Geometry geometry = layouter.fresh(figure);
    const Picture picture{std::move(figure), std::move(geometry)};
    const Columns columns = columns_of(picture, Flow::Down, kRoom, {}, {});
    EXPECT_GE(columns.size(), 2u);
    const double whole = fitting_scale(picture.geometry.bounds, kRoom);
    const double wrapped = fitting_scale(shaped(picture, Flow::Down, columns).geometry.bounds, kRoom);
    EXPECT_GT(wrapped, 1.7 * whole);
}

TEST(Shape, ASmallPictureAndOneWithoutAViewStayAsTheyAre) {
    Layouter layouter;
    Figure figure = make_figure(*test::block_sample("attention"), {}, plain_measure);
    Geometry geometry = layouter.fresh(figure);
    const Picture picture{std::move(figure), std::move(geometry)};
    EXPECT_THAT(columns_of(picture, Flow::Down, {4000, 4000}, {}, {}), IsEmpty());
    EXPECT_THAT(columns_of(picture, Flow::Down, {}, {}, {}), IsEmpty());
}

TEST(Shape, ColumnsStayFromStepToStep) {
    int changed = 0, compared = 0;
    const std::vector<Shown> run = run_of("attention", Flow::Down);
    for (std::size_t i = 1; i < run.size(); ++i) {
        if (run[i].columns.empty() || run[i - 1].columns.empty()) continue;
        ++compared;
        changed += run[i].columns.size() > run[i - 1].columns.size();
    }
    EXPECT_GE(compared, 3);
    EXPECT_LE(changed, 1);
}

}  // namespace
}  // namespace blockscope
