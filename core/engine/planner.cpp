#include "core/engine/planner.h"

#include <algorithm>
#include <set>

#include "core/engine/regions.h"

namespace blockscope::engine {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

}  // namespace

Planner::Planner(const LoopProgram& program, Precision precision)
    : program_(program), uses_(program), extents_(program), precision_(precision) {
    plan_.program = &program;
}

Result<Plan> Planner::run() {
    lay_out(plan_, uses_, precision_);
    plan_.temps.resize(at(program_.temps) + 1);
    step_.resize(plan_.temps.size(), {1, 1});
    for (int id = 1; id <= program_.temps; ++id) {
        TempPlan& temp = plan_.temps[at(id)];
        const ItemExtents& item = extents_.of({id});
        temp.known = item.known;
        temp.needed = uses_.needed[at(id)];
        if (item.axes.size() == 2) temp.rows = full_size({item.axes[0]}, program_.dims);
        if (!item.axes.empty()) temp.cols = full_size({item.axes.back()}, program_.dims);
        step_[at(id)] = {temp.cols, temp.rows};
    }
    plan_.body = block(program_.body);
    if (!problems_.empty()) return problems_;
    fuse_elementwise(plan_);
    find_imports(plan_);
    place_temps(plan_);
    return std::move(plan_);
}

std::vector<PlanOp> Planner::block(const Block& statements) {
    levels_.push_back({});
    for (const Statement& statement : statements) {
        node_ = statement.node;
        std::visit(*this, statement.what);
    }
    std::vector<PlanOp> ops = std::move(levels_.back().ops);
    levels_.pop_back();
    return ops;
}

void Planner::add(decltype(PlanOp::what) what) {
    levels_.back().ops.push_back({std::move(what), node_});
}

void Planner::finish(int temp) {
    if (plan_.temps[at(temp)].needed[kTransposed]) add(TransposeOp{temp});
}

void Planner::refuse(const std::string& what, const std::string& why) {
    problems_.push_back({{}, "the engine cannot run " + what + " (" + to_string(node_) + "): " + why});
}

int Planner::slot(const LoopVar& var) const {
    int depth = 0;
    for (const Level& level : levels_) {
        if (!level.loop) continue;
        ++depth;
        if (level.loop->var == var) return depth;
    }
    return 0;
}

std::vector<AddressTerm> Planner::terms(const Region& region, const std::vector<Index>& indices) const {
    std::vector<AddressTerm> result;
    for (std::size_t i = 0; i < indices.size(); ++i)
        if (!indices[i].zero) result.push_back({slot(indices[i].var), region.steps.at(i)});
    return result;
}

ExtentRef Planner::axis(const Extent& extent) const {
    return {extent.fixed ? 0 : slot(extent.var), extent.dim, false};
}

ItemExtent Planner::extent(Temp temp) const {
    const ItemExtents& item = extents_.of(temp);
    ItemExtent result;
    if (item.axes.size() == 2) result.rows = axis(item.axes[0]);
    if (!item.axes.empty()) result.cols = axis(item.axes.back());
    return result;
}

// Of outputs the last indices split the axes; what an intermediate holds beyond a ragged block is never read.
ItemExtent Planner::stored_extent(const Buffer& buffer, const std::vector<Index>& indices) const {
    const Item& item = buffer.type.item();
    ItemExtent result;
    if (item.kind == ItemKind::Scalar) return result;
    const ArrayLayout layout = array_layout(array_type(buffer), false, program_.dims);
    const auto of = [&](DimId dim, int list) {
        ExtentRef ref{0, dim, false};
        if (buffer.kind == Buffer::Kind::Output && list >= 0 && !indices.at(at(list)).zero)
            ref.slot = slot(indices[at(list)].var);
        return ref;
    };
    if (item.kind == ItemKind::Block) result.rows = of(item.rows, layout.row_list);
    result.cols =
        item.kind == ItemKind::Block ? of(item.cols, layout.col_list) : of(item.rows, layout.row_list);
    return result;
}

int Planner::rank(Temp temp) const {
    const ItemExtents& item = extents_.of(temp);
    return item.known ? static_cast<int>(item.axes.size()) : -1;
}

void Planner::operator()(const Load& s) {
    const Buffer& buffer = program_.buffers.at(at(s.buffer));
    if (buffer.source == InputSource::CausalMask) return mask(s);
    TempPlan& temp = plan_.temps[at(s.to.id)];
    if (!temp.needed[kPlain] && !temp.needed[kTransposed]) return;
    LoadOp op{s.to.id, extent(s.to), {}};
    for (const Form form : {kPlain, kTransposed}) {
        if (!temp.needed[form]) continue;
        const int index = region_for(plan_, s.buffer, form);
        const Region& region = plan_.regions.at(at(index));
        LoadOp::Piece piece{form, LoadOp::How::View, {index, terms(region, s.at)}};
        const bool apart = temp.rows > 1 && region.row_step != step_[at(s.to.id)][form];
        if (region.form != form)
            piece.how = LoadOp::How::Transpose;
        else if (region.bf16 ||
                 (apart && uses_.multiplied[at(s.to.id)] && !multiplied_in_place(plan_, region)))
            piece.how = LoadOp::How::Copy;
        else
            step_[at(s.to.id)][form] = region.row_step;
        op.pieces.push_back(std::move(piece));
    }
    add(std::move(op));
}

