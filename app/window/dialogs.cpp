#include "app/window/dialogs.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cstring>

#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/dialogs.h"
#include "app/words/languages.h"

namespace blockscope {

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Settings"));
    setAccessibleName(windowTitle());
    auto* form = new QFormLayout(this);
    form->setContentsMargins(20, 20, 20, 16);
    form->setHorizontalSpacing(18);
    form->setVerticalSpacing(12);

    auto* theme = new QComboBox(this);
    theme->addItems({tr("Follow the system"), tr("Light"), tr("Dark")});  // in the order of ThemeChoice
    theme->setAccessibleName(tr("Theme"));
    theme->setCurrentIndex(static_cast<int>(settings.theme()));
    connect(theme, &QComboBox::currentIndexChanged, &settings,
            [&settings](int index) { settings.set_theme(static_cast<ThemeChoice>(index)); });
    form->addRow(tr("Theme"), theme);

    const std::vector<Language> all = languages();
    if (all.size() > 2) {  // others than English
        auto* language = new QComboBox(this);
        language->setAccessibleName(tr("Language"));
        language->setToolTip(tr("Counts from the next start on."));
        for (const Language& choice : all) language->addItem(choice.name, choice.code);
        language->setCurrentIndex(std::max(0, language->findData(settings.language())));
        connect(language, &QComboBox::currentIndexChanged, &settings,
                [&settings, language] { settings.set_language(language->currentData().toString()); });
        form->addRow(tr("Language"), language);
    }

    auto* speed = new QSpinBox(this);
    speed->setRange(100, 8000);
    speed->setSingleStep(100);
    speed->setSuffix(tr(" ms a step"));
    speed->setAccessibleName(tr("Speed of playing"));
    speed->setValue(settings.play_interval());
    connect(speed, &QSpinBox::valueChanged, &settings, &Settings::set_play_interval);
    form->addRow(tr("Play"), speed);

    const auto box = [&](const QString& text, const QString& help, bool on, void (Settings::*set)(bool)) {
        auto* made = new QCheckBox(text, this);
        made->setAccessibleName(text);
        made->setToolTip(help);
        made->setChecked(on);
        connect(made, &QCheckBox::toggled, &settings, set);
        form->addRow(QString(), made);
    };
    box(tr("Animate steps"),
        tr("Blocks slide to their new places. Off wherever the system asks for less motion."),
        settings.animations(), &Settings::set_animations);
    box(tr("Types on edges"), tr("Written when the picture is close enough."), settings.edge_labels(),
        &Settings::set_edge_labels);
    box(tr("Keep a journal"), tr("Changes that are not saved come back after a crash."), settings.journal(),
        &Settings::set_journal);

    auto* buttons = new QDialogButtonBox(this);
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::AcceptRole);
    close->setAccessibleName(tr("Close"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    form->addRow(buttons);
}

ShortcutSheet::ShortcutSheet(Appearance& appearance, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Actions and shortcuts"));
    setAccessibleName(windowTitle());
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(tr("Find an action or a key"));
    line->setAccessibleName(tr("Find an action or a key"));
    line->setClearButtonEnabled(true);
    tree_ = new QTreeWidget(this);
    tree_->setAccessibleName(tr("Actions and their keys"));
    tree_->setHeaderLabels({tr("Action"), tr("Keys"), tr("What it does")});
    tree_->setRootIsDecorated(false);
    tree_->setIndentation(0);
    tree_->setUniformRowHeights(true);
    tree_->setSelectionMode(QAbstractItemView::NoSelection);
    tree_->setProperty("program_data", true);
    QFont bold = appearance.font();
    bold.setBold(true);
    for (const char* menu : action_menus()) {
        QTreeWidgetItem* heading = nullptr;
        for (const ActionInfo& info : action_table()) {
            if (std::strcmp(info.menu, menu) != 0) continue;
            if (heading == nullptr) {
                heading = new QTreeWidgetItem(tree_, {action_menu(info)});
                heading->setFont(0, bold);
                heading->setForeground(0, appearance.colors().accent);
                heading->setFirstColumnSpanned(true);
                heading->setExpanded(true);
            }
            auto* row =
                new QTreeWidgetItem(heading, {action_plain_text(info), action_keys(info), action_help(info)});
            row->setToolTip(2, row->text(2));  // of what a small screen cuts
            row->setFont(1, appearance.fixed_font());
            row->setForeground(2, appearance.colors().muted);
        }
    }
    tree_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tree_->header()->setStretchLastSection(true);
    none_ = new QLabel(tr("No action fits."), this);
    none_->setForegroundRole(QPalette::PlaceholderText);
    none_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(10);
    column->addWidget(line);
    column->addWidget(none_);
    column->addWidget(tree_, 1);
    ensurePolished();  // the type of a presentation
    resize(first_size(*this, {liked_width(), 50 * appearance.pixels()}));
    connect(line, &QLineEdit::textChanged, this, &ShortcutSheet::filter);
}

void ShortcutSheet::filter(const QString& text) {
    for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* heading = tree_->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < heading->childCount(); ++j) {
            QTreeWidgetItem* row = heading->child(j);
            bool fits = heading->text(0).contains(text, Qt::CaseInsensitive);
            for (int k = 0; k < 3; ++k) fits = fits || row->text(k).contains(text, Qt::CaseInsensitive);
            row->setHidden(!fits);
            any = any || fits;
        }
        heading->setHidden(!any);
    }
    none_->setVisible(shown_rows() == 0);
}

int ShortcutSheet::liked_width() const {
    const int around = 6 * tree_->fontMetrics().height();  // margins, paddings, a scroll bar
    int widest = 0;
    for (int i = 0; i < tree_->topLevelItemCount(); ++i)
        for (int j = 0; j < tree_->topLevelItem(i)->childCount(); ++j)
            widest = std::max(
                widest, tree_->fontMetrics().horizontalAdvance(tree_->topLevelItem(i)->child(j)->text(2)));
    tree_->resizeColumnToContents(0);
    tree_->resizeColumnToContents(1);
    return tree_->columnWidth(0) + tree_->columnWidth(1) + widest + around;
}

int ShortcutSheet::shown_rows() const {
    int rows = 0;
    for (int i = 0; i < tree_->topLevelItemCount(); ++i)
        for (int j = 0; j < tree_->topLevelItem(i)->childCount(); ++j)
            rows += tree_->topLevelItem(i)->child(j)->isHidden() ? 0 : 1;
    return rows;
}

}  // namespace blockscope
