#include "app/shell/actions.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QIconEngine>
#include <QKeyEvent>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/support/result.h"

namespace blockscope {

namespace {

class IconEngine : public QIconEngine {
public:
    IconEngine(IconShape off, IconShape on, const Theme& theme)
        : off_(std::move(off)), on_(std::move(on)), theme_(theme) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const IconShape& shape = state == QIcon::On ? on_ : off_;
        QColor color = state == QIcon::On ? theme_.selected : theme_.ink;
        if (mode == QIcon::Disabled) color = mixed(theme_.canvas, theme_.faint, 0.55);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const double side = std::min(rect.width(), rect.height());
        painter->translate(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
        painter->scale(side / 24, side / 24);
        painter->fillPath(shape.filled, color);
        painter->strokePath(shape.lines, QPen(color, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        QPen dots(color, 1.7, Qt::CustomDashLine, Qt::RoundCap);
        dots.setDashPattern({0.01, 2.05});
        painter->strokePath(shape.dotted, dots);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap result(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return result;
    }

    QIconEngine* clone() const override { return new IconEngine(off_, on_, theme_); }

private:
    IconShape off_, on_;
    Theme theme_;
};

}  // namespace

QIcon icon(const char* name, const Theme& theme) {
    IconShape shape = icon_shape(QString::fromLatin1(name));
    if (shape.lines.isEmpty() && shape.filled.isEmpty()) return {};
    // What plays is stopped by the same button.
    IconShape checked =
        QLatin1String(name) == QLatin1String("play") ? icon_shape(QStringLiteral("pause")) : shape;
    return QIcon(new IconEngine(std::move(shape), std::move(checked), theme));
}

namespace {

// A small language for paths, as SVG has it: M x y, L x y, Q, C, Z; A cx cy r from to (degrees,
// counterclockwise from the right), O cx cy r (a circle), R x y w h r (a rounded rectangle).
QPainterPath path(const char* text) {
    QPainterPath result;
    const QStringList words = QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int at = 0;
    const auto number = [&] { return words.at(at++).toDouble(); };
    const auto point = [&] {
        const double x = number();
        return QPointF(x, number());
    };
    while (at < words.size()) {
        const char letter = words.at(at++).at(0).toLatin1();
        if (letter == 'M') result.moveTo(point());
        if (letter == 'L') result.lineTo(point());
        if (letter == 'Z') result.closeSubpath();
        if (letter == 'Q') {
            const QPointF by = point();
            result.quadTo(by, point());
        }
        if (letter == 'C') {
            const QPointF a = point();
            const QPointF b = point();
            result.cubicTo(a, b, point());
        }
        if (letter == 'A') {
            const QPointF center = point();
            const double radius = number();
            const double from = number();
            const double to = number();
            const QRectF around(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius);
            result.arcMoveTo(around, from);
            result.arcTo(around, from, to - from);
        }
        if (letter == 'O') {
            const QPointF center = point();
            const double radius = number();
            result.addEllipse(center, radius, radius);
        }
        if (letter == 'R') {
            const QPointF corner = point();
            const QPointF extent = point();
            const double radius = number();
            result.addRoundedRect(QRectF(corner, QSizeF(extent.x(), extent.y())), radius, radius);
        }
    }
    return result;
}

struct Recipe {
    const char* lines = "";
    const char* filled = "";
    const char* dotted = "";
};

const std::map<QString, Recipe>& files_and_editing() {
    static const std::map<QString, Recipe> kRecipes{
        {"new",
         {"M 6 3.5 L 14 3.5 L 18.5 8 L 18.5 20.5 L 6 20.5 Z M 14 3.5 L 14 8 L 18.5 8 M 12 11.5 L 12 17 M 9.2 "
          "14.2 L 14.8 14.2"}},
        {"open",
         {"M 3.5 18.5 L 3.5 5.5 L 9 5.5 L 11 8 L 18.5 8 L 18.5 10.5 M 3.5 18.5 L 6.5 10.5 L 21.5 10.5 L 18.5 "
          "18.5 Z"}},
        {"start", {"R 4 4 6.5 6.5 1.5 R 13.5 4 6.5 6.5 1.5 R 4 13.5 6.5 6.5 1.5 R 13.5 13.5 6.5 6.5 1.5"}},
        {"save",
         {"M 5 4 L 16 4 L 20 8 L 20 20 L 4 20 L 4 5 Z M 8 4 L 8 9 L 15 9 L 15 4 M 7.5 20 L 7.5 13.5 L 16.5 "
          "13.5 L 16.5 20"}},
        {"undo", {"M 8.5 4.5 L 4 9 L 8.5 13.5 M 4 9 L 14 9 A 14 14 5 90 -90 L 9 19"}},
        {"redo", {"M 15.5 4.5 L 20 9 L 15.5 13.5 M 20 9 L 10 9 A 10 14 5 90 270 L 15 19"}},
        {"export", {"M 12 15 L 12 3.5 M 7.5 8 L 12 3.5 L 16.5 8 M 4.5 13.5 L 4.5 20 L 19.5 20 L 19.5 13.5"}},
        {"settings",
         {"M 4 7 L 11 7 M 17 7 L 20 7 M 4 16.5 L 7 16.5 M 13 16.5 L 20 16.5 O 14 7 2.6 O 10 16.5 2.6"}},
        {"search", {"O 10.5 10.5 6 M 15 15 L 20.5 20.5"}},
        {"note",
         {"M 5 4.5 L 19 4.5 L 19 14 L 13.5 19.5 L 5 19.5 Z M 13.5 19.5 L 13.5 14 L 19 14 M 8.5 8.5 L 15.5 "
          "8.5 M 8.5 11.7 L 13 11.7"}},
    };
    return kRecipes;
}

const std::map<QString, Recipe>& stepping() {
    static const std::map<QString, Recipe> kRecipes{
        {"home", {"M 5.5 5.5 L 5.5 18.5", "M 19.5 5 L 19.5 19 L 8.5 12 Z"}},
        {"end", {"M 18.5 5.5 L 18.5 18.5", "M 4.5 5 L 4.5 19 L 15.5 12 Z"}},
        {"best",
         {"",
          "M 12 3 L 14.2 9 L 20.6 9.2 L 15.6 13.2 L 17.3 19.3 L 12 15.8 L 6.7 19.3 L 8.4 13.2 L 3.4 9.2 L "
          "9.8 9 Z"}},
        {"back", {"M 15.5 5 L 8.5 12 L 15.5 19"}},
        {"forward", {"M 8.5 5 L 15.5 12 L 8.5 19"}},
        {"play", {"", "M 7 4.5 L 19.5 12 L 7 19.5 Z"}},
        {"pause", {"", "R 6.5 5 4 14 1 R 13.5 5 4 14 1"}},
        {"next-snapshot", {"M 4 6 L 10 12 L 4 18 R 13 7.5 8 9 1.5", "O 17 12 1.8"}},
        {"previous-snapshot", {"M 20 6 L 14 12 L 20 18 R 3 7.5 8 9 1.5", "O 7 12 1.8"}},
        {"run", {"M 4 5.5 L 10.5 12 L 4 18.5 M 10.5 5.5 L 17 12 L 10.5 18.5 M 20 5.5 L 20 18.5"}},
        {"branch",
         {"O 6.5 5.5 2.3 O 6.5 18.5 2.3 O 17.5 8.5 2.3 M 6.5 7.8 L 6.5 16.2 M 17.5 10.8 C 17.5 15 7.5 12.5 "
          "6.6 16"}},
        {"rule",
         {"R 3 8 6 8 1.5 R 16 8 5 8 1.5 M 10.5 12 L 14.2 12 M 12.3 9.8 L 14.5 12 L 12.3 14.2", "", ""}},
        {"compare",
         {"R 3.5 5 7 14 1.5 R 13.5 5 7 14 1.5 M 5.8 9.5 L 8.2 9.5 M 15.8 9.5 L 18.2 9.5 M 17 8.3 L 17 10.7"}},
        {"proof",
         {"M 12 3 L 19.5 6 L 19.5 11 C 19.5 16 16 19.5 12 21 C 8 19.5 4.5 16 4.5 11 L 4.5 6 Z M 8.5 11.8 L "
          "11 14.3 L 15.6 9.4"}},
    };
    return kRecipes;
}

const std::map<QString, Recipe>& looking() {
    static const std::map<QString, Recipe> kRecipes{
        {"fit",
         {"M 4 9 L 4 4 L 9 4 M 15 4 L 20 4 L 20 9 M 20 15 L 20 20 L 15 20 M 9 20 L 4 20 L 4 15 R 8.5 9 7 6 "
          "1.2"}},
        {"zoom-in", {"O 10.5 10.5 6 M 15 15 L 20.5 20.5 M 10.5 7.8 L 10.5 13.2 M 7.8 10.5 L 13.2 10.5"}},
        {"zoom-out", {"O 10.5 10.5 6 M 15 15 L 20.5 20.5 M 7.8 10.5 L 13.2 10.5"}},
        {"fold",
         {"M 8 15.5 C 5.6 15.5 5.4 12.4 7.6 12 C 7.4 8.6 11.8 7.6 13 10.2 C 15.4 8.6 18 10.4 16.9 12.4 C "
          "18.8 12.8 18.6 15.5 16.4 15.5 Z",
          "", "R 3 4.5 18 15 3"}},
        {"unfold",
         {"R 6.5 8 5 3.6 0.8 R 12.5 13 5 3.6 0.8 M 9 11.6 L 9 14.8 L 12.5 14.8", "", "R 3 4.5 18 15 3"}},
        {"theme", {"O 12 12 8", "A 12 12 8 -90 90 Z"}},
        {"presentation",
         {"M 3 4.5 L 21 4.5 M 4.5 4.5 L 4.5 15.5 L 19.5 15.5 L 19.5 4.5 M 12 15.5 L 12 18 M 8 20.8 L 12 18 L "
          "16 20.8"}},
        {"legend",
         {"R 4 5 5 4 1 M 12.5 7 L 20 7 O 6.5 12 2 M 12.5 12 L 20 12 M 4 17 L 9 17 M 12.5 17 L 20 17"}},
        {"minimap", {"R 3.5 4.5 17 15 1.5 R 11.5 11.5 6.5 5.5 0.8"}},
    };
    return kRecipes;
}

QString canonical(const QString& name) {
    static const std::map<QString, QString> kOther{
        {"first", "home"},           {"last", "end"},       {"snapshot", "next-snapshot"},
        {"present", "presentation"}, {"rule-card", "rule"}, {"gallery", "start"}};
    const auto found = kOther.find(name);
    return found == kOther.end() ? name : found->second;
}

}  // namespace

IconShape icon_shape(const QString& name) {
    const QString wanted = canonical(name);
    for (const auto* table : {&files_and_editing(), &stepping(), &looking()}) {
        const auto found = table->find(wanted);
        if (found == table->end()) continue;
        return {path(found->second.lines), path(found->second.filled), path(found->second.dotted)};
    }
    return {};
}

QStringList icon_names() {
    QStringList result;
    for (const auto* table : {&files_and_editing(), &stepping(), &looking()})
        for (const auto& [name, recipe] : *table) result.push_back(name);
    return result;
}

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

// The keys of an action as the page writes them: "`P`, `PgUp` *".
QString markdown_keys(const ActionInfo& info) {
    QStringList keys;
    for (const char* key : info.keys) keys << QStringLiteral("`%1`").arg(QString::fromLatin1(key));
    return keys.join(QStringLiteral(", ")) + QLatin1String(info.scope == KeyScope::Picture ? " *" : "");
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
        "# Actions and shortcuts\n\n"
        "Every action of the window, menu by menu, those without keys last. `?` shows them in the window,\n"
        "with what each does; `Ctrl+K` finds each by its name. Keys marked * work while the picture has\n"
        "the focus, the others anywhere but where a text field, list or button uses the key itself.\n\n"
        "`blockscope --list-actions` writes this page.\n");
    for (const char* menu : action_menus()) {
        text += QStringLiteral("\n## %1\n\n").arg(english_plain(menu));
        QString without;
        for (const ActionInfo& info : action_table()) {
            if (std::strcmp(info.menu, menu) != 0) continue;
            const QString name = english_plain(info.text).remove(QStringLiteral("..."));
            if (info.keys.empty())
                without += QStringLiteral("- %1\n").arg(name);
            else
                text += QStringLiteral("- %1: %2\n").arg(name, markdown_keys(info));
        }
        text += without;
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
