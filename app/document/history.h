// The states of one program as a tree: every branch is kept. A value; copies share their states.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fusion/trace.h"

namespace blockscope {

using StateId = int;  // 0 is the initial program; never reused within a history

struct HistoryState {
    StateId id = 0;
    StateId parent = -1;  // -1 for the initial program
    ProgramPtr program;
    std::shared_ptr<const Step> step;  // what led here; null for the initial program
    bool snapshot = false;             // a complete pass of the algorithm ends here (section 4.3)
    std::string note;                  // the user's, Markdown
    bool tidy = false;                 // laid out afresh here instead of following the picture before
};

struct Branch {
    int id = 0;
    std::string name;
    StateId tip = 0;
    std::string stopped;  // why the algorithm's run ended, if it did at the tip
    bool operator==(const Branch&) const = default;
};

class History {
public:
    explicit History(ProgramPtr initial);

    const HistoryState& state(StateId id) const;  // throws InternalError if there is none
    bool has(StateId id) const { return states_.count(id) > 0; }
    const std::map<StateId, std::shared_ptr<const HistoryState>>& states() const { return states_; }
    const std::vector<Branch>& branches() const { return branches_; }
    const Branch& branch(int id) const;

    // From the initial program to `id`, both included.
    std::vector<StateId> path(StateId id) const;
    int depth(StateId id) const;
    std::vector<StateId> children(StateId id) const;
    // The child of `id` on the way to the tip of `branch`; none at the tip or off the branch.
    std::optional<StateId> next(StateId id, int branch) const;
    // The states that `a` and `b` come from both.
    StateId common_ancestor(StateId a, StateId b) const;
    // The branch whose way leads through `id`: `preferred` if it does, else the first that does.
    int branch_through(StateId id, int preferred) const;

    // A new state after `parent`. A child with the same match is returned instead of made again.
    StateId add(StateId parent, Step step, bool snapshot);
    // Makes sure that a branch ends at `tip`: extends one that ends on the way there, else adds one that is
    // called "Branch n" (the first: "Algorithm"). Returns its id.
    int extend(StateId tip);

    void rename(int branch, std::string name);
    void set_note(StateId id, std::string note);
    void set_tidy(StateId id, bool tidy);
    void set_snapshot(StateId id);
    void set_stopped(int branch, std::string why);
    // Removes the branch and the states that no other branch leads through. The last branch cannot be
    // removed.
    bool remove(int branch);

    // The same steps from another initial program, which differs in the sizes of dimensions alone.
    History rebased(ProgramPtr initial) const;

    // The way to `id` as a trace of the core.
    Trace trace(StateId id) const;

private:
    friend class HistoryReader;
    void replace(HistoryState state);

    std::map<StateId, std::shared_ptr<const HistoryState>> states_;
    std::vector<Branch> branches_;
    int next_state_ = 1;
    int next_branch_ = 1;
};

}  // namespace blockscope
