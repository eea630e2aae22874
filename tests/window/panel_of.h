// Panels of a window that are made when they are first shown (app/window/panel_table.h).
#pragma once

#include <QWidget>

#include "app/window/panel_table.h"

namespace blockscope::test {

// The content of the window's panel of this kind, made now if it has not been seen yet; null without one.
template <class Panel>
Panel* panel_of(const QWidget& window) {
    for (LatePanel* late : window.findChildren<LatePanel*>())
        if (auto* panel = qobject_cast<Panel*>(late->content())) return panel;
    return window.findChild<Panel*>();
}

}  // namespace blockscope::test
