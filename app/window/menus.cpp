#include "app/window/menus.h"

#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <cstring>

namespace blockscope {

void make_menus(QMainWindow& window, Actions& actions) {
    // The window has the keys too: a presentation hides the menus, and the keys of hidden menus are dead.
    for (const ActionInfo& info : action_table())
        if (info.scope == KeyScope::Window) window.addAction(actions.get(info.id));
    for (const char* menu : action_menus()) {
        QMenu* made = nullptr;
        for (const ActionInfo& info : action_table()) {
            if (std::strcmp(info.menu, menu) != 0) continue;
            if (made == nullptr) {
                made = window.menuBar()->addMenu(QCoreApplication::translate("actions", menu));
                made->setObjectName(QString::fromLatin1(menu));
                made->setToolTipsVisible(false);  // the status bar shows them
            }
            if (info.separator) made->addSeparator();
            made->addAction(actions.get(info.id));
        }
    }
}

QToolBar* make_toolbar(QMainWindow& window, Actions& actions) {
    auto* bar = window.addToolBar(QCoreApplication::translate("MainWindow", "Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setAccessibleName(bar->windowTitle());
    bar->setMovable(false);
    bar->toggleViewAction()->setVisible(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const char* menu = nullptr;
    for (const ActionInfo& info : action_table()) {
        if (!info.toolbar) continue;
        if (menu != nullptr && std::strcmp(menu, info.menu) != 0) bar->addSeparator();
        menu = info.menu;
        bar->addAction(actions.get(info.id));
    }
    return bar;
}

}  // namespace blockscope
