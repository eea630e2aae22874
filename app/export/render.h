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
    bool types = false;        // edges carry their types
    bool legend = false;
    std::string caption;  // one line under the picture; may be empty
    std::string title;    // what the file calls itself, for screen readers and PDF viewers
};

std::string render_svg(const Picture& picture, const RenderOptions& options);
QByteArray render_pdf(const Picture& picture, const RenderOptions& options);
// `scale` pixels per unit. Null if the image would have more than 500 million pixels.
QImage render_image(const Picture& picture, const RenderOptions& options, double scale);
QByteArray render_png(const Picture& picture, const RenderOptions& options, double scale);

}  // namespace blockscope
