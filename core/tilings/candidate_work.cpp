#include "core/tilings/candidate_work.h"

#include <algorithm>

#include "core/cost/models/model.h"
#include "core/scalar/primitives.h"
#include "core/tilings/run_plan.h"

namespace blockscope::tilings {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

// What a candidate's loops and tiles are, for both kinds of devices.
class WorkBuilder {
public:
    WorkBuilder(const Space& space, const Candidate& candidate, bool card)
        : chain_(space.chain),
          judged_(space.judged(candidate)),
          candidate_(candidate),
          card_(card),
          plan_(plan_run(chain_, judged_.expression.roots)),
          bytes_(bytes_per_element(chain_.elem)),
          loop_of_(chain_.loops.size(), -1) {}

    StateWork build() {
        add_buffers();
        kernel_.elem = chain_.elem;
        kernel_.tasks = static_cast<double>(chain_.batch);
        for (const int loop : card_ ? judged_.grid : plan_.tasks) kernel_.tasks *= trip(loop);
        std::vector<WorkNode> body;
        batch_loop_ = open_loop(static_cast<double>(chain_.batch), true);
        fill(0, body);
        if (card_) add_staged_loads(body);
        kernel_.loops[at(batch_loop_)].body = std::move(body);
        kernel_.roots = {{batch_loop_, -1}};
        finish();
        state_.kernels.push_back(std::move(kernel_));
        return std::move(state_);
    }

private:
    double trip(int loop) const {
        return static_cast<double>(trips(chain_.size(loop), candidate_.tiles[at(loop)]));
    }
    // Elements of a tile along a loop, on average.
    double extent(int loop) const { return static_cast<double>(chain_.size(loop)) / trip(loop); }
    double tile_bytes(const std::vector<int>& loops) const {
        double bytes = bytes_;
        for (const int loop : loops) bytes *= extent(loop);
        return bytes;
    }
    double array_bytes(const std::vector<int>& loops) const {
        double bytes = bytes_;
        for (const int loop : loops) bytes *= static_cast<double>(chain_.size(loop));
        return bytes;
    }
    int count() const { return static_cast<int>(chain_.products.size()); }

    // ---- Buffers: inputs, the output, and the products' tiles.

    int add_buffer(const std::string& name, Buffer::Kind kind, double bytes) {
        state_.buffers.push_back(
            {.name = name, .node = {}, .kind = kind, .generated = false, .bytes = bytes});
        kernel_.buffers.push_back({.buffer = static_cast<int>(state_.buffers.size()) - 1});
        return kernel_.buffers.back().buffer;
    }

    // Chains of the batch that have a matrix of their own of an array.
    double matrices(int op) const {
        double number = 1;
        for (const DimId dim : chain_.program.ops[at(op)].shape.batch)
            number *= static_cast<double>(chain_.program.dims[dim.value].size);
        return number;
    }

    void add_buffers() {
        for (const TiledArray& input : chain_.inputs)
            add_buffer(input.name, Buffer::Kind::Input, array_bytes(input.loops) * matrices(input.op));
        output_ = add_buffer(
            chain_.output.name, Buffer::Kind::Output,
            array_bytes({chain_.output.row, chain_.output.col}) * static_cast<double>(chain_.batch));
        for (int i = 0; i < count(); ++i) {
            const Product& product = chain_.products[at(i)];
            double bytes = tile_bytes({product.row, product.col});
            for (const int loop : plan_.alive[at(i)]) bytes *= trip(loop);
            tiles_.push_back(card_ ? -1 : add_buffer(product.name, Buffer::Kind::Intermediate, bytes));
            kernel_.register_bytes += card_ ? bytes / bytes_ * static_cast<double>(sizeof(float)) : 0;
        }
        for (const TiledArray& input : chain_.inputs) kernel_.tile_bytes += tile_bytes(input.loops);
        kernel_.local_bytes = kernel_.register_bytes + kernel_.tile_bytes;
    }

