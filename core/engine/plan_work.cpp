#include "core/engine/cpu_program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/cost/terms.h"
#include "core/engine/plan.h"
#include "core/scalar/primitives.h"
#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope {

namespace engine {
namespace {

constexpr double kTile = 1024;  // numbers, as in worker.cpp
constexpr double kFloat = 4;

bool is_binary(Op op) {
    return static_cast<int>(op) < kFnCount && arity(static_cast<Fn>(op)) == 2;
}

PassKind kind_of(Op op) {
    switch (op) {
        case Op::Copy:
        case Op::Square:
            return PassKind::Simple;
        case Op::Reciprocal:
        case Op::ReciprocalSqrt:
            return PassKind::Divide;
    }
    return primitive(static_cast<Fn>(op)).pass;
}

// Rows and columns of an item, on average over its blocks.
struct Shape {
    double rows = 1;
    double cols = 1;
    double elements() const { return rows * cols; }
};

class PlanWalk {
public:
    PlanWalk(const LoopProgram& program, const Plan& plan, const TempExtents& extents, StateWork& work)
        : program_(program), plan_(plan), extents_(extents), work_(work) {}

    void run() {
        for (const auto& [from, to] : plan_.packing) pack(from, to);
        for (KernelWork& kernel : work_.kernels) kernel.planned = true;
        for (const PlanOp& op : plan_.body) {
            choose_kernel(op.node);
            if (kernel_) std::visit(*this, op.what);
        }
    }

    void operator()(const LoadOp& op) {
        const Shape shape = extent(op.extent);
        for (const LoadOp::Piece& piece : op.pieces) {
            const Region& region = plan_.regions[at(piece.from.region)];
            if (piece.how == LoadOp::How::View) {
                const double dense = piece.form == kPlain ? shape.cols : shape.rows;
                if (shape.rows > 1 && static_cast<double>(region.row_step) != dense) apart_.insert(op.to);
                kernel_->engine_calls += runs_ / 2;  // addresses only
                continue;
            }
            move(shape, piece.how == LoadOp::How::Transpose);
        }
    }
    void operator()(const MaskOp& op) {
        const Shape shape = extent(op.extent);
        const double share = op.may_be_left_out ? share_where_masked(op) : 1;
        shares_[op.to] = share;
        // Each row has a part that is seen and one that is not.
        pass({.kind = PassKind::Simple,
              .calls = share * 2 * shape.rows,
              .rows = share * 2 * shape.rows,
              .elements = share * shape.elements(),
              .bytes = share * kFloat * shape.elements()});
    }
    void operator()(const StoreOp& op) {
        const Shape shape = plan_.temps[at(op.from)].known ? of(op.from) : extent(op.extent);
        for (const Access& to : op.to) move(shape, plan_.regions[at(to.region)].form == kTransposed);
    }
    void operator()(const DotOp&) { kernel_->engine_calls += runs_; }
    void operator()(const EvalOp& op) {
        const double first = op.add.active ? 1 / trips_ : 0;
        if (first > 0) lines(op, op.first_code, op.clear ? op.clear->first_code : -1, first);
        if (first < 1) lines(op, op.code, op.clear ? op.clear->code : -1, 1 - first);
    }
    void operator()(const FoldOp& op) {
        const Shape shape = of(op.a);
        if (op.of) lines(*op.of, op.of->code, op.of->clear ? op.of->clear->code : -1, 1);
        if (op.form == kTransposed)  // whole rows of the block in memory, one added to the other
            pass({.kind = PassKind::Simple,
                  .calls = 1,
                  .rows = shape.cols,
                  .elements = shape.elements(),
                  .bytes = kFloat * shape.elements()});
        else
            pass({.kind = PassKind::Fold,
                  .calls = 1,
                  .rows = shape.rows,
                  .elements = shape.elements(),
                  .bytes = kFloat * shape.elements()});
    }
    void operator()(const FillOp& op) {
        const Shape shape = extent(op.extent);
        pass({.kind = PassKind::Simple,
              .calls = 1,
              .rows = shape.rows,
              .elements = shape.elements(),
              .bytes = kFloat * shape.elements()});
    }
    void operator()(const RotateOp& op) {
        const Shape shape = of(op.a);
        pass({.kind = PassKind::Simple,
              .calls = op.half ? 2.0 : 1.0,
              .rows = (op.half ? 2 : 1) * shape.rows,
              .elements = shape.elements(),
              .bytes = 2 * kFloat * shape.elements()});
    }
    void operator()(const CopyOp& op) { move(of(op.to), false); }
    void operator()(const TransposeOp& op) { move(of(op.temp), true); }
    void operator()(const MiscOp& op) {
        double elements = 0;
        for (const auto* arrays : {&op.inputs, &op.outputs})
            for (const MiscOp::Array& array : *arrays) elements += selected(array);
        const PassKind kind = op.name == "transpose" ? PassKind::Transpose : PassKind::Opaque;
        pass({.kind = kind, .calls = 1, .rows = 1, .elements = elements, .bytes = kFloat * elements});
    }
    void operator()(const std::vector<LoopOp>& loops) {
        const LoopOp& loop = loops.front();
        const double trips = average_trips(loop);
        if (trips <= 0) return;
        const bool region = !loop.serial && !parallel_;
        if (region) start_region(loop);
        const bool outside = parallel_;
        const double runs = runs_;
        const double outer_trips = trips_;
        parallel_ = parallel_ || region;
        runs_ *= trips;
        trips_ = trips;
        nest_.push_back(&loop);
        for (const PlanOp& op : loop.body) std::visit(*this, op.what);
        nest_.pop_back();
        parallel_ = outside;
        runs_ = runs;
        trips_ = outer_trips;
    }

private:
    // Operations carry the node of their top-level operator.
    void choose_kernel(NodeId node) {
        for (KernelWork& kernel : work_.kernels)
            if (kernel.node == node) kernel_ = &kernel;
        if (!kernel_ && !work_.kernels.empty()) kernel_ = &work_.kernels.front();
    }

