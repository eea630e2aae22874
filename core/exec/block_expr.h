// Elementwise expressions compiled for evaluation on items: shared parts and constants are computed once.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/exec/block_value.h"
#include "core/exec/exact.h"
#include "core/graph/expr.h"

namespace blockscope {

template <class S>
class BlockExpr {
public:
    BlockExpr() = default;
    BlockExpr(BlockExpr&&) noexcept = default;
    BlockExpr& operator=(BlockExpr&&) noexcept = default;
    // `spread[i]`: input i is a scalar that is spread over the elements of the others.
    BlockExpr(const Expr& expr, const DimTable& dims, std::vector<bool> spread);

    Value<S> evaluate(const Value<S>* inputs, Arena<S>& arena);

private:
    struct Instruction {
        Fn fn;
        int to, a, b;  // registers
    };

    int compile(const Expr& expr, const DimTable& dims);
    int compile_call(const Call& call, const DimTable& dims);
    int constant(S value);

    std::vector<bool> spread_;
    std::vector<Instruction> code_;
    std::vector<S> constants_;
    std::vector<int> constant_index_;             // by register; -1 for inputs and results
    std::vector<Value<S>> registers_;             // inputs first; constants point into constants_
    std::unordered_map<const Expr*, int> known_;  // while compiling
    int result_ = 0;
};

}  // namespace blockscope
