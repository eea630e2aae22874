#include "app/window/tab_order.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "app/charts/chart.h"
#include "app/circuit/circuit_view.h"
#include "app/plan/plan_page.h"
#include "app/scene/canvas.h"
#include "app/shell/step_look.h"
#include "app/window/panel_strip.h"

namespace blockscope {

namespace {

constexpr int kTouch = 2;  // pixels by which neighbours may overlap

class ReadingOrder {
public:
    explicit ReadingOrder(const std::vector<QRect>& places) : places_(places), order_(places.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        read(order_.begin(), order_.end());
    }
    std::vector<std::size_t> take() { return std::move(order_); }

private:
    using At = std::vector<std::size_t>::iterator;

    void sort(At begin, At end, bool down) {
        std::stable_sort(begin, end, [&](std::size_t a, std::size_t b) {
            const QPoint first = places_[a].topLeft(), second = places_[b].topLeft();
            return down ? std::pair(first.y(), first.x()) < std::pair(second.y(), second.x())
                        : std::pair(first.x(), first.y()) < std::pair(second.x(), second.y());
        });
    }

    // Where lines across the sorted places part them.
    std::vector<At> cuts(At begin, At end, bool down) const {
        std::vector<At> found;
        const auto from = [&](At at) { return down ? places_[*at].top() : places_[*at].left(); };
        const auto to = [&](At at) { return 1 + (down ? places_[*at].bottom() : places_[*at].right()); };
        int reach = to(begin);
        for (At at = begin + 1; at != end; ++at) {
            if (from(at) + kTouch >= reach) found.push_back(at);
            reach = std::max(reach, to(at));
        }
        return found;
    }

    void read(At begin, At end) {
        if (end - begin < 2) return;
        for (const bool down : {true, false}) {
            sort(begin, end, down);
            std::vector<At> parts = cuts(begin, end, down);
            if (parts.empty()) continue;
            parts.push_back(end);
            for (const At part : parts) read(std::exchange(begin, part), part);
            return;
        }
        sort(begin, end, true);
    }

