// Operators that work row by row, as top-level maps (Blockbuster, Table 2 and Examples 1 to 3).
#include "core/program/convert.h"

#include <map>
#include <optional>
#include <vector>

#include "core/program/array_program.h"
#include "core/program/block_maps.h"
#include "core/program/names.h"

namespace blockscope {

// Of an operator of the form KeepRows or FoldRows, whose first operand is a matrix and whose others, if there
// are any, are vectors along its columns.
BlockArray convert_rows(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands);

// Which arrays a block program needs transposed, and which it computes so from the start.
// dot(a, b) is a @ b.T, so that a matmul needs its right operand transposed.

// How later operators and outputs use an array. Neither: nothing that reaches an output uses it.
struct Forms {
    bool normal = false;
    bool transposed = false;
};

struct FormPlan {
    std::vector<Forms> needed;  // by operator
    // By operator: whether it computes the transpose of its result instead of the result. Matmuls
    // swap their operands for that; elementwise operators, broadcasts and sums over a batch dimension do
    // it where their matrices are available transposed. Inputs are read in both forms as needed.
    std::vector<bool> computed_transposed;
};

// `program` must be valid.
FormPlan plan_forms(const ArrayProgram& program);

namespace {

class Converter {
public:
    explicit Converter(const ArrayProgram& program)
        : program_(program),
          plan_(plan_forms(program)),
          ids_(1),
          builder_(program.dims, ids_),
          maps_(builder_, origins_),
          normal_(program.ops.size()),
          transposed_(program.ops.size()) {}

    Conversion convert() {
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            if (op(i).kind == ArrayOpKind::Input) read_input(i);
        }
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            if (op(i).kind != ArrayOpKind::Input) convert_operator(i);
        }
        std::vector<BlockArray> results;
        for (const ArrayOutput& output : program_.outputs) results.push_back(result_of(output));
        for (std::size_t i = 0; i < results.size(); ++i) {
            maps_.begin(program_.outputs[i].op);
            maps_.output(results[i], program_.outputs[i].name);
        }
        return {{program_.dims, builder_.finish(), ids_.next()}, std::move(origins_)};
    }

private:
    const ArrayOp& op(std::size_t i) const { return program_.ops[i]; }

    // The array that operator `index` gives, or its transpose.
    const BlockArray& array(int index, bool transpose = false) const {
        const auto i = static_cast<std::size_t>(index);
        const std::optional<BlockArray>& found = transpose ? transposed_[i] : normal_[i];
        if (!found) throw InternalError("A form of an array is used that was not planned.");
        return *found;
    }

    void read_input(std::size_t i) {
        maps_.begin(static_cast<int>(i));
        const Forms needed = plan_.needed[i];
        const ArrayOp& in = op(i);
        if (needed.normal || !needed.transposed) {
            normal_[i] = maps_.input({in.name, false, in.source, in.window}, in.shape, in.elem);
        }
        if (needed.transposed) {
            transposed_[i] =
                maps_.input({in.name, true, in.source, in.window}, transposed(in.shape), in.elem);
        }
    }

    void convert_operator(std::size_t i) {
        const Forms needed = plan_.needed[i];
        if (!needed.normal && !needed.transposed) return;
        maps_.begin(static_cast<int>(i));
        if (op(i).kind == ArrayOpKind::Transpose) {
            const int operand = op(i).operands.at(0);
            if (needed.normal) normal_[i] = array(operand, true);
            if (needed.transposed) transposed_[i] = array(operand, false);
            return;
        }
        const bool turned = plan_.computed_transposed[i];
        std::optional<BlockArray>& computed = turned ? transposed_[i] : normal_[i];
        computed = with_elem(maps_for(op(i), turned), op(i).elem);
        if (!turned && needed.transposed) {
            transposed_[i] = maps_.misc(kTranspose, {*computed}, transposed(op(i).shape), op(i).elem);
        }
    }

    // Operators on operands of several element types give that of the first one.
    BlockArray with_elem(const BlockArray& array, ElemType elem) {
        if (maps_.elem(array) == elem) return array;
        return maps_.elementwise(arg(0), {array}, array.shape, elem);
    }

