#include "core/cost/kernel_work.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/cost/lifetime.h"
#include "core/cost/terms.h"
#include "core/graph/type.h"
#include "core/loops/loop_program.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

ElemType stored_type(const Buffer& buffer, const StoredTypes& types) {
    const std::optional<ElemType>& other = buffer.kind == Buffer::Kind::Input ? types.inputs : types.others;
    return other.value_or(buffer.type.elem());
}

// The size of a block of a dimension, on average.
double average(const Dim& dim) {
    return static_cast<double>(dim.size) / static_cast<double>(dim.blocks());
}

double item_values(const Item& item, const DimTable& dims) {
    double values = 1;
    if (item.kind != ItemKind::Scalar) values *= average(dims.at(item.rows.value));
    if (item.kind == ItemKind::Block) values *= average(dims.at(item.cols.value));
    return values;
}

// All values of a buffer.
double all_values(const Buffer& buffer, const DimTable& dims) {
    double values = item_values(buffer.type.item(), dims);
    for (const DimId dim : buffer.dims) values *= static_cast<double>(dims.at(dim.value).blocks());
    return values;
}

// Walks one top-level statement and fills its work.
class KernelWalk {
public:
    KernelWalk(const LoopProgram& program, const TempExtents& extents, const StoredTypes& types)
        : program_(program), extents_(extents), types_(types) {}

    KernelWork run(const Statement& top, int index) {
        work_.index = index;
        work_.node = top.node;
        mark_tasks(top);
        // The loop of a peeled dimension of one block has no iterations, but its launch is one task.
        work_.tasks = std::max(1.0, work_.tasks);
        statement(top);
        work_.roots = std::move(body_);
        sum_buffers();
        choose_elem();
        return std::move(work_);
    }

    void operator()(const Load& s) {
        loaded_.insert(s.to.id);
        access(s.buffer, false, s.at);
    }
    void operator()(const Store& s) { access(s.buffer, true, s.at); }
    void operator()(const Initialise&) { block_operation(); }
    void operator()(const Assign&) { block_operation(); }
    void operator()(const Evaluate&) { block_operation(); }
    void operator()(const Compute& s) { apply(s.op, s.args); }
    void operator()(const Accumulate& s) {
        if (s.functional) apply(s.op, s.args);
        if (!s.functional) block_operation();
    }
    void operator()(const CallMisc& s) {
        work_.misc = true;
        for (const int buffer : s.outputs) whole(buffer, true);
        for (const int buffer : s.inputs) whole(buffer, false);
    }
    void operator()(const LoopPtr& loop) {
        const int id = static_cast<int>(work_.loops.size());
        WorkLoop made;
        made.trips = average_trips(*loop, program_.dims);
        made.serial = loop->serial;
        made.task = std::find(task_loops_.begin(), task_loops_.end(), loop.get()) != task_loops_.end();
        if (loop->bounds) {
            made.rows = loop_of(loop->bounds->row);
            made.reached = blocks_of_all_rows(*loop);
        }
        work_.loops.push_back(std::move(made));
        std::vector<WorkNode> outer = std::move(body_);
        body_.clear();
        nest_.push_back({loop->var, id, loop.get()});
        const double runs = runs_;
        runs_ *= work_.loops.back().trips;
        for (const Statement& s : loop->body) statement(s);
        runs_ = runs;
        nest_.pop_back();
        work_.loops[static_cast<std::size_t>(id)].body = std::move(body_);
        body_ = std::move(outer);
        body_.push_back({id, -1});
    }

private:
    struct Around {
        LoopVar var;
        int id;
        const Loop* loop;
    };

    void statement(const Statement& s) {
        node_ = s.node;
        std::visit(*this, s.what);
    }

    // The axes of the grid: their iterations are the tasks.
    void mark_tasks(const Statement& top) {
        task_loops_ = grid_of(top).loops;
        work_.tasks = static_cast<double>(tasks(top, program_.dims));
    }

    const Buffer& buffer(int index) const { return program_.buffers.at(static_cast<std::size_t>(index)); }
    double bytes_of(int index) const {
        return static_cast<double>(bytes_per_element(stored_type(buffer(index), types_)));
    }

    BufferWork& buffer_work(int index) {
        for (BufferWork& entry : work_.buffers)
            if (entry.buffer == index) return entry;
        return work_.buffers.emplace_back(BufferWork{.buffer = index});
    }

