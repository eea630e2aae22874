#include "app/export/page_drawings.h"

#include <QPainter>

#include "core/support/result.h"

namespace blockscope {

namespace {

std::vector<VectorItem> vector_items(const Picture& picture, const Lights& lights, const Theme& theme) {
    VectorDevice device;
    QPainter painter(&device);
    paint_parts(painter, device, picture, theme, lights, picture.geometry.bounds, 1, false);
    painter.end();
    return device.items();
}

}  // namespace

std::string PageDrawings::add(const Picture& picture, const Lights& lights, const Rect& view,
                              const std::string& attributes, Parts parts) {
    // The same drawing in both themes differs in colours alone.
    const std::vector<VectorItem> light = vector_items(picture, lights, Theme::light());
    const std::vector<VectorItem> dark = vector_items(picture, lights, Theme::dark_theme());
    if (light.size() != dark.size()) throw InternalError("a picture has other parts in the dark theme");
    std::string text = "<svg " + attributes + " viewBox=\"" + svg_number(view.x) + " " + svg_number(view.y) +
                       " " + svg_number(view.width) + " " + svg_number(view.height) + "\">";
    for (std::size_t i = 0; i < light.size(); ++i) {
        if (light[i].elements.empty()) continue;
        text += "<use href=\"#" + definition(light[i], dark[i]) + "\"";
        if (parts == Parts::Named) text += light[i].attributes;
        if (parts == Parts::Nameless || light[i].title.empty())
            text += "/>";
        else
            text += "><title>" + xml_escaped(light[i].title) + "</title></use>";
    }
    return text + "</svg>";
}

std::string PageDrawings::definitions() const {
    std::string text = "<svg class=\"shared\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n";
    for (std::size_t i = 0; i < definitions_.size(); ++i)
        text += "<g id=\"p" + std::to_string(i) + "\">" + definitions_[i] + "</g>\n";
    return text + "</defs></svg>\n";
}

std::string PageDrawings::colours(bool dark) const {
    std::string text;
    for (const auto& [pair, index] : colours_)
        text += "--c" + std::to_string(index) + ":" + (dark ? pair.second : pair.first) + ";";
    return text;
}

std::string PageDrawings::colour(const QColor& light, const QColor& dark) {
    const auto entry =
        colours_.try_emplace({plain_colour(light), plain_colour(dark)}, static_cast<int>(colours_.size()));
    return "var(--c" + std::to_string(entry.first->second) + ")";
}

std::string PageDrawings::definition(const VectorItem& light, const VectorItem& dark) {
    std::string text;
    for (std::size_t i = 0; i < light.elements.size(); ++i) {
        const VectorElement& a = light.elements[i];
        const VectorElement& b = dark.elements.at(i);
        text += svg_element(a, a.fill.alpha() > 0 ? colour(a.fill, b.fill) : "",
                            a.stroke.alpha() > 0 ? colour(a.stroke, b.stroke) : "");
    }
    const auto [entry, made] = known_.try_emplace(text, static_cast<int>(definitions_.size()));
    if (made) definitions_.push_back(text);
    return "p" + std::to_string(entry->second);
}

std::string PageDrawings::legend(const Signs& signs) {
    std::string items;
    for (const LegendEntry& entry : legend_entries(signs)) {
        Picture small = entry.picture;
        small.geometry.bounds = {-4, -4, kLegendCell.width + 8, kLegendCell.height + 8};
        items +=
            tagged("li", "",
                   add(small, entry.lights, small.geometry.bounds, "aria-hidden=\"true\"", Parts::Nameless) +
                       tagged("span", "", in_html(entry.text)));
    }
    return items;
}

std::string in_html(const QString& text) {
    return xml_escaped(text.toStdString());
}

std::string tagged(const std::string& name, const std::string& attributes, const std::string& content) {
    return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name + ">";
}

std::string html_page(const std::string& title, const QString& language, const PageDrawings& drawings,
                      const std::string& style, const std::string& body) {
    return "<!DOCTYPE html>\n<html lang=\"" + in_html(language) +
           "\">\n<head>\n<meta charset=\"utf-8\" />\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'; script-src 'unsafe-inline'\" />\n"
           "<meta name=\"color-scheme\" content=\"light dark\" />\n<title>" +
           xml_escaped(title) + "</title>\n<style>\n:root{" + drawings.colours(false) +
           "}\n@media (prefers-color-scheme:dark){:root{" + drawings.colours(true) + "}}\n" + style +
           "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
}

}  // namespace blockscope
