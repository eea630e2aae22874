// Text on slides and pages of paper. Internal to app/export.
#pragma once

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

namespace blockscope {

// How a text is set: its height in pixels, and what else.
struct Lettering {
    int pixels = 14;
    bool bold = false;
    bool italic = false;
    bool fixed = false;  // all letters of one width: of programs and listings
};
QFont lettering_font(const Lettering& type);

// The height of a wrapped text; 0 of none.
double text_height(const Lettering& type, double width, const QString& text);
// The width of the longest line of a text that is not wrapped.
double text_width(const Lettering& type, const QString& text);
// Wrapped, from the top of `rect` on. Returns where it ends below.
double put_text(QPainter& painter, const Lettering& type, const QColor& colour, const QRectF& rect,
                const QString& text);
// One line, aligned in `rect` and made smaller if it is wider.
void put_line(QPainter& painter, const Lettering& type, const QColor& colour, const QRectF& rect,
              const QString& text, Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
// The largest of the sizes `most` .. `least` with which the text is no higher than `height`; `least` if none.
int fitting_pixels(Lettering type, int most, int least, double width, double height, const QString& text);

}  // namespace blockscope
