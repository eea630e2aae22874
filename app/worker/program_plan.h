// Which kernels to build of an array program on a device: what each candidate costs is what its best state
// costs there, with the block sizes that the model finds; which candidates make up the plan is decided in
// every known way (core/plan/ways.h).
//
//     GroupCosts costs(program, h100);
//     for (const ProgramWay& way : program_ways(costs))      // exact, largest saving first, library, ...
//         for (const plan::FusionGroup& kernel : way.plan.kernels)
//             costs.of(kernel, way.states).seconds;
//
// Arrays between kernels lie in global memory row by row, whatever blocks they are written and read in, so
// that every kernel has the block sizes that are best for it and nothing is ever brought into other blocks.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "core/plan/decisions.h"
#include "core/plan/operators.h"
#include "core/plan/ways.h"
#include "core/program/array_program.h"
#include "core/state/state.h"
#include "core/support/stop_sign.h"
#include "core/support/text.h"

namespace blockscope::worker {

// What a fusion group costs on a device, in its best state or in its last one. The group is a program of its
// own, whose states come from the fusion algorithm; a state has one kernel or several.
struct GroupCost {
    double seconds = plan::kNever;          // measured, else predicted; kNever: it cannot be built
    double predicted = plan::kNever;        // predicted, even where it was measured
    Text why_not = {};                      // why it cannot be built
    bool no_room = false;                   // it cannot be built because no block sizes fit
    std::string state = {};                 // "snapshot 2" of the group's own run
    int step = 0;                           // the steps before it
    std::vector<std::int64_t> blocks = {};  // by dimension of GroupCosts::program()
    int launches = 0;                       // how many kernels the state has
    int least_launches = 0;                 // the fewest kernels of any of its states
    double bytes = 0;                       // between global and local memory
    double local_bytes = 0;                 // the most that a task of one of its kernels keeps
    std::string binding = {};               // the term that takes longest: "memory", "matrix"
    std::vector<TimeTerm> terms = {};       // of all its launches together
};

// A state of a group's own run.
enum class GroupState : std::uint8_t {
    Best,  // the fastest
    Last,  // in which no rule matches any more: the fewest kernels that the fusion algorithm reaches
};

// Reports progress: `done` of `of` candidates were searched.
using PlanProgress = std::function<void(std::size_t done, std::size_t of)>;

// The costs of a program's fusion groups on a device.
class GroupCosts {
public:
    // `stop` outlives this. The calling thread checks it.
    GroupCosts(ArrayProgram program, Device device, const StopSign& stop = kNeverStop);

    const ArrayProgram& whole() const { return program_; }
    const Device& device() const { return device_; }
    const StopSign& stop() const { return stop_; }
    const plan::OperatorGraph& graph() const { return graph_; }
    // Candidates have at most so many operators: all of a program of up to 24, fewer where they would be too
    // many. Everything as one kernel is looked at in any case of a connected program of up to 24.
    std::size_t most_operators() const { return most_operators_; }
    // Whether they would be too many with as many operators as else.
    bool left_out() const { return left_out_; }

