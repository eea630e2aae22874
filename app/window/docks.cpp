#include "app/window/docks.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPointer>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "app/panels/timeline.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/settings.h"
#include "app/window/tab_order.h"

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
        if (window_.dockWidgetArea(dock) == Qt::NoDockWidgetArea) continue;  // it lies over the picture
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

namespace {

const QString kDocksKey = QStringLiteral("window/docks");
constexpr int kSettled = 200;                   // milliseconds
constexpr const char* kWasShown = "was_shown";  // of a panel before all were hidden
constexpr const char* kWasInFront = "was_in_front";
constexpr const char* kBeforeLesson = "before_lesson";  // whether a panel was shown
constexpr const char* kFrontBeforeLesson = "front_before_lesson";
constexpr int kLeft = 270, kRight = 350, kBottom = 150;
constexpr double kLessonLetters = 31;                // width of a lesson, in heights of its text
constexpr int kLeastSide = 200, kLeastBottom = 480;  // widths

Qt::DockWidgetArea area_of(PanelArea area) {
    switch (area) {
        case PanelArea::Left:
        case PanelArea::Beside:
            return Qt::LeftDockWidgetArea;
        case PanelArea::Right:
            return Qt::RightDockWidgetArea;
        case PanelArea::Bottom:
            return Qt::BottomDockWidgetArea;
        case PanelArea::Centre:
            return Qt::NoDockWidgetArea;
    }
    return Qt::NoDockWidgetArea;
}

}  // namespace

int Docks::version() {
    return 100 + static_cast<int>(panel_table().size());
}

Docks::Docks(QMainWindow& window, Document& document, Services& services)
    : QObject(&window),
      window_(window),
      services_(services),
      sizes_(new DockSizes(window)),
      left_strip_(new PanelStrip(tr("Panels at the left"), true, &window)),
      right_strip_(new PanelStrip(tr("Panels at the right"), false, &window)),
      left_shade_(new PanelShade(true, &window)),
      right_shade_(new PanelShade(false, &window)) {
    window.setDockNestingEnabled(true);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const PanelInfo& panel : panel_table())
        if (panel.area != PanelArea::Centre) add(panel, document);
    arrange();
}

void Docks::put_strips(QHBoxLayout& row, QTabWidget& pages) {
    // Areas of panels are not mirrored in languages from right to left, and neither are their names.
    row.setDirection(QApplication::isRightToLeft() ? QBoxLayout::RightToLeft : QBoxLayout::LeftToRight);
    row.insertWidget(0, left_strip_);
    row.addWidget(right_strip_);
    pages_ = &pages;
    pages.installEventFilter(this);
}

void Docks::add(const PanelInfo& panel, Document& document) {
    auto* dock = new QDockWidget(QCoreApplication::translate("actions", panel.title), &window_);
    dock->setObjectName(QString::fromLatin1(panel.id));
    dock->setAccessibleName(dock->windowTitle());
    QWidget* content = panel.make(document, services_, dock);
    // What a panel shows makes it no wider, so that the picture stands still and small windows hold all.
    content->setMinimumWidth(panel.area == PanelArea::Bottom ? kLeastBottom : kLeastSide);
    QSizePolicy policy = content->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // behind another's tab
    content->setSizePolicy(policy);
    if (content->accessibleName().isEmpty()) content->setAccessibleName(dock->windowTitle());
    dock->setWidget(content);
    content->hide();  // until the panel is seen
    if (panel.area == PanelArea::Bottom)
        dock->setFeatures(dock->features() | QDockWidget::DockWidgetVerticalTitleBar);
    docks_[panel.id] = dock;
    dock->installEventFilter(this);
    follow(panel);
}

