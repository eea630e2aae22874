#include "app/cuda/tune_view.h"

#include <QHeaderView>
#include <QLocale>
#include <algorithm>

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

// "M 512, N 512".
QString sizes_text(const DimTable& dims) {
    QStringList parts;
    for (const Dim& dim : dims)
        parts << QStringLiteral("%1\u00a0%2")
                     .arg(QString::fromStdString(dim.name), QLocale().toString(dim.size));
    return parts.join(QStringLiteral(", "));
}

bool same_sizes(const Dim& a, const Dim& b) {
    return a.name == b.name && a.size == b.size;
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

void TuneView::show_program(const DimTable& now) {
    if (now_ == now) return;
    now_ = now;
    fill();
}

bool TuneView::is_of_other_sizes(const TunedRow& tuned) const {
    const DimTable& own = tuned.row.dims;
    return !now_.empty() && !std::equal(own.begin(), own.end(), now_.begin(), now_.end(), same_sizes);
}

void TuneView::fill() {
    clear();
    const std::vector<TunedRow>& rows = measurements_.search();
    if (!rows.empty() && is_of_other_sizes(rows.front()))
        add_line(tr("Searched at %1; the program has other sizes now. Tune searches again.")
                     .arg(sizes_text(rows.front().row.dims)));
    const TunedRow* fastest = nullptr;
    for (const TunedRow& row : rows)
        if (row.measured_seconds &&
            (!fastest || !fastest->measured_seconds || *row.measured_seconds < *fastest->measured_seconds))
            fastest = &row;
    for (const TunedRow& row : rows) add_row(row, &row == fastest);
    if (rows.empty())
        add_line(
            tr("Tune searches for block sizes; every choice that it tries stands here, with its times."));
    hide_empty_columns();
}

void TuneView::add_line(const QString& text) {
    auto* line = new QTreeWidgetItem(this, {text});
    line->setFirstColumnSpanned(true);
    line->setFlags(Qt::ItemIsEnabled);
}

// A processor has no registers to speak of.
void TuneView::hide_empty_columns() {
    for (int column = Threads; column <= AtOnce; ++column) {
        bool empty = !measurements_.search().empty();
        for (int i = 0; i < topLevelItemCount(); ++i)
            empty = empty && topLevelItem(i)->text(column).isEmpty();
        setColumnHidden(column, empty);
    }
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
    const bool other = is_of_other_sizes(tuned);
    if (!reason.empty()) item->setText(Measured, row.refused.empty() ? tr("failed") : tr("not possible"));
    for (int i = 0; i < columnCount() && (other || !reason.empty()); ++i) {
        item->setToolTip(i, QString::fromStdString(reason));
        item->setForeground(i, palette().color(QPalette::Disabled, QPalette::Text));
    }
    for (int i = Threads; i <= Measured; ++i) item->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    if (!fastest || other) return;
    QFont bold = font();
    bold.setBold(true);
    for (int i = 0; i < columnCount(); ++i) item->setFont(i, bold);
}

}  // namespace blockscope
