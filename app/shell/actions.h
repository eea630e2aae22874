// One table of all actions, with their icons. Menus, toolbar, shortcuts, the command palette, the `?` sheet
// and docs/shortcuts.md are made from it.
#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QIcon>
#include <QKeySequence>
#include <QPainterPath>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/scene/theme.h"

namespace blockscope {

// The icons of actions, drawn in the colours of a theme: crisp at every size and resolution.

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

// Where an action's keys work: anywhere in the window, or only while the picture has the focus.
enum class KeyScope : std::uint8_t { Window, Picture };

struct ActionInfo {
    const char* id;                      // "step.forward"; stable, for settings and tests
    const char* menu;                    // QT_TRANSLATE_NOOP("actions", "Step"); empty: palette only
    const char* text;                    // QT_TRANSLATE_NOOP("actions", "&Next step")
    const char* help;                    // one sentence; tooltip, status bar, ? sheet
    std::vector<const char*> keys = {};  // "Space", "Ctrl+K"; the first one is shown
    const char* icon = "";               // name of a drawn icon (below); empty: none
    bool toolbar = false;
    bool checkable = false;
    bool separator = false;  // a line before it in its menu
    KeyScope scope = KeyScope::Window;
    const char* submenu = "";  // QT_TRANSLATE_NOOP("actions", "Heat map"): a menu within the menu
};

// In the order of menus and within them. Ends with one action "panel.ID" for each row of panel_table().
const std::vector<ActionInfo>& action_table();

// Menus in their order ("File", "Edit", ...), untranslated.
std::vector<const char*> action_menus();

// The texts of a row in the language of the user. Plain: without the mark of the menu key.
QString action_text(const ActionInfo& info);
QString action_plain_text(const ActionInfo& info);
QString action_help(const ActionInfo& info);
QString action_menu(const ActionInfo& info);
// "Space, N", as this system writes keys; empty without keys.
QString action_keys(const ActionInfo& info);

// The table as docs/shortcuts.md shows it, in English.
QString action_markdown();

// The table as QActions. An action does nothing, and is disabled, until on() gives it a handler.
class Actions : public QObject {
    Q_OBJECT

public:
    explicit Actions(QObject* parent = nullptr);

    // Throws InternalError if the table has no action `id`.
    QAction* get(const std::string& id) const;
    const ActionInfo& info(const std::string& id) const;

    // Every action has one handler. `owner`, if given, takes its handler with it.
    void on(const std::string& id, std::function<void()> handler, QObject* owner = nullptr);
    // Of checkable actions: gets the new state.
    void on_toggle(const std::string& id, std::function<void(bool)> handler, QObject* owner = nullptr);
    bool handled(const std::string& id) const { return handled_.count(id) > 0; }

    void enable(const std::string& id, bool enabled);
    // Without calling the handler.
    void set_checked(const std::string& id, bool checked);
    // Draws the icons in the colours of the theme.
    void set_icons(const Theme& theme);
    void trigger(const std::string& id) { get(id)->trigger(); }

protected:
    // Keys without Ctrl or Alt belong to the widget with the focus, where that uses them: Space presses a
    // button, Home goes to the start of a list.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take(const std::string& id, QObject* owner);

    std::map<std::string, QAction*> actions_;
    std::set<std::string> handled_;
    bool quiet_ = false;  // set_checked() is at work
};

}  // namespace blockscope
