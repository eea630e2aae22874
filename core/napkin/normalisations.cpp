#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/diagram/flow.h"
#include "core/napkin/correspond.h"
#include "core/support/index.h"

namespace blockscope::circuit {

namespace {

bool contains_number(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// One normalisation as operators of two passes.
class TwoPasses {
public:
    TwoPasses(Flow& flow, const FlowOp& norm) : flow_(flow), norm_(norm) {}

    void run() {
        const bool layer = norm_.apply.op.kind == OperatorKind::LayerNorm;
        const int sum = layer ? sum_of(norm_.inputs[0], norm_.apply.inputs[0]) : -1;
        const int squares = all_values();
        values({"²", 1, 0}, call(Fn::Mul, arg(0), arg(0)), {read(norm_.inputs[0])}, squares);
        std::vector<int> sums = {sum_of(squares, norm_.apply.outputs[0])};
        std::vector<Stage> stages;
        if (layer) {
            const int mean = per_row({"−μ", 1, 0}, {sum});
            sums.push_back(mean);
            stages.push_back({Fn::Add, row(mean)});
        }
        stages.push_back({Fn::Mul, row(per_row({layer ? "1/σ" : "1/√", 2, 1}, sums))});
        for (std::size_t i = 1; i < norm_.inputs.size(); ++i)
            stages.push_back({i == 1 ? Fn::Mul : Fn::Add, operand(i)});
        second_pass(read(norm_.inputs[0]), stages);
    }

    void run_stored(const std::string& name) {
        const int exponentials = all_values(name);
        values({"exp", 0, 1}, call(Fn::Exp, arg(0)), {read(norm_.inputs[0])}, exponentials);
        const int sum = sum_of(exponentials, norm_.apply.outputs[0]);
        const int scale = per_row({"1/", 1, 0}, {sum});
        const int loaded = all_values(name);
        flow_.stored.push_back(exponentials);
        flow_.outputs.push_back(exponentials);
        flow_.output_names.push_back(name);
        flow_.inputs.push_back(loaded);
        second_pass(made(loaded), {{Fn::Mul, row(scale)}});
    }

private:
    struct Label {
        std::string text;
        double vector = 0, special = 0;
    };
    using Operand = std::pair<int, Segment>;
    // What is done with the values and one thing more.
    struct Stage {
        Fn fn;
        Operand other;
    };

    // The values as they come; an array with the result's axes; a number per row; weight and bias.
    Operand read(int array) const { return {array, weaved_segment(norm_.apply.inputs[0], norm_.apply)}; }
    Operand made(int array) const { return {array, weaved_segment(norm_.apply.outputs[0], norm_.apply)}; }
    Operand row(int array) const { return {array, whole_segment(flow_, array)}; }
    Operand operand(std::size_t i) const {
        return {norm_.inputs[i], weaved_segment(norm_.apply.inputs[i], norm_.apply)};
    }

    int all_values(const std::string& name = "") {
        const ArrayType type = flow_.arrays.at(at(norm_.outputs[0])).type;
        return add_array(flow_, name, type.axes, type.elem);
    }

    FlowOp operation(const Label& label, ExprPtr expr, const std::vector<Operand>& operands) const {
        FlowOp op;
        op.apply.op = {OperatorKind::Elementwise, label.text, label.vector, label.special};
        op.apply.weave = norm_.apply.weave;
        op.apply.origin = norm_.apply.origin;
        op.expr = std::move(expr);
        for (const auto& [array, segment] : operands) {
            op.inputs.push_back(array);
            op.apply.inputs.push_back(segment);
        }
        return op;
    }

    void values(const Label& label, ExprPtr expr, const std::vector<Operand>& operands, int to) {
        FlowOp op = operation(label, std::move(expr), operands);
        op.apply.weave.push_back(norm_.apply.own.at(0));
        op.apply.outputs = {made(to).second};
        op.outputs = {to};
        flow_.ops.push_back(std::move(op));
    }

    void second_pass(Operand now, const std::vector<Stage>& stages) {
        for (const Stage& stage : stages) {
            const int to = &stage == &stages.back() ? norm_.outputs[0] : all_values();
            values({stage.fn == Fn::Add ? "+" : "×", 1, 0}, call(stage.fn, arg(0), arg(1)),
                   {now, stage.other}, to);
            now = made(to);
        }
    }

    int per_row(const Label& label, const std::vector<int>& rows) {
        std::vector<Operand> operands;
        for (const int array : rows) operands.push_back(row(array));
        const int to = add_array(flow_, "", norm_.apply.weave, elem());
        FlowOp op = operation(label, nullptr, operands);
        op.apply.outputs = {whole_segment(flow_, to)};
        op.outputs = {to};
        flow_.ops.push_back(std::move(op));
        return to;
    }

    int sum_of(int array, const Segment& segment) {
        const int to = add_array(flow_, "", norm_.apply.weave, elem());
        FlowOp op = operation({"Σ", 0, 0}, nullptr, {{array, segment}});
        op.apply.op = {OperatorKind::Sum, "Σ"};
        op.apply.own = norm_.apply.own;
        op.apply.outputs = {whole_segment(flow_, to)};
        op.outputs = {to};
        flow_.ops.push_back(std::move(op));
        return to;
    }

    ElemType elem() const { return flow_.arrays.at(at(norm_.outputs[0])).type.elem; }

    Flow& flow_;
    const FlowOp& norm_;
};

}  // namespace

std::vector<InputUse> input_uses(const Flow& flow, AxisId axis) {
    std::vector<InputUse> uses;
    for (int i = 0; i < static_cast<int>(flow.ops.size()); ++i)
        for (std::size_t n = 0; n < flow.ops[at(i)].inputs.size(); ++n) {
            const int array = flow.ops[at(i)].inputs[n];
            const std::vector<AxisId>& axes = flow.arrays.at(at(array)).type.axes;
            if (contains_number(flow.inputs, array) &&
                std::find(axes.begin(), axes.end(), axis) != axes.end())
                uses.push_back({i, n});
        }
    return uses;
}

Flow with_copies(const Flow& flow, const std::vector<InputUse>& uses, const std::vector<int>& copies) {
    Flow made = flow;
    std::map<int, std::map<int, int>> known;  // by input and number: the copy; the first is the input itself
    for (std::size_t u = 0; u < uses.size(); ++u) {
        int& input = made.ops.at(at(uses[u].op)).inputs.at(uses[u].input);
        std::map<int, int>& of_input = known[input];
        const bool first = of_input.empty();
        const auto [copy, fresh] = of_input.try_emplace(copies[u], input);
        if (fresh && !first) {
            const FlowArray of = made.arrays.at(at(input));
            copy->second = add_array(made, of.name, of.type.axes, of.type.elem);
            made.inputs.push_back(copy->second);
        }
        input = copy->second;
    }
    return made;
}

Flow with_stored_exponentials(const Flow& flow) {
    Flow made = flow;
    made.ops.clear();
    made.groups.clear();
    for (const FlowOp& op : flow.ops) {
        if (op.apply.op.kind == OperatorKind::Softmax)
            TwoPasses(made, op).run_stored("I" + std::to_string(made.stored.size() + 1));
        else
            made.ops.push_back(op);
    }
    return made;
}

Flow in_two_passes(const Flow& flow, AxisId axis) {
    Flow made = flow;
    made.ops.clear();
    made.groups.clear();
    for (const FlowOp& op : flow.ops) {
        const OperatorKind kind = op.apply.op.kind;
        const bool norm = kind == OperatorKind::RmsNorm || kind == OperatorKind::LayerNorm;
        if (norm && op.apply.own.at(0) == axis && contains_number(flow.inputs, op.inputs.at(0)))
            TwoPasses(made, op).run();
        else
            made.ops.push_back(op);
    }
    return made;
}

namespace {

class Accumulation {
public:
    Accumulation(const Flow& flow, const std::vector<AxisId>& streamed) : made_(flow) {
        const std::vector<AxisVerdict> verdicts = axis_verdicts(flow);
        for (const AxisVerdict& verdict : verdicts)
            if (verdict.stream && std::count(streamed.begin(), streamed.end(), verdict.axis) > 0)
                axes_.insert(verdict.axis);
    }

