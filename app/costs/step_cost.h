// The heat map of the document's state, and what each step changes of the costs.
#pragma once

#include <QString>
#include <optional>

#include "app/costs/costs.h"
#include "app/costs/heat.h"
#include "app/document/document.h"
#include "app/scene/paint.h"

namespace blockscope {

// What the current metric of the heat map needs besides the counts. Values that are not known (not predicted,
// not measured, still being counted) are missing.
HeatSource heat_source(Document& document, StateId state);

// The heat map of a picture as lights. Makes it again only if the picture, the counts, the metric or its
// source has changed.

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

// What a step of the timeline changes of the costs.

class TimelineModel;

struct StepCost {
    QString amount;       // of the state after the step: "169 MB"
    double change = 0;    // share of the amount before: -0.31
    QString change_text;  // "\u25bc 31 %", "\u25b2 4 %", empty if nothing changed
    QString sentence;     // "Moves 169 MB, 31 % less than before."
};

// The column of CostTable with the heat map's metric; bytes moved if there is no heat map.
int heat_column(HeatMetric metric);

// The metric that the timeline's cells show: the heat map's, or without one the objective (app/costs/best.h).
HeatMetric shown_metric(Document& document);

// Of shown_metric(). None while it is not known.
std::optional<StepCost> step_cost(Document& document, const TimelineModel& model, int index);

}  // namespace blockscope
