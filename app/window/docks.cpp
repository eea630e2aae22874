#include "app/window/docks.h"

#include <QApplication>
#include <QPointer>
#include <QTabBar>
#include <QTimer>
#include <algorithm>

#include "app/window/actions.h"
#include "app/window/dock_sizes.h"
#include "app/window/settings.h"

namespace blockscope {
namespace {

const QString kKey = QStringLiteral("window/docks");
constexpr int kSettled = 200;  // milliseconds
constexpr int kLeft = 270, kRight = 350, kBottom = 150;
constexpr int kLeastSide = 200, kLeastBottom = 480;  // widths

// Of arrangements: one of other panels is forgotten.
int version() {
    return 100 + static_cast<int>(panel_table().size());
}

Qt::DockWidgetArea area_of(PanelArea area) {
    switch (area) {
        case PanelArea::Left:
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

Docks::Docks(QMainWindow& window, Document& document, Services& services)
    : QObject(&window), window_(window), services_(services), sizes_(new DockSizes(window)) {
    window.setDockNestingEnabled(true);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const PanelInfo& panel : panel_table())
        if (panel.area != PanelArea::Centre) add(panel, document);
    arrange();
}

void Docks::add(const PanelInfo& panel, Document& document) {
    auto* dock = new QDockWidget(QCoreApplication::translate("actions", panel.title), &window_);
    dock->setObjectName(QString::fromLatin1(panel.id));
    dock->setAccessibleName(dock->windowTitle());
    QWidget* content = panel.make(document, services_);
    content->setParent(dock);
    // What a panel shows makes it no wider, so that the picture stands still and small windows hold all.
    content->setMinimumWidth(panel.area == PanelArea::Bottom ? kLeastBottom : kLeastSide);
    if (content->accessibleName().isEmpty()) content->setAccessibleName(dock->windowTitle());
    dock->setWidget(content);
    if (panel.area == PanelArea::Bottom)
        dock->setFeatures(dock->features() | QDockWidget::DockWidgetVerticalTitleBar);
    docks_[panel.id] = dock;
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
            const bool to_type = id == "panel.search" && !dock->isAncestorOf(QApplication::focusWidget());
            if (on || behind || to_type)
                services_.show_panel(id);  // leaves the start page and the presentation
            else
                dock->hide();
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
    connect(dock, &QDockWidget::topLevelChanged, this, [this] { let_tear(false); });
    connect(dock, &QDockWidget::visibilityChanged, this, later);
}

void Docks::arrange() {
    std::map<PanelArea, QDockWidget*> front;
    QList<QDockWidget*> sides, bottoms;
    QList<int> widths, heights;
    for (const PanelInfo& panel : panel_table()) {
        if (panel.area == PanelArea::Centre) continue;
        QDockWidget* dock = docks_.at(panel.id);
        dock->setFloating(false);
        window_.addDockWidget(area_of(panel.area), dock);
        QDockWidget*& first = front[panel.area];
        if (first != nullptr) {
            window_.tabifyDockWidget(first, dock);
        } else if (panel.open) {
            first = dock;
            const bool bottom = panel.area == PanelArea::Bottom;
            (bottom ? bottoms : sides) << dock;
            (bottom ? heights : widths) << (bottom                          ? kBottom
                                            : panel.area == PanelArea::Left ? kLeft
                                                                            : kRight);
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

void Docks::reset() {
    shown_ = true;
    hidden_state_.clear();
    arrange();
}

void Docks::set_shown(bool shown, bool resized) {
    if (shown == shown_) return;
    shown_ = shown;
    if (shown) {
        window_.restoreState(hidden_state_, version());
        if (resized) restore_later(hidden_state_);
        hidden_state_.clear();
        trim_titles();
        return;
    }
    hidden_state_ = window_.saveState(version());
    for (const auto& [id, dock] : docks_) dock->hide();
}

void Docks::restore_later(const QByteArray& state) {
    QTimer::singleShot(kSettled, this, [this, state] {
        if (!shown_) return;
        const QPointer<QWidget> focus = QApplication::focusWidget();
        window_.restoreState(state, version());  // hides and shows panels, and the focus goes astray
        if (focus && focus->isVisible()) focus->setFocus();
    });
}

void Docks::remember() {
    services_.settings.set_value(kKey, shown_ ? window_.saveState(version()) : hidden_state_);
}

void Docks::recall() {
    const QByteArray state = services_.settings.value(kKey).toByteArray();
    if (state.isEmpty()) return;
    if (shown_)
        window_.restoreState(state, version());
    else
        hidden_state_ = state;
    sizes_->learn();
}

void Docks::raise(const std::string& panel) {
    QDockWidget* dock = docks_.at(panel);
    dock->show();
    dock->raise();
    dock->widget()->setFocus();
}

// Qt lets tabs be torn off where floating panels may form groups, too. Those groups are neither hidden nor
// restored with the other panels, so that there are none: what is torn off is one panel.
void Docks::let_tear(bool on) {
    window_.setDockOptions(window_.dockOptions().setFlag(QMainWindow::GroupedDragging, on));
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress) let_tear(true);
    if (event->type() == QEvent::MouseButtonRelease) let_tear(false);
    return QObject::eventFilter(watched, event);
}

// Titles of panels that are hidden together stay as they are: they would be put back when the panels return.
void Docks::trim_titles() {
    if (!shown_) return;
    for (const auto& [id, dock] : docks_) {
        const QList<QDockWidget*> same = window_.tabifiedDockWidgets(dock);
        const bool beside = std::any_of(same.begin(), same.end(),
                                        [](const QDockWidget* other) { return !other->isHidden(); });
        const bool tabbed = !dock->isFloating() && beside;
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
