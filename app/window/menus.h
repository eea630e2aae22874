// Menus and the toolbar, from the action table.
#pragma once

#include <QMainWindow>

#include "app/document/document.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"

namespace blockscope {

void make_menus(QMainWindow& window, Actions& actions);
QToolBar* make_toolbar(QMainWindow& window, Actions& actions);

// Stepping, undo and the algorithm from the action table; which of them make sense now.

void connect_step_actions(Actions& actions, Document& document);

}  // namespace blockscope
