#include "core/tilings/schedule.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/exec/prove.h"
#include "core/tilings/run_plan.h"

namespace blockscope::tilings {

namespace {

struct Unfit {
    Text why;
};

// What is computed once in every iteration of the loops around it.
struct Work {
    enum class Kind { Product, RowSum, Store };
    Kind kind = Kind::Product;
    int product = -1;
    std::vector<int> path = {};   // loops, outermost first; those of the batch come before
    std::vector<int> keeps = {};  // the loops that its result has an element for
    int depth = -1;               // the loop that it sums over; -1: none
    std::vector<int> needs = {};  // Works
};

// LoopDims of the batch are numbered after those of the chain.
struct LoopDims {
    DimTable dims = {};
    std::vector<DimId> of = {};      // by loop
    std::vector<DimId> copied = {};  // Schedule::copied
    std::vector<int> batch = {};
    std::vector<DimId> batch_dims = {};
};

LoopDims loops_of(const Chain& chain, const std::vector<std::int64_t>& tiles) {
    LoopDims loops{.dims = chain.program.dims};
    std::set<DimId> taken;
    for (int loop = 0; loop < chain.loop_count(); ++loop) {
        const Loop& row = chain.loops[static_cast<std::size_t>(loop)];
        DimId dim = row.dim;
        if (!taken.insert(dim).second) {
            loops.copied.push_back(dim);
            Dim copy = loops.dims[dim.value];
            for (char& letter : copy.name = row.name)
                if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
            dim = DimId{static_cast<std::uint16_t>(loops.dims.size())};
            loops.dims.push_back(std::move(copy));
        }
        loops.dims[dim.value].block = std::min(tiles[static_cast<std::size_t>(loop)], row.size);
        loops.of.push_back(dim);
    }
    for (const DimId dim : chain.program.ops[static_cast<std::size_t>(chain.output.op)].shape.batch) {
        loops.batch.push_back(static_cast<int>(loops.of.size()));
        loops.batch_dims.push_back(dim);
        loops.of.push_back(dim);
    }
    return loops;
}

LoopForest with_grid_outermost(const JudgedExpression& judged) {
    LoopForest forest = without(judged.expression.roots, judged.grid);
    for (auto loop = judged.grid.rbegin(); loop != judged.grid.rend(); ++loop)
        forest = {LoopNode{*loop, std::move(forest)}};
    return forest;
}

// ---- What is computed where.

class Works {
public:
    Works(const Chain& chain, const LoopForest& forest, const std::vector<int>& batch)
        : chain_(chain), batch_(batch), plan_(plan_run(chain, forest)) {
        paths_.resize(plan_.statements.size());
        walk(0, {});
        for (int product = 0; product < static_cast<int>(chain.products.size()); ++product) add(product);
        add_store();
        for (std::size_t i = works_.size(); i-- > 0;) leave_foreign_loops(static_cast<int>(i));
        for (Work& work : works_) work.path.insert(work.path.begin(), batch_.begin(), batch_.end());
    }

    std::vector<Work> take() { return std::move(works_); }

private:
    void walk(int at, const std::vector<int>& here) {
        for (const PlannedLoop::Item& item : plan_.loops[static_cast<std::size_t>(at)].items) {
            if (item.loop < 0) {
                paths_[static_cast<std::size_t>(item.statement)] = here;
                continue;
            }
            std::vector<int> inner = here;
            inner.push_back(plan_.loops[static_cast<std::size_t>(item.loop)].loop);
            walk(item.loop, inner);
        }
    }

    // Without the loops in which it runs in one iteration only.
    std::vector<int> path_of(int statement) const {
        std::vector<int> path = paths_[static_cast<std::size_t>(statement)];
        for (const Guard& guard : plan_.statements[static_cast<std::size_t>(statement)].guards)
            std::erase(path, guard.loop);
        return path;
    }

    std::vector<int> works_of(const std::vector<int>& products) const {
        std::vector<int> works;
        for (std::size_t i = 0; i < works_.size(); ++i)
            if (contains(products, works_[i].product)) works.push_back(static_cast<int>(i));
        return works;
    }

