#include "app/panels/matches.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/panels/rule_card.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"
#include "core/rules/conditions.h"
#include "core/story/program_names.h"

namespace blockscope {

namespace {

constexpr int kSide = 10;  // to the left and right of everything

// A triangle that points down when the group is open.
void paint_arrow(QPainter& painter, QPointF middle, double size, bool open, const QColor& color) {
    painter.save();
    painter.translate(middle);
    if (open) painter.rotate(90);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{{-size * 0.35, -size * 0.5}, {size * 0.45, 0}, {-size * 0.35, size * 0.5}});
    painter.restore();
}

}  // namespace

MatchDelegate::MatchDelegate(QWidget* view) : QStyledItemDelegate(view), view_(*view) {}

int MatchDelegate::unit() const {
    return std::max(8, QFontInfo(view_.font()).pixelSize());
}

QSize MatchDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const bool match = index.data(kMatchIndexRole).toInt() >= 0;
    return {unit() * 12, match ? unit() * 3 + 4 : unit() * 2 + 4};
}

void MatchDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paint_row_ground(*painter, option, colors_of(view_), 4);
    if (index.data(kMatchIndexRole).toInt() >= 0)
        paint_match(*painter, option, index);
    else
        paint_rule(*painter, option, index);
    painter->restore();
}

void MatchDelegate::paint_rule(QPainter& painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    const Colors& colors = colors_of(view_);
    const int count = index.data(kCountRole).toInt();
    const QRectF box = QRectF(option.rect).adjusted(kSide, 0, -kSide, 0);
    const double middle = box.center().y();
    if (count > 0)
        paint_arrow(painter, {box.left() + unit() * 0.4, middle}, unit() * 0.6,
                    option.state & QStyle::State_Open, colors.muted);
    painter.setFont(scaled_font(view_, 0.92, true));
    const double start = box.left() + unit();
    paint_pill(painter, {start, middle}, index.data(kRuleRole).toString(),
               count > 0 ? colors.accent : colors.line, count > 0 ? colors.on_accent : colors.muted);
    const QString right =
        count > 0 ? QString::number(count) : QCoreApplication::translate("blockscope::MatchList", "why?");
    painter.setFont(scaled_font(view_, 0.92));
    painter.setPen(count > 0 ? colors.muted : colors.accent);
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, right);
    const double taken = QFontMetricsF(painter.font()).horizontalAdvance(right) + 8;
    painter.setPen(count > 0 ? colors.text : colors.muted);
    draw_fitted(painter, box.adjusted(unit() * 3.4, 0, -taken, 0), index.data(Qt::DisplayRole).toString(),
                view_, 1, count > 0);
}

void MatchDelegate::paint_match(QPainter& painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    const Colors& colors = colors_of(view_);
    QRectF box = QRectF(option.rect).adjusted(kSide + unit() * 1.0, 3, -kSide, -3);
    const double half = box.height() / 2;
    double taken = 0;                      // of the first line
    if (index.data(kNextRole).toBool()) {  // a bar at the left and words at the right
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.accent);
        painter.drawRoundedRect(QRectF(box.left() - 1, box.top() + 3, 3, box.height() - 6), 1.5, 1.5);
        painter.setFont(scaled_font(view_, 0.8, true));
        const QString text = QCoreApplication::translate("blockscope::MatchList", "next");
        const double width = pill_width(painter.font(), text);
        paint_pill(painter, {box.right() - width, box.top() + half * 0.5 + 1}, text, colors.tint,
                   colors.accent);
        taken = width + 6;
    }
    box.setLeft(box.left() + unit() * 0.7);
    painter.setPen(colors.text);
    draw_fitted(painter, {box.left(), box.top(), box.width() - taken, half},
                index.data(Qt::DisplayRole).toString(), view_, 1, false);
    painter.setPen(colors.muted);
    draw_fitted(painter, {box.left(), box.top() + half, box.width(), half},
                index.data(kDetailRole).toString(), view_, 0.88, false);
}

std::vector<NodeId> nodes_of(const Match& match) {
    std::vector<NodeId> nodes;
    for (const Role& role : match.roles)
        if (std::find(nodes.begin(), nodes.end(), role.node) == nodes.end()) nodes.push_back(role.node);
    return nodes;
}

