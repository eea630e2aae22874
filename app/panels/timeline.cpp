#include "app/panels/timeline.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/shell/controls.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kCellsMargin = 8;  // around all cells
constexpr int kCompactMargin = 1;
constexpr int kCellGap = 4;  // between cells

// The least width that has room for `text` on two lines.
double two_lines_width(const QFontMetricsF& metrics, const QString& text) {
    double least = metrics.horizontalAdvance(text);
    for (auto space = text.indexOf(QLatin1Char(' ')); space >= 0;
         space = text.indexOf(QLatin1Char(' '), space + 1))
        least = std::min(least, std::max(metrics.horizontalAdvance(text.left(space)),
                                         metrics.horizontalAdvance(text.mid(space + 1))));
    return least;
}

// Two lines at most: the second ends with an ellipsis where there is more. (The tooltip has it all.)
void paint_two_lines(QPainter& painter, const QRect& rect, const QString& text) {
    const QFontMetricsF metrics(painter.font());
    QTextLayout layout(text, painter.font());
    layout.beginLayout();
    QTextLine first = layout.createLine();
    first.setLineWidth(rect.width());
    const auto end = first.textLength();
    layout.endLayout();
    painter.drawText(QRectF(rect.left(), rect.top(), rect.width(), metrics.height()), Qt::AlignLeft,
                     metrics.elidedText(text.left(end).trimmed(), Qt::ElideRight, rect.width()));
    painter.drawText(QRectF(rect.left(), rect.top() + metrics.height(), rect.width(), metrics.height()),
                     Qt::AlignLeft, metrics.elidedText(text.mid(end), Qt::ElideRight, rect.width()));
}

}  // namespace

