#include "core/exec/block_expr.h"

#include "core/exec/block_kernels.h"
#include "core/exec/scalar.h"
#include "core/support/result.h"

namespace blockscope {

template <class S>
BlockExpr<S>::BlockExpr(const Expr& expr, const DimTable& dims, std::vector<bool> spread)
    : spread_(std::move(spread)), constant_index_(spread_.size(), -1) {
    result_ = compile(expr, dims);
    known_.clear();
    registers_.resize(constant_index_.size());
    for (std::size_t i = 0; i < registers_.size(); ++i)
        if (constant_index_[i] >= 0)
            registers_[i] =
                item_value(kSpread, kSpread, &constants_[static_cast<std::size_t>(constant_index_[i])]);
}

template <class S>
int BlockExpr<S>::compile(const Expr& expr, const DimTable& dims) {
    if (const Arg* arg = std::get_if<Arg>(&expr.value)) return arg->index;
    if (const Number* number = std::get_if<Number>(&expr.value))
        return constant(scalar_from<S>(number->value));
    if (const SizeOf* size = std::get_if<SizeOf>(&expr.value))
        return constant(scalar_from<S>(static_cast<double>(dims.at(size->dim.value).size)));
    const auto known = known_.find(&expr);
    if (known != known_.end()) return known->second;
    const int result = compile_call(std::get<Call>(expr.value), dims);
    known_.emplace(&expr, result);
    return result;
}

template <class S>
int BlockExpr<S>::compile_call(const Call& call, const DimTable& dims) {
    const int a = compile(*call.args.front(), dims);
    const int b = compile(*call.args.back(), dims);
    const int constant_a = constant_index_[static_cast<std::size_t>(a)];
    const int constant_b = constant_index_[static_cast<std::size_t>(b)];
    if (constant_a >= 0 && constant_b >= 0)
        return constant(apply(call.fn, constants_[static_cast<std::size_t>(constant_a)],
                              constants_[static_cast<std::size_t>(constant_b)]));
    const int to = static_cast<int>(constant_index_.size());
    constant_index_.push_back(-1);
    code_.push_back({call.fn, to, a, b});
    return to;
}

template <class S>
int BlockExpr<S>::constant(S value) {
    constant_index_.push_back(static_cast<int>(constants_.size()));
    constants_.push_back(value);
    return static_cast<int>(constant_index_.size()) - 1;
}

template <class S>
Value<S> BlockExpr<S>::evaluate(const Value<S>* inputs, Arena<S>& arena) {
    Value<S> shape = item_value<S>(kSpread, kSpread, nullptr);
    for (std::size_t i = 0; i < spread_.size(); ++i) {
        registers_[i] = inputs[i];
        if (spread_[i]) {
            registers_[i].rows = registers_[i].cols = kSpread;
            continue;
        }
        if (shape.rows == kSpread) shape.rows = inputs[i].rows;
        if (shape.cols == kSpread) shape.cols = inputs[i].cols;
    }
    for (const Instruction& step : code_)
        registers_[static_cast<std::size_t>(step.to)] =
            BlockKernels<S>::zip(step.fn, registers_[static_cast<std::size_t>(step.a)],
                                 registers_[static_cast<std::size_t>(step.b)], arena);
    const Value<S>& result = registers_[static_cast<std::size_t>(result_)];
    if (result.rows == shape.rows && result.cols == shape.cols) return result;
    return BlockKernels<S>::fill(result, shape.rows, shape.cols, arena);
}

template class BlockExpr<double>;
template class BlockExpr<Exact>;

}  // namespace blockscope