namespace {

// "row_scale → dot": what is matched, by the operator that makes its result. Ids and dimensions stand in the
// tooltip.
QString matched_operators(const Match& match, const ProgramNames& names) {
    QStringList operators;
    for (const NodeId node : nodes_of(match)) operators << translated(names.last_operator(node));
    return operators.join(QStringLiteral(" → "));
}

// "M › N · P → O": the place, and the arrays of the program that the matched operators are part of.
QString matched_place(const BlockProgram& program, const Match& match, const ProgramNames& names) {
    QString place = place_text(program, match.path);
    QStringList arrays;
    for (const NodeId node : nodes_of(match))
        if (const QString array = translated(names.arrays(node)); !array.isEmpty()) arrays << array;
    arrays.removeDuplicates();
    if (arrays.isEmpty()) return place;
    return QCoreApplication::translate("blockscope::MatchList", "%1 · %2")
        .arg(place, arrays.join(QStringLiteral(" → ")));
}

// The levels' indices, each made once.
class Levels {
public:
    explicit Levels(const BlockProgram& program) : program_(program) {}
    const GraphIndex& at(const std::vector<NodeId>& path) {
        auto found = levels_.find(path);
        if (found == levels_.end()) {
            const GraphPtr graph = graph_at(program_, path);
            found = levels_.emplace(path, std::pair{graph, GraphIndex(*graph)}).first;
        }
        return found->second.second;
    }

private:
    const BlockProgram& program_;
    std::map<std::vector<NodeId>, std::pair<GraphPtr, GraphIndex>> levels_;
};

MatchLine make_line(const ProgramNames& names, const GraphIndex& index, const Match& match) {
    const BlockProgram& program = names.program();
    return {.match = match,
            .nodes = matched_operators(match, names),
            .place = matched_place(program, match, names),
            .explanation = translated(rule(match.rule).explain(Level{program.dims, index}, match))};
}

// What the algorithm does first in this state.
std::optional<Match> next_match(const ProgramPtr& program, RuleSet rules) {
    const Trace trace = fuse(
        program, [](const Step&) { return false; }, rules);
    if (trace.steps.empty()) return std::nullopt;
    return trace.steps.front().match;
}

}  // namespace

MatchReport find_matches(const ProgramPtr& program, const Stop& stop, RuleSet rules,
                         const ArrayNames& arrays) {
    const ProgramNames names(program, arrays);
    MatchReport report{program, {}};
    const StopSign sign = stop.sign();
    const std::vector<Match> matches = all_matches(*program, {}, sign);
    const std::optional<Match> next = next_match(program, rules);
    Levels levels(*program);
    for (const Match& match : matches) {
        sign.check();
        report.lines.push_back(make_line(names, levels.at(match.path), match));
        report.lines.back().next = match == next;
        stop.done(report.lines.size(), matches.size());
    }
    return report;
}

MatchFinder::MatchFinder(Document& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document, &Document::current_changed, this, &MatchFinder::refresh);
    connect(&work_, &Work::failed, this, &MatchFinder::give_up);
    refresh();
}

void MatchFinder::set_active(bool active) {
    active_ = active;
    if (active) refresh();
}

void MatchFinder::refresh() {
    const ProgramPtr program = document_.empty() ? nullptr : document_.content().program();
    if (!active_ || program == asked_) return;
    asked_ = program;
    trouble_.clear();
    if (!program) {
        work_.cancel();
        report_ = std::make_shared<MatchReport>();
        return Q_EMIT changed();
    }
    const ContentPtr content = document_.snapshot();
    work_.start(tr("Looking for matches"), [this, program, content](const Stop& stop) -> Work::Finish {
        const History& history = content->history;
        const ArrayNames arrays = names_after(history.trace(content->current),
                                              history.depth(content->current), content->array.get());
        return [this, report = std::make_shared<const MatchReport>(
                          find_matches(program, stop, history.rules(), arrays))] {
            report_ = report;
            Q_EMIT changed();
        };
    });
    Q_EMIT changed();
}

void MatchFinder::cancel() {
    work_.cancel();
    give_up(tr("Cancelled. Any step looks again."));
}

void MatchFinder::give_up(const QString& why) {
    asked_ = nullptr;
    report_ = std::make_shared<MatchReport>();
    trouble_ = why;
    Q_EMIT changed();
}