TimelineStrip::TimelineStrip(Document& document, TimelineModel& model, Proofs& proofs, QWidget* parent)
    : QAbstractScrollArea(parent),
      document_(document),
      model_(model),
      costs_(Costs::of(document)),
      best_(Best::of(document)),
      proofs_(proofs) {
    install_cells_accessibility();
    setAccessibleName(tr("Steps of the branch"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setMouseTracking(true);
    connect(&model, &TimelineModel::cells_changed, this, [this] {
        anchor_ = reach_ = -1;
        make_columns();
        update_range();
        show_current();
    });
    connect(&costs_, &Costs::counted, this, [this] {
        if (!folding_) return;
        make_columns();
        update_range();
    });
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, &TimelineStrip::moved);
    connect(&model, &TimelineModel::current_changed, this, &TimelineStrip::show_current);
    connect(&proofs, &Proofs::proof_changed, viewport(), qOverload<>(&QWidget::update));
    connect(&costs_, &Costs::counted, viewport(), qOverload<>(&QWidget::update));
    connect(&costs_, &Costs::heat_changed, viewport(), qOverload<>(&QWidget::update));
    connect(&best_, &Best::changed, this, [this] {
        describe();
        viewport()->update();
    });
    measure_names();
    make_columns();
    update_range();
    describe();
}

void TimelineStrip::set_folding(bool folding) {
    if (folding == folding_) return;
    folding_ = folding;
    make_columns();
    update_range();
    show_current();
}

void TimelineStrip::make_columns() {
    std::vector<std::optional<std::int64_t>> bytes;
    for (const StepCell& cell : model_.cells()) {
        const StateCostsPtr counted = folding_ ? costs_.of(cell.program()) : nullptr;
        bytes.push_back(counted ? std::optional(counted->state.counts().bytes()) : std::nullopt);
    }
    columns_ = fold_steps(bytes);
}

int TimelineStrip::column_of(int index) const {
    const auto after =
        std::upper_bound(columns_.begin(), columns_.end(), index,
                         [](int step, const FoldedSteps& steps) { return step < steps.first; });
    return static_cast<int>(after - columns_.begin()) - 1;
}

bool TimelineStrip::folded(int index) const {
    const FoldedSteps& steps = columns_[static_cast<std::size_t>(column_of(index))];
    return steps.first < steps.last;
}

int TimelineStrip::unit() const {
    return std::max(8, QFontInfo(font()).pixelSize());
}
// Names are longer in some languages than in others.
int TimelineStrip::cell_width() const {
    if (compact_) return unit() * 9 / 2;
    return std::clamp(name_width_, unit() * 9, unit() * 12);
}
void TimelineStrip::measure_names() {
    const QFontMetricsF metrics(scaled_font(*this, 0.85));
    double widest = two_lines_width(metrics, tr("Initial program"));
    for (const Rule& rule : rules())
        widest = std::max(widest, two_lines_width(metrics, translated(rule.short_name)));
    const QRect inner = inside({0, 0, 100, 100});
    name_width_ = static_cast<int>(std::ceil(widest)) + 100 - inner.width();
}
int TimelineStrip::cell_height() const {
    if (compact_) return unit() + 7;
    return unit() * 7 + 12;
}
int TimelineStrip::cells_top() const {
    return compact_ ? kCompactMargin : kCellsMargin;
}

void TimelineStrip::set_compact(bool compact) {
    if (compact == compact_) return;
    compact_ = compact;
    setHorizontalScrollBarPolicy(compact ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    updateGeometry();
    update_range();
    show_current();
}

QSize TimelineStrip::sizeHint() const {
    const int bar = compact_ ? 0 : horizontalScrollBar()->sizeHint().height();
    return {600, cell_height() + 2 * cells_top() + bar};
}
QSize TimelineStrip::minimumSizeHint() const {
    return {cell_width(), sizeHint().height()};
}

int TimelineStrip::width_of(int cells) const {
    return 2 * kCellsMargin + cells * (cell_width() + kCellGap) - kCellGap;
}

QRect TimelineStrip::cell_rect(int index) const {
    const int x =
        kCellsMargin + column_of(index) * (cell_width() + kCellGap) - horizontalScrollBar()->value();
    return {x, cells_top(), cell_width(), cell_height()};
}

int TimelineStrip::cell_at(const QPoint& point) const {
    const int column =
        (point.x() + horizontalScrollBar()->value() - kCellsMargin) / (cell_width() + kCellGap);
    if (column < 0 || column >= static_cast<int>(columns_.size())) return -1;
    // Of steps in one cell the last, or the one that is shown.
    const FoldedSteps& steps = columns_[static_cast<std::size_t>(column)];
    const bool shown = steps.first <= model_.current() && model_.current() <= steps.last;
    const int index = shown ? model_.current() : steps.last;
    return index < model_.size() && cell_rect(index).contains(point) ? index : -1;
}

QString TimelineStrip::tip(int index) const {
    if (index < 0 || index >= model_.size()) return {};
    const StepCell& cell = model_.cells()[static_cast<std::size_t>(index)];
    QString text = QStringLiteral("<p><b>");
    text += cell.rule.isEmpty()
                ? tr("Initial program")
                : tr("Step %1: rule %2, %3")
                      .arg(index)
                      .arg(cell.rule, short_rule_name(cell.state->step->match.rule).toHtmlEscaped());
    text += QStringLiteral("</b></p>");
    const auto line = [&text](const QString& plain) {
        text += QStringLiteral("<p>") + plain.toHtmlEscaped() + QStringLiteral("</p>");
    };
    if (cell.state->step) line(translated(cell.state->step->explanation));
    if (cell.state->step) line(tr("Place: %1").arg(cell.place));
    if (cell.before && cell.after)
        line(tr("Buffered edges: %1 → %2").arg(*cell.before).arg(*cell.after));
    else if (!cell.after)
        line(tr("Its buffered edges are not counted yet."));
    if (const auto cost = step_cost(document_, model_, index))
        line(cost->sentence + QLatin1Char(' ') + tr("A double click on it opens its formula."));
    if (best_.is_best(cell.id)) line(best_.sentence());
    if (const QString warning = best_.warning(cell.id); !warning.isEmpty()) line(warning);
    if (cell.snapshot()) line(tr("A snapshot of the algorithm: no rule but an extension applies here."));
    const Proof proof = proofs_.proof(cell.program());
    const bool judged = proof.verdict == Proof::Verdict::Proven || proof.verdict == Proof::Verdict::Wrong;
    line(judged ? tr("This state is %1, by %2.").arg(verdict_text(proof.verdict), proof.oracle)
                : tr("This state is %1.").arg(verdict_text(proof.verdict)));
    if (cell.noted()) line(tr("Note: %1").arg(QString::fromStdString(cell.state->note)));
    return text;
}

void TimelineStrip::update_range() {
    const int width = width_of(static_cast<int>(columns_.size()));
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(cell_width() + kCellGap);
    viewport()->update();
    Q_EMIT moved();
}

void TimelineStrip::show_current() {
    if (model_.current() >= 0) {
        const QRect rect = cell_rect(model_.current());
        const int margin = std::min(cell_width() + kCellGap, viewport()->width() / 3);
        QScrollBar& bar = *horizontalScrollBar();
        if (rect.left() < margin) bar.setValue(bar.value() + rect.left() - margin);
        if (rect.right() > viewport()->width() - margin)
            bar.setValue(bar.value() + rect.right() - viewport()->width() + margin);
    }
    describe();
    viewport()->update();
}

void TimelineStrip::describe() {
    setAccessibleDescription(model_.current() < 0 ? QString() : accessible_cell(model_.current()));
}

QString TimelineStrip::accessible_cell(int index) const {
    if (hidden(index)) return tr("Step %1, which is asked for").arg(index);
    const StepCell& cell = model_.cells()[static_cast<std::size_t>(index)];
    const QString step =
        cell.rule.isEmpty()
            ? tr("Initial program")
            : tr("Step %1 of %2, rule %3 in %4").arg(index).arg(model_.size() - 1).arg(cell.rule, cell.place);
    return best_.is_best(cell.id) ? tr("%1, best state").arg(step) : step;
}

void TimelineStrip::set_hovered(int index) {
    if (index == hovered_) return;
    hovered_ = index;
    viewport()->setCursor(index < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
    viewport()->update();
}

bool TimelineStrip::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = cell_at(help->pos());
        if (index < 0 || hidden(index))
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip(index), viewport(), cell_rect(index));
        return true;
    }
    if (event->type() == QEvent::Leave) set_hovered(-1);
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineStrip::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), colors_of(*this).window);
    if (model_.size() == 0) return;
    const int pitch = cell_width() + kCellGap;
    const int scroll = horizontalScrollBar()->value();
    const int first = std::max(0, (event->rect().left() + scroll - kCellsMargin) / pitch);
    const int last =
        std::min(static_cast<int>(columns_.size()) - 1, (event->rect().right() + scroll) / pitch);
    for (int i = first; i <= last; ++i) {
        const FoldedSteps& steps = columns_[static_cast<std::size_t>(i)];
        if (steps.last < model_.size()) paint_cell(painter, steps.last, cell_rect(steps.last));
    }
    if (!hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    paint_focus_ring(painter, viewport()->rect(), colors_of(*this).accent);
}

