// The tabs of the tables of a kernel.
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QTableWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/model_view.h"

namespace blockscope {

namespace {

constexpr int kRowHeight = 34, kFormulaWidth = 220, kCellEdge = 20, kRowsSeen = 6;
constexpr double kTight = 1.05;         // times the width: what columns need with room around their texts
constexpr double kMostOfLevels = 0.68;  // of the tab's width: the table beside the diagram
constexpr double kLeastScaleOfDrawings = 0.6;  // in a low dock their beginning is seen, not a smear
constexpr double kMostLink = 1000;             // TB/s

QTableWidget* make_table(const QString& name, const QStringList& headers, QWidget* parent) {
    auto* table = new QTableWidget(0, static_cast<int>(headers.size()), parent);
    table->setAccessibleName(name);
    table->setHorizontalHeaderLabels(headers);
    table->setShowGrid(false);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    for (int i = 0; i < table->columnCount(); ++i)
        table->horizontalHeaderItem(i)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

// Of all columns, whether the table has been shown or not.
int width_of(const QTableWidget& table) {
    const QHeaderView& header = *table.horizontalHeader();
    int width = 2 * table.frameWidth();
    if (table.rowCount() > kRowsSeen) width += table.verticalScrollBar()->sizeHint().width();
    for (int column = 0; column < table.columnCount(); ++column) {
        int most = header.sectionSizeHint(column);
        for (int row = 0; row < table.rowCount(); ++row) {
            const QWidget* inside = table.cellWidget(row, column);
            const QTableWidgetItem* item = table.item(row, column);
            if (inside) most = std::max(most, inside->sizeHint().width());
            if (item) most = std::max(most, table.fontMetrics().horizontalAdvance(item->text()) + kCellEdge);
        }
        width += most;
    }
    return width;
}

}  // namespace

QWidget* KernelTables::make_code() {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    drawn_code_ = new CircuitView(splitter);
    drawn_code_->setAccessibleName(tr("Pseudocode as a diagram"));
    drawn_code_->set_least_scale(kLeastScaleOfDrawings);
    code_ = new QTreeWidget(splitter);
    code_->setAccessibleName(tr("Pseudocode"));
    code_->setHeaderLabels({tr("Operation"), tr("Where")});
    code_->setSelectionMode(QAbstractItemView::SingleSelection);
    code_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({880, 520});  // whole sentences
    splitter->setChildrenCollapsible(false);
    return splitter;
}

QWidget* KernelTables::make_configuration() {
    auto* splitter = configuration_ = new QSplitter(Qt::Horizontal, this);
    sizes_ = make_table(tr("Sizes"), {tr("Symbol"), tr("Size"), tr("Divides by")}, splitter);
    levels_ = make_table(tr("Limits of the device"),
                         {tr("Level"), tr("Limit"), tr("Block"), tr("Warpgroup"), tr("Warpgroups"),
                          tr("Left"), tr("Left per thread")},
                         splitter);
    variables_ = make_table(
        tr("Variables"),
        {tr("Variable"), tr("Axes"), tr("Type"), tr("Level"), tr("Block"), tr("Warpgroup"), tr("Is")},
        splitter);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 5);
    splitter->setStretchFactor(2, 6);
    connect(splitter, &QSplitter::splitterMoved, this, [this] { widths_chosen_ = true; });
    for (QTableWidget* table : {sizes_, levels_, variables_})
        table->horizontalHeader()->setStretchLastSection(true);
    splitter->setChildrenCollapsible(false);
    connect(sizes_, &QTableWidget::cellChanged, this, [this](int row, int column) {
        if (!filling_ && column == 1) edit_size(row);
    });
    return splitter;
}

void KernelTables::share_width() {
    if (widths_chosen_) return;
    const int all = tabs_->width();  // hidden tabs have none of their own
    QList<int> needed;
    for (const QTableWidget* table : {sizes_, levels_, variables_}) needed << width_of(*table);
    const bool fits = std::accumulate(needed.begin(), needed.end(), 0) <= kTight * all;
    // Where there is no room for all columns they are scrolled, not cut.
    for (QTableWidget* table : {sizes_, levels_, variables_})
        table->horizontalHeader()->setStretchLastSection(fits);
    configuration_->setSizes(needed);
    const int table = std::min(width_of(*level_plans_), static_cast<int>(kMostOfLevels * all));
    if (all > table) level_plans_beside_->setSizes({all - table, table});
}

// The first tab of what is no kernel of warpgroups.
QWidget* KernelTables::make_level_plans() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(8, 4, 8, 8);
    auto* splitter = level_plans_beside_ = new QSplitter(Qt::Horizontal, box);
    drawn_levels_ = new CircuitView(splitter);
    drawn_levels_->set_least_scale(kLeastScaleOfDrawings);
    drawn_levels_->setAccessibleName(tr("The algorithm on every level"));
    level_plans_ = make_table(tr("Levels with groups of their own"),
                              {tr("Level"), tr("Instances"), tr("Groups"), tr("Values held"),
                               tr("Values moved"), tr("Bandwidth"), tr("Time")},
                              splitter);
    level_plans_->horizontalHeader()->setStretchLastSection(true);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({540, 760});
    connect(splitter, &QSplitter::splitterMoved, this, [this] { widths_chosen_ = true; });
    splitter->setChildrenCollapsible(false);
    level_sum_ = new QLabel(box);
    level_sum_->setWordWrap(true);
    level_sum_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(level_sum_);
    column->addWidget(splitter, 1);
    return box;
}

QWidget* KernelTables::make_clocks() {
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* inside = new QWidget(area);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(8, 4, 8, 8);
    summary_ = new QLabel(inside);
    summary_->setWordWrap(true);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    warnings_ = new QLabel(inside);
    warnings_->setWordWrap(true);
    clocks_ = new ClockView(inside);
    pipelines_ = make_table(
        tr("Clocks per thread and part of the stream"),
        {tr("Operation"), tr("Unit"), tr("Operations"), tr("Value"), tr("Per clock"), tr("Clocks")}, inside);
    pipelines_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    pipelines_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    pipelines_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Interactive);
    pipelines_->setColumnWidth(2, kFormulaWidth);
    column->addWidget(summary_);
    column->addWidget(warnings_);
    column->addWidget(clocks_);
    column->addWidget(pipelines_);
    column->addStretch(1);
    area->setWidget(inside);
    area->setAccessibleName(tr("Clocks"));
    return area;
}

QWidget* KernelTables::make_models() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QWidget(box);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 4, 10, 4);
    link_ = new QDoubleSpinBox(bar);
    link_->setRange(0, kMostLink);
    link_->setDecimals(2);
    link_->setSingleStep(0.5);
    link_->setSuffix(tr(" TB/s"));
    link_->setSpecialValueText(tr("at no cost"));
    link_->setKeyboardTracking(false);
    link_->setAccessibleName(tr("Links between instances"));
    link_->setToolTip(tr("What links between instances of a level carry all together (Section 4.5)"));
    auto* name = new QLabel(tr("Links between instances"), bar);
    name->setBuddy(link_);
    row->addWidget(name);
    row->addWidget(link_);
    row->addStretch(1);
    connect(link_, &QDoubleSpinBox::valueChanged, this, [this] {
        if (!filling_) start();
    });
    models_ = new ModelView(box);
    column->addWidget(bar);
    column->addWidget(models_, 1);
    return box;
}

}  // namespace blockscope