    void access(int index, bool store, const std::vector<Index>& at) {
        WorkAccess made{
            index, store, item_values(buffer(index).type.item(), program_.dims) * bytes_of(index), {}};
        for (const Index& i : at) {
            if (i.zero) continue;
            for (const Around& around : nest_)
                if (around.var == i.var) made.varies.push_back(around.id);
        }
        std::sort(made.varies.begin(), made.varies.end());
        work_.calls.memory += runs_;
        add(std::move(made));
    }

    void whole(int index, bool store) {
        add({index, store, all_values(buffer(index), program_.dims) * bytes_of(index), {}});
    }

    void add(WorkAccess made) {
        BufferWork& of = buffer_work(made.buffer);
        (made.store ? of.stored : of.loaded) += runs_ * made.bytes;
        of.hoisted += hoisted_runs(made) * made.bytes;
        double distinct = made.bytes;
        for (const Around& around : nest_)
            if (varies(made, around.id)) distinct *= reached(around, made);
        of.distinct = std::max(of.distinct, distinct);
        body_.push_back({-1, static_cast<int>(work_.accesses.size())});
        work_.accesses.push_back(std::move(made));
    }

    static bool varies(const WorkAccess& access, int loop) {
        return std::find(access.varies.begin(), access.varies.end(), loop) != access.varies.end();
    }

    // Different blocks along a loop's dimension. A causal loop leaves out blocks for most rows, but what they
    // read alike, as K of attention, is read from the first block that the first row sees to the last one.
    double reached(const Around& around, const WorkAccess& access) const {
        const Loop& loop = *around.loop;
        const bool same_for_all_rows =
            loop.bounds && std::none_of(nest_.begin(), nest_.end(), [&](const Around& rows) {
                return rows.var == loop.bounds->row && varies(access, rows.id);
            });
        if (!same_for_all_rows) return work_.loops[static_cast<std::size_t>(around.id)].trips;
        return work_.loops[static_cast<std::size_t>(around.id)].reached;
    }

    double blocks_of_all_rows(const Loop& loop) const {
        const Dim& columns = program_.dims.at(loop.var.dim.value);
        const Dim& rows = program_.dims.at(loop.bounds->row.dim.value);
        std::int64_t first = columns.blocks();
        for (std::int64_t row = 0; row < rows.blocks(); ++row)
            first = std::min(first, visible_blocks(rows, columns, loop.bounds->window, row).begin);
        return static_cast<double>(columns.blocks() - first);
    }

    int loop_of(const LoopVar& var) const {
        for (const Around& around : nest_)
            if (around.var == var) return around.id;
        return -1;
    }

    // How often it runs outside the innermost serial loops that do not index it.
    double hoisted_runs(const WorkAccess& access) const {
        double runs = runs_;
        for (auto around = nest_.rbegin(); around != nest_.rend(); ++around) {
            const WorkLoop& loop = work_.loops[static_cast<std::size_t>(around->id)];
            if (loop.trips <= 1) continue;
            if (varies(access, around->id) || loop.task) break;
            runs /= loop.trips;
        }
        return runs;
    }

    double values_of(const std::vector<Extent>& axes) const {
        double values = 1;
        for (const Extent& extent : axes) values *= average(program_.dims.at(extent.dim.value));
        return values;
    }

    void block_operation() { work_.calls.vector += runs_; }

    void apply(FunctionalOp op, const std::vector<Temp>& args) {
        if (op != FunctionalOp::Dot) return block_operation();
        const std::vector<Extent>& a = extents_.of(args.at(0)).axes;
        const std::vector<Extent>& b = extents_.of(args.at(1)).axes;
        if (a.size() != 2 || b.size() != 2) return;  // the shape of an operand is not known from any load
        const auto full = [&](const Extent& e) { return program_.dims.at(e.dim.value).block_size(0); };
        const double flops = 2 * values_of(a) * average(program_.dims.at(b[0].dim.value)) * runs_;
        const ElemType elem = types_.others ? *types_.others : extents_.of(args.at(0)).elem;
        product({.elem = elem,
                 .rows = full(a[0]),
                 .cols = full(b[0]),
                 .depth = full(a[1]),
                 .calls = runs_,
                 .flops = flops,
                 .left_computed = loaded_.count(args[0].id) == 0,
                 .node = node_});
        work_.calls.matrix += runs_;
        work_.operand_bytes += runs_ * (values_of(a) + values_of(b)) * bytes_per_element(elem);
    }

    void product(const MatrixWork& made) {
        for (MatrixWork& other : work_.products) {
            if (std::tie(other.elem, other.rows, other.cols, other.depth, other.left_computed, other.node) !=
                std::tie(made.elem, made.rows, made.cols, made.depth, made.left_computed, made.node))
                continue;
            other.calls += made.calls;
            other.flops += made.flops;
            return;
        }
        work_.products.push_back(made);
    }

