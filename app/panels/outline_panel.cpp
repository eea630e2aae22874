#include "app/panels/outline_panel.h"

#include <QEvent>
#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/words/words.h"
#include "core/print/label.h"

namespace blockscope {

namespace {

constexpr int kNode = Qt::UserRole + 1;
constexpr std::size_t kMostOpen = 400;      // larger programs open with their maps closed
constexpr std::size_t kItemsAtOnce = 1000;  // put into the tree without a pause

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
    model_.clear();
    model_.setHorizontalHeaderLabels({tr("Operator"), tr("Result")});
    tree_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    tree_->header()->setStretchLastSection(true);
    tree_->header()->setResizeContentsPrecision(0);  // as wide as the rows that are seen
    filled_ = 0;
    filling_.stop();
    fill();
    quiet_ = false;
    show_folds();
    follow_selection();
}

// The next part of the program's top level, with all that is in it. All of a large program at once would hold
// up the window.
void OutlinePanel::fill() {
    const bool first = filled_ == 0;
    const std::size_t before = items_.size();
    const std::vector<NodePtr>* nodes = program_ ? &program_->graph->nodes() : nullptr;
    quiet_ = true;
    while (nodes && filled_ < nodes->size() && items_.size() < before + kItemsAtOnce)
        add_node(*(*nodes)[filled_++], program_->dims, model_.invisibleRootItem());
    quiet_ = false;
    if (nodes && filled_ < nodes->size()) {
        if (!filling_.isActive()) filling_.start(0);
        return;
    }
    filling_.stop();
    open_maps();
    if (first) return;
    show_folds();
    follow_selection();
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

void OutlinePanel::add_node(const Node& node, const DimTable& dims, QStandardItem* parent) {
    const bool inner = parent != model_.invisibleRootItem();
    if (inner && (node.is<Input>() || node.is<Output>())) return;
    auto* first = new QStandardItem(in_words(label(node, dims)));
    first->setData(node.id.value, kNode);
    QStringList types;
    for (const Type& type : node.outputs) types << QString::fromStdString(to_string(type, dims));
    auto* second = new QStandardItem(types.join(QStringLiteral("; ")));
    first->setToolTip(QString::fromStdString(to_string(node.id)) + QLatin1Char(' ') + first->text());
    second->setToolTip(second->text());
    items_[node.id] = first;
    if (const Map* map = node.as<Map>()) {
        first->setCheckable(true);
        first->setCheckState(Qt::Checked);
        QFont bold = first->font();
        bold.setBold(true);
        first->setFont(bold);
        for (const NodePtr& child : map->body->nodes()) add_node(*child, dims, first);
    }
    parent->appendRow({first, second});  // last: the view hears of it once
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
    if (quiet_ || !item->isCheckable()) return;
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
    if (quiet_) return;
    Spot spot;
    for (const QModelIndex& index : tree_->selectionModel()->selectedRows())
        spot.nodes.insert(node_of(index));
    document_.select(spot);
}

}  // namespace blockscope
