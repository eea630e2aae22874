// Clock diagrams (Figures 34 to 37) as geometry, in pixels at scale 1: a lane for each warpgroup with a row
// for the tensor cores and one for its threads, blocks as wide as their clocks with their overhead behind
// them, verticals where a task waits for its pipeline, a ruler of one matrix product.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/layout/drawing.h"
#include "core/circuit/overlap.h"

namespace blockscope::circuit {

struct ClockBlock {
    Rect work;
    Rect overhead;  // right of `work`; of width 0 if there is none
    Unit unit = Unit::Matrix;
    int iteration = 0;  // from 0 on
    std::string text;   // what fits: the array that is made
    std::string name;   // of the task
    double clocks = 0;  // per thread, without overhead
    double begins = 0;  // clocks since the start
};

// A task of one lane that waits for its pipeline until here.
struct ClockBarrier {
    double x = 0, top = 0, bottom = 0;
    double waited = 0;  // clocks
};

struct ClockLane {
    Rect box;
    Rect title_box;
    int number = 1;
};

struct ClockDrawing {
    std::vector<ClockLane> lanes;
    std::vector<ClockBlock> blocks;
    std::vector<ClockBarrier> barriers;
    std::vector<double> ruler;  // x of its ticks, one matrix product apart
    double ruler_y = 0;
    double product = 0;  // clocks between two ticks
    Rect bounds;
};

struct ClockOptions {
    double width = 900;
    int iterations = 3;  // that are seen
    LabelMeasure measure = plain_label_size;
};

ClockDrawing draw_clocks(const Schedule& schedule, const ClockOptions& options = {});

// A tikzpicture of its own; it needs \usepackage{tikz} and \usetikzlibrary{patterns}.
std::string tikz(const ClockDrawing& drawing, const std::string& title);

}  // namespace blockscope::circuit
