#include "core/circuit/flow.h"

#include <algorithm>
#include <map>

#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

// How an operand reads an array: operand axis i is array axis order[i].
struct View {
    int array = -1;
    std::vector<int> order;
};

class FlowBuilder {
public:
    explicit FlowBuilder(const ArrayProgram& program) : program_(program) {}

    Flow run() {
        for (const Dim& dim : program_.dims) flow_.axes.push_back({dim.name, dim.size, false, {}, {}, 1, {}});
        views_.resize(program_.ops.size());
        for (std::size_t i = 0; i < program_.ops.size(); ++i) add(static_cast<int>(i));
        for (const ArrayOutput& output : program_.outputs) {
            flow_.outputs.push_back(plain(output.op));
            flow_.output_names.push_back(output.name);
        }
        mark_sequences();
        return std::move(flow_);
    }

private:
    const ArrayOp& op(int i) const { return program_.ops.at(at(i)); }

    std::vector<AxisId> axes_of(const Shape& shape) const {
        std::vector<AxisId> axes;
        for (const std::vector<DimId>* part : {&shape.batch, &shape.axes})
            for (const DimId dim : *part) axes.push_back({dim.value});
        return axes;
    }

    int new_array(const std::string& name, ArrayType type) {
        flow_.arrays.push_back({name, std::move(type)});
        return static_cast<int>(flow_.arrays.size()) - 1;
    }

    static std::vector<int> straight(std::size_t rank) {
        std::vector<int> order(rank);
        for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<int>(i);
        return order;
    }

    void add(int i) {
        const ArrayOp& what = op(i);
        if (what.kind == ArrayOpKind::Input && what.source == InputSource::Array) {
            const std::vector<AxisId> axes = axes_of(what.shape);
            const int array = new_array(what.name, {axes, what.elem, 0, false});
            views_[at(i)] = {array, straight(axes.size())};
            flow_.inputs.push_back(array);
            return;
        }
        if (what.kind == ArrayOpKind::Transpose) {
            View view = views_[at(what.operands[0])];
            std::swap(view.order[view.order.size() - 1], view.order[view.order.size() - 2]);
            views_[at(i)] = std::move(view);
            return;
        }
        apply(i);
    }

    // The index in `weave` of each axis of an operand: batch axes by name, the others by `axes`, where -1 is
    // the operator's own axis.
    Segment segment(int operand, const Shape& result, const std::vector<int>& axes) const {
        const Shape& shape = op(operand).shape;
        const View& view = views_[at(operand)];
        Segment segment;
        segment.elem = op(operand).elem;
        segment.slots.resize(view.order.size());
        for (std::size_t b = 0; b < shape.batch.size(); ++b) {
            const auto found = std::find(result.batch.begin(), result.batch.end(), shape.batch[b]);
            const bool own = found == result.batch.end();  // summed over
            segment.slots[at(view.order[b])] = {own,
                                                own ? 0 : static_cast<int>(found - result.batch.begin())};
        }
        for (std::size_t a = 0; a < shape.axes.size(); ++a)
            segment.slots[at(view.order[shape.batch.size() + a])] = {axes.at(a) < 0, std::max(axes.at(a), 0)};
        return segment;
    }

    // Where the axes of operand `n` run, and for the result: as in `segment`.
    std::vector<int> places(const ArrayOp& what, std::size_t n) const {
        const int batch = static_cast<int>(what.shape.batch.size());
        const int rank = static_cast<int>(op(what.operands[n]).shape.axes.size());
        std::vector<int> same = rank == 0   ? std::vector<int>{}
                                : rank == 1 ? std::vector<int>{batch}
                                            : std::vector<int>{batch, batch + 1};
        switch (what.kind) {
            case ArrayOpKind::Broadcast:
                if (rank == 2) return same;
                return {what.vector_axis == VectorAxis::Rows ? batch : batch + 1};
            case ArrayOpKind::Matmul:
                if (n == 0) return {batch, -1};
                return {-1, batch + 1};
            case ArrayOpKind::Softmax:
            case ArrayOpKind::RmsNorm:
            case ArrayOpKind::LayerNorm:
            case ArrayOpKind::RowSum:
            case ArrayOpKind::RowMean:
            case ArrayOpKind::RowMax:
                return rank == 2 ? std::vector<int>{batch, -1} : std::vector<int>{-1};
            case ArrayOpKind::Outer:
                return {batch + static_cast<int>(n)};
            default:
                return same;
        }
    }

