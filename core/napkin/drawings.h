// Clock diagrams (Figures 34 to 37) as geometry, in pixels at scale 1: a lane for each warpgroup with a row
// for the tensor cores and one for its threads, blocks as wide as their clocks with their overhead behind
// them, verticals where a task waits for its pipeline, a ruler of one matrix product.
#pragma once

#include <string>
#include <vector>

#include "core/diagram/layout/drawing.h"
#include "core/napkin/clocks.h"
#include "core/napkin/study.h"

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

// A hierarchy as a picture (Figures 7 and 25): its levels below each other in their colours, pipes as data
// comes down them, children beside each other, and the links between them where a level passes data on
// sideways.

struct LevelBox {
    Rect box;
    int level = 0;  // its colour: 0 global memory
    std::string name;
    std::vector<std::string> lines = {};  // of the first child only
    bool first = true;                    // else it stands for all the others
};

struct LevelPipe {
    Point from, to;
    int level = 0;        // that data comes to
    bool linked = false;  // between children (Section 4.5)
};

struct LevelNote {
    Rect box;
    std::string text;
    int level = 0;
};

struct LevelDrawing {
    std::vector<LevelBox> boxes;
    std::vector<LevelPipe> pipes;
    std::vector<LevelNote> notes;  // beside pipes and links
    Rect bounds;
};

// The levels of `models` below the level called `outermost`.
LevelDrawing draw_levels(const LevelModels& models, const std::string& outermost,
                         const LabelMeasure& measure = plain_label_size);

// A tikzpicture of its own; it needs \usepackage{tikz}.
std::string tikz(const LevelDrawing& drawing, const std::string& title);

}  // namespace blockscope::circuit