    const std::vector<QRect>& places_;
    std::vector<std::size_t> order_;
};

// The part of the window that it belongs to: a child of the window.
QWidget* part_of(const QMainWindow& window, QWidget* widget) {
    while (widget->parentWidget() != &window) widget = widget->parentWidget();
    return widget;
}

TabArea side_of(const QMainWindow& window, const QRect& place) {
    return place.center().x() < window.width() / 2 ? TabArea::Left : TabArea::Right;
}

// One over the picture is in no area of the window's.
TabArea area_of(const QMainWindow& window, QDockWidget& dock) {
    switch (window.dockWidgetArea(&dock)) {
        case Qt::LeftDockWidgetArea:
            return TabArea::Left;
        case Qt::RightDockWidgetArea:
            return TabArea::Right;
        case Qt::BottomDockWidgetArea:
            return TabArea::Bottom;
        case Qt::TopDockWidgetArea:
            return TabArea::Toolbar;
        default:
            return side_of(window, dock.geometry());
    }
}

// The dock whose name the tabs above it show.
QDockWidget* dock_below(const QMainWindow& window, const QTabBar& tabs) {
    const QRect bar = tabs.geometry();
    for (QObject* child : window.children()) {
        auto* dock = qobject_cast<QDockWidget*>(child);
        if (dock == nullptr) continue;
        const QRect place = dock->geometry();
        if (dock->isVisible() && place.left() <= bar.center().x() && bar.center().x() <= place.right() &&
            std::abs(place.top() - bar.bottom()) < bar.height())
            return dock;
    }
    return nullptr;
}

const PanelStrip* strip_around(const QWidget* widget) {
    while (widget != nullptr) {
        if (const auto* strip = qobject_cast<const PanelStrip*>(widget)) return strip;
        widget = widget->parentWidget();
    }
    return nullptr;
}

QRect place_in(const QWidget& window, const QWidget& widget) {
    return {widget.mapTo(&window, QPoint(0, 0)), widget.size()};
}

// Qt keeps tabs of panels that are not needed now out of the window, and says that they are visible.
bool is_put_away(const QMainWindow& window, const QWidget& widget) {
    return widget.parentWidget() == &window && !widget.geometry().intersects(window.rect());
}

TabStop stop_of(const QMainWindow& window, QWidget* widget) {
    TabStop stop{
        .widget = widget, .area = TabArea::Centre, .panel = nullptr, .place = place_in(window, *widget)};
    QWidget* part = part_of(window, widget);
    stop.panel = part;
    QDockWidget* dock = qobject_cast<QDockWidget*>(part);
    if (const auto* tabs = qobject_cast<QTabBar*>(part)) dock = dock_below(window, *tabs);
    if (dock != nullptr) {
        stop.panel = dock;
        stop.area = area_of(window, *dock);
    } else if (const PanelStrip* strip = strip_around(widget)) {
        stop.panel = strip;
        stop.area = side_of(window, place_in(window, *strip));
    } else if (qobject_cast<QStatusBar*>(part) != nullptr) {
        stop.area = TabArea::Status;
    } else if (qobject_cast<QToolBar*>(part) != nullptr) {
        stop.area = TabArea::Toolbar;
    }
    return stop;
}

// The arrows at the end of tabs only do what the arrow keys do on the tabs.
bool takes_tab(const QWidget& widget) {
    if (qobject_cast<const QTabBar*>(widget.parentWidget()) != nullptr) return false;
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.focusProxy() == nullptr &&
           widget.isVisible() && widget.isEnabled() && !widget.size().isEmpty();
}

// Read from the right in languages that are written so.
QRect as_read(const QWidget& within, const QRect& place) {
    if (within.layoutDirection() != Qt::RightToLeft) return place;
    return {within.width() - place.right() - 1, place.top(), place.width(), place.height()};
}

std::vector<TabStop> in_order(const QWidget& window, const std::vector<TabStop>& stops) {
    std::vector<QRect> places;
    for (const TabStop& stop : stops) places.push_back(as_read(window, stop.place));
    std::vector<TabStop> sorted;
    for (const std::size_t index : reading_order(places)) sorted.push_back(stops[index]);
    return sorted;
}

// Panel by panel. The areas of panels are not mirrored in languages from right to left.
std::vector<TabStop> panels_in_order(const QWidget& window, const std::vector<TabStop>& stops) {
    std::vector<std::vector<TabStop>> panels;
    std::vector<QRect> places;
    for (const TabStop& stop : stops) {
        const auto same = std::find_if(panels.begin(), panels.end(),
                                       [&](const auto& panel) { return panel.front().panel == stop.panel; });
        if (same != panels.end()) {
            same->push_back(stop);
            continue;
        }
        panels.push_back({stop});
        places.push_back(place_in(window, *stop.panel));
    }
    std::vector<TabStop> sorted;
    for (const std::size_t index : reading_order(places))
        for (const TabStop& stop : in_order(window, panels[index])) sorted.push_back(stop);
    return sorted;
}

// The stops in a part, and `here`. Qt asks while widgets are deleted, too: then there are gaps between them.
void collect(const QObject& part, const QWidget* here, std::vector<QWidget*>& found) {
    for (QObject* child : part.children()) {
        auto* widget = qobject_cast<QWidget*>(child);
        if (widget == nullptr || widget->isWindow()) continue;
        const bool leads_here = here != nullptr && (widget == here || widget->isAncestorOf(here));
        if (!leads_here && !widget->isVisible()) continue;
        if (widget == here || takes_tab(*widget)) found.push_back(widget);
        collect(*widget, here, found);
    }
}

std::vector<TabStop> stops_from(const QMainWindow& window, const QWidget* here) {
    std::map<TabArea, std::vector<TabStop>> areas;
    std::vector<QWidget*> found;
    collect(window, here, found);
    for (QWidget* widget : found) {
        if (is_put_away(window, *widget)) continue;
        const TabStop stop = stop_of(window, widget);
        areas[stop.area].push_back(stop);
    }
    std::vector<TabStop> all;
    for (const auto& [area, stops] : areas)
        for (const TabStop& stop : panels_in_order(window, stops)) all.push_back(stop);
    return all;
}

void scroll_to(QWidget& stop) {
    for (QWidget* above = stop.parentWidget(); above != nullptr; above = above->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(above)) area->ensureWidgetVisible(&stop);
}

}  // namespace

std::vector<std::size_t> reading_order(const std::vector<QRect>& places) {
    return ReadingOrder(places).take();
}

std::vector<TabStop> tab_stops(const QMainWindow& window) {
    return stops_from(window, nullptr);
}

QWidget* go_to_next_stop(QMainWindow& window, bool next) {
    const QWidget* here = QApplication::focusWidget();
    if (here == nullptr || !window.isAncestorOf(here)) here = window.focusWidget();
    const std::vector<TabStop> stops = stops_from(window, here);  // even if it is no stop itself
    if (stops.empty()) return nullptr;
    const auto at =
        std::find_if(stops.begin(), stops.end(), [here](const TabStop& stop) { return stop.widget == here; });
    const std::size_t count = stops.size();
    const bool known = at != stops.end();
    const std::size_t from = known ? static_cast<std::size_t>(at - stops.begin()) : next ? count - 1 : 0;
    QWidget* to = stops[(from + (next ? 1 : count - 1)) % count].widget;
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    scroll_to(*to);
    return to;
}

// In these letters and Home would change a value where they step elsewhere.
namespace {

bool edits_value(const QWidget& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
}

}  // namespace

void give_keys(QWidget& panel) {
    panel.setFocus();
    const QWidget* taker = &panel;
    while (taker->focusProxy() != nullptr) taker = taker->focusProxy();
    if (taker->focusPolicy() != Qt::NoFocus) return;
    std::vector<TabStop> stops;
    std::vector<QWidget*> found;
    collect(panel, nullptr, found);
    for (QWidget* widget : found)
        stops.push_back({.widget = widget, .area = {}, .panel = &panel, .place = place_in(panel, *widget)});
    if (stops.empty()) return;
    stops = in_order(panel, stops);
    const auto harmless = std::find_if(stops.begin(), stops.end(),
                                       [](const TabStop& stop) { return !edits_value(*stop.widget); });
    (harmless == stops.end() ? stops.begin() : harmless)->widget->setFocus();
}

// ---- The ring around the stop.

namespace {

// Of a kind that does not draw its own; a new kind of view that takes keys belongs here or draws one.
bool draws_no_ring(const QWidget& stop) {
    return qobject_cast<const Canvas*>(&stop) != nullptr ||
           qobject_cast<const ChartView*>(&stop) != nullptr ||
           qobject_cast<const CircuitView*>(&stop) != nullptr ||
           qobject_cast<const PlanPage*>(&stop) != nullptr || qobject_cast<const QLabel*>(&stop) != nullptr;
}

}  // namespace

FocusRing::FocusRing(QWidget& window) : QWidget(&window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void FocusRing::show_at(QWidget& stop) {
    leave();
    if (!draws_no_ring(stop)) return;
    stop_ = &stop;
    // What moves one of its parents, as scrolling does, moves it, too.
    for (QWidget* part = &stop; part != nullptr && part != window(); part = part->parentWidget())
        part->installEventFilter(this);
    place();
    raise();
    show();
}

void FocusRing::leave() {
    for (QWidget* part = stop_; part != nullptr && part != window(); part = part->parentWidget())
        part->removeEventFilter(this);
    stop_ = nullptr;
    hide();
}

// The part of it that is seen.
void FocusRing::place() {
    const QRect seen = stop_->visibleRegion().boundingRect();
    setGeometry(QRect(stop_->mapTo(window(), seen.topLeft()), seen.size()));
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (watched == stop_ && (type == QEvent::FocusOut || type == QEvent::Hide)) leave();
    if (stop_ != nullptr && (type == QEvent::Resize || type == QEvent::Move)) place();
    return false;
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint_focus_ring(painter, rect(), colors_of(*this).accent);
}

}  // namespace blockscope
