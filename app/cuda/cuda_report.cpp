#include "app/cuda/cuda_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/shell/controls.h"
#include "app/words/words.h"
#include "app/worker/predict.h"
#include "core/cost/models/model.h"

namespace blockscope {

namespace {

constexpr int kNode = Qt::UserRole;

QString grouped_digits(std::int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

}  // namespace

CudaReportView::CudaReportView(QWidget* parent)
    : QWidget(parent),
      sentence_(new QLabel(this)),
      table_(new QTreeWidget(this)),
      log_(new QPlainTextEdit(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(6);
    auto* top = new QHBoxLayout;
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    top->addWidget(sentence_, 1);
    help_ = make_bar_button(this, tr("Graphics cards..."),
                            tr("Says what was looked for, where, and how to install it"));
    connect(help_, &QToolButton::clicked, this, &CudaReportView::help_wanted);
    top->addWidget(help_, 0, Qt::AlignTop);
    column->addLayout(top);
    table_->setHeaderLabels({tr("Kernel"), tr("Thread blocks"), tr("Threads"), tr("Registers"), tr("Spilled"),
                             tr("Shared memory"), tr("At once"), tr("Occupancy")});
    const QStringList help{tr("As it is called in the source; click to see it and its operator"),
                           tr("Of its launch"),
                           tr("Of a thread block"),
                           tr("Of a thread; 255 is the most"),
                           tr("Bytes of a thread for which there were no registers: they go through memory"),
                           tr("Bytes of a thread block"),
                           tr("Thread blocks that a multiprocessor holds at once"),
                           tr("The share of a multiprocessor's threads that are then there")};
    for (int i = 0; i < help.size(); ++i) table_->headerItem()->setToolTip(i, help[i]);
    table_->setAccessibleName(tr("Kernels as the compiler reports them"));
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->header()->setStretchLastSection(false);
    connect(table_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item) Q_EMIT kernel_chosen(NodeId{item->data(0, kNode).toUInt()});
    });
    column->addWidget(table_, 2);
    log_->setReadOnly(true);
    log_->setAccessibleName(tr("What the compiler said"));
    column->addWidget(log_, 1);
    column->addStretch(0);
    show_nothing({});
}

void CudaReportView::show_nothing(const QString& sentence) {
    sentence_->setText(sentence);
    table_->clear();
    table_->hide();
    log_->clear();
    log_->hide();
    help_->hide();
}

void CudaReportView::show_report(const CudaReport& report) {
    show_nothing({});
    help_->setVisible(report.missing);
    const QString target = QString::fromStdString(report.architecture);
    if (report.missing)
        sentence_->setText(
            tr("NVIDIA's run-time compiler, NVRTC, was not found on this machine. The source can be "
               "saved and compiled elsewhere."));
    else if (!report.lost.empty())
        sentence_->setText(
            as_sentence(report.lost) + QLatin1Char(' ') +
            tr("The compiler has a process of its own, so that nothing else is lost. Compile again; if "
               "it fails each time, smaller blocks or another version of NVRTC may help."));
    else if (!report.problem.empty())
        sentence_->setText(tr("It does not compile for %1:").arg(target));
    else if (report.from_cache)
        sentence_->setText(
            tr("Compiled for %1 before, in %2 by %3.")
                .arg(target, time_text(report.seconds), QString::fromStdString(report.compiler)));
    else
        sentence_->setText(
            tr("Compiled for %1 in %2 by %3.")
                .arg(target, time_text(report.seconds), QString::fromStdString(report.compiler)));
    std::string said = report.missing ? std::string() : report.problem;
    for (const std::string& warning : report.warnings) said += warning + "\n";
    log_->setPlainText(QString::fromStdString(said));
    log_->setVisible(!said.empty());
    for (const CudaKernel& kernel : report.kernels) add_row(kernel);
    table_->setVisible(!report.kernels.empty());
}

void CudaReportView::add_row(const CudaKernel& kernel) {
    auto* row = new QTreeWidgetItem(
        table_,
        {QString::fromStdString(kernel.kernel), grouped_digits(kernel.tiles), grouped_digits(kernel.threads),
         grouped_digits(kernel.registers), grouped_digits(kernel.spilled_bytes),
         with_unit(kernel.shared_bytes, QStringLiteral("B")), grouped_digits(kernel.resident),
         QLocale().toString(100 * kernel.occupancy, 'f', 0) + QStringLiteral("\u00a0%")});
    row->setData(0, kNode, kernel.node.value);
    for (int i = 1; i < table_->columnCount(); ++i)
        row->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    if (kernel.spilled_bytes > 0)
        row->setToolTip(4, tr("Smaller blocks, or more threads, need fewer registers."));
    if (kernel.resident == 0) row->setToolTip(6, tr("It does not fit a multiprocessor."));
}

namespace {

constexpr int kRowRole = Qt::UserRole;  // index in Measurements::search()

enum Column { Blocks, Threads, Stages, Registers, Spilled, Shared, AtOnce, Predicted, Measured };

QString grouped_count(int value) {
    return QLocale().toString(value);
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
        .arg(time, translated(model->title));
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
    const auto compiled = [&](int value) { return row.compiled ? grouped_count(value) : QString(); };
    auto* item = new QTreeWidgetItem(this);
    item->setData(Blocks, kRowRole, index);
    item->setText(Blocks, QString::fromStdString(worker::short_blocks(row.dims, ", ")));
    item->setText(Threads, row.threads > 0 ? grouped_count(row.threads) : QString());
    item->setText(Stages, row.stages > 0 ? grouped_count(row.stages) : QString());
    item->setText(Registers, compiled(row.registers));
    item->setText(Spilled, compiled(row.spilled_bytes));
    item->setText(Shared, row.compiled ? with_unit(row.shared_bytes, QStringLiteral("B")) : QString());
    item->setText(AtOnce, compiled(row.resident));
    item->setText(Predicted, row.predicted_seconds > 0 ? time_text(row.predicted_seconds) : QString());
    if (tuned.measured_seconds) item->setText(Measured, time_text(*tuned.measured_seconds));
    const Text reason = row.refused.empty() ? tuned.failure : Text(row.refused);
    const bool other = is_of_other_sizes(tuned);
    if (!reason.empty()) item->setText(Measured, row.refused.empty() ? tr("failed") : tr("not possible"));
    for (int i = 0; i < columnCount() && (other || !reason.empty()); ++i) {
        item->setToolTip(i, translated(reason));
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
