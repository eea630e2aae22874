#include "app/costs/heat_lights.h"

#include <QLocale>

#include "app/charts/range.h"

namespace blockscope {

namespace {

std::map<int, HeatLight> lights_of(const std::map<int, double>& amounts, double largest,
                                   const std::string& unit) {
    std::map<int, HeatLight> lights;
    for (const auto& [index, amount] : amounts)
        lights[index] = {amount / largest, heat_text(amount, unit).toStdString()};
    return lights;
}

}  // namespace

QString heat_text(double amount, const std::string& unit) {
    if (unit.empty()) return QLocale().toString(amount, 'f', 0);
    if (unit == "\u00d7")
        return QLocale().toString(amount, 'f',
                                  amount < 10    ? 2
                                  : amount < 100 ? 1
                                                 : 0) +
               QStringLiteral("\u00d7");
    const QString text = QString::fromStdString(unit);
    if (unit == "FLOP/B" && amount < 1)  // no thousandths of an operation
        return QLocale().toString(amount, 'g', 2) + QChar(0xa0) + text;
    return with_unit(amount, text);
}

void HeatLights::add_to(Lights& lights, const PicturePtr& picture, const ProgramPtr& program,
                        const StateCostsPtr& costs, HeatMetric metric, const HeatSource& source) {
    if (metric == HeatMetric::None || !picture || !program || !costs) return;
    if (picture != picture_ || costs != costs_ || metric != metric_ || source != source_) {
        picture_ = picture, costs_ = costs, metric_ = metric, source_ = source;
        const Heat heat = heat_of(*costs, metric, source);
        const FigureHeat figure = figure_heat(heat, picture->figure, *program);
        boxes_ = lights_of(figure.boxes, figure.largest_box, heat.unit);
        edges_ = lights_of(figure.edges, figure.largest_edge, heat.unit);
    }
    lights.heated = true;
    lights.heat = boxes_;
    lights.edge_heat = edges_;
}

}  // namespace blockscope
