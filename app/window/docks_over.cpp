// Side panels over the picture, in windows that are too small for both.
#include <QApplication>
#include <QKeyEvent>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "app/shell/actions.h"
#include "app/window/docks.h"
#include "app/window/tab_order.h"

namespace blockscope {

namespace {

constexpr const char* kOver = "over_picture";  // at which side a panel lies over the picture
constexpr const char* kWasOver = "was_over_picture";
constexpr const char* kOpenBeside = "open_beside_picture";
constexpr const char* kWidthBeside = "least_width_beside";
constexpr const char* kFeaturesBeside = "features_beside";
constexpr int kOverLeft = 1, kOverRight = 2, kOverFromBelow = 3;  // the last lies at the right
constexpr int kLeastOver = 200;                                   // pixels wide

// Those below the picture are read at its right: there the picture keeps its height. Only the timeline is low
// enough to stay.
bool goes_over(const PanelInfo& panel) {
    const bool side = panel.area == PanelArea::Left || panel.area == PanelArea::Right;
    return side || (panel.area == PanelArea::Bottom && std::string_view(panel.id) != "panel.timeline");
}

// The edge it goes to; none for a side panel that the user has put below.
int edge_for(const PanelInfo& panel, Qt::DockWidgetArea now) {
    if (now == Qt::LeftDockWidgetArea) return kOverLeft;
    if (now == Qt::RightDockWidgetArea) return kOverRight;
    return panel.area == PanelArea::Bottom && now == Qt::BottomDockWidgetArea ? kOverFromBelow : 0;
}

}  // namespace

void Docks::set_overlaid(bool on) {
    overlay_wanted_ = on;
    if (!on) return lay_beside(true);
    if (shown_ && !calm_) lay_over();
}

// Taken out of the window's layout a dock is a child like any other: where it lies is for us to say.
void Docks::lay_over() {
    if (overlaid_ || pages_ == nullptr || floats()) return;
    beside_state_ = window_.saveState(version());
    std::map<PanelStrip*, std::vector<QAction*>> names;
    for (const PanelInfo& panel : panel_table()) {
        if (!goes_over(panel)) continue;
        QDockWidget* dock = docks_.at(panel.id);
        const int edge = edge_for(panel, window_.dockWidgetArea(dock));
        if (edge == 0) continue;
        PanelStrip* strip = edge == kOverLeft ? left_strip_ : right_strip_;
        if (!dock->isHidden()) names[strip].push_back(services_.actions.get(panel.id));
        dock->setProperty(kOver, edge);
        dock->setProperty(kOpenBeside, !dock->isHidden());
    }
    for (const auto& [id, dock] : docks_) {
        if (!is_over(*dock)) continue;
        window_.removeDockWidget(dock);
        dock->setProperty(kFeaturesBeside, dock->features().toInt());
        dock->setFeatures(QDockWidget::DockWidgetClosable);
        dock->setAutoFillBackground(true);
        dock->setProperty(kWidthBeside, dock->widget()->minimumWidth());
        dock->widget()->setMinimumWidth(kLeastOver);
    }
    overlaid_ = true;
    for (PanelStrip* strip : {left_strip_, right_strip_}) {
        strip->set_panels(names[strip]);
        strip->setVisible(!names[strip].empty());
    }
    trim_titles();
}

// As they stood before, and what has been done to other panels meanwhile: which are open, and in front.
// `still_open`: panels that lie over the picture stay open; else they are gone with the small window.
void Docks::lay_beside(bool still_open) {
    if (!overlaid_) return;
    overlaid_ = false;
    for (PanelStrip* strip : {left_strip_, right_strip_}) strip->hide();
    for (PanelShade* shade : {left_shade_, right_shade_}) shade->hide();
    std::vector<QDockWidget*> over;  // in the table's order
    for (const PanelInfo& panel : panel_table())
        if (has(panel.id) && is_over(*docks_.at(panel.id))) over.push_back(docks_.at(panel.id));
    for (QDockWidget* dock : over) {
        dock->setProperty(kWasOver, dock->property(kOver));
        dock->setProperty(kOver, QVariant());
        dock->setAutoFillBackground(false);
        dock->widget()->setMinimumWidth(dock->property(kWidthBeside).toInt());
        dock->setFeatures(QDockWidget::DockWidgetFeatures::fromInt(dock->property(kFeaturesBeside).toInt()));
    }
    std::map<QDockWidget*, bool> open, front;  // now
    for (const auto& [id, dock] : docks_) {
        open[dock] = !dock->isHidden();
        front[dock] = !dock->visibleRegion().isEmpty();
    }
    if (floats())
        put_beside(over);
    else
        restore(beside_state_);
    for (const auto& [dock, is_open] : open) {
        const bool was_over = std::find(over.begin(), over.end(), dock) != over.end();
        if (!was_over) dock->setVisible(is_open);
        if (was_over && is_open && still_open) dock->show();
        if (is_open && front.at(dock) && (!was_over || still_open)) dock->raise();
    }
    beside_state_.clear();
    trim_titles();
}

void Docks::put_below(QDockWidget* dock) {
    QDockWidget* timeline = docks_.at("panel.timeline");
    window_.addDockWidget(Qt::BottomDockWidgetArea, dock);
    if (!timeline->isFloating() && window_.dockWidgetArea(timeline) == Qt::BottomDockWidgetArea)
        window_.tabifyDockWidget(timeline, dock);
    dock->setVisible(dock->property(kOpenBeside).toBool());
}

// Without QMainWindow::restoreState(): see show_again().
void Docks::put_beside(const std::vector<QDockWidget*>& docks) {
    std::map<bool, QDockWidget*> first, first_open;  // by whether it is at the left
    QDockWidget* lesson = docks_.at("panel.lesson");
    for (QDockWidget* dock : docks) {
        if (dock->property(kWasOver).toInt() == kOverFromBelow) {
            put_below(dock);
            continue;
        }
        const bool left = dock->property(kWasOver).toInt() == kOverLeft;
        const Qt::DockWidgetArea area = left ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea;
        if (QDockWidget*& head = first[left]; head != nullptr) {
            window_.addDockWidget(area, dock);
            window_.tabifyDockWidget(head, dock);
        } else {
            head = dock;
            if (window_.dockWidgetArea(lesson) == area && !lesson->isFloating())
                window_.splitDockWidget(lesson, dock, Qt::Horizontal);
            else
                window_.addDockWidget(area, dock);
        }
        dock->setVisible(dock->property(kOpenBeside).toBool());
        if (!dock->isHidden() && first_open[left] == nullptr) first_open[left] = dock;
    }
    for (const auto& [left, dock] : first_open)
        if (dock != nullptr) dock->raise();
}

bool Docks::is_over(const QDockWidget& dock) const {
    return dock.property(kOver).isValid();
}

PanelStrip* Docks::strip_of(const QDockWidget& dock) const {
    return dock.property(kOver).toInt() == kOverLeft ? left_strip_ : right_strip_;
}

// Below the tabs of the pages, and at most half as wide as they are.
void Docks::place_over() {
    QRect room(pages_->mapTo(&window_, QPoint(0, 0)), pages_->size());
    if (pages_->tabBar()->isVisible()) room.setTop(room.top() + pages_->tabBar()->height());
    for (const auto& [id, dock] : docks_) {
        if (!is_over(*dock)) continue;
        const bool left = strip_of(*dock) == left_strip_;
        const bool wide = dock->property(kOver).toInt() == kOverFromBelow;
        const int liked = wide ? room.width() : liked_width(left ? PanelArea::Left : PanelArea::Right);
        const int width = std::min(std::max(liked, dock->minimumSizeHint().width()), room.width() / 2);
        dock->setGeometry(left ? room.left() : room.right() + 1 - width, room.top(), width, room.height());
    }
    place_shades();
}

// Beside the panels that are open, above the picture.
void Docks::place_shades() {
    for (PanelShade* shade : {left_shade_, right_shade_}) shade->hide();
    for (const auto& [id, dock] : docks_) {
        if (!overlaid_ || !is_over(*dock) || !dock->isVisible()) continue;
        const QRect panel = dock->geometry();
        const bool left = strip_of(*dock) == left_strip_;
        PanelShade* shade = left ? left_shade_ : right_shade_;
        const int width = PanelShade::kWidth;
        shade->setGeometry(left ? panel.right() + 1 : panel.left() - width, panel.top(), width,
                           panel.height());
        shade->show();
        shade->raise();
    }
}

// Keys that a panel has no use for come to its dock.
bool Docks::filter_over(QObject* watched, QEvent* event) {
    if (watched == pages_) {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Move) place_over();
        return false;
    }
    auto* dock = qobject_cast<QDockWidget*>(watched);
    if (dock == nullptr || !is_over(*dock)) return false;
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        QTimer::singleShot(0, this,
                           &Docks::place_shades);  // Qt knows it as shown, or hidden, after this event
    const bool had_keys = dock->isAncestorOf(QApplication::focusWidget());
    if (event->type() == QEvent::Close && had_keys) QTimer::singleShot(0, this, &Docks::give_keys_to_page);
    const bool press = event->type() == QEvent::KeyPress;
    if (!press && event->type() != QEvent::ShortcutOverride) return false;
    if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
    event->accept();  // Escape is a key of the window's, too
    if (press) close_over(*dock);
    return true;
}

bool Docks::clear_overlay() {
    bool open = false;
    for (const auto& [id, dock] : docks_) {
        if (!overlaid_ || !is_over(*dock) || dock->isHidden()) continue;
        open = true;
        close_over(*dock);
    }
    return open;
}

void Docks::close_over(QDockWidget& dock) {
    const bool had_keys = dock.isAncestorOf(QApplication::focusWidget());
    dock.hide();
    if (had_keys) give_keys_to_page();
}

// The page that a panel lay over gets them back.
void Docks::give_keys_to_page() {
    if (pages_->currentWidget() != nullptr) give_keys(*pages_->currentWidget());
}

}  // namespace blockscope
