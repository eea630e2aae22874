#include "app/window/dock_sizes.h"

#include <QMouseEvent>
#include <algorithm>
#include <utility>

namespace blockscope {
namespace {

bool is_at_side(Qt::DockWidgetArea area) {
    return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
}

int extent(const QSize& size, Qt::Orientation across) {
    return across == Qt::Horizontal ? size.width() : size.height();
}

}  // namespace

DockSizes::DockSizes(QMainWindow& window) : QObject(&window), window_(window) {
    looking_.setSingleShot(true);
    looking_.setInterval(0);
    connect(&looking_, &QTimer::timeout, this, [this] {
        note(false);
        restore(Qt::Horizontal);
        restore(Qt::Vertical);
    });
    window.installEventFilter(this);
}

Qt::Orientation DockSizes::across(QDockWidget* dock) const {
    return is_at_side(window_.dockWidgetArea(dock)) ? Qt::Horizontal : Qt::Vertical;
}

void DockSizes::learn() {
    wanted_.clear();
    look();
}

bool DockSizes::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) look();
    if (event->type() == QEvent::MouseButtonPress)
        dragging_ = window_.isSeparator(static_cast<QMouseEvent*>(event)->position().toPoint());
    if (event->type() == QEvent::MouseButtonRelease && std::exchange(dragging_, false))
        QTimer::singleShot(0, this, [this] { note(true); });
    return QObject::eventFilter(watched, event);
}

// Of the panels that are seen: not those behind another's tab, which Qt moves out of the window.
std::vector<DockSizes::Line> DockSizes::lines(Qt::Orientation across) const {
    std::map<std::pair<int, int>, Line> found;
    for (QDockWidget* dock : window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!dock->isVisible() || dock->isFloating() || !dock->geometry().intersects(window_.rect()))
            continue;
        if (this->across(dock) != across) continue;
        found[{window_.dockWidgetArea(dock), across == Qt::Horizontal ? dock->x() : dock->y()}].push_back(
            dock);
    }
    std::vector<Line> lines;
    for (auto& [place, line] : found) lines.push_back(std::move(line));
    return lines;
}

// Sizes of now are those that are wanted: all of them, or where none was known at this edge of the window.
void DockSizes::note(bool all) {
    for (const Qt::Orientation across : {Qt::Horizontal, Qt::Vertical})
        for (const Line& line : lines(across))
            for (QDockWidget* dock : line) {
                QList<QDockWidget*> same = window_.tabifiedDockWidgets(dock);
                same.prepend(dock);
                for (const QDockWidget* each : std::as_const(same)) {
                    const auto known = wanted_.find(each);
                    if (all || known == wanted_.end() || known->second.across != across)
                        wanted_[each] = {extent(dock->size(), across), across};
                }
            }
}

void DockSizes::restore(Qt::Orientation across) {
    const QWidget* centre = window_.centralWidget();
    const QSize least = centre->minimumSizeHint().expandedTo(centre->minimumSize());
    int spare = extent(centre->size(), across) - extent(least, across);
    QList<QDockWidget*> docks;
    QList<int> sizes;
    for (const Line& line : lines(across)) {
        const int now = extent(line.front()->size(), across);
        int wanted = 0;
        for (const QDockWidget* dock : line) wanted = std::max(wanted, wanted_.at(dock).size);
        spare -= wanted - now;
        if (wanted == now) continue;
        docks << line.front();
        sizes << wanted;
    }
    if (spare >= 0 && !docks.isEmpty()) window_.resizeDocks(docks, sizes, across);
}

}  // namespace blockscope