    Flow run() {
        const std::vector<FlowOp> ops = masks_late(std::move(made_.ops));
        made_.ops.clear();
        made_.groups.clear();
        for (std::size_t i = 0; i < ops.size(); ++i) {
            FlowOp op = ops[i];
            for (int& input : op.inputs)
                if (const auto found = instead_.find(input); found != instead_.end()) input = found->second;
            const std::optional<std::set<int>> tails = tails_of(ops, static_cast<int>(i));
            if (!tails) {
                add(std::move(op), static_cast<int>(i));
                continue;
            }
            const std::vector<int> sums =
                op.apply.op.kind == OperatorKind::Softmax ? softmax(op) : root_norm(op);
            for (const int tail : *tails) scales_[tail].push_back({sums, op.apply.op.kind, op.outputs[0]});
        }
        return std::move(made_);
    }

private:
    struct Scale {
        std::vector<int> sums;  // arrays: layernorm has that of the squares, then that of the values
        OperatorKind kind = OperatorKind::Softmax;
        int normalised = 0;  // array of the flow
    };

    // Every operator without inputs stands before the first that takes what it makes.
    static std::vector<FlowOp> masks_late(std::vector<FlowOp> ops) {
        for (std::size_t i = ops.size(); i-- > 0;) {
            if (!ops[i].inputs.empty()) continue;
            std::size_t user = i + 1;
            const auto takes = [&](const FlowOp& op) {
                return std::find(op.inputs.begin(), op.inputs.end(), ops[i].outputs[0]) != op.inputs.end();
            };
            while (user < ops.size() && !takes(ops[user])) ++user;
            std::rotate(ops.begin() + static_cast<std::ptrdiff_t>(i),
                        ops.begin() + static_cast<std::ptrdiff_t>(i + 1),
                        ops.begin() + static_cast<std::ptrdiff_t>(user));
        }
        return ops;
    }

