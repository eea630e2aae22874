// Menus and the toolbar, from the action table.
#pragma once

#include <QMainWindow>

#include "app/window/actions.h"
#include "app/window/appearance.h"

namespace blockscope {

void make_menus(QMainWindow& window, Actions& actions);
QToolBar* make_toolbar(QMainWindow& window, Actions& actions);

}  // namespace blockscope
