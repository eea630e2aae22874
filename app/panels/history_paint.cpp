// How the history's tree is painted: what a row has room for, and where it stands.
#include <QPaintEvent>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <set>

#include "app/panels/history_panel.h"
#include "app/shell/step_look.h"

namespace blockscope {

namespace {

// Pixels of a row, and heights of its text.
constexpr double kRowAir = 6, kPillGap = 5, kMarkGap = 3;
constexpr double kMarkSize = 0.92, kLeastPill = 2;

}  // namespace

// Where the words of the row begin, behind the number of its rule.
double HistoryTree::words_x(int row) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const bool step = !shown.collapsed() && document_.content().history.state(shown.first()).step != nullptr;
    return text_x(row) + (step ? unit() * 2.7 : 0);
}

// Proof, best state, snapshot, note, and that it is compared.
double HistoryTree::marks_width(const HistoryState& state) const {
    const std::vector<StateId>& compared = document_.content().compared;
    const auto marks = 1 + (best_.is_best(state.id) ? 1 : 0) + (state.snapshot ? 1 : 0) +
                       (state.note.empty() ? 0 : 1) +
                       (std::find(compared.begin(), compared.end(), state.id) != compared.end() ? 1 : 0);
    return marks * (unit() * kMarkSize + kMarkGap);
}

// The name of the branch, shortened before the name of the rule beside it is, whose letters get smaller
// first.
QString HistoryTree::pill_text(int row, int branch) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const QFont small = scaled_font(*this, 0.85, true);
    double room = viewport()->width() / 3.0;
    if (!shown.collapsed()) {
        const auto count = static_cast<double>(shown.branches.size());
        const HistoryState& state = document_.content().history.state(shown.last());
        const QFont smallest = fitted_font(*this, row_name(row), 0, 1);
        const double words = std::ceil(QFontMetricsF(smallest).horizontalAdvance(row_name(row)));
        const double left = row_rect(row).right() - kRowAir - kPillGap - marks_width(state) - words_x(row) -
                            words - (count - 1) * kMarkGap;
        room = std::clamp(left / count - pill_width(small, QString()), unit() * kLeastPill,
                          std::max(room, unit() * kLeastPill));
    }
    const QString name = QString::fromStdString(document_.content().history.branch(branch).name);
    return QFontMetricsF(small).elidedText(name, Qt::ElideRight, room);
}

// In this width: all of it, else the name of the rule with the end of its place, or alone.
QString HistoryTree::words_in(int row, double width) const {
    QString whole = row_text(row), name = row_name(row);
    const QFontMetricsF metrics(fitted_font(*this, whole, width, 1));
    if (whole == name || metrics.horizontalAdvance(whole) <= width) return whole;
    const double left = width - metrics.horizontalAdvance(tr("%1 · %2").arg(name, QString()));
    const QString place = metrics.elidedText(row_place(row), Qt::ElideLeft, std::max(0.0, left));
    return place.size() > 1 ? tr("%1 · %2").arg(name, place) : name;
}

QString HistoryTree::shown_words(int row) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    double right = row_rect(row).right() - kRowAir;
    if (!shown.branches.empty())
        right = pill_rect(row, static_cast<int>(shown.branches.size()) - 1).left() - kPillGap;
    if (!shown.collapsed()) right -= marks_width(document_.content().history.state(shown.last()));
    const double room = std::max(0.0, right - words_x(row));
    const QString words = words_in(row, room);
    return QFontMetricsF(fitted_font(*this, words, room, 1)).elidedText(words, Qt::ElideRight, room);
}

QRectF HistoryTree::pill_rect(int row, int which) const {
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const QRectF rect = row_rect(row);
    const QFont small = scaled_font(*this, 0.85, true);
    double right = rect.right() - kRowAir;
    for (int i = 0;; ++i) {
        const double width = pill_width(small, pill_text(row, shown.branches[static_cast<std::size_t>(i)]));
        const double height = QFontMetricsF(small).height() + 2;
        if (i == which) return {right - width, rect.center().y() - height / 2, width, height};
        right -= width + kMarkGap;
    }
}

void HistoryTree::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), colors_of(*this).base);
    if (rows_.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const int first = std::max(0, row_at({0, std::max(event->rect().top(), row_rect(0).top())}));
    const int last = row_at(event->rect().bottomLeft());
    const int end = last < 0 ? static_cast<int>(rows_.size()) - 1 : last;
    for (int row = first; row <= end; ++row) paint_row(painter, row);
    paint_lines(painter, event->rect());
    for (int row = first; row <= end; ++row) paint_dot(painter, row);
}

// From every row's dot to the one before it; the way of the branch that is shown is wider.
void HistoryTree::paint_lines(QPainter& painter, const QRect& visible) const {
    const Colors& colors = colors_of(*this);
    const History& history = document_.content().history;
    const std::vector<StateId> way = history.path(history.branch(document_.content().branch).tip);
    const std::set<StateId> shown(way.begin(), way.end());
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const HistoryRow& row = rows_[i];
        if (row.parent < 0) continue;
        const HistoryRow& before = rows_[static_cast<std::size_t>(row.parent)];
        const QPointF from(lane_x(before.lane), row_rect(row.parent).center().y());
        const QPointF to(lane_x(row.lane), row_rect(static_cast<int>(i)).center().y());
        if (to.y() < visible.top() || from.y() > visible.bottom()) continue;
        const bool on_way = shown.count(row.first()) > 0;
        painter.setPen(QPen(on_way ? colors.accent : colors.muted, on_way ? 2.2 : 1.3,
                            row.collapsed() ? Qt::DotLine : Qt::SolidLine, Qt::RoundCap));
        QPainterPath path(from);
        if (from.x() == to.x()) {
            path.lineTo(to);
        } else {
            const double bend = row_height() * 0.9;
            path.cubicTo(from + QPointF(0, bend * 0.7), QPointF(to.x(), from.y() + bend * 0.3),
                         QPointF(to.x(), from.y() + bend));
            path.lineTo(to);
        }
        painter.drawPath(path);
    }
}

