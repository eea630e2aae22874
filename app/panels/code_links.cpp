#include "app/panels/code_links.h"

#include <algorithm>

namespace blockscope {

CodeLinks::CodeLinks(Document& document, CodeView& view) : QObject(&view), document_(document), view_(view) {
    connect(&view, &CodeView::line_hovered, this, [this](int line) { document_.set_hover(spot_of(line)); });
    connect(&view, &CodeView::line_chosen, this, [this](int line) {
        selecting_ = true;
        document_.select(spot_of(line));
        selecting_ = false;
    });
    connect(&document, &Document::hover_changed, this, &CodeLinks::relight);
    connect(&document, &Document::glow_changed, this, &CodeLinks::relight);
    connect(&document, &Document::selection_changed, this, [this] {
        relight();
        if (!selecting_) scroll_to_selection();
    });
}

void CodeLinks::show(ProgramLinks program, std::vector<Line> lines) {
    program_ = std::move(program);
    lines_ = std::move(lines);
    view_.set_lights({});
}

void CodeLinks::refresh() {
    relight();
    scroll_to_selection();
}

Spot CodeLinks::spot_of(int line) const {
    if (line < 0 || line >= static_cast<int>(lines_.size())) return {};
    const Line& pointed = lines_[static_cast<std::size_t>(line)];
    if (!pointed.node || !program_.find(pointed.node)) return {};
    return program_.spot(pointed.node, pointed.value);
}

void CodeLinks::light(const Spot& spot, CodeView::Light how, std::map<int, CodeView::Light>& lights) const {
    if (spot.empty()) return;
    const std::vector<ValueRef> origins = program_.origins(spot);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const Line& line = lines_[i];
        if (line.gone) continue;
        const bool moves = line.value && std::find(origins.begin(), origins.end(),
                                                   program_.origin(*line.value)) != origins.end();
        if (moves || spot.nodes.count(line.node) > 0) lights[static_cast<int>(i)] = how;
    }
}

// A hidden view waits until it is shown.
void CodeLinks::relight() {
    if (!view_.isVisible()) return;
    std::map<int, CodeView::Light> lights;
    const Glow& glow = document_.glow();
    if (glow.kind != Glow::Kind::None)
        light({{glow.nodes.begin(), glow.nodes.end()}, {}, {}}, CodeView::Light::Glow, lights);
    light(document_.hover(), CodeView::Light::Hovered, lights);
    light(document_.selection(), CodeView::Light::Selected, lights);
    view_.set_lights(std::move(lights));
}

void CodeLinks::scroll_to_selection() {
    int first = -1;
    int last = -1;
    for (const auto& [line, light] : view_.lights()) {
        if (light != CodeView::Light::Selected) continue;
        if (first < 0) first = line;
        last = line;
    }
    if (first >= 0) view_.show_lines(first, last);
}

}  // namespace blockscope
