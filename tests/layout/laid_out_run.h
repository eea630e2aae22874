// The pictures of a sample's whole run, laid out once in a process: several tests look at the same ones.
#pragma once

#include <string>
#include <vector>

#include "app/layout/layout.h"
#include "app/layout/shape.h"
#include "core/fusion/trace.h"

namespace blockscope::test {

struct LaidOutRun {
    Trace trace;
    std::vector<Picture> pictures;  // of each state: the first fresh, each other one following the one before
};

// Laid out anew.
std::vector<Picture> pictures_of(Layouter& layouter, const Trace& trace, Flow flow = Flow::Down);

// Laid out when it is first asked for.
const LaidOutRun& laid_out_run(const std::string& sample, Flow flow = Flow::Down);

}  // namespace blockscope::test
