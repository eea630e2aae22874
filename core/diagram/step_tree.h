// The steps of a circuit as a document keeps them: a tree of what was asked, by the names of axes. What
// follows from them on a program (diagrams, numbers, reasons) is CircuitSession's (core/napkin/session.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/diagram/place.h"

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

// An action on an axis that is known by its name.
struct AxisStep {
    CircuitAction::Kind kind = CircuitAction::Kind::Group;
    std::string axis;
    std::int64_t size = 0;
    std::string name = {};
    bool operator==(const AxisStep&) const = default;
};

constexpr int kMaxCircuitStates = 1000;
constexpr std::size_t kMaxAxisName = 256;  // bytes

// States are never removed, so that their ids are their places. There is always the first one.
struct StepTree {
    struct State {
        int parent = -1;
        AxisStep step;     // what led here; of the first state nothing
        std::string note;  // the user's
        bool operator==(const State&) const = default;
    };
    std::vector<State> states = std::vector<State>(1);
    int current = 0;
    int tip = 0;  // a state without children; the way there leads through `current`

    int count() const { return static_cast<int>(states.size()); }
    const State& state(int id) const;  // throws InternalError if there is none
    bool empty() const { return count() == 1 && states[0].note.empty(); }
    // Whether steps and notes are those of `other`, whichever state is shown.
    bool same_work(const StepTree& other) const { return states == other.states; }
    std::vector<int> children(int id) const;
    std::vector<int> path(int id) const;  // from the first state to `id`, both included
    std::optional<int> next() const;      // the state after the current one on the way to the tip

    // A step after the current state, which it becomes; a state that the same step led to is gone to instead.
    int add(const AxisStep& step);
    void go_to(int id);  // throws InternalError if there is no such state
    bool operator==(const StepTree&) const = default;
};
using StepTreePtr = std::shared_ptr<const StepTree>;

// The axes and their partition after some steps.
struct Splits {
    std::shared_ptr<const Flow> flow;  // separated, with the names and sizes that axes have by then
    Plan plan;
};
// A problem says why not, by the theorem.
Result<Splits> stepped(const Splits& from, const CircuitAction& action);

// The two forms of an action; a problem names an axis that there is not.
AxisStep step_of(const Flow& flow, const CircuitAction& action);
Result<CircuitAction> action_of(const Flow& flow, const AxisStep& step);

// The first step of `tree` that is not possible on `flow` (separated, nothing split), and why.
struct Misstep {
    int state = 0;
    Text sentence;
};
std::optional<Misstep> misstep(const Flow& flow, const StepTree& tree);

// `tree` without what is not possible on `flow`, and what comes after that; then the last possible ancestor
// of the current state is current.
StepTree possible(const Flow& flow, const StepTree& tree);

}  // namespace blockscope::circuit
