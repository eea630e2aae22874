#include "app/window/menus.h"

#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <cstring>

namespace blockscope {

namespace {

// The menu itself, or the one within it that the action belongs to, made with its first action.
QMenu& menu_for(QMenu& menu, const ActionInfo& info) {
    if (*info.submenu == 0) return menu;
    const QString name = QString::fromLatin1(info.submenu);
    if (auto* found = menu.findChild<QMenu*>(name, Qt::FindDirectChildrenOnly)) return *found;
    QMenu* made = menu.addMenu(QCoreApplication::translate("actions", info.submenu));
    made->setObjectName(name);
    return *made;
}

}  // namespace

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
            menu_for(*made, info).addAction(actions.get(info.id));
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
