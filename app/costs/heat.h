// What one state costs, as far as it depends on nothing but the program and its element type. No Qt.
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
    State state;  // as it is listed, in kept_form(): counts and heat maps are of it
    State built;  // what predicted times are of: its numerically safe form, or the same
    std::optional<StateWork> engine_work = {};  // of the processor's engine, where counts are of a processor
    // The same, listed in the numerically safe form; null where that changes nothing.
    std::shared_ptr<const StateCosts> safe = nullptr;
    std::weak_ptr<const StateCosts> plain = {};  // of that: what it is the safe form of

    // What a time model of the device needs: of a card or of the processor's engine.
    const StateWork& work() const { return engine_work ? *engine_work : built.work(); }
};
using StateCostsPtr = std::shared_ptr<const StateCosts>;

// The nodes of the listing that a node of the state stands for: itself, or what the safe form has of it.
std::set<NodeId> listed_nodes(const StateCosts& costs, NodeId node);

// Everything that the costs page shows of the state, counted now. `type` and `on_processor` as in
// kept_form(). `safe`: its numerically safe form runs, as in computable_form(). Listed as it is.
StateCostsPtr state_costs(const ProgramPtr& program, std::optional<ElemType> type, bool on_processor = false,
                          bool safe = false);

// How counts, charts and panels take a state: with arrays in `type` instead of the types that the program
// declares, if it is given. `on_processor`: as its engine keeps arrays, inputs in cpu_type() and all else in
// float32.
Form kept_form(std::optional<ElemType> type, bool on_processor);

// What the CPU engine keeps inputs in where `type` is asked for: bfloat16, else float32, which it knows.
ElemType cpu_type(std::optional<ElemType> type);

// The program's declared type if all of its inputs have one and the same.
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

    // All groups that have one of the nodes, as one; nothing of nodes that compute nothing.
    WorkGroup group_of(const std::set<NodeId>& nodes) const;
    // Operations of the group as a multiple of the unfused program's; 0 if that has none.
    double ratio(const WorkGroup& group) const;

private:
    std::vector<WorkGroup> groups_;
    std::map<NodeId, std::size_t> group_;     // of operators of the state
    std::map<NodeId, double> now_, unfused_;  // operations
};
using ReplicatedPtr = std::shared_ptr<const Replicated>;

// Predicted times spread over the lines of a listing: what a heat map shows, and what its numbers sum.

// What one term of a kernel's time gives to one line.
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

// In the order of the kernels and their terms, of a prediction for the state as it is listed. Terms overlap
// or leave out what no line causes (launches), so that they are scaled to the kernel's time.
std::vector<TimeShare> time_shares(const StateCosts& costs, const Prediction& predicted);

// The bytes that a load or store moves between global and local memory; 0 of everything else.
double moved_bytes(const StateCosts& costs, const Term& term);
const Buffer& buffer_of(const StateCosts& costs, const Term& term);

// One quantity of a state spread over what causes it: lines of the listing, operators, edges. No Qt.
//
// Every quantity of the costs table has a heat map but for the ratio of two states' times.

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
