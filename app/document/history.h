// The states of one program as a tree: every branch is kept. A value; copies share their states.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/state/choose.h"
#include "core/support/stop_sign.h"

namespace blockscope {

using StateId = int;  // 0 is the initial program; never reused within a history

struct HistoryState {
    StateId id = 0;
    StateId parent = -1;  // -1 for the initial program
    int depth = 0;        // steps from the initial program
    ProgramPtr program;
    std::shared_ptr<const Step> step;  // what led here; null for the initial program
    bool snapshot = false;             // a complete pass of the algorithm ends here (section 4.3)
    std::string note;                  // the user's note, plain text
    std::string name;                  // the user's name for the step; empty: it is named after its rule
    bool tidy = false;                 // the layout starts anew here and does not follow the state before
};

// The limit on a history's memory: the number of nodes in all states' graphs that are not shared with the
// state before. Each takes at least 16 bytes.
constexpr std::int64_t kMaxHistoryWeight = 50'000'000;
std::int64_t step_weight(const Step& step);

struct Branch {
    int id = 0;
    std::string name;
    StateId tip = 0;
    Text stopped;  // why the algorithm's run ended, if it did at the tip
    bool operator==(const Branch&) const = default;
};

// Every branch ends at a state without children, and every such state is the end of one branch.
class History {
public:
    explicit History(ProgramPtr initial, RuleSet rules = {});

    // Which rules the algorithm tries in this history's runs.
    RuleSet rules() const { return rules_; }
    void set_rules(RuleSet rules) { rules_ = rules; }

    const HistoryState& state(StateId id) const;  // throws InternalError if there is none
    bool has(StateId id) const { return states().count(id) > 0; }
    using States = std::map<StateId, std::shared_ptr<const HistoryState>>;
    const States& states() const { return tree_->states; }
    const std::vector<Branch>& branches() const { return branches_; }
    const Branch& branch(int id) const;

    // From the initial program to `id`, both included.
    std::vector<StateId> path(StateId id) const;
    int depth(StateId id) const { return state(id).depth; }
    std::vector<StateId> children(StateId id) const;
    // Whether `other` is a copy with the same states, notes and branches. Quick, because copies share their
    // states until one of them changes; two copies that were changed alike are not the same.
    bool same(const History& other) const { return tree_ == other.tree_ && branches_ == other.branches_; }
    std::int64_t weight() const { return tree_->weight; }
    // The ids that the next state and branch get.
    int next_state() const { return next_state_; }
    int next_branch() const { return next_branch_; }
    // The child of `id` on the way to the tip of `branch`; none at the tip or off the branch.
    std::optional<StateId> next(StateId id, int branch) const;
    // The last state from which both `a` and `b` come.
    StateId common_ancestor(StateId a, StateId b) const;
    // A branch that contains the state `id`: `preferred` if it does, else the first one that does.
    int branch_through(StateId id, int preferred) const;

    // Adds a state after `parent`, or returns the child that has the same match.
    StateId add(StateId parent, Step step, bool snapshot);
    // Makes sure that a branch ends at `tip`: extends a branch that ends at one of its ancestors (`preferred`
    // if that does), else adds "Branch n" (the first one is called "Algorithm"). Returns the branch's id.
    int extend(StateId tip, int preferred);

    void rename(int branch, const std::string& name);
    void set_note(StateId id, std::string note);
    void set_name(StateId id, std::string name);
    void set_tidy(StateId id, bool tidy);
    void set_snapshot(StateId id);
    void set_stopped(int branch, const Text& why);
    // Removes the branch and the states that no other branch leads through. The last branch cannot be
    // removed.
    bool remove(int branch);

    // The same steps from another initial program, which differs in the sizes of dimensions alone. None if
    // `observer` stops it.
    std::optional<History> rebased(const ProgramPtr& initial, const StepObserver& observer = {}) const;

    // ---- For readers of files: restore states, each with its own id, which is above those before it, after
    // a parent that exists; then the branches and the next ids. Throw InternalError if an id is taken.
    void restore_initial(HistoryState state);
    void restore(HistoryState state);
    void restore(std::vector<Branch> branches, int next_state, int next_branch);

    // The steps to `id` as a trace.
    Trace trace(StateId id) const;
    // The states on the way to `id`, to choose from.
    RunStates states_on_the_way(StateId id) const;

private:
    struct Tree {
        States states;
        std::map<StateId, std::vector<StateId>> children;  // in the order of their ids
        std::int64_t weight = 0;                           // of all steps
    };
    Tree& changing();
    void replace(HistoryState state);
    void insert(HistoryState state);
    bool leads_through(const Branch& branch, StateId id) const;

    std::shared_ptr<Tree> tree_;  // shared by copies, copied before a change
    std::vector<Branch> branches_;
    RuleSet rules_;
    int next_state_ = 1;
    int next_branch_ = 1;
};

// The state that `choice` names on the branch of that name, or on `shown` where it names none; of branches
// with the same name on the first. A problem says which branches, steps or snapshots there are.
Result<StateId> choose_state(const History& history, int shown, const StateChoice& choice,
                             const Objective& objective = least_bytes());

// Which nodes of two states of one history stand for the same thing, by the lineage of the steps between.

class Ancestry {
public:
    Ancestry() = default;  // every node stands for itself
    // Ends with Stopped while `stop` is up.
    Ancestry(const History& history, StateId a, StateId b, const StopSign& stop = kNeverStop);

    // Whether both come from a common node of the last state that both states come from.
    bool related(NodeId in_a, NodeId in_b) const;
    // The nodes of that last common state which a node of state `b`, or of state `a`, stands for.
    std::set<NodeId> origins(NodeId in_b) const { return roots_of(b_, in_b); }
    std::set<NodeId> origins_in_a(NodeId in_a) const { return roots_of(a_, in_a); }

private:
    using Roots = std::map<NodeId, std::set<NodeId>>;
    static Roots roots(const History& history, StateId from, StateId to, const StopSign& stop);
    static std::set<NodeId> roots_of(const Roots& roots, NodeId node);

    Roots a_, b_;
};

}  // namespace blockscope
