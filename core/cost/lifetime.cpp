#include "core/cost/lifetime.h"

#include <algorithm>

#include "core/cost/placement.h"

namespace blockscope {

namespace {

struct Life {
    int first = -1;  // position of the statement that makes it
    int last = -1;   // position of its last use
};

// Gives every statement a position in the text and collects the lives of temporaries.
class Lives {
public:
    Lives(const LoopProgram& program, LoadPlacement placement)
        : program_(program), placement_(placement), lives_(static_cast<std::size_t>(program.temps) + 1) {
        block(program.body);
    }

    const std::vector<Life>& lives() const { return lives_; }
    const std::vector<NodeId>& nodes() const { return nodes_; }

    void operator()(const Load& s) {
        made(s.to);
        if (placement_ == LoadPlacement::AsListed) return;
        const std::size_t depth = hoisted_depth(program_, nest_, s);
        if (depth < loops_.size()) life(s.to).first = std::min(life(s.to).first, loops_[depth]);
    }
    void operator()(const Store& s) { used(s.from); }
    void operator()(const Compute& s) { computed(s.to, s.args); }
    void operator()(const Evaluate& s) { computed(s.to, s.args); }
    void operator()(const Initialise& s) { made(s.to); }
    void operator()(const CallMisc&) {}
    void operator()(const Assign& s) { computed(s.to, {s.from}); }
    void operator()(const LoopPtr&) {}
    // Zeroed on entry to the innermost loop around it.
    void operator()(const Accumulate& s) {
        for (const Temp t : s.args) used(t);
        if (life(s.to).first < 0) life(s.to).first = loops_.empty() ? here() : loops_.back();
        used(s.to);
    }

private:
    int here() const { return static_cast<int>(nodes_.size()) - 1; }
    Life& life(Temp t) { return lives_.at(static_cast<std::size_t>(t.id)); }

    void computed(Temp to, const std::vector<Temp>& args) {
        for (const Temp t : args) used(t);
        made(to);
    }
    void made(Temp t) {
        if (life(t).first < 0) life(t).first = here();
        life(t).last = std::max(life(t).last, here());
    }
    void used(Temp t) {
        if (t.id > 0) life(t).last = std::max(life(t).last, here());
    }

    void block(const Block& statements) {
        for (const Statement& statement : statements) {
            nodes_.push_back(statement.node);
            if (const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what)) {
                const int start = here();
                loops_.push_back(start);
                nest_.push_back(loop->get());
                block((*loop)->body);
                nest_.pop_back();
                loops_.pop_back();
                if (iterations(**loop) > 1) extend(start);
            } else {
                std::visit(*this, statement.what);
            }
        }
    }

    std::int64_t iterations(const Loop& loop) const {
        return program_.dims.at(loop.var.dim.value).blocks() - loop.start;
    }

    // What was made before the loop that began at `start` and used in it is needed until its end.
    void extend(int start) {
        for (Life& life : lives_)
            if (life.first >= 0 && life.first <= start && life.last > start) life.last = here();
    }

    const LoopProgram& program_;
    LoadPlacement placement_;
    std::vector<Life> lives_;
    std::vector<NodeId> nodes_;
    Nest nest_;
    std::vector<int> loops_;  // positions where the loops around begin
};

}  // namespace

std::vector<LiveSet> live_sets(const LoopProgram& program, LoadPlacement placement) {
    const Lives lives(program, placement);
    std::vector<LiveSet> sets;
    for (std::size_t at = 0; at < lives.nodes().size(); ++at) {
        LiveSet set{lives.nodes()[at], static_cast<int>(at), {}, {}};
        for (int id = 1; id <= program.temps; ++id) {
            const Life& life = lives.lives()[static_cast<std::size_t>(id)];
            if (life.first < 0 || life.first > set.line || life.last < set.line) continue;
            set.alive.push_back({id});
            if (life.first < set.line) set.before.push_back({id});
        }
        sets.push_back(std::move(set));
    }
    return sets;
}

std::vector<LocalMemory> local_memory(const LoopProgram& program, const TempExtents& extents) {
    std::vector<LocalMemory> all;
    for (LiveSet& set : live_sets(program, LoadPlacement::AsListed)) {
        LocalMemory memory;
        memory.node = set.node;
        memory.line = set.line;
        for (const Temp temp : set.alive) {
            const ItemExtents& item = extents.of(temp);
            const std::int64_t values = full_size(item.axes, program.dims);
            memory.values = saturating_add(memory.values, values);
            memory.bytes =
                saturating_add(memory.bytes, saturating_multiply(values, bytes_per_element(item.elem)));
        }
        memory.alive = std::move(set.alive);
        all.push_back(std::move(memory));
    }
    return all;
}

LocalMemory largest_live_set(const LoopProgram& program, const TempExtents& extents) {
    LocalMemory largest;
    for (LocalMemory& memory : local_memory(program, extents))
        if (memory.values > largest.values) largest = std::move(memory);
    return largest;
}

}  // namespace blockscope