    void add(int index) {
        const Product& product = chain_.products[static_cast<std::size_t>(index)];
        Work work{.kind = Work::Kind::Product,
                  .product = index,
                  .path = path_of(index),
                  .keeps = {product.row, product.col},
                  .depth = product.depth,
                  .needs = works_of(product.needs)};
        if (product.softmax) add_row_sum(product, work);
        works_.push_back(std::move(work));
    }

    // The sums of a softmax's rows: outside the loop of columns if that is the innermost.
    void add_row_sum(const Product& product, const Work& of) {
        Work work = of;
        work.kind = Work::Kind::RowSum;
        const auto place = [&](int loop) { return std::find(of.path.begin(), of.path.end(), loop); };
        if (place(product.col) > place(product.row) && place(product.col) > place(product.depth)) {
            work.keeps = {product.row};
            std::erase(work.path, product.col);
        }
        works_.push_back(std::move(work));
    }

    void add_store() {
        const StoredResult& output = chain_.output;
        works_.push_back({.kind = Work::Kind::Store,
                          .product = -1,
                          .path = path_of(static_cast<int>(chain_.products.size())),
                          .keeps = {output.row, output.col},
                          .depth = -1,
                          .needs = works_of(output.needs)});
        std::erase_if(works_.back().path, [&](int loop) { return !chain_.spatial(loop); });
    }

    // A loop that is not its own repeats it; it stays if all that reads the result is inside, too.
    void leave_foreign_loops(int index) {
        Work& work = works_[static_cast<std::size_t>(index)];
        std::erase_if(work.path, [&](int loop) {
            if (loop == work.depth || contains(work.keeps, loop)) return false;
            return std::any_of(works_.begin(), works_.end(), [&](const Work& reader) {
                return contains(reader.needs, index) && !contains(reader.path, loop);
            });
        });
    }

    const Chain& chain_;
    const std::vector<int>& batch_;
    RunPlan plan_;
    std::vector<std::vector<int>> paths_;  // by statement
    std::vector<Work> works_;
};

// ---- The program.

struct Key {
    enum class Kind { Input, Work, Value, Exponential };
    Kind kind = Kind::Value;
    int number = 0;  // of an operator or a Work
    bool turned = false;
    std::vector<int> loops = {};  // of an input: its lists; of a value: of its rows and columns
    bool operator<(const Key& other) const {
        return std::tie(kind, number, turned, loops) <
               std::tie(other.kind, other.number, other.turned, other.loops);
    }
};

// The loops along a value's axes where it is read; -1: it has none there.
struct Axes {
    int row = -1;
    int col = -1;
};

struct Value {
    ValueRef ref = {};
    std::vector<int> lists = {};  // the loops that it has an element for, outermost first
};

// The body of a loop, or the whole program.
struct Scope {
    Scope* outer = nullptr;
    int loop = -1;
    Builder builder;
    std::map<Key, Value> values = {};
    std::map<int, Value> results = {};  // by Work
    std::vector<ValueRef> reads = {};
    std::vector<MapInput> modes = {};

    bool inside(int wanted) const { return loop == wanted || (outer && outer->inside(wanted)); }
};

class Scheduler {
public:
    Scheduler(const Chain& chain, const JudgedExpression& judged, const std::vector<std::int64_t>& tiles)
        : chain_(chain),
          loops_(loops_of(chain, tiles)),
          works_(Works(chain, with_grid_outermost(judged), loops_.batch).take()) {
        find_turned();
    }

    Schedule run() {
        IdSource ids(1);
        ids_ = &ids;
        Scope top{.builder = Builder(loops_.dims, ids)};
        std::vector<int> all;
        for (std::size_t i = 0; i < works_.size(); ++i) all.push_back(static_cast<int>(i));
        fill(top, all, 0);
        top.builder.output(top.results.at(all.back()).ref, chain_.output.name);
        const GraphPtr graph = inputs_first(*top.builder.finish());
        return {.program = std::make_shared<const BlockProgram>(BlockProgram{loops_.dims, graph, ids.next()}),
                .copied = loops_.copied,
                .listed = {listed_.begin(), listed_.end()}};
    }

private:
    const ArrayOp& op(int index) const { return chain_.program.ops[static_cast<std::size_t>(index)]; }
    const Work& work(int index) const { return works_[static_cast<std::size_t>(index)]; }
    DimId dim(int loop) const { return loops_.of[static_cast<std::size_t>(loop)]; }
    const Product& product(const Work& of) const {
        return chain_.products[static_cast<std::size_t>(of.product)];
    }

