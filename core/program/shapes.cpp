// What is known of an array operator without looking at other operators.
#include <algorithm>

#include "core/program/infer.h"
#include "core/program/syntax.h"

namespace blockscope {
namespace {

void mark_arguments(const Expr& expr, std::vector<bool>& used) {
    if (const Arg* arg = std::get_if<Arg>(&expr.value)) {
        const auto index = static_cast<std::size_t>(arg->index);
        if (index < used.size()) used[index] = true;
    }
    if (const Call* call = std::get_if<Call>(&expr.value)) {
        for (const ExprPtr& child : call->args) mark_arguments(*child, used);
    }
}

std::string wrong_axis(const Dim& dim) {
    return "found the " + std::string(dim.kind == DimKind::Group ? "group" : "batch") + " dimension " +
           dim.name +
           " as an axis; expected batch and group dimensions first and only there, then at most two others";
}

}  // namespace

std::string to_string(const Shape& shape, const DimTable& dims) {
    std::string text = "[";
    for (const std::vector<DimId>* part : {&shape.batch, &shape.axes}) {
        for (const DimId dim : *part) text += (text.size() > 1 ? ", " : "") + dims[dim.value].name;
    }
    return text + "]";
}

std::string shape_problem(const Shape& shape, const DimTable& dims) {
    if (shape.axes.size() > 2) {
        return "found " + std::to_string(shape.axes.size()) +
               " axes; expected at most two after the batch dimensions";
    }
    if (static_cast<int>(shape.batch.size() + shape.axes.size()) > kMaxRank) {
        return "found more than " + std::to_string(kMaxRank) + " dimensions; expected fewer";
    }
    for (std::size_t i = 0; i < shape.batch.size(); ++i) {
        const Dim& dim = dims[shape.batch[i].value];
        if (dim.kind == DimKind::Blocked) {
            return "found the dimension " + dim.name +
                   " as a batch dimension; expected one declared by batch or group";
        }
        if (std::count(shape.batch.begin(), shape.batch.end(), shape.batch[i]) > 1) {
            return "found the batch dimension " + dim.name + " twice; expected it once";
        }
    }
    constexpr std::int64_t most = std::int64_t{1} << 60;  // bytes of an int64 offset, as float64
    std::int64_t elements = 1;
    for (const DimId dim : shape.axes) {
        if (dims[dim.value].kind != DimKind::Blocked) return wrong_axis(dims[dim.value]);
    }
    for (const std::vector<DimId>* part : {&shape.batch, &shape.axes}) {
        for (const DimId dim : *part) {
            if (elements > most / dims[dim.value].size) {
                return "found an array " + to_string(shape, dims) +
                       " of more than 2^60 elements; expected fewer";
            }
            elements *= dims[dim.value].size;
        }
    }
    return {};
}

int first_unused_argument(const Expr& expr, int count) {
    std::vector<bool> used(static_cast<std::size_t>(count));
    mark_arguments(expr, used);
    const auto unused = std::find(used.begin(), used.end(), false);
    return unused == used.end() ? -1 : static_cast<int>(unused - used.begin());
}

OperandCount operand_count(ArrayOpKind kind) {
    switch (kind) {
        case ArrayOpKind::Input:
            return {0, 0};
        case ArrayOpKind::Elementwise:
        case ArrayOpKind::Custom:
            return {1, kMaxArguments};
        case ArrayOpKind::Broadcast:
        case ArrayOpKind::Matmul:
        case ArrayOpKind::Outer:
            return {2, 2};
        case ArrayOpKind::RmsNorm:
            return {1, 2};
        case ArrayOpKind::LayerNorm:
            return {1, 3};
        case ArrayOpKind::Transpose:
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::SumOver:
        case ArrayOpKind::Cast:
            return {1, 1};
    }
    throw InternalError("unknown kind of array operator");
}

std::string describe(const ArrayOp& op) {
    switch (op.kind) {
        case ArrayOpKind::Input:
            return "an input";
        case ArrayOpKind::Elementwise:
            return "an elementwise operator";
        case ArrayOpKind::Broadcast:
            return "an operator on a matrix and a vector";
        case ArrayOpKind::Matmul:
            return "'@'";
        case ArrayOpKind::Transpose:
            return ".T";
        case ArrayOpKind::Softmax:
            return "softmax";
        case ArrayOpKind::RmsNorm:
            return "rmsnorm";
        case ArrayOpKind::LayerNorm:
            return "layernorm";
        case ArrayOpKind::RowSum:
            return "row_sum";
        case ArrayOpKind::RowMean:
            return "row_mean";
        case ArrayOpKind::RowMax:
            return "row_max";
        case ArrayOpKind::Outer:
            return "outer";
        case ArrayOpKind::SumOver:
            return "sum";
        case ArrayOpKind::Cast:
            return "cast";
        case ArrayOpKind::Custom:
            return "custom";
    }
    throw InternalError("unknown kind of array operator");
}

}  // namespace blockscope