void TimelineStrip::paint_cell(QPainter& painter, int index, const QRect& rect) const {
    const Colors& colors = colors_of(*this);
    const StepCell& cell = model_.cells()[static_cast<std::size_t>(index)];
    const FoldedSteps& steps = columns_[static_cast<std::size_t>(column_of(index))];
    const bool current = steps.first <= model_.current() && model_.current() <= steps.last;
    const bool ahead = steps.first > model_.current();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(current ? colors.tint : index == hovered_ ? colors.raised : colors.base);
    painter.setPen(
        QPen(current || (hasFocus() && index == hovered_) ? colors.accent : colors.line, current ? 2 : 1));
    const double half = current ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), 6, 6);
    if (cell.snapshot()) {  // the line after which the snapshot was taken
        painter.fillRect(QRectF(rect.right() + kCellGap / 2.0, rect.top(), 2, rect.height()), colors.accent);
    }
    if (const auto range = selected(); range && range->first <= index && steps.first <= range->second) {
        painter.setPen(QPen(colors.accent, 2, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect).adjusted(3, 3, -3, -3), 4, 4);
    }
    painter.setOpacity(ahead ? 0.72 : 1);
    if (hidden(index)) {
        painter.setPen(colors.muted);
        painter.drawText(rect, Qt::AlignCenter, QStringLiteral("?"));
        return painter.setOpacity(1);
    }
    if (folded(index)) {
        paint_folded(painter, steps, rect, current);
        return painter.setOpacity(1);
    }
    if (compact_) {
        paint_compact(painter, index, rect);
        return painter.setOpacity(1);
    }
    const QRect inner = inside(rect);
    paint_head(painter, cell, inner, current);
    painter.setFont(scaled_font(*this, 0.85));
    painter.setPen(colors.text);
    const int top = inner.top() + unit() + 7;
    paint_two_lines(painter, QRect(inner.left(), top, inner.width() + 2, inner.height()),
                    cell.rule.isEmpty() ? tr("Initial program") : cell.name);
    paint_edges(painter, cell, inner);
    paint_cost(painter, index, inner);
    painter.setOpacity(1);
}

// "2 to 6", and that they move no bytes; which of them is shown.
void TimelineStrip::paint_folded(QPainter& painter, const FoldedSteps& steps, const QRect& rect,
                                 bool current) const {
    const Colors& colors = colors_of(*this);
    const QString range = tr("%1–%2").arg(steps.first).arg(steps.last);
    painter.setFont(scaled_font(*this, 0.85, true));
    painter.setPen(current ? colors.accent : colors.text);
    if (compact_) {
        const QString text = current ? tr("%1 of %2").arg(model_.current()).arg(range) : range;
        return painter.drawText(rect.adjusted(3, 0, -3, 0), Qt::AlignCenter, text);
    }
    const QRect inner = inside(rect);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, range);
    painter.setFont(scaled_font(*this, 0.85));
    painter.setPen(colors.text);
    const QString what = tr("%1 steps, no bytes").arg(steps.last - steps.first + 1);
    const int top = inner.top() + unit() + 7;
    paint_two_lines(painter, QRect(inner.left(), top, inner.width() + 2, inner.height()), what);
    if (current)
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom, tr("Step %1").arg(model_.current()));
}

