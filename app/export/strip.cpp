#include "app/export/strip.h"

#include "app/export/pdf.h"
#include "app/export/strip_text.h"
#include "app/export/svg.h"

namespace blockscope {

namespace {

const Stage& stage_of(const Derivation& derivation, const StripPanel& panel) {
    return derivation.stages[static_cast<std::size_t>(panel.stage)];
}

// The picture in the middle of its panel, its top at picture_top. Paper can be looked at closely: pictures
// have the details of full size whatever the scale.
void to_picture(QPainter& painter, const StripPanel& panel, const Picture& picture, double scale) {
    const Rect& bounds = picture.geometry.bounds;
    painter.translate(panel.rect.x + (panel.rect.width - bounds.width * scale) / 2, panel.picture_top);
    painter.scale(scale, scale);
    painter.translate(-bounds.x, -bounds.y);
}

void paint_words(QPainter& painter, const Derivation& derivation, const Theme& theme,
                 const StripLayout& layout, int page) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.canvas);
    painter.drawRect(QRectF(0, 0, layout.size.width, layout.size.height));
    const auto& panels = layout.pages[static_cast<std::size_t>(page)].panels;
    const Rect& first = panels.front().rect;
    if (page == 0)
        paint_strip_title(painter, derivation, theme,
                          {first.x, first.y - layout.title, layout.size.width - 2 * first.x, layout.title});
    for (const StripPanel& panel : panels) {
        const Stage& stage = stage_of(derivation, panel);
        paint_stage_header(painter, stage, theme, panel.rect);
        paint_stage_words(
            painter, stage, theme,
            {panel.rect.x, panel.words_top, panel.rect.width, panel.picture_top - panel.words_top});
    }
    const int pages = static_cast<int>(layout.pages.size());
    if (pages > 1)
        paint_page_foot(painter, derivation, theme, {0, 0, layout.size.width, layout.size.height}, page + 1,
                        pages);
}

std::string description(const Derivation& derivation) {
    std::string text;
    for (const Stage& stage : derivation.stages) {
        text += std::to_string(stage.number) + ". ";
        if (!stage.rule.empty()) text += "Rule " + stage.rule + ", ";
        text += stage.title + ". " + stage.explanation + "\n";
    }
    return text;
}

}  // namespace

std::string strip_svg(const Derivation& derivation, const Theme& theme) {
    const StripLayout layout = lay_out_sheet(derivation);
    VectorDevice device;
    QPainter painter(&device);
    device.start(" class=\"words\"");
    device.set_centred(false);
    paint_words(painter, derivation, theme, layout, 0);
    device.set_centred(true);
    for (const StripPanel& panel : layout.pages.front().panels) {
        const Stage& stage = stage_of(derivation, panel);
        painter.save();
        to_picture(painter, panel, *stage.picture, layout.scale);
        paint_parts(painter, device, *stage.picture, theme, lights_of(stage), stage.picture->geometry.bounds,
                    1, false);
        painter.restore();
    }
    painter.end();
    return svg_file({0, 0, layout.size.width, layout.size.height}, derivation.name, description(derivation),
                    svg_items(device.items(), plain_colour));
}

QByteArray strip_pdf(const Derivation& derivation, const Theme& theme) {
    const StripLayout layout = lay_out_pages(derivation);
    const auto paint_page = [&](QPainter& painter, int page) {
        paint_words(painter, derivation, theme, layout, page);
        for (const StripPanel& panel : layout.pages[static_cast<std::size_t>(page)].panels) {
            const Stage& stage = stage_of(derivation, panel);
            painter.save();
            to_picture(painter, panel, *stage.picture, layout.scale);
            paint(painter, *stage.picture, theme, lights_of(stage), stage.picture->geometry.bounds, 1);
            painter.restore();
        }
    };
    return write_pdf(derivation.name, {layout.size.width, layout.size.height},
                     static_cast<int>(layout.pages.size()), paint_page);
}

}  // namespace blockscope
