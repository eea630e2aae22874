// Every sample round-trips in all three formats.
#include <gtest/gtest.h>

#include "tests/json/compare.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

TEST(JsonSamples, RoundTrip) {
    for (const std::string& name : sample_names()) {
        SCOPED_TRACE(name);
        expect_round_trip(read_sample(name));
        const ProgramPtr initial = block_sample(name);
        expect_round_trip(*initial);
        const Trace trace = fuse(initial);
        expect_round_trip(trace);
        expect_round_trip(*trace.last());
    }
}

}  // namespace
}  // namespace blockscope::test
