#include "core/diagram/flow.h"

#include <algorithm>
#include <set>

#include "core/diagram/term.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

// Whether the value is linear in argument `index`: f(c·x) = c·f(x).
bool linear_in(const Expr& expr, int index);

bool mentions(const Expr& expr, int index) {
    if (const Arg* arg = std::get_if<Arg>(&expr.value)) return arg->index == index;
    const Call* call = std::get_if<Call>(&expr.value);
    return call && std::any_of(call->args.begin(), call->args.end(),
                               [&](const ExprPtr& part) { return mentions(*part, index); });
}

bool linear_call(const Call& call, int index) {
    const auto linear = [&](std::size_t i) { return linear_in(*call.args[i], index); };
    const auto free = [&](std::size_t i) { return !mentions(*call.args[i], index); };
    switch (call.fn) {
        case Fn::Neg:
            return linear(0);
        case Fn::Add:
        case Fn::Sub:
            return linear(0) && linear(1);
        case Fn::Mul:
            return (linear(0) && free(1)) || (free(0) && linear(1));
        case Fn::Div:
            return linear(0) && free(1);
        default:
            return false;
    }
}

bool linear_in(const Expr& expr, int index) {
    if (const Arg* arg = std::get_if<Arg>(&expr.value)) return arg->index == index;
    const Call* call = std::get_if<Call>(&expr.value);
    return call && linear_call(*call, index);
}

// "the contraction", "the elementwise exp"; at the beginning of a sentence with a capital letter.
Text operator_text(const Operator& op, bool begins) {
    if (const auto& noun = diagram_operator(op.kind).noun) return Text(begins ? noun->begins : noun->within);
    if (op.kind == OperatorKind::Elementwise)
        return begins ? Text("The elementwise %1", op.label) : Text("the elementwise %1", op.label);
    return begins ? Text("The operator %1", op.label) : Text("the operator %1", op.label);
}

class Judge {
public:
    Judge(const Flow& flow, AxisId axis) : flow_(flow) { verdict_.axis = axis; }

    AxisVerdict run() {
        group();
        stream();
        return std::move(verdict_);
    }

private:
    const FlowOp& op(int i) const { return flow_.ops.at(at(i)); }
    const DiagramOperator& row(int i) const { return diagram_operator(op(i).apply.op.kind); }
    int count() const { return static_cast<int>(flow_.ops.size()); }
    const ArrayType& type(int array) const { return flow_.arrays[at(array)].type; }
    const std::string& axis() const { return axis_of(flow_.axes, verdict_.axis).name; }
    bool is_stored(int array) const {
        return std::find(flow_.stored.begin(), flow_.stored.end(), array) != flow_.stored.end();
    }
    bool owns(int i) const { return has(op(i).apply.own, verdict_.axis); }
    bool touches(int i) const { return owns(i) || has(op(i).apply.weave, verdict_.axis); }

    // The operator as a sentence names it, or begins with it.
    Text name(int i, bool begins = false) const {
        const FlowOp& what = op(i);
        const Text called = operator_text(what.apply.op, begins);
        const std::string& made = flow_.arrays[at(what.outputs.at(0))].name;
        return made.empty() ? called : Text("%1 that makes %2", called, made);
    }

    // ---- groups ----

    void refuse_group(Text sentence, int i) {
        verdict_.group_reasons = {{Text("Section 2.3"), std::move(sentence), i}};
    }

    void group() {
        bool in_output = false;
        for (const int output : flow_.outputs) in_output = in_output || has(type(output).axes, verdict_.axis);
        for (std::size_t i = 0; i < flow_.arrays.size(); ++i) {
            const auto& axes = flow_.arrays[i].type.axes;
            if (std::count(axes.begin(), axes.end(), verdict_.axis) > 1)
                return refuse_group(Text("Two axes of %1 are %2: each part would need all the others.",
                                         flow_.arrays[i].name, axis()),
                                    -1);
        }
        for (int i = 0; i < count(); ++i)
            if (owns(i)) return refuse_group(Text("%1 acts along %2.", name(i, true), axis()), i);
        for (const int output : flow_.outputs)
            if (!has(type(output).axes, verdict_.axis) && !is_stored(output))
                return refuse_group(
                    Text("The output %1 does not have %2, so that the groups' results could not be joined.",
                         flow_.arrays[at(output)].name, axis()),
                    -1);
        if (!in_output) return refuse_group(Text("No output has %1.", axis()), -1);
        verdict_.group = true;
        verdict_.group_reasons = {
            {Text("Section 2.3"),
             Text("Every operator that has %1 is weaved over it: its parts are computed apart and joined.",
                  axis()),
             -1}};
    }

