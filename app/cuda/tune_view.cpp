#include "app/cuda/tune_view.h"

#include <QHeaderView>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSplitter>
#include <algorithm>

#include "app/charts/range.h"
#include "app/costs/cost_table.h"
#include "app/words/words.h"
#include "core/cost/models/models.h"

namespace blockscope {

namespace {

constexpr int kRowRole = Qt::UserRole;  // index in Measurements::search()

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

// By which model, and where its terms are.
QString predicted_text(const TunedRow& tuned) {
    const QString time = time_text(tuned.row.predicted_seconds);
    const TimeModel* model = find_time_model(tuned.model);
    if (!model)
        return TuneView::tr(
                   "Predicted: %1, by the search's own estimate of what moves through each cache and "
                   "is computed: the device is not calibrated.")
            .arg(time);
    return TuneView::tr(
               "Predicted: %1, by the model \"%2\". Use these block sizes to see the terms of every "
               "kernel on the costs page.")
        .arg(time, in_words(model->title));
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
    connect(this, &QTreeWidget::currentItemChanged, this, &TuneView::explained);
    fill();
}

QString TuneView::explanation() const {
    const QTreeWidgetItem* item = currentItem();
    const QVariant index = item ? item->data(Blocks, kRowRole) : QVariant();
    const std::vector<TunedRow>& rows = measurements_.search();
    if (!index.isValid() || index.toInt() >= std::ssize(rows)) return {};
    const TunedRow& tuned = rows[static_cast<std::size_t>(index.toInt())];
    QStringList parts{dims_text(tuned.row.dims)};
    if (!tuned.row.refused.empty()) parts << QString::fromStdString(tuned.row.refused);
    if (tuned.row.compiled)
        parts << tr(
            "Registers, spilled bytes and shared memory are the compiler's, of the kernel that has most; "
            "at once: the thread blocks that they leave room for on a multiprocessor, the fewest of any "
            "kernel.");
    if (tuned.row.predicted_seconds > 0) parts << predicted_text(tuned);
    if (tuned.record) parts << tr("Measured:") + QLatin1Char('\n') + record_text(*tuned.record);
    return parts.join(QStringLiteral("\n\n"));
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
    const QTreeWidgetItem* chosen = currentItem();
    const QVariant before = chosen ? chosen->data(Blocks, kRowRole) : QVariant();
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
    for (int i = 0; i < std::ssize(rows); ++i) add_row(i, &rows[static_cast<std::size_t>(i)] == fastest);
    if (rows.empty())
        add_line(
            tr("Tune searches for block sizes; every choice that it tries stands here, with its times."));
    hide_empty_columns();
    for (int i = 0; before.isValid() && i < topLevelItemCount(); ++i)
        if (topLevelItem(i)->data(Blocks, kRowRole) == before) setCurrentItem(topLevelItem(i));
    Q_EMIT explained();
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

void TuneView::add_row(int index, bool fastest) {
    const TunedRow& tuned = measurements_.search().at(static_cast<std::size_t>(index));
    const worker::SearchRow& row = tuned.row;
    const auto compiled = [&](int value) { return row.compiled ? amount(value) : QString(); };
    auto* item = new QTreeWidgetItem(this);
    item->setData(Blocks, kRowRole, index);
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
    QFont bold;  // of whatever size the list has
    bold.setBold(true);
    for (int i = 0; i < columnCount(); ++i) item->setFont(i, bold);
}

QWidget* make_tune_pane(TuneView* view, QWidget* parent) {
    auto* pane = new QSplitter(Qt::Horizontal, parent);
    auto* text = new QPlainTextEdit(pane);
    text->setReadOnly(true);
    text->setFrameShape(QFrame::NoFrame);
    text->setTabChangesFocus(true);
    text->setAccessibleName(TuneView::tr("Where the numbers of the row come from"));
    text->setPlaceholderText(TuneView::tr("Choose a row to see where its numbers come from."));
    pane->addWidget(view);
    pane->addWidget(text);
    pane->setStretchFactor(0, 3);
    pane->setStretchFactor(1, 2);
    QObject::connect(view, &TuneView::explained, text,
                     [view, text] { text->setPlainText(view->explanation()); });
    return pane;
}

}  // namespace blockscope