// "7", the rule, and a sign: the best state's star, else how the step changed what it costs.
void TimelineStrip::paint_compact(QPainter& painter, int index, const QRect& rect) const {
    const Colors& colors = colors_of(*this);
    const StepCell& cell = model_.cells()[static_cast<std::size_t>(index)];
    const bool current = index == model_.current();
    const QRectF inner = QRectF(rect).adjusted(4, 0, -4, 0);
    painter.setFont(scaled_font(*this, 0.85));
    painter.setPen(colors.muted);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft, QString::number(index));
    painter.setFont(scaled_font(*this, 0.85, true));
    painter.setPen(current ? colors.accent : colors.text);
    painter.drawText(inner, Qt::AlignCenter, cell.rule);
    const double size = unit() * 0.85;
    const QRectF sign(inner.right() - size, rect.center().y() - size / 2 + 0.5, size, size);
    if (best_.is_best(cell.id)) return paint_star(painter, sign, colors.accent);
    if (cell.snapshot()) return paint_flag(painter, sign, colors.accent);
    const auto cost = step_cost(document_, model_, index);
    if (!cost || cost->change == 0) return;
    painter.setFont(scaled_font(*this, 0.75));
    painter.setPen(cost->change < 0 ? colors.good : colors.warn);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignRight,
                     cost->change < 0 ? QStringLiteral("\u25bc") : QStringLiteral("\u25b2"));
}

// Rule number to the left; proof, snapshot, fork and note to the right.
void TimelineStrip::paint_head(QPainter& painter, const StepCell& cell, const QRect& inner,
                               bool current) const {
    const Colors& colors = colors_of(*this);
    const double middle = inner.top() + unit() / 2.0 + 1;
    painter.setFont(scaled_font(*this, 0.92, true));
    paint_pill(painter, QPointF(inner.left() - 1, middle), cell.rule.isEmpty() ? tr("start") : cell.rule,
               current ? colors.accent : colors.line, current ? colors.on_accent : colors.text);
    const double size = unit() * 0.92;
    double x = inner.right() + 1 - size;
    const auto next = [&] {
        const QRectF box(x, middle - size / 2, size, size);
        x -= size + 3;
        return box;
    };
    paint_verdict(painter, next(), proofs_.proof(cell.program()).verdict, colors);
    if (best_.is_best(cell.id)) paint_star(painter, next(), colors.accent);
    if (cell.snapshot()) paint_flag(painter, next(), colors.accent);
    if (cell.branch_point) paint_fork(painter, next(), colors.muted);
    if (cell.noted()) paint_note(painter, next(), colors.muted);
}

QString place_beside(double edges, const QString& place, double room, const QFontMetricsF& metrics) {
    constexpr double kLeastGap = 6;
    return metrics.elidedText(place, Qt::ElideLeft,
                              std::max(0.0, std::min(room / 2, room - edges - kLeastGap)));
}

// "24 → 23", the place, and a bar: the state's buffered edges against the most of the run.
void TimelineStrip::paint_edges(QPainter& painter, const StepCell& cell, const QRect& inner) const {
    const Colors& colors = colors_of(*this);
    const Theme theme = theme_of(*this);
    const int bar = 3;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.line);
    const QRectF groove(inner.left(), inner.bottom() - bar + 1, inner.width(), bar);
    painter.drawRoundedRect(groove, 1.5, 1.5);
    const QFontMetricsF metrics(scaled_font(*this, 0.85));
    const QRectF line(inner.left(), groove.top() - metrics.height() - 2, inner.width(), metrics.height());
    const bool changed = cell.after && cell.before && *cell.before != *cell.after;
    const QFont font = scaled_font(*this, 0.85, changed);
    const QString edges = changed      ? QStringLiteral("%1 → %2").arg(*cell.before).arg(*cell.after)
                          : cell.after ? QString::number(*cell.after)
                                       : QString();
    painter.setFont(scaled_font(*this, 0.85));
    painter.setPen(colors.muted);
    const QString place = cell.state->step && cell.state->step->match.path.empty() ? tr("top") : cell.place;
    painter.drawText(
        line, Qt::AlignVCenter | Qt::AlignRight,
        place_beside(QFontMetricsF(font).horizontalAdvance(edges), place, line.width(), metrics));
    if (!cell.after) return;
    painter.setFont(font);
    painter.setPen(colors.text);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, edges);
    QRectF filled = groove;
    filled.setWidth(groove.width() * *cell.after / model_.most_edges());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.buffered);
    painter.drawRoundedRect(filled, 1.5, 1.5);
}

