// What the window says, in the made-up language: every text of every widget, action and row.
#include "tests/window/texts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTabBar>
#include <QTreeWidget>
#include <algorithm>

namespace blockscope::test {
namespace {

// What the made-up language has left out: innermost brackets first.
QString untranslated(QString text) {
    static const QRegularExpression inner(QStringLiteral("\\[!! (?:(?!\\[!! |!!\\]).)*!!\\]"),
                                          QRegularExpression::DotMatchesEverythingOption);
    for (QString before; before != text;) {
        before = text;
        text.remove(inner);
    }
    return text.remove(QRegularExpression(QStringLiteral("<code>[^<]*</code>|<[^>]*>")));
}

}  // namespace

void Texts::allow(const QString& words) {
    static const QRegularExpression word(QStringLiteral("\\w+"));
    for (auto it = word.globalMatch(words); it.hasNext();) allowed_.insert(it.next().captured());
}

void Texts::check(const std::string& where, const char* what, const QString& text) {
    for (const QString& line : text.split(QLatin1Char('\n')))
        lines_.insert(QString(line).remove(QLatin1Char('&')).remove(QStringLiteral("...")));
    static const QRegularExpression word(QStringLiteral("\\w+"));
    for (auto it = word.globalMatch(untranslated(text)); it.hasNext();) {
        const QString found = it.next().captured();
        const bool letters =
            std::count_if(found.begin(), found.end(), [](QChar c) { return c.isLetter(); }) > 2;
        if (!letters || allowed_.count(found) > 0) continue;
        bare_.insert(where + ", " + what + ": \"" + found.toStdString() + "\" in " + text.toStdString());
        return;
    }
}

void Texts::look(const QWidget& widget) {
    const std::string where =
        std::string(widget.metaObject()->className()) + " " + widget.objectName().toStdString();
    check(where, "window title", widget.windowTitle().remove(QStringLiteral("[*]")));
    check(where, "tooltip", widget.toolTip());
    check(where, "accessible name", widget.accessibleName());
    check(where, "accessible description", widget.accessibleDescription());
    for (const QAction* action : widget.actions()) {
        if (action->isSeparator()) continue;
        check(where, "action", action->text());
        check(where, "tooltip of action", action->toolTip());
        check(where, "status tip of action", action->statusTip());
        if (action->menu() != nullptr) look(*action->menu());
    }
    look_inside(widget, where);
    for (const QObject* child : widget.children())
        if (const auto* inner = qobject_cast<const QWidget*>(child)) look(*inner);
}

void Texts::look_inside(const QWidget& widget, const std::string& where) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) check(where, "label", label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        check(where, "button", button->text());
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        check(where, "hint", line->placeholderText());
    if (const auto* edit = qobject_cast<const QPlainTextEdit*>(&widget))
        check(where, "hint", edit->placeholderText());
    if (const auto* box = qobject_cast<const QGroupBox*>(&widget)) check(where, "group", box->title());
    if (const auto* menu = qobject_cast<const QMenu*>(&widget)) check(where, "menu", menu->title());
    if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget)) {
        check(where, "special value", spin->specialValueText());
        if (const auto* whole = qobject_cast<const QSpinBox*>(spin)) check(where, "suffix", whole->suffix());
    }
    if (const auto* combo = qobject_cast<const QComboBox*>(&widget))
        for (int i = 0; i < combo->count(); ++i) check(where, "choice", combo->itemText(i));
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        for (int i = 0; i < tabs->count(); ++i) {
            check(where, "tab", tabs->tabText(i));
            check(where, "tooltip of tab", tabs->tabToolTip(i));
        }
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) look_at_rows(*view, where, {});
}

void Texts::look_at_rows(const QAbstractItemView& view, const std::string& where, const QModelIndex& parent) {
    const QAbstractItemModel* model = view.model();
    if (model == nullptr) return;
    for (int column = 0; column < model->columnCount(parent); ++column) {
        if (!parent.isValid()) check(where, "column", model->headerData(column, Qt::Horizontal).toString());
        for (int row = 0; row < model->rowCount(parent); ++row) {
            const QModelIndex index = model->index(row, column, parent);
            for (const auto& [role, name] : {std::pair{Qt::DisplayRole, "row"},
                                             {Qt::ToolTipRole, "tooltip of row"},
                                             {Qt::AccessibleTextRole, "accessible text of row"}})
                check(where, name, index.data(role).toString());
            look_at_rows(view, where, index);
        }
    }
}

}  // namespace blockscope::test
