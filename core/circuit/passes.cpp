#include "core/circuit/passes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/circuit/flow_parts.h"

namespace blockscope::circuit {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

bool contains(const std::vector<int>& numbers, int number) {
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
            if (contains(flow.inputs, array) && std::find(axes.begin(), axes.end(), axis) != axes.end())
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
        if (norm && op.apply.own.at(0) == axis && contains(flow.inputs, op.inputs.at(0)))
            TwoPasses(made, op).run();
        else
            made.ops.push_back(op);
    }
    return made;
}

}  // namespace blockscope::circuit
