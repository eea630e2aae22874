// Lines of CUDA and operators light each other.
#include "app/cuda/cuda_page.h"

namespace blockscope {

Spot CudaPage::spot_of(int line) const {
    if (line < 0 || line >= static_cast<int>(source_.lines.size())) return {};
    const NodeId node = source_.lines[static_cast<std::size_t>(line)].node;
    const Node* found = links_.find(node);
    if (!found) return {};
    // A port of a map shows as the edge to it.
    if (found->is<Input>()) return links_.spot(node, ValueRef{node});
    return links_.spot(node, std::nullopt);
}

void CudaPage::relight() {
    if (!isVisible()) return;
    std::map<int, CodeView::Light> lights;
    const auto light = [&](const Spot& spot, CodeView::Light how) {
        if (spot.empty()) return;
        const std::vector<ValueRef> origins = links_.origins(spot);
        for (std::size_t i = 0; i < source_.lines.size(); ++i) {
            const NodeId id = source_.lines[i].node;
            const Node* node = id ? links_.find(id) : nullptr;
            if (!node) continue;
            const bool moves = node->is<Input>() && std::find(origins.begin(), origins.end(),
                                                              links_.origin({id})) != origins.end();
            if (moves || spot.nodes.count(id) > 0) lights[static_cast<int>(i)] = how;
        }
    };
    light(document_.hover(), CodeView::Light::Hovered);
    light(document_.selection(), CodeView::Light::Selected);
    view_->set_lights(std::move(lights));
}

void CudaPage::scroll_to_selection() {
    int first = -1;
    int last = -1;
    for (const auto& [line, light] : view_->lights()) {
        if (light != CodeView::Light::Selected) continue;
        if (first < 0) first = line;
        last = line;
    }
    if (first >= 0) view_->show_lines(first, last);
}

}  // namespace blockscope