    // ---- Loops.

    int open_loop(double count, bool task) {
        WorkLoop loop;
        loop.trips = count;
        loop.serial = !task;
        loop.task = task;
        kernel_.loops.push_back(std::move(loop));
        return static_cast<int>(kernel_.loops.size()) - 1;
    }

    void fill(int index, std::vector<WorkNode>& body) {
        for (const PlannedLoop::Item& item : plan_.loops[at(index)].items) {
            if (item.loop < 0) {
                statement(item.statement, body);
                continue;
            }
            const int loop = plan_.loops[at(item.loop)].loop;
            const std::vector<int>& tasks = card_ ? judged_.grid : plan_.tasks;
            const int made = open_loop(trip(loop), contains(tasks, loop));
            loop_of_[at(loop)] = made;
            around_.push_back(loop);
            std::vector<WorkNode> inner;
            bodies_.push_back(&inner);
            fill(item.loop, inner);
            bodies_.pop_back();
            around_.pop_back();
            kernel_.loops[at(made)].body = std::move(inner);
            body.push_back({made, -1});
        }
    }

    // ---- Statements.

    void statement(int index, std::vector<WorkNode>& body) {
        const PlannedStatement& planned = plan_.statements[at(index)];
        guarded_.clear();
        for (const Guard& guard : planned.guards) guarded_.push_back(guard.loop);
        runs_ = static_cast<double>(chain_.batch);
        for (const int loop : around_)
            if (!contains(guarded_, loop)) runs_ *= trip(loop);
        if (index == count()) return store(body);
        product(index, body);
    }

    void store(std::vector<WorkNode>& body) {
        const StoredResult& output = chain_.output;
        if (!card_) {
            for (const int need : output.needs) tile(need, false, body);
            for (const int input : output.loads) load(input, body);
        }
        access(output_, true, {output.row, output.col}, true, body);
        passes(output.op, output.row, output.col, runs_);
    }

    void product(int index, std::vector<WorkNode>& body) {
        const Product& self = chain_.products[at(index)];
        const double flops = 2 * runs_ * extent(self.row) * extent(self.col) * extent(self.depth);
        kernel_.products.push_back({.elem = chain_.elem,
                                    .rows = size(self.row),
                                    .cols = size(self.col),
                                    .depth = size(self.depth),
                                    .calls = runs_,
                                    .flops = flops,
                                    .left_computed = !self.needs.empty()});
        kernel_.matrix += flops;
        kernel_.calls.matrix += runs_;
        kernel_.operand_bytes +=
            runs_ * (tile_bytes({self.row, self.depth}) + tile_bytes({self.depth, self.col}));
        if (!card_) {
            for (const int input : self.loads) load(input, body);
            for (const int need : self.needs) tile(need, false, body);
            tile(index, false, body);
            tile(index, true, body);
        }
        operand_passes(self);
    }

    std::int64_t size(int loop) const { return std::min(candidate_.tiles[at(loop)], chain_.size(loop)); }

    // Operands that are computed are kept while their loops stand still: the loop of the other side, if it is
    // the innermost, does not repeat them.
    void operand_passes(const Product& self) {
        const ArrayOp& op = chain_.program.ops[at(self.op)];
        const auto kept = [&](int other) {
            double runs = runs_;
            if (!around_.empty() && around_.back() == other && !contains(guarded_, other))
                runs /= trip(other);
            return runs;
        };
        int left = op.operands[0];
        if (self.softmax) {
            while (chain_.program.ops[at(left)].kind != ArrayOpKind::Softmax)
                left = chain_.program.ops[at(left)].operands[0];
            left = chain_.program.ops[at(left)].operands[0];
            const double runs = kept(self.col);
            for (const PassKind kind : {PassKind::Fold, PassKind::Simple, PassKind::Exp, PassKind::Fold})
                pass(kind, self.row, self.depth, runs);
            pass(PassKind::Simple, self.row, self.col, runs_);  // what was summed so far is scaled
        }
        passes(left, self.row, self.depth, kept(self.col));
        passes(op.operands[1], self.depth, self.col, kept(self.row));
    }