// The action shows and hides the panel and says whether it is open.
void Docks::follow(const PanelInfo& panel) {
    QDockWidget* dock = docks_.at(panel.id);
    const std::string id = panel.id;
    services_.actions.on_toggle(
        id,
        [this, dock, id](bool on) {
            const bool behind = !on && dock->visibleRegion().isEmpty();  // another tab is in front
            // To find is to type: what has no keys gets them, and goes only from there.
            // So do Alt and the letter of any other panel.
            const bool by_key = (QApplication::keyboardModifiers() & Qt::AltModifier) != 0;
            const bool to_type =
                (id == "panel.search" || by_key) && !dock->isAncestorOf(QApplication::focusWidget());
            if (on || behind || to_type)
                services_.show_panel(id);  // leaves the start page and the presentation
            else
                close(*dock);
            services_.actions.set_checked(id, dock->toggleViewAction()->isChecked());
        },
        this);
    connect(dock->toggleViewAction(), &QAction::toggled, this,
            [this, id](bool on) { services_.actions.set_checked(id, on); });
    const auto later = [this] {
        QTimer::singleShot(0, this, &Docks::trim_titles);
        sizes_->look();
    };
    connect(dock, &QDockWidget::dockLocationChanged, this, later);
    connect(dock, &QDockWidget::topLevelChanged, this, later);
    connect(dock, &QDockWidget::topLevelChanged, this, [this](bool floating) {
        let_tear(false);
        if (!floating)
            QTimer::singleShot(0, this, [this] {
                if (overlay_wanted_) set_overlaid(true);  // it waited for the last one that floated
            });
    });
    connect(dock, &QDockWidget::visibilityChanged, this, later);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock] {
        if (!restoring_) rest_if_unseen(*dock);
    });
}

// Qt moves a panel behind another's tab out of the window, and says that it is visible. Its content is hidden
// there: panels do nothing for what nobody sees, and catch up when they are shown.
void Docks::rest_if_unseen(QDockWidget& dock) {
    if (!window_.isVisible()) return;  // it is hidden or shown with all of them, where they are
    const QRect place = dock.geometry();
    const bool behind = !dock.isFloating() && !is_over(dock) && (place.right() < 0 || place.bottom() < 0);
    dock.widget()->setVisible(dock.isVisible() && !behind);
}

// Panels are shown on the way that stand behind others in the end.
void Docks::restore(const QByteArray& state) {
    restoring_ = true;
    window_.restoreState(state, version());
    restoring_ = false;
    for (const auto& [id, dock] : docks_) rest_if_unseen(*dock);
}

int Docks::liked_width(PanelArea area) const {
    if (area == PanelArea::Beside) return static_cast<int>(kLessonLetters * services_.appearance.pixels());
    return area == PanelArea::Left ? kLeft : kRight;
}

void Docks::arrange() {
    calm_ = false;
    for (const auto& [id, dock] : docks_) dock->setFloating(false);  // so that lay_beside() restores all
    lay_beside();
    std::map<PanelArea, QDockWidget*> front;
    QDockWidget* beside = nullptr;
    QList<QDockWidget*> sides, bottoms;
    QList<int> widths, heights;
    for (const PanelInfo& panel : panel_table()) {
        if (panel.area == PanelArea::Centre) continue;
        QDockWidget* dock = docks_.at(panel.id);
        QDockWidget*& first = front[panel.area];
        if (panel.area == PanelArea::Left && first == nullptr && beside != nullptr)
            window_.splitDockWidget(beside, dock, Qt::Horizontal);
        else
            window_.addDockWidget(area_of(panel.area), dock);
        if (panel.area == PanelArea::Beside) beside = dock;
        if (first != nullptr) {
            window_.tabifyDockWidget(first, dock);
        } else if (panel.open) {
            first = dock;
            const bool bottom = panel.area == PanelArea::Bottom;
            (bottom ? bottoms : sides) << dock;
            (bottom ? heights : widths) << (bottom ? kBottom : liked_width(panel.area));
        }
        dock->setVisible(panel.open);
    }
    for (const auto& [area, dock] : front)
        if (dock != nullptr) dock->raise();
    window_.resizeDocks(sides, widths, Qt::Horizontal);
    window_.resizeDocks(bottoms, heights, Qt::Vertical);
    sizes_->learn();
    for (qsizetype i = 0; i < sides.size(); ++i) sizes_->set(sides[i], widths[i]);
    for (qsizetype i = 0; i < bottoms.size(); ++i) sizes_->set(bottoms[i], heights[i]);
    trim_titles();
}