    static GraphPtr inputs_first(const Graph& graph) {
        std::vector<NodePtr> nodes = graph.nodes().vector();
        std::stable_partition(nodes.begin(), nodes.end(),
                              [](const NodePtr& node) { return node->is<Input>(); });
        return std::make_shared<const Graph>(NodeList(nodes));
    }

    // ---- Which products are computed transposed: those that are read so.

    void find_turned() {
        for (const Product& each : chain_.products) {
            const ArrayOp& matmul = op(each.op);
            find_turned(matmul.operands[0], false);
            find_turned(matmul.operands[1], true);
        }
        find_turned(chain_.output.op, false);
    }
    void find_turned(int index, bool turned) {
        const ArrayOp& value = op(index);
        if (value.kind == ArrayOpKind::Matmul) {
            const auto known = turned_.emplace(index, turned).first;
            if (known->second != turned)
                throw Unfit{Text("the result of a product is read plain and transposed")};
            return;
        }
        if (value.kind == ArrayOpKind::Input) return;
        for (const int operand : value.operands)
            find_turned(operand, (value.kind == ArrayOpKind::Transpose) != turned);
    }

    // ---- LoopDims.

    bool waits(int index, int on) const {
        const std::vector<int>& needs = work(index).needs;
        return std::any_of(needs.begin(), needs.end(),
                           [&](int need) { return need == on || waits(need, on); });
    }

    // `all`: what stands here or deeper, each after what it needs.
    void fill(Scope& scope, std::vector<int> all, std::size_t depth) {
        while (!all.empty()) {
            const int first = all.front();
            if (work(first).path.size() == depth) {
                compute(scope, first);
                all.erase(all.begin());
                continue;
            }
            const int loop = work(first).path[depth];
            std::vector<int> group;
            std::vector<int> rest;
            for (const int each : all) {
                const std::vector<int>& path = work(each).path;
                const bool here = path.size() > depth && path[depth] == loop;
                const bool free =
                    std::none_of(rest.begin(), rest.end(), [&](int other) { return waits(each, other); }) &&
                    std::none_of(group.begin(), group.end(),
                                 [&](int other) { return work(other).depth == loop && waits(each, other); });
                (here && free ? group : rest).push_back(each);
            }
            run_loop(scope, loop, group, depth + 1);
            all = std::move(rest);
        }
    }

    void run_loop(Scope& scope, int loop, const std::vector<int>& group, std::size_t depth) {
        Scope inner{.outer = &scope, .loop = loop, .builder = Builder(loops_.dims, *ids_)};
        fill(inner, group, depth);
        Map map;
        map.dim = dim(loop);
        std::vector<int> leaving;
        for (const int each : group) {
            if (!leaves(inner, each, loop, group)) continue;
            const Value& value = inner.results.at(each);
            const bool sums = work(each).depth == loop && value.lists.empty();
            inner.builder.output(value.ref);
            map.outputs.push_back({.mode = sums ? PortOut::ReducedSum : PortOut::Collected});
            leaving.push_back(each);
        }
        map.inputs = inner.modes;
        map.body = inner.builder.finish();
        const std::vector<ValueRef> refs = scope.builder.map(std::move(map), inner.reads);
        for (std::size_t i = 0; i < leaving.size(); ++i)
            left(scope, loop, leaving[i], {refs[i], inner.results.at(leaving[i]).lists});
    }

    // Whether the result is of use outside the loop: its sum has not ended, or something there reads it.
    bool leaves(const Scope& inner, int index, int loop, const std::vector<int>& group) const {
        const Work& of = work(index);
        if (of.kind == Work::Kind::Store || inner.inside(of.depth)) return true;
        const bool own = contains(of.keeps, loop) || contains(loops_.batch, loop);
        for (std::size_t i = 0; i < works_.size(); ++i) {
            if (!contains(works_[i].needs, index) || contains(group, static_cast<int>(i))) continue;
            if (!own) throw Unfit{Text("a value is read outside a loop that repeats it")};
            return true;
        }
        return false;
    }

