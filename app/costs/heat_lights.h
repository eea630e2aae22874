// The heat map of a picture as lights, made afresh only when the picture, the counts, the metric or the
// prediction change.
#pragma once

#include "app/costs/heat.h"
#include "app/scene/paint.h"

namespace blockscope {

class HeatLights {
public:
    // Adds the heat map to `lights`; nothing without a metric or while `costs` are being counted (null).
    // `predicted` is what HeatMetric::Predicted spreads.
    void add_to(Lights& lights, const PicturePtr& picture, const ProgramPtr& program,
                const StateCostsPtr& costs, HeatMetric metric, const PredictionPtr& predicted = nullptr);

private:
    PicturePtr picture_;
    StateCostsPtr costs_;
    HeatMetric metric_ = HeatMetric::None;
    PredictionPtr predicted_;
    std::map<int, HeatLight> boxes_, edges_;
};

}  // namespace blockscope
