#include "app/shell/code_links.h"

#include <algorithm>

namespace blockscope {

namespace {

ValueRef whole(const ValueRef& value) {
    return {value.node, value.port, 0};
}

}  // namespace

ProgramLinks::ProgramLinks(ProgramPtr program) : program_(std::move(program)) {
    if (program_) add_level(*program_->graph, nullptr);
}

void ProgramLinks::add_level(const Graph& graph, const Node* map) {
    const NodeId parent = map ? map->id : NodeId{};
    for (const NodePtr& node : graph.nodes()) {
        nodes_[node->id.value] = {node, parent};
        for (const ValueRef& input : node->inputs) users_.emplace(whole(input), node->id);
    }
    for (const NodePtr& node : graph.nodes()) {
        const Map* inner = node->as<Map>();
        if (!inner) continue;
        const std::vector<NodePtr> ports = inner->body->inputs();
        std::size_t port = 0;
        for (std::size_t i = 0; i < inner->inputs.size(); ++i)
            if (inner->inputs[i].mode != PortIn::Continued)
                through_[{ports.at(port++)->id}] = whole(node->inputs[i]);
        const std::vector<NodePtr> outputs = inner->body->outputs();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const ValueRef output{node->id, static_cast<std::uint16_t>(i)};
            through_[output] = whole(outputs[i]->inputs[0]);
            // The entry of a carried value reads what the last iteration left.
            if (inner->outputs[i].mode == PortOut::Carried) through_[{ports.at(port++)->id}] = output;
        }
        add_level(*inner->body, node.get());
    }
}

const Node* ProgramLinks::find(NodeId id) const {
    const auto it = nodes_.find(id.value);
    return it == nodes_.end() ? nullptr : it->second.node.get();
}

NodeId ProgramLinks::parent(NodeId id) const {
    const auto it = nodes_.find(id.value);
    return it == nodes_.end() ? NodeId{} : it->second.parent;
}

std::vector<NodeId> ProgramLinks::path(NodeId id) const {
    std::vector<NodeId> maps;
    for (NodeId at = parent(id); at; at = parent(at)) maps.push_back(at);
    std::reverse(maps.begin(), maps.end());
    return maps;
}

ValueRef ProgramLinks::origin(const ValueRef& value) const {
    ValueRef at = whole(value);
    // A value that a loop carries unchanged leads round in a circle.
    for (std::size_t steps = 0; steps <= through_.size(); ++steps) {
        const auto it = through_.find(at);
        if (it == through_.end()) return at;
        at = it->second;
    }
    return at;
}

NodeId ProgramLinks::user(const ValueRef& value) const {
    const auto it = users_.find(whole(value));
    return it == users_.end() ? NodeId{} : it->second;
}

Spot ProgramLinks::spot(NodeId node, const std::optional<ValueRef>& value) const {
    Spot spot;
    const Node* shown = find(node);
    // Ports of maps are not drawn as nodes: what made their value is.
    const bool port = shown && shown->is<Input>() && parent(node);
    spot.nodes.insert(port && value ? origin(*value).node : node);
    if (!value) return spot;
    const NodeId consumer = user(*value);
    if (!consumer) return spot;
    spot.value = *value;
    spot.consumer = consumer;
    return spot;
}

std::vector<ValueRef> ProgramLinks::origins(const Spot& spot) const {
    std::vector<ValueRef> values;
    if (spot.value) values.push_back(origin(*spot.value));
    for (const NodeId id : spot.nodes) {
        const Node* node = find(id);
        if (!node) continue;
        if (node->is<Input>()) values.push_back(origin({id}));
        if (node->is<Output>()) values.push_back(origin(node->inputs[0]));
    }
    return values;
}

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
