// A hierarchy as a picture (Figures 7 and 25): its levels below each other in their colours, pipes as data
// comes down them, children beside each other, and the links between them where a level passes data on
// sideways.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/layout/drawing.h"
#include "core/circuit/study.h"

namespace blockscope::circuit {

struct LevelBox {
    Rect box;
    int level = 0;  // its colour: 0 global memory
    std::string name;
    std::vector<std::string> lines;  // of the first child only
    bool first = true;               // else it stands for all the others
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
