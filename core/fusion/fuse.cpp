// The search for the next match of one level, without looking again where nothing can have changed.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/fusion/trace.h"
#include "core/graph/level_change.h"
#include "core/print/print.h"
#include "core/support/result.h"

namespace blockscope {

// Finds what the chain `rule8_match(G) or rule4_match(G) or ...` of section 4.1 finds: the first
// rule in that order that matches anywhere, at its first place in the graph's order.
//
// Whether a rule matches at a node depends on the node, its producers, its consumers and their
// other producers and consumers, and on the absence of indirect paths; no rewrite removes a path
// between nodes that it leaves alone. So after a rewrite only nodes near changed ones are tried again.
class Candidates {
public:
    Candidates(const GraphIndex& index, RuleSet rules);
    std::optional<Match> first(const Level& level, const std::vector<NodeId>& path);
    // What the level that first() saw has become: `index` after the update with `difference`; `before` are
    // the nodes of the level before.
    void changed(const NodeList& before, const GraphIndex& index, const ListDifference& difference);

private:
    using Open = std::pair<std::uint64_t, int>;  // label and position of a node, in the order of the graph
    using OpenHeap = std::vector<Open>;          // the earliest first; a node may stand in it more than once

    void retry(const GraphIndex& index, int position);
    void label_again(const GraphIndex& index);
    static void drop_first(OpenHeap& open);

    const std::vector<const Rule*>& order_;
    std::vector<OpenHeap>
        open_;  // by rule, in the order in which they are tried: where it has not been tried, or matched
    int relabelled_ = 0;
};

namespace {

bool is_in(const Rule& rule, RuleSet set) {
    if (rule.priority == 0) return false;
    return rule.origin == RuleOrigin::Paper || (set.additions && (set.rounding || !rule.rounds));
}

// The additions of the set, then section 4.1's order; the twin of rule 8 comes with it.
const std::vector<const Rule*>& priority(RuleSet set) {
    static const std::map<RuleSet, std::vector<const Rule*>> kOrders = [] {
        std::map<RuleSet, std::vector<const Rule*>> orders;
        for (const RuleSet each : {kPaperRules, RuleSet{}, RuleSet{.rounding = true}}) {
            std::vector<const Rule*>& order = orders[each];
            for (const Rule& rule : rules())
                if (is_in(rule, each)) order.push_back(&rule);
            std::sort(order.begin(), order.end(), [](const Rule* a, const Rule* b) {
                const bool later = a->origin == RuleOrigin::Paper;
                if (a->origin != b->origin) return !later;
                return a->priority < b->priority;
            });
        }
        return orders;
    }();
    return kOrders.at(set.additions ? set : kPaperRules);
}

}  // namespace

namespace {

// No rule matches at inputs and outputs.
bool may_match(const Node& node) {
    return !node.is<Input>() && !node.is<Output>();
}

}  // namespace

Candidates::Candidates(const GraphIndex& index, RuleSet rules)
    : order_(priority(rules)), relabelled_(index.relabelled()) {
    OpenHeap all;  // in the order of the graph, which is that of a heap
    all.reserve(index.graph().nodes().size());
    for (const NodePtr& node : index.graph().nodes()) {
        if (!may_match(*node)) continue;
        const int position = index.position(node->id);
        all.emplace_back(index.label(position), position);
    }
    open_.assign(order_.size(), all);
}

std::optional<Match> Candidates::first(const Level& level, const std::vector<NodeId>& path) {
    std::vector<Match> matches;
    for (std::size_t rule = 0; rule < order_.size(); ++rule) {
        OpenHeap& open = open_[rule];
        while (!open.empty()) {
            const auto [label, position] = open.front();
            if (level.index.holds(position) && level.index.label(position) == label) {
                order_[rule]->matches_at(level, position, matches);
                if (!matches.empty()) {
                    matches.front().path = path;
                    return std::move(matches.front());
                }
            }
            drop_first(open);
        }
    }
    return std::nullopt;
}

void Candidates::drop_first(OpenHeap& open) {
    const Open first = open.front();
    while (!open.empty() && open.front() == first) {
        std::pop_heap(open.begin(), open.end(), std::greater<>());
        open.pop_back();
    }
}

void Candidates::retry(const GraphIndex& index, int position) {
    if (!may_match(index.node(position))) return;
    for (OpenHeap& open : open_) {
        open.emplace_back(index.label(position), position);
        std::push_heap(open.begin(), open.end(), std::greater<>());
    }
}

namespace {

// The node, if it is there, and its producers, and all their consumers. A merged map is the only consumer of
// most of its producers; it is listed once for a run of them.
void add_neighbours(const GraphIndex& index, const Node& node, std::vector<int>& positions) {
    const auto put = [&](int at) {
        if (positions.empty() || positions.back() != at) positions.push_back(at);
    };
    const auto add = [&](int at) {
        if (may_match(index.node(at))) put(at);
        for (const GraphIndex::Use& use : index.uses(at)) put(use.node);
    };
    const int here = index.position(node.id);
    if (here >= 0) add(here);
    for (const ValueRef& ref : node.inputs)
        if (const int producer = index.position(ref.node); producer >= 0) add(producer);
}

}  // namespace

void Candidates::label_again(const GraphIndex& index) {
    relabelled_ = index.relabelled();
    for (OpenHeap& open : open_) {
        std::erase_if(open, [&](const Open& one) { return !index.holds(one.second); });
        for (auto& [label, position] : open) label = index.label(position);
        std::make_heap(open.begin(), open.end(), std::greater<>());
    }
}

void Candidates::changed(const NodeList& before, const GraphIndex& index, const ListDifference& difference) {
    if (relabelled_ != index.relabelled()) label_again(index);
    std::vector<int> near;
    for (const ListDifference::Come& come : difference.come)
        add_neighbours(index, *index.graph().nodes()[come.place], near);
    const auto are_taken_over = [&](const Node& gone) {  // its inputs are the first of a new node
        return std::any_of(difference.come.begin(), difference.come.end(),
                           [&](const ListDifference::Come& come) {
                               const auto& now = index.graph().nodes()[come.place]->inputs;
                               return gone.inputs.size() <= now.size() &&
                                      std::equal(gone.inputs.begin(), gone.inputs.end(), now.begin());
                           });
    };
    for (const std::size_t place : difference.gone(0))
        if (const Node& gone = *before[place]; !are_taken_over(gone)) add_neighbours(index, gone, near);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const int position : near) retry(index, position);
}

