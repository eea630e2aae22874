// Every text that the user sees goes through tr(): with the made-up language all of them are in brackets.
#include "app/window/pseudo_locale.h"

#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTabBar>
#include <QTreeWidget>
#include <algorithm>
#include <cctype>
#include <set>

#include "app/window/settings_dialog.h"
#include "app/window/shortcut_sheet.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

// Names and listings of the user's program, marked by the property on the widget or one around it.
bool shows_data(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (widget->property("program_data").toBool()) return true;
    return false;
}

// Without letters a text needs no translation.
bool has_letters(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.isLetter(); });
}

class Texts {
public:
    std::vector<std::string> bare;
    std::set<std::string> core;  // what the core says of rules and steps, which stays as it is

    Texts() {
        for (const Rule& rule : rules()) {
            std::string sentence = rule.summary + ".";
            sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
            core.insert({rule.name, sentence, rule.condition, rule.reason, rule.use, rule.section});
        }
    }

    void look(const QWidget& widget) {
        const std::string where =
            std::string(widget.metaObject()->className()) + " " + widget.objectName().toStdString();
        check(where, "window title", widget.windowTitle().remove(QStringLiteral("[*]")));
        check(where, "tooltip", widget.toolTip());
        if (!shows_data(&widget)) check(where, "accessible name", widget.accessibleName());
        for (const QAction* action : widget.actions()) {
            if (action->isSeparator()) continue;
            check(where, "action", action->text());
            check(where, "tooltip of action", action->toolTip());
        }
        if (!shows_data(&widget)) look_inside(widget, where);
        for (const QObject* child : widget.children())
            if (const auto* inner = qobject_cast<const QWidget*>(child)) look(*inner);
    }

private:
    void look_inside(const QWidget& widget, const std::string& where) {
        if (const auto* label = qobject_cast<const QLabel*>(&widget)) check(where, "label", label->text());
        if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
            check(where, "button", button->text());
        if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
            check(where, "hint", line->placeholderText());
        if (const auto* box = qobject_cast<const QGroupBox*>(&widget)) check(where, "group", box->title());
        if (const auto* menu = qobject_cast<const QMenu*>(&widget)) check(where, "menu", menu->title());
        if (const auto* spin = qobject_cast<const QSpinBox*>(&widget)) check(where, "suffix", spin->suffix());
        if (const auto* combo = qobject_cast<const QComboBox*>(&widget))
            for (int i = 0; i < combo->count(); ++i) check(where, "choice", combo->itemText(i));
        if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
            for (int i = 0; i < tabs->count(); ++i) check(where, "tab", tabs->tabText(i));
        if (const auto* tree = qobject_cast<const QTreeWidget*>(&widget))
            for (int i = 0; i < tree->columnCount(); ++i) check(where, "column", tree->headerItem()->text(i));
    }

    void check(const std::string& where, const char* what, const QString& text) {
        if (!has_letters(text) || core.count(text.toStdString()) > 0 || text.contains(QStringLiteral("[!! ")))
            return;
        bare.push_back(where + ", " + what + ": " + text.toStdString());
    }
};

class InPseudoLocale : public testing::Test {
protected:
    void SetUp() override { QCoreApplication::installTranslator(&locale_); }
    void TearDown() override { QCoreApplication::removeTranslator(&locale_); }

private:
    PseudoLocale locale_;
};

TEST_F(InPseudoLocale, KeepsPlacesForArguments) {
    const PseudoLocale locale;
    EXPECT_EQ(locale.translate("x", "Go to step %1", nullptr, -1), QStringLiteral("[!! Ĝö ţö šţéþ %1 !!]"));
    EXPECT_EQ(locale.translate("x", "<b>Zoom</b>", nullptr, -1), QStringLiteral("[!! <b>Žööm</b> !!]"));
}

TEST_F(InPseudoLocale, AllTextsAreTranslated) {
    test::TestWindow t;
    Texts texts;
    texts.look(t.window);
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("step.forward");
    t.window.actions().trigger("picture.down");
    texts.core.insert(t.window.document().content().state().step->explanation);
    QCoreApplication::processEvents();
    texts.look(t.window);
    texts.look(SettingsDialog(t.settings));
    texts.look(ShortcutSheet(t.appearance));
    std::sort(texts.bare.begin(), texts.bare.end());
    texts.bare.erase(std::unique(texts.bare.begin(), texts.bare.end()), texts.bare.end());
    EXPECT_THAT(texts.bare, testing::IsEmpty());
}

TEST_F(InPseudoLocale, EveryControlHasAnAccessibleName) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    QCoreApplication::processEvents();
    for (const QWidget* widget : t.window.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        // A label is its own name; the list of a combo box is Qt's.
        if (qobject_cast<const QLabel*>(widget) != nullptr || widget->inherits("QComboBoxListView")) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (button != nullptr && !button->text().isEmpty()) continue;
        EXPECT_FALSE(widget->accessibleName().isEmpty())
            << widget->metaObject()->className() << " in "
            << widget->parentWidget()->metaObject()->className() << " " << widget->toolTip().toStdString();
    }
}

}  // namespace
}  // namespace blockscope
