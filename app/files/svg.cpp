#include "app/files/svg.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainterPath>
#include <cmath>
#include <cstdio>

#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kDeviceDotsPerInch = 96;
constexpr int kExtent = 1 << 20;  // pixels; there is no edge to clip at
constexpr double kMillimetresPerInch = 25.4;

std::string number_attribute(const char* name, double value) {
    return std::string(" ") + name + "=\"" + svg_number(value) + "\"";
}

std::string point(double x, double y) {
    return svg_number(x) + " " + svg_number(y);
}

std::string path_data(const QPainterPath& path) {
    std::string data;
    QPointF first;
    QPointF last;
    const auto close = [&] {
        if (!data.empty() && data.back() != 'Z' && last == first) data += 'Z';
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element e = path.elementAt(i);
        switch (e.type) {
            case QPainterPath::MoveToElement:
                close();
                first = e;
                data += "M" + point(e.x, e.y);
                break;
            case QPainterPath::LineToElement:
                data += "L" + point(e.x, e.y);
                break;
            case QPainterPath::CurveToElement:
                data += "C" + point(e.x, e.y);
                break;
            case QPainterPath::CurveToDataElement:
                data += " " + point(e.x, e.y);
                break;
        }
        last = e;
    }
    if (path.elementCount() > 2) close();
    return data;
}

// The corner radius if `path` is a rectangle with round corners, else -1.
double round_corner(const QPainterPath& path) {
    const QRectF rect = path.boundingRect();
    if (path.elementCount() < 5 || path.elementAt(0).type != QPainterPath::MoveToElement) return -1;
    const double radius = path.elementAt(0).y - rect.top();
    if (radius < 0 || 2 * radius > rect.height() + 1e-6) return -1;
    QPainterPath candidate;
    candidate.addRoundedRect(rect, radius, radius);
    if (candidate.elementCount() != path.elementCount()) return -1;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element a = path.elementAt(i);
        const QPainterPath::Element b = candidate.elementAt(i);
        if (a.type != b.type || std::abs(a.x - b.x) > 1e-6 || std::abs(a.y - b.y) > 1e-6) return -1;
    }
    return radius;
}

std::string rect_head(const QRectF& rect, double radius) {
    std::string head = "rect" + number_attribute("x", rect.x()) + number_attribute("y", rect.y()) +
                       number_attribute("width", rect.width()) + number_attribute("height", rect.height());
    if (radius > 0) head += number_attribute("rx", radius);
    return head;
}

// How far the run of equal steps that begins at `first` goes, and its step.
struct DotRun {
    std::size_t last = 0;
    QPointF step;
};

DotRun dot_run(const std::vector<QPointF>& dots, std::size_t first) {
    DotRun run{first, {}};
    if (first + 1 >= dots.size()) return run;
    run.step = dots[first + 1] - dots[first];
    const auto same = [&](QPointF step) {
        return std::abs(step.x() - run.step.x()) + std::abs(step.y() - run.step.y()) < 1e-4;
    };
    while (run.last + 1 < dots.size() && same(dots[run.last + 1] - dots[run.last])) ++run.last;
    return run;
}

// Dots as path data: lines that are dashed with `period` where they stand in a row, the others one by one.
struct DotPaths {
    std::string rows, single;
    double period = 0;
};

DotPaths dot_paths(const std::vector<QPointF>& dots) {
    constexpr std::size_t kRow = 4;  // dots at least
    DotPaths paths;
    for (std::size_t i = 0; i < dots.size();) {
        const DotRun run = dot_run(dots, i);
        const double length = std::hypot(run.step.x(), run.step.y());
        const bool fits = paths.period == 0 || std::abs(length - paths.period) < 1e-4;
        if (run.last - i + 1 < kRow || !fits) {
            paths.single += "M" + point(dots[i].x(), dots[i].y()) + "h0";
            ++i;
            continue;
        }
        paths.period = length;
        const QPointF end = dots[run.last] + run.step * 0.1;  // the last dot, for certain
        paths.rows += "M" + point(dots[i].x(), dots[i].y()) + "L" + point(end.x(), end.y());
        i = run.last + 1;
    }
    return paths;
}

QColor faded(QColor color, double opacity) {
    color.setAlphaF(static_cast<float>(color.alphaF() * opacity));
    return color;
}

}  // namespace