// The one way in which a rewrite happens.

namespace {

[[noreturn]] void broken(const BlockProgram& before, const Match& match, const std::string& what) {
    std::string text = "rule " + to_string(match.rule) + " broke the program: " + what + "\nroles:";
    for (const Role& role : match.roles) text += " " + role.name + "=" + to_string(role.node);
    throw InternalError(text + "\nprogram before:\n" + outline(before));
}

template <class K>
std::vector<const Node*> ports(const Graph& graph) {
    std::vector<const Node*> found;
    for (const NodePtr& node : graph.nodes())
        if (node->is<K>()) found.push_back(node.get());
    return found;
}

template <class K>
bool same_ports(const Graph& a, const Graph& b) {
    const std::vector<const Node*> before = ports<K>(a);
    const std::vector<const Node*> after = ports<K>(b);
    return std::equal(
        before.begin(), before.end(), after.begin(), after.end(), [](const Node* x, const Node* y) {
            return x == y || (x->id == y->id && x->outputs == y->outputs && same_kind(x->kind, y->kind));
        });
}

// A node that keeps its id keeps its types (the verifier sees to it), so only outputs that read
// another node now can have changed.
bool same_output_types(const GraphIndex& a, const GraphIndex& b) {
    const std::vector<const Node*> before = ports<Output>(a.graph());
    const std::vector<const Node*> after = ports<Output>(b.graph());
    for (std::size_t i = 0; i < before.size(); ++i) {
        const ValueRef& x = before[i]->inputs[0];
        const ValueRef& y = after[i]->inputs[0];
        if (x != y && edge_type(*a.find(x.node), x) != edge_type(*b.find(y.node), y)) return false;
    }
    return true;
}

// Looks at the whole level: for changes of an unusual kind, and to say what is wrong with a broken one.
void check_thoroughly(const BlockProgram& before, const Match& match, const Graph& old_level,
                      const BlockProgram& after, const Graph& new_level) {
    const std::vector<Violation> violations = verify_change(before, after, match.path);
    if (!violations.empty()) broken(before, match, violations.front().sentence.str());
    if (!same_ports<Input>(old_level, new_level) || !same_ports<Output>(old_level, new_level))
        broken(before, match, "the inputs or outputs are not the same");
    if (!same_output_types(GraphIndex(old_level), GraphIndex(new_level)))
        broken(before, match, "an output has another type");
}

}  // namespace

