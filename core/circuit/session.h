// Step by step with a circuit diagram: axes are named, grouped, streamed and put together again, and every
// state says what it costs. The states are a tree; nothing is ever lost.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/circuit/optimum.h"
#include "core/circuit/theorem.h"

namespace blockscope::circuit {

struct CircuitAction {
    enum class Kind : std::uint8_t {
        Relabel,  // the axis gets `name` and, if it is above 0, `size`
        Group,    // in parts of `size` (Section 2.3)
        Stream,   // in parts of `size` (Section 2.4)
        Join,     // not split any more
    };
    Kind kind = Kind::Group;
    AxisId axis;
    std::int64_t size = 0;
    std::string name = {};
    bool operator==(const CircuitAction&) const = default;
};

struct CircuitState {
    int id = 0;
    int parent = -1;
    int depth = 0;
    std::optional<CircuitAction> action;  // what led here; none for the first state
    std::string title;                    // "group q in parts of 128"
    std::shared_ptr<const Flow> flow;
    Analysis analysis;               // plan, diagram, resources; law if there is one
    std::vector<TheoremStep> steps;  // of a stream: why it can be
    std::string note;                // the user's
};

// N_g, H per group, H and M of a state, as formulas and numbers.
struct CircuitNumbers {
    struct Number {
        std::string name;  // "N_g", "H_g", "H", "M"
        Formula formula;
        Formula formula_before;  // of the parent; the same if there is none
        double value = 0;
        double before = 0;
    };
    std::vector<Number> numbers;
};

class CircuitSession {
public:
    // Of a separated flow, nothing split. Throws InternalError if it is no sound algorithm.
    explicit CircuitSession(Flow flow);

    const CircuitState& current() const { return state(current_); }
    const CircuitState& state(int id) const;  // throws InternalError if there is none
    int count() const { return static_cast<int>(states_.size()); }
    // Verdicts on the current flow's axes: what can be done and why, or why not.
    std::vector<AxisVerdict> verdicts() const { return axis_verdicts(*current().flow); }

    // A new state after the current one, which it becomes; a state that the same action led to already is
    // gone to instead. A problem says why not, by the theorem.
    Result<int> act(const CircuitAction& action);

    bool can_undo() const { return current().parent >= 0; }
    bool can_redo() const { return next_.count(current_) > 0; }
    void undo();  // no more than there is
    void redo();  // the way last taken
    // Throws InternalError if there is no such state.
    void go_to(int id);

    std::vector<int> children(int id) const;
    std::vector<int> path(int id) const;  // from the first state to `id`, both included
    std::vector<int> tips() const;        // states without children: the ends of branches
    void set_note(int id, std::string note);

    CircuitNumbers numbers(int id) const;

private:
    Result<CircuitState> after(const CircuitState& from, const CircuitAction& action) const;

    std::vector<std::shared_ptr<const CircuitState>> states_;  // by id
    std::map<int, int> next_;                                  // by state: the child last gone to
    int current_ = 0;
};

// The states of `old`, their notes and the current one, of another flow with the same axes (other sizes).
// What is not possible there is left out with everything after it; then its last possible ancestor is
// current.
CircuitSession replayed(const CircuitSession& old, Flow flow);

}  // namespace blockscope::circuit
