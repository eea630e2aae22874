#include "app/export/request.h"

#include "app/circuit/circuit_file.h"
#include "app/export/page.h"
#include "app/export/render.h"
#include "app/export/strip.h"
#include "core/circuit/circuit_json.h"
#include "core/json/json_io.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

std::optional<QByteArray> picture_bytes(const ExportRequest& request, const Content& content,
                                        const PictureSource& pictures) {
    const PicturePtr picture = pictures(content.current);
    if (!picture) return {};
    RenderOptions options;
    options.theme = request.theme;
    options.background = request.background;
    options.legend = request.legend;
    options.title = content.name + ", step " + std::to_string(content.history.depth(content.current));
    if (request.what == ExportRequest::What::Seen) {
        options.part = request.seen;
        options.lights = request.lights;
    }
    if (request.format == "pdf") return render_pdf(*picture, options);
    if (request.format == "png") return render_png(*picture, options, request.scale);
    return QByteArray::fromStdString(render_svg(*picture, options));
}

QByteArray circuit_export(const ExportRequest& request, const circuit::Circuit& circuit,
                          const std::shared_ptr<const circuit::Drawing>& drawing, const std::string& title) {
    if (request.format == "json") return QByteArray::fromStdString(json::print(circuit::to_json(circuit)));
    CircuitFile file;
    file.theme = request.theme;
    file.background = request.background;
    file.scale = request.scale;
    file.title = title;
    if (drawing) return circuit_bytes(request.format, *drawing, file);
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    return circuit_bytes(request.format, circuit::lay_out(circuit, options), file);
}

QByteArray circuit_export(const ExportRequest& request, const Content& content) {
    const SeenCircuit& drawn = request.drawn;
    if (drawn.circuit)
        return circuit_export(request, *drawn.circuit, drawn.drawing,
                              content.name + (drawn.kind.empty() ? "" : ", " + drawn.kind));
    const Result<circuit::Circuit> made = circuit_for(content, content.current, request.circuit);
    if (!made) return {};
    return circuit_export(request, *made, nullptr,
                          content.name + ", step " + std::to_string(content.history.depth(content.current)));
}

}  // namespace

std::vector<std::string> formats_of(ExportRequest::What what) {
    switch (what) {
        case ExportRequest::What::Seen:
        case ExportRequest::What::Whole:
            return {"svg", "pdf", "png"};
        case ExportRequest::What::Strip:
            return {"pdf", "svg"};
        case ExportRequest::What::Page:
            return {"html"};
        case ExportRequest::What::Circuit:
            return {"svg", "pdf", "png", "tex", "json"};
        case ExportRequest::What::Graph:
            return {"dot"};
        case ExportRequest::What::Program:
            return {"json"};
    }
    return {};
}

std::optional<QByteArray> make_export(const ExportRequest& request, const Content& content,
                                      const PictureSource& pictures) {
    using What = ExportRequest::What;
    if (request.what == What::Seen || request.what == What::Whole)
        return picture_bytes(request, content, pictures);
    if (request.what == What::Circuit) return circuit_export(request, content);
    if (request.what == What::Graph) return QByteArray::fromStdString(dot(*content.program()));
    if (request.what == What::Program) return QByteArray::fromStdString(write_json(*content.program()));
    const std::optional<Derivation> derivation = derive(content, request.stages, pictures);
    if (!derivation) return {};
    if (request.what == What::Page) return QByteArray::fromStdString(derivation_page(*derivation));
    if (request.format == "svg") return QByteArray::fromStdString(strip_svg(*derivation, request.theme));
    return strip_pdf(*derivation, request.theme);
}

}  // namespace blockscope