Step checked_apply(const ProgramPtr& before, const Match& match) {
    const GraphPtr graph = graph_at(*before, match.path);
    if (!graph) throw InternalError("rule " + to_string(match.rule) + ": no graph at the match's path");
    GraphIndex index(*graph);
    return checked_apply(before, match, index, [](const LevelChange&) {});
}

Step checked_apply(const ProgramPtr& before, const Match& match, GraphIndex& index,
                   const std::function<void(const LevelChange&)>& changed) {
    const Graph& graph = index.graph();
    const Level level{before->dims, index};
    const Rule& used = rule(match.rule);
    for (const Role& role : match.roles)
        if (!index.find(role.node)) broken(*before, match, "there is no " + to_string(role.node));
    IdSource ids(before->next_id);
    Step step;
    step.match = match;
    step.before = before;
    step.explanation = used.explain(level, match);
    Rewrite rewrite = used.apply(level, match, ids);

    BlockProgram after = with_graph_at(*before, match.path, rewrite.graph);
    after.next_id = ids.next();
    if (rewrite.made.empty() || rewrite.graph.get() == &graph) broken(*before, match, "it changed nothing");
    const LevelChange change(index, *rewrite.graph, match.path.empty());
    index.update(*rewrite.graph, change.level());
    if (change.is_surely_valid(index, after, before->next_id)) {
        step.buffered_edges = change.buffered_edges(index);
    } else {
        check_thoroughly(*before, match, graph, after, *rewrite.graph);
        step.buffered_edges =
            buffered_edges(*rewrite.graph, match.path.empty()) - buffered_edges(graph, match.path.empty());
    }

    step.after = std::make_shared<const BlockProgram>(std::move(after));
    step.made = std::move(rewrite.made);
    step.removed = std::move(rewrite.removed);
    step.same = std::move(rewrite.same);
    changed(change);
    return step;
}

const GraphIndex* Stepper::level(const ProgramPtr& state, const std::vector<NodeId>& path) {
    const Known* found = known(state, path, path.size());
    return found ? &found->index : nullptr;
}

// The level inside the first `depth` maps of the path.
Stepper::Known* Stepper::known(const ProgramPtr& state, const std::vector<NodeId>& path, std::size_t depth) {
    const Graph* graph = state->graph.get();
    if (depth > 0) {
        const Known* around = known(state, path, depth - 1);
        const Node* node = around ? around->index.find(path[depth - 1]) : nullptr;
        const Map* map = node ? node->as<Map>() : nullptr;
        if (!map) return nullptr;
        graph = map->body.get();
    }
    const NodeId key = depth == 0 ? NodeId{} : path[depth - 1];
    const auto found = levels_.find(key);
    if (found == levels_.end()) return &levels_.emplace(key, Known{state, GraphIndex(*graph)}).first->second;
    Known& level = found->second;
    if (&level.index.graph() != graph) {
        const NodeList& before = level.index.graph().nodes();
        level.index.update(*graph, difference({{&before, &level.index}}, graph->nodes()));
    }
    level.state = state;
    return &level;
}