namespace {

constexpr quintptr kRules = 0;  // id of their rows; those of matches have their rule's row plus one

bool line_contains(const MatchLine& line, const QString& text) {
    if (text.isEmpty()) return true;
    const QString* const parts[] = {&line.nodes, &line.place, &line.explanation};
    return std::any_of(std::begin(parts), std::end(parts),
                       [&](const QString* part) { return part->contains(text, Qt::CaseInsensitive); });
}

}  // namespace

void MatchModel::show(MatchReportPtr report, std::optional<RuleId> rule, const QString& text) {
    beginResetModel();
    report_ = std::move(report);
    groups_.clear();
    shown_ = 0;
    if (report_ && report_->program) {
        for (const Rule& each : rules())
            if (!rule || *rule == each.id) groups_.push_back({&each, {}});
        for (std::size_t i = 0; i < report_->lines.size(); ++i) {
            const MatchLine& line = report_->lines[i];
            const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& each) {
                return each.rule->id == line.match.rule;
            });
            if (group == groups_.end() || !line_contains(line, text)) continue;
            group->lines.push_back(static_cast<int>(i));
            ++shown_;
        }
        std::stable_partition(groups_.begin(), groups_.end(),
                              [](const Group& group) { return !group.lines.empty(); });
    }
    endResetModel();
}

void MatchModel::hide_next(bool on) {
    next_hidden_ = on;
    for (int group = 0; group < rowCount({}); ++group) {
        const QModelIndex rule = index(group, 0, {});
        if (const int rows = rowCount(rule); rows > 0)
            Q_EMIT dataChanged(index(0, 0, rule), index(rows - 1, 0, rule));
    }
}

QModelIndex MatchModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column != 0 || row >= rowCount(parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kRules);
}

QModelIndex MatchModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kRules) return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, kRules);
}

int MatchModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(groups_.size());
    if (parent.internalId() != kRules) return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].lines.size());
}

int MatchModel::columnCount(const QModelIndex&) const {
    return 1;
}

Qt::ItemFlags MatchModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    return index.internalId() == kRules ? flags : flags | Qt::ItemNeverHasChildren;
}

QVariant MatchModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (index.internalId() == kRules) return group_data(groups_[row], role);
    const Group& group = groups_[static_cast<std::size_t>(index.internalId() - 1)];
    return line_data(group, group.lines[row], role);
}

QVariant MatchModel::group_data(const Group& group, int role) {
    const QString number = rule_text(group.rule->id);
    const auto count = static_cast<int>(group.lines.size());
    switch (role) {
        case Qt::DisplayRole:
            return translated(group.rule->short_name);
        case Qt::ToolTipRole:
            return QCoreApplication::translate("blockscope::MatchList", "<p><b>Rule %1, %2</b></p><p>%3</p>")
                .arg(number, translated(group.rule->name).toHtmlEscaped(),
                     as_sentence(group.rule->summary).toHtmlEscaped());
        case Qt::AccessibleTextRole:
            return count == 0
                       ? QCoreApplication::translate("blockscope::MatchList",
                                                     "Rule %1, %2, has no match; Enter asks why")
                             .arg(number, translated(group.rule->name))
                       : QCoreApplication::translate("blockscope::MatchList", "Rule %1, %2, matches: %3")
                             .arg(number, translated(group.rule->name))
                             .arg(count);
        case kMatchIndexRole:
            return -1;
        case kRuleRole:
            return number;
        case kCountRole:
            return count;
        default:
            return {};
    }
}

