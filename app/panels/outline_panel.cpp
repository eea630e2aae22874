#include "app/panels/outline_panel.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/shell/telling.h"
#include "app/words/words.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

constexpr int kNode = Qt::UserRole + 1;
constexpr int kArray = 2;               // its column; it stands beside the operator
constexpr std::size_t kMostOpen = 400;  // larger programs open with their maps closed
constexpr int kQuickNodes = 400;        // are put into the tree at once
constexpr int kFillTime = 12;           // milliseconds of filling the tree in one turn of the event loop

NodeId node_of(const QModelIndex& index) {
    return NodeId{index.siblingAtColumn(0).data(kNode).toUInt()};
}

}  // namespace

OutlinePanel::OutlinePanel(Document& document, Services&, QWidget* parent)
    : QWidget(parent), document_(document), tree_(new QTreeView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(tree_);
    tree_->setModel(&model_);
    tree_->setAccessibleName(tr("Outline"));
    tree_->setAccessibleDescription(tr("Maps and operators; a checked map is unfolded in the picture"));
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree_->setUniformRowHeights(true);
    tree_->setMouseTracking(true);
    tree_->setTextElideMode(Qt::ElideRight);
    // The first column is as wide as the rows that are seen. A scroll bar that came with wide rows would hide
    // the row that needs it, go, show the row, and come again, for ever.
    tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree_->viewport()->installEventFilter(this);
    setFocusProxy(tree_);

    connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &OutlinePanel::take_selection);
    connect(tree_, &QTreeView::entered, this, [this](const QModelIndex& index) {
        document_.set_hover({{node_of(index)}, {}, {}});
    });
    connect(tree_, &QAbstractItemView::viewportEntered, this, [this] { document_.set_hover({}); });
    connect(tree_, &QTreeView::collapsed, this,
            [this](const QModelIndex& index) { closed_.insert(node_of(index)); });
    connect(tree_, &QTreeView::expanded, this,
            [this](const QModelIndex& index) { closed_.erase(node_of(index)); });
    connect(&model_, &QStandardItemModel::itemChanged, this, &OutlinePanel::toggled);
    connect(&filling_, &QTimer::timeout, this, &OutlinePanel::fill);
    connect(&document_, &Document::content_changed, this, &OutlinePanel::refresh);
    connect(&Telling::of(document_), &Telling::told_now, this, &OutlinePanel::show_arrays);
    connect(&document_, &Document::selection_changed, this, &OutlinePanel::follow_selection);
    refresh();
}

// A hidden outline waits until it is shown.
void OutlinePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    follow_selection();
}

void OutlinePanel::refresh() {
    if (!isVisible()) return;
    const ProgramPtr program = document_.empty() ? nullptr : document_.content().program();
    if (program != program_)
        rebuild();
    else
        show_folds();
}

QStandardItem* OutlinePanel::item(NodeId node) const {
    const auto it = items_.find(node);
    return it == items_.end() ? nullptr : it->second;
}

bool OutlinePanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave) document_.set_hover({});
    return QWidget::eventFilter(watched, event);
}

void OutlinePanel::rebuild() {
    quiet_ = true;
    program_ = document_.empty() ? nullptr : document_.content().program();
    items_.clear();
    open_levels_.clear();
    filling_.stop();
    const bool large = program_ && node_count(*program_) > kQuickNodes;
    old_rows_ = large && model_.rowCount() > 0;
    if (!old_rows_) clear_rows();
    if (program_) open_levels_.push_back({program_->graph, model_.invisibleRootItem(), 0});
    if (large)
        filling_.start(0);
    else
        fill();
    quiet_ = false;
    if (large) return;
    show_folds();
    show_arrays();
    follow_selection();
}

void OutlinePanel::clear_rows() {
    model_.clear();
    model_.setHorizontalHeaderLabels({tr("Operator"), tr("Result"), tr("Array")});
    tree_->header()->moveSection(tree_->header()->visualIndex(kArray), 1);
    tree_->header()->setSectionResizeMode(kArray, QHeaderView::ResizeToContents);
    tree_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    tree_->header()->setStretchLastSection(true);
    tree_->header()->setResizeContentsPrecision(0);  // as wide as the rows that are seen
    old_rows_ = false;
}

