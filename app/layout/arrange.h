// From rough or remembered places to a picture without overlaps: first up and down, then from side to side.
// Both know the places closest to the wishes and the tidiest ones in the same order, and go from the first
// towards the second.
#pragma once

#include <limits>
#include <vector>

#include "app/layout/tree.h"

namespace blockscope {

struct Wishes {
    std::vector<Rect> boxes;    // absolute; frames around their children
    std::vector<bool> kept;     // childless boxes that were at boxes[i] in the picture before
    std::vector<double> lanes;  // x about where each edge runs; NaN if unknown
    // The farthest that a kept box moves for tidiness.
    double most = std::numeric_limits<double>::infinity();
};

// Fits every frame of `boxes` around its children, where these are.
void enclose(const Figure& figure, const Tree& tree, std::vector<Rect>& boxes);

// Gives `boxes` (the wishes to begin with) their final y and height.
void arrange_vertically(const Figure& figure, const Tree& tree, const Wishes& wishes,
                        std::vector<Rect>& boxes);

// Gives `boxes` their final x and width; returns x of the vertical part of each edge, NaN for those without.
std::vector<double> arrange_horizontally(const Figure& figure, const Tree& tree, const Wishes& wishes,
                                         std::vector<Rect>& boxes);

}  // namespace blockscope
