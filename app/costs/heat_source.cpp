#include "app/costs/heat_source.h"

#include "app/costs/forecast.h"
#include "app/costs/measurements.h"

namespace blockscope {

HeatSource heat_source(Document& document, StateId state) {
    const Costs& costs = Costs::of(document);
    HeatSource source;
    switch (costs.heat()) {
        case HeatMetric::Predicted:
            source.predicted = Forecast::of(document).of(costs.of(state));
            break;
        case HeatMetric::Measured:
            source.measured = Measurements::of(document).kernels_of(state);
            break;
        case HeatMetric::Replication:
            source.replicated = costs.replicated(state);
            break;
        default:
            break;
    }
    return source;
}

}  // namespace blockscope