// The next nodes. All of a large program at once, or its rows' end, would hold up the window.
void OutlinePanel::fill() {
    if (old_rows_) {
        const QScopedValueRollback quiet(quiet_, true);
        clear_rows();
        open_levels_.front().parent = model_.invisibleRootItem();
        return;
    }
    const bool later = filling_.isActive();
    QElapsedTimer clock;
    clock.start();
    quiet_ = true;
    while (!open_levels_.empty() && (!later || clock.elapsed() < kFillTime)) add_next();
    quiet_ = false;
    if (!open_levels_.empty()) return;
    filling_.stop();
    open_maps();
    if (!later) return;
    show_folds();
    show_arrays();
    follow_selection();
}

void OutlinePanel::add_next() {
    OpenLevel& level = open_levels_.back();
    if (level.next == level.graph->nodes().size()) return open_levels_.pop_back();
    const NodePtr node = level.graph->nodes()[level.next++];
    add_node(*node, level.parent);
}

void OutlinePanel::open_maps() {
    quiet_ = true;
    if (items_.size() <= kMostOpen) {
        const std::set<NodeId> closed = closed_;
        tree_->expandAll();
        closed_ = closed;
        for (const NodeId node : closed)
            if (const QStandardItem* map = item(node)) tree_->collapse(map->index());
    }
    quiet_ = false;
}

void OutlinePanel::add_node(const Node& node, QStandardItem* parent) {
    const DimTable& dims = program_->dims;
    const bool inner = parent != model_.invisibleRootItem();
    if (inner && (node.is<Input>() || node.is<Output>())) return;
    auto* first = new QStandardItem(translated(label_text(node, dims)));
    first->setData(node.id.value, kNode);
    QStringList types;
    for (const Type& type : node.outputs) types << QString::fromStdString(to_string(type, dims));
    auto* second = new QStandardItem(types.join(QStringLiteral("; ")));
    first->setToolTip(QString::fromStdString(to_string(node.id)) + QLatin1Char(' ') + first->text());
    second->setToolTip(second->text());
    items_[node.id] = first;
    const Map* map = node.as<Map>();
    if (map) {
        first->setCheckable(true);
        first->setCheckState(Qt::Checked);
        QFont bold = first->font();
        bold.setBold(true);
        first->setFont(bold);
    }
    parent->appendRow({first, second, new QStandardItem});
    if (map) open_levels_.push_back({map->body, first, 0});
}

// Which arrays of the program operators are, or take part in, once that is known.
void OutlinePanel::show_arrays() {
    const StateTold* told = Telling::of(document_).current();
    if (!told || !told->names || &told->names->program() != program_.get() || old_rows_) return;
    quiet_ = true;
    for (const auto& [node, item] : items_) {
        const QStandardItem* around = item->parent();
        QStandardItem* cell = around ? around->child(item->row(), kArray) : model_.item(item->row(), kArray);
        if (!cell) continue;
        const std::string made = told->names->value({node});
        cell->setText(made.empty() ? translated(told->names->arrays(node)) : QString::fromStdString(made));
        cell->setToolTip(cell->text());
    }
    quiet_ = false;
}

void OutlinePanel::show_folds() {
    if (document_.empty()) return;
    quiet_ = true;
    for (const auto& [node, item] : items_) {
        if (!item->isCheckable()) continue;
        const bool folded = document_.content().folds.count(node) > 0;
        item->setCheckState(folded ? Qt::Unchecked : Qt::Checked);
    }
    quiet_ = false;
}

void OutlinePanel::toggled(QStandardItem* item) {
    if (quiet_ || old_rows_ || !item->isCheckable()) return;
    const NodeId node{item->data(kNode).toUInt()};
    const bool folded = document_.content().folds.count(node) > 0;
    if (folded == (item->checkState() == Qt::Checked)) document_.toggle_fold(node);
}

void OutlinePanel::follow_selection() {
    if (!isVisible()) return;
    quiet_ = true;
    QItemSelection selection;
    QModelIndex first;
    for (const NodeId node : document_.selection().nodes) {
        const QStandardItem* found = item(node);
        if (!found) continue;
        const QModelIndex index = found->index();
        selection.select(index, index);
        if (!first.isValid()) first = index;
    }
    QItemSelectionModel* model = tree_->selectionModel();
    if (first.isValid() && !selection.contains(model->currentIndex().siblingAtColumn(0))) {
        model->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        tree_->scrollTo(first);
    }
    model->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    quiet_ = false;
}

void OutlinePanel::take_selection() {
    if (quiet_ || old_rows_) return;
    Spot spot;
    for (const QModelIndex& index : tree_->selectionModel()->selectedRows())
        spot.nodes.insert(node_of(index));
    document_.select(spot);
}

}  // namespace blockscope
