#include "app/window/model_bar.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/window/message_bars.h"
#include "app/words/words.h"

namespace blockscope {

ModelReport report_of(const model::ImportedModel& model) {
    return {.summary = model::summary_of(model),
            .customs = model.customs,
            .remarks = model.remarks,
            .assumed = std::any_of(model.symbols.begin(), model.symbols.end(),
                                   [](const model::BoundSymbol& symbol) { return !symbol.chosen; })};
}

ModelBar::ModelBar(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("model_bar"));
    setAccessibleName(tr("What became of the model"));
    text_ = new QLabel(this);
    text_->setProperty("program_data", true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);  // names are the model's
    details_ = bar_button(tr("Report"),
                          tr("Lists the operators that are not understood, each with the reason."), this);
    sizes_ = bar_button(tr("Sizes"), tr("Shows the sizes and block sizes of the program, and changes them."),
                        this);
    close_ = bar_button(tr("Close"), tr("Hides this message."), this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    row->addWidget(text_, 1);
    for (QPushButton* each : {details_, sizes_, close_}) row->addWidget(each, 0, Qt::AlignTop);
    connect(details_, &QPushButton::clicked, this, &ModelBar::show_details);
    connect(sizes_, &QPushButton::clicked, this, &ModelBar::sizes_asked);
    connect(close_, &QPushButton::clicked, this, &QWidget::hide);
    hide();
}

void ModelBar::show_report(ModelReport report) {
    report_ = std::move(report);
    text_->setText(translated(report_.summary));
    details_->setVisible(!report_.customs.empty() || !report_.remarks.empty());
    sizes_->setVisible(report_.assumed);
    setVisible(!report_.summary.empty());
}

void ModelBar::show_details() {
    if (auto* open = window()->findChild<QDialog*>(QStringLiteral("model_report"))) return open->raise();
    auto* dialog = new QDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("model_report"));
    dialog->setWindowTitle(tr("Report on the model"));
    auto* column = new QVBoxLayout(dialog);
    auto* summary = new QLabel(translated(report_.summary), dialog);
    summary->setWordWrap(true);
    summary->setTextFormat(Qt::PlainText);
    column->addWidget(summary);
    auto* table = new QTreeWidget(dialog);
    table->setAccessibleName(tr("Operators that are not understood"));
    table->setProperty("program_data", true);
    table->setRootIsDecorated(false);
    table->setHeaderLabels({tr("Node"), tr("Operator"), tr("Why")});
    for (const model::ImportedCustom& custom : report_.customs)
        new QTreeWidgetItem(table, {QString::fromStdString(custom.node.empty() ? custom.name : custom.node),
                                    QString::fromStdString(custom.op), translated(custom.reason)});
    for (int i = 0; i < table->columnCount(); ++i) table->resizeColumnToContents(i);
    table->setVisible(!report_.customs.empty());
    column->addWidget(table, 1);
    for (const Text& remark : report_.remarks) {
        auto* line = new QLabel(translated(remark), dialog);
        line->setWordWrap(true);
        line->setTextFormat(Qt::PlainText);
        column->addWidget(line);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog->resize(760, 420);
    dialog->show();
}

}  // namespace blockscope
