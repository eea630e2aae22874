#include <algorithm>
#include <set>

#include "core/cost/terms.h"
#include "core/engine/plan.h"
#include "core/graph/type.h"
#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope::engine {

// Turns statements into routine calls; make_plan() is the only user.

class Planner {
public:
    Planner(const LoopProgram& program, Precision precision);
    Result<Plan> run();

    void operator()(const Load& s);
    void operator()(const Store& s);
    void operator()(const Compute& s);
    void operator()(const Evaluate& s);
    void operator()(const Accumulate& s);
    void operator()(const Initialise& s);
    void operator()(const Assign& s);
    void operator()(const CallMisc& s);
    void operator()(const LoopPtr& loop);

private:
    // The loop whose body is being planned.
    struct Level {
        const Loop* loop = nullptr;
        std::vector<PlanOp> ops;
        std::vector<int> accumulated;
    };

    std::vector<PlanOp> block(const Block& statements);
    void add(decltype(PlanOp::what) what);
    void finish(int temp);  // the transposed form, if it is wanted
    void refuse(const Text& what, const Text& why);

    int slot(const LoopVar& var) const;  // 0 outside that loop
    std::vector<AddressTerm> terms(const Region& region, const std::vector<Index>& at) const;
    ItemExtent extent(Temp temp) const;
    ExtentRef axis(const Extent& extent) const;
    ItemExtent stored_extent(const Buffer& buffer, const std::vector<Index>& at) const;
    int rank(Temp temp) const;  // axes; -1 if nothing tells

    void mask(const Load& s);
    void functional(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add);
    void dot(int to, const std::vector<Temp>& args, const Accumulation& add);
    void combine(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add);
    void elementwise(EvalOp op, const Expr& expr, const Accumulation& add);
    int code(const Expr& expr, int args);
    int matmul(int a, int b, int to);
    std::array<int, 2> sizes(const Extent& extent) const;

    const LoopProgram& program_;
    TempUses uses_;
    TempExtents extents_;
    Precision precision_;
    Plan plan_;
    std::vector<Level> levels_;
    std::vector<std::array<std::int64_t, 2>> step_;  // by temporary and form: from row to row
    NodeId node_;
    Problems problems_;
};

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
    leave_out_zeros(plan_);
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

