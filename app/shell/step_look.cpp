#include "app/shell/step_look.h"

#include <QCoreApplication>
#include <QPainterPath>
#include <cmath>
#include <numbers>

#include "app/words/words.h"
#include "core/rules/conditions.h"

namespace blockscope {

namespace {

bool is_dark(const QWidget& widget) {
    return widget.palette().color(QPalette::Base).lightness() < 128;
}

struct Stepping {
    Q_DECLARE_TR_FUNCTIONS(stepping)
};

QPen stroke(const QColor& color, double width) {
    return {color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

}  // namespace

const Colors& colors_of(const QWidget& widget) {
    return window_colors(is_dark(widget));
}

Theme theme_of(const QWidget& widget) {
    return is_dark(widget) ? Theme::dark_theme() : Theme::light();
}

QString place_text(const BlockProgram& program, const std::vector<NodeId>& path) {
    if (path.empty()) return Stepping::tr("top level");
    QStringList names;
    for (const std::string& name : path_dims(program, path)) names << QString::fromStdString(name);
    return names.join(QStringLiteral(" › "));
}

QString rule_text(RuleId id) {
    return QString::fromStdString(to_string(id));
}

QString short_rule_name(RuleId id) {
    return translated(rule(id).short_name);
}

QString verdict_text(Proof::Verdict verdict) {
    switch (verdict) {
        case Proof::Verdict::Proven:
            return Stepping::tr("proven");
        case Proof::Verdict::Wrong:
            return Stepping::tr("wrong");
        case Proof::Verdict::TooLarge:
            return Stepping::tr("too large to prove");
        case Proof::Verdict::Undecided:
            return Stepping::tr("not proven: it cannot be evaluated");
        case Proof::Verdict::Cancelled:
            return Stepping::tr("not proven: cancelled");
        case Proof::Verdict::Waiting:
            break;
    }
    return Stepping::tr("not proven yet");
}

void paint_verdict(QPainter& painter, const QRectF& box, Proof::Verdict verdict, const Colors& colors) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 12, box.height() / 12);
    switch (verdict) {
        case Proof::Verdict::Proven:
            painter.setPen(stroke(colors.good, 1.9));
            painter.drawPolyline(QPolygonF{{1.8, 6.6}, {4.6, 9.4}, {10.2, 2.8}});
            break;
        case Proof::Verdict::Wrong:
            painter.setPen(stroke(colors.bad, 1.9));
            painter.drawLine(QPointF(2.4, 2.4), QPointF(9.6, 9.6));
            painter.drawLine(QPointF(9.6, 2.4), QPointF(2.4, 9.6));
            break;
        case Proof::Verdict::Waiting:
            painter.setPen(stroke(colors.muted, 1.2));
            painter.drawEllipse(QPointF(6, 6), 4.6, 4.6);
            painter.drawPolyline(QPolygonF{{6, 3.4}, {6, 6.2}, {7.9, 7.3}});
            break;
        case Proof::Verdict::Cancelled:
            painter.setPen(stroke(colors.muted, 1.2));
            painter.drawEllipse(QPointF(6, 6), 4.6, 4.6);
            painter.drawLine(QPointF(3.8, 6), QPointF(8.2, 6));
            break;
        case Proof::Verdict::TooLarge:
        case Proof::Verdict::Undecided: {
            painter.setPen(stroke(colors.warn, 1.7));
            QPainterPath tilde(QPointF(1.6, 7.4));
            tilde.cubicTo(3.6, 2.6, 5.6, 4.8, 6.2, 6);
            tilde.cubicTo(7, 7.6, 8.8, 8.8, 10.4, 4.6);
            painter.drawPath(tilde);
            break;
        }
    }
    painter.restore();
}

void paint_flag(QPainter& painter, const QRectF& box, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 12, box.height() / 12);
    painter.setPen(stroke(color, 1.4));
    painter.drawLine(QPointF(2.8, 1.4), QPointF(2.8, 11));
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{{2.8, 1.8}, {10.2, 4}, {2.8, 6.6}});
    painter.restore();
}

