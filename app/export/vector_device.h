// Records what a QPainter draws as SVG elements whose colours stay apart, so that one drawing can be written
// with plain colours or with colours that follow the reader's theme. Text stays text.
#pragma once

#include <QColor>
#include <QPaintDevice>
#include <QRectF>
#include <memory>
#include <string>
#include <vector>

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

}  // namespace blockscope
