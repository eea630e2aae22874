#include "app/cuda/tune_view.h"

#include <QHeaderView>
#include <QLocale>

#include "app/charts/range.h"
#include "app/costs/cost_table.h"

namespace blockscope {

namespace {

enum Column { Blocks, Threads, Stages, Registers, Spilled, Shared, AtOnce, Predicted, Measured };

QString amount(int value) {
    return QLocale().toString(value);
}

// "M/64, N/128".
QString blocks_text(const DimTable& dims) {
    QStringList parts;
    for (const Dim& dim : dims)
        if (dim.kind == DimKind::Blocked)
            parts << QStringLiteral("%1/%2").arg(QString::fromStdString(dim.name)).arg(dim.block);
    return parts.join(QStringLiteral(", "));
}

}  // namespace

TuneView::TuneView(Measurements& measurements, QWidget* parent)
    : QTreeWidget(parent), measurements_(measurements) {
    setAccessibleName(tr("Block sizes that were tried"));
    setHeaderLabels({tr("Block sizes"), tr("Threads"), tr("Stages"), tr("Registers"), tr("Spilled"),
                     tr("Shared memory"), tr("At once"), tr("Predicted"), tr("Measured")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(&measurements_, &Measurements::searched, this, &TuneView::fill);
    fill();
}

void TuneView::fill() {
    clear();
    const std::vector<TunedRow>& rows = measurements_.search();
    const TunedRow* fastest = nullptr;
    for (const TunedRow& row : rows)
        if (row.measured_seconds &&
            (!fastest || !fastest->measured_seconds || *row.measured_seconds < *fastest->measured_seconds))
            fastest = &row;
    for (const TunedRow& row : rows) add_row(row, &row == fastest);
    if (!rows.empty()) return;
    auto* none = new QTreeWidgetItem(
        this, {tr("Tune searches for block sizes; every choice that it tries stands here, with its times.")});
    none->setFirstColumnSpanned(true);
    none->setFlags(Qt::ItemIsEnabled);
}

void TuneView::add_row(const TunedRow& tuned, bool fastest) {
    const worker::SearchRow& row = tuned.row;
    const auto compiled = [&](int value) { return row.compiled ? amount(value) : QString(); };
    auto* item = new QTreeWidgetItem(this);
    item->setText(Blocks, blocks_text(row.dims));
    item->setText(Threads, row.threads > 0 ? amount(row.threads) : QString());
    item->setText(Stages, row.stages > 0 ? amount(row.stages) : QString());
    item->setText(Registers, compiled(row.registers));
    item->setText(Spilled, compiled(row.spilled_bytes));
    item->setText(Shared, row.compiled ? with_unit(row.shared_bytes, QStringLiteral("B")) : QString());
    item->setText(AtOnce, compiled(row.resident));
    item->setText(Predicted, row.predicted_seconds > 0 ? time_text(row.predicted_seconds) : QString());
    if (tuned.measured_seconds) item->setText(Measured, time_text(*tuned.measured_seconds));
    const std::string& reason = row.refused.empty() ? tuned.failure : row.refused;
    if (!reason.empty()) {
        item->setText(Measured, row.refused.empty() ? tr("failed") : tr("not possible"));
        for (int i = 0; i < columnCount(); ++i) {
            item->setToolTip(i, QString::fromStdString(reason));
            item->setForeground(i, palette().color(QPalette::Disabled, QPalette::Text));
        }
    }
    for (int i = Threads; i <= Measured; ++i) item->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    if (!fastest) return;
    QFont bold = font();
    bold.setBold(true);
    for (int i = 0; i < columnCount(); ++i) item->setFont(i, bold);
}

}  // namespace blockscope
