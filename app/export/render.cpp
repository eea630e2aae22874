#include "app/export/render.h"

#include <QFontMetricsF>
#include <cmath>

#include "app/files/painting.h"
#include "app/files/svg.h"
#include "app/scene/legend.h"

namespace blockscope {

namespace {

constexpr double kCaptionMargin = 12;  // around the caption and the legend
constexpr double kTypesScale = 1.3;    // the painter writes types from this scale on

// The picture, a caption under it and a legend under that, in pixels at scale 1 from (0, 0).
class Sheet {
public:
    Sheet(const Picture& picture, const RenderOptions& options)
        : picture_(picture), options_(options), part_(options.part.value_or(picture.geometry.bounds)) {
        const QFontMetricsF metrics(caption_font());
        width_ = part_.width;
        if (!options.caption.empty()) {
            caption_height_ = metrics.height() + kCaptionMargin;
            width_ = std::max(width_, metrics.horizontalAdvance(caption()) + 2 * kCaptionMargin);
        }
        if (options.legend) {
            signs_ = signs_of(picture, options.lights);
            columns_ = std::max(2, legend_columns(signs_, width_));
            legend_ = legend_size(signs_, columns_);
            width_ = std::max(width_, legend_.width);
        }
    }

    Rect rect() const {
        return {0, 0, std::ceil(width_), std::ceil(part_.height + caption_height_ + legend_.height)};
    }

    const Rect& part() const { return part_; }
    // Where the picture's origin comes to lie, and what it covers.
    Point picture_at() const { return {(rect().width - part_.width) / 2 - part_.x, -part_.y}; }
    Rect picture_rect() const { return part_.moved(picture_at().x, picture_at().y); }

    void paint_background(QPainter& painter) const {
        if (!options_.background) return;
        painter.setPen(Qt::NoPen);
        painter.setBrush(options_.theme.canvas);
        painter.drawRect(QRectF(0, 0, rect().width, rect().height));
    }

    void paint_picture(QPainter& painter, double scale) const {
        painter.save();
        painter.translate(picture_at().x, picture_at().y);
        if (options_.part) painter.setClipRect(QRectF(part_.x, part_.y, part_.width, part_.height));
        paint(painter, picture_, options_.theme, options_.lights, part_, scale);
        painter.restore();
    }

    void paint_words(QPainter& painter) const {
        if (!options_.caption.empty()) {
            painter.setFont(caption_font());
            painter.setPen(options_.theme.ink);
            painter.drawText(QRectF(0, part_.height, rect().width, caption_height_ - kCaptionMargin / 2),
                             Qt::AlignCenter, caption());
        }
        if (!options_.legend) return;
        painter.save();
        painter.translate((rect().width - legend_.width) / 2, part_.height + caption_height_);
        paint_legend(painter, options_.theme, signs_, columns_);
        painter.restore();
    }

private:
    static QFont caption_font() {
        QFont font = picture_font(TextRole::Label);
        font.setPixelSize(14);
        return font;
    }
    QString caption() const { return QString::fromStdString(options_.caption); }

    const Picture& picture_;
    const RenderOptions& options_;
    Rect part_;
    double width_ = 0, caption_height_ = 0;
    Signs signs_;  // what the legend explains
    Size legend_;
    int columns_ = 1;
};

void paint_sheet(QPainter& painter, const Sheet& sheet, double scale) {
    sheet.paint_background(painter);
    sheet.paint_picture(painter, scale);
    sheet.paint_words(painter);
}

// SVG that shows nothing outside `rect`.
std::string clipped_to_seen(const std::string& parts, const Rect& rect) {
    return "<clipPath id=\"seen\"><rect x=\"" + svg_number(rect.x) + "\" y=\"" + svg_number(rect.y) +
           "\" width=\"" + svg_number(rect.width) + "\" height=\"" + svg_number(rect.height) +
           "\"/></clipPath>\n<g clip-path=\"url(#seen)\">\n" + parts + "</g>\n";
}

double detail(const RenderOptions& options) {
    return options.types ? kTypesScale : 1;
}

// The parts of the picture in groups that can be told apart, the words beside it in one of their own.
std::string svg_body(const Picture& picture, const RenderOptions& options, const Sheet& sheet) {
    VectorDevice words;
    VectorDevice drawing;
    QPainter painter(&words);
    words.start(" class=\"words\"");
    sheet.paint_background(painter);
    sheet.paint_words(painter);
    painter.end();
    painter.begin(&drawing);
    const Point at = sheet.picture_at();
    painter.translate(at.x, at.y);
    paint_parts(painter, drawing, picture, options.theme, options.lights, sheet.part(), detail(options),
                true);
    painter.end();
    const std::string body = svg_items(words.items(), plain_colour);
    const std::string parts = svg_items(drawing.items(), plain_colour);
    return body + (options.part ? clipped_to_seen(parts, sheet.picture_rect()) : parts);
}

PaintedFile painting_of(const Picture& picture, const RenderOptions& options, const Sheet& sheet) {
    PaintedFile painting;
    painting.size = {sheet.rect().width, sheet.rect().height};
    painting.scale = options.scale;
    painting.title = options.title;
    painting.description = options.caption;
    painting.svg_body = [&] { return svg_body(picture, options, sheet); };
    // Large images do not show more than the others, small ones leave out what cannot be read.
    painting.paint = [&](QPainter& painter, double scale, VectorDevice*) {
        paint_sheet(painter, sheet, std::min(scale, 1.0) * detail(options));
    };
    return painting;
}

}  // namespace

QByteArray render_bytes(const std::string& format, const Picture& picture, const RenderOptions& options) {
    const Sheet sheet(picture, options);
    return write_painting(format, painting_of(picture, options, sheet));
}

QImage render_image(const Picture& picture, const RenderOptions& options) {
    const Sheet sheet(picture, options);
    return painted_image(painting_of(picture, options, sheet));
}

QImage render_preview(const Picture& picture, const RenderOptions& options, const QSize& room) {
    const Sheet sheet(picture, options);
    return fitted_image(painting_of(picture, options, sheet), room);
}

}  // namespace blockscope