    // The operands as an operator uses them that computes its result or, if `turned`, its transpose: an
    // elementwise operator then takes the transposes of its matrices.
    std::vector<BlockArray> operands(const ArrayOp& user, bool turned) const {
        std::vector<BlockArray> arrays;
        for (int operand : user.operands) {
            const bool matrix = op(static_cast<std::size_t>(operand)).shape.axes.size() == 2;
            arrays.push_back(array(operand, turned && matrix));
        }
        return arrays;
    }

    BlockArray maps_for(const ArrayOp& op, bool turned) {
        const Shape result = turned ? transposed(op.shape) : op.shape;
        switch (form_of(op.kind)) {
            case ArrayForm::ByElement:
                if (op.kind == ArrayOpKind::Cast)
                    return maps_.elementwise(arg(0), operands(op, turned), result, op.elem);
                return convert_elementwise(op, operands(op, turned), result);
            case ArrayForm::Spread:
                return convert_broadcast(op, operands(op, turned), result, turned);
            case ArrayForm::Product:
                return convert_matmul(op, turned);
            case ArrayForm::Outer: {
                const BlockArray& rows = array(op.operands.at(turned ? 1 : 0));
                const BlockArray& cols = array(op.operands.at(turned ? 0 : 1));
                return maps_.outer(rows, cols, result.batch);
            }
            case ArrayForm::OverBatch:
                return maps_.sum_over(operands(op, turned).at(0), op.dim);
            case ArrayForm::Rotate:
                return convert_rope(op);
            case ArrayForm::KeepRows:
            case ArrayForm::FoldRows:
                return convert_rows(maps_, op, operands(op, false));
            case ArrayForm::Given:
                if (op.kind == ArrayOpKind::Custom)
                    return maps_.misc(op.custom_name, operands(op, false), op.shape, op.elem);
                break;
            case ArrayForm::Transpose:
                break;
        }
        throw InternalError("Inputs and transposes have no maps of their own.");
    }

    // a + b and a * b of arrays with equal axes are functional operators, everything else an expression.
    BlockArray convert_elementwise(const ArrayOp& op, const std::vector<BlockArray>& arrays,
                                   const Shape& result) {
        if (arrays.size() == 2 && arrays[0].shape.axes == arrays[1].shape.axes) {
            const bool swap = maps_.elem(arrays[0]) != op.elem;
            const BlockArray& a = arrays[swap ? 1 : 0];
            const BlockArray& b = arrays[swap ? 0 : 1];
            if (equal(*op.expr, *call(Fn::Add, arg(0), arg(1))))
                return maps_.functional(FunctionalOp::Add, a, b, result);
            if (equal(*op.expr, *call(Fn::Mul, arg(0), arg(1))))
                return maps_.functional(FunctionalOp::Mul, a, b, result);
        }
        return maps_.elementwise(op.expr, arrays, result, op.elem);
    }

    // Subtraction adds the negated second operand and division multiplies by its reciprocal: in a map
    // of its own, so that what is left is a shift or a scale.
    BlockArray convert_broadcast(const ArrayOp& op, std::vector<BlockArray> arrays, const Shape& result,
                                 bool turned) {
        BlockArray& second = arrays.at(1);
        if (op.fn == Fn::Sub) {
            second = maps_.elementwise(call(Fn::Neg, arg(0)), {second}, second.shape);
        } else if (op.fn == Fn::Div) {
            second = maps_.elementwise(call(Fn::Div, number(1), arg(0)), {second}, second.shape);
        } else if (op.fn != Fn::Add && op.fn != Fn::Mul) {
            throw InternalError("A broadcast adds, subtracts, multiplies or divides.");
        }
        const bool matrix_first = arrays[0].shape.axes.size() == 2;
        const BlockArray& matrix = arrays[matrix_first ? 0 : 1];
        const BlockArray& vector = arrays[matrix_first ? 1 : 0];
        const bool rows = (op.vector_axis == VectorAxis::Rows) != turned;
        const VectorAxis axis = rows ? VectorAxis::Rows : VectorAxis::Cols;
        if (op.fn == Fn::Add || op.fn == Fn::Sub) return maps_.shift(matrix, vector, axis, result);
        return maps_.scale(matrix, vector, axis, result);
    }