void Planner::mask(const Load& s) {
    const Buffer& buffer = program_.buffers.at(at(s.buffer));
    const Item& item = buffer.type.item();
    add(MaskOp{s.to.id, extent(s.to), item.rows, item.cols, buffer.transposed});
    finish(s.to.id);
}

void Planner::operator()(const Store& s) {
    const Buffer& buffer = program_.buffers.at(at(s.buffer));
    StoreOp op{s.from.id, stored_extent(buffer, s.at), {}};
    for (const int region : plan_.forms.at(at(s.buffer)))
        if (region >= 0) op.to.push_back({region, terms(plan_.regions[at(region)], s.at)});
    add(std::move(op));
}

void Planner::operator()(const Compute& s) {
    functional(s.to.id, s.op, s.args, {});
    finish(s.to.id);
}

void Planner::operator()(const Evaluate& s) {
    EvalOp op;
    op.to = s.to.id;
    const int result = std::max(rank(s.to), 0);
    for (std::size_t i = 0; i < s.args.size(); ++i) {
        const Temp arg = s.args[i];
        op.args.push_back(arg.id);
        const bool scalar = arg.id == 0 || rank(arg) <= 0;
        op.modes.push_back(scalar ? ArgMode::Scalar : ArgMode::Full);
        if (!scalar && rank(arg) == result && op.shape_cols < 0)
            op.shape_rows = op.shape_cols = static_cast<int>(i);
    }
    elementwise(std::move(op), *s.expr, {});
    finish(s.to.id);
}

void Planner::operator()(const Accumulate& s) {
    if (levels_.size() < 2) throw InternalError("engine: a sum outside of any loop");
    const Loop& loop = *levels_.back().loop;
    const Accumulation add{true, slot(loop.var), loop.start};
    levels_.back().accumulated.push_back(s.to.id);
    if (s.functional) return functional(s.to.id, s.op, s.args, add);
    EvalOp op;
    op.to = s.to.id;
    op.args = {s.args.at(0).id};
    op.modes = {rank(s.args[0]) <= 0 ? ArgMode::Scalar : ArgMode::Full};
    if (rank(s.args[0]) > 0) op.shape_rows = op.shape_cols = 0;
    elementwise(std::move(op), *arg(0), add);
}

void Planner::operator()(const Initialise& s) {
    add(FillOp{s.to.id, extent(s.to), s.value});
    finish(s.to.id);
}

void Planner::operator()(const Assign& s) {
    add(CopyOp{s.to.id, s.from.id, extent(s.to)});
    finish(s.to.id);
}

void Planner::operator()(const CallMisc& s) {
    MiscOp op{s.name, {}, {}};
    const auto array = [&](int buffer, const std::vector<Index>& indices) {
        const Buffer& about = program_.buffers.at(at(buffer));
        if (about.source == InputSource::CausalMask) {
            refuse("the operator " + s.name, "it reads a generated mask");
            return MiscOp::Array{};
        }
        int region = region_for(plan_, buffer, kPlain);
        for (std::size_t i = 0; i < plan_.regions.size(); ++i)  // the array itself, not its packed form
            if (plan_.regions[i].buffer == buffer && !plan_.regions[i].packed_input &&
                about.kind != Buffer::Kind::Intermediate)
                region = static_cast<int>(i);
        return MiscOp::Array{region, terms(plan_.regions[at(region)], indices),
                             static_cast<int>(indices.size())};
    };
    std::size_t next = 0;
    for (const int output : s.outputs) op.outputs.push_back(array(output, s.at.at(next++)));
    for (const int input : s.inputs) op.inputs.push_back(array(input, s.at.at(next++)));
    add(std::move(op));
}

void Planner::operator()(const LoopPtr& loop) {
    const NodeId node = node_;
    levels_.push_back({loop.get(), {}, {}});
    const int depth = slot(loop->var);
    plan_.slots = std::max(plan_.slots, depth + 1);
    for (const Statement& statement : loop->body) {
        node_ = statement.node;
        std::visit(*this, statement.what);
    }
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    node_ = node;
    LoopOp op{
        depth, loop->var.dim, loop->start, program_.dims.at(loop->var.dim.value).blocks(), loop->serial, 1,
        {},    level.ops};
    if (op.end <= op.start)  // sums of nothing
        for (const int temp : level.accumulated) add(FillOp{temp, extent({temp}), 0});
    if (!op.serial && op.body.size() == 1)
        if (const auto* inner = std::get_if<std::vector<LoopOp>>(&op.body[0].what);
            inner && !inner->at(0).serial)
            op.nest = inner->at(0).nest + 1;
    add(std::vector<LoopOp>{std::move(op)});
    std::set<int> finished;
    for (const int temp : level.accumulated)
        if (finished.insert(temp).second) finish(temp);
}

Result<Plan> make_plan(const LoopProgram& program, Precision precision) {
    return Planner(program, precision).run();
}

}  // namespace blockscope::engine