void Planner::refuse(const Text& what, const Text& why) {
    problems_.push_back({{}, Text("the engine cannot run %1 (%2): %3", what, to_string(node_), why)});
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
    add(MaskOp{.to = s.to.id,
               .extent = extent(s.to),
               .rows = item.rows,
               .cols = item.cols,
               .transposed = buffer.transposed,
               .window = buffer.window});
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
    const Accumulation add{true, slot(levels_.back().loop->var)};
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
            refuse(Text("the operator %1", s.name), Text("it reads a generated mask"));
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
    LoopOp op{.slot = depth,
              .dim = loop->var.dim,
              .start = loop->start,
              .end = program_.dims.at(loop->var.dim.value).blocks(),
              .serial = loop->serial,
              .rows = {},
              .nest = 1,
              .imports = {},
              .body = level.ops};
    if (const auto& bounds = loop->bounds)
        op.rows = {bounds->one_block ? 0 : slot(bounds->row), bounds->row.dim, bounds->window};
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

BlockRange range_of(const LoopOp& loop, const std::vector<std::int64_t>& index, const DimTable& dims) {
    if (!loop.rows) return {loop.start, loop.end};
    return visible_blocks(dims.at(loop.rows->dim.value), dims.at(loop.dim.value), loop.rows->window,
                          index.at(at(loop.rows->slot)));
}

Result<Plan> make_plan(const LoopProgram& program, Precision precision) {
    return Planner(program, precision).run();
}

// Block operators as calls of microkernels.

void Planner::functional(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add_to) {
    const FunctionalForm form = form_of(op);
    const bool shape_needed = is_fold(op) || form == FunctionalForm::Contract ||
                              form == FunctionalForm::Outer || form == FunctionalForm::Rotate;
    for (const Temp t : args)
        if (shape_needed && rank(t) < 0)
            return refuse(to_string(op), Text("it takes a constant whose extents nothing tells"));
    if (form == FunctionalForm::Contract) return dot(to, args, add_to);
    if (form == FunctionalForm::Rotate) {
        if (add_to.active) throw InternalError("a rotation is added to a sum as it is made");
        return add(RotateOp{.to = to, .a = args[0].id, .half = op == FunctionalOp::RotateHalf});
    }
    if (!is_fold(op)) return combine(to, op, args, add_to);
    if (add_to.active && form == FunctionalForm::FoldAll)
        return refuse(to_string(op), Text("no microkernel sums maxima of blocks"));
    if (add_to.active && functional_operator(op).fn != Fn::Add)
        return refuse(to_string(op), Text("no microkernel sums vectors that are no sums themselves"));
    const bool down = form == FunctionalForm::FoldRows && uses_.folded_down[at(args[0].id)];
    add(FoldOp{.op = op, .to = to, .a = args[0].id, .add = add_to, .form = down ? kTransposed : kPlain});
}

std::array<int, 2> Planner::sizes(const Extent& extent) const {
    const Dim& dim = program_.dims.at(extent.dim.value);
    const auto full = static_cast<int>(dim.block_size(0));
    return {full, extent.fixed ? full : static_cast<int>(dim.block_size(dim.blocks() - 1))};
}

void Planner::dot(int to, const std::vector<Temp>& args, const Accumulation& add_to) {
    const ItemExtents& a = extents_.of(args[0]);
    const ItemExtents& b = extents_.of(args[1]);
    const MatmulShape shape{.rows = sizes(a.axes.at(0)),
                            .cols = sizes(b.axes.at(0)),
                            .inner = sizes(a.axes.at(1)),
                            .a_step = step_[at(args[0].id)][kPlain],
                            .bt_step = step_[at(args[1].id)][kTransposed],
                            .c_step = step_[at(to)][kPlain]};
    plan_.matmuls.push_back(shape);
    add(DotOp{.to = to,
              .a = args[0].id,
              .b = args[1].id,
              .add = add_to,
              .matmul = static_cast<int>(plan_.matmuls.size()) - 1});
}

// Element by element, a vector perhaps repeated along the rows or columns of a block.
void Planner::combine(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add_to) {
    const ExprPtr expr = call(functional_operator(op).fn, arg(0), arg(1));
    const auto mode = [&](Temp t, ArgMode wanted) { return rank(t) <= 0 ? ArgMode::Scalar : wanted; };
    EvalOp eval;
    eval.to = to;
    eval.args = {args.at(0).id, args.at(1).id};
    const int first = rank(args[0]) > 0 ? 0 : 1;
    const FunctionalForm form = form_of(op);
    if (form == FunctionalForm::ByElement) {
        eval.modes = {mode(args[0], ArgMode::Full), mode(args[1], ArgMode::Full)};
        if (rank(args[at(first)]) > 0) eval.shape_rows = eval.shape_cols = first;
        return elementwise(std::move(eval), *expr, add_to);
    }
    if (form == FunctionalForm::Outer) {
        eval.modes = {ArgMode::PerRow, ArgMode::PerCol};
        eval.shape_rows = 0;
        eval.shape_cols = 1;
        eval.rows_from_cols = true;
        return elementwise(std::move(eval), *expr, add_to);
    }
    if (rank(args[0]) < 0 && rank(args[1]) > 0)
        return refuse(to_string(op), Text("it takes a constant block whose extents nothing tells"));
    const bool rows = form == FunctionalForm::WithRows;
    eval.modes = {mode(args[0], ArgMode::Full), mode(args[1], rows ? ArgMode::PerRow : ArgMode::PerCol)};
    if (rank(args[0]) > 0) eval.shape_rows = eval.shape_cols = 0;
    elementwise(std::move(eval), *expr, add_to);
}

void Planner::elementwise(EvalOp op, const Expr& expr, const Accumulation& add_to) {
    const int args = static_cast<int>(op.args.size());
    op.add = add_to;
    if (!add_to.active) {
        op.code = code(expr, args);
        return add(std::move(op));
    }
    op.first_code = code(expr, args);
    const ExprPtr sum = call(Fn::Add, arg(args), std::make_shared<const Expr>(expr));
    op.code = code(*sum, args + 1);
    op.args.push_back(op.to);
    op.modes.push_back(rank({op.to}) <= 0 ? ArgMode::Scalar : ArgMode::Full);
    add(std::move(op));
}

int Planner::code(const Expr& expr, int args) {
    plan_.codes.push_back(compile_expr(expr, args, program_.dims));
    return static_cast<int>(plan_.codes.size()) - 1;
}

// The plan as text, for explanation.

namespace {

class Printer {
public:
    explicit Printer(const Plan& plan) : plan_(plan) {}

    std::string run() {
        for (std::size_t i = 0; i < plan_.regions.size(); ++i) memory(plan_.regions[i]);
        for (const auto& [from, to] : plan_.packing)
            line("pack " + region(from) + " into " + region(to) + ", in parallel");
        block(plan_.body, false);
        return std::move(text_);
    }

    void operator()(const LoadOp& op) {
        for (const LoadOp::Piece& piece : op.pieces) {
            const char* how = piece.how == LoadOp::How::View   ? "view of "
                              : piece.how == LoadOp::How::Copy ? "copy of "
                                                               : "transposed copy of ";
            line(temp(op.to, piece.form) + " = " + how + item(piece.from));
        }
    }
    void operator()(const MaskOp& op) {
        line(temp(op.to) + " = causal mask" + (op.may_be_left_out ? " where it hides something" : ""));
    }
    void operator()(const StoreOp& op) {
        for (const Access& to : op.to)
            line((plan_.regions[index(to.region)].form == kPlain ? "store " : "store transposed ") +
                 temp(op.from) + " to " + item(to));
    }
    void operator()(const DotOp& op) {
        const MatmulShape& shape = plan_.matmuls[index(op.matmul)];
        line(temp(op.to) + (op.add.active ? " += matmul " : " = matmul ") + temp(op.a) + " " +
             temp(op.b, kTransposed) + "  [" + std::to_string(shape.rows[0]) + "x" +
             std::to_string(shape.cols[0]) + "x" + std::to_string(shape.inner[0]) + "]");
    }
    void operator()(const EvalOp& op) {
        const std::string args = arguments(op);
        const ExprCode& code = plan_.codes[index(op.add.active ? op.first_code : op.code)];
        line(temp(op.to) + (op.add.active ? " += " : " = ") + code.text + (args.empty() ? "" : " of ") +
             args);
    }
    void operator()(const FoldOp& op) {
        line(temp(op.to) + (op.add.active ? " += " : " = ") + folded(op.op) + " of " +
             (op.of ? plan_.codes[index(op.of->code)].text + " of " + arguments(*op.of)
                    : temp(op.a, op.form)));
    }
    void operator()(const RotateOp& op) {
        line(temp(op.to) + (op.half ? " = rotated halves of " : " = rotated pairs of ") + temp(op.a));
    }
    static std::string arguments(const EvalOp& op) {
        std::string args;
        for (std::size_t i = 0; i < op.args.size(); ++i) {
            if (op.args[i] == 0 || (op.add.active && i + 1 == op.args.size())) continue;
            static const char* const kModes[] = {"", " (a number)", " (per row)", " (per column)"};
            args += (args.empty() ? "" : ", ") + ("$" + std::to_string(i + 1)) + "=" + temp(op.args[i]) +
                    kModes[index(static_cast<int>(op.modes[i]))];
        }
        return args;
    }
    static std::string folded(FunctionalOp op) {
        if (op == FunctionalOp::RowSum) return "row sums";
        if (op == FunctionalOp::RowMax) return "row maxima";
        return op == FunctionalOp::BlockMax ? "maximum" : to_string(op);
    }
    void operator()(const FillOp& op) {
        line(temp(op.to) + " = " + std::to_string(op.value) + " everywhere");
    }
    void operator()(const CopyOp& op) { line(temp(op.to) + " = " + temp(op.from)); }
    void operator()(const TransposeOp& op) {
        line(temp(op.temp, kTransposed) + " = transposed " + temp(op.temp));
    }
    void operator()(const MiscOp& op) {
        line(op.name + " (a miscellaneous operator: the reference's stand-in, one thread)");
    }
    void operator()(const std::vector<LoopOp>& loops) {
        const LoopOp& loop = loops.front();
        const bool region = !loop.serial && !parallel_;
        line(std::string(region ? "in parallel, " : "") + "for " + plan_.program->dims[loop.dim.value].name +
             " " + std::to_string(loop.start) + ".." + std::to_string(loop.end - 1) +
             (loop.rows ? ", as far as rows of " + plan_.program->dims[loop.rows->dim.value].name + " see"
                        : ""));
        block(loop.body, parallel_ || region);
    }

private:
    static std::size_t index(int number) { return static_cast<std::size_t>(number); }
    void line(const std::string& text) { text_ += std::string(2 * index(depth_), ' ') + text + "\n"; }
    static std::string temp(int id, Form form = kPlain) {
        return "t" + std::to_string(id) + (form == kTransposed ? "'" : "");
    }
    const std::string& name(int region) const {
        return plan_.program->buffers[index(plan_.regions[index(region)].buffer)].name;
    }
    std::string region(int number) const {
        const Region& about = plan_.regions[index(number)];
        return name(number) + (about.form == kTransposed ? "'" : "") + (about.packed_input ? " packed" : "");
    }
    std::string item(const Access& access) const { return "a block of " + region(access.region); }
    void memory(const Region& about) {
        const auto number = static_cast<int>(&about - plan_.regions.data());
        const Buffer& buffer = plan_.program->buffers[index(about.buffer)];
        const bool blocks = about.packed_input || buffer.kind == Buffer::Kind::Intermediate;
        line("memory " + region(number) + ": " + std::to_string(about.elements) +
             (about.bf16 ? " bf16" : " f32") + (blocks ? ", block by block" : ", row by row"));
    }
    void block(const std::vector<PlanOp>& ops, bool parallel) {
        const bool outside = parallel_;
        parallel_ = parallel;
        depth_ += &ops == &plan_.body ? 0 : 1;
        for (const PlanOp& op : ops) std::visit(*this, op.what);
        depth_ -= &ops == &plan_.body ? 0 : 1;
        parallel_ = outside;
    }

    const Plan& plan_;
    std::string text_;
    int depth_ = 0;
    bool parallel_ = false;
};

}  // namespace

std::string to_string(const Plan& plan) {
    return Printer(plan).run();
}

}  // namespace blockscope::engine
