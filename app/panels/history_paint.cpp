// How the history's tree is painted.
#include <QPaintEvent>
#include <QPainterPath>
#include <algorithm>

#include "app/panels/history_tree.h"
#include "app/panels/step_look.h"

namespace blockscope {

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
    const double size = unit() * 0.92;
    const auto next = [&] {
        const QRectF box(right - size, middle - size / 2, size, size);
        right -= size + 4;
        return box;
    };
    const std::vector<StateId>& compared = document_.content().compared;
    paint_verdict(painter, next(), proofs_.proof(state.program).verdict, colors);
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
        painter.setPen(current && hasFocus() ? QPen(colors.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(fill);
        painter.drawRoundedRect(rect.adjusted(4.5, 0.5, -4.5, -0.5), 5, 5);
    }
    const double middle = rect.center().y();
    double x = text_x(row);
    double right = rect.right() - 10;
    painter.setFont(scaled_font(*this, 0.85, true));
    for (std::size_t i = 0; i < shown.branches.size(); ++i) {
        const QRectF pill = pill_rect(row, static_cast<int>(i));
        const bool on = shown.branches[i] == document_.content().branch;
        const QString name = QString::fromStdString(history.branch(shown.branches[i]).name);
        paint_pill(painter, {pill.left(), middle},
                   QFontMetrics(painter.font()).elidedText(name, Qt::ElideRight, viewport()->width() / 3),
                   on ? colors.accent : colors.line, on ? colors.on_accent : colors.text);
        right = pill.left() - 6;
    }
    if (!shown.collapsed()) {
        right = paint_marks(painter, state, right, middle);
        painter.setFont(scaled_font(*this, 0.85, true));
        if (state.step) {
            paint_pill(painter, {x, middle}, rule_text(state.step->match.rule), colors.line, colors.text);
            x += unit() * 2.7;
        }
        painter.setFont(scaled_font(*this, 0.88));
        painter.setPen(colors.muted);
        if (const auto edges = edges_.of(state.program)) {
            const QString count = QString::number(*edges);
            painter.drawText(QRectF(x, rect.top(), right - x, rect.height()),
                             Qt::AlignRight | Qt::AlignVCenter, count);
            right -= QFontMetricsF(painter.font()).horizontalAdvance(count) + 8;
        }
    }
    painter.setFont(font());
    painter.setPen(shown.collapsed() ? colors.muted : colors.text);
    const QRectF room(x, rect.top(), std::max(0.0, right - x), rect.height());
    painter.drawText(room, Qt::AlignVCenter,
                     QFontMetricsF(font()).elidedText(row_text(row), Qt::ElideRight, room.width()));
}

}  // namespace blockscope
