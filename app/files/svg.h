// Records what a QPainter draws as SVG elements whose colours stay apart, so that one drawing can be written
// with plain colours or with colours that follow the reader's theme. Text stays text.
#pragma once

#include <QColor>
#include <QPaintDevice>
#include <QRectF>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/paint.h"

namespace blockscope {

// One SVG element: "<head" and its colours, then either "/>" or ">text</text>".
struct VectorElement {
    std::string head;     // "path d=\"...\""
    std::string content;  // of text elements, escaped
    QColor fill, stroke;  // alpha 0: none
    QRectF clip;          // nothing of it shows outside; empty: it is not clipped
};

// The elements of one part of a drawing.
struct VectorItem {
    std::string attributes;  // of the group: " id=\"n12\" class=\"box\""; empty: no group
    std::string title;       // what a reader's pointer and a screen reader say about it
    std::vector<VectorElement> elements;
};

class VectorDevice : public QPaintDevice {
public:
    // What is drawn from now on belongs to one part, which these attributes and title describe.
    void start(std::string attributes = {}, std::string title = {});
    const std::vector<VectorItem>& items() const { return items_; }

    // Texts are anchored in their middle (labels of boxes), or where they begin (paragraphs): what a reader
    // without the font sees stays in place.
    void set_centred(bool centred) { centred_ = centred; }

    VectorDevice();
    ~VectorDevice() override;
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    friend class VectorEngine;
    std::unique_ptr<QPaintEngine> engine_;
    std::vector<VectorItem> items_;
    bool centred_ = true;
};

// "12.5", "-3", at most two decimals.
std::string svg_number(double value);
// With & < > " escaped.
std::string xml_escaped(const std::string& text);

// Pictures as SVG whose parts can be told apart: every node is a group with its id, its kind as class and a
// title; every edge says which value it carries.

// Draws `picture` on a painter whose device is a VectorDevice, one group for each part. `ids`: groups of
// boxes have ids; right for one picture in a file.
void paint_parts(QPainter& painter, VectorDevice& device, const Picture& picture, const Theme& theme,
                 const Lights& lights, const Rect& visible, double detail, bool ids);

// DejaVu Sans, which everything is measured with, and what is about as wide.
inline constexpr const char* kSvgFonts = "DejaVu Sans,Bitstream Vera Sans,Verdana,sans-serif";

// How a colour is written: "#1d2430", "var(--c3)", ...
using ColourText = std::function<std::string(const QColor&)>;
// "#1d2430"; svg_element writes the opacity of translucent colours beside it.
std::string plain_colour(const QColor& colour);

// One element; `fill` and `stroke` say how its colours are written.
std::string svg_element(const VectorElement& element, const std::string& fill, const std::string& stroke);
// All items as SVG text, each in its group.
std::string svg_items(const std::vector<VectorItem>& items, const ColourText& colour);

// A whole file around `body`. `title` and `description` are for screen readers.
std::string svg_file(const Rect& view, const std::string& title, const std::string& description,
                     const std::string& body);

}  // namespace blockscope
