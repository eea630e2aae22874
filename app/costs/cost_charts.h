// The charts of a document's states, from their counts and times.
#pragma once

#include "app/charts/memory_strip.h"
#include "app/charts/roofline.h"
#include "app/charts/scatter.h"
#include "app/charts/traffic_bars.h"
#include "app/costs/cost_table.h"

namespace blockscope {

// One point per row: its intensity, and its operations per second from its times.
Roofline roofline_of(const Content& content, const Costs& costs, const TimesOf& times,
                     std::vector<RooflineCeiling> ceilings);
// One bar per row, one part per array by name; those beyond the seven largest are added up.
TrafficBars traffic_of(const Content& content, const Costs& costs);
// What is alive while each line of a state's listing runs.
MemoryStrip memory_of(const Costs& all, StateId state, const LocalLimit& limit);
// One point for every row that has both times; the statistics over those that are not stale.
// `not_comparable`: why there is none, if the predictions are for another device than was measured.
Scatter scatter_of(const Content& content, const Costs& costs, const TimesOf& times,
                   const QString& not_comparable = {});

}  // namespace blockscope