    void start_region(const LoopOp& loop) {
        double tasks = 1;
        const LoopOp* inner = &loop;
        for (int i = 0; i < loop.nest; ++i) {
            tasks *= static_cast<double>(inner->end - inner->start);
            if (i + 1 < loop.nest) inner = &std::get<std::vector<LoopOp>>(inner->body[0].what).front();
        }
        kernel_->engine_tasks = std::max(kernel_->engine_tasks, tasks);
        if (tasks > 1) kernel_->engine_launches += runs_;
    }

    double average_trips(const LoopOp& loop) const {
        if (!loop.rows) return static_cast<double>(loop.end - loop.start);
        const Factor pairs{.kind = Factor::Kind::Visible,
                           .dim = loop.rows->dim,
                           .columns = loop.dim,
                           .window = loop.rows->window};
        return static_cast<double>(value(pairs, program_.dims)) /
               static_cast<double>(program_.dims.at(loop.rows->dim.value).blocks());
    }
    // In how many of the iterations an item of the mask is not all zeros.
    double share_where_masked(const MaskOp& op) const {
        const int columns = (op.transposed ? op.extent.rows : op.extent.cols).slot;
        const auto loop =
            std::find_if(nest_.begin(), nest_.end(), [&](const LoopOp* one) { return one->slot == columns; });
        const bool bounded = loop != nest_.end() && (*loop)->rows;
        const DimId rows = op.transposed ? op.cols : op.rows;
        const DimId cols = op.transposed ? op.rows : op.cols;
        const auto pairs = [&](Factor::Kind kind) {
            return static_cast<double>(value(
                Factor{.kind = kind, .dim = rows, .columns = cols, .window = op.window}, program_.dims));
        };
        const auto all = static_cast<double>(program_.dims.at(rows.value).blocks() *
                                             program_.dims.at(cols.value).blocks());
        return bounded ? pairs(Factor::Kind::Crossed) / pairs(Factor::Kind::Visible)
                       : pairs(Factor::Kind::Masked) / all;
    }
    double average(DimId dim) const {
        const Dim& about = program_.dims.at(dim.value);
        return static_cast<double>(about.size) / static_cast<double>(about.blocks());
    }
    double size(const Extent& extent) const {
        if (!extent.fixed) return average(extent.dim);
        return static_cast<double>(program_.dims.at(extent.dim.value).block_size(0));
    }
    double size(const ExtentRef& ref) const {
        if (ref.one) return 1;
        if (ref.slot != 0) return average(ref.dim);
        return static_cast<double>(program_.dims.at(ref.dim.value).block_size(0));
    }
    Shape extent(const ItemExtent& item) const { return {size(item.rows), size(item.cols)}; }
    // A vector is one row.
    Shape of(int temp) const {
        const ItemExtents& item = extents_.of({temp});
        Shape shape;
        if (item.axes.size() == 2) shape.rows = size(item.axes[0]);
        if (!item.axes.empty()) shape.cols = size(item.axes.back());
        return shape;
    }

    void pass(PassWork work) {
        kernel_->engine_calls += runs_ * work.calls;
        work.calls *= runs_;
        work.rows *= runs_;
        work.elements *= runs_;
        work.bytes *= runs_;
        add_pass(kernel_->passes, work);
    }
    void move(const Shape& shape, bool transpose) {
        pass({.kind = transpose ? PassKind::Transpose : PassKind::Copy,
              .calls = 1,
              .rows = shape.rows,
              .elements = shape.elements(),
              .bytes = 2 * kFloat * shape.elements()});
    }

    Shape result_of(const EvalOp& op) const {
        if (op.shape_cols < 0) return {};
        const Shape rows = of(op.args[at(op.shape_rows)]);
        return {op.rows_from_cols ? rows.cols : rows.rows, of(op.args[at(op.shape_cols)]).cols};
    }