    const ArrayType& type(int array) const { return made_.arrays.at(at(array)).type; }

    int new_array(const std::string& name, std::vector<AxisId> axes, ElemType elem) {
        return add_array(made_, name, std::move(axes), elem);
    }

    // The contractions that a normalisation's values end in; none if it stays as it is.
    std::optional<std::set<int>> tails_of(const std::vector<FlowOp>& ops, int norm) const {
        const Apply& apply = ops[at(norm)].apply;
        const bool layer = apply.op.kind == OperatorKind::LayerNorm;
        const bool rms = apply.op.kind == OperatorKind::RmsNorm || layer;
        if ((apply.op.kind != OperatorKind::Softmax && !rms) || axes_.count(apply.own.at(0)) == 0)
            return std::nullopt;
        if (layer && apply.inputs.size() > 1) return std::nullopt;
        if (rms && apply.inputs[0].slots != apply.outputs[0].slots) return std::nullopt;
        std::set<int> reached = {ops[at(norm)].outputs[0]};
        std::set<int> tails;
        for (int i = norm + 1; i < static_cast<int>(ops.size()); ++i) {
            const FlowOp& op = ops[at(i)];
            const auto hits = std::count_if(op.inputs.begin(), op.inputs.end(),
                                            [&](int input) { return reached.count(input) > 0; });
            if (hits == 0) continue;
            if (op.apply.op.kind != OperatorKind::Contraction) {
                if (layer) return std::nullopt;  // its shift would have to pass through
                reached.insert(op.outputs[0]);
                continue;
            }
            if (hits > 1 || !has_rows(type(op.outputs[0]).axes, apply.weave)) return std::nullopt;
            tails.insert(i);
        }
        return tails;
    }

    static bool has_rows(const std::vector<AxisId>& axes, const std::vector<AxisId>& rows) {
        return std::all_of(rows.begin(), rows.end(), [&](AxisId row) {
            return std::find(axes.begin(), axes.end(), row) != axes.end();
        });
    }

    // What the sum scales: its result is an array of its own, which the division takes.
    void add(FlowOp op, int number) {
        const auto scales = scales_.find(number);
        if (scales == scales_.end()) return made_.ops.push_back(std::move(op));
        const int result = op.outputs[0];
        int now = new_array("", type(result).axes, type(result).elem);
        op.outputs[0] = now;
        // What a shift adds to each result: the sums of the other operand.
        for (Scale& scale : scales->second)
            if (scale.kind == OperatorKind::LayerNorm) scale.sums.push_back(sum_beside(op, scale.normalised));
        made_.ops.push_back(std::move(op));
        for (std::size_t i = 0; i < scales->second.size(); ++i) {
            const bool last = i + 1 == scales->second.size();
            const int to = last ? result : new_array("", type(result).axes, type(result).elem);
            divide(now, scales->second[i], to);
            now = to;
        }
    }

    // The tail: softmax divides by its sum, rmsnorm by a root, layernorm shifts before.
    void divide(int array, const Scale& scale, int to) {
        FlowOp made;
        const bool shifts = scale.kind == OperatorKind::LayerNorm;
        const bool root = shifts || scale.kind == OperatorKind::RmsNorm;
        made.apply.op = {OperatorKind::Elementwise,
                         shifts ? "− μ, /σ"
                         : root ? "/√"
                                : "/",
                         shifts ? 5.0 : 1.0, root ? 1.0 : 0.0};
        made.apply.weave = type(array).axes;
        made.apply.inputs = {whole_segment(made_, array)};
        made.inputs = {array};
        for (const int sum : scale.sums) {
            made.apply.inputs.push_back(segment_within(made_, sum, made.apply.weave));
            made.inputs.push_back(sum);
        }
        made.apply.outputs = {whole_segment(made_, to)};
        made.outputs = {to};
        const ExprPtr below = root ? call(Fn::Sqrt, arg(1)) : arg(1);
        const ExprPtr above = shifts ? call(Fn::Sub, arg(0), call(Fn::Mul, arg(2), arg(3))) : arg(0);
        made.expr = call(Fn::Div, above, below);
        made_.ops.push_back(std::move(made));
    }

