// What the stepping panels share: colours, short texts of places and proofs, small drawn marks.
#pragma once

#include <QPainter>
#include <QString>
#include <QStyleOptionViewItem>
#include <QWidget>

#include "app/document/proofs.h"
#include "app/shell/appearance.h"

namespace blockscope {

// The window's colours and theme, as the palette of `widget` says: light or dark.
const Colors& colors_of(const QWidget& widget);
Theme theme_of(const QWidget& widget);

// The dimensions of the maps around a level: "M › N", or "top level".
QString place_text(const BlockProgram& program, const std::vector<NodeId>& path);
// "1", "6a": as badges show it.
QString rule_text(RuleId id);
// "fuse loops": where there is little room.
QString short_rule_name(RuleId id);

// "proven", "wrong", "not proven yet", "too large to prove", "not proven: it cannot be evaluated",
// "not proven: cancelled"
QString verdict_text(Proof::Verdict verdict);

// Tick, cross, clock, tilde or a bar in a circle: the shape says what the colour says.
void paint_verdict(QPainter& painter, const QRectF& box, Proof::Verdict verdict, const Colors& colors);
// A flag: a snapshot of the algorithm.
void paint_flag(QPainter& painter, const QRectF& box, const QColor& color);
// A star: the best state.
void paint_star(QPainter& painter, const QRectF& box, const QColor& color);
// A line that forks: several branches go on from here.
void paint_fork(QPainter& painter, const QRectF& box, const QColor& color);
// A sheet with lines: there is a note.
void paint_note(QPainter& painter, const QRectF& box, const QColor& color);
// Text on a rounded plate; returns its width. `at` is the middle of its left side.
double paint_pill(QPainter& painter, QPointF at, const QString& text, const QColor& fill, const QColor& ink);
double pill_width(const QFont& font, const QString& text);

// Around what has the keyboard, the same everywhere: 2 pixels wide, within `area`.
void paint_focus_ring(QPainter& painter, const QRectF& area, const QColor& color, double radius = 0);

// Under a row of a list that is selected or pointed at, with a rim where it has the focus; `side` pixels
// narrower.
void paint_row_ground(QPainter& painter, const QStyleOptionViewItem& option, const Colors& colors,
                      double side);

// The widget's font, `size` as large, or as much smaller as the line needs, down to 11 pixels; `width` in
// pixels.
QFont fitted_font(const QWidget& view, const QString& text, double width, double size, bool bold = false);
// One line at the left of `room`, in smaller letters where it has none; only then it ends with an ellipsis.
void draw_fitted(QPainter& painter, const QRectF& room, const QString& text, const QWidget& view, double size,
                 bool bold);

// The font of `widget`, `share` as large.
QFont scaled_font(const QWidget& widget, double share, bool bold = false);

}  // namespace blockscope
