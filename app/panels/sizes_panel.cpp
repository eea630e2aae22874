#include "app/panels/sizes_panel.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollBar>
#include <QSpinBox>
#include <QStringList>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "app/costs/cost_table.h"
#include "app/costs/costs.h"
#include "app/costs/heat.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/shell/step_look.h"

namespace blockscope {

namespace {

struct CostWords {
    Q_DECLARE_TR_FUNCTIONS(CostSummary)
};

QString exact(std::int64_t number) {
    return QLocale().toString(static_cast<qlonglong>(number));
}

// "Q: loads M·D·N/n elements" for each array that is loaded or stored.
QString traffic_formulas(const LoopProgram& loops, const std::vector<Term>& terms) {
    constexpr int kMost = 16;  // lines of a tooltip
    QStringList lines;
    for (std::size_t i = 0; i < loops.buffers.size(); ++i) {
        const auto buffer = static_cast<int>(i);
        const QString name = QString::fromStdString(loops.buffers[i].name);
        const auto add = [&](Quantity quantity, const QString& what) {
            const QString text = QString::fromStdString(formula(terms, quantity, buffer, loops.dims));
            if (text != QLatin1String("0")) lines << what.arg(name, text);
        };
        add(Quantity::LoadValues, CostWords::tr("%1: loads %2 elements"));
        add(Quantity::StoreValues, CostWords::tr("%1: stores %2 elements"));
    }
    if (lines.size() > kMost) {
        const auto more = lines.size() - kMost;
        lines = lines.mid(0, kMost);
        lines << CostWords::tr("and %1 more").arg(more);
    }
    return lines.join(QLatin1Char('\n'));
}

QString flop_formulas(const LoopProgram& loops, const std::vector<Term>& terms) {
    QStringList lines;
    const auto add = [&](Quantity quantity, const QString& what) {
        const QString text = QString::fromStdString(formula(terms, quantity, -1, loops.dims));
        if (text != QLatin1String("0")) lines << what.arg(text);
    };
    add(Quantity::Matrix, CostWords::tr("Matrix products: %1"));
    add(Quantity::Vector, CostWords::tr("Other arithmetic: %1"));
    add(Quantity::Special, CostWords::tr("exp, sqrt and the like: %1"));
    return lines.join(QLatin1Char('\n'));
}

QString alive_text(const LocalMemory& local) {
    constexpr std::size_t kMost = 24;
    QStringList names;
    for (std::size_t i = 0; i < std::min(kMost, local.alive.size()); ++i)
        names << QStringLiteral("t%1").arg(local.alive[i].id);
    if (local.alive.size() > kMost) names << QStringLiteral("...");
    return CostWords::tr("Alive at once: %1").arg(names.join(QStringLiteral(", ")));
}

CostRow row(CostTable::Column column, const QString& name, std::int64_t number, const QString& unit,
            const QString& formulas) {
    CostRow made;
    made.column = column;
    made.name = name;
    made.number = static_cast<double>(number);
    made.value = unit.isEmpty() ? exact(number) : quantity_text(number, unit);
    made.detail =
        unit.isEmpty() ? formulas : exact(number) + QLatin1Char(' ') + unit + QLatin1Char('\n') + formulas;
    return made;
}

}  // namespace

QString quantity_text(std::int64_t number, const QString& unit) {
    static const char* const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    auto value = static_cast<double>(number);
    std::size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < std::size(prefixes)) {
        value /= 1000;
        ++prefix;
    }
    const int digits = prefix == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QLocale().toString(value, 'f', digits) + QLatin1Char(' ') + QLatin1String(prefixes[prefix]) + unit;
}

std::vector<CostRow> cost_rows(const State& state) {
    const LoopProgram& loops = state.loops();
    const Counts& counts = state.counts();
    const std::vector<Term>& terms = state.terms();
    return {
        row(CostTable::Moved, CostWords::tr("Traffic"), counts.bytes(), QStringLiteral("B"),
            traffic_formulas(loops, terms)),
        row(CostTable::Operations, CostWords::tr("Arithmetic"), counts.flops.total(), QStringLiteral("FLOP"),
            flop_formulas(loops, terms)),
        row(CostTable::Local, CostWords::tr("Local memory"), counts.local.bytes, QStringLiteral("B"),
            alive_text(counts.local)),
        row(CostTable::Launches, CostWords::tr("Launches"), counts.launches, {},
            CostWords::tr("One kernel for each operator at the top level.")),
        row(CostTable::Tasks, CostWords::tr("Parallel tasks"), counts.tasks, {},
            CostWords::tr("The fewest of any launch.")),
    };
}