    // ---- streams ----

    void refuse(const Text& theorem, Text sentence, int i) {
        verdict_.stream = false;
        verdict_.accumulators.clear();
        verdict_.auxiliary = 0;
        verdict_.stream_reasons = {{theorem, std::move(sentence), i}};
    }

    void reason(const Text& theorem, Text sentence, int i) {
        verdict_.stream_reasons.push_back({theorem, std::move(sentence), i});
    }

    void stream() {
        for (const int output : flow_.outputs)
            if (has(type(output).axes, verdict_.axis) && !is_stored(output)) return growing(output);
        if (std::none_of(flow_.inputs.begin(), flow_.inputs.end(),
                         [&](int input) { return has(type(input).axes, verdict_.axis); }))
            return refuse(Text("Section 2.4"), Text("%1 does not come in by a transfer.", axis()), -1);
        for (std::size_t i = 0; i < flow_.arrays.size(); ++i) {
            const auto& axes = flow_.arrays[i].type.axes;
            if (std::count(axes.begin(), axes.end(), verdict_.axis) > 1)
                return refuse(Text("Section 2.4"),
                              Text("Two axes of %1 are %2.", flow_.arrays[i].name, axis()), -1);
        }
        verdict_.stream = true;
        for (int i = 0; i < count() && verdict_.stream; ++i)
            if (owns(i)) acts_along(i);
        if (!verdict_.stream) return;
        if (verdict_.accumulators.empty())
            return refuse(Text("Section 2.4"), Text("No operator accumulates along %1.", axis()), -1);
        independent();
        if (verdict_.stream) steps();
    }

    // Appendix A.3.2: auxiliary softmax "is not streamable as the memory usage increases with the input
    // size", but can be fused with a contraction.
    void growing(int output) {
        const std::string& array = flow_.arrays[at(output)].name;
        for (int i = 0; i < count(); ++i) {
            if (!owns(i) || !row(i).normalises) continue;
            return refuse(
                Text(row(i).theorem),
                Text(
                    "%1 is known only after all of %2, and the output %3 has %2: what an accumulator "
                    "maintains would grow with it. Followed by a contraction along %2, it could be streamed.",
                    name(i, true), axis(), array),
                i);
        }
        refuse(Text("Section 2.4"),
               Text("The output %1 has %2: what an accumulator maintains would grow with it.", array, axis()),
               -1);
    }

    void acts_along(int i) {
        if (row(i).accumulates) return accumulator(i);
        if (!row(i).normalises)
            return refuse(Text("Section 2.4"), Text("%1 has no accumulator that is known.", name(i, true)),
                          i);
        std::set<int> tails;
        if (!reaches_contractions(op(i).outputs[0], tails, i)) return;
        verdict_.auxiliary += row(i).kept.count;
        normaliser(i, *tails.begin());
    }

    void accumulator(int i) {
        verdict_.accumulators.push_back(i);
        if (op(i).apply.op.kind == OperatorKind::Contraction && normalised_before(i)) return;
        reason(Text(row(i).theorem), Text(*row(i).accumulates, axis()), i);
    }

    bool normalised_before(int i) const {
        for (const Reason& r : verdict_.stream_reasons)
            if (r.op >= 0 && row(r.op).normalises && depends(i, r.op)) return true;
        return false;
    }

    bool depends(int later, int earlier) const {
        std::set<int> reached(op(earlier).outputs.begin(), op(earlier).outputs.end());
        for (int i = earlier + 1; i <= later; ++i) {
            const bool takes = std::any_of(op(i).inputs.begin(), op(i).inputs.end(),
                                           [&](int input) { return reached.count(input) > 0; });
            if (takes) reached.insert(op(i).outputs.begin(), op(i).outputs.end());
            if (i == later) return takes;
        }
        return false;
    }

    void normaliser(int i, int tail) {
        reason(Text(row(i).theorem), Text(*row(i).normalises, name(tail), axis()), i);
    }