QVariant MatchModel::line_data(const Group& group, int at, int role) const {
    const MatchLine& line = report_->lines[static_cast<std::size_t>(at)];
    const bool next = line.next && !next_hidden_;
    switch (role) {
        case Qt::DisplayRole:
            return line.nodes;
        case Qt::ToolTipRole:  // as a paragraph it has several short lines, and leaves the picture free
            return QStringLiteral("<p>%1</p>").arg(line.explanation.toHtmlEscaped());
        case Qt::AccessibleTextRole:
            return line.explanation +
                   (next ? QCoreApplication::translate("blockscope::MatchList",
                                                       " The algorithm takes this one next.")
                         : QString());
        case kMatchIndexRole:
            return at;
        case kRuleRole:
            return rule_text(group.rule->id);
        case kDetailRole:
            return line.place;
        case kNextRole:
            return next;
        default:
            return {};
    }
}

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
    setAccessibleName(QCoreApplication::translate("blockscope::MatchList", "Matches of all rules"));
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
    delay_.setSingleShot(true);
    delay_.setInterval(kPreviewDelay);
    connect(&delay_, &QTimer::timeout, this, [this] {
        if (const MatchLine* line = line_at(pointed_row_)) document_.set_preview(line->match);
    });
    connect(&finder, &MatchFinder::changed, this, [this] {
        if (!finder_.searching()) rebuild();
    });
    rows_.hide_next(document.hides_next());
    connect(&document, &Document::next_hidden_changed, this, [this] {
        if (document_.hides_next()) setCurrentIndex({});  // it may be at the next one
        rows_.hide_next(document_.hides_next());
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
    delay_.start();
}

void MatchList::point_away() {
    delay_.stop();
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

// The keyboard begins at the match that the algorithm takes, or at the first.
void MatchList::focusInEvent(QFocusEvent* event) {
    QTreeView::focusInEvent(event);
    if (currentIndex().isValid()) return point_at(currentIndex());
    QModelIndex first;
    for (int group = 0; group < rows_.rowCount({}); ++group) {
        const QModelIndex rule = rows_.index(group, 0, {});
        for (int row = 0; row < rows_.rowCount(rule); ++row) {
            const QModelIndex match = rows_.index(row, 0, rule);
            if (!first.isValid()) first = match;
            if (!match.data(kNextRole).toBool()) continue;
            return setCurrentIndex(match);
        }
    }
    if (first.isValid()) setCurrentIndex(first);
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

namespace {

constexpr int kOverlayTop = 8;  // of what says that the matches are late

}  // namespace

Matches::Matches(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      finder_(document),
      list_(new MatchList(document, finder_, this)),
      why_(new WhyView(document, this)),
      rules_(new RuleCombo(this)),
      text_(new QLineEdit(this)),
      count_(new ElidedLabel(this)) {
    setAccessibleName(QCoreApplication::translate("blockscope::MatchList", "Matches"));
    setFocusProxy(list_);
    auto* upper = new QWidget(this);
    auto* list = new QVBoxLayout(upper);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(4);
    list->addLayout(make_head());
    list->addWidget(list_, 1);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(upper);
    splitter->addWidget(why_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({420, 280});
    splitter->setChildrenCollapsible(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);
    connect(list_, &MatchList::filtered, this, &Matches::say_count);
    connect(&finder_, &MatchFinder::changed, this, &Matches::say_count);
    connect(list_, &MatchList::why_asked, why_, &WhyView::explain);
    const auto* late = new ProgressOverlay(finder_.work(), kOverlayTop, list_);
    connect(late, &ProgressOverlay::cancelled, &finder_, &MatchFinder::cancel);
    say_count();
}

QLayout* Matches::make_head() {
    text_->setPlaceholderText(tr("Filter"));
    text_->setClearButtonEnabled(true);
    text_->setAccessibleName(tr("Filter of matches"));
    count_->setAccessibleName(tr("Number of matches"));
    count_->setFont(scaled_font(*this, 0.92));
    rules_->setMinimumWidth(5 * fontMetrics().height());
    auto* row = new QHBoxLayout;
    row->addWidget(text_, 1);
    row->addWidget(rules_, 1);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(10, 8, 10, 2);
    head->setSpacing(8);
    head->addLayout(row);
    head->addWidget(count_);
    connect(text_, &QLineEdit::textChanged, this, &Matches::filter);
    connect(rules_, &QComboBox::currentIndexChanged, this, &Matches::filter);
    return head;
}

void Matches::filter() {
    list_->set_filter(parse_rule_id(rules_->currentData().toString().toStdString()), text_->text());
}

void Matches::say_count() {
    const int all = static_cast<int>(finder_.report().lines.size());
    if (document_.empty())
        count_->clear();
    else if (finder_.searching())
        count_->setText(tr("Looking for matches..."));
    else if (!finder_.trouble().isEmpty())
        count_->setText(finder_.trouble());
    else if (all == 0)
        count_->setText(tr("No rule applies to this state any more."));
    else if (list_->shown() == all)
        count_->setText(tr("Matches: %1. Enter applies one.").arg(all));
    else
        count_->setText(tr("Matches shown: %1 of %2").arg(list_->shown()).arg(all));
}

void Matches::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    finder_.set_active(true);
}

void Matches::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    finder_.set_active(false);
}

}  // namespace blockscope