Step Stepper::apply(const ProgramPtr& before, const Match& match) {
    Known* level = known(before, match.path, match.path.size());
    if (!level) throw InternalError("rule " + to_string(match.rule) + ": no graph at the match's path");
    Step step = checked_apply(before, match, level->index, [](const LevelChange&) {});
    level->state = step.after;
    return step;
}

// The fusion algorithm (Blockbuster section 4).

const ProgramPtr& Trace::state(int step) const {
    return step == 0 ? initial : steps.at(static_cast<std::size_t>(step) - 1).after;
}

namespace {

using Path = std::vector<NodeId>;

// Rule 6 extends the map that makes all outputs.
std::optional<Match> extension(const Level& level, const Path& path) {
    const NodeList& nodes = level.index.graph().nodes();
    const auto output = nodes.first_of<Output>();
    if (!output) return std::nullopt;
    const int last = level.index.position(nodes[*output]->inputs[0].node);
    for (const char variant : {'a', 'b', 'c'}) {
        std::vector<Match> matches;
        rule({6, variant}).matches_at(level, last, matches);
        if (matches.empty()) continue;
        matches.front().path = path;
        return std::move(matches.front());
    }
    return std::nullopt;
}

}  // namespace

bool Endings::is_fused(const Graph& graph, const DimTable& dims) {
    const auto known = fused_.find(&graph);
    if (known != fused_.end()) return known->second;
    const GraphIndex index(graph);
    bool fused = !Candidates(index, rules_).first({dims, index}, {});
    for (const NodePtr& node : graph.nodes())
        if (const Map* map = node->as<Map>(); map && fused) fused = is_fused(*map->body, dims);
    return fused_[&graph] = fused;
}

bool Endings::is_barren(const Graph& graph, const DimTable& dims) {
    const auto known = barren_.find(&graph);
    if (known != barren_.end()) return known->second;
    bool barren = !extension({dims, GraphIndex(graph)}, {});
    for (const NodePtr& node : graph.nodes())
        if (const Map* map = node->as<Map>(); map && barren) barren = is_barren(*map->body, dims);
    return barren_[&graph] = barren;
}

namespace {

class Fusion {
public:
    Fusion(Trace trace, const StepObserver& observer)
        : program_(trace.last()),
          observer_(observer),
          trace_(std::move(trace)),
          steps_before_(static_cast<int>(trace_.steps.size())),
          endings_(trace_.rules) {}

    // fuse() of section 4.3.
    Trace run() {
        bool more = bfs_fuse_no_extend();
        snapshot(more);
        while (more && bfs_extend()) {
            more = !stopped_ && bfs_fuse_no_extend();
            snapshot(more);
        }
        trace_.stopped = stopped_ ? Text(kRunStopped) : Text(kNothingMatches);
        if (!stopped_) add_passes_by_hand();
        return std::move(trace_);
    }

private:
    // What is known of a level since it was last visited, by the map around it.
    struct Visit {
        Visit(const Graph& graph, RuleSet rules) : index(graph), candidates(index, rules) {}
        GraphIndex index;
        Candidates candidates;
    };

    void snapshot(bool complete) {
        const int steps = static_cast<int>(trace_.steps.size());
        if (complete && !is_snapshot(steps)) trace_.snapshots.push_back(steps);
    }

    bool is_snapshot(int steps) const {
        return std::binary_search(trace_.snapshots.begin(), trace_.snapshots.end(), steps);
    }

    void add_passes_by_hand() {
        std::vector<int> missing;
        for (int i = 0; i < steps_before_; ++i)
            if (!is_snapshot(i) && endings_.ends_pass(trace_.steps[static_cast<std::size_t>(i)]))
                missing.push_back(i);
        trace_.snapshots.insert(trace_.snapshots.end(), missing.begin(), missing.end());
        std::sort(trace_.snapshots.begin(), trace_.snapshots.end());
    }

