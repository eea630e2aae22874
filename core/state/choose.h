// One state of a run, as a user names it: "12" or "step 12", "snapshot 2", "last", "best". Commands, window
// and exports all choose here, so that the same words mean the same state and every refusal reads the same.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/fusion/trace.h"
#include "core/state/parts.h"
#include "core/state/state.h"
#include "core/support/result.h"

namespace blockscope {

struct StateChoice {
    enum class Kind : std::uint8_t {
        Step,      // after so many steps; 0: the unfused program
        Snapshot,  // counted from 1 (Blockbuster section 4.3); 0: the unfused program
        Best,      // of all states of the run, by an objective
    };
    Kind kind = Kind::Step;
    std::optional<int> number = std::nullopt;  // of the step or snapshot; none: the last
    std::string branch;                        // of a history, by its name; empty: the one that is shown

    static StateChoice step(int number) { return {Kind::Step, number, {}}; }
    static StateChoice snapshot(int number) { return {Kind::Snapshot, number, {}}; }
    static StateChoice last_snapshot() { return {Kind::Snapshot, std::nullopt, {}}; }
    static StateChoice best() { return {Kind::Best, std::nullopt, {}}; }

    bool operator==(const StateChoice&) const = default;
};

// "12", "step 12", "last", "snapshot 2", "last snapshot", "best"; with a branch in front of it: "Branch 2:
// step 12", or "Branch 2:" for its last state. A problem says what can be written.
Result<StateChoice> parse_state_choice(const std::string& words);
// As parse_state_choice() reads it: "step 12", "last", "Branch 2: best".
std::string to_string(const StateChoice& choice);

// The states that can be chosen from: a run's, or those on the way to the tip of a branch.
struct RunStates {
    std::vector<ProgramPtr> programs;  // after 0, 1, 2, ... steps; at least one
    std::vector<int> snapshots;        // the number of steps before each, ascending
};
RunStates states_of(const Trace& trace);

struct ChosenState {
    State state;
    int step = 0;
    std::string name;  // "step 12"; "snapshot 2" where it was chosen as one. Snapshot 0 is "step 0".
};

// What makes a state better than another: less. States for which it is not a number are not chosen. Any
// function of a state is one.
class Objective {
public:
    using OfState = std::function<double(const State&)>;
    // The same of the states of a run, given by their parts (core/state/parts.h): exactly what OfState says
    // of the whole state, or nothing where the parts do not tell. It may keep what it finds out of a part.
    using OfParts = std::function<std::optional<double>(const IndependentParts&)>;
    using ForForm = std::function<OfParts(const Form&)>;

    template <class Function>
    requires std::is_invocable_r_v<double, const Function&, const State&> Objective(
        Function of_state)  // NOLINT(google-explicit-constructor)
        : of_state_(std::move(of_state)) {}
    Objective(OfState of_state, ForForm by_parts)
        : of_state_(std::move(of_state)), by_parts_(std::move(by_parts)) {}

    double operator()(const State& state) const { return of_state_(state); }
    // For the states of one run in a form; null if parts do not help.
    OfParts by_parts(const Form& form) const { return by_parts_ ? by_parts_(form) : nullptr; }

private:
    OfState of_state_;
    ForForm by_parts_;
};
// The bytes that a state moves between global and local memory.
double moved_bytes(const State& state);
// The objective of them, which their parts tell, too.
Objective least_bytes();

// What users can choose as an objective, by its name in options and files.
enum class ObjectiveKind : std::uint8_t {
    Time,      // "time": predicted on a device, in seconds
    Traffic,   // "traffic": bytes between global and local memory
    Measured,  // "measured": seconds of the last measurement on a device
};
struct ObjectiveRow {
    ObjectiveKind kind;
    std::string name;
    Text title;  // "Predicted time"
    Text unit;   // of its values: "seconds", "bytes"
};
const std::vector<ObjectiveRow>& objectives();
const ObjectiveRow& objective_row(ObjectiveKind kind);

struct RatedState {
    int step = 0;
    std::string name;  // as ChosenState has it
    double value = 0;  // by the objective
    Form form = {};    // that it was rated in: actual_form()
};

// States of one run by what they are worth. Of equally good ones the one after fewer steps stands first.
struct Ranking {
    std::vector<RatedState> states;  // the best first; those without a number are left out
    // Whether every step was looked at. Of runs that are so long that this would take minutes, only the
    // unfused program, the snapshots and the last state are. Independent parts are counted once each, so they
    // do not make a run long.
    bool all_steps = true;
    Form form = {};  // that they were asked for in; RatedState::form says what that made of each
    // Where the best state is in its safe form: what its plain form, which can overflow, is worth. None if
    // that has no number.
    std::optional<double> plain = std::nullopt;
    // By measured times: the device and machine that took them, for people; else empty.
    std::string measured_on = {};

    bool empty() const { return states.empty(); }
    const RatedState& best() const { return states.front(); }
    // What the state after `step` steps is worth; none where it was not looked at or has no number.
    const RatedState* at(int step) const;
};
// All states in `form`. Times are compared in computable_form(): the safe form where the plain one can
// overflow, else the plain one. Bytes are compared in the form that is listed.
Ranking rank(const RunStates& run, const Form& form, const Objective& objective);

// The state that `choice` names, in `form`. A problem says which steps or snapshots there are; it is one,
// too, if the choice names a branch (app/document/history.h has those). The best state is the first of
// rank() in `form`; that none has a number by `objective` is a problem.
Result<ChosenState> choose_state(const RunStates& run, const StateChoice& choice, const Form& form = {},
                                 const Objective& objective = least_bytes());
// "step 0" and all snapshots.
std::vector<ChosenState> unfused_and_snapshots(const RunStates& run, const Form& form = {});

}  // namespace blockscope
