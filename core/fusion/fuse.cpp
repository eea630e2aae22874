// The fusion algorithm (Blockbuster section 4).
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/fusion/candidates.h"
#include "core/fusion/trace.h"
#include "core/support/result.h"

namespace blockscope {

const ProgramPtr& Trace::state(int step) const {
    return step == 0 ? initial : steps.at(static_cast<std::size_t>(step) - 1).after;
}

namespace {

using Path = std::vector<NodeId>;

class Fusion {
public:
    Fusion(Trace trace, const StepObserver& observer)
        : program_(trace.last()), observer_(observer), trace_(std::move(trace)) {}

    // fuse() of section 4.3.
    Trace run() {
        bool more = bfs_fuse_no_extend();
        snapshot(more);
        while (more && bfs_extend()) {
            more = !stopped_ && bfs_fuse_no_extend();
            snapshot(more);
        }
        trace_.stopped =
            stopped_ ? "The run was stopped." : "No rule matches anywhere in the program any more.";
        return std::move(trace_);
    }

private:
    void snapshot(bool complete) {
        if (complete) trace_.snapshots.push_back(static_cast<int>(trace_.steps.size()));
    }

    // Applies and records; false if the observer stops the run.
    bool apply(const Match& match, const GraphIndex& index, std::optional<GraphIndex>& after) {
        trace_.steps.push_back(checked_apply(program_, match, index, after));
        program_ = trace_.steps.back().after;
        if (observer_ && !observer_(trace_.steps.back())) stopped_ = true;
        return !stopped_;
    }

    // Section 4.1, one level. The trace keeps all graphs alive. Returns the graph that no rule matches; null
    // if the run was stopped.
    const Graph* fuse_no_extend(const Path& path, const Graph& graph) {
        Visit& visit = visits_[path.empty() ? NodeId{} : path.back()];
        GraphIndex index(graph);
        if (visit.graph && visit.graph != &graph) visit.candidates.changed(GraphIndex(*visit.graph), index);
        while (const std::optional<Match> match = visit.candidates.first({program_->dims, index}, path)) {
            std::optional<GraphIndex> next;
            if (!apply(*match, index, next)) return nullptr;
            visit.candidates.changed(index, *next);
            index = std::move(*next);
        }
        visit.graph = &index.graph();
        fused_.insert(visit.graph);
        return visit.graph;
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

    std::optional<Match> extension(const Level& level, const Path& path) const {
        for (const char variant : {'a', 'b', 'c'}) {
            const std::vector<Match> matches = matches_in(rule({6, variant}), level, path);
            if (!matches.empty()) return matches.front();
        }
        return std::nullopt;
    }

    // Whether rule 6 matches neither in this graph nor inside it; found out once for each graph.
    bool is_barren(const Graph& graph) {
        const auto known = barren_.find(&graph);
        if (known != barren_.end()) return known->second;
        bool barren = !extension({program_->dims, GraphIndex(graph)}, {});
        for (const NodePtr& node : graph.nodes())
            if (const Map* map = node->as<Map>(); map && barren) barren = is_barren(*map->body);
        barren_[&graph] = barren;
        return barren;
    }

    // Section 4.2: applies rule 6 at the first opportunity, breadth first; false if there is none.
    bool bfs_extend() {
        const auto skip = [this](const Graph& graph) { return is_barren(graph); };
        std::deque<Place> queue{{{}, program_->graph.get()}};
        for (; !queue.empty(); queue.pop_front()) {
            const Place place = queue.front();
            const GraphIndex index(*place.graph);
            std::optional<GraphIndex> next;
            if (const auto match = extension({program_->dims, index}, place.path)) {
                apply(*match, index, next);
                return true;
            }
            enqueue_inner(place, skip, queue);
        }
        return false;
    }

    // What is known of a level since it was last visited, by the map around it.
    struct Visit {
        const Graph* graph = nullptr;
        Candidates candidates;
    };

    ProgramPtr program_;
    const StepObserver& observer_;
    Trace trace_;
    bool stopped_ = false;
    std::map<NodeId, Visit> visits_;
    std::unordered_set<const Graph*> fused_;         // no rule of section 4.1 matches there or inside
    std::unordered_map<const Graph*, bool> barren_;  // see is_barren
};

}  // namespace

Trace fuse(const ProgramPtr& initial, const StepObserver& observer) {
    Trace trace;
    trace.initial = initial;
    return fuse_on(std::move(trace), observer);
}

Trace fuse_on(Trace trace, const StepObserver& observer) {
    return Fusion(std::move(trace), observer).run();
}

Trace branch(const Trace& trace, int step, const Match& match) {
    Trace result;
    result.initial = trace.initial;
    result.steps.assign(trace.steps.begin(), trace.steps.begin() + step);
    for (const int snapshot : trace.snapshots)
        if (snapshot <= step) result.snapshots.push_back(snapshot);
    result.steps.push_back(checked_apply(result.last(), match));
    result.stopped = "A rule was applied by hand.";
    return result;
}

Trace replay(const Trace& trace) {
    Trace again;
    again.initial = trace.initial;
    again.snapshots = trace.snapshots;
    again.stopped = trace.stopped;
    for (const Step& step : trace.steps) {
        MatchFilter filter;
        filter.rule = step.match.rule;
        filter.path = step.match.path;
        const std::vector<Match> matches = all_matches(*again.last(), filter);
        if (std::find(matches.begin(), matches.end(), step.match) == matches.end())
            throw InternalError("replay: rule " + to_string(step.match.rule) + " does not match as recorded");
        again.steps.push_back(checked_apply(again.last(), step.match));
    }
    return again;
}

}  // namespace blockscope