    // Elementwise operators from a value down to inputs and products: each function is a pass over the tile.
    void passes(int index, int row, int col, double runs) {
        const ArrayOp& op = chain_.program.ops[at(index)];
        if (op.kind == ArrayOpKind::Input) return;
        if (op.kind == ArrayOpKind::Matmul) {
            for (const Product& product : chain_.products)
                if (product.op == index && product.softmax) pass(PassKind::Divide, row, col, runs);
            return;
        }
        if (op.kind == ArrayOpKind::Transpose) {
            pass(PassKind::Transpose, row, col, runs);
            return passes(op.operands[0], col, row, runs);
        }
        if (op.kind == ArrayOpKind::Broadcast) pass(primitive(op.fn).pass, row, col, runs);
        if (op.kind == ArrayOpKind::Elementwise) functions(*op.expr, row, col, runs);
        for (const int operand : op.operands)
            if (chain_.program.ops[at(operand)].shape.axes.size() == 2) passes(operand, row, col, runs);
    }

    void functions(const Expr& expr, int row, int col, double runs) {
        const auto* function = std::get_if<Call>(&expr.value);
        if (!function || expr.argument_count == 0) return;
        pass(primitive(function->fn).pass, row, col, runs);
        for (const ExprPtr& argument : function->args) functions(*argument, row, col, runs);
    }

    void pass(PassKind kind, int row, int col, double runs) {
        const double elements = runs * extent(row) * extent(col);
        const bool special =
            kind == PassKind::Exp || kind == PassKind::Log || kind == PassKind::Tanh || kind == PassKind::Erf;
        (special ? kernel_.special : kernel_.vector) += elements;
        kernel_.calls.vector += runs;
        kernel_.passes.push_back({.kind = kind,
                                  .calls = runs,
                                  .rows = runs * extent(row),
                                  .elements = elements,
                                  .bytes = 2 * bytes_ * elements});
    }

    // ---- Accesses.

    void load(int input, std::vector<WorkNode>& body) {
        const TiledArray& array = chain_.inputs[at(input)];
        access(input, false, array.loops, matrices(array.op) > 1, body);
    }

    void tile(int product, bool stores, std::vector<WorkNode>& body) {
        const Product& of = chain_.products[at(product)];
        const double bytes = tile_bytes({of.row, of.col});
        add(tiles_[at(product)], stores, bytes, plan_.alive[at(product)], false, body);
    }

    void access(int buffer, bool stores, const std::vector<int>& loops, bool batch,
                std::vector<WorkNode>& body) {
        add(buffer, stores, tile_bytes(loops), loops, batch, body);
    }

    // What runs in one iteration of a loop only stands outside that loop, with all of the loops inside it.
    void add(int buffer, bool stores, double bytes, const std::vector<int>& loops, bool batch,
             std::vector<WorkNode>& body) {
        std::vector<WorkNode>* where = &body;
        double outside = 1;
        std::size_t first = around_.size();
        for (std::size_t i = around_.size(); i-- > 0;)
            if (contains(guarded_, around_[i])) first = i;
        for (std::size_t i = first; i < around_.size(); ++i)
            if (!contains(guarded_, around_[i])) outside *= trip(around_[i]);
        if (first < around_.size()) where = first == 0 ? nullptr : bodies_[first - 1];
        std::vector<int> varies;
        for (std::size_t i = 0; i < first; ++i)
            if (contains(loops, around_[i])) varies.push_back(loop_of_[at(around_[i])]);
        place(buffer, stores, bytes * outside, varies, batch, runs_ / outside, where ? *where : outermost_);
    }