    // Applies and records; false if the observer stops the run.
    bool apply(const Match& match, Visit& visit) {
        const NodeList before = visit.index.graph().nodes();
        const auto changed = [&](const LevelChange& change) {
            visit.candidates.changed(before, visit.index, change.level());
        };
        trace_.steps.push_back(checked_apply(program_, match, visit.index, changed));
        program_ = trace_.steps.back().after;
        if (observer_ && !observer_(trace_.steps.back())) stopped_ = true;
        return !stopped_;
    }

    // What is known of the level at `path`, brought up to date. The trace keeps all graphs alive.
    Visit& visit(const Path& path, const Graph& graph) {
        const auto [found, is_new] =
            visits_.try_emplace(path.empty() ? NodeId{} : path.back(), graph, trace_.rules);
        Visit& visit = found->second;
        const NodeList& before = visit.index.graph().nodes();
        if (is_new || &visit.index.graph() == &graph) return visit;
        const ListDifference change = difference({{&before, &visit.index}}, graph.nodes());
        visit.index.update(graph, change);
        visit.candidates.changed(before, visit.index, change);
        return visit;
    }

    // Section 4.1, one level. Returns the graph that no rule matches; null if the run was stopped.
    const Graph* fuse_no_extend(const Path& path, const Graph& graph) {
        Visit& here = visit(path, graph);
        while (const std::optional<Match> match = here.candidates.first({program_->dims, here.index}, path))
            if (!apply(*match, here)) return nullptr;
        fused_.insert(&here.index.graph());
        return &here.index.graph();
    }

    struct Place {
        Path path;
        const Graph* graph;
    };

    template <class Skip>
    static void enqueue_inner(const Place& place, const Skip& skip, std::deque<Place>& queue) {
        for (const NodePtr& node : place.graph->nodes()) {
            const Map* map = node->as<Map>();
            if (!map || skip(*map->body)) continue;
            queue.push_back({place.path, map->body.get()});
            queue.back().path.push_back(node->id);
        }
    }

    // Section 4.1, all levels, breadth first. False if the run was stopped. A graph that was fused in an
    // earlier pass and is still the same has the same inner graphs: nothing in it matches.
    bool bfs_fuse_no_extend() {
        const auto skip = [this](const Graph& graph) { return fused_.contains(&graph); };
        std::deque<Place> queue{{{}, program_->graph.get()}};
        for (; !queue.empty(); queue.pop_front()) {
            Place place = queue.front();
            place.graph = fuse_no_extend(place.path, *place.graph);
            if (!place.graph) return false;
            enqueue_inner(place, skip, queue);
        }
        return true;
    }

    // Section 4.2: applies rule 6 at the first opportunity, breadth first; false if there is none.
    bool bfs_extend() {
        const auto skip = [this](const Graph& graph) { return endings_.is_barren(graph, program_->dims); };
        std::deque<Place> queue{{{}, program_->graph.get()}};
        for (; !queue.empty(); queue.pop_front()) {
            const Place place = queue.front();
            Visit& here = visit(place.path, *place.graph);
            if (const auto match = extension({program_->dims, here.index}, place.path)) {
                apply(*match, here);
                return true;
            }
            enqueue_inner(place, skip, queue);
        }
        return false;
    }

    ProgramPtr program_;
    const StepObserver& observer_;
    Trace trace_;
    int steps_before_ = 0;  // that the trace had
    bool stopped_ = false;
    std::map<NodeId, Visit> visits_;
    std::unordered_set<const Graph*> fused_;  // no rule of section 4.1 matches there or inside
    Endings endings_;
};

}  // namespace

Trace fuse(const ProgramPtr& initial, const StepObserver& observer, RuleSet rules) {
    Trace trace;
    trace.initial = initial;
    trace.rules = rules;
    return fuse_on(std::move(trace), observer);
}

Trace fuse_on(Trace trace, const StepObserver& observer) {
    Trace result = Fusion(std::move(trace), observer).run();
    // Every step was checked where it changed something; in the end everything is.
    const std::vector<Violation> violations = verify(*result.last());
    if (!violations.empty())
        throw InternalError("the fusion algorithm broke the program: " + violations.front().sentence.str());
    return result;
}