    // Every way from a normalised array ends in a contraction along the axis, linear operators on the way.
    bool reaches_contractions(int array, std::set<int>& tails, int from) {
        if (std::find(flow_.outputs.begin(), flow_.outputs.end(), array) != flow_.outputs.end()) return false;
        bool used = false;
        for (int i = from + 1; i < count(); ++i) {
            for (std::size_t n = 0; n < op(i).inputs.size(); ++n) {
                if (op(i).inputs[n] != array) continue;
                used = true;
                const OperatorKind kind = op(i).apply.op.kind;
                if (kind == OperatorKind::Contraction && owns(i)) {
                    tails.insert(i);
                    continue;
                }
                const bool linear =
                    kind == OperatorKind::Cast || (kind == OperatorKind::Elementwise && op(i).expr &&
                                                   linear_in(*op(i).expr, static_cast<int>(n)));
                if (!linear) {
                    refuse(Text("Appendix A.3.2"),
                           Text("%1 is known only after all of %2, and %3 is not linear in it, so that the "
                                "scaling cannot wait for the tail.",
                                name(from, true), axis(), name(i)),
                           i);
                    return false;
                }
                if (!reaches_contractions(op(i).outputs[0], tails, i)) return false;
            }
        }
        if (!used || tails.empty())
            refuse(Text("Appendix A.3.2"), Text("%1 ends in no contraction.", name(from, true)), from);
        return verdict_.stream;
    }

    // Nothing that has the axis may need a finished accumulation along it.
    void independent() {
        std::set<int> finished;
        for (int i = 0; i < count(); ++i) {
            const auto waits = std::find_if(op(i).inputs.begin(), op(i).inputs.end(),
                                            [&](int input) { return finished.count(input) > 0; });
            if (waits != op(i).inputs.end()) {
                if (touches(i))
                    return refuse(Text("Section 2.4"),
                                  Text("%1 needs %2, finished over all of %3, for every part of %3.",
                                       name(i, true), array_name(*waits), axis()),
                                  i);
                finished.insert(op(i).outputs.begin(), op(i).outputs.end());
            }
            const auto& carried = verdict_.accumulators;
            if (std::find(carried.begin(), carried.end(), i) != carried.end())
                finished.insert(op(i).outputs.begin(), op(i).outputs.end());
        }
    }

    Text array_name(int array) const {
        const std::string& name = flow_.arrays[at(array)].name;
        return name.empty() ? Text("a result") : Text(name);
    }

    // Theorem 1 applied: composition before and along the axis, weaves, head and tail.
    void steps() {
        std::set<AxisId> weaves;
        for (int i = 0; i < count(); ++i) {
            if (!touches(i)) continue;
            const bool accumulator = std::find(verdict_.accumulators.begin(), verdict_.accumulators.end(),
                                               i) != verdict_.accumulators.end();
            if (!owns(i))
                reason(Text("Theorem 1, composition"),
                       Text("%1 is weaved over %2: composing with it keeps the axis, so the whole stays "
                            "streamable.",
                            name(i, true), axis()),
                       i);
            else if (accumulator)
                for (const AxisId w : op(i).apply.weave) weaves.insert(w);
        }
        std::string list;
        for (const AxisId w : weaves) list += (list.empty() ? "" : ", ") + axis_of(flow_.axes, w).name;
        if (!list.empty())
            reason(Text("Theorem 1, weaving"),
                   Text("Weaving over %1 keeps the axis: the weaved accumulator accumulates the weaved "
                        "function (Figure 40).",
                        list),
                   -1);
        for (int i = 0; i < count(); ++i)
            if (!touches(i))
                reason(Text("Figure 38, head and tail"),
                       Text("%1 does not have %2: it is fused before or after the stream.", name(i, true),
                            axis()),
                       i);
    }

    const Flow& flow_;
    AxisVerdict verdict_;
};

}  // namespace

std::vector<AxisVerdict> axis_verdicts(const Flow& flow) {
    std::set<AxisId> axes;
    for (const FlowArray& array : flow.arrays) axes.insert(array.type.axes.begin(), array.type.axes.end());
    std::vector<AxisVerdict> verdicts;
    for (const AxisId axis : axes) verdicts.push_back(Judge(flow, axis).run());
    return verdicts;
}

}  // namespace blockscope::circuit
