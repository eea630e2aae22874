// One quantity of a state spread over what causes it: lines of the listing, operators, edges. No Qt.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/costs/state_costs.h"
#include "app/figure/figure.h"
#include "core/cost/models/model.h"

namespace blockscope {

using PredictionPtr = std::shared_ptr<const Prediction>;

enum class HeatMetric : std::uint8_t {
    None,
    Moved,  // bytes between global and local memory: of loads and stores, of edges, inputs and outputs
    Inputs,
    Outputs,
    Intermediates,  // the same of one kind of array
    Operations,     // of all units: of operators
    Alive,          // bytes alive in local memory while the line or operator runs
    Predicted,      // seconds that the model gives to the line, the operator, the edge
};

struct Heat {
    HeatMetric metric = HeatMetric::None;
    std::string unit;                // "B", "FLOP" or "s"
    std::vector<double> lines;       // by line of the listing; 0 of lines that cause nothing
    std::map<NodeId, double> nodes;  // of operators: their lines added up (Alive: the largest); of what is
                                     // moved: of the program's inputs and outputs
    std::vector<std::pair<ValueRef, double>> values;  // of what is moved: of edges, by the value they carry
};

// `predicted` is what Predicted spreads: the time of each kernel over its lines, each term of the model in
// proportion to what the line adds to it (operations of its unit, bytes moved), terms that no line causes
// (launches) with the others. Without it Predicted is empty.
Heat heat_of(const StateCosts& costs, HeatMetric metric, const Prediction* predicted = nullptr);

// The largest of all lines; 0 without any.
double hottest_line(const Heat& heat);

// What the boxes and edges of a figure show of it: amounts by index, those of 0 left out. Clouds show all
// that they hold, frames nothing of their own.
struct FigureHeat {
    std::map<int, double> boxes, edges;
    double largest_box = 0;
    double largest_edge = 0;
};
FigureHeat figure_heat(const Heat& heat, const Figure& figure, const BlockProgram& program);

}  // namespace blockscope
