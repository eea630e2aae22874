// What the window's export dialog asks for, and its making on another thread.
#pragma once

#include <QByteArray>
#include <optional>
#include <string>

#include "app/circuit/circuit_choice.h"
#include "app/document/content.h"
#include "app/export/derivation.h"

namespace blockscope {

struct ExportRequest {
    enum class What : std::uint8_t { Seen, Whole, Strip, Page, Circuit, Graph, Program } what = What::Whole;
    // svg, pdf, png; svg, pdf for strips; tex and json, too, for circuits; html, dot, json for the others
    std::string format = "svg";
    CircuitKind circuit = CircuitKind::State;
    // Of What::Circuit: this one instead of one of the content's, if there is one; laid out anew unless it
    // has a drawing.
    SeenCircuit drawn = {};
    Theme theme = Theme::light();
    std::optional<Rect> seen;  // picture coordinates; for What::Seen
    Lights lights;             // what glows in it
    double scale = 2;          // of PNG: pixels per unit
    bool background = true;
    bool legend = false;
    Stages stages = Stages::All;
};

// The formats that make sense for `what`, the best one first.
std::vector<std::string> formats_of(ExportRequest::What what);

// The file's bytes. None if `pictures` gave none (the work was cancelled); empty if a PNG would be too large
// or there is no such circuit (circuit_for says why).
std::optional<QByteArray> make_export(const ExportRequest& request, const Content& content,
                                      const PictureSource& pictures);

}  // namespace blockscope
