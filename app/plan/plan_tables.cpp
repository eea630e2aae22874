#include "app/plan/plan_tables.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QStyledItemDelegate>
#include <algorithm>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/plan/plan_pictures.h"
#include "app/plan/plan_words.h"

namespace blockscope {

namespace {

constexpr int kNumberRole = Qt::UserRole;     // what a column is sorted by; of Time also the share of the bar
constexpr int kIndexRole = Qt::UserRole + 1;  // of column 0: of the way
constexpr int kBar = 4;                       // pixels high
constexpr int kAir = 4;                       // around the text of a cell
constexpr int kLeastOperators = 30;           // letters wide
constexpr int kMostRows = 12;                 // of kernels that are seen without scrolling

// Rows are sorted by numbers; those without are last, however it is sorted.
class NumberItem : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;
    bool operator<(const QTreeWidgetItem& other) const override {
        const int column = treeWidget()->sortColumn();
        if (column <= 0) return data(0, kIndexRole).toInt() < other.data(0, kIndexRole).toInt();
        const QVariant mine = data(column, kNumberRole), its = other.data(column, kNumberRole);
        const bool falling = treeWidget()->header()->sortIndicatorOrder() == Qt::DescendingOrder;
        if (!mine.isValid() || !its.isValid())
            return mine.isValid() != falling && mine.isValid() != its.isValid();
        return mine.toDouble() < its.toDouble();
    }
};

void set_number(QTreeWidgetItem& item, int column, double number, const QString& text) {
    item.setText(column, text);
    item.setData(column, kNumberRole, number);
    item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

QString in_bytes(double bytes) {
    return with_unit(bytes, QStringLiteral("B"));
}

void set_up(QTreeWidget& table, const QStringList& titles, const QString& name) {
    table.setHeaderLabels(titles);
    table.setAccessibleName(name);
    table.setRootIsDecorated(false);
    table.setAllColumnsShowFocus(true);
    table.setTabKeyNavigation(false);
    table.header()->setSectionsMovable(false);
    table.header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.header()->setStretchLastSection(false);
    table.header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
}

// As high as its rows, `most` at least of many, and the bar below them where they are too wide.
void fit_height(QTreeWidget& table, int most) {
    int height = table.header()->sizeHint().height() + 2 * table.frameWidth() + 2;
    for (int i = 0; i < std::min(most, table.topLevelItemCount()); ++i)
        height += table.visualItemRect(table.topLevelItem(i)).height();
    if (table.header()->length() > table.viewport()->width())
        height += table.horizontalScrollBar()->sizeHint().height();
    table.setFixedHeight(height);
}

}  // namespace

// ---- Ways.

WaysTable::WaysTable(QWidget* parent) : QTreeWidget(parent) {
    set_up(*this,
           {tr("Way"), tr("Time"), tr("\u00d7 exact"), tr("Traffic"), tr("Kernels"), tr("Launches"),
            tr("Local")},
           tr("Ways of deciding"));
    headerItem()->setToolTip(Times, tr("The time as a multiple of the exact plan's"));
    headerItem()->setToolTip(Traffic, tr("Bytes between global and local memory, of all kernels"));
    headerItem()->setToolTip(Launches, tr("Of all kernels together: a kernel's state may have several"));
    headerItem()->setToolTip(Local, tr("Local memory: the most that a task of one of the kernels keeps"));
    setUniformRowHeights(true);
    setSortingEnabled(true);
    header()->setSortIndicatorClearable(true);
    connect(this, &QTreeWidget::currentItemChanged, this, [this] {
        if (chosen_way() >= 0) Q_EMIT way_chosen(chosen_way());
    });
}

void WaysTable::show_plans(const FoundPlans& plans) {
    const QSignalBlocker quiet(this);
    clear();
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    const double exact = plans.ways.front().plan.value;
    for (std::size_t i = 0; i < plans.ways.size(); ++i) {
        const PlannedWay& way = plans.ways[i];
        auto* item = new NumberItem(this);
        item->setText(Way, way_title(way.name));
        item->setData(Way, kIndexRole, static_cast<int>(i));
        if (way.none()) {
            item->setText(Way, QStringLiteral("%1: %2").arg(way_title(way.name), no_plan_text(plans, way)));
            item->setToolTip(Way, item->text(Way));
            item->setFirstColumnSpanned(true);
            continue;
        }
        set_number(*item, Time, way.plan.value, time_text(way.plan.value));
        set_number(*item, Times, way.plan.value / exact, multiple_text(way.plan.value / exact));
        set_number(*item, Traffic, way.bytes(), in_bytes(way.bytes()));
        const auto kernels = static_cast<double>(way.kernels.size());
        set_number(*item, Kernels, kernels, QString::number(way.kernels.size()));
        set_number(*item, Launches, way.launches(), QString::number(way.launches()));
        item->setToolTip(Launches, launches_text(way));
        set_number(*item, Local, way.local_bytes(), in_bytes(way.local_bytes()));
    }
    setCurrentItem(topLevelItem(0));
    fit();
}

// All ways are seen at once.
void WaysTable::fit() {
    fit_height(*this, topLevelItemCount());
}

void WaysTable::resizeEvent(QResizeEvent* event) {
    QTreeWidget::resizeEvent(event);
    fit();
}

int WaysTable::chosen_way() const {
    return currentItem() ? currentItem()->data(Way, kIndexRole).toInt() : -1;
}

void WaysTable::choose(std::size_t way) {
    for (int i = 0; i < topLevelItemCount(); ++i)
        if (topLevelItem(i)->data(Way, kIndexRole).toInt() == static_cast<int>(way))
            setCurrentItem(topLevelItem(i));
}

// ---- Kernels.

namespace {

// Under a time a bar as long as its share; operators in as many lines as they need.
class KernelDelegate : public QStyledItemDelegate {
public:
    KernelDelegate(const Appearance& appearance, KernelsTable* table)
        : QStyledItemDelegate(table), appearance_(appearance), table_(*table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        if (index.column() != KernelsTable::Time) return;
        const double share = index.data(kNumberRole).toDouble();
        const QRectF room = QRectF(option.rect).adjusted(kAir, 0, -kAir, 0);
        const double width = std::max(1.0, room.width() * share);
        QColor color = appearance_.colors().accent;
        color.setAlphaF(0.65F);
        painter->fillRect(QRectF(room.right() - width, option.rect.bottom() - kBar, width, kBar - 1), color);
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.rheight() += kBar;
        if (index.column() != KernelsTable::Operators) return size;
        // As the style leaves it to a text, on both sides.
        const int frame = table_.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &option, &table_) + 1;
        const int room = table_.columnWidth(KernelsTable::Operators) - 2 * (kAir + frame);
        const QRect text = option.fontMetrics.boundingRect(QRect(0, 0, room, 10'000), Qt::TextWordWrap,
                                                           index.data().toString());
        return {table_.least_operators(), std::max(size.height(), text.height() + 2 * kAir)};
    }

private:
    const Appearance& appearance_;
    const KernelsTable& table_;
};

}  // namespace

KernelsTable::KernelsTable(Appearance& appearance, QWidget* parent)
    : QTreeWidget(parent), appearance_(appearance) {
    set_up(*this,
           {tr("Kernel"), tr("Time"), tr("Launches"), tr("Traffic"), tr("Local"), tr("State"),
            tr("Block sizes"), tr("Binds"), tr("Operators")},
           tr("Kernels in the order in which they run"));
    headerItem()->setToolTip(Kernel, tr("Ticked kernels can be kept while the rest is solved"));
    headerItem()->setToolTip(Time, tr("The bar is the kernel's share of the plan's time"));
    headerItem()->setToolTip(Launches, tr("As many as its state has loops at the top"));
    headerItem()->setToolTip(Local, tr("Local memory that a task keeps at most"));
    headerItem()->setToolTip(State, tr("The state of the kernel's own run"));
    headerItem()->setToolTip(Binds, tr("The term of the model that is largest"));
    headerItem()->setToolTip(
        Operators, tr("In brackets the kind of fusion that the kernel is, and how much traffic that "
                      "saves by the taxonomy's arithmetic, which reads and writes whole arrays"));
    header()->setSectionResizeMode(Operators, QHeaderView::Interactive);
    header()->moveSection(Operators, Launches);  // what a kernel is stands before what it moves
    // How it is built and what binds it, too: in a narrow page they would be out of sight.
    for (const int column : {Blocks, Binds})
        header()->moveSection(header()->visualIndex(column), header()->visualIndex(Operators) + 1);
    setItemDelegate(new KernelDelegate(appearance, this));
    setWordWrap(true);
    setUniformRowHeights(false);
}

void KernelsTable::show_kernels(const FoundPlans& plans, const PlannedWay& way,
                                const std::vector<plan::FusionGroup>& kept) {
    const int before = chosen_kernel();
    clear();
    const int icon = fontMetrics().height();
    for (std::size_t i = 0; i < way.kernels.size(); ++i) {
        const PlannedGroup& kernel = way.kernels[i];
        const double share = kernel.cost.seconds / way.plan.value;
        auto* item = new QTreeWidgetItem(this);
        item->setIcon(Kernel, kernel_swatch(appearance_.theme(), i, icon));
        item->setText(Kernel, kernel_letter(i));
        const bool is_kept = std::find(kept.begin(), kept.end(), kernel.nodes) != kept.end();
        item->setCheckState(Kernel, is_kept ? Qt::Checked : Qt::Unchecked);
        set_number(*item, Time, share, time_text(kernel.cost.seconds));
        item->setToolTip(Time, tr("%1 of the plan's time").arg(share_text(share)));
        set_number(*item, Launches, kernel.cost.launches, QString::number(kernel.cost.launches));
        set_number(*item, Traffic, kernel.cost.bytes, in_bytes(kernel.cost.bytes));
        set_number(*item, Local, kernel.cost.local_bytes, in_bytes(kernel.cost.local_bytes));
        item->setText(State, state_text(kernel.cost));
        item->setText(Blocks, blocks_text(kernel.program));
        item->setText(Binds, binding_text(kernel.cost));
        QString text = operators_text(plans, kernel.nodes);
        if (const QString fusion = fusion_text(plans, kernel.nodes); !fusion.isEmpty())
            text += QStringLiteral("\n(%1)").arg(fusion);
        item->setText(Operators, text);
    }
    if (topLevelItemCount() > 0) setCurrentItem(topLevelItem(std::clamp(before, 0, topLevelItemCount() - 1)));
    fit();
}

std::vector<std::size_t> KernelsTable::ticked() const {
    std::vector<std::size_t> kernels;
    for (int i = 0; i < topLevelItemCount(); ++i)
        if (topLevelItem(i)->checkState(Kernel) == Qt::Checked)
            kernels.push_back(static_cast<std::size_t>(i));
    return kernels;
}

void KernelsTable::tick(std::size_t kernel, bool ticked) {
    topLevelItem(static_cast<int>(kernel))->setCheckState(Kernel, ticked ? Qt::Checked : Qt::Unchecked);
}

int KernelsTable::chosen_kernel() const {
    return currentItem() ? indexOfTopLevelItem(currentItem()) : -1;
}

void KernelsTable::choose(std::size_t kernel) {
    if (static_cast<int>(kernel) < topLevelItemCount())
        setCurrentItem(topLevelItem(static_cast<int>(kernel)));
}

void KernelsTable::resizeEvent(QResizeEvent* event) {
    QTreeWidget::resizeEvent(event);
    fit();
}

int KernelsTable::least_operators() const {
    return kLeastOperators * fontMetrics().averageCharWidth();
}

// The operators have what is left, and all kernels of a usual program are seen at once. The height changes
// within, which comes back here once, with the same width.
void KernelsTable::fit() {
    int others = 0;
    for (int column = 0; column < Operators; ++column) others += columnWidth(column);
    const int room = std::max(least_operators(), viewport()->width() - others);
    if (room != columnWidth(Operators)) setColumnWidth(Operators, room);
    doItemsLayout();
    fit_height(*this, kMostRows);
}

}  // namespace blockscope