    void sum_buffers() {
        for (const BufferWork& of : work_.buffers) {
            if (buffer(of.buffer).source == InputSource::CausalMask) continue;
            work_.loaded += of.loaded;
            work_.stored += of.stored;
            work_.hoisted += of.hoisted;
        }
    }

    void choose_elem() {
        std::map<ElemType, double> bytes;
        for (const BufferWork& of : work_.buffers)
            bytes[stored_type(buffer(of.buffer), types_)] += of.loaded + of.stored;
        for (const auto& [elem, amount] : bytes)
            if (amount > bytes[work_.elem]) work_.elem = elem;
    }

    const LoopProgram& program_;
    const TempExtents& extents_;
    const StoredTypes& types_;
    KernelWork work_;
    NodeId node_;  // of the present line
    std::vector<const Loop*> task_loops_;
    std::set<int> loaded_;  // temporaries
    std::vector<Around> nest_;
    std::vector<WorkNode> body_;  // of the loop that is being walked
    double runs_ = 1;
};

// The terms of computing by line of the listing.
std::vector<const Term*> by_line(const std::vector<Term>& terms) {
    std::vector<const Term*> sorted;
    for (const Term& term : terms)
        if (term.line >= 0) sorted.push_back(&term);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Term* a, const Term* b) { return a->line < b->line; });
    return sorted;
}

// The operations and the local memory of the kernel whose lines of the listing are [first, end); `terms` are
// by line. Of the whole program: what a kernel loads has its shape from the one that stored it.
void take_counts(KernelWork& work, const std::vector<const Term*>& terms,
                 const std::vector<LocalMemory>& alive, const LoopProgram& program, const StoredTypes& types,
                 int first, int end) {
    const auto begin = std::partition_point(terms.begin(), terms.end(),
                                            [&](const Term* term) { return term->line < first; });
    for (auto term = begin; term != terms.end() && (*term)->line < end; ++term) {
        const auto amount = static_cast<double>(value(**term, program.dims));
        if ((*term)->quantity == Quantity::Matrix) work.matrix += amount;
        if ((*term)->quantity == Quantity::Vector) work.vector += amount;
        if ((*term)->quantity == Quantity::Special) work.special += amount;
    }
    for (int line = first; line < end; ++line) {
        const LocalMemory& set = alive.at(static_cast<std::size_t>(line));
        const double bytes = types.others ? static_cast<double>(set.values) * bytes_per_element(*types.others)
                                          : static_cast<double>(set.bytes);
        work.local_bytes = std::max(work.local_bytes, bytes);
        work.register_bytes = std::max(work.register_bytes, static_cast<double>(set.registers));
        work.tile_bytes = std::max(work.tile_bytes, static_cast<double>(set.tiles));
    }
}

}  // namespace

StateWork state_work(const LoopProgram& program, const StoredTypes& types) {
    return state_work(program, types, CostBasis(program));
}

StateWork state_work(const LoopProgram& program, const StoredTypes& types, const CostBasis& basis) {
    StateWork work;
    for (const Buffer& buffer : program.buffers)
        work.buffers.push_back(
            {.name = buffer.name,
             .node = buffer.node,
             .kind = buffer.kind,
             .generated = buffer.source == InputSource::CausalMask,
             .bytes = all_values(buffer, program.dims) * bytes_per_element(stored_type(buffer, types))});
    const std::vector<const Term*> terms = by_line(basis.terms);
    int line = 0;
    for (std::size_t i = 0; i < program.body.size(); ++i) {
        const Statement& top = program.body[i];
        KernelWork kernel = KernelWalk(program, basis.extents, types).run(top, static_cast<int>(i));
        const int end = line + lines_of(top);
        take_counts(kernel, terms, basis.alive, program, types, line, end);
        line = end;
        work.kernels.push_back(std::move(kernel));
    }
    return work;
}

