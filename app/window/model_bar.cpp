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
    return {.of_model = true, .customs = model.customs, .remarks = model.remarks, .symbols = model.symbols};
}

namespace {

// The symbols of the model; those whose dimension has got another size are chosen.
std::vector<model::BoundSymbol> chosen_in(const DimTable& dims, std::vector<model::BoundSymbol> symbols) {
    for (model::BoundSymbol& symbol : symbols) {
        const auto dim =
            std::find_if(dims.begin(), dims.end(), [&](const Dim& each) { return each.name == symbol.name; });
        symbol.chosen = symbol.chosen || (dim != dims.end() && dim->size != symbol.size);
    }
    return symbols;
}

}  // namespace

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
    layers_ = bar_button(tr("Layers"), tr("Lists the parts of the model, repeated layers once."), this);
    close_ = bar_button(tr("Close"), tr("Hides this message."), this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    row->addWidget(text_, 1);
    for (QPushButton* each : {details_, sizes_, layers_, close_}) row->addWidget(each, 0, Qt::AlignTop);
    connect(details_, &QPushButton::clicked, this, &ModelBar::show_details);
    connect(sizes_, &QPushButton::clicked, this, &ModelBar::sizes_asked);
    connect(layers_, &QPushButton::clicked, this, &ModelBar::layers_asked);
    connect(close_, &QPushButton::clicked, this, &QWidget::hide);
    hide();
}

void ModelBar::show_report(ModelReport report) {
    report_ = std::move(report);
    details_->setVisible(!report_.customs.empty() || !report_.remarks.empty());
    follow({});
    setVisible(report_.of_model);
}

void ModelBar::follow(const DimTable& dims) {
    if (!report_.of_model) return;
    const std::vector<model::BoundSymbol> symbols = chosen_in(dims, report_.symbols);
    text_->setText(translated(model::summary_of(report_.customs, symbols)));
    sizes_->setVisible(std::any_of(symbols.begin(), symbols.end(),
                                   [](const model::BoundSymbol& symbol) { return !symbol.chosen; }));
}

void ModelBar::forget() {
    report_ = {};
    if (QDialog* open = details_shown()) open->close();
    hide();
}

QDialog* ModelBar::details_shown() const {
    return window()->findChild<QDialog*>(QStringLiteral("model_report"));
}

void ModelBar::show_details() {
    if (QDialog* open = details_shown()) return open->raise();
    auto* dialog = new QDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("model_report"));
    dialog->setWindowTitle(tr("Report on the model"));
    auto* column = new QVBoxLayout(dialog);
    auto* summary = new QLabel(text_->text(), dialog);
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
