// The heat map of a picture as lights, made afresh only when the picture, the counts or the metric change.
#pragma once

#include "app/costs/heat.h"
#include "app/scene/paint.h"

namespace blockscope {

class HeatLights {
public:
    // Adds the heat map to `lights`; nothing without a metric or while `costs` are being counted (null).
    void add_to(Lights& lights, const PicturePtr& picture, const ProgramPtr& program,
                const StateCostsPtr& costs, HeatMetric metric);

private:
    PicturePtr picture_;
    StateCostsPtr costs_;
    HeatMetric metric_ = HeatMetric::None;
    std::map<int, HeatLight> boxes_, edges_;
};

}  // namespace blockscope