    static bool keeps_own(ArrayOpKind kind) {
        return kind == ArrayOpKind::Softmax || kind == ArrayOpKind::RmsNorm || kind == ArrayOpKind::LayerNorm;
    }

    Operator kind_of(const ArrayOp& what) const {
        switch (what.kind) {
            case ArrayOpKind::Elementwise:
            case ArrayOpKind::Broadcast:
            case ArrayOpKind::Outer: {
                const ExprPtr expr = expression(what);
                const auto [vector, special] = expression_work(*expr);
                return {OperatorKind::Elementwise, expression_label(*expr, program_.dims), vector, special};
            }
            case ArrayOpKind::Input:
                return {OperatorKind::Mask, "causal"};
            case ArrayOpKind::Matmul:
                return {OperatorKind::Contraction, "·"};
            case ArrayOpKind::Softmax:
                return {OperatorKind::Softmax, "softmax"};
            case ArrayOpKind::RmsNorm:
                return {OperatorKind::RmsNorm, "rmsnorm"};
            case ArrayOpKind::LayerNorm:
                return {OperatorKind::LayerNorm, "layernorm"};
            case ArrayOpKind::RowSum:
            case ArrayOpKind::SumOver:
                return {OperatorKind::Sum, "Σ"};
            case ArrayOpKind::RowMean:
                return {OperatorKind::Mean, "mean"};
            case ArrayOpKind::RowMax:
                return {OperatorKind::Max, "max"};
            case ArrayOpKind::Cast:
                return {OperatorKind::Cast, to_string(what.elem)};
            case ArrayOpKind::Custom:
                return {OperatorKind::Custom, what.custom_name};
            case ArrayOpKind::Transpose:
                break;
        }
        throw InternalError("no operator for this kind of array operator");
    }

    static ExprPtr expression(const ArrayOp& what) {
        if (what.kind == ArrayOpKind::Elementwise) return what.expr;
        if (what.kind == ArrayOpKind::Broadcast) return call(what.fn, arg(0), arg(1));
        if (what.kind == ArrayOpKind::Outer) return call(Fn::Mul, arg(0), arg(1));
        return nullptr;
    }

    void apply(int i) {
        const ArrayOp& what = op(i);
        FlowOp made;
        made.apply.op = kind_of(what);
        made.apply.origin.op = i;
        made.expr = expression(what);
        if (what.kind == ArrayOpKind::Custom) return custom(i, std::move(made));
        std::vector<AxisId> axes = axes_of(what.shape);
        Segment output;
        output.elem = what.elem;
        output.name = what.name;
        for (std::size_t a = 0; a < axes.size(); ++a) output.slots.push_back({false, static_cast<int>(a)});
        made.apply.weave = axes;
        if (keeps_own(what.kind)) {
            made.apply.own = {axes.back()};
            made.apply.weave.pop_back();
            output.slots.back() = {true, 0};
        } else if (const std::optional<AxisId> own = own_axis(what)) {
            made.apply.own = {*own};
        }
        for (std::size_t n = 0; n < what.operands.size(); ++n) {
            made.apply.inputs.push_back(segment(what.operands[n], what.shape, places(what, n)));
            made.inputs.push_back(views_[at(what.operands[n])].array);
        }
        made.apply.outputs = {output};
        finish(i, std::move(made), {axes, what.elem, 0, false});
    }

