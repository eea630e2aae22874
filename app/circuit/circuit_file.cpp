#include "app/circuit/circuit_file.h"

#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_paint.h"
#include "app/files/file_formats.h"
#include "app/files/painting.h"
#include "core/diagram/arrange.h"
#include "core/diagram/flow.h"
#include "core/diagram/layout/drawing.h"
#include "core/diagram/place.h"
#include "core/napkin/study.h"

namespace blockscope {

namespace {

// Diagrams of larger states take gigabytes, and nobody could read them.
constexpr int kMostNodes = 8000;

// Streams come in blocks of the smallest dimension, so that they fit all of them.
std::int64_t stream_size(const DimTable& dims) {
    std::int64_t least = 0;
    for (const Dim& dim : dims)
        if (dim.block > 1 && (least == 0 || dim.block < least)) least = dim.block;
    return std::max<std::int64_t>(least, 1);
}

// The loop of one thread block, in blocks.
Result<circuit::Circuit> expanded(const circuit::Flow& flow, const DimTable& dims) {
    const Result<circuit::LoopSplit> split = circuit::loop_split(flow);
    if (!split) return split.problems();
    circuit::PseudocodeOptions options;
    options.rows = options.stream = stream_size(dims);
    options.sub = std::max<std::int64_t>(options.stream / 4, 1);
    options.inner = split->inner;
    options.inner_stream = options.stream;
    options.inner_sub = options.sub;
    return circuit::pseudocode(split->flow, split->rows, split->stream, options);
}

}  // namespace

Result<circuit::Circuit> circuit_of_state(const BlockProgram& program) {
    const int nodes = node_count(program);
    if (nodes <= kMostNodes) return circuit::circuit_of(program);
    return Problem{
        {},
        Text("found a block program of %1 nodes; expected one of at most %2 to draw it as a circuit", nodes,
             kMostNodes)};
}

Result<circuit::Circuit> circuit_for(const Content& content, StateId state, CircuitKind kind) {
    if (kind == CircuitKind::State) return circuit_of_state(*content.history.state(state).program);
    if (!content.array)
        return Problem{{},
                       Text("found a block program without an array program; expected one to draw it from")};
    const circuit::Flow flow = circuit::flow_of(*content.array);
    if (kind == CircuitKind::Program) return circuit::circuit_of(flow);
    if (kind == CircuitKind::Model)
        return circuit::circuit_of(circuit::with_learned_maps(flow, circuit::weights_of(flow)));
    const circuit::Flow separate = circuit::separated(flow);
    const DimTable& dims = content.array->dims;
    if (kind == CircuitKind::Pseudocode) return expanded(separate, dims);
    return circuit::fused(separate, circuit::natural_plan(separate, dims, stream_size(dims)));
}

bool can_be_repeated(const Content& content, CircuitKind kind) {
    if (kind != CircuitKind::Program && kind != CircuitKind::Model) return false;
    if (!content.array) return false;
    const circuit::Flow flow = circuit::flow_of(*content.array);
    if (flow.inputs.empty() || flow.outputs.empty()) return false;
    const auto type = [&](int array) { return flow.arrays.at(static_cast<std::size_t>(array)).type; };
    return type(flow.inputs.front()) == type(flow.outputs.front());
}

Result<circuit::Circuit> repeated_circuit(const circuit::Circuit& circuit, const std::string& title,
                                          const std::string& count) {
    const circuit::Tuple& in = circuit.root->domain;
    const circuit::Tuple& out = circuit.root->codomain;
    if (in.empty() || out.empty() || in.front() != out.front())
        return Problem{
            {}, Text("only a program whose first output has the type of its first input can be repeated")};
    return circuit::repeated(circuit, title, count);
}

namespace {

constexpr double kCaption = 26;  // height

QSizeF size_of(const circuit::Drawing& drawing, const CircuitFile& file) {
    double width = drawing.bounds.width;
    if (!file.caption.empty())
        width = std::max(width, rich_size(file.caption, circuit::LabelRole::Name).width + 2 * kCaption);
    return {std::ceil(width), std::ceil(drawing.bounds.height + (file.caption.empty() ? 0 : kCaption))};
}

void paint_file(QPainter& painter, const circuit::Drawing& drawing, const CircuitFile& file,
                const AnnouncePart& announce) {
    const QSizeF size = size_of(drawing, file);
    const CircuitLook look = circuit_look(file.theme);
    painter.save();
    painter.translate((size.width() - drawing.bounds.width) / 2 - drawing.bounds.x, -drawing.bounds.y);
    paint_circuit(painter, drawing, look, {}, announce);
    painter.restore();
    if (file.caption.empty()) return;
    const Size text = rich_size(file.caption, circuit::LabelRole::Name);
    paint_rich(painter, {(size.width() - text.width) / 2, drawing.bounds.height, text.width, text.height},
               file.caption, circuit::LabelRole::Name, file.theme.ink);
}

// What a part is called in a file: "wire", with its axis; "glyph", with its node.
std::string attributes(const circuit::Drawing& drawing, const CircuitPart& part) {
    using PartKind = CircuitPart::Kind;
    const auto node = [](const circuit::Origin& origin) {
        return origin.node == NodeId{} ? std::string() : " data-node=\"" + to_string(origin.node) + "\"";
    };
    const auto i = static_cast<std::size_t>(std::max(part.index, 0));
    switch (part.kind) {
        case PartKind::None:
            return {};
        case PartKind::Frame:
            return " class=\"frame\"" + node(drawing.frames.at(i).origin);
        case PartKind::Wire: {
            const circuit::DrawnWire& wire = drawing.wires.at(i);
            const std::string axis =
                wire.axis.value < 0 ? "" : xml_escaped(circuit::axis_of(drawing.axes, wire.axis).name);
            return " class=\"wire level" + std::to_string(wire.level) + "\" data-axis=\"" + axis + "\"";
        }
        case PartKind::Glyph:
            return " class=\"glyph\"" + node(drawing.glyphs.at(i).origin);
        case PartKind::Number:
            return " class=\"number\"";
    }
    return {};
}

}  // namespace

namespace {

PaintedFile painting_of(QSizeF size, const std::string& kind, const CircuitFile& file,
                        const std::function<void(QPainter&, VectorDevice*)>& paint) {
    PaintedFile painting;
    painting.size = size;
    painting.scale = file.scale;
    painting.title = file.title;
    painting.description = file.caption;
    painting.kind = kind;
    painting.paint = [&file, paint, size](QPainter& painter, double, VectorDevice* parts) {
        if (file.background) painter.fillRect(QRectF(QPointF(0, 0), size), file.theme.canvas);
        paint(painter, parts);
    };
    return painting;
}

PaintedFile painting_of(const circuit::Drawing& drawing, const CircuitFile& file) {
    return painting_of(size_of(drawing, file), "circuit", file, [&](QPainter& painter, VectorDevice* parts) {
        AnnouncePart announce;
        // Elements of a group that are no part by themselves belong to the part that begins the group.
        if (parts)
            announce = [&drawing, parts](const CircuitPart& part) {
                parts->start(attributes(drawing, part), part_text(drawing, part));
            };
        paint_file(painter, drawing, file, announce);
    });
}

}  // namespace

QByteArray painted_bytes(const std::string& format, QSizeF size, const std::string& kind,
                         const CircuitFile& file,
                         const std::function<void(QPainter&, VectorDevice*)>& paint) {
    return write_painting(format, painting_of(size, kind, file, paint));
}

QByteArray circuit_bytes(const std::string& format, const circuit::Drawing& drawing,
                         const CircuitFile& file) {
    if (const FileFormat* row = find_format(format); row && row->circuit_drawing)
        return QByteArray::fromStdString(row->circuit_drawing(drawing, file.title));
    return write_painting(format, painting_of(drawing, file));
}

QImage circuit_preview(const circuit::Drawing& drawing, const CircuitFile& file, const QSize& room) {
    return fitted_image(painting_of(drawing, file), room);
}

QByteArray circuit_bytes(const std::string& format, const circuit::Circuit& circuit,
                         const circuit::Drawing& drawing, const CircuitFile& file) {
    if (const FileFormat* row = find_format(format); row && row->circuit)
        return QByteArray::fromStdString(row->circuit(circuit));
    return circuit_bytes(format, drawing, file);
}

}  // namespace blockscope
