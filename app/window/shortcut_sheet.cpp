#include "app/window/shortcut_sheet.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cstring>

#include "app/window/actions.h"
#include "app/window/appearance.h"
#include "app/window/first_size.h"

namespace blockscope {

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