class VectorEngine : public QPaintEngine {
public:
    explicit VectorEngine(VectorDevice& device) : QPaintEngine(AllFeatures), device_(device) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState& now) override {
        const DirtyFlags dirty = now.state();
        if (dirty & DirtyPen) pen_ = now.pen();
        if (dirty & DirtyBrush) brush_ = now.brush();
        if (dirty & DirtyTransform) transform_ = now.transform();
        if (dirty & DirtyOpacity) opacity_ = now.opacity();
        if (dirty & DirtyClipPath) clip(now.clipPath().boundingRect(), now.clipOperation());
        if (dirty & DirtyClipRegion) clip(now.clipRegion().boundingRect(), now.clipOperation());
        if (dirty & DirtyClipEnabled && !now.isClipEnabled()) clip_ = {};
    }

    void drawPath(const QPainterPath& path) override { add_path(path, fill(), true); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPainterPath path(points[0]);
        for (int i = 1; i < count; ++i) path.lineTo(points[i]);
        if (mode != PolylineMode) path.closeSubpath();
        add_path(path, mode == PolylineMode ? QColor(0, 0, 0, 0) : fill(), true);
    }
    void drawLines(const QLineF* lines, int count) override {
        QPainterPath path;
        for (int i = 0; i < count; ++i) {
            path.moveTo(lines[i].p1());
            path.lineTo(lines[i].p2());
        }
        add_path(path, QColor(0, 0, 0, 0), true);
    }
    void drawRects(const QRectF* rects, int count) override {
        for (int i = 0; i < count; ++i) {
            QPainterPath path;
            path.addRect(rects[i]);
            add_path(path, fill(), true);
        }
    }
    void drawEllipse(const QRectF& rect) override {
        const QRectF at = transform_.mapRect(rect);
        std::string head;
        if (std::abs(at.width() - at.height()) < 1e-6)
            head = "circle" + number_attribute("cx", at.center().x()) +
                   number_attribute("cy", at.center().y()) + number_attribute("r", at.width() / 2);
        else
            head = "ellipse" + number_attribute("cx", at.center().x()) +
                   number_attribute("cy", at.center().y()) + number_attribute("rx", at.width() / 2) +
                   number_attribute("ry", at.height() / 2);
        add(head + pen_attributes(), {}, fill(), stroke());
    }
    void drawPoints(const QPointF* points, int count) override {
        std::vector<QPointF> dots;
        for (int i = 0; i < count; ++i) dots.push_back(transform_.map(points[i]));
        const DotPaths paths = dot_paths(dots);
        const QColor none(0, 0, 0, 0);
        if (!paths.rows.empty())
            add("path d=\"" + paths.rows + "\"" + pen_attributes() + " stroke-dasharray=\"0 " +
                    std::to_string(paths.period) + "\"",
                {}, none, stroke());
        if (!paths.single.empty())
            add("path d=\"" + paths.single + "\"" + pen_attributes(), {}, none, stroke());
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QString trimmed = item.text().trimmed();
        if (trimmed.isEmpty() || pen_.style() == Qt::NoPen) return;
        const QFont font = item.font();
        const double scale = factor();
        // Readers of SVG drop spaces at the ends of a text and would stretch the rest over their place: the
        // text begins where its first letter is. "groups " may stand before a subscript, " of M" after it.
        const QFontMetricsF metrics(font);
        const qsizetype first = item.text().indexOf(trimmed);
        const double left = metrics.horizontalAdvance(item.text().left(first));
        const double right = metrics.horizontalAdvance(item.text().mid(first + trimmed.size()));
        const QPointF base = transform_.map(at + QPointF(left, 0));
        const double width = (item.width() - left - right) * scale;
        std::string head =
            "text" + number_attribute("x", device_.centred_ ? base.x() + width / 2 : base.x()) +
            number_attribute("y", base.y()) + number_attribute("font-size", font.pixelSize() * scale) +
            number_attribute("textLength", width) + R"( lengthAdjust="spacingAndGlyphs")";
        if (device_.centred_) head += R"( text-anchor="middle")";
        if (font.italic()) head += R"( font-style="italic")";
        if (font.bold()) head += R"( font-weight="bold")";
        add(head, xml_escaped(trimmed.toStdString()), faded(pen_.color(), opacity_), QColor(0, 0, 0, 0));
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}  // pictures have no bitmaps