Trace branch(const Trace& trace, int step, const Match& match) {
    Trace result;
    result.initial = trace.initial;
    result.rules = trace.rules;
    result.steps.assign(trace.steps.begin(), trace.steps.begin() + step);
    for (const int snapshot : trace.snapshots)
        if (snapshot <= step) result.snapshots.push_back(snapshot);
    result.steps.push_back(checked_apply(result.last(), match));
    result.stopped = Text(kAppliedByHand);
    return result;
}

Trace replay(const Trace& trace) {
    Trace again;
    again.initial = trace.initial;
    again.rules = trace.rules;
    again.snapshots = trace.snapshots;
    again.stopped = trace.stopped;
    Stepper stepper;
    for (const Step& step : trace.steps) {
        const GraphIndex* level = stepper.level(again.last(), step.match.path);
        if (!level || !applies({again.initial->dims, *level}, step.match))
            throw InternalError("replay: rule " + to_string(step.match.rule) + " does not match as recorded");
        again.steps.push_back(stepper.apply(again.last(), step.match));
    }
    return again;
}

Text Endings::snapshot_problem(const BlockProgram& state) {
    if (is_fused(*state.graph, state.dims)) return {};
    return Text("no snapshot of the algorithm can be here: rules besides extensions match in this state");
}

bool Endings::ends_pass(const Step& next) {
    return next.match.rule.number == 6 && is_fused(*next.before->graph, next.before->dims);
}

namespace {

// There is one before every extension, and one at the end: so it is in every run of the algorithm alone.
bool are_at_extensions(const Trace& trace) {
    std::vector<int> found;
    for (std::size_t i = 0; i < trace.steps.size(); ++i)
        if (trace.steps[i].match.rule.number == 6) found.push_back(static_cast<int>(i));
    found.push_back(static_cast<int>(trace.steps.size()));
    return found == trace.snapshots;
}

}  // namespace

Text snapshots_problem(const Trace& trace) {
    if (trace.stopped != Text(kNothingMatches)) return {};
    const int count = static_cast<int>(trace.steps.size());
    if (trace.snapshots.empty() || trace.snapshots.back() != count)
        return Text("the algorithm ended behind step %1, so the last snapshot is there", count);
    if (are_at_extensions(trace)) return {};
    std::size_t same = 0;
    const StepObserver observer = [&](const Step& step) {
        if (same >= trace.steps.size() || !(step.match == trace.steps[same].match)) return false;
        ++same;
        return true;
    };
    const Trace run = fuse(trace.initial, observer, trace.rules);
    if (same < trace.steps.size() || run.snapshots == trace.snapshots) return {};
    std::string expected;
    for (const int snapshot : run.snapshots)
        expected += (expected.empty() ? "" : ", ") + std::to_string(snapshot);
    return Text("the algorithm takes its snapshots behind these numbers of steps: %1", expected);
}

Text Endings::stop_problem(const Text& why, const BlockProgram& state, bool has_steps) {
    const bool by_hand = why == Text(kAppliedByHand) || why == Text(kChoicesApplied);
    if (by_hand && !has_steps)
        return Text("there is no step before this end that a rule could have been applied in");
    if ((why == Text(kRunStopped) || why == Text(kHistoryFull)) && !has_steps)
        return Text("there is no step before this end that the run could have been stopped behind");
    if (why != Text(kNothingMatches)) return {};
    if (is_fused(*state.graph, state.dims) && is_barren(*state.graph, state.dims)) return {};
    return Text("the algorithm did not end here: rules match in the last state");
}

std::optional<Text> stop_reason(const std::string& written) {
    if (written.empty()) return Text();
    for (const TextTemplate<0>& reason :
         {kRunStopped, kNothingMatches, kAppliedByHand, kChoicesApplied, kHistoryFull})
        if (reason.english() == written) return Text(reason);
    return std::nullopt;
}

}  // namespace blockscope
