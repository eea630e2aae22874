// Colours, pens and fonts of a picture. Every meaning of a colour is repeated by a shape, a pattern or a
// width.
#pragma once

#include <QColor>
#include <QFont>

#include "app/figure/figure.h"

namespace blockscope {

struct Theme {
    bool dark = false;
    QColor canvas, ink, faint;              // background, text and unbuffered edges, secondary text
    QColor box, box_rim;                    // functional operators
    QColor formula, formula_rim;            // elementwise operators
    QColor array, array_rim;                // inputs and outputs
    QColor opaque, opaque_rim;              // miscellaneous operators (hatched)
    QColor frame_rim, frame_fill;           // maps (dotted rim); the fill deepens a little with each level
    QColor buffered;                        // red edges (wide)
    QColor selected, hovered, value;        // outlines and the way of a value
    QColor match, culprit, made, search;    // glows (each with its own dash or corner mark)
    QColor removed, added, moved, changed;  // structural difference
    QColor cold, hot;                       // ends of the heat map; in between is mixed
    bool operator==(const Theme&) const = default;

    static Theme light();
    static Theme dark_theme();
};

// The fill of a frame inside `depth` others: from the canvas towards frame_fill, which it never passes.
QColor frame_fill(const Theme& theme, int depth);

// `share` of `b`, the rest of `a`.
QColor mixed(const QColor& a, const QColor& b, double share);

// The contrast ratio of WCAG 2, 1 .. 21. Both colours opaque.
double contrast(const QColor& a, const QColor& b);

// The font of everything drawn (pixel sizes, so that screens and files agree).
QFont picture_font(TextRole role);
// Measures with picture_font().
Measure qt_measure();

}  // namespace blockscope
