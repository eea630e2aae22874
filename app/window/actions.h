// One table of all actions. Menus, toolbar, shortcuts, the command palette, the `?` sheet and
// docs/shortcuts.md are made from it.
#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QString>
#include <functional>
#include <vector>

namespace blockscope {

struct ActionInfo {
    const char* id;                 // "step.forward"; stable, for settings and tests
    const char* menu;               // QT_TRANSLATE_NOOP("actions", "Step"); empty: palette only
    const char* text;               // QT_TRANSLATE_NOOP("actions", "&Next step")
    const char* help;               // one sentence; tooltip, status bar, ? sheet
    std::vector<const char*> keys;  // "Right", "Ctrl+K"; the first one is shown
    const char* icon = "";          // name of a drawn icon (scene/icons.h); empty: none
    bool toolbar = false;
    bool checkable = false;
    bool separator = false;  // a line before it in its menu
};

// In the order of menus and within them.
const std::vector<ActionInfo>& action_table();

}  // namespace blockscope
