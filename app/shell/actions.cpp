#include "app/shell/actions.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <algorithm>
#include <cstring>

#include "app/scene/icons.h"
#include "core/support/result.h"

namespace blockscope {
namespace {

QString translated(const char* text) {
    return *text == 0 ? QString() : QCoreApplication::translate("actions", text);
}

bool one_of(int key, std::initializer_list<int> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Whether a widget of this kind does something of its own when `key` is pressed on it.
bool uses_key(const QWidget* widget, int key) {
    if (qobject_cast<const QAbstractButton*>(widget) != nullptr)
        return one_of(key, {Qt::Key_Space, Qt::Key_Return, Qt::Key_Enter});
    if (qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
        qobject_cast<const QComboBox*>(widget) != nullptr)
        return one_of(key, {Qt::Key_Space, Qt::Key_Return, Qt::Key_Enter, Qt::Key_Home, Qt::Key_End,
                            Qt::Key_PageUp, Qt::Key_PageDown});
    if (qobject_cast<const QAbstractSlider*>(widget) != nullptr)
        return one_of(key, {Qt::Key_Home, Qt::Key_End, Qt::Key_PageUp, Qt::Key_PageDown});
    return false;
}

QString english_plain(const char* text) {
    return QString::fromUtf8(text).remove(QLatin1Char('&'));
}

}  // namespace

std::vector<const char*> action_menus() {
    std::vector<const char*> menus;
    for (const ActionInfo& info : action_table()) {
        const auto same = [&](const char* menu) { return std::strcmp(menu, info.menu) == 0; };
        if (*info.menu != 0 && std::none_of(menus.begin(), menus.end(), same)) menus.push_back(info.menu);
    }
    // The panels end the table, and Help is the last menu.
    const auto help = std::find_if(menus.begin(), menus.end(),
                                   [](const char* menu) { return std::strcmp(menu, "&Help") == 0; });
    if (help != menus.end()) std::rotate(help, help + 1, menus.end());
    return menus;
}

QString action_text(const ActionInfo& info) {
    return translated(info.text);
}
QString action_plain_text(const ActionInfo& info) {
    return action_text(info).remove(QLatin1Char('&'));
}
QString action_help(const ActionInfo& info) {
    return translated(info.help);
}
QString action_menu(const ActionInfo& info) {
    return translated(info.menu).remove(QLatin1Char('&'));
}

QString action_keys(const ActionInfo& info) {
    QStringList keys;
    for (const char* key : info.keys)
        keys << QKeySequence(QString::fromLatin1(key)).toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

QString action_markdown() {
    QString text = QStringLiteral(
        "# Actions and shortcuts\n\nAll actions of the window. The command palette (`Ctrl+K`) finds each of "
        "them by "
        "its name; `?` shows this list\nin the window. Keys marked * work while the picture has the focus; "
        "the "
        "others work anywhere in the window, but where\na text field, list or button uses the key itself.\n\n"
        "Written by `blockscope --list-actions`.\n");
    for (const char* menu : action_menus()) {
        text += QStringLiteral("\n## %1\n\n| action | keys | what it does |\n|---|---|---|\n")
                    .arg(english_plain(menu));
        for (const ActionInfo& info : action_table()) {
            if (std::strcmp(info.menu, menu) != 0) continue;
            QStringList keys;
            for (const char* key : info.keys) keys << QStringLiteral("`%1`").arg(QString::fromLatin1(key));
            QString shown = keys.join(QStringLiteral(", "));
            if (!shown.isEmpty() && info.scope == KeyScope::Picture) shown += QStringLiteral(" *");
            text += QStringLiteral("| %1 | %2 | %3 |\n")
                        .arg(english_plain(info.text), shown, QString::fromUtf8(info.help));
        }
    }
    return text;
}

Actions::Actions(QObject* parent) : QObject(parent) {
    for (const ActionInfo& info : action_table()) {
        auto* action = new QAction(action_text(info), this);
        action->setObjectName(QString::fromLatin1(info.id));
        action->setCheckable(info.checkable);
        action->setEnabled(false);
        QList<QKeySequence> keys;
        for (const char* key : info.keys) keys << QKeySequence(QString::fromLatin1(key));
        action->setShortcuts(keys);
        action->setShortcutContext(info.scope == KeyScope::Picture ? Qt::WidgetWithChildrenShortcut
                                                                   : Qt::WindowShortcut);
        const QString help = action_help(info);
        action->setStatusTip(help);
        action->setToolTip(keys.isEmpty() ? help : QStringLiteral("%1 (%2)").arg(help, action_keys(info)));
        action->setIconVisibleInMenu(false);
        actions_[info.id] = action;
    }
    if (qApp != nullptr) qApp->installEventFilter(this);
}

QAction* Actions::get(const std::string& id) const {
    const auto it = actions_.find(id);
    if (it == actions_.end()) throw InternalError("there is no action " + id);
    return it->second;
}

const ActionInfo& Actions::info(const std::string& id) const {
    for (const ActionInfo& info : action_table())
        if (id == info.id) return info;
    throw InternalError("there is no action " + id);
}

void Actions::take(const std::string& id, QObject* owner) {
    QAction* action = get(id);
    if (!handled_.insert(id).second) throw InternalError("action " + id + " has a handler already");
    action->setEnabled(true);
    if (owner == nullptr || owner == this) return;
    connect(owner, &QObject::destroyed, action, [this, id, action] {
        handled_.erase(id);
        action->setEnabled(false);
    });
}

void Actions::on(const std::string& id, std::function<void()> handler, QObject* owner) {
    take(id, owner);
    connect(get(id), &QAction::triggered, owner != nullptr ? owner : this,
            [handler = std::move(handler)] { handler(); });
}

void Actions::on_toggle(const std::string& id, std::function<void(bool)> handler, QObject* owner) {
    take(id, owner);
    connect(get(id), &QAction::toggled, owner != nullptr ? owner : this,
            [this, handler = std::move(handler)](bool checked) {
                if (!quiet_) handler(checked);
            });
}

void Actions::enable(const std::string& id, bool enabled) {
    get(id)->setEnabled(enabled && handled(id));
}

void Actions::set_checked(const std::string& id, bool checked) {
    // Not a QSignalBlocker: menus and buttons listen to the action.
    quiet_ = true;
    get(id)->setChecked(checked);
    quiet_ = false;
}

void Actions::set_icons(const Theme& theme) {
    for (const ActionInfo& info : action_table())
        if (*info.icon != 0) get(info.id)->setIcon(icon(info.icon, theme));
}

bool Actions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    const bool plain = (key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
    // What is popped up has the keys: the list of a combo box takes Return here, before it is pressed.
    if (QApplication::activePopupWidget() != nullptr) return QObject::eventFilter(watched, event);
    if (widget != nullptr && plain && uses_key(widget, key->key())) {
        event->accept();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace blockscope