    std::optional<AxisId> own_axis(const ArrayOp& what) const {
        switch (what.kind) {
            case ArrayOpKind::Matmul:
            case ArrayOpKind::RowSum:
            case ArrayOpKind::RowMean:
            case ArrayOpKind::RowMax:
                return AxisId{op(what.operands[0]).shape.axes.back().value};
            case ArrayOpKind::SumOver:
                return AxisId{what.dim.value};
            default:
                return std::nullopt;
        }
    }

    // Opaque: all axes are its own. It reads arrays in the order that the program gives them.
    void custom(int i, FlowOp made) {
        const ArrayOp& what = op(i);
        const auto segment_of = [&](const std::vector<AxisId>& axes, ElemType elem, const std::string& name) {
            Segment segment{{}, elem, 0, false, name};
            for (const AxisId axis : axes) {
                segment.slots.push_back({true, static_cast<int>(made.apply.own.size())});
                made.apply.own.push_back(axis);
            }
            return segment;
        };
        for (const int operand : what.operands) {
            const int array = plain(operand);
            made.inputs.push_back(array);
            made.apply.inputs.push_back(segment_of(flow_.arrays[at(array)].type.axes, op(operand).elem, ""));
        }
        made.apply.outputs = {segment_of(axes_of(what.shape), what.elem, what.name)};
        finish(i, std::move(made), {axes_of(what.shape), what.elem, 0, false});
    }

    void finish(int i, FlowOp made, ArrayType type) {
        const std::size_t rank = type.axes.size();
        const int array = new_array(op(i).name, std::move(type));
        made.outputs = {array};
        flow_.ops.push_back(std::move(made));
        views_[at(i)] = {array, straight(rank)};
    }

    // The array of operator `i` with its axes in its own order: crossing wires if it is read otherwise.
    int plain(int i) {
        const View view = views_[at(i)];
        const std::vector<int> order = straight(view.order.size());
        if (view.order == order) return view.array;
        FlowOp crossing;
        crossing.apply.op = {OperatorKind::Reindex, "T"};
        crossing.apply.origin.op = i;
        const ArrayType& from = flow_.arrays[at(view.array)].type;
        Segment input{{}, from.elem, 0, false, ""};
        Segment output{{}, from.elem, 0, false, op(i).name};
        ArrayType to{{}, from.elem, 0, false};
        input.slots.resize(order.size());
        for (std::size_t a = 0; a < order.size(); ++a) {
            crossing.apply.weave.push_back(from.axes[at(view.order[a])]);
            input.slots[at(view.order[a])] = {false, static_cast<int>(a)};
            output.slots.push_back({false, static_cast<int>(a)});
        }
        to.axes = crossing.apply.weave;
        crossing.apply.inputs = {input};
        crossing.apply.outputs = {output};
        crossing.inputs = {view.array};
        const int array = new_array(op(i).name, std::move(to));
        crossing.outputs = {array};
        flow_.ops.push_back(std::move(crossing));
        views_[at(i)] = {array, order};
        return array;
    }

    // Rows of inputs without a batch or feature role are sequences; what softmax acts along is one, and what
    // indexes its rows.
    void mark_sequences() {
        for (const FlowOp& made : flow_.ops) {
            if (made.apply.op.kind != OperatorKind::Softmax) continue;
            flow_.axes[at(made.apply.own[0].value)].sequence = true;
            if (!made.apply.weave.empty()) flow_.axes[at(made.apply.weave.back().value)].sequence = true;
        }
    }

    const ArrayProgram& program_;
    Flow flow_;
    std::vector<View> views_;  // by operator
};

}  // namespace

Flow flow_of(const ArrayProgram& program) {
    Flow flow = FlowBuilder(program).run();
    flow.groups = named_groups(flow);
    return flow;
}

}  // namespace blockscope::circuit
