#include "app/cuda/cuda_report.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/charts/range.h"
#include "app/costs/cost_table.h"
#include "app/panels/panel_bar.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kNode = Qt::UserRole;

QString amount(std::int64_t value) {
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
        table_, {QString::fromStdString(kernel.kernel), amount(kernel.tiles), amount(kernel.threads),
                 amount(kernel.registers), amount(kernel.spilled_bytes),
                 with_unit(kernel.shared_bytes, QStringLiteral("B")), amount(kernel.resident),
                 QLocale().toString(100 * kernel.occupancy, 'f', 0) + QStringLiteral("\u00a0%")});
    row->setData(0, kNode, kernel.node.value);
    for (int i = 1; i < table_->columnCount(); ++i)
        row->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    if (kernel.spilled_bytes > 0)
        row->setToolTip(4, tr("Smaller blocks, or more threads, need fewer registers."));
    if (kernel.resident == 0) row->setToolTip(6, tr("It does not fit a multiprocessor."));
}

}  // namespace blockscope
