#include "app/export/runs.h"

#include "app/export/slides.h"
#include "app/export/strip.h"
#include "app/shell/state_link.h"

namespace blockscope {

namespace {

using Writer = QByteArray (*)(const Derivation&, const RunLook&);

struct WriterRow {
    const char* kind;
    const char* format;
    Writer write;
};

const WriterRow kWriters[] = {
    {"strip", "pdf", [](const Derivation& run, const RunLook& look) { return strip_pdf(run, look.theme); }},
    {"strip", "svg",
     [](const Derivation& run, const RunLook& look) {
         return QByteArray::fromStdString(strip_svg(run, look.theme));
     }},
    {"html", "html",
     [](const Derivation& run, const RunLook&) { return QByteArray::fromStdString(derivation_page(run)); }},
    {"slides", "pdf",
     [](const Derivation& run, const RunLook& look) { return slides_pdf(run, look.theme, look.notes); }},
    {"deck", "html",
     [](const Derivation& run, const RunLook&) { return QByteArray::fromStdString(deck_page(run)); }},
};

}  // namespace

PictureShape shape_of(const std::string& kind) {
    return kind == "slides" || kind == "deck" ? slide_shape() : PictureShape{};
}

std::optional<QByteArray> write_run(const std::string& kind, const std::string& format,
                                    const Content& content, const RunLook& look,
                                    const PictureSource& pictures) {
    for (const WriterRow& row : kWriters) {
        if (kind != row.kind || format != row.format) continue;
        std::optional<Derivation> derivation = derive(content, look.stages, pictures, shape_of(kind));
        if (!derivation) return {};
        for (Stage& stage : derivation->stages)
            stage.link = link_to(content, stage.state, look.opened).toStdString();
        return row.write(*derivation, look);
    }
    return QByteArray();
}

}  // namespace blockscope
