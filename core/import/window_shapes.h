// Shapes of what moves a window over the spatial axes of a tensor [batch, channels, axes...], as the ONNX
// standard has Conv, MaxPool and their kind.
#pragma once

#include <optional>

#include "core/import/shapes.h"

namespace blockscope::model {

// Of a convolution with this weight [channels made, channels of a group, window...]; none if the two do not
// fit, or an attribute is none that the standard has.
std::optional<Sizes> convolved_sizes(const GraphNode& node, const Sizes& image, const Sizes& weight);
// Of the largest or the mean of each window.
std::optional<Sizes> pooled_sizes(const GraphNode& node, const Sizes& image);

// A convolution that sees one place at a time: a product along the channels.
bool is_pointwise(const GraphNode& node, const Sizes& weight);

}  // namespace blockscope::model
