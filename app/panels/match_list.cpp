#include "app/panels/match_list.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "app/panels/match_delegate.h"

namespace blockscope {

namespace {

constexpr int kPreviewDelay = 300;  // milliseconds

bool is_enter(const QKeyEvent& event) {
    return (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) &&
           (event.modifiers() & ~Qt::KeypadModifier) == 0;
}

// Whether Enter means something of its own there.
bool takes_enter(const QWidget* widget) {
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) return !text->isReadOnly();
    return qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr;
}

// Not while something is typed, or a menu or a dialog is open.
bool enter_is_free() {
    return QApplication::activePopupWidget() == nullptr && QApplication::activeModalWidget() == nullptr &&
           !takes_enter(QApplication::focusWidget());
}

}  // namespace

MatchList::MatchList(Document& document, MatchFinder& finder, QWidget* parent)
    : QTreeView(parent), document_(document), finder_(finder) {
    setAccessibleName(tr("Matches of all rules"));
    setModel(&rows_);
    setItemDelegate(new MatchDelegate(this));
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(0);
    setUniformRowHeights(false);
    setExpandsOnDoubleClick(false);
    setMouseTracking(true);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    patience_.setSingleShot(true);
    patience_.setInterval(kPreviewDelay);
    connect(&patience_, &QTimer::timeout, this, [this] {
        if (const MatchLine* line = line_at(pointed_row_)) document_.set_preview(line->match);
    });
    connect(&finder, &MatchFinder::changed, this, [this] {
        if (!finder_.searching()) rebuild();
    });
    connect(this, &QTreeView::entered, this, &MatchList::point_at);
    connect(this, &QTreeView::activated, this, &MatchList::use);
    connect(this, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (!index.parent().isValid()) use(index);
    });
    connect(this, &QTreeView::collapsed, this,
            [this](const QModelIndex& index) { collapsed_.insert(index.data(kRuleRole).toString()); });
    connect(this, &QTreeView::expanded, this,
            [this](const QModelIndex& index) { collapsed_.erase(index.data(kRuleRole).toString()); });
    rebuild();
}

void MatchList::set_filter(std::optional<RuleId> rule, const QString& text) {
    only_ = rule;
    text_ = text.trimmed();
    rebuild();
}

void MatchList::rebuild() {
    point_away();
    rows_.show(finder_.shared_report(), only_, text_);
    const std::set<QString> collapsed = collapsed_;
    for (int row = 0; row < rows_.rowCount({}); ++row) {
        const QModelIndex rule = rows_.index(row, 0, {});
        setExpanded(rule, collapsed.count(rule.data(kRuleRole).toString()) == 0);
    }
    collapsed_ = collapsed;
    Q_EMIT filtered();
}

const MatchLine* MatchList::line_at(const QModelIndex& index) const {
    const QVariant at = index.data(kMatchIndexRole);
    if (!at.isValid() || at.toInt() < 0 || document_.empty()) return nullptr;
    const MatchReport& report = finder_.report();
    if (report.program != document_.content().program()) return nullptr;
    return &report.lines[static_cast<std::size_t>(at.toInt())];
}

void MatchList::point_at(const QModelIndex& index) {
    const MatchLine* line = line_at(index);
    if (!line) return point_away();
    pointed_ = true;
    pointed_row_ = index;
    qApp->installEventFilter(this);
    document_.set_glow({Glow::Kind::Match, nodes_of(line->match)});
    if (document_.preview() && !(document_.preview() == line->match)) document_.set_preview({});
    patience_.start();
}

void MatchList::point_away() {
    patience_.stop();
    if (!std::exchange(pointed_, false)) return;
    qApp->removeEventFilter(this);
    document_.set_glow({});
    document_.set_preview({});
}

void MatchList::use(const QModelIndex& index) {
    if (const MatchLine* line = line_at(index)) {
        const Match match = line->match;  // applying makes a new report
        point_away();
        return document_.apply(match);
    }
    if (!index.isValid() || index.parent().isValid()) return;
    if (index.data(kCountRole).toInt() > 0) return setExpanded(index, !isExpanded(index));
    if (const auto rule = parse_rule_id(index.data(kRuleRole).toString().toStdString()))
        Q_EMIT why_asked(*rule);
}

void MatchList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTreeView::currentChanged(current, previous);
    if (hasFocus()) point_at(current);
}

void MatchList::leaveEvent(QEvent* event) {
    QTreeView::leaveEvent(event);
    point_away();
}

void MatchList::focusOutEvent(QFocusEvent* event) {
    QTreeView::focusOutEvent(event);
    point_away();
}

void MatchList::hideEvent(QHideEvent* event) {
    QTreeView::hideEvent(event);
    point_away();
}

void MatchList::keyPressEvent(QKeyEvent* event) {
    if (is_enter(*event)) return use(currentIndex());
    if (event->key() == Qt::Key_Escape && pointed_) return point_away();
    QTreeView::keyPressEvent(event);
}

// Enter applies what is pointed at by the mouse, too: the keyboard may be at the picture or the timeline.
bool MatchList::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (!key || !watched->isWidgetType() || !is_enter(*static_cast<QKeyEvent*>(event)) || !enter_is_free())
        return QTreeView::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress) use(QModelIndex(pointed_row_));
    return true;
}

void MatchList::changeEvent(QEvent* event) {
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::FontChange) scheduleDelayedItemsLayout();
}

}  // namespace blockscope