void paint_star(QPainter& painter, const QRectF& box, const QColor& color) {
    constexpr int kPoints = 5;
    constexpr double kAngle = std::numbers::pi / kPoints, kInner = 0.42;
    QPolygonF star;
    for (int i = 0; i < 2 * kPoints; ++i) {
        const double radius = (i % 2 == 0 ? 0.5 : 0.5 * kInner) * box.width();
        star << box.center() + radius * QPointF(std::sin(i * kAngle), -std::cos(i * kAngle));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 0.08 * box.width(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(color);
    painter.drawPolygon(star);
    painter.restore();
}

void paint_fork(QPainter& painter, const QRectF& box, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 12, box.height() / 12);
    painter.setPen(stroke(color, 1.4));
    QPainterPath path(QPointF(3, 1.2));
    path.lineTo(3, 10.8);
    path.moveTo(3, 7.4);
    path.cubicTo(3, 4.6, 9, 6.6, 9, 2.6);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(9, 2.2), 1.1, 1.1);
    painter.restore();
}

void paint_note(QPainter& painter, const QRectF& box, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 12, box.height() / 12);
    painter.setPen(stroke(color, 1.1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(2, 1.2, 8, 9.6), 1.4, 1.4);
    for (const double y : {4.0, 6.1, 8.2}) painter.drawLine(QPointF(4, y), QPointF(8, y));
    painter.restore();
}

double pill_width(const QFont& font, const QString& text) {
    const QFontMetricsF metrics(font);
    return std::max(metrics.height(), metrics.horizontalAdvance(text) + metrics.height() * 0.75);
}

double paint_pill(QPainter& painter, QPointF at, const QString& text, const QColor& fill, const QColor& ink) {
    const double height = QFontMetricsF(painter.font()).height() + 2;
    const double width = pill_width(painter.font(), text);
    const QRectF box(at.x(), at.y() - height / 2, width, height);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, height / 2, height / 2);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
    return width;
}

void paint_focus_ring(QPainter& painter, const QRectF& area, const QColor& color, double radius) {
    painter.setPen(QPen(color, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), radius, radius);
}

void paint_row_ground(QPainter& painter, const QStyleOptionViewItem& option, const Colors& colors,
                      double side) {
    const bool selected = option.state & QStyle::State_Selected;
    if (!selected && !(option.state & QStyle::State_MouseOver)) return;
    QColor fill = colors.tint;
    fill.setAlphaF(selected ? 1.0F : 0.5F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(side, 1, -side, -1), 5, 5);
    if (!(option.state & QStyle::State_HasFocus)) return;
    paint_focus_ring(painter, QRectF(option.rect).adjusted(side, 1, -side, -1), colors.accent, 5);
}

QFont fitted_font(const QWidget& view, const QString& text, double width, double size, bool bold) {
    constexpr double kLeastLetters = 11;  // pixels
    const double whole = std::max(1, QFontInfo(view.font()).pixelSize());
    const QFont font = scaled_font(view, size, bold);
    const double needed = QFontMetricsF(font).horizontalAdvance(text);
    if (needed <= width) return font;
    const double least = std::min(whole * size, kLeastLetters);
    // In whole pixels, which scaled_font() does not round up again. The widths of letters are rounded, too.
    for (int pixels = static_cast<int>(whole * size); pixels > least; --pixels) {
        const QFont smaller = scaled_font(view, pixels / whole, bold);
        if (QFontMetricsF(smaller).horizontalAdvance(text) <= width) return smaller;
    }
    return scaled_font(view, least / whole, bold);
}

void draw_fitted(QPainter& painter, const QRectF& room, const QString& text, const QWidget& view, double size,
                 bool bold) {
    const QFont font = fitted_font(view, text, room.width(), size, bold);
    painter.setFont(font);
    painter.drawText(room, Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(text, Qt::ElideRight, room.width()));
}

QFont scaled_font(const QWidget& widget, double share, bool bold) {
    QFont font = widget.font();
    const int pixels = font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize();
    font.setPixelSize(std::max(8, qRound(pixels * share)));
    font.setBold(bold);
    return font;
}

}  // namespace blockscope
