#include "app/export/svg.h"

#include "app/words/words.h"

namespace blockscope {

namespace {

const char* class_of(BoxKind kind) {
    switch (kind) {
        case BoxKind::Input:
            return "input";
        case BoxKind::Output:
            return "output";
        case BoxKind::Functional:
            return "functional";
        case BoxKind::Elementwise:
            return "elementwise";
        case BoxKind::Reduction:
            return "reduction";
        case BoxKind::Misc:
            return "misc";
        case BoxKind::Frame:
            return "map";
        case BoxKind::Cloud:
            return "map folded";
    }
    return "";
}

std::string nodes_of(const Box& box) {
    std::string text;
    for (const NodeId id : box.nodes) text += (text.empty() ? "" : " ") + to_string(id);
    return text;
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + xml_escaped(value) + "\"";
}

std::string value_name(const ValueRef& value) {
    return to_string(value.node) + "." + std::to_string(value.port);
}

void start_box(VectorDevice& device, const Picture& picture, const Part& part, bool ids) {
    const Box& box = picture.figure.boxes[static_cast<std::size_t>(part.index)];
    const std::string nodes = attribute("data-node", nodes_of(box));
    switch (part.kind) {
        case Part::Kind::Box:
            device.start((ids ? attribute("id", to_string(box.id())) : "") +
                             attribute("class", class_of(box.kind)) + nodes,
                         in_words(box.detail).toStdString());
            break;
        case Part::Kind::Ports:
            device.start(attribute("class", "ports") + nodes);
            break;
        case Part::Kind::Glow:
        case Part::Kind::Mark:
            device.start(attribute("class", "light"));
            break;
        case Part::Kind::Edge:
        case Part::Kind::EdgeLabel:
            break;
    }
}

void start_edge(VectorDevice& device, const Picture& picture, const Part& part) {
    const Edge& edge = picture.figure.edges[static_cast<std::size_t>(part.index)];
    if (part.kind == Part::Kind::EdgeLabel) return device.start(attribute("class", "type"));
    device.start(attribute("class", edge.buffered ? "edge buffered" : "edge") +
                     attribute("data-value", value_name(edge.value)) +
                     attribute("data-consumer", to_string(edge.consumer)),
                 edge.label);
}

std::string colour_attribute(const char* name, const QColor& colour, const std::string& text) {
    std::string result = std::string(" ") + name + "=\"" + text + "\"";
    if (colour.alpha() < 255)
        result += std::string(" ") + name + "-opacity=\"" + svg_number(colour.alphaF()) + "\"";
    return result;
}

// An inner viewport shows nothing outside itself.
std::string clipped(const std::string& text, const QRectF& rect) {
    const std::string size =
        "width=\"" + svg_number(rect.width()) + "\" height=\"" + svg_number(rect.height()) + "\"";
    const std::string corner = svg_number(rect.x()) + " " + svg_number(rect.y());
    return "<svg x=\"" + svg_number(rect.x()) + "\" y=\"" + svg_number(rect.y()) + "\" " + size +
           " viewBox=\"" + corner + " " + svg_number(rect.width()) + " " + svg_number(rect.height()) + "\">" +
           text + "</svg>";
}

}  // namespace

void paint_parts(QPainter& painter, VectorDevice& device, const Picture& picture, const Theme& theme,
                 const Lights& lights, const Rect& visible, double detail, bool ids) {
    const auto announce = [&](const Part& part) {
        const bool edge = part.kind == Part::Kind::Edge || part.kind == Part::Kind::EdgeLabel;
        edge ? start_edge(device, picture, part) : start_box(device, picture, part, ids);
    };
    paint(painter, picture, theme, lights, visible, detail, announce);
    device.start();
}

std::string plain_colour(const QColor& colour) {
    return colour.name(QColor::HexRgb).toStdString();
}

std::string svg_element(const VectorElement& element, const std::string& fill, const std::string& stroke) {
    std::string text = "<" + element.head;
    if (element.fill.alpha() > 0)
        text += colour_attribute("fill", element.fill, fill);
    else
        text += R"( fill="none")";
    if (element.stroke.alpha() > 0) text += colour_attribute("stroke", element.stroke, stroke);
    text += element.content.empty() ? "/>" : ">" + element.content + "</text>";
    return element.clip.isEmpty() ? text : clipped(text, element.clip);
}

std::string svg_items(const std::vector<VectorItem>& items, const ColourText& colour) {
    std::string text;
    for (const VectorItem& item : items) {
        if (item.elements.empty()) continue;
        if (!item.attributes.empty()) text += "<g" + item.attributes + ">";
        if (!item.title.empty()) text += "<title>" + xml_escaped(item.title) + "</title>";
        for (const VectorElement& element : item.elements)
            text += svg_element(element, colour(element.fill), colour(element.stroke));
        text += item.attributes.empty() ? "\n" : "</g>\n";
    }
    return text;
}

std::string svg_file(const Rect& view, const std::string& title, const std::string& description,
                     const std::string& body) {
    const std::string width = svg_number(view.width);
    const std::string height = svg_number(view.height);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
           width + "\" height=\"" + height + "\" viewBox=\"" + svg_number(view.x) + " " + svg_number(view.y) +
           " " + width + " " + height + "\" font-family=\"" + kSvgFonts +
           "\" role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">" + xml_escaped(title) +
           "</title>\n<desc id=\"desc\">" + xml_escaped(description) + "</desc>\n" + body + "</svg>\n";
}

}  // namespace blockscope
