// The fusion algorithm (Blockbuster section 4).
#include <algorithm>
#include <deque>

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
    bool apply(const Match& match, const GraphIndex& index) {
        trace_.steps.push_back(checked_apply(program_, match, index));
        program_ = trace_.steps.back().after;
        if (observer_ && !observer_(trace_.steps.back())) stopped_ = true;
        return !stopped_;
    }

    // Section 4.1, one level.
    bool fuse_no_extend(const Path& path) {
        Candidates candidates;
        GraphPtr graph = graph_at(*program_, path);
        GraphIndex index(*graph);
        while (const std::optional<Match> match = candidates.first({program_->dims, index}, path)) {
            if (!apply(*match, index)) return false;
            const GraphPtr next = graph_at(*program_, path);
            GraphIndex next_index(*next);
            candidates.changed(index, next_index);
            graph = next;
            index = std::move(next_index);
        }
        return true;
    }

    static void enqueue_inner(const Graph& graph, const Path& path, std::deque<Path>& queue) {
        for (const NodePtr& node : graph.nodes()) {
            if (!node->is<Map>()) continue;
            queue.push_back(path);
            queue.back().push_back(node->id);
        }
    }

    // Section 4.1, all levels, breadth first. False if the run was stopped.
    bool bfs_fuse_no_extend() {
        std::deque<Path> queue{{}};
        for (; !queue.empty(); queue.pop_front()) {
            const Path path = queue.front();
            if (!fuse_no_extend(path)) return false;
            enqueue_inner(*graph_at(*program_, path), path, queue);
        }
        return true;
    }

    // Applies rule 6 in one level; false if it does not match there.
    bool extend(const Path& path) {
        const GraphPtr graph = graph_at(*program_, path);
        const GraphIndex index(*graph);
        for (const char variant : {'a', 'b', 'c'}) {
            const std::vector<Match> matches = matches_in(rule({6, variant}), {program_->dims, index}, path);
            if (matches.empty()) continue;
            apply(matches.front(), index);
            return true;
        }
        return false;
    }

    // Section 4.2: applies rule 6 at the first opportunity, breadth first; false if there is none.
    bool bfs_extend() {
        std::deque<Path> queue{{}};
        for (; !queue.empty(); queue.pop_front()) {
            const Path path = queue.front();
            if (extend(path)) return true;
            enqueue_inner(*graph_at(*program_, path), path, queue);
        }
        return false;
    }

    ProgramPtr program_;
    const StepObserver& observer_;
    Trace trace_;
    bool stopped_ = false;
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
