#include "app/document/history.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/support/result.h"

namespace blockscope {

namespace {

std::shared_ptr<const HistoryState> shared(HistoryState state) {
    return std::make_shared<const HistoryState>(std::move(state));
}

// The same step at the sizes of `before`.
Step resized(Step step, const ProgramPtr& before) {
    BlockProgram after = *step.after;
    after.dims = before->dims;
    step.before = before;
    step.after = std::make_shared<const BlockProgram>(std::move(after));
    return step;
}

}  // namespace

std::int64_t step_weight(const Step& step) {
    std::int64_t nodes = 0;
    const Graph* graph = step.after->graph.get();
    for (std::size_t level = 0; graph; ++level) {
        nodes += static_cast<std::int64_t>(graph->nodes().size());
        const Node* map = level < step.match.path.size() ? graph->find(step.match.path[level]) : nullptr;
        graph = map ? map->as<Map>()->body.get() : nullptr;
    }
    return nodes;
}

History::History(ProgramPtr initial, RuleSet rules) : tree_(std::make_shared<Tree>()), rules_(rules) {
    HistoryState state;
    state.program = std::move(initial);
    tree_->states.emplace(0, shared(std::move(state)));
    branches_.push_back({next_branch_++, "Algorithm", 0, {}});
}

const HistoryState& History::state(StateId id) const {
    const auto it = states().find(id);
    if (it == states().end()) throw InternalError("the history has no state " + std::to_string(id));
    return *it->second;
}

const Branch& History::branch(int id) const {
    for (const Branch& branch : branches_)
        if (branch.id == id) return branch;
    throw InternalError("the history has no branch " + std::to_string(id));
}

std::vector<StateId> History::path(StateId id) const {
    std::vector<StateId> path;
    for (StateId at = id; at >= 0; at = state(at).parent) path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<StateId> History::children(StateId id) const {
    const auto it = tree_->children.find(id);
    return it == tree_->children.end() ? std::vector<StateId>{} : it->second;
}

std::optional<StateId> History::next(StateId id, int branch_id) const {
    for (StateId at = branch(branch_id).tip; at >= 0 && depth(at) > depth(id); at = state(at).parent)
        if (state(at).parent == id) return at;
    return {};
}

StateId History::common_ancestor(StateId a, StateId b) const {
    while (a != b) {
        if (depth(a) < depth(b)) std::swap(a, b);
        a = state(a).parent;
    }
    return a;
}

bool History::leads_through(const Branch& branch, StateId id) const {
    return common_ancestor(branch.tip, id) == id;
}

int History::branch_through(StateId id, int preferred) const {
    for (const Branch& branch : branches_)
        if (branch.id == preferred && leads_through(branch, id)) return preferred;
    for (const Branch& branch : branches_)
        if (leads_through(branch, id)) return branch.id;
    throw InternalError("no branch leads through state " + std::to_string(id));
}

StateId History::add(StateId parent, Step step, bool snapshot) {
    for (const StateId child : children(parent)) {
        if (!(state(child).step->match == step.match)) continue;
        if (snapshot) set_snapshot(child);
        return child;
    }
    HistoryState made;
    made.id = next_state_++;
    made.parent = parent;
    made.program = step.after;
    made.step = std::make_shared<const Step>(std::move(step));
    made.snapshot = snapshot;
    const StateId id = made.id;
    insert(std::move(made));
    return id;
}

int History::extend(StateId tip, int preferred) {
    for (Branch& branch : branches_) {
        if (common_ancestor(branch.tip, tip) != branch.tip) continue;
        if (branch.tip != tip) branch.stopped = {};
        branch.tip = tip;
        return branch.id;
    }
    for (const Branch& branch : branches_)
        if (leads_through(branch, tip)) return branch_through(tip, preferred);
    const int id = next_branch_++;
    branches_.push_back({id, "Branch " + std::to_string(id), tip, {}});
    return id;
}

History::Tree& History::changing() {
    if (tree_.use_count() > 1) tree_ = std::make_shared<Tree>(*tree_);
    return *tree_;
}

void History::replace(HistoryState state) {
    const StateId id = state.id;
    changing().states[id] = shared(std::move(state));
}

void History::insert(HistoryState made) {
    made.depth = depth(made.parent) + 1;
    Tree& tree = changing();
    tree.weight += step_weight(*made.step);
    tree.children[made.parent].push_back(made.id);
    const StateId id = made.id;
    if (!tree.states.emplace(id, shared(std::move(made))).second)
        throw InternalError("the history has state " + std::to_string(id) + " twice");
}

void History::restore_initial(HistoryState state) {
    replace(std::move(state));
}

void History::restore(HistoryState state) {
    insert(std::move(state));
}

void History::restore(std::vector<Branch> branches, int next_state, int next_branch) {
    branches_ = std::move(branches);
    next_state_ = next_state;
    next_branch_ = next_branch;
}

void History::rename(int id, const std::string& name) {
    for (Branch& branch : branches_)
        if (branch.id == id) branch.name = name;
}

void History::set_note(StateId id, std::string note) {
    HistoryState changed = state(id);
    changed.note = std::move(note);
    replace(std::move(changed));
}

void History::set_name(StateId id, std::string name) {
    HistoryState changed = state(id);
    changed.name = std::move(name);
    replace(std::move(changed));
}

void History::set_tidy(StateId id, bool tidy) {
    HistoryState changed = state(id);
    changed.tidy = tidy;
    replace(std::move(changed));
}

void History::set_snapshot(StateId id) {
    if (state(id).snapshot) return;
    HistoryState changed = state(id);
    changed.snapshot = true;
    replace(std::move(changed));
}

void History::set_stopped(int id, const Text& why) {
    for (Branch& branch : branches_)
        if (branch.id == id) branch.stopped = why;
}

bool History::remove(int id) {
    if (branches_.size() < 2) return false;
    const auto removed =
        std::find_if(branches_.begin(), branches_.end(), [&](const Branch& b) { return b.id == id; });
    if (removed == branches_.end()) return false;
    branches_.erase(removed);
    std::set<StateId> kept;
    for (const Branch& branch : branches_)
        for (StateId at = branch.tip; at >= 0 && kept.insert(at).second; at = state(at).parent) {
        }
    Tree& tree = changing();
    const auto gone = [&](StateId state) { return kept.count(state) == 0; };
    for (const auto& [state, value] : tree.states)
        if (gone(state)) tree.weight -= step_weight(*value->step);
    std::erase_if(tree.states, [&](const auto& entry) { return gone(entry.first); });
    std::erase_if(tree.children, [&](const auto& entry) { return gone(entry.first); });
    for (auto& [parent, children] : tree.children) std::erase_if(children, gone);
    return true;
}

// Where the initial graph is the same, so is every other: neither rules nor the check of their results ask
// for sizes, and a state is then its old graph with the new sizes. Else each step is applied anew.
std::optional<History> History::rebased(const ProgramPtr& initial, const StepObserver& observer) const {
    const bool same_graph = identical(*state(0).program->graph, *initial->graph);
    History made = *this;
    Stepper stepper;
    for (const auto& [id, old] : states()) {  // parents come first: ids grow along every branch
        HistoryState state = *old;
        if (old->step) {
            const ProgramPtr& before = made.state(old->parent).program;
            state.step = std::make_shared<const Step>(same_graph ? resized(*old->step, before)
                                                                 : stepper.apply(before, old->step->match));
            state.program = state.step->after;
            if (observer && !observer(*state.step)) return {};
        } else if (same_graph) {  // shared, so that whatever is known of the graph stays known
            BlockProgram program = *initial;
            program.graph = old->program->graph;
            state.program = std::make_shared<const BlockProgram>(std::move(program));
        } else {
            state.program = initial;
        }
        made.replace(std::move(state));
    }
    return made;
}

Trace History::trace(StateId id) const {
    Trace trace;
    trace.initial = state(0).program;
    trace.rules = rules_;
    for (const StateId at : path(id)) {
        const HistoryState& here = state(at);
        if (here.step) trace.steps.push_back(*here.step);
        if (here.snapshot) trace.snapshots.push_back(static_cast<int>(trace.steps.size()));
    }
    for (const Branch& branch : branches_)
        if (branch.tip == id) trace.stopped = branch.stopped;
    return trace;
}

RunStates History::states_on_the_way(StateId id) const {
    RunStates run;
    for (const StateId each : path(id)) {
        const HistoryState& at = state(each);
        run.programs.push_back(at.program);
        if (at.snapshot) run.snapshots.push_back(at.depth);
    }
    return run;
}

Result<StateId> choose_state(const History& history, int shown, const StateChoice& choice,
                             const Objective& objective) {
    const Branch* branch = choice.branch.empty() ? &history.branch(shown) : nullptr;
    std::string names;
    for (const Branch& each : history.branches()) {
        if (!branch && each.name == choice.branch) branch = &each;
        names += (names.empty() ? "'" : ", '") + each.name + "'";
    }
    if (!branch) return Problem{{}, Text("there is no branch '%1'; there is %2", choice.branch, names)};
    const std::vector<StateId> way = history.path(branch->tip);
    const StateChoice on_branch{choice.kind, choice.number, {}};
    const Result<ChosenState> chosen =
        choose_state(history.states_on_the_way(branch->tip), on_branch, {}, objective);
    if (!chosen) return chosen.problems();
    return way.at(static_cast<std::size_t>(chosen->step));
}

Ancestry::Ancestry(const History& history, StateId a, StateId b, const StopSign& stop) {
    const StateId common = history.common_ancestor(a, b);
    a_ = roots(history, common, a, stop);
    b_ = roots(history, common, b, stop);
}

// Nodes made on the way from state `from` to state `to`, each with the nodes of `from` that it stands for.
Ancestry::Roots Ancestry::roots(const History& history, StateId from, StateId to, const StopSign& stop) {
    std::vector<const Step*> steps;
    for (StateId at = to; at != from; at = history.state(at).parent)
        steps.push_back(history.state(at).step.get());
    std::reverse(steps.begin(), steps.end());
    Roots result;
    for (const Step* step : steps) {
        stop.check();
        for (const Lineage& lineage : step->made) {
            std::set<NodeId> all;
            for (const NodeId old : lineage.from) all.merge(roots_of(result, old));
            result[lineage.made] = std::move(all);
        }
    }
    return result;
}

std::set<NodeId> Ancestry::roots_of(const Roots& roots, NodeId node) {
    const auto it = roots.find(node);
    return it == roots.end() ? std::set<NodeId>{node} : it->second;
}

bool Ancestry::related(NodeId in_a, NodeId in_b) const {
    if (in_a == in_b) return true;
    const std::set<NodeId> of_a = roots_of(a_, in_a);
    const std::set<NodeId> of_b = roots_of(b_, in_b);
    return std::any_of(of_a.begin(), of_a.end(), [&](NodeId node) { return of_b.count(node) > 0; });
}

}  // namespace blockscope