QRect TimelineStrip::inside(const QRect& cell) {
    return cell.adjusted(8, 7, -7, -7);
}

QRectF TimelineStrip::cost_line(const QRect& inner) const {
    const double height = QFontMetricsF(scaled_font(*this, 0.85)).height();
    return {static_cast<double>(inner.left()), inner.bottom() - 4 - 2 * height,
            static_cast<double>(inner.width()), height};
}

// "169 MB" and how the step changed it, above the line of the edges; smaller where both need more room, as
// "136 MFLOP" and "▼ 0.1 %" do.
void TimelineStrip::paint_cost(QPainter& painter, int index, const QRect& inner) const {
    const auto cost = step_cost(document_, model_, index);
    if (!cost) return;
    const Colors& colors = colors_of(*this);
    const QRectF line = cost_line(inner);
    constexpr double kGapBetween = 5;
    const QFontMetricsF metrics(scaled_font(*this, 0.85));
    const double needed =
        metrics.horizontalAdvance(cost->amount) + metrics.horizontalAdvance(cost->change_text) + kGapBetween;
    painter.setFont(scaled_font(*this, 0.85 * std::min(1.0, line.width() / needed)));
    painter.setPen(colors.text);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, cost->amount);
    painter.setPen(cost->change < 0 ? colors.good : cost->change > 0 ? colors.warn : colors.muted);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, cost->change_text);
}

void TimelineStrip::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    update_range();
    show_current();
}

void TimelineStrip::mousePressEvent(QMouseEvent* event) {
    const int index = cell_at(event->pos());
    if (event->button() != Qt::LeftButton || index < 0) return QAbstractScrollArea::mousePressEvent(event);
    if (event->modifiers() & Qt::ShiftModifier) return extend_selection(index);
    anchor_ = reach_ = -1;
    viewport()->update();
    document_.go(model_.cells()[static_cast<std::size_t>(index)].id, document_.content().branch);
}

// Step 0 is no step.
void TimelineStrip::extend_selection(int index) {
    if (anchor_ < 0) anchor_ = std::max(1, model_.current());
    reach_ = std::clamp(index, 1, std::max(1, model_.size() - 1));
    setAccessibleDescription(
        tr("Steps %1 to %2 are selected").arg(selected()->first).arg(selected()->second));
    viewport()->update();
}

std::optional<std::pair<int, int>> TimelineStrip::selected() const {
    if (anchor_ < 0 || std::max(anchor_, reach_) >= model_.size()) return std::nullopt;
    return std::minmax(anchor_, reach_);
}

// Where the cost that the cell shows comes from.
void TimelineStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    const int index = cell_at(event->pos());
    if (event->button() != Qt::LeftButton || index < 0 || compact_ ||
        !cost_line(inside(cell_rect(index))).contains(event->pos()))
        return QAbstractScrollArea::mouseDoubleClickEvent(event);
    costs_.ask_for_derivation(model_.cells()[static_cast<std::size_t>(index)].id,
                              heat_column(shown_metric(document_)));
}

void TimelineStrip::mouseMoveEvent(QMouseEvent* event) {
    set_hovered(cell_at(event->pos()));
}

// The strip has one direction: a vertical wheel moves it too.
void TimelineStrip::wheelEvent(QWheelEvent* event) {
    const QPoint angle = event->angleDelta();
    const int delta = std::abs(angle.x()) > std::abs(angle.y()) ? angle.x() : angle.y();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta);
    set_hovered(cell_at(event->position().toPoint()));
    event->accept();
}

void TimelineStrip::keyPressEvent(QKeyEvent* event) {
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (sideways && event->modifiers() == Qt::ShiftModifier) {
        const int from = anchor_ < 0 ? model_.current() : reach_;
        return extend_selection(from + (event->key() == Qt::Key_Left ? -1 : 1));
    }
    switch (event->key()) {
        case Qt::Key_Left:
            return document_.back();
        case Qt::Key_Right:
            return document_.forward();
        case Qt::Key_Home:
            return document_.home();
        case Qt::Key_End:
            return document_.end();
        default:
            return QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineStrip::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::PaletteChange) return;
    measure_names();
    updateGeometry();
    update_range();
}

}  // namespace blockscope
