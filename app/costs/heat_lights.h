// The heat map of a picture as lights, made afresh only when the picture, the counts, the metric or its
// source change.
#pragma once

#include <QString>

#include "app/costs/heat.h"
#include "app/scene/paint.h"

namespace blockscope {

class HeatLights {
public:
    // Adds the heat map to `lights`; nothing without a metric or while `costs` are being counted (null).
    void add_to(Lights& lights, const PicturePtr& picture, const ProgramPtr& program,
                const StateCostsPtr& costs, HeatMetric metric, const HeatSource& source = {});

private:
    PicturePtr picture_;
    StateCostsPtr costs_;
    HeatMetric metric_ = HeatMetric::None;
    HeatSource source_;
    std::map<int, HeatLight> boxes_, edges_;
};

// "12.3 MB", "1.5\u00d7", "128".
QString heat_text(double amount, const std::string& unit);

}  // namespace blockscope
