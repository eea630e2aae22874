// Programs with every awkward shape.
#include <gmock/gmock.h>

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/layout/picture_check.h"
#include "tests/support/random_program.h"

namespace blockscope {
namespace {

using test::problems;
using testing::IsEmpty;

ProgramPtr random_program(std::uint64_t seed) {
    return std::make_shared<const BlockProgram>(to_block_program(random_array_program(seed)).program);
}

TEST(RandomPrograms, AreSoundPicturesToTheEnd) {
    Layouter layouter;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Trace trace = fuse(random_program(seed));
        Picture picture = test::fresh_picture(layouter, *trace.initial);
        ASSERT_THAT(problems(picture), IsEmpty()) << "seed " << seed;
        for (const Step& step : trace.steps) {
            Figure figure = make_figure(*step.after, {}, plain_measure);
            Geometry geometry = layouter.follow(figure, picture, step.made);
            picture = {std::move(figure), std::move(geometry)};
            ASSERT_THAT(problems(picture), IsEmpty()) << "seed " << seed << " after " << step.explanation;
        }
    }
}

// By hand, so that rules appear that the algorithm does not use: peeling and its continued maps.
TEST(RandomPrograms, AreSoundAfterAnyRule) {
    Layouter layouter;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        ProgramPtr program = random_program(seed);
        Picture picture = test::fresh_picture(layouter, *program);
        for (std::size_t turn = 0; turn < 12; ++turn) {
            const std::vector<Match> matches = all_matches(*program);
            if (matches.empty()) break;
            const Step step =
                checked_apply(program, matches[matches.size() - 1 - (turn * 7) % matches.size()]);
            Figure figure = make_figure(*step.after, {}, plain_measure);
            Geometry geometry = layouter.follow(figure, picture, step.made);
            picture = {std::move(figure), std::move(geometry)};
            ASSERT_THAT(problems(picture), IsEmpty()) << "seed " << seed << " after " << step.explanation;
            program = step.after;
        }
    }
}

}  // namespace
}  // namespace blockscope
