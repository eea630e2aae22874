#include "core/program/convert.h"

#include <map>
#include <optional>

#include "core/program/block_maps.h"
#include "core/program/convert_norms.h"
#include "core/program/forms.h"
#include "core/program/names.h"

namespace blockscope {

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
            normal_[i] = maps_.input({in.name, false, in.source}, in.shape, in.elem);
        }
        if (needed.transposed) {
            transposed_[i] = maps_.input({in.name, true, in.source}, transposed(in.shape), in.elem);
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
        switch (op.kind) {
            case ArrayOpKind::Elementwise:
                return convert_elementwise(op, operands(op, turned), result);
            case ArrayOpKind::Broadcast:
                return convert_broadcast(op, operands(op, turned), result, turned);
            case ArrayOpKind::Matmul:
                return convert_matmul(op, turned);
            case ArrayOpKind::Outer: {
                const BlockArray& rows = array(op.operands.at(turned ? 1 : 0));
                const BlockArray& cols = array(op.operands.at(turned ? 0 : 1));
                return maps_.outer(rows, cols, result.batch);
            }
            case ArrayOpKind::SumOver:
                return maps_.sum_over(operands(op, turned).at(0), op.dim);
            case ArrayOpKind::Cast:
                return maps_.elementwise(arg(0), operands(op, turned), result, op.elem);
            case ArrayOpKind::Softmax:
                return convert_softmax(maps_, array(op.operands.at(0)));
            case ArrayOpKind::RmsNorm:
                return convert_rmsnorm(maps_, op, operands(op, false));
            case ArrayOpKind::LayerNorm:
                return convert_layernorm(maps_, op, operands(op, false));
            case ArrayOpKind::RowSum:
                return maps_.row_sum(array(op.operands.at(0)));
            case ArrayOpKind::RowMean:
                return convert_row_mean(array(op.operands.at(0)));
            case ArrayOpKind::RowMax:
                return maps_.row_max(array(op.operands.at(0)));
            case ArrayOpKind::Custom:
                return maps_.misc(op.custom_name, operands(op, false), op.shape, op.elem);
            case ArrayOpKind::Input:
            case ArrayOpKind::Transpose:
                throw InternalError("Inputs and transposes have no maps of their own.");
        }
        throw InternalError("unknown kind of array operator");
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

    // (A @ B).T is B.T @ A.T: dot(b, a) of B.T and A gives it.
    BlockArray convert_matmul(const ArrayOp& op, bool turned) {
        const BlockArray& left = array(op.operands.at(0));
        const BlockArray& right = array(op.operands.at(1), true);
        return maps_.matmul(turned ? right : left, turned ? left : right, op.shape.batch);
    }

    BlockArray convert_row_mean(const BlockArray& matrix) {
        const BlockArray sum = maps_.row_sum(matrix);
        const ExprPtr mean = call(Fn::Div, arg(0), size_of(matrix.shape.axes.at(1)));
        return maps_.elementwise(mean, {sum}, sum.shape);
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

std::string place_text(const Place& place) {
    return place.line > 0 ? " (line " + std::to_string(place.line) + ")" : std::string();
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
        const std::string message = "found the name " + listed + " beside the input " + op.name +
                                    place_text(op.place) +
                                    ", whose transpose, which the program reads, has that name in listings; "
                                    "expected another name";
        for (auto same = first; same != last; ++same) problems.push_back({same->second, message});
    }
    return problems;
}

}  // namespace blockscope