QString compared_text(double number, double before) {
    if (number == before) return CostWords::tr("same");
    if (number <= 0 || before <= 0) return {};
    const bool less = number < before;
    const double ratio = less ? before / number : number / before;
    if (ratio < 1.005) return CostWords::tr("≈ same");
    const QString text = QLocale().toString(ratio, 'f', ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
    return less ? CostWords::tr("%1\u00d7 less").arg(text) : CostWords::tr("%1\u00d7 more").arg(text);
}

namespace {

constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();

// A number that is too large becomes the largest, which `limited` hears of (true, the largest) as of one that
// is too small (false, the least); QSpinBox would drop its last digits without a word.
class PowerSpinBox : public QSpinBox {
public:
    PowerSpinBox(std::function<void(bool, int)> limited, QWidget* parent)
        : QSpinBox(parent), limited_(std::move(limited)) {}

    QValidator::State validate(QString& text, int& position) const override {
        const QValidator::State state = QSpinBox::validate(text, position);
        return state == QValidator::Invalid && number_in(text) ? QValidator::Intermediate : state;
    }
    void fixup(QString& text) const override {
        const std::optional<double> number = number_in(text);
        if (!number || (*number >= minimum() && *number <= maximum())) return QSpinBox::fixup(text);
        const bool most = *number > maximum();
        if (most) text = textFromValue(maximum());
        limited_(most, most ? maximum() : minimum());
    }
    void stepBy(int steps) override {
        std::int64_t next = value();
        for (int i = 0; i < std::abs(steps); ++i) next = power_step(next, steps > 0);
        setValue(static_cast<int>(std::clamp<std::int64_t>(next, minimum(), maximum())));
    }

private:
    std::optional<double> number_in(QString text) const {
        text.remove(locale().groupSeparator());
        bool is_number = false;
        const double number = text.toDouble(&is_number);
        const bool digits = std::all_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); });
        return is_number && digits ? std::optional(number) : std::nullopt;
    }

    std::function<void(bool, int)> limited_;
};

}  // namespace

std::int64_t power_step(std::int64_t value, bool up) {
    std::int64_t power = 1;
    if (up) {
        while (power <= value) power *= 2;
        return power;
    }
    while (power * 2 < value) power *= 2;
    return power;
}

SizesModel::SizesModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
    connect(&document_, &Document::content_changed, this, &SizesModel::refresh);
    refresh();
}

void SizesModel::refresh() {
    const DimTable dims = document_.empty() ? DimTable{} : document_.content().program()->dims;
    const auto same = [](const Dim& a, const Dim& b) { return a.name == b.name && a.kind == b.kind; };
    if (std::equal(dims.begin(), dims.end(), dims_.begin(), dims_.end(), same)) {
        if (dims == dims_) return;
        dims_ = dims;
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    dims_ = dims;
    endResetModel();
}

int SizesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(dims_.size());
}

int SizesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QString SizesModel::blocks_text(const Dim& dim) const {
    const QLocale locale;
    QString count = locale.toString(static_cast<qlonglong>(dim.blocks()));
    const std::int64_t last = dim.block_size(dim.blocks() - 1);
    if (last == dim.block) return count;
    return tr("%1, last %2").arg(count, locale.toString(static_cast<qlonglong>(last)));
}

QVariant SizesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Dim& dim = dims_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() != Name)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == Blocks && dim.block_size(dim.blocks() - 1) != dim.block)
        return tr("The block size does not divide the size: the last block is shorter.");
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    switch (index.column()) {
        case Name: {
            const QString name = QString::fromStdString(dim.name);
            if (dim.kind == DimKind::Batch) return tr("%1 (batch)").arg(name);
            if (dim.kind == DimKind::Group) return tr("%1 (group)").arg(name);
            return name;
        }
        case Size:
            return static_cast<qlonglong>(dim.size);
        case Block:
            return static_cast<qlonglong>(dim.block);
        case Blocks:
            return blocks_text(dim);
        default:
            return {};
    }
}

bool SizesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
    const auto number = static_cast<std::int64_t>(value.toLongLong());
    if (number < 1 || number > kMostElements) return false;
    DimTable dims = dims_;
    Dim& dim = dims[static_cast<std::size_t>(index.row())];
    if (index.column() == Size) {
        // A dimension that is one block stays one.
        const bool whole = dim.kind == DimKind::Blocked && dim.block == dim.size;
        dim.size = number;
        dim.block = whole ? number : std::min(dim.block, number);
    } else {
        if (number > dim.size) return false;
        dim.block = number;
    }
    if (dims == dims_) return true;
    document_.set_dims(dims);
    return !document_.empty() && document_.content().program()->dims == dims;
}

