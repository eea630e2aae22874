// Where numbers come from that compare times: the table's ratios, and the statistics above the scatter.
#pragma once

#include "app/costs/cost_table.h"

namespace blockscope {

// Both times of the ratio of the state, and where each comes from. Empty if it has no ratio.
QString ratio_derivation(Document& document, const CostTable& table, const TimesOf& times, StateId state);

// States whose measured times are of the same program, sizes and device as their predictions.
struct ComparedTimes {
    std::vector<StateId> states;
    std::vector<double> predicted;  // seconds
    std::vector<double> measured;
};
ComparedTimes compared_times(const Costs& costs, const TimesOf& times);

// How well the predicted times of the rows agree with the measured ones: every time and rank, and each
// statistic of the scatter with its formula, the values put in and its result.
QString agreement_derivation(Document& document, const TimesOf& times);

}  // namespace blockscope
