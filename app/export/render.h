// Pictures to files. The same picture and options give the same bytes.
#pragma once

#include <QByteArray>
#include <optional>
#include <string>

#include "app/scene/paint.h"

namespace blockscope {

struct RenderOptions {
    Theme theme = Theme::light();
    Lights lights;             // what glows
    std::optional<Rect> part;  // picture coordinates; none: everything
    bool background = true;    // else transparent (white paper in PDF)
    double scale = 2;          // pixels per unit, of formats that are made of pixels
    bool types = false;        // edges carry their types
    bool legend = false;
    std::string caption;  // one line under the picture; may be empty
    std::string title;    // what the file calls itself, for screen readers and PDF viewers
};

// In a format that is painted (app/files/file_formats.h); empty for others, and for an image that would have
// more than 500 million pixels.
QByteArray render_bytes(const std::string& format, const Picture& picture, const RenderOptions& options);
// Null if it would have more than 500 million pixels.
QImage render_image(const Picture& picture, const RenderOptions& options);
// As large as `room` shows it, with all details of the picture at scale 1.
QImage render_preview(const Picture& picture, const RenderOptions& options, const QSize& room);

}  // namespace blockscope