    // Four maps: the product by cosines, the rotated rows, their product by sines, the sum.
    BlockArray convert_rope(const ArrayOp& op) {
        const std::vector<BlockArray> arrays = operands(op, false);
        const BlockArray rotated = maps_.functional(array_operator(op.kind).rotates, arrays.at(0));
        const BlockArray kept = maps_.functional(FunctionalOp::Mul, arrays.at(0), arrays.at(1), op.shape);
        const BlockArray turned = maps_.functional(FunctionalOp::Mul, rotated, arrays.at(2), op.shape);
        return maps_.functional(FunctionalOp::Add, kept, turned, op.shape);
    }

    // (A @ B).T is B.T @ A.T: dot(b, a) of B.T and A gives it.
    BlockArray convert_matmul(const ArrayOp& op, bool turned) {
        const BlockArray& left = array(op.operands.at(0));
        const BlockArray& right = array(op.operands.at(1), true);
        return maps_.matmul(turned ? right : left, turned ? left : right, op.shape.batch);
    }

    BlockArray result_of(const ArrayOutput& output) {
        const BlockArray& result = array(output.op);
        auto source = static_cast<std::size_t>(output.op);
        while (op(source).kind == ArrayOpKind::Transpose) {
            source = static_cast<std::size_t>(op(source).operands.at(0));
        }
        if (op(source).kind != ArrayOpKind::Input) return result;
        maps_.begin(output.op);
        return maps_.elementwise(arg(0), {result}, result.shape);
    }

    const ArrayProgram& program_;
    FormPlan plan_;
    IdSource ids_;
    Builder builder_;
    std::vector<Origin> origins_;
    BlockMaps maps_;
    std::vector<std::optional<BlockArray>> normal_;  // by operator, as far as planned and converted
    std::vector<std::optional<BlockArray>> transposed_;
};

Text place_text(const Place& place) {
    return place.line > 0 ? Text(" (line %1)", place.line) : Text();
}

}  // namespace

Conversion to_block_program(const ArrayProgram& program) {
    return Converter(program).convert();
}

Problems check_listing_names(const ArrayProgram& program) {
    std::multimap<std::string, Place> names;
    for (const ArrayOp& op : program.ops) {
        if (op.kind == ArrayOpKind::Input) names.emplace(op.name, op.place);
    }
    for (const ArrayOutput& output : program.outputs) names.emplace(output.name, output.place);
    Problems problems;
    const FormPlan plan = plan_forms(program);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const ArrayOp& op = program.ops[i];
        if (op.kind != ArrayOpKind::Input || !plan.needed[i].transposed) continue;
        const std::string listed = op.name + "T";
        const auto [first, last] = names.equal_range(listed);
        const Text message = Text(
            "found the name %1 beside the input %2%3, whose transpose, which the program reads, has that "
            "name in listings; expected another name",
            listed, op.name, place_text(op.place));
        for (auto same = first; same != last; ++same) problems.push_back({same->second, message});
    }
    return problems;
}