Qt::ItemFlags SizesModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid()) return flags;
    const bool blocked = dims_[static_cast<std::size_t>(index.row())].kind == DimKind::Blocked;
    if (index.column() == Size || (index.column() == Block && blocked)) flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant SizesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name:
            return tr("Dimension");
        case Size:
            return tr("Size");
        case Block:
            return tr("Block");
        default:
            return tr("Blocks");
    }
}

// ---- Editing

QWidget* SizesDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                     const QModelIndex& index) const {
    auto* self = const_cast<SizesDelegate*>(this);
    const bool block = index.column() == SizesModel::Block;
    const QString name = index.siblingAtColumn(SizesModel::Name).data().toString();
    const auto limited = [self, block, name](bool too_large, int end) {
        const QString number = QLocale().toString(end);
        Q_EMIT self->limited(!too_large ? tr("1 is the least.")
                             : block ? tr("A block of %1 has %2 at most: the size of %1.").arg(name, number)
                                     : tr("The size of %1 is %2 at most.").arg(name, number));
    };
    auto* box = new PowerSpinBox(limited, parent);
    const QModelIndex size = index.siblingAtColumn(SizesModel::Size);
    const auto most = block ? size.data(Qt::EditRole).toLongLong() : qlonglong{kMostElements};
    box->setRange(1, static_cast<int>(most));
    box->setGroupSeparatorShown(true);
    box->setAlignment(Qt::AlignRight);
    // Without buttons, which leave no room for nine digits: the arrow keys and the wheel do the same.
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAccessibleName(block ? tr("Block size of %1").arg(name) : tr("Size of %1").arg(name));
    box->setToolTip(tr("Up and Down go from power to power of two; any number can be typed"));
    // Not each digit of a number that is being typed, but its end and each step.
    box->setKeyboardTracking(false);
    connect(box, &QSpinBox::valueChanged, self, [self, box] { Q_EMIT self->commitData(box); });
    return box;
}

void SizesDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* box = static_cast<QSpinBox*>(editor);
    const QSignalBlocker quiet(box);
    if (index.column() == SizesModel::Block)
        box->setMaximum(index.siblingAtColumn(SizesModel::Size).data(Qt::EditRole).toInt());
    box->setValue(index.data(Qt::EditRole).toInt());
}

void SizesDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    auto* box = static_cast<QSpinBox*>(editor);
    if (!model->setData(index, box->value(), Qt::EditRole)) setEditorData(editor, index);
}

namespace {

constexpr int kQuickCounts = 1000;    // programs of fewer nodes are counted in a few milliseconds
constexpr int kLeastColumn = 56;      // that names have beside the longest numbers
constexpr int kCountsOverlayTop = 8;  // of what says that the counting takes long
constexpr int kOpenTime = 12;         // milliseconds of making spin boxes in one turn of the event loop

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
    const auto count_again = [this] {
        program_ = nullptr;
        refresh();
    };
    connect(&Costs::of(document_), &Costs::choices_changed, this, count_again);
    connect(&document_, &Document::safe_changed, this, count_again);
    connect(&document_, &Document::failed, this, [this](const QString& what) {
        if (isVisible()) say(what);
    });
    const auto* late = new ProgressOverlay(background_, kCountsOverlayTop, costs_);
    connect(late, &ProgressOverlay::cancelled, this, &SizesPanel::stop_waiting);
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
    meet_needs(dims, block_needs(*document_.content().program()));
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
    // In the types and the form that the costs page counts, whose derivations open from here.
    const Costs& costs = Costs::of(document_);
    const Background::Job job = [this, program = program_, initial, type = costs.type(),
                                 processor = costs.on_processor(),
                                 safe = document_.shows_safe()](const Stop& stop) -> Background::Finish {
        const Form kept = kept_form(type, processor);
        const Form form{safe_form(safe).safe, kept.stored, kept.loops};
        const auto now = cost_rows(State(program, form));
        if (stop) return {};
        return [this, now, first = cost_rows(State(initial, form))] { show_costs(now, first); };
    };
    if (node_count(*program_) + node_count(*initial) < kQuickCounts)
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
    // With the form that is counted, where it is not the state's own.
    const QString counted = Costs::of(document_).shown_form();
    costs_->horizontalHeaderItem(What)->setText(counted.isEmpty() ? tr("Costs")
                                                                  : tr("Costs, %1").arg(counted));
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