namespace {

struct Volume {
    double distinct = 0;  // bytes touched
    double missed = 0;    // bytes moved past the cache
};

// By entry of KernelWork::buffers, those that are touched: a part of a kernel touches few of thousands.
using Volumes = std::map<int, Volume>;

class Walk {
public:
    Walk(const StateWork& state, const KernelWork& kernel, const CacheView& cache)
        : kernel_(kernel), cache_(cache) {
        std::map<int, int> slots;  // by buffer
        for (std::size_t i = 0; i < kernel.buffers.size(); ++i) {
            const int buffer = kernel.buffers[i].buffer;
            const bool moves = !state.buffers[static_cast<std::size_t>(buffer)].generated;
            slots.emplace(buffer, moves ? static_cast<int>(i) : -1);
        }
        for (const WorkAccess& access : kernel.accesses) {
            const auto slot = slots.find(access.buffer);
            slot_of_.push_back(slot == slots.end() ? -1 : slot->second);
        }
        for (std::size_t i = 0; i < kernel.loops.size(); ++i)
            if (kernel.loops[i].rows >= 0 && kernel.loops[i].trips > 0)
                of_rows_.push_back(static_cast<int>(i));
        split_tasks();
    }

    std::vector<double> run() {
        std::vector<double> missed(kernel_.buffers.size(), 0);
        for (const auto& [slot, volume] : block(kernel_.roots))
            missed[static_cast<std::size_t>(slot)] = volume.missed;
        return missed;
    }

private:
    // Iterations of the task loops that run at once, innermost loops first, and how many such waves follow.
    void split_tasks() {
        spans_.assign(kernel_.loops.size(), 1);
        double left = std::max(1.0, std::min(cache_.wave, kernel_.tasks));
        for (std::size_t i = kernel_.loops.size(); i-- > 0;) {
            if (!kernel_.loops[i].task) continue;
            spans_[i] = std::max(1.0, std::min(kernel_.loops[i].trips, left));
            left = std::ceil(left / spans_[i]);
        }
        for (std::size_t i = 0; i < spans_.size(); ++i)
            if (spans_[i] > 1) wide_.push_back(static_cast<int>(i));
    }

    const WorkLoop& loop_at(int loop) const { return kernel_.loops[static_cast<std::size_t>(loop)]; }
    double span(int loop) const { return spans_[static_cast<std::size_t>(loop)]; }

    static bool varies(const WorkAccess& access, int loop) {
        return std::find(access.varies.begin(), access.varies.end(), loop) != access.varies.end();
    }

    // What one statement moves: its item, for all tasks of the wave; nothing if it is of a generated mask.
    Volumes access(int index) const {
        const WorkAccess& access = kernel_.accesses[static_cast<std::size_t>(index)];
        const int to = slot_of_[static_cast<std::size_t>(index)];
        if (to < 0) return {};
        double bytes = access.bytes;
        for (const int id : access.varies) bytes *= span(id);
        double runs = 1;  // how often the item is moved: without a cache once for every task of the wave
        if (cache_.bytes <= 0)
            for (const int loop : wide_)
                if (!varies(access, loop)) runs *= span(loop);
        return {{to, {bytes, bytes * runs}}};
    }

    // Which entries some access below indexes with the loop.
    void mark_varying(const std::vector<WorkNode>& nodes, int loop, std::set<int>& varying) const {
        for (const WorkNode& node : nodes) {
            if (node.loop >= 0) {
                mark_varying(loop_at(node.loop).body, loop, varying);
                continue;
            }
            const int to = slot_of_[static_cast<std::size_t>(node.access)];
            if (to >= 0 && varies(kernel_.accesses[static_cast<std::size_t>(node.access)], loop))
                varying.insert(to);
        }
    }

    bool fits(const Volumes& volumes) const {
        double distinct = 0;
        for (const auto& entry : volumes) distinct += entry.second.distinct;
        return cache_.bytes > 0 && distinct <= cache_.bytes;
    }

    // What fits is moved once.
    Volumes moved_once(Volumes all) const {
        if (fits(all))
            for (auto& entry : all) entry.second.missed = entry.second.distinct;
        return all;
    }

    Volumes block(const std::vector<WorkNode>& nodes) const {
        Volumes all;
        for (const WorkNode& node : nodes) {
            for (const auto& [slot, part] : node.loop >= 0 ? loop(node.loop) : access(node.access)) {
                Volume& volume = all[slot];
                volume.distinct = std::max(volume.distinct, part.distinct);
                volume.missed += part.missed;
            }
        }
        return moved_once(std::move(all));
    }

    Volumes loop(int id) const {
        const std::vector<WorkNode>& body = loop_at(id).body;
        const Volumes one = block(body);
        std::set<int> varying;
        mark_varying(body, id, varying);
        const double count = loop_at(id).trips / span(id);
        const bool reused = fits(one);
        Volumes all = of_all_rows(id, one, reused, varying);
        for (auto& [slot, volume] : all) {
            const bool varies = varying.count(slot) > 0;
            if (varies) volume.distinct *= count;
            if (varies || !reused) volume.missed *= count;
        }
        return moved_once(std::move(all));
    }