namespace {

Shape row_vector_of(const BlockArray& matrix) {
    return {matrix.shape.batch, {matrix.shape.axes.at(0)}};
}

ExprPtr reciprocal_of(ExprPtr expr) {
    return call(Fn::Div, number(1), std::move(expr));
}

ExprPtr square_of(ExprPtr expr) {
    return call(Fn::Pow, std::move(expr), number(2));
}

// 1/sqrt(s) in the paper's form, else 1/sqrt(s/DD + epsilon), for the sum of squares s.
ExprPtr inverse_rms(const ArrayOp& op, DimId cols) {
    if (op.paper_form) return reciprocal_of(call(Fn::Sqrt, arg(0)));
    const ExprPtr mean = call(Fn::Div, arg(0), size_of(cols));
    return reciprocal_of(call(Fn::Sqrt, call(Fn::Add, mean, number(op.epsilon))));
}

// (s2/KK - mean**2)**(-0.5) in the paper's form, else (s2/KK - mean**2 + epsilon)**(-0.5), for the sum of
// squares s2 and the (negated) mean.
ExprPtr inverse_deviation(const ArrayOp& op, DimId cols) {
    ExprPtr variance = call(Fn::Sub, call(Fn::Div, arg(0), size_of(cols)), square_of(arg(1)));
    if (!op.paper_form) variance = call(Fn::Add, variance, number(op.epsilon));
    return call(Fn::Pow, variance, number(-0.5));
}

// Four maps: exp, row sum, reciprocal, row_scale.
BlockArray convert_softmax(BlockMaps& maps, const BlockArray& matrix) {
    const BlockArray exps = maps.elementwise(call(Fn::Exp, arg(0)), {matrix}, matrix.shape);
    const BlockArray sum = maps.row_sum(exps);
    const BlockArray inverse = maps.elementwise(reciprocal_of(arg(0)), {sum}, sum.shape);
    return maps.scale(exps, inverse, VectorAxis::Rows, exps.shape);
}

// Four maps: square, row sum, 1/sqrt, row_scale; then col_scale by the learned weight, if there is one.
BlockArray convert_rmsnorm(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands) {
    const BlockArray& x = operands.at(0);
    const DimId cols = x.shape.axes.at(1);
    const BlockArray squares = maps.elementwise(square_of(arg(0)), {x}, x.shape);
    const BlockArray sum = maps.row_sum(squares);
    const BlockArray inverse = maps.elementwise(inverse_rms(op, cols), {sum}, row_vector_of(x));
    BlockArray normed = maps.scale(x, inverse, VectorAxis::Rows, x.shape);
    if (operands.size() < 2) return normed;
    return maps.scale(normed, operands[1], VectorAxis::Cols, op.shape);
}

// Seven maps: row sum, -s/KK, row_shift, square, row sum of the squares, 1/sigma, row_scale; then
// col_scale by the weight and col_shift by the bias, if there are any.
BlockArray convert_layernorm(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands) {
    const BlockArray& x = operands.at(0);
    const DimId cols = x.shape.axes.at(1);
    const Shape vector = row_vector_of(x);
    const BlockArray sum = maps.row_sum(x);
    const ExprPtr negated_mean = call(Fn::Div, call(Fn::Neg, arg(0)), size_of(cols));
    const BlockArray mean = maps.elementwise(negated_mean, {sum}, vector);
    const BlockArray centred = maps.shift(x, mean, VectorAxis::Rows, x.shape);
    const BlockArray squares = maps.elementwise(square_of(arg(0)), {x}, x.shape);
    const BlockArray square_sum = maps.row_sum(squares);
    const BlockArray inverse = maps.elementwise(inverse_deviation(op, cols), {square_sum, mean}, vector);
    BlockArray normed = maps.scale(centred, inverse, VectorAxis::Rows, x.shape);
    if (operands.size() < 2) return normed;
    BlockArray weighted = maps.scale(normed, operands[1], VectorAxis::Cols, op.shape);
    if (operands.size() < 3) return weighted;
    return maps.shift(weighted, operands[2], VectorAxis::Cols, op.shape);
}

BlockArray convert_row_mean(BlockMaps& maps, const BlockArray& matrix) {
    const BlockArray sum = maps.row_sum(matrix);
    const ExprPtr mean = call(Fn::Div, arg(0), size_of(matrix.shape.axes.at(1)));
    return maps.elementwise(mean, {sum}, sum.shape);
}

}  // namespace

BlockArray convert_rows(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands) {
    switch (op.kind) {
        case ArrayOpKind::Softmax:
            return convert_softmax(maps, operands.at(0));
        case ArrayOpKind::RmsNorm:
            return convert_rmsnorm(maps, op, operands);
        case ArrayOpKind::LayerNorm:
            return convert_layernorm(maps, op, operands);
        case ArrayOpKind::RowSum:
            return maps.row_sum(operands.at(0));
        case ArrayOpKind::RowMean:
            return convert_row_mean(maps, operands.at(0));
        case ArrayOpKind::RowMax:
            return maps.row_max(operands.at(0));
        default:
            throw InternalError(describe(op.kind) + " does not work row by row");
    }
}

namespace {

bool is_matrix(const ArrayOp& op) {
    return op.shape.axes.size() == 2;
}

// Whether the operator's transposed result comes from its matrices' transposes, element by element.
bool passes_transposition(ArrayOpKind kind) {
    const ArrayForm form = form_of(kind);
    return form == ArrayForm::ByElement || form == ArrayForm::Spread || form == ArrayForm::OverBatch;
}

// Whether swapping the operands computes the transposed result.
bool swaps_operands(ArrayOpKind kind) {
    return form_of(kind) == ArrayForm::Product || form_of(kind) == ArrayForm::Outer;
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
