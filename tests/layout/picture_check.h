// What every picture keeps: no overlaps, children in their frames, edges from end to end and downwards.
#pragma once

#include <string>
#include <vector>

#include "app/layout/layout.h"

namespace blockscope::test {

// Sentences; empty if the picture is sound. In columns edges may turn, and no box need be above another; with
// `inside` in maps, too.
std::vector<std::string> problems(const Picture& picture, bool columns = false, bool inside = false);

// How many edges run through a box that is not at one of their ends.
int edges_through_boxes(const Picture& picture);

// Same places to the last bit.
bool same_geometry(const Geometry& a, const Geometry& b);

Picture fresh_picture(Layouter& layouter, const BlockProgram& program, const Folds& folds = {});

}  // namespace blockscope::test
