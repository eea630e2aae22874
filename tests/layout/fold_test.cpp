#include <gmock/gmock.h>

#include <cmath>

#include "core/fusion/trace.h"
#include "tests/layout/picture_check.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

using test::block_sample;
using testing::IsEmpty;

int clouds(const Figure& figure) {
    int count = 0;
    for (const Box& box : figure.boxes) count += box.kind == BoxKind::Cloud;
    return count;
}

TEST(Folds, AreSoundAtEveryDepth) {
    Layouter layouter;
    for (const std::string& name : test::distinct_samples()) {
        const ProgramPtr program = fuse(block_sample(name)).last();
        for (const ProgramPtr& state : {block_sample(name), program}) {
            const Picture unfolded = test::fresh_picture(layouter, *state);
            for (int depth = 0; depth < 4; ++depth) {
                Figure figure = make_figure(*state, folds_at_depth(*state, depth), plain_measure);
                Geometry geometry = layouter.fold(figure, unfolded);
                EXPECT_THAT(test::problems({figure, geometry}), IsEmpty()) << name << " at depth " << depth;
                const Geometry again = layouter.fold(figure, unfolded);
                EXPECT_TRUE(test::same_geometry(geometry, again));
            }
        }
    }
}

TEST(Folds, HideWhatIsInside) {
    const ProgramPtr program = block_sample("attention");
    const Figure figure = make_figure(*program, folds_at_depth(*program, 0), plain_measure);
    EXPECT_EQ(figure.boxes.size(), figure.roots.size());
    EXPECT_EQ(clouds(figure), 7);
    const NodeId dot{10};  // in three maps
    const Box& cloud = figure.boxes[static_cast<std::size_t>(figure.find(dot))];
    EXPECT_EQ(cloud.kind, BoxKind::Cloud);
    EXPECT_EQ(cloud.corner, "M,N");
    EXPECT_EQ(cloud.label, "dot, sum");
}

TEST(Folds, GoOneFrameDeeperWithEachDepth) {
    const ProgramPtr program = block_sample("attention");
    EXPECT_EQ(clouds(make_figure(*program, folds_at_depth(*program, 1), plain_measure)), 3);
    EXPECT_EQ(clouds(make_figure(*program, folds_at_depth(*program, 2), plain_measure)), 0);
}

TEST(Folds, CloudsStayInTheOrderOfTheirFrames) {
    Layouter layouter;
    const ProgramPtr program = block_sample("attention");
    const Picture unfolded = test::fresh_picture(layouter, *program);
    Figure figure = make_figure(*program, folds_at_depth(*program, 0), plain_measure);
    const Geometry geometry = layouter.fold(figure, unfolded);
    for (std::size_t i = 0; i < figure.boxes.size(); ++i)
        for (std::size_t j = 0; j < figure.boxes.size(); ++j) {
            const Rect& a =
                unfolded.geometry.boxes[static_cast<std::size_t>(unfolded.figure.find(figure.boxes[i].id()))];
            const Rect& b =
                unfolded.geometry.boxes[static_cast<std::size_t>(unfolded.figure.find(figure.boxes[j].id()))];
            EXPECT_TRUE(a.bottom() > b.top() || geometry.boxes[i].top() <= geometry.boxes[j].top());
        }
    EXPECT_LT(geometry.bounds.height, unfolded.geometry.bounds.height);
}

}  // namespace
}  // namespace blockscope
