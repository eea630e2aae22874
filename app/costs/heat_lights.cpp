#include "app/costs/heat_lights.h"

#include "app/charts/range.h"

namespace blockscope {

namespace {

std::map<int, HeatLight> lights_of(const std::map<int, double>& amounts, double largest,
                                   const QString& unit) {
    std::map<int, HeatLight> lights;
    for (const auto& [index, amount] : amounts)
        lights[index] = {amount / largest, with_unit(amount, unit).toStdString()};
    return lights;
}

}  // namespace

void HeatLights::add_to(Lights& lights, const PicturePtr& picture, const ProgramPtr& program,
                        const StateCostsPtr& costs, HeatMetric metric, const PredictionPtr& predicted) {
    if (metric == HeatMetric::None || !picture || !program || !costs) return;
    if (picture != picture_ || costs != costs_ || metric != metric_ || predicted != predicted_) {
        picture_ = picture, costs_ = costs, metric_ = metric, predicted_ = predicted;
        const Heat heat = heat_of(*costs, metric, predicted.get());
        const FigureHeat figure = figure_heat(heat, picture->figure, *program);
        const QString unit = QString::fromStdString(heat.unit);
        boxes_ = lights_of(figure.boxes, figure.largest_box, unit);
        edges_ = lights_of(figure.edges, figure.largest_edge, unit);
    }
    lights.heated = true;
    lights.heat = boxes_;
    lights.edge_heat = edges_;
}

}  // namespace blockscope