private:
    // Clips are rectangles here: what is drawn has no others.
    void clip(const QRectF& rect, Qt::ClipOperation operation) {
        const QRectF at = transform_.mapRect(rect);
        if (operation == Qt::NoClip)
            clip_ = {};
        else
            clip_ = operation == Qt::IntersectClip && !clip_.isEmpty() ? clip_.intersected(at) : at;
    }
    double factor() const { return std::sqrt(std::abs(transform_.determinant())); }
    QColor fill() const {
        return brush_.style() == Qt::NoBrush ? QColor(0, 0, 0, 0) : faded(brush_.color(), opacity_);
    }
    QColor stroke() const {
        return pen_.style() == Qt::NoPen ? QColor(0, 0, 0, 0) : faded(pen_.color(), opacity_);
    }

    void add_path(const QPainterPath& path, const QColor& filled, bool stroked) {
        const QPainterPath at = transform_.map(path);
        const double corner = transform_.type() <= QTransform::TxScale ? round_corner(at) : -1;
        const std::string head =
            corner >= 0 ? rect_head(at.boundingRect(), corner) : "path d=\"" + path_data(at) + "\"";
        add(head + pen_attributes(), {}, filled, stroked ? stroke() : QColor(0, 0, 0, 0));
    }

    std::string pen_attributes() const {
        if (pen_.style() == Qt::NoPen) return {};
        const double width = (pen_.widthF() > 0 ? pen_.widthF() : 1) * factor();
        std::string result;
        if (width != 1) result += number_attribute("stroke-width", width);
        if (pen_.capStyle() == Qt::RoundCap) result += R"( stroke-linecap="round")";
        if (pen_.capStyle() == Qt::SquareCap && pen_.style() != Qt::SolidLine)
            result += R"( stroke-linecap="square")";
        if (pen_.joinStyle() == Qt::RoundJoin) result += R"( stroke-linejoin="round")";
        if (pen_.style() == Qt::SolidLine) return result;
        result += " stroke-dasharray=\"";
        const QList<qreal> pattern = pen_.dashPattern();
        for (qsizetype i = 0; i < pattern.size(); ++i)
            result += (i > 0 ? " " : "") + svg_number(pattern[i] * width);
        return result + "\"";
    }

    void add(std::string head, std::string content, const QColor& filled, const QColor& stroked) {
        if (filled.alpha() == 0 && stroked.alpha() == 0) return;
        if (device_.items_.empty()) device_.start();
        device_.items_.back().elements.push_back({.head = std::move(head),
                                                  .content = std::move(content),
                                                  .fill = filled,
                                                  .stroke = stroked,
                                                  .clip = clip_});
    }

    VectorDevice& device_;
    QPen pen_;
    QBrush brush_;
    QTransform transform_;
    double opacity_ = 1;
    QRectF clip_;  // empty: none
};

VectorDevice::VectorDevice() : engine_(std::make_unique<VectorEngine>(*this)) {}
VectorDevice::~VectorDevice() = default;

void VectorDevice::start(std::string attributes, std::string title) {
    items_.push_back({std::move(attributes), std::move(title), {}});
}

QPaintEngine* VectorDevice::paintEngine() const {
    return engine_.get();
}

int VectorDevice::metric(PaintDeviceMetric metric) const {
    switch (metric) {
        case PdmWidth:
        case PdmHeight:
            return kExtent;
        case PdmWidthMM:
        case PdmHeightMM:
            return static_cast<int>(kExtent * kMillimetresPerInch / kDeviceDotsPerInch);
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 24;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return kDeviceDotsPerInch;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return 0;
    }
}

std::string svg_number(double value) {
    const double rounded = std::round(value * 100) / 100;
    if (rounded == 0) return "0";
    char text[40];
    const int length = std::snprintf(text, sizeof text, "%.2f", rounded);
    std::string result(text, static_cast<std::size_t>(length));
    while (result.back() == '0') result.pop_back();
    if (result.back() == '.') result.pop_back();
    return result;
}

std::string xml_escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                // Control characters are not allowed in XML at all.
                if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') result += c;
        }
    }
    return result;
}

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

// By the next step: a page that asks for it hides what marks it.
bool is_matched(const Lights& lights, int box) {
    const auto found = lights.boxes.find(box);
    return found != lights.boxes.end() && found->second == Mark::Match;
}

void start_box(VectorDevice& device, const Picture& picture, const Lights& lights, const Part& part,
               bool ids) {
    const Box& box = picture.figure.boxes[static_cast<std::size_t>(part.index)];
    const std::string nodes = attribute("data-node", nodes_of(box));
    switch (part.kind) {
        case Part::Kind::Box:
            device.start((ids ? attribute("id", to_string(box.id())) : "") +
                             attribute("class", class_of(box.kind)) + nodes,
                         translated(box.detail).toStdString());
            break;
        case Part::Kind::Ports:
            device.start(attribute("class", "ports") + nodes);
            break;
        case Part::Kind::Glow:
        case Part::Kind::Mark:
            device.start(attribute("class", is_matched(lights, part.index) ? "light matched" : "light"));
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
        edge ? start_edge(device, picture, part) : start_box(device, picture, lights, part, ids);
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
