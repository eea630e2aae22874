// What of a picture is lit: the document's selection, hover and glow, in the indices of the picture.
#pragma once

#include "app/document/document.h"
#include "app/scene/paint.h"

namespace blockscope {

Lights picture_lights(const Picture& picture, const Document& document, bool edge_labels);

// What a click on a box or an edge means (-1: none of them).
Spot spot_at(const Picture& picture, int box, int edge);

// The edge of `spot.value` on its way into `spot.consumer`, else any edge that carries it; -1 if none does.
int edge_of(const Picture& picture, const Spot& spot);

// The rectangle around all boxes of `spot`; empty if the picture shows none.
std::optional<Rect> bounds_of(const Picture& picture, const Spot& spot);

}  // namespace blockscope
