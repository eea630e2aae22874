// What the window's export dialog asks for, and its making on another thread.
#pragma once

#include <QByteArray>
#include <optional>
#include <string>

#include "app/document/content.h"
#include "app/export/derivation.h"

namespace blockscope {

struct ExportRequest {
    enum class What : std::uint8_t { Seen, Whole, Strip, Page, Graph, Program } what = What::Whole;
    std::string format = "svg";  // svg, pdf, png; svg, pdf for strips; html, dot, json for the others
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

// The file's bytes. None if `pictures` gave none (the work was cancelled); empty if a PNG would be too large.
std::optional<QByteArray> make_export(const ExportRequest& request, const Content& content,
                                      const PictureSource& pictures);

}  // namespace blockscope
