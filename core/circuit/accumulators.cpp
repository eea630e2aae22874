#include "core/circuit/accumulators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/circuit/flow_parts.h"
#include "core/circuit/stream.h"

namespace blockscope::circuit {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

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