    void left(Scope& scope, int loop, int index, Value value) {
        if (work(index).depth != loop) {
            value.lists.insert(value.lists.begin(), loop);
        } else if (!value.lists.empty()) {
            value.ref = scope.builder.reduce(ReduceOp::Sum, dim(loop), value.ref);
            std::string along;
            for (const int each : value.lists) along += (along.empty() ? "" : ", ") + loop_name(each);
            if (work(index).kind == Work::Kind::Product)
                listed_.insert(product(work(index)).name + " along " + along);
        }
        scope.results[index] = value;
        if (!scope.inside(work(index).depth)) scope.values[{Key::Kind::Work, index, false, {}}] = value;
    }

    std::string loop_name(int loop) const {
        if (loop < chain_.loop_count()) return chain_.loops[static_cast<std::size_t>(loop)].name;
        return loops_.dims[dim(loop).value].name;
    }

    // ---- Values in a scope.

    // What is known under the key here or further out; null if nothing is.
    const Value* find(Scope& scope, const Key& key) {
        const auto known = scope.values.find(key);
        if (known != scope.values.end()) return &known->second;
        if (!scope.outer) return nullptr;
        const Value* outside = find(*scope.outer, key);
        if (!outside) return nullptr;
        Value value = *outside;
        const bool iterated = !value.lists.empty() && value.lists.front() == scope.loop;
        if (!iterated && contains(value.lists, scope.loop))
            throw Unfit{
                Text("a list is read over %1 first, which is not its outermost loop", loop_name(scope.loop))};
        const Type type = scope.outer->builder.type(value.ref);
        scope.reads.push_back(value.ref);
        scope.modes.push_back({.mode = iterated ? PortIn::Iterated : PortIn::Broadcast});
        value.ref = scope.builder.input(iterated ? type.element() : type);
        if (iterated) value.lists.erase(value.lists.begin());
        return &(scope.values[key] = value);
    }

    // The item of a value whose lists are all entered.
    ValueRef item(Scope& scope, const Key& key) {
        const Value* value = find(scope, key);
        if (!value) throw Unfit{Text("a value is read before it is there")};
        if (!value->lists.empty())
            throw Unfit{Text("a list over %1 is read outside that loop", loop_name(value->lists.front()))};
        return value->ref;
    }

    // The loops around a scope, outermost first.
    static std::vector<int> around(const Scope& scope) {
        if (!scope.outer) return {};
        std::vector<int> loops = around(*scope.outer);
        loops.push_back(scope.loop);
        return loops;
    }

    ValueRef input(Scope& scope, int index, Axes axes, bool turned) {
        const ArrayOp& array = op(index);
        std::vector<int> own;
        for (const int loop : {axes.row, axes.col})
            if (loop >= 0 && own.size() < array.shape.axes.size()) own.push_back(loop);
        Key key{Key::Kind::Input, index, turned, {}};
        for (const int loop : around(scope)) {
            const bool batch = contains(loops_.batch, loop);
            const std::vector<DimId>& batches = array.shape.batch;
            if (batch ? std::find(batches.begin(), batches.end(), dim(loop)) != batches.end()
                      : contains(own, loop))
                key.loops.push_back(loop);
        }
        if (const Value* known = find(scope, key)) return known->ref;
        Item of = Item::scalar();
        if (own.size() == 1) of = Item::vector(dim(own[0]));
        if (own.size() == 2)
            of = turned ? Item::block(dim(own[1]), dim(own[0])) : Item::block(dim(own[0]), dim(own[1]));
        Type type(of, array.elem);
        for (auto loop = key.loops.rbegin(); loop != key.loops.rend(); ++loop)
            type = type.list_over(dim(*loop));
        Scope* top = &scope;
        while (top->outer) top = top->outer;
        top->values[key] = {
            top->builder.input(type, {array.name, turned && own.size() == 2, array.source, array.window}),
            key.loops};
        return item(scope, key);
    }

