#include "core/program/forms.h"

namespace blockscope {

namespace {

bool is_matrix(const ArrayOp& op) {
    return op.shape.axes.size() == 2;
}

// Whether the operator's transposed result comes from its matrices' transposes, element by element.
bool passes_transposition(ArrayOpKind kind) {
    switch (kind) {
        case ArrayOpKind::Elementwise:
        case ArrayOpKind::Broadcast:
        case ArrayOpKind::SumOver:
        case ArrayOpKind::Cast:
            return true;
        case ArrayOpKind::Input:
        case ArrayOpKind::Matmul:
        case ArrayOpKind::Transpose:
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::Outer:
        case ArrayOpKind::Custom:
            return false;
    }
    throw InternalError("unknown kind of array operator");
}

// Whether swapping the operands computes the transposed result.
bool swaps_operands(ArrayOpKind kind) {
    return kind == ArrayOpKind::Matmul || kind == ArrayOpKind::Outer;
}

class Planner {
public:
    explicit Planner(const ArrayProgram& program) : program_(program), may_transpose_(program.ops.size()) {
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const ArrayOp& op = program.ops[i];
            may_transpose_[i] = is_matrix(op) && (swaps_operands(op.kind) || passes_transposition(op.kind));
        }
    }

    // Passing a transposition on is a guess until all uses of the operands are known; a wrong guess is
    // withdrawn, which may make others wrong. The rounds are bounded; after them none is passed on.
    FormPlan plan() {
        constexpr int kRounds = 8;
        for (int round = 0; round < kRounds; ++round) {
            propagate();
            if (!withdraw_wrong_guesses()) return std::move(plan_);
        }
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            if (passes_transposition(op(i).kind)) may_transpose_[i] = false;
        }
        propagate();
        return std::move(plan_);
    }

private:
    const ArrayOp& op(std::size_t i) const { return program_.ops[i]; }

    void need(int index, bool transposed) {
        Forms& forms = plan_.needed[static_cast<std::size_t>(index)];
        (transposed ? forms.transposed : forms.normal) = true;
    }

    void propagate() {
        plan_.needed.assign(program_.ops.size(), {});
        plan_.computed_transposed.assign(program_.ops.size(), false);
        for (const ArrayOutput& output : program_.outputs) need(output.op, false);
        for (std::size_t i = program_.ops.size(); i-- > 0;) propagate_from(i);
    }

    void propagate_from(std::size_t i) {
        const Forms forms = plan_.needed[i];
        if (!forms.normal && !forms.transposed) return;
        const bool transposed = forms.transposed && !forms.normal && may_transpose_[i];
        plan_.computed_transposed[i] = transposed;
        const std::vector<int>& operands = op(i).operands;
        if (op(i).kind == ArrayOpKind::Transpose) {
            if (forms.normal) need(operands[0], true);
            if (forms.transposed) need(operands[0], false);
            return;
        }
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const bool right = op(i).kind == ArrayOpKind::Matmul && k == 1;
            const bool passed = transposed && passes_transposition(op(i).kind) &&
                                is_matrix(op(static_cast<std::size_t>(operands[k])));
            need(operands[k], right || passed);
        }
    }

    // Whether the array is there in this form without a transposition of its own.
    bool available(std::size_t i, bool transposed) const {
        while (op(i).kind == ArrayOpKind::Transpose) {
            i = static_cast<std::size_t>(op(i).operands[0]);
            transposed = !transposed;
        }
        return op(i).kind == ArrayOpKind::Input || plan_.computed_transposed[i] == transposed;
    }

    bool operands_available_transposed(std::size_t i) const {
        for (int operand : op(i).operands) {
            const auto index = static_cast<std::size_t>(operand);
            if (is_matrix(op(index)) && !available(index, true)) return false;
        }
        return true;
    }

    // Returns whether there were any.
    bool withdraw_wrong_guesses() {
        bool found = false;
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            if (!plan_.computed_transposed[i] || !passes_transposition(op(i).kind)) continue;
            if (operands_available_transposed(i)) continue;
            may_transpose_[i] = false;
            plan_.computed_transposed[i] = false;
            found = true;
        }
        return found;
    }

    const ArrayProgram& program_;
    std::vector<bool> may_transpose_;
    FormPlan plan_;
};

}  // namespace

FormPlan plan_forms(const ArrayProgram& program) {
    return Planner(program).plan();
}

}  // namespace blockscope
