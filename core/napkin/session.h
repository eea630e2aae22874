// The fusion theorem shown in its steps (Section 2.4, Appendix A.1): from the operators that have an
// accumulator, by composition and weaving, to the whole that can be streamed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/diagram/flow.h"
#include "core/diagram/step_tree.h"
#include "core/napkin/group_sizes.h"

namespace blockscope::circuit {

struct TheoremStep {
    Reason reason;
    std::vector<int> ops;  // what is streamable after this step: indices in Flow::ops, ascending
    Circuit diagram;       // of these alone; axes that are not weaved over yet are left out
};

// `verdict` is one of axis_verdicts(flow), and streams; none if it does not.
std::vector<TheoremStep> theorem_steps(const Flow& flow, const AxisVerdict& verdict);

// The operators `ops` of `flow` by themselves, without the axes `missing` wherever they are weaved over. What
// they take from elsewhere are inputs, what others take and what is an output are outputs.
Flow part_of(const Flow& flow, const std::vector<int>& ops, const std::vector<AxisId>& missing);

// Step by step with a circuit diagram: axes are named, grouped, streamed and put together again, and every
// state says what it costs. The states are a tree; nothing is ever lost.

struct CircuitState {
    int id = 0;
    int parent = -1;
    int depth = 0;
    std::optional<CircuitAction> action;  // what led here; none for the first state
    std::string title;                    // "group q in parts of 128"
    std::shared_ptr<const Flow> flow;
    Analysis analysis;               // plan, diagram, resources; law if there is one
    std::vector<TheoremStep> steps;  // of a stream: why it can be
};
using CircuitStatePtr = std::shared_ptr<const CircuitState>;

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
    // The states of `tree`. Those that `known`, of the same flow, has as well are taken from there. A problem
    // is that of misstep().
    static Result<CircuitSession> of(Flow flow, const StepTree& tree, const CircuitSession* known = nullptr);

    const StepTree& tree() const { return tree_; }
    // Whether every state of `tree` is one of this session's, so that `of` has nothing to work out.
    bool has_all(const StepTree& tree) const;
    // The same states with the notes and the current state of `tree`, which has_all() of.
    CircuitSession shown_as(const StepTree& tree) const;

    const CircuitState& current() const { return state(tree_.current); }
    const CircuitState& state(int id) const { return *shared(id); }
    CircuitStatePtr shared(int id) const;  // throws InternalError if there is none
    const std::string& note(int id) const { return tree_.state(id).note; }
    int count() const { return tree_.count(); }
    // Verdicts on the current flow's axes: what can be done and why, or why not.
    std::vector<AxisVerdict> verdicts() const { return axis_verdicts(*current().flow); }

    // A new state after the current one, which it becomes; a state that the same action led to already is
    // gone to instead. A problem says why not, by the theorem.
    Result<int> act(const CircuitAction& action);

    bool can_go_back() const { return current().parent >= 0; }
    bool can_go_on() const { return tree_.next().has_value(); }
    void back();  // no more than there is
    void on();    // along the way to the tip
    // Throws InternalError if there is no such state.
    void go_to(int id) { tree_.go_to(id); }

    std::vector<int> children(int id) const { return tree_.children(id); }
    std::vector<int> path(int id) const { return tree_.path(id); }
    std::vector<int> tips() const;  // states without children: the ends of branches
    void set_note(int id, std::string note);

    CircuitNumbers numbers(int id) const;

private:
    CircuitSession() = default;
    Result<CircuitState> after(const CircuitState& from, const CircuitAction& action) const;

    StepTree tree_;
    std::vector<CircuitStatePtr> states_;  // by id, of `tree_`
};

}  // namespace blockscope::circuit