    // Whether rows need not be told apart, as in Worker::evaluate.
    bool flat(const EvalOp& op, int args) const {
        for (int i = 0; i < args; ++i) {
            const ArgMode mode = op.modes[at(i)];
            if (mode == ArgMode::Full && apart_.count(op.args[at(i)]) > 0) return false;
            if (mode == ArgMode::PerRow || mode == ArgMode::PerCol) return false;
        }
        return true;
    }

    // `clear`: the code where the mask is all zeros; -1 if there is no mask.
    void lines(const EvalOp& op, int code, int clear, double share) {
        const double masked = op.clear ? shares_[op.clear->mask] : 1;
        if (masked > 0) lines(op, plan_.codes[at(code)], share * masked);
        if (masked < 1) lines(op, plan_.codes[at(clear)], share * (1 - masked));
    }

    // One pass per line of the code, on tiles that the first-level cache holds.
    void lines(const EvalOp& op, const ExprCode& code, double share) {
        const Shape shape = result_of(op);
        const bool one = shape.rows <= 1 || flat(op, code.args);
        const Shape run = one ? Shape{1, shape.elements()} : shape;
        const double tile_cols = std::min(run.cols, kTile);
        const double tile_rows = std::max(1.0, std::floor(kTile / tile_cols));
        const double across = std::ceil(run.cols / tile_cols);
        const double tiles = std::ceil(run.rows / tile_rows) * across;
        const auto from_block = [&](const CodeValue& v) {
            const bool full = v.kind == CodeValue::Kind::Argument && op.modes[at(v.index)] == ArgMode::Full;
            return full ? kFloat * shape.elements() : 0;
        };
        for (const CodeLine& line : code.lines) {
            double bytes = from_block(line.a);
            if (is_binary(line.op)) bytes += from_block(line.b);
            if (&line == &code.lines.back()) bytes += kFloat * shape.elements();
            pass({.kind = kind_of(line.op),
                  .calls = share * tiles,
                  .rows = share * run.rows * across,
                  .elements = share * shape.elements(),
                  .bytes = share * bytes});
        }
    }

    // Elements of an array that leading indices select.
    double selected(const MiscOp::Array& array) const {
        const Buffer& buffer = program_.buffers.at(at(plan_.regions[at(array.region)].buffer));
        double elements = 1;
        for (const DimId dim : item_axes(buffer.type.item())) elements *= average(dim);
        for (std::size_t i = at(array.leading); i < buffer.dims.size(); ++i)
            elements *= static_cast<double>(program_.dims.at(buffer.dims[i].value).blocks());
        return elements;
    }

    void pack(int from, int to) {
        const Region& target = plan_.regions[at(to)];
        const Buffer& buffer = program_.buffers.at(at(target.buffer));
        double items = 1;
        for (const DimId dim : buffer.dims)
            items *= static_cast<double>(program_.dims.at(dim.value).blocks());
        const Item& item = buffer.type.item();
        const Shape shape{average(item.rows), average(item.cols)};
        const bool transpose = plan_.regions[at(from)].form != target.form;
        const double elements = items * shape.elements();
        add_pass(work_.packing, {.kind = transpose ? PassKind::Transpose : PassKind::Copy,
                                 .calls = items,
                                 .rows = items * shape.rows,
                                 .elements = elements,
                                 .bytes = 2 * kFloat * elements});
        work_.packed_bytes += kFloat * elements;
        work_.packing_launches += 1;
    }

    const LoopProgram& program_;
    const Plan& plan_;
    const TempExtents& extents_;
    StateWork& work_;
    KernelWork* kernel_ = nullptr;
    std::map<int, double> shares_;  // of iterations in which a mask is not all zeros, by temporary
    std::vector<const LoopOp*> nest_;
    std::set<int> apart_;  // temporaries whose rows are not next to one another
    double runs_ = 1;
    double trips_ = 1;  // of the innermost loop
    bool parallel_ = false;
};

}  // namespace
}  // namespace engine

void add_pass(std::vector<PassWork>& passes, const PassWork& more) {
    for (PassWork& pass : passes) {
        if (pass.kind != more.kind) continue;
        pass.calls += more.calls;
        pass.rows += more.rows;
        pass.elements += more.elements;
        pass.bytes += more.bytes;
        return;
    }
    passes.push_back(more);
}

StateWork engine_work(const LoopProgram& program, const StoredTypes& types) {
    return engine_work(program, types, CostBasis(program));
}

StateWork engine_work(const LoopProgram& program, const StoredTypes& types, const CostBasis& basis) {
    StateWork work = state_work(program, types, basis);
    const Precision precision = types.inputs == ElemType::BF16 ? Precision::BF16 : Precision::F32;
    const Result<engine::Plan> plan = engine::make_plan(program, precision);
    if (plan) engine::PlanWalk(program, *plan, basis.extents, work).run();
    return work;
}

}  // namespace blockscope
