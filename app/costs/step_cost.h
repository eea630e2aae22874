// What a step of the timeline changes of the costs.
#pragma once

#include <QString>
#include <optional>

#include "app/costs/costs.h"

namespace blockscope {

class TimelineModel;

struct StepCost {
    QString amount;       // of the state after the step: "169 MB"
    double change = 0;    // share of the amount before: -0.31
    QString change_text;  // "\u25bc 31 %", "\u25b2 4 %", empty if nothing changed
    QString sentence;     // "Moves 169 MB, 31 % less than before."
};

// The column of CostTable that has the heat map's metric; bytes moved without one.
int heat_column(HeatMetric metric);

// Of the heat map's metric, of bytes moved without one. None while it is not counted.
std::optional<StepCost> step_cost(Document& document, const TimelineModel& model, int index);

}  // namespace blockscope