void Docks::set_calm(bool calm) {
    if (calm == calm_) return;
    if (calm) lay_beside();
    calm_ = calm;
    QDockWidget* lesson = docks_.at("panel.lesson");
    // A text to read gets the whole height.
    window_.setCorner(Qt::BottomLeftCorner, calm ? Qt::LeftDockWidgetArea : Qt::BottomDockWidgetArea);
    if (calm) {
        for (const auto& [id, dock] : docks_) {
            dock->setProperty(kBeforeLesson, !dock->isHidden());
            dock->setProperty(kFrontBeforeLesson, !dock->visibleRegion().isEmpty());
            dock->setVisible(id == "panel.lesson" || (id == "panel.timeline" && !dock->isHidden()));
        }
        const int width = liked_width(PanelArea::Beside);
        if (!lesson->isFloating()) window_.resizeDocks({lesson}, {width}, Qt::Horizontal);
        sizes_->set(lesson, width);
        lesson->raise();
    } else {
        for (const auto& [id, dock] : docks_) dock->setVisible(dock->property(kBeforeLesson).toBool());
        for (const auto& [id, dock] : docks_)
            if (dock->property(kFrontBeforeLesson).toBool()) dock->raise();
    }
    set_overlaid(overlay_wanted_);
    trim_titles();
}

void Docks::reset() {
    shown_ = true;
    hidden_state_.clear();
    arrange();
    set_overlaid(overlay_wanted_);
}

void Docks::set_compact(bool compact) {
    QDockWidget* dock = docks_.at("panel.timeline");
    auto* timeline = qobject_cast<Timeline*>(dock->widget());
    if (timeline == nullptr || timeline->compact() == compact) return;
    timeline->set_compact(compact);
    trim_titles();
    if (!compact && shown_ && dock->isVisible()) window_.resizeDocks({dock}, {kBottom}, Qt::Vertical);
}

bool Docks::floats() const {
    return std::any_of(docks_.begin(), docks_.end(),
                       [](const auto& one) { return one.second->isFloating(); });
}

// With a floating panel, QMainWindow::restoreState() of a window that is shown has crashed inside Qt 6.4. A
// hidden panel keeps its place, so that it can simply be shown again.
void Docks::show_again() {
    for (const auto& [id, dock] : docks_) dock->setVisible(dock->property(kWasShown).toBool());
    for (const auto& [id, dock] : docks_)
        if (dock->property(kWasInFront).toBool()) dock->raise();
}

void Docks::hide_all() {
    for (const auto& [id, dock] : docks_) {
        dock->setProperty(kWasShown, !dock->isHidden());
        dock->setProperty(kWasInFront, !dock->visibleRegion().isEmpty());
    }
    for (const auto& [id, dock] : docks_) dock->hide();
}

void Docks::set_shown(bool shown, bool resized) {
    if (shown == shown_) return;
    if (!shown) lay_beside();
    shown_ = shown;
    if (!shown) {
        hidden_state_ = window_.saveState(version());
        return hide_all();
    }
    if (floats())
        show_again();
    else
        restore(hidden_state_);
    if (resized) restore_later(hidden_state_);
    hidden_state_.clear();
    set_overlaid(overlay_wanted_);
    trim_titles();
}

void Docks::restore_later(const QByteArray& state) {
    QTimer::singleShot(kSettled, this, [this, state] {
        if (!shown_ || overlaid_ || floats()) return;
        const QPointer<QWidget> focus = QApplication::focusWidget();
        restore(state);  // hides and shows panels, and the focus goes astray
        if (focus && focus->isVisible()) focus->setFocus();
    });
}

// What is kept is how the panels stand beside the picture.
QByteArray Docks::state() {
    if (!shown_) return hidden_state_;
    if (!overlaid_) return window_.saveState(version());
    if (floats()) return beside_state_;  // see show_again()
    std::vector<std::string> open;
    for (const auto& [id, dock] : docks_)
        if (is_over(*dock) && !dock->isHidden()) open.push_back(id);
    lay_beside();
    QByteArray state = window_.saveState(version());
    lay_over();
    for (const std::string& id : open) raise(id);
    return state;
}