    // An operator's value on the tile whose rows and columns these loops count; turned: its transpose.
    ValueRef value(Scope& scope, int index, Axes axes, bool turned) {
        const ArrayOp& of = op(index);
        if (of.kind == ArrayOpKind::Input) return input(scope, index, axes, turned);
        if (of.kind == ArrayOpKind::Transpose)
            return value(scope, of.operands[0], {axes.col, axes.row}, !turned);
        const Key key{Key::Kind::Value, index, turned, {axes.row, axes.col}};
        if (const Value* known = find(scope, key)) return known->ref;
        const ValueRef made = with_elem(scope, computed(scope, index, axes, turned), of.elem);
        scope.values[key] = {made, {}};
        return made;
    }

    static ValueRef with_elem(Scope& scope, ValueRef ref, ElemType elem) {
        return scope.builder.type(ref).elem() == elem ? ref : scope.builder.cast(elem, ref);
    }

    ValueRef computed(Scope& scope, int index, Axes axes, bool turned) {
        const ArrayOp& of = op(index);
        switch (of.kind) {
            case ArrayOpKind::Matmul:
                return finished(scope, index);
            case ArrayOpKind::Cast:
                return value(scope, of.operands[0], axes, turned);
            case ArrayOpKind::Elementwise: {
                std::vector<ValueRef> operands;
                for (const int operand : of.operands)
                    operands.push_back(
                        value(scope, operand, op(operand).shape.axes.empty() ? Axes{} : axes, turned));
                return scope.builder.elementwise(of.expr, std::move(operands));
            }
            case ArrayOpKind::Broadcast:
                return broadcast(scope, of, axes, turned);
            default:
                throw InternalError("a chain has no " + describe(of.kind));
        }
    }

    ValueRef broadcast(Scope& scope, const ArrayOp& of, Axes axes, bool turned) {
        const bool along_rows = of.vector_axis == VectorAxis::Rows;
        std::vector<ValueRef> both;
        for (const int operand : of.operands) {
            const bool matrix = op(operand).shape.axes.size() == 2;
            both.push_back(value(scope, operand, matrix ? axes : Axes{along_rows ? axes.row : axes.col, -1},
                                 matrix && turned));
        }
        if (of.fn == Fn::Sub) both[1] = scope.builder.elementwise(call(Fn::Neg, arg(0)), {both[1]});
        if (of.fn == Fn::Div)
            both[1] = scope.builder.elementwise(call(Fn::Div, number(1), arg(0)), {both[1]});
        if (op(of.operands[0]).shape.axes.size() != 2) std::swap(both[0], both[1]);
        const bool shifts = of.fn == Fn::Add || of.fn == Fn::Sub;
        if (along_rows != turned)
            return scope.builder.functional(shifts ? FunctionalOp::RowShift : FunctionalOp::RowScale, both);
        return scope.builder.functional(shifts ? FunctionalOp::ColShift : FunctionalOp::ColScale, both);
    }

    // The tile of a product whose sum has ended.
    ValueRef finished(Scope& scope, int index) {
        ValueRef sum = {};
        ValueRef rows = {};
        bool softmax = false;
        for (std::size_t i = 0; i < works_.size(); ++i) {
            const Work& each = works_[i];
            if (each.product < 0 || product(each).op != index) continue;
            const ValueRef ref = item(scope, {Key::Kind::Work, static_cast<int>(i), false, {}});
            (each.kind == Work::Kind::RowSum ? rows : sum) = ref;
            softmax |= each.kind == Work::Kind::RowSum;
        }
        if (!softmax) return sum;
        const ValueRef inverse = scope.builder.elementwise(call(Fn::Div, number(1), arg(0)), {rows});
        return scope.builder.functional(turned_.at(index) ? FunctionalOp::ColScale : FunctionalOp::RowScale,
                                        {sum, inverse});
    }

    // ---- Works.

