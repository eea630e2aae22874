#include "app/panels/flow_layout.h"

#include <QEvent>
#include <algorithm>

namespace blockscope {

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {}

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

// Hidden items stand nowhere. Items wider than a line have one to themselves.
std::vector<FlowLayout::Line> FlowLayout::lines(int width) const {
    std::vector<Line> all;
    for (const auto& item : items_) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint();
        if (all.empty() || all.back().width + spacing() + size.width() > width) all.emplace_back();
        Line& line = all.back();
        line.width += size.width() + (line.items.empty() ? 0 : spacing());
        line.height = std::max(line.height, size.height());
        line.items.push_back(item.get());
    }
    return all;
}

void FlowLayout::place(const Line& line, const QRect& area) const {
    const auto expanding = std::find_if(line.items.rbegin(), line.items.rend(), [](const QLayoutItem* item) {
        return item->expandingDirections().testFlag(Qt::Horizontal);
    });
    const int left_over = std::max(0, area.width() - line.width);
    const bool mirrored = parentWidget() && parentWidget()->isRightToLeft();
    int x = 0;
    for (QLayoutItem* item : line.items) {
        const bool grows = expanding != line.items.rend() && *expanding == item;
        const int wanted = item->sizeHint().width() + (grows ? left_over : 0);
        const int width = std::min(wanted, area.width());
        const int left = mirrored ? area.right() + 1 - x - width : area.left() + x;
        item->setGeometry({left, area.top(), width, line.height});
        x += width + spacing();
    }
}

int FlowLayout::heightForWidth(int width) const {
    const QMargins around = contentsMargins();
    const std::vector<Line> all = lines(width - around.left() - around.right());
    int height = around.top() + around.bottom() + std::max(0, static_cast<int>(all.size()) - 1) * spacing();
    for (const Line& line : all) height += line.height;
    return height;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    QRect area = rect.marginsRemoved(contentsMargins());
    for (const Line& line : lines(area.width())) {
        place(line, area);
        area.setTop(area.top() + line.height + spacing());
    }
}

QSize FlowLayout::sizeHint() const {
    const QMargins around = contentsMargins();
    const std::vector<Line> all = lines(QLAYOUTSIZE_MAX);
    const QSize inside = all.empty() ? QSize(0, 0) : QSize(all.front().width, all.front().height);
    return inside.grownBy(around);
}

QSize FlowLayout::minimumSize() const {
    QSize widest(0, 0);
    for (const auto& item : items_)
        if (!item->isEmpty()) widest = widest.expandedTo(item->minimumSize());
    return widest.grownBy(contentsMargins());
}

bool FlowBar::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    const bool other = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (other && layout()) setMinimumHeight(layout()->heightForWidth(width()));
    return handled;
}

}  // namespace blockscope
