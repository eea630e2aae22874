// No text of the window is cut off, in any language: what a label, a button, a heading says has room.
#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QStyleOptionComboBox>
#include <QTranslator>
#include <set>
#include <string>

#include "app/export/export_dialog.h"
#include "app/panels/rule_card.h"
#include "app/shell/controls.h"
#include "app/window/dialogs.h"
#include "app/window/docks.h"
#include "app/window/message_bars.h"
#include "app/window/panel_table.h"
#include "app/words/words.h"
#include "core/rules/rule.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using CutTexts = std::set<std::string>;

bool is_cut(const QComboBox& choice) {
    if (dynamic_cast<const ElidedCombo*>(&choice) != nullptr) return false;
    QStyleOptionComboBox option;
    option.initFrom(&choice);
    const QRect room =
        choice.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &choice);
    return choice.fontMetrics().horizontalAdvance(choice.currentText()) > room.width();
}

bool is_cut(const QLabel& label) {
    if (label.text().isEmpty() || dynamic_cast<const ElidedLabel*>(&label) != nullptr) return false;
    if (label.wordWrap()) return label.heightForWidth(label.width()) > label.height();
    return label.sizeHint().width() > label.width();
}

void look_at_headings(const QHeaderView& header, const std::string& where, CutTexts& cut) {
    if (header.orientation() != Qt::Horizontal || header.model() == nullptr) return;
    for (int i = 0; i < header.count(); ++i) {
        const bool dragged = header.sectionResizeMode(i) == QHeaderView::Interactive;  // by the user
        if (header.isSectionHidden(i) || dragged) continue;
        const QString text = header.model()->headerData(i, Qt::Horizontal).toString();
        if (header.fontMetrics().size(0, text).width() > header.sectionSize(i))  // of its longest line
            cut.insert(where + ", heading: " + text.toStdString());
    }
}

void look(const QWidget& widget, CutTexts& cut) {
    if (!widget.isVisible()) return;
    std::string where = widget.metaObject()->className();
    if (const QWidget* around = widget.parentWidget())
        where += std::string(" in ") + around->metaObject()->className();
    where += ' ' + std::to_string(widget.width()) + " of " + std::to_string(widget.sizeHint().width());
    if (const auto* label = qobject_cast<const QLabel*>(&widget); label != nullptr && is_cut(*label))
        cut.insert(where + ", label: " + label->text().toStdString());
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        if (!button->text().isEmpty() && button->width() < button->sizeHint().width())
            cut.insert(where + ", button: " + button->text().toStdString());
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget); choice != nullptr && is_cut(*choice))
        cut.insert(where + ", choice: " + choice->currentText().toStdString());
    if (const auto* box = qobject_cast<const QGroupBox*>(&widget))
        if (box->fontMetrics().horizontalAdvance(box->title()) > box->width())
            cut.insert(where + ", group: " + box->title().toStdString());
    if (const auto* header = qobject_cast<const QHeaderView*>(&widget)) look_at_headings(*header, where, cut);
    for (const QObject* child : widget.children())
        if (const auto* inner = qobject_cast<const QWidget*>(child)) look(*inner, cut);
}

class InLanguage : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override { install_translations(QString::fromLatin1(GetParam())); }
    void TearDown() override {
        for (QTranslator* translator : qApp->findChildren<QTranslator*>()) {
            QCoreApplication::removeTranslator(translator);
            delete translator;
        }
        QLocale::setDefault(before_);
    }
    const QLocale before_;
    // Once the panels have glided to their places and told what they know.
    static void rest(test::TestWindow& t) {
        ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
        for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    }
};

TEST_P(InLanguage, NoTextIsCut) {
    test::TestWindow t;
    CutTexts cut;
    look(t.window, cut);
    ASSERT_TRUE(t.open_sample("attention"));
    Document& document = t.window.document();
    for (int i = 0; i < 8; ++i) document.forward();
    t.window.actions().trigger("picture.down");
    // A lesson has its column while others are out of the way: not four beside each other.
    t.window.docks().set_calm(true);
    rest(t);
    look(t.window, cut);
    t.window.docks().set_calm(false);
    for (const PanelInfo& panel : panel_table()) {
        if (std::string(panel.id) == "panel.lesson") continue;
        t.window.services().show_panel(panel.id);
        rest(t);
        look(t.window, cut);
    }
    document.compare_with({0});
    rest(t);
    look(t.window, cut);
    SettingsDialog settings(t.settings);
    settings.show();
    look(settings, cut);
    ExportDialog dialog(t.appearance.theme(), {0, 0, 100, 100}, {});
    dialog.show();
    look(dialog, cut);
    t.window.problem_bar().show_failure(QStringLiteral("x"));
    look(t.window, cut);
    EXPECT_THAT(cut, testing::IsEmpty());
}

// Where a rule is chosen it has the name that its matches and steps have.
TEST_P(InLanguage, RulesAreCalledAlikeEverywhere) {
    const RuleCombo choice;
    for (std::size_t i = 0; i < rules().size(); ++i)
        EXPECT_TRUE(choice.itemText(static_cast<int>(i) + 1).endsWith(translated(rules()[i].short_name)));
}

TEST(ElidedCombo, EndsWithAnEllipsisWhereItHasNoRoom) {
    ElidedCombo choice;
    choice.addItem(QStringLiteral("Initial program"));
    choice.resize(choice.sizeHint() + QSize(2, 0));
    EXPECT_EQ(choice.shown(), QStringLiteral("Initial program"));
    choice.resize(90, choice.height());
    EXPECT_TRUE(choice.shown().endsWith(QChar(0x2026))) << choice.shown().toStdString();
    EXPECT_TRUE(choice.shown().startsWith(QStringLiteral("Ini")));
}

INSTANTIATE_TEST_SUITE_P(Window, InLanguage, testing::Values("en"),
                         [](const auto& language) { return std::string(language.param); });

}  // namespace
}  // namespace blockscope
