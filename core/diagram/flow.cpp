#include "core/diagram/flow.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/cost/terms.h"
#include "core/program/functions.h"
#include "core/support/cases.h"
#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

// How an operand reads an array: operand axis i is array axis order[i].
struct View {
    int array = -1;
    std::vector<int> order;
};

class FlowBuilder {
public:
    explicit FlowBuilder(const ArrayProgram& program) : program_(program) {}

    Flow run() {
        for (const Dim& dim : program_.dims) flow_.axes.push_back({.name = dim.name, .size = dim.size});
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
        switch (form_of(what.kind)) {
            case ArrayForm::Spread:
                if (rank == 2) return same;
                return {what.vector_axis == VectorAxis::Rows ? batch : batch + 1};
            case ArrayForm::Product:
                if (n == 0) return {batch, -1};
                return {-1, batch + 1};
            case ArrayForm::Rotate:
            case ArrayForm::KeepRows:
            case ArrayForm::FoldRows:
                return rank == 2 ? std::vector<int>{batch, -1} : std::vector<int>{-1};
            case ArrayForm::Outer:
                return {batch + static_cast<int>(n)};
            default:
                return same;
        }
    }

    Operator operator_of(const ArrayOp& what) const {
        if (const ExprPtr expr = expression(what)) {
            const auto [vector, special] = expression_work(*expr);
            return {OperatorKind::Elementwise, expression_label(*expr, program_.dims), vector, special};
        }
        if (what.kind == ArrayOpKind::Cast) return {OperatorKind::Cast, to_string(what.elem)};
        if (what.kind == ArrayOpKind::Custom) return {OperatorKind::Custom, what.custom_name};
        const OperatorKind kind = kind_of(what.kind);
        if (kind == OperatorKind::Rotate) return {kind, describe(what.kind), kRopeOperations, 0};
        return {kind, kind == OperatorKind::Custom ? describe(what.kind) : diagram_operator(kind).label};
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
        made.apply.op = operator_of(what);
        made.apply.origin.op = i;
        made.expr = expression(what);
        if (made.apply.op.kind == OperatorKind::Custom) return custom(i, std::move(made));
        std::vector<AxisId> axes = axes_of(what.shape);
        Segment output;
        output.elem = what.elem;
        output.name = what.name;
        for (std::size_t a = 0; a < axes.size(); ++a) output.slots.push_back({false, static_cast<int>(a)});
        made.apply.weave = axes;
        if (form_of(what.kind) == ArrayForm::KeepRows || form_of(what.kind) == ArrayForm::Rotate) {
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
        switch (form_of(what.kind)) {
            case ArrayForm::Product:
            case ArrayForm::FoldRows:
                return AxisId{op(what.operands[0]).shape.axes.back().value};
            case ArrayForm::OverBatch:
                return AxisId{what.dim.value};
            default:
                return std::nullopt;
        }
    }

    // Opaque: all axes are its own. It reads arrays in the order that the program gives them.
    void custom(int i, FlowOp made) {
        const ArrayOp& what = op(i);
        const auto segment_of = [&](const std::vector<AxisId>& axes, ElemType elem, const std::string& name) {
            Segment segment{.slots = {}, .elem = elem, .level = 0, .cached = false, .name = name};
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
        Segment input{.slots = {}, .elem = from.elem, .level = 0, .cached = false, .name = ""};
        Segment output{.slots = {}, .elem = from.elem, .level = 0, .cached = false, .name = op(i).name};
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

namespace {

const FlowArray& array_at(const Flow& flow, int array) {
    return flow.arrays.at(static_cast<std::size_t>(array));
}

}  // namespace

int add_array(Flow& flow, const std::string& name, std::vector<AxisId> axes, ElemType elem) {
    flow.arrays.push_back({name, {std::move(axes), elem, 0, false}});
    return static_cast<int>(flow.arrays.size()) - 1;
}

Segment whole_segment(const Flow& flow, int array) {
    const FlowArray& whole = array_at(flow, array);
    Segment segment{.slots = {}, .elem = whole.type.elem, .level = 0, .cached = false, .name = whole.name};
    for (std::size_t i = 0; i < whole.type.axes.size(); ++i)
        segment.slots.push_back({false, static_cast<int>(i)});
    return segment;
}

Segment segment_within(const Flow& flow, int array, const std::vector<AxisId>& axes) {
    const FlowArray& part = array_at(flow, array);
    Segment segment{.slots = {}, .elem = part.type.elem, .level = 0, .cached = false, .name = part.name};
    for (const AxisId axis : part.type.axes)
        segment.slots.push_back(
            {false, static_cast<int>(std::find(axes.begin(), axes.end(), axis) - axes.begin())});
    return segment;
}

Segment weaved_segment(Segment segment, const Apply& normalisation) {
    for (Slot& slot : segment.slots)
        if (slot.own) slot = {false, static_cast<int>(normalisation.weave.size())};
    return segment;
}

// A diagram back to the list of its operators.

namespace {

struct NoFlow {
    Text what;
};

class Reading {
public:
    explicit Reading(const Circuit& circuit) : circuit_(circuit) { flow_.axes = circuit.axes; }

    Flow run() {
        std::vector<int> inputs;
        for (std::size_t i = 0; i < circuit_.root->domain.size(); ++i)
            inputs.push_back(array(circuit_.root->domain[i], circuit_.inputs.at(i)));
        flow_.inputs = inputs;
        flow_.outputs = walk(*circuit_.root, inputs);
        flow_.output_names = circuit_.outputs;
        for (std::size_t i = 0; i < flow_.outputs.size(); ++i) {
            std::string& name = flow_.arrays.at(static_cast<std::size_t>(flow_.outputs[i])).name;
            if (name.empty()) name = circuit_.outputs.at(i);
        }
        return std::move(flow_);
    }

private:
    AxisId whole(AxisId id) const {
        while (const std::optional<AxisId> next = axis_of(circuit_.axes, id).whole) id = *next;
        return id;
    }

    int array(ArrayType type, const std::string& name) {
        for (AxisId& axis : type.axes) axis = whole(axis);
        type.level = 0;
        type.cached = false;
        flow_.arrays.push_back({name, std::move(type)});
        return static_cast<int>(flow_.arrays.size()) - 1;
    }

    std::vector<int> walk(const Term& term, std::vector<int> in) {
        return std::visit(Cases{[&](const Apply& what) { return apply(what, term, in); },
                                [&](const Rearrange& what) {
                                    std::vector<int> out;
                                    for (const int i : what.take)
                                        out.push_back(in.at(static_cast<std::size_t>(i)));
                                    return out;
                                },
                                [&](const Compose& what) {
                                    for (const TermPtr& part : what.parts) in = walk(*part, in);
                                    return in;
                                },
                                [&](const Product& what) { return product(what, in); },
                                [&](const Block& what) { return walk(*what.body, in); },
                                [&](const Partition& what) { return partition(what, in); }},
                          term.what);
    }

    std::vector<int> product(const Product& what, const std::vector<int>& in) {
        std::vector<int> out;
        auto next = in.begin();
        for (const TermPtr& part : what.parts) {
            const auto end = next + static_cast<std::ptrdiff_t>(part->domain.size());
            const std::vector<int> made = walk(*part, {next, end});
            out.insert(out.end(), made.begin(), made.end());
            next = end;
        }
        return out;
    }

    std::vector<int> partition(const Partition& what, const std::vector<int>& in) {
        const auto dropped = [](const Cut& cut) { return cut.dropped; };
        const std::string axis = axis_of(circuit_.axes, what.whole).name;
        if (std::any_of(what.split.begin(), what.split.end(), dropped) ||
            std::any_of(what.join.begin(), what.join.end(), dropped))
            throw NoFlow{Text("parts of %1 that arrays number instead of having the axis", axis)};
        if (std::any_of(what.carry.begin(), what.carry.end(), [](int input) { return input >= 0; }))
            throw NoFlow{Text("a stream of %1 that goes on from a first value", axis)};
        return walk(*what.body, in);
    }

    std::vector<int> apply(const Apply& what, const Term& term, const std::vector<int>& in) {
        if (what.op.kind == OperatorKind::Transfer) return in;
        if (what.op.kind == OperatorKind::Reindex && !what.own.empty())
            throw NoFlow{Text("the slice or join %1", what.op.label)};
        FlowOp made;
        made.apply = what;
        for (std::vector<AxisId>* axes : {&made.apply.own, &made.apply.weave})
            for (AxisId& axis : *axes) axis = whole(axis);
        for (std::vector<Segment>* segments : {&made.apply.inputs, &made.apply.outputs})
            for (Segment& segment : *segments) segment.level = 0;
        made.inputs = in;
        for (std::size_t i = 0; i < term.codomain.size(); ++i)
            made.outputs.push_back(array(term.codomain[i], what.outputs.at(i).name));
        made.expr = expression(what.op);
        flow_.ops.push_back(std::move(made));
        return flow_.ops.back().outputs;
    }

    // Of the labels that expression_label makes, those of operators that are linear in an argument.
    static ExprPtr expression(const Operator& op) {
        if (op.kind != OperatorKind::Elementwise) return nullptr;
        if (op.label == "+") return call(Fn::Add, arg(0), arg(1));
        if (op.label == "×") return call(Fn::Mul, arg(0), arg(1));
        if (op.label.rfind("* ", 0) == 0) return call(Fn::Mul, arg(0), number(1));
        return nullptr;
    }

    const Circuit& circuit_;
    Flow flow_;
};

}  // namespace

Result<Flow> flow_of(const Circuit& circuit) {
    try {
        Flow flow = Reading(circuit).run();
        flow.groups = named_groups(flow);
        return flow;
    } catch (const NoFlow& part) {
        return Problem{{}, Text("found %1; expected operators on whole axes", part.what)};
    }
}

// Labels and work of elementwise operators.

namespace {

// What Arg 0 of `pattern` stands for in `expr`, if the two are otherwise the same.
bool bind(const Expr& pattern, const ExprPtr& expr, ExprPtr& bound) {
    if (std::holds_alternative<Arg>(pattern.value)) {
        if (bound) return equal(*bound, *expr);
        bound = expr;
        return true;
    }
    const Call* wanted = std::get_if<Call>(&pattern.value);
    const Call* found = std::get_if<Call>(&expr->value);
    if (!wanted || !found) return !wanted && !found && equal(pattern, *expr);
    if (wanted->fn != found->fn) return false;
    for (std::size_t i = 0; i < wanted->args.size(); ++i)
        if (!bind(*wanted->args[i], found->args[i], bound)) return false;
    return true;
}

struct Named {
    std::string_view function;
    ExprPtr argument;
};

// The function of the language that this expression is, the one with the largest body first.
std::optional<Named> named(const ExprPtr& expr) {
    std::optional<Named> best;
    int most = 1;
    for (const ElementwiseFunction& function : elementwise_functions()) {
        if (function.operands != 1 || function.alias) continue;
        std::vector<ExprPtr> args = {arg(0)};
        if (!function.parameter.empty()) args.push_back(number(function.parameter_default));
        const ExprPtr pattern = function.build(args);
        ExprPtr bound;
        const int size = tree_size(*pattern, 1000);
        if (size > most && bind(*pattern, expr, bound) && bound) {
            best = Named{function.name, bound};
            most = size;
        }
    }
    return best;
}

// Expression text with functions of the language recognised, as long as that leaves out something.
class Labels {
public:
    explicit Labels(const DimTable& dims) : dims_(dims) {}

    // `around`: the operation that it is an operand of, if it is one; the left one or the right one.
    std::string text(const ExprPtr& expr, std::optional<Fn> around = {}, bool left = false) const {
        if (const std::optional<Named> function = named(expr)) {
            // Of a size as the language has it, and as the diagram of the array program says it.
            if (function->function == "rsqrt" && std::holds_alternative<SizeOf>(function->argument->value))
                return text(function->argument) + "^-0.5";
            const Call* root = std::get_if<Call>(&function->argument->value);
            if (function->function == "reciprocal" && root && root->fn == Fn::Sqrt)
                return "rsqrt(" + text(root->args[0]) + ")";
            return std::string(function->function) + "(" + text(function->argument) + ")";
        }
        const Call* call = std::get_if<Call>(&expr->value);
        if (!call || call->args.size() != 2 || primitive(call->fn).form == FnForm::Function)
            return plain(*expr);
        const std::string joined =
            text(call->args[0], call->fn, true) + sign(call->fn) + text(call->args[1], call->fn);
        return around && !stands_alone(call->fn, *around, left) ? "(" + joined + ")" : joined;
    }

    std::string plain(const Expr& expr) const {
        static const std::vector<std::string> names = {"x", "y", "z", "u", "v", "w"};
        std::vector<std::string> args;
        for (int i = 0; i < argument_count(expr); ++i)
            args.push_back(i < 6 ? names[static_cast<std::size_t>(i)] : "x" + std::to_string(i));
        return expr_text(expr, args, dims_);
    }

private:
    static bool is_sum(Fn fn) { return fn == Fn::Add || fn == Fn::Sub; }

    // Without brackets: what binds stronger, and what is done first anyway.
    static bool stands_alone(Fn inside, Fn around, bool left) {
        if (inside == Fn::Pow || around == Fn::Pow) return inside == Fn::Pow;
        return is_sum(around) && !is_sum(inside) ? true : left && is_sum(around) == is_sum(inside);
    }

    static const char* sign(Fn fn) {
        switch (fn) {
            case Fn::Add:
                return " + ";
            case Fn::Sub:
                return " - ";
            case Fn::Mul:
                return " * ";
            case Fn::Div:
                return " / ";
            default:
                return "^";
        }
    }

    const DimTable& dims_;
};

}  // namespace

std::string expression_label(const Expr& expr, const DimTable& dims) {
    const Labels labels(dims);
    const ExprPtr whole = std::make_shared<const Expr>(expr);
    if (const Call* call = std::get_if<Call>(&expr.value); call && call->args.size() == 2) {
        const bool first = std::holds_alternative<Arg>(call->args[0]->value);
        const bool second = std::holds_alternative<Arg>(call->args[1]->value);
        if (first && argument_count(*call->args[1]) == 0 && call->fn == Fn::Mul)
            return "* " + labels.plain(*call->args[1]);
        if (first && second && call->fn == Fn::Add) return "+";
        if (first && second && call->fn == Fn::Mul) return "×";
    }
    if (const std::optional<Named> function = named(whole))
        if (std::holds_alternative<Arg>(function->argument->value)) return std::string(function->function);
    return labels.text(whole);
}

std::pair<double, double> expression_work(const Expr& expr) {
    const ElementOperations each = element_operations(expr);
    return {each.vector, each.special};
}

}  // namespace blockscope::circuit
