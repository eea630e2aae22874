#include "app/panels/sizes_panel.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollBar>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "app/costs/costs.h"
#include "app/costs/kept_types.h"
#include "app/panels/flow_layout.h"
#include "app/panels/panel_bar.h"
#include "app/panels/step_look.h"
#include "app/window/late_bar.h"

namespace blockscope {

namespace {

constexpr int kQuickNodes = 1000;  // programs of fewer nodes are counted in a few milliseconds
constexpr int kLeastColumn = 56;   // that names have beside the longest numbers
constexpr int kLateTop = 8;        // of what says that the counting takes long
constexpr int kOpenTime = 12;      // milliseconds of making spin boxes in one turn of the event loop

enum CostColumn { What, Now, First, Change, CostColumns };

}  // namespace

SizesPanel::SizesPanel(Document& document, Services&, QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(document),
      table_(new QTableView(this)),
      costs_(new QTableWidget(0, CostColumns, this)),
      message_(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(table_, 1);
    column->addWidget(make_steps());
    column->addWidget(message_);
    column->addWidget(costs_);
    message_->setWordWrap(true);
    message_->setContentsMargins(10, 2, 10, 6);
    message_->hide();
    set_up_tables();
    setFocusProxy(table_);
    opening_.setSingleShot(true);
    connect(&opening_, &QTimer::timeout, this, &SizesPanel::open_editors);
    const auto open_soon = [this] { opening_.start(); };
    connect(&model_, &QAbstractItemModel::modelReset, this, open_soon);
    connect(&model_, &QAbstractItemModel::modelReset, this, &SizesPanel::fit_numbers);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &SizesPanel::fit_numbers);
    connect(table_->verticalScrollBar(), &QScrollBar::valueChanged, this, open_soon);
    connect(table_->verticalScrollBar(), &QScrollBar::rangeChanged, this, open_soon);
    connect(&document_, &Document::content_changed, this, &SizesPanel::refresh);
    connect(&Costs::of(document_), &Costs::choices_changed, this, [this] {
        program_ = nullptr;
        refresh();
    });
    connect(&document_, &Document::failed, this, [this](const QString& what) {
        if (isVisible()) say(what);
    });
    const auto* late = new LateBar(background_, kLateTop, costs_);
    connect(late, &LateBar::cancelled, this, &SizesPanel::stop_waiting);
    refresh();
}

void SizesPanel::set_up_tables() {
    table_->setModel(&model_);
    auto* delegate = new SizesDelegate(this);
    table_->setItemDelegate(delegate);
    // After the change, which takes the message before away; a large program's comes later still.
    const auto limit = [this](const QString& why) {
        say(why);
        limited_ = document_.is_busy();
    };
    connect(delegate, &SizesDelegate::limited, this, limit, Qt::QueuedConnection);
    table_->setAccessibleName(tr("Sizes of dimensions"));
    table_->setEditTriggers(QAbstractItemView::AllEditTriggers);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setShowGrid(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(34);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    table_->horizontalHeader()->setMinimumSectionSize(kLeastColumn);
    table_->horizontalHeader()->setSectionResizeMode(SizesModel::Name, QHeaderView::Stretch);
    table_->horizontalHeader()->setSectionResizeMode(SizesModel::Size, QHeaderView::Fixed);
    table_->horizontalHeader()->setSectionResizeMode(SizesModel::Block, QHeaderView::Fixed);
    table_->horizontalHeader()->setSectionResizeMode(SizesModel::Blocks, QHeaderView::ResizeToContents);
    fit_numbers();

    costs_->setAccessibleName(tr("What this state costs"));
    connect(costs_, &QTableWidget::cellDoubleClicked, this, &SizesPanel::open_derivation);
    costs_->setHorizontalHeaderLabels({tr("Costs"), tr("Now"), tr("Initially"), tr("Change")});
    costs_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    costs_->setSelectionMode(QAbstractItemView::NoSelection);
    costs_->setShowGrid(false);
    costs_->verticalHeader()->hide();
    costs_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    costs_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    costs_->horizontalHeader()->setSectionResizeMode(What, QHeaderView::Stretch);
    costs_->setFont(scaled_font(*this, 0.92));
    for (int i = Now; i < CostColumns; ++i)
        costs_->horizontalHeaderItem(i)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    costs_->horizontalHeaderItem(What)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

// Room for the longest number of each column in its spin box.
void SizesPanel::fit_numbers() {
    constexpr int kAround = 38;  // frame, padding and cursor of a spin box
    for (const auto column : {SizesModel::Size, SizesModel::Block}) {
        qlonglong most = 9'999;
        for (int row = 0; row < model_.rowCount(); ++row)
            most = std::max(most, model_.index(row, column).data(Qt::EditRole).toLongLong());
        table_->setColumnWidth(column, fontMetrics().horizontalAdvance(QLocale().toString(most)) + kAround);
    }
}

QWidget* SizesPanel::make_steps() {
    auto* bar = new QWidget(this);
    auto* lines = new FlowLayout(bar);  // of a narrow panel: one of sizes, one of blocks
    lines->setContentsMargins(8, 6, 8, 6);
    lines->setSpacing(8);
    const auto group = [&](SizesModel::Column column, const QString& name, const QString& down,
                           const QString& up) {
        auto* part = new QWidget(bar);
        auto* row = new QHBoxLayout(part);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        row->addWidget(new QLabel(name, part));
        for (const auto& [text, help, above] :
             {std::tuple{QStringLiteral("\u00f72"), down, false}, {QStringLiteral("\u00d72"), up, true}}) {
            auto* button = make_bar_button(part, text, help, help);
            connect(button, &QToolButton::clicked, this,
                    [this, column, above = above] { step_all(column, above); });
            row->addWidget(button);
        }
        lines->addWidget(part);
    };
    group(SizesModel::Size, tr("Sizes"), tr("All sizes to the power of two below"),
          tr("All sizes to the power of two above"));
    group(SizesModel::Block, tr("Blocks"), tr("All block sizes to the power of two below"),
          tr("All block sizes to the power of two above"));
    return bar;
}

void SizesPanel::step_all(SizesModel::Column column, bool up) {
    if (document_.empty()) return;
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    DimTable dims = document_.content().program()->dims;
    for (Dim& dim : dims) {
        if (dim.kind != DimKind::Blocked) continue;
        if (column == SizesModel::Block) {
            dim.block = std::min(power_step(dim.block, up), dim.size);
            continue;
        }
        const bool whole = dim.block == dim.size;
        dim.size = std::min(power_step(dim.size, up), most);
        dim.block = whole ? dim.size : std::min(dim.block, dim.size);
    }
    document_.set_dims(dims);
}

// Rows that are seen have spin boxes: each takes a millisecond to make.
void SizesPanel::open_editors() {
    if (!isVisible() || model_.rowCount() == 0) return;
    const int first = std::max(0, table_->rowAt(0));
    int last = table_->rowAt(table_->viewport()->height() - 1);
    if (last < 0) last = model_.rowCount() - 1;
    QElapsedTimer clock;
    clock.start();
    for (int row = first; row <= last; ++row)
        if (open_editors_of(row) && clock.elapsed() > kOpenTime) return opening_.start();
}

// Whether there was one to open.
bool SizesPanel::open_editors_of(int row) {
    bool opened = false;
    for (const int column : {SizesModel::Size, SizesModel::Block}) {
        const QModelIndex index = model_.index(row, column);
        if (!(model_.flags(index) & Qt::ItemIsEditable) || table_->isPersistentEditorOpen(index)) continue;
        table_->openPersistentEditor(index);
        // The table selects what an editor holds, as if it were about to be typed over.
        for (auto* line : table_->indexWidget(index)->findChildren<QLineEdit*>()) line->deselect();
        opened = true;
    }
    return opened;
}

// Hidden costs are counted when they are shown.
void SizesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    open_editors();
    refresh();
}

void SizesPanel::refresh() {
    if (!isVisible()) return;
    if (!std::exchange(limited_, false)) message_->hide();
    if (document_.empty()) {
        background_.cancel();
        program_ = initial_ = nullptr;
        costs_->setRowCount(0);
        return;
    }
    const Content& content = document_.content();
    const ProgramPtr initial = content.history.state(0).program;
    if (program_ == content.program() && initial_ == initial) return;
    program_ = content.program();
    initial_ = initial;
    // In the types that the costs page counts, whose derivations open from here.
    const Costs& costs = Costs::of(document_);
    const Background::Job job = [this, program = program_, initial, type = costs.type(),
                                 processor = costs.on_processor()](const Stop& stop) -> Background::Finish {
        const auto rows = [&](const BlockProgram& of) {
            return cost_rows(lower_as_kept(of, type, processor));
        };
        const auto now = rows(*program);
        if (stop) return {};
        return [this, now, first = rows(*initial)] { show_costs(now, first); };
    };
    if (node_count(*program_) + node_count(*initial) < kQuickNodes)
        background_.run_now(job);
    else
        background_.start(tr("Counting what the state costs"), job);
}

void SizesPanel::stop_waiting() {
    program_ = initial_ = nullptr;
    costs_->setRowCount(0);
    say(tr("Counting was cancelled. Any step or size asks for it again."));
}

void SizesPanel::say(const QString& what) {
    message_->setText(what);
    message_->show();
}

// The costs page shows the formula and what it sums.
void SizesPanel::open_derivation(int row, int column) {
    const QTableWidgetItem* item = costs_->item(row, column);
    if (!item || document_.empty()) return;
    const StateId state = column == First ? StateId{0} : document_.content().current;
    Costs::of(document_).ask_for_derivation(state, item->data(Qt::UserRole).toInt());
}

void SizesPanel::show_costs(const std::vector<CostRow>& now, const std::vector<CostRow>& first) {
    costs_->setRowCount(static_cast<int>(now.size()));
    for (std::size_t i = 0; i < now.size(); ++i) {
        const auto set = [&](int column, const QString& text, const QString& detail) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(detail);
            item->setData(Qt::UserRole, now[i].column);
            item->setTextAlignment((column == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            costs_->setItem(static_cast<int>(i), column, item);
        };
        set(What, now[i].name, now[i].name);
        set(Now, now[i].value, now[i].detail);
        set(First, first[i].value, first[i].detail);
        set(Change, compared_text(now[i].number, first[i].number), {});
    }
    const int head = costs_->horizontalHeader()->sizeHint().height() + 6;
    int rows = 0;
    for (int row = 0; row < costs_->rowCount(); ++row) rows += costs_->rowHeight(row);
    costs_->setMaximumHeight(head + rows);
    costs_->setMinimumHeight(head + (costs_->rowCount() > 0 ? costs_->rowHeight(0) : 0));
    fit_costs();
}

void SizesPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    opening_.start();
    fit_costs();
}

// What a narrow panel has no room for is left out, so that names and numbers can be read. Rather than the
// change the ends of long names go.
void SizesPanel::fit_costs() {
    constexpr int kAround = 18;     // of a text in its cell
    constexpr int kLeastName = 70;  // its tooltip has all
    const auto width = [&](int column) {
        const auto advance = [&](const QTableWidgetItem* item) {
            return item ? costs_->fontMetrics().horizontalAdvance(item->text()) + kAround : 0;
        };
        int widest = advance(costs_->horizontalHeaderItem(column));
        for (int row = 0; row < costs_->rowCount(); ++row)
            widest = std::max(widest, advance(costs_->item(row, column)));
        return widest;
    };
    const int room = costs_->viewport()->width();
    const int numbers = width(Now) + width(Change);
    costs_->setColumnHidden(Change, std::min(width(What), kLeastName) + numbers > room);
    costs_->setColumnHidden(First, width(What) + numbers + width(First) > room);
}

}  // namespace blockscope