    // Of a contraction with `normalised`: the sums of what it is contracted with, along the same axis.
    int sum_beside(const FlowOp& contraction, int normalised) {
        const auto found = instead_.find(normalised);
        const int values = found == instead_.end() ? normalised : found->second;
        const std::size_t other = contraction.inputs.at(0) == values ? 1 : 0;
        FlowOp made;
        made.apply.op = {OperatorKind::Sum, "Σ"};
        made.apply.own = contraction.apply.own;
        made.apply.origin = contraction.apply.origin;
        Segment input = contraction.apply.inputs.at(other);
        for (Slot& slot : input.slots) {
            if (slot.own) continue;
            made.apply.weave.push_back(contraction.apply.weave.at(at(slot.index)));
            slot.index = static_cast<int>(made.apply.weave.size()) - 1;
        }
        const int to = new_array("", made.apply.weave, type(contraction.inputs[other]).elem);
        made.apply.inputs = {std::move(input)};
        made.apply.outputs = {whole_segment(made_, to)};
        made.inputs = {contraction.inputs[other]};
        made.outputs = {to};
        made_.ops.push_back(std::move(made));
        return to;
    }

    FlowOp elementwise(const FlowOp& norm, Operator what, ExprPtr expr, std::size_t inputs, int to) const {
        FlowOp made;
        made.apply.op = std::move(what);
        made.apply.weave = norm.apply.weave;
        made.apply.weave.push_back(norm.apply.own[0]);
        made.apply.origin = norm.apply.origin;
        for (std::size_t i = 0; i < inputs; ++i) {
            made.apply.inputs.push_back(weaved_segment(norm.apply.inputs[i], norm.apply));
            made.inputs.push_back(norm.inputs[i]);
        }
        made.apply.outputs = {weaved_segment(norm.apply.outputs[0], norm.apply)};
        made.apply.outputs[0].name = made_.arrays.at(at(to)).name;
        made.outputs = {to};
        made.expr = std::move(expr);
        return made;
    }

    int sum_of(const FlowOp& norm, int values) {
        FlowOp made;
        made.apply.op = {OperatorKind::Sum, "Σ"};
        made.apply.own = norm.apply.own;
        made.apply.weave = norm.apply.weave;
        made.apply.origin = norm.apply.origin;
        made.apply.inputs = {norm.apply.outputs[0]};
        const int to = new_array("z", norm.apply.weave, type(values).elem);
        made.apply.outputs = {whole_segment(made_, to)};
        made.inputs = {values};
        made.outputs = {to};
        made_.ops.push_back(std::move(made));
        return to;
    }

    std::vector<int> softmax(const FlowOp& norm) {
        const int values = norm.outputs[0];
        made_.ops.push_back(
            elementwise(norm, {OperatorKind::Elementwise, "exp", 0, 1}, call(Fn::Exp, arg(0)), 1, values));
        return {sum_of(norm, values)};
    }

    // rmsnorm and layernorm: the values as they come, with their sums of squares, and of themselves.
    std::vector<int> root_norm(const FlowOp& norm) {
        const int squares = new_array("", type(norm.outputs[0]).axes, type(norm.outputs[0]).elem);
        made_.ops.push_back(elementwise(norm, {OperatorKind::Elementwise, "²", 1, 0},
                                        call(Fn::Mul, arg(0), arg(0)), 1, squares));
        std::vector<int> sums = {sum_of(norm, squares)};
        if (norm.apply.op.kind == OperatorKind::LayerNorm) sums.push_back(sum_of(norm, norm.inputs[0]));
        if (norm.inputs.size() > 1)
            made_.ops.push_back(elementwise(norm, {OperatorKind::Elementwise, "×", 1, 0},
                                            call(Fn::Mul, arg(0), arg(1)), 2, norm.outputs[0]));
        else
            instead_[norm.outputs[0]] = norm.inputs[0];
        return sums;
    }

    Flow made_;
    std::set<AxisId> axes_;                     // streamed
    std::map<int, int> instead_;                // by array: what is taken in its place
    std::map<int, std::vector<Scale>> scales_;  // by operator of the flow: what its result is divided by
};

}  // namespace

Flow with_accumulators(const Flow& flow, const std::vector<AxisId>& streamed) {
    return Accumulation(flow, streamed).run();
}

}  // namespace blockscope::circuit