    void place(int buffer, bool stores, double bytes, std::vector<int> varies, bool batch, double runs,
               std::vector<WorkNode>& body) {
        if (batch) varies.push_back(batch_loop_);
        std::sort(varies.begin(), varies.end());
        BufferWork& of = kernel_.buffers[at(buffer)];
        (stores ? of.stored : of.loaded) += runs * bytes;
        of.hoisted += runs * bytes;
        double distinct = bytes;
        for (const int loop : varies) distinct *= kernel_.loops[at(loop)].trips;
        of.distinct = std::max(of.distinct, distinct);
        kernel_.calls.memory += runs;
        body.push_back({-1, static_cast<int>(kernel_.accesses.size())});
        kernel_.accesses.push_back({buffer, stores, bytes, std::move(varies)});
    }

    // On a card loads stand where the third stage has them, in the grid's loops at least.
    void add_staged_loads(std::vector<WorkNode>& body) {
        std::vector<int> ones;
        for (int loop = 0; loop < chain_.loop_count(); ++loop)
            if (trip(loop) == 1) ones.push_back(loop);
        const Placed placed = tilings::place(chain_, judged_.expression.roots, Stage::Reduced, ones);
        for (const Statement& each : placed.statements) {
            if (each.kind != StatementKind::Load) continue;
            std::vector<int> loops = each.around;
            for (const int loop : judged_.grid)
                if (!contains(loops, loop)) loops.push_back(loop);
            double runs = static_cast<double>(chain_.batch);
            int deepest = -1;
            for (const int loop : loops) {
                runs *= trip(loop);
                deepest = std::max(deepest, loop_of_[at(loop)]);
            }
            std::vector<int> varies;
            for (const int loop : each.loops)
                if (contains(loops, loop)) varies.push_back(loop_of_[at(loop)]);
            const bool batch = matrices(chain_.inputs[at(each.input)].op) > 1;
            place(each.input, false, tile_bytes(each.loops), varies, batch, runs,
                  deepest < 0 ? body : kernel_.loops[at(deepest)].body);
        }
    }

    void finish() {
        std::vector<WorkNode>& outermost = kernel_.loops[at(batch_loop_)].body;
        outermost.insert(outermost.end(), outermost_.begin(), outermost_.end());
        for (const BufferWork& of : kernel_.buffers) {
            kernel_.loaded += of.loaded;
            kernel_.stored += of.stored;
            kernel_.hoisted += of.hoisted;
        }
        kernel_.planned = !card_;
        kernel_.engine_calls = kernel_.calls.matrix + kernel_.calls.vector;
        kernel_.engine_tasks = kernel_.tasks;
        kernel_.engine_launches = 1;
    }

    const Chain& chain_;
    const JudgedExpression& judged_;
    const Candidate& candidate_;
    bool card_;
    RunPlan plan_;
    double bytes_;
    StateWork state_;
    KernelWork kernel_;
    int output_ = 0;
    int batch_loop_ = 0;
    std::vector<int> tiles_;    // by product: its buffer; -1: in registers
    std::vector<int> loop_of_;  // by loop of the chain: of the kernel
    std::vector<int> around_;   // loops of the chain around the statement
    std::vector<int> guarded_;  // of them those in which it runs once
    std::vector<std::vector<WorkNode>*> bodies_;
    std::vector<WorkNode> outermost_;  // what stands outside all loops but the batch's
    double runs_ = 1;
};

}  // namespace

StateWork candidate_work(const Space& space, const Candidate& candidate, DeviceKind kind) {
    return WorkBuilder(space, candidate, kind == DeviceKind::Gpu).build();
}

std::vector<double> own_seconds(const Space& space, const std::vector<Candidate>& candidates,
                                const Device& device, int processors, const StopSign& stop) {
    const TimeModel& model = *find_time_model(kUsualModel);
    std::vector<double> seconds;
    seconds.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        stop.check();
        seconds.push_back(
            predict(model, candidate_work(space, candidate, device.kind), device, {.processors = processors})
                .seconds);
    }
    return seconds;
}

}  // namespace blockscope::tilings
