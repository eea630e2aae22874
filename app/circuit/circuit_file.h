// Which diagram of a document is shown, and its making. No Qt.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <functional>
#include <memory>
#include <string>

#include "app/circuit/circuit_paint.h"
#include "app/document/content.h"
#include "app/files/svg.h"
#include "core/diagram/layout/drawing.h"
#include "core/diagram/term.h"

namespace blockscope {

enum class CircuitKind : std::uint8_t {
    State,       // of a state of the block program: its maps are groups and streams
    Program,     // of the array program, with its named parts
    Algorithm,   // of the array program as one algorithm on two levels, grouped and streamed wherever it can
                 // be
    Model,       // of the array program, with what its names say is learned as learned maps
    Pseudocode,  // of the array program as an explicit loop with head, accumulators, sub-loop and tail
};

// A diagram that is seen: with its repeat bracket, its numbers and its lines. Null where none is.
struct SeenCircuit {
    std::shared_ptr<const circuit::Circuit> circuit;
    std::shared_ptr<const circuit::Drawing> drawing;
    std::string kind;  // what it is called
};

// A problem says why there is no such diagram, or that it would be too large.
Result<circuit::Circuit> circuit_of_state(const BlockProgram& program);
Result<circuit::Circuit> circuit_for(const Content& content, StateId state, CircuitKind kind);

// Whether the diagram of this kind can be drawn as one layer of many: the program, or the model, of a first
// output with the type of its first input.
bool can_be_repeated(const Content& content, CircuitKind kind);
// In brackets, `count` times ("32", "N"). A problem says that the types differ.
Result<circuit::Circuit> repeated_circuit(const circuit::Circuit& circuit, const std::string& title,
                                          const std::string& count);

// Circuit diagrams as files. The same drawing and options give the same bytes.

struct CircuitFile {
    Theme theme = Theme::light();
    bool background = true;  // else transparent (white paper in PDF)
    double scale = 2;        // of PNG: pixels per unit
    std::string title;       // what the file calls itself
    std::string caption;     // one line under the picture; may be empty
};

// In a format that is painted (app/files/file_formats.h); empty for others, and for an image that would be
// too large. `paint` paints what lies in `size` over the background; `kind` is the class of the SVG's parts.
// Needs a QGuiApplication.
QByteArray painted_bytes(const std::string& format, QSizeF size, const std::string& kind,
                         const CircuitFile& file,
                         const std::function<void(QPainter&, VectorDevice* parts)>& paint);

// A drawing in one of circuit_formats(); empty for texts that are written from the circuit itself.
QByteArray circuit_bytes(const std::string& format, const circuit::Drawing& drawing, const CircuitFile& file);

// As large as `room` shows it.
QImage circuit_preview(const circuit::Drawing& drawing, const CircuitFile& file, const QSize& room);

// A circuit, or its drawing, in any of circuit_formats().
QByteArray circuit_bytes(const std::string& format, const circuit::Circuit& circuit,
                         const circuit::Drawing& drawing, const CircuitFile& file);

}  // namespace blockscope