    void compute(Scope& scope, int index) {
        const Work& of = work(index);
        Value made;
        if (of.kind == Work::Kind::Store)
            made.ref = value(scope, chain_.output.op, {chain_.output.row, chain_.output.col}, false);
        if (of.kind == Work::Kind::RowSum)
            made.ref = scope.builder.functional(FunctionalOp::RowSum, {left_operand(scope, of)});
        if (of.kind == Work::Kind::Product) {
            const Product& self = product(of);
            const ValueRef left = left_operand(scope, of);
            const ValueRef right = value(scope, op(self.op).operands[1], {self.depth, self.col}, true);
            made.ref = turned_.at(self.op) ? scope.builder.functional(FunctionalOp::Dot, {right, left})
                                           : scope.builder.functional(FunctionalOp::Dot, {left, right});
        }
        scope.results[index] = made;
    }

    // Of a softmax the exponentials: its rows are divided by their sums when all of them are there.
    ValueRef left_operand(Scope& scope, const Work& of) {
        const Product& self = product(of);
        int left = op(self.op).operands[0];
        const ElemType elem = op(left).elem;
        const Axes axes{self.row, self.depth};
        if (!self.softmax) return value(scope, left, axes, false);
        while (op(left).kind != ArrayOpKind::Softmax) left = op(left).operands[0];
        const Key key{Key::Kind::Exponential, left, false, {axes.row, axes.col}};
        if (const Value* known = find(scope, key)) return known->ref;
        const ValueRef from = value(scope, op(left).operands[0], axes, false);
        const ValueRef made =
            with_elem(scope, scope.builder.elementwise(call(Fn::Exp, arg(0)), {from}), elem);
        scope.values[key] = {made, {}};
        return made;
    }

    const Chain& chain_;
    LoopDims loops_;
    std::vector<Work> works_;
    std::map<int, bool> turned_;  // by operator
    std::set<std::string> listed_;
    IdSource* ids_ = nullptr;
};

}  // namespace

Result<Schedule> schedule_of(const Chain& chain, const JudgedExpression& judged,
                             const std::vector<std::int64_t>& tiles) {
    try {
        return Scheduler(chain, judged, tiles).run();
    } catch (const Unfit& unfit) {
        return Problem{{}, unfit.why};
    }
}

std::vector<std::int64_t> few_tiles(const Chain& chain) {
    std::vector<std::int64_t> tiles;
    for (const Loop& loop : chain.loops) tiles.push_back(std::max<std::int64_t>(1, (loop.size + 3) / 4));
    return tiles;
}

std::optional<std::string> difference(const Chain& chain, const Schedule& schedule, std::uint64_t seed) {
    ArrayProgram reference = chain.program;
    reference.dims = proof_dims(reference);
    BlockProgram program = *schedule.program;
    program.dims = reference.dims;
    for (const DimId dim : schedule.copied) {
        program.dims.push_back(reference.dims[dim.value]);
        program.dims.back().name = schedule.program->dims[program.dims.size() - 1].name;
    }
    const Tensors<Exact> inputs = random_exact(reference, seed);
    const Tensors<Exact> wanted = evaluate(reference, inputs);
    const Tensors<Exact> found = evaluate(program, inputs);
    for (const auto& [name, tensor] : wanted) {
        const auto other = found.find(name);
        if (other == found.end() || other->second.data != tensor.data) return name;
    }
    return std::nullopt;
}

Text missing_rules(const Schedule& schedule) {
    std::string lists;
    for (const std::string& each : schedule.listed) lists += (lists.empty() ? "" : "; ") + each;
    if (lists.empty()) return Text("no rule exchanges two loops, one in the other");
    return Text(
        "no rule exchanges two loops, one in the other, and rule 3 adds up single tiles, no lists of "
        "them (%1)",
        lists);
}

Result<Schedule> schedule_on_card(const Space& space, const Candidate& candidate) {
    Result<Schedule> schedule = schedule_of(space.chain, space.judged(candidate), candidate.tiles);
    const std::string text = to_string(space.judged(candidate).expression.roots, space.chain);
    if (!schedule) return Problem{{}, Text("%1: %2", text, schedule.problems().front().message)};
    if (!schedule->listed.empty())
        return Problem{
            {},
            Text("%1 is not measured on cards: the tiles of %2 would go through global memory there", text,
                 schedule->listed.front())};
    if (!schedule->copied.empty())
        return Problem{{}, Text("two loops of this chain have one dimension; it is not measured on cards")};
    return schedule;
}

}  // namespace blockscope::tilings