    // Around a loop over the blocks that a row sees: all rows together see more of them than one, on average.
    Volumes of_all_rows(int rows, Volumes one, bool reused, const std::set<int>& varying) const {
        for (const int inner : of_rows_) {
            const WorkLoop& columns = loop_at(inner);
            if (columns.rows != rows) continue;
            std::set<int> along;
            mark_varying(columns.body, inner, along);
            for (auto& [slot, volume] : one) {
                if (along.count(slot) == 0 || varying.count(slot) > 0) continue;
                volume.distinct *= columns.reached / columns.trips;
                if (reused) volume.missed *= columns.reached / columns.trips;
            }
        }
        return one;
    }

    const KernelWork& kernel_;
    CacheView cache_;
    std::vector<int> slot_of_;  // by access: the entry of its buffer, -1 for generated masks
    std::vector<int> of_rows_;  // loops over the blocks that a row sees
    std::vector<double> spans_;
    std::vector<int> wide_;  // loops of which more than one iteration runs at once
};

}  // namespace

std::vector<double> misses(const StateWork& state, const KernelWork& kernel, const CacheView& cache) {
    return Walk(state, kernel, cache).run();
}

namespace {

// Of one array in one kernel. An input that is read as two arrays, plain and transposed, is one.
struct Touched {
    Buffer::Kind kind = Buffer::Kind::Intermediate;
    double loaded = 0;  // bytes, each once
    double stored = 0;
};

struct ArrayKey {
    NodeId node;
    Buffer::Kind kind;
    int buffer;  // of intermediates
    auto operator<=>(const ArrayKey&) const = default;
};

std::map<ArrayKey, Touched> touched_by(const StateWork& state, const KernelWork& kernel) {
    std::map<ArrayKey, Touched> all;
    for (const BufferWork& of : kernel.buffers) {
        const BufferInfo& info = state.buffers.at(static_cast<std::size_t>(of.buffer));
        if (info.generated) continue;
        const bool between = info.kind == Buffer::Kind::Intermediate;
        Touched& touched = all[{info.node, info.kind, between || !info.node ? of.buffer : -1}];
        touched.kind = info.kind;
        touched.loaded = std::max(touched.loaded, std::min(of.distinct, of.loaded));
        touched.stored = std::max(touched.stored, std::min(of.distinct, of.stored));
    }
    return all;
}

class LeastPassing {
public:
    LeastPassing(const StateWork& state, double kept, bool warm) : state_(state), kept_(kept) {
        if (const double all = compulsory_bytes(state); warm && all > 0)
            fresh_ = std::max(0.0, 1 - kept / all);
    }

    std::vector<double> run() {
        std::vector<double> kernels;
        for (const KernelWork& kernel : state_.kernels) {
            double bytes = 0;
            for (const auto& [key, touched] : touched_by(state_, kernel)) bytes += of(key, touched);
            kernels.push_back(bytes);
        }
        return kernels;
    }

private:
    double beyond(double bytes) const { return std::max(0.0, bytes - kept_); }
    double first(double bytes) const { return std::max(beyond(bytes), bytes * fresh_); }

    double of(const ArrayKey& key, const Touched& touched) {
        const bool seen = !known_.emplace(key, true).second;
        switch (touched.kind) {
            case Buffer::Kind::Input:
                return seen ? beyond(touched.loaded) : first(touched.loaded);
            case Buffer::Kind::Output:
                return (seen ? beyond(touched.stored) : first(touched.stored)) + beyond(touched.loaded);
            case Buffer::Kind::Intermediate:
                return beyond(touched.stored) + beyond(touched.loaded);
        }
        return 0;
    }

    const StateWork& state_;
    double kept_;
    double fresh_ = 1;  // share of inputs and outputs that no cache holds from the run before
    std::map<ArrayKey, bool> known_;
};

}  // namespace

double compulsory_bytes(const StateWork& state) {
    std::map<ArrayKey, double> once;
    for (const KernelWork& kernel : state.kernels)
        for (const auto& [key, touched] : touched_by(state, kernel)) {
            if (touched.kind == Buffer::Kind::Intermediate) continue;
            double& bytes = once[key];
            bytes = std::max({bytes, touched.loaded, touched.stored});
        }
    double all = 0;
    for (const auto& [key, bytes] : once) all += bytes;
    return all;
}

std::vector<double> least_passing(const StateWork& state, double kept, bool warm) {
    return LeastPassing(state, kept, warm).run();
}

}  // namespace blockscope
