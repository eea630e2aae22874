#include "core/circuit/stream.h"

#include <algorithm>
#include <set>

#include "core/circuit/lists.h"
#include "core/circuit/print.h"
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

bool normalises(OperatorKind kind) {
    return kind == OperatorKind::Softmax || kind == OperatorKind::RmsNorm || kind == OperatorKind::LayerNorm;
}

bool accumulates(OperatorKind kind) {
    return kind == OperatorKind::Contraction || kind == OperatorKind::Sum || kind == OperatorKind::Mean ||
           kind == OperatorKind::Max;
}

int auxiliary_of(OperatorKind kind) {
    switch (kind) {
        case OperatorKind::Softmax:
            return 3;
        case OperatorKind::RmsNorm:
            return 1;
        case OperatorKind::LayerNorm:
            return 2;
        default:
            return 0;
    }
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
    int count() const { return static_cast<int>(flow_.ops.size()); }
    const ArrayType& type(int array) const { return flow_.arrays[at(array)].type; }
    const std::string& axis() const { return axis_of(flow_.axes, verdict_.axis).name; }
    bool is_stored(int array) const {
        return std::find(flow_.stored.begin(), flow_.stored.end(), array) != flow_.stored.end();
    }
    bool owns(int i) const { return has(op(i).apply.own, verdict_.axis); }
    bool touches(int i) const { return owns(i) || has(op(i).apply.weave, verdict_.axis); }

    std::string name(int i) const {
        const FlowOp& what = op(i);
        const std::string kind = to_string(what.apply.op.kind);
        const std::string label =
            what.apply.op.kind == OperatorKind::Elementwise ? "the elementwise " + what.apply.op.label
            : what.apply.op.kind == OperatorKind::Custom    ? "the operator " + what.apply.op.label
                                                            : "the " + kind;
        const std::string& made = flow_.arrays[at(what.outputs.at(0))].name;
        return made.empty() ? label : label + " that makes " + made;
    }

    // ---- groups ----

    void refuse_group(std::string sentence, int i) {
        verdict_.group_reasons = {{"Section 2.3", std::move(sentence), i}};
    }

    void group() {
        bool in_output = false;
        for (const int output : flow_.outputs) in_output = in_output || has(type(output).axes, verdict_.axis);
        for (std::size_t i = 0; i < flow_.arrays.size(); ++i) {
            const auto& axes = flow_.arrays[i].type.axes;
            if (std::count(axes.begin(), axes.end(), verdict_.axis) > 1)
                return refuse_group("Two axes of " + flow_.arrays[i].name + " are " + axis() +
                                        ": each part would need all the others.",
                                    -1);
        }
        for (int i = 0; i < count(); ++i)
            if (owns(i)) return refuse_group(capital(name(i)) + " acts along " + axis() + ".", i);
        for (const int output : flow_.outputs)
            if (!has(type(output).axes, verdict_.axis) && !is_stored(output))
                return refuse_group("The output " + flow_.arrays[at(output)].name + " does not have " +
                                        axis() + ", so that the groups' results could not be joined.",
                                    -1);
        if (!in_output) return refuse_group("No output has " + axis() + ".", -1);
        verdict_.group = true;
        verdict_.group_reasons = {{"Section 2.3",
                                   "Every operator that has " + axis() +
                                       " is weaved over it: its parts are computed apart and joined.",
                                   -1}};
    }

    static std::string capital(std::string text) {
        if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
            text[0] = static_cast<char>(text[0] - 'a' + 'A');
        return text;
    }

    // ---- streams ----

    void refuse(const std::string& theorem, std::string sentence, int i) {
        verdict_.stream = false;
        verdict_.accumulators.clear();
        verdict_.auxiliary = 0;
        verdict_.stream_reasons = {{theorem, std::move(sentence), i}};
    }

    void reason(const std::string& theorem, std::string sentence, int i) {
        verdict_.stream_reasons.push_back({theorem, std::move(sentence), i});
    }

    void stream() {
        for (const int output : flow_.outputs)
            if (has(type(output).axes, verdict_.axis) && !is_stored(output)) return growing(output);
        if (std::none_of(flow_.inputs.begin(), flow_.inputs.end(),
                         [&](int input) { return has(type(input).axes, verdict_.axis); }))
            return refuse("Section 2.4", axis() + " does not come in by a transfer.", -1);
        for (std::size_t i = 0; i < flow_.arrays.size(); ++i) {
            const auto& axes = flow_.arrays[i].type.axes;
            if (std::count(axes.begin(), axes.end(), verdict_.axis) > 1)
                return refuse("Section 2.4", "Two axes of " + flow_.arrays[i].name + " are " + axis() + ".",
                              -1);
        }
        verdict_.stream = true;
        for (int i = 0; i < count() && verdict_.stream; ++i)
            if (owns(i)) kernel(i);
        if (!verdict_.stream) return;
        if (verdict_.accumulators.empty())
            return refuse("Section 2.4", "No operator accumulates along " + axis() + ".", -1);
        independent();
        if (verdict_.stream) steps();
    }

    // Appendix A.3.2: auxiliary softmax "is not streamable as the memory usage increases with the input
    // size", but can be fused with a contraction.
    void growing(int output) {
        const std::string of = "the output " + flow_.arrays[at(output)].name + " has " + axis() +
                               ": what an accumulator maintains would grow with it.";
        for (int i = 0; i < count(); ++i) {
            const OperatorKind kind = op(i).apply.op.kind;
            if (!owns(i) || !normalises(kind)) continue;
            const bool softmax = kind == OperatorKind::Softmax;
            return refuse(softmax ? "Appendix A.3.2" : "Appendix A.3.2, by the same argument",
                          capital(name(i)) + " is known only after all of " + axis() + ", and " + of +
                              " Followed by a contraction along " + axis() + ", it could be streamed.",
                          i);
        }
        refuse("Section 2.4", capital(of), -1);
    }

    void kernel(int i) {
        const OperatorKind kind = op(i).apply.op.kind;
        if (accumulates(kind)) return accumulator(i);
        if (!normalises(kind))
            return refuse("Section 2.4", capital(name(i)) + " has no accumulator that is known.", i);
        std::set<int> tails;
        if (!reaches_contractions(op(i).outputs[0], tails, i)) return;
        verdict_.auxiliary += auxiliary_of(kind);
        normaliser(i, *tails.begin());
    }

    void accumulator(int i) {
        verdict_.accumulators.push_back(i);
        switch (op(i).apply.op.kind) {
            case OperatorKind::Contraction:
                if (!verdict_.stream_reasons.empty() && normalised_before(i)) return;
                return reason(
                    "Appendix A.3.1",
                    "Contraction along " + axis() +
                        " has an accumulator: the sum over the first part plus the sum over the rest.",
                    i);
            case OperatorKind::Max:
                return reason("Section 2.4",
                              "A maximum along " + axis() + " is the larger of the parts' maxima.", i);
            default:
                return reason("Section 2.4", "A sum along " + axis() + " is the sum of the parts' sums.", i);
        }
    }

    bool normalised_before(int i) const {
        for (const Reason& r : verdict_.stream_reasons)
            if (r.op >= 0 && normalises(op(r.op).apply.op.kind) && depends(i, r.op)) return true;
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
        const std::string along = " followed by " + name(tail) + " along " + axis();
        switch (op(i).apply.op.kind) {
            case OperatorKind::Softmax:
                return reason(
                    "Appendix A.3.2",
                    "SoftMax" + along +
                        " is streamable: a running maximum and sum are kept, the result so far is scaled "
                        "when the maximum moves, and the division by the sum is its tail.",
                    i);
            case OperatorKind::RmsNorm:
                return reason(
                    "Appendix A.3.2, by the same argument",
                    "RMSNorm" + along +
                        " is streamable: the sum of squares is kept, and the division, one number per "
                        "row, is the tail of a linear operator.",
                    i);
            default:
                return reason(
                    "Appendix A.3.2, by the same argument",
                    "LayerNorm" + along +
                        " is streamable: sums of values and squares are kept; shift and division, one "
                        "number each per row, are the tail of a linear operator.",
                    i);
        }
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
                    refuse("Appendix A.3.2",
                           capital(name(from)) + " is known only after all of " + axis() + ", and " +
                               name(i) +
                               " is not linear in it, so that the scaling cannot wait for the tail.",
                           i);
                    return false;
                }
                if (!reaches_contractions(op(i).outputs[0], tails, i)) return false;
            }
        }
        if (!used || tails.empty())
            refuse("Appendix A.3.2", capital(name(from)) + " ends in no contraction.", from);
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
                    return refuse("Section 2.4",
                                  capital(name(i)) + " needs " + array_name(*waits) +
                                      ", finished over all of " + axis() + ", for every part of " + axis() +
                                      ".",
                                  i);
                finished.insert(op(i).outputs.begin(), op(i).outputs.end());
            }
            const auto& carried = verdict_.accumulators;
            if (std::find(carried.begin(), carried.end(), i) != carried.end())
                finished.insert(op(i).outputs.begin(), op(i).outputs.end());
        }
    }

    std::string array_name(int array) const {
        const std::string& name = flow_.arrays[at(array)].name;
        return name.empty() ? "a result" : name;
    }

    // Theorem 1 applied: composition before and along the axis, weaves, head and tail.
    void steps() {
        std::set<AxisId> weaves;
        for (int i = 0; i < count(); ++i) {
            if (!touches(i)) continue;
            const bool accumulator = std::find(verdict_.accumulators.begin(), verdict_.accumulators.end(),
                                               i) != verdict_.accumulators.end();
            if (!owns(i))
                reason("Theorem 1, composition",
                       capital(name(i)) + " is weaved over " + axis() +
                           ": composing with it keeps the axis, so the whole stays streamable.",
                       i);
            else if (accumulator)
                for (const AxisId w : op(i).apply.weave) weaves.insert(w);
        }
        std::string list;
        for (const AxisId w : weaves) list += (list.empty() ? "" : ", ") + axis_of(flow_.axes, w).name;
        if (!list.empty())
            reason("Theorem 1, weaving",
                   "Weaving over " + list +
                       " keeps the axis: the weaved accumulator accumulates the weaved function "
                       "(Figure 40).",
                   -1);
        for (int i = 0; i < count(); ++i)
            if (!touches(i))
                reason("Figure 38, head and tail",
                       capital(name(i)) + " does not have " + axis() +
                           ": it is fused before or after the stream.",
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
