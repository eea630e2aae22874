// The icons of actions, drawn in the colours of a theme: crisp at every size and resolution.
#pragma once

#include <QIcon>
#include <QStringList>

#include "app/scene/theme.h"

namespace blockscope {

// Null for a name that is not in icon_names(). Disabled icons are faint; checked ones are in the colour of
// selections, and a checked "play" says that it pauses.
QIcon icon(const char* name, const Theme& theme);

// "open", "save", "undo", ...
QStringList icon_names();

}  // namespace blockscope