void HistoryTree::paint_dot(QPainter& painter, int row) const {
    const Colors& colors = colors_of(*this);
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const QPointF middle(lane_x(shown.lane), row_rect(row).center().y());
    const double size = unit();
    painter.setPen(QPen(colors.base, 2));
    if (shown.collapsed()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.base);
        painter.drawRect(QRectF(middle.x() - 4, middle.y() - size * 0.62, 8, size * 1.24));
        painter.setBrush(colors.muted);
        for (const double y : {-0.36, 0.0, 0.36})
            painter.drawEllipse(middle + QPointF(0, y * size), size * 0.1, size * 0.1);
        return;
    }
    const bool current = row == current_row();
    painter.setBrush(current ? colors.accent : colors.muted);
    painter.drawEllipse(middle, size * 0.38, size * 0.38);
    if (!current) return;
    painter.setPen(QPen(colors.accent, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(middle, size * 0.55, size * 0.55);
}

// Proof, snapshot, note and the mark of compared states, from the right; returns what is left of them.
double HistoryTree::paint_marks(QPainter& painter, const HistoryState& state, double right,
                                double middle) const {
    const Colors& colors = colors_of(*this);
    const double size = unit() * kMarkSize;
    const auto next = [&] {
        const QRectF box(right - size, middle - size / 2, size, size);
        right -= size + kMarkGap;
        return box;
    };
    const std::vector<StateId>& compared = document_.content().compared;
    paint_verdict(painter, next(), proofs_.proof(state.program).verdict, colors);
    if (best_.is_best(state.id)) paint_star(painter, next(), colors.accent);
    if (state.snapshot) paint_flag(painter, next(), colors.accent);
    if (!state.note.empty()) paint_note(painter, next(), colors.muted);
    if (std::find(compared.begin(), compared.end(), state.id) != compared.end()) {
        const QRectF box = next().adjusted(1, 2, -1, -2);  // two sheets side by side
        painter.setPen(QPen(colors.accent, 1.3));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(box.left(), box.top(), box.width() * 0.42, box.height()));
        painter.drawRect(
            QRectF(box.left() + box.width() * 0.58, box.top(), box.width() * 0.42, box.height()));
    }
    return right;
}

void HistoryTree::paint_row(QPainter& painter, int row) const {
    const Colors& colors = colors_of(*this);
    const HistoryRow& shown = rows_[static_cast<std::size_t>(row)];
    const History& history = document_.content().history;
    const HistoryState& state = history.state(shown.last());
    const QRectF rect = row_rect(row);
    const bool current = row == current_row();
    if (current || row == hovered_) {
        QColor fill = colors.tint;
        fill.setAlphaF(current ? 1.0F : 0.5F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(rect.adjusted(4, 0, -4, 0), 5, 5);
    }
    if (current && hasFocus()) paint_focus_ring(painter, rect.adjusted(4, 0, -4, 0), colors.accent, 5);
    const double middle = rect.center().y();
    double right = rect.right() - kRowAir;
    painter.setFont(scaled_font(*this, 0.85, true));
    for (std::size_t i = 0; i < shown.branches.size(); ++i) {
        const QRectF pill = pill_rect(row, static_cast<int>(i));
        const bool on = shown.branches[i] == document_.content().branch;
        paint_pill(painter, {pill.left(), middle}, pill_text(row, shown.branches[i]),
                   on ? colors.accent : colors.line, on ? colors.on_accent : colors.text);
        right = pill.left() - kPillGap;
    }
    const double x = words_x(row);
    if (!shown.collapsed()) {
        right = paint_marks(painter, state, right, middle);
        painter.setFont(scaled_font(*this, 0.85, true));
        if (state.step) {
            paint_pill(painter, {text_x(row), middle}, rule_text(state.step->match.rule), colors.line,
                       colors.text);
        }
        painter.setFont(scaled_font(*this, 0.88));
        painter.setPen(colors.muted);
        const QString count =
            edges_.of(state.program) ? QString::number(*edges_.of(state.program)) : QString();
        const double taken = QFontMetricsF(painter.font()).horizontalAdvance(count) + 8;
        // The name of the rule comes before the number.
        if (!count.isEmpty() && QFontMetricsF(font()).horizontalAdvance(row_text(row)) <= right - x - taken) {
            painter.drawText(QRectF(x, rect.top(), right - x, rect.height()),
                             Qt::AlignRight | Qt::AlignVCenter, count);
            right -= taken;
        }
    }
    painter.setPen(shown.collapsed() ? colors.muted : colors.text);
    draw_fitted(painter, QRectF(x, rect.top(), std::max(0.0, right - x), rect.height()),
                words_in(row, right - x), *this, 1, false);
}

}  // namespace blockscope
