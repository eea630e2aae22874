// The shapes of icons on a grid of 24 x 24. Internal to icons.
#pragma once

#include <QPainterPath>

namespace blockscope {

struct IconShape {
    QPainterPath lines;  // 1.7 wide, round
    QPainterPath filled;
    QPainterPath dotted;  // the rim of a map
};

// Empty for an unknown name.
IconShape icon_shape(const QString& name);

}  // namespace blockscope
