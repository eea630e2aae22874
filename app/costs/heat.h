// The costs of one state that depend only on the program and its element type. Needs no Qt.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/document/history.h"
#include "app/figure/figure.h"
#include "core/cost/models/model.h"
#include "core/state/state.h"

namespace blockscope {

struct StateCosts {
    State state;  // as the listing shows it, in kept_form(); the basis of counts and heat maps
    State built;  // the basis of predicted times: the state's numerically safe form, or the state itself
    std::optional<StateWork> engine_work = {};  // of the processor's engine, where counts are of a processor
    // The costs of the numerically safe form; null where safety changes nothing.
    std::shared_ptr<const StateCosts> safe = nullptr;
    std::weak_ptr<const StateCosts> plain = {};  // of a safe form: the costs of the plain form

    // The work that a time model rates: that of the CPU engine if there is one, else that of a GPU.
    const StateWork& work() const { return engine_work ? *engine_work : built.work(); }
};
using StateCostsPtr = std::shared_ptr<const StateCosts>;

// The nodes of the listing that correspond to a node of the state: the node itself, or its nodes in the safe
// form.
std::set<NodeId> listed_nodes(const StateCosts& costs, NodeId node);

// Counts everything that the costs page shows of a state. `type` and `on_processor` are those of kept_form().
// With `safe`, predicted times are of the numerically safe form (computable_form()); the listing stays plain.
StateCostsPtr state_costs(const ProgramPtr& program, std::optional<ElemType> type, bool on_processor = false,
                          bool safe = false);

// The form in which counts, charts and panels look at a state. A `type` replaces the element types that the
// program declares. With `on_processor`, arrays have the types of the CPU engine: inputs cpu_type(), all
// others float32.
Form kept_form(std::optional<ElemType> type, bool on_processor);

// The element type in which the CPU engine keeps inputs of `type`. It supports bfloat16 and float32 only, so
// that every other type becomes float32.
ElemType cpu_type(std::optional<ElemType> type);

// The element type that the program declares, if all of its inputs have the same one.
std::optional<ElemType> declared_type(const BlockProgram& program);

// Which operators of a state do the work of which operators of the unfused program, and how many times over.

// Operators of a state and those of the unfused program that they stem from, by the lineage of the steps in
// between. Operators that share an ancestor are in one group.
struct WorkGroup {
    std::set<NodeId> now;
    std::set<NodeId> unfused;
};

class Replicated {
public:
    Replicated(const StateCosts& now, const StateCosts& unfused, const History& history, StateId state);

    // The union of all groups that have one of the nodes; empty for nodes that compute nothing.
    WorkGroup group_of(const std::set<NodeId>& nodes) const;
    // Operations of the group as a multiple of the unfused program's; 0 if that has none.
    double ratio(const WorkGroup& group) const;

private:
    std::vector<WorkGroup> groups_;
    std::map<NodeId, std::size_t> group_;     // of operators of the state
    std::map<NodeId, double> now_, unfused_;  // operations
};
using ReplicatedPtr = std::shared_ptr<const Replicated>;

// Predicted times, spread over the lines of a listing for the heat map.

// The share of one term of a kernel's time that one line of the listing causes.
struct TimeShare {
    int line = 0;
    NodeId node;                         // that the line shows
    std::optional<ValueRef> value = {};  // of loads and stores
    int buffer = -1;                     // of loads and stores
    std::string term = {};               // of the model; empty: the kernel's whole time, which no line causes
    double seconds = 0;                  // of the line
    double whole = 0;                    // of the term, scaled so that a kernel's terms add up to its time
    double amount = 0;                   // the line's operations or bytes
    double all = 0;                      // those of all of the kernel's lines that the term is about
};

// The shares of all lines, in the order of the kernels and their terms. `predicted` is of the state as it is
// listed. The shares are scaled to add up to the kernel's time, because terms overlap in time and some of it
// (launches) is caused by no line.
std::vector<TimeShare> time_shares(const StateCosts& costs, const Prediction& predicted);

// The bytes that a load or store moves between global and local memory; 0 of everything else.
double moved_bytes(const StateCosts& costs, const Term& term);
const Buffer& buffer_of(const StateCosts& costs, const Term& term);

// One quantity of a state spread over what causes it: lines of the listing, operators, edges. No Qt.
//
// Every quantity of the costs table has a heat map, except the ratio of two states' times.

using PredictionPtr = std::shared_ptr<const Prediction>;

enum class HeatMetric : std::uint8_t {
    None,
    Moved,  // bytes between global and local memory: of loads and stores, of edges, inputs and outputs
    Inputs,
    Outputs,
    Intermediates,  // the same of one kind of array
    Operations,     // of all units: of operators
    Alive,          // bytes of live values in local memory while the line or operator runs
    Predicted,      // seconds that the model gives to the line, the operator, the edge
    Measured,       // seconds of each top-level operator
    Replication,    // operations as a multiple of the unfused program's: of operators and maps
    Intensity,      // operations per byte loaded and stored: of operators and maps
    Launches,       // of each top-level operator: one
    Tasks,          // that run in parallel: of each top-level operator
};

// What heat maps need besides the counts of the state. Null or empty where it is not known.
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
