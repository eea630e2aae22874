// Moving from box to box with the arrow keys.
#pragma once

#include "app/layout/layout.h"

namespace blockscope {

enum class Direction : std::uint8_t { Left, Right, Up, Down };

// The box to go to from `box`; -1 if there is none. Down follows an edge to a consumer and Up one to a
// producer, into and out of maps, if there is one; else, and to the sides, it is the nearest box that way,
// first among those in the same frame. From -1: the first box of the picture.
int neighbour(const Picture& picture, int box, Direction direction);

// Into a frame (its first child) and out of it (its parent); -1 if there is none.
int first_child(const Picture& picture, int box);
int parent_of(const Picture& picture, int box);

}  // namespace blockscope