void Docks::remember() {
    services_.settings.set_value(kDocksKey, state());
}

void Docks::recall() {
    const QByteArray state = services_.settings.value(kDocksKey).toByteArray();
    if (state.isEmpty()) return;
    lay_beside();
    if (shown_)
        restore(state);
    else
        hidden_state_ = state;
    sizes_->learn();
    set_overlaid(overlay_wanted_);
}

namespace {

const QString kArrangements = QStringLiteral("arrangements");

}  // namespace

QStringList Docks::arrangements() const {
    return services_.settings.value(kArrangements).toMap().keys();
}

void Docks::keep(const QString& name) {
    QVariantMap all = services_.settings.value(kArrangements).toMap();
    all[name] = state();
    services_.settings.set_value(kArrangements, all);
}

// Floating panels go back to where they stood first: see show_again().
void Docks::use(const QString& name) {
    const QByteArray state = services_.settings.value(kArrangements).toMap().value(name).toByteArray();
    if (state.isEmpty()) return;
    for (const auto& [id, dock] : docks_) dock->setFloating(false);  // so that lay_beside() restores all
    lay_beside();
    restore(state);
    set_overlaid(overlay_wanted_);
    trim_titles();
    sizes_->learn();
}

void Docks::forget(const QString& name) {
    QVariantMap all = services_.settings.value(kArrangements).toMap();
    all.remove(name);
    services_.settings.set_value(kArrangements, all);
}

void Docks::close(QDockWidget& dock) {
    if (is_over(dock)) return close_over(dock);
    if (calm_ && &dock == docks_.at("panel.lesson")) return services_.actions.trigger("lesson.leave");
    dock.hide();
}

void Docks::raise(const std::string& panel) {
    QDockWidget* dock = docks_.at(panel);
    if (is_over(*dock)) {
        for (const auto& [id, other] : docks_)
            if (other != dock && is_over(*other) && strip_of(*other) == strip_of(*dock)) other->hide();
        place_over();
    }
    dock->show();
    dock->raise();
    dock->widget()->show();  // the panel may yet have to be laid out where it is seen
    give_keys(*dock->widget());
}

// Qt lets tabs be torn off where floating panels may form groups, too. Those groups are neither hidden nor
// restored with the other panels, so that there are none: what is torn off is one panel.
void Docks::let_tear(bool on) {
    window_.setDockOptions(window_.dockOptions().setFlag(QMainWindow::GroupedDragging, on));
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    if (qobject_cast<QTabBar*>(watched) != nullptr) {
        if (event->type() == QEvent::MouseButtonPress) let_tear(true);
        if (event->type() == QEvent::MouseButtonRelease) let_tear(false);
    }
    // Without its panel a lesson would keep the window to itself unseen.
    if (calm_ && watched == docks_.at("panel.lesson") && event->type() == QEvent::Close)
        QTimer::singleShot(0, this, [this] { services_.actions.trigger("lesson.leave"); });
    if (overlaid_) return filter_over(watched, event) || QObject::eventFilter(watched, event);
    return QObject::eventFilter(watched, event);
}

// Titles of panels that are hidden together stay as they are: they would be put back when the panels return.
void Docks::trim_titles() {
    if (!shown_) return;
    for (const auto& [id, dock] : docks_) {
        const QList<QDockWidget*> same = window_.tabifiedDockWidgets(dock);
        const bool beside = std::any_of(same.begin(), same.end(),
                                        [](const QDockWidget* other) { return !other->isHidden(); });
        const bool low = dock->widget()->maximumHeight() < kBottom;  // a row without room for a title
        const bool tabbed = !dock->isFloating() && (beside || low);
        const bool bare = dock->titleBarWidget() != nullptr;
        if (tabbed == bare) continue;
        QWidget* old = dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget(dock) : nullptr);
        delete old;
    }
    for (QTabBar* bar : window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->installEventFilter(this);
        bar->setAccessibleName(tr("Panels"));
        bar->setExpanding(false);
        bar->setElideMode(Qt::ElideNone);
        bar->setUsesScrollButtons(true);
    }
}

}  // namespace blockscope
