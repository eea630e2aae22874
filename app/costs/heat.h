// One quantity of a state spread over what causes it: lines of the listing, operators, edges. No Qt.
//
// Every quantity of the costs table has a heat map but for the ratio of two states' times.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/costs/replicated.h"
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
    Measured,       // seconds of each top-level operator
    Replication,    // operations as a multiple of the unfused program's: of operators and maps
    Intensity,      // operations per byte loaded and stored: of operators and maps
    Launches,       // of each top-level operator: one
    Tasks,          // that run in parallel: of each top-level operator
};

// What heat maps need besides the counts of the state; null where it is not known.
struct HeatSource {
    PredictionPtr predicted;
    std::vector<double> measured;  // seconds of the top-level operators, as listed
    ReplicatedPtr replicated;
    bool operator==(const HeatSource&) const = default;
};

struct Heat {
    HeatMetric metric = HeatMetric::None;
    std::string unit;                   // "B", "FLOP", "s", "FLOP/B", "\u00d7" (a multiple) or "" (a number)
    std::vector<double> lines;          // by line of the listing; 0 of lines that cause nothing
    std::map<NodeId, double> nodes;     // of operators: their lines added up (Alive: the largest); of what is
                                        // moved: of the program's inputs and outputs
    bool maps = false;                  // `nodes` has maps, too: theirs is not the sum of what they hold
    std::map<ValueRef, double> values;  // of what is moved: of edges, by the value they carry (heat_key)
};

// All parts of a list are one value (ValueRef::same_value).
inline ValueRef heat_key(const ValueRef& value) {
    return {value.node, value.port};
}

// Of what HeatMetric counts: as Heat::unit.
const char* heat_unit(HeatMetric metric);

// Predicted spreads the time of each kernel over its lines, each term of the model in proportion to what the
// line adds to it (operations of its unit, bytes moved), terms that no line causes (launches) with the
// others. What its source lacks is empty.
Heat heat_of(const StateCosts& costs, HeatMetric metric, const HeatSource& source = {});

// The largest of all lines; 0 without any.
double hottest_line(const Heat& heat);

// What the boxes and edges of a figure show of it: amounts by index, those of 0 left out. Clouds show all
// that they hold, frames only what is theirs alone (Heat::maps).
struct FigureHeat {
    std::map<int, double> boxes, edges;
    double largest_box = 0;
    double largest_edge = 0;
};
FigureHeat figure_heat(const Heat& heat, const Figure& figure, const BlockProgram& program);

}  // namespace blockscope
