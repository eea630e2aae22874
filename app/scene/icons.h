// The icons of actions, drawn in the colours of a theme: crisp at every size and resolution.
#pragma once

#include <QIcon>
#include <QPainterPath>
#include <QStringList>

#include "app/scene/theme.h"

namespace blockscope {

// Null for a name that is not in icon_names(). Disabled icons are faint; checked ones are in the colour of
// selections, and a checked "play" says that it pauses.
QIcon icon(const char* name, const Theme& theme);

// "open", "save", "undo", ...
QStringList icon_names();

// The shapes of icons on a grid of 24 x 24. Internal to icons.

struct IconShape {
    QPainterPath lines;  // 1.7 wide, round
    QPainterPath filled;
    QPainterPath dotted;  // the rim of a map
};

// Empty for an unknown name.
IconShape icon_shape(const QString& name);

}  // namespace blockscope
