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

namespace {

void to_end(Document& document) {
    if (document.empty()) return;
    const Branch& branch = document.content().history.branch(document.content().branch);
    if (document.content().current == branch.tip && branch.stopped.empty()) document.run_from_here();
    document.end();
}

void refresh(Actions& actions, const Document& document) {
    const bool open = !document.empty();
    actions.enable("edit.undo", document.can_undo());
    actions.enable("edit.redo", document.can_redo());
    const auto text = [&](const char* id, const QString& label) {
        const QString plain = action_text(actions.info(id));
        actions.get(id)->setText(label.isEmpty() ? plain : QStringLiteral("%1: %2").arg(plain, label));
    };
    text("edit.undo", document.undo_label());
    text("edit.redo", document.redo_label());
    for (const char* id : {"step.forward", "step.next_snapshot", "step.end"})
        actions.enable(id, document.can_forward());
    for (const char* id : {"step.back", "step.home", "step.previous_snapshot"})
        actions.enable(id, document.can_back());
    actions.enable("step.play", document.can_forward() || document.can_back());
    actions.enable("step.run", open);
    actions.enable("step.compare", open && (document.can_back() || !document.content().compared.empty()));
    for (const char* id :
         {"view.toggle_fold", "view.fold_all", "view.unfold_all", "view.fold_depth_1", "view.fold_depth_2",
          "view.fold_depth_3", "view.tidy", "view.fit", "view.fit_selection", "view.actual_size",
          "view.zoom_in", "view.zoom_out", "edit.copy_picture"})
        actions.enable(id, open);
}

}  // namespace

void connect_step_actions(Actions& actions, Document& document) {
    actions.on("edit.undo", [&document] { document.undo(); });
    actions.on("edit.redo", [&document] { document.redo(); });
    actions.on("step.forward", [&document] { document.forward(); });
    actions.on("step.back", [&document] { document.back(); });
    actions.on("step.next_snapshot", [&document] { document.next_snapshot(); });
    actions.on("step.previous_snapshot", [&document] { document.previous_snapshot(); });
    actions.on("step.home", [&document] { document.home(); });
    actions.on("step.end", [&document] { to_end(document); });
    actions.on("step.compare", [&document] {
        if (document.empty()) return;
        const bool ends = !document.content().compared.empty();
        if (ends || document.can_back())
            document.compare_with(ends ? std::vector<StateId>{}
                                       : std::vector{document.content().state().parent});
    });
    actions.on("step.run", [&document] { document.run_from_here(); });
    const auto look = [&actions, &document] { refresh(actions, document); };
    QObject::connect(&document, &Document::content_changed, &actions, look);
    look();
}

}  // namespace blockscope