    // The group's operators as a program, with the state's best block sizes. The group can be built.
    ArrayProgram program(const plan::FusionGroup& kernel, GroupState which = GroupState::Best);
    // The state itself with those block sizes, in the form that is built for the device (built_form).
    State state(const plan::FusionGroup& kernel, GroupState which = GroupState::Best);
    // Of a candidate, found once for all that are the same up to names; with few block sizes looked at, until
    // it is refined; the last state with all. Ends with Stopped while the sign is up, as all that search do.
    const GroupCost& of(const plan::FusionGroup& kernel, GroupState which = GroupState::Best);
    // All candidates, by as many threads as the processor runs. `progress` is called by the thread that calls
    // this, and may ask for best_so_far().
    void search_all(const PlanProgress& progress = {});
    // The best plan of the kernels that are known by now, without searching any: what there is while others
    // are searched, and after that was stopped. No kernels where some operator is in none that is known.
    plan::Plan best_so_far() const;
    // The same for the ways of deciding: kernels that are not known by now cannot be built. Nothing stops
    // them.
    plan::Problem problem_so_far(GroupState which = GroupState::Best) const;
    // "stopped after 17 of 40 kernels".
    std::string how_far() const;
    // As `tune --predict` would; false if it was so before.
    bool refine(const plan::FusionGroup& kernel);
    // It was measured: that is what it costs from here on.
    void set_measured(const plan::FusionGroup& kernel, double seconds, GroupState which = GroupState::Best);
    bool is_measured(const plan::FusionGroup& kernel, GroupState which = GroupState::Best);
    // The best state is not slower than the last one: where the last is faster by what is known of it, it is
    // the best one. False if it is not.
    bool take_last(const plan::FusionGroup& kernel);
    // For the ways of deciding; this outlives it.
    plan::Problem problem(GroupState which = GroupState::Best);
    // Whether it is an operator that nobody knows what it computes. It is a kernel of its own that somebody
    // else writes, counted by what it reads and writes.
    bool is_unknown(int node) const;
    // Candidates that were searched, and how many programs they are up to names.
    std::size_t candidates() const { return key_of_.size(); }
    std::size_t searched() const { return by_key_.size(); }

private:
    struct Known {
        GroupCost cost;
        bool refined = false;
        bool measured = false;
    };
    using KnownByKey = std::map<std::string, Known>;
    Known& known(const plan::FusionGroup& kernel, GroupState which = GroupState::Best);
    // What is known under the other name, where the best state is the last one and has its block sizes.
    Known* same_as(const plan::FusionGroup& kernel, GroupState which);
    // How it is searched.
    struct Wanted {
        GroupState which = GroupState::Best;
        // Looks quickly, unless that is infinity, and gives up what takes much longer than so many seconds.
        double separate = plan::kNever;
        bool alone = false;  // one operator: on a processor it runs though it does not fit
    };
    GroupCost search(const ArrayProgram& kernel, const Wanted& wanted, const StopSign& stop) const;
    // Why it is none that could be searched; nothing if it is one.
    std::optional<Text> no_candidate(const plan::FusionGroup& kernel) const;
    // What its operators cost as a kernel each.
    double separate_seconds(const plan::FusionGroup& kernel);
    struct Task;
    std::vector<Task> tasks_of(const std::vector<plan::FusionGroup>& kernels);
    void search_those(const std::vector<plan::FusionGroup>& kernels, const PlanProgress& progress);
    // What is finished is known from here on.
    void keep_finished(std::vector<Task>& tasks);
    std::vector<int> all_nodes() const;
    plan::Problem problem_but_costs() const;
    double matrix_seconds(const plan::FusionGroup& nodes) const;
    double bound(const plan::FusionGroup& kernel) const;

    ArrayProgram program_;
    Device device_;
    const StopSign& stop_;
    plan::OperatorGraph graph_;
    std::size_t most_operators_ = 0;
    bool left_out_ = false;
    std::vector<double> matrix_seconds_;  // by node, at the peak
    std::map<plan::FusionGroup, std::string> key_of_;
    KnownByKey by_key_, last_by_key_;
    bool some_measured_ = false;
    std::size_t wanted_ = 0;  // programs that will be known when search_all() ends
};

struct ProgramWay {
    std::string name;  // in JSON: "exact"; plan::way_title() says what it is called
    plan::Plan plan;
    GroupState states = GroupState::Best;  // of its kernels
    plan::FusionGroup not_built = {};      // without a plan: operators of which no kernel can be built,
    Text why_not = {};                     // and why
};
// What kernels of a way come to.
struct WaySums {
    double bytes = 0;
    double local_bytes = 0;  // the most of one
    int launches = 0;
};
WaySums sums_of(GroupCosts& costs, const ProgramWay& way);

// Exact first. Everything as one kernel is the last state of the fusion algorithm. As a compiler and as
// libraries would: their kernels (core/cost/models/baseline.h), each built and costed as all others are. With
// decisions, which have no problem (plan::problem_with), also "decided": with them, and the rest as the exact
// way would. The kernels of all plans are refined, and the ways decide again, until no kernel of a plan is
// new. Their searches share the effort of one. No plan is better than the exact one. Ends with Stopped.
//
// With `measure`, which says whether it has measured a kernel that was not measured before, what kernels of
// plans take is measured instead (plan_run.h); the others keep what is predicted.
using MeasureKernel = std::function<bool(const plan::FusionGroup& kernel, GroupState which)>;
std::vector<ProgramWay> program_ways(GroupCosts& costs, const PlanProgress& progress = {},
                                     const plan::Decisions& made = {}, const MeasureKernel& measure = {});

// What the ways find among the kernels that are known by now, without searching any: after they were stopped.
// All say so; those whose kernels are not known have no plan.
std::vector<ProgramWay> program_ways_so_far(const GroupCosts& costs, const plan::Decisions& made = {});

// The names of these ways.
std::vector<std::string> program_way_names();

}  // namespace blockscope::worker
