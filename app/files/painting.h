// PDF files with pages in pixels at 96 to the inch, always the same bytes for the same drawing.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QPainter>
#include <QSize>
#include <QSizeF>
#include <functional>
#include <string>

#include "app/files/svg.h"

namespace blockscope {

// `paint` draws one page after the other, 0 .. pages - 1, each `size` pixels large.
QByteArray write_pdf(const std::string& title, QSizeF size, int pages,
                     const std::function<void(QPainter&, int page)>& paint);

// Pictures as files: one painting, written in any of the formats that are painted (app/files/file_formats.h).
// The same painting gives the same bytes.

struct PaintedFile {
    QSizeF size;              // units: pixels at scale 1
    double scale = 2;         // pixels per unit, of formats that are made of pixels
    std::string title;        // what the file calls itself, for screen readers and PDF viewers
    std::string description;  // one sentence of SVG files; may be empty
    std::string kind;         // class of the SVG's parts
    // Paints all of `size`. `scale`: pixels per unit where it is painted on pixels, else 1. `parts` is there
    // where parts can be told apart: each is to be announced by VectorDevice::start.
    std::function<void(QPainter&, double scale, VectorDevice* parts)> paint;
    // The SVG's body where it is not simply what `paint` draws; may be empty.
    std::function<std::string()> svg_body = {};
};

// Empty if `format` is not painted, or the image would have more than 500 million pixels. Needs a
// QGuiApplication.
QByteArray write_painting(const std::string& format, const PaintedFile& painting);

// The painting as pixels. Null if it would have more than 500 million.
QImage painted_image(const PaintedFile& painting);
// The painting as large as `room` shows it, with all that it has at scale 1.
QImage fitted_image(const PaintedFile& painting, const QSize& room);

}  // namespace blockscope
