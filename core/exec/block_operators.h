// Values of block programs while they are evaluated, items in memory and nested lists of them, and every
// block operator on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/graph/expr.h"
#include "core/graph/node.h"
#include "core/scalar/exact.h"

namespace blockscope {

// The extent of a carried value's axis before the first iteration: the value is the same everywhere along the
// axis, and takes the extent of whatever it is first combined with (blocks may be ragged).
constexpr int kSpread = 0;

// A list (elements, count) or an item of rows x cols elements, row-major; vectors have one column, scalars
// one row and one column. A spread axis has one element in memory. Values are immutable once made and cheap
// to copy; their memory belongs to an Arena.
template <class S>
struct Value {
    int rows = 1;
    int cols = 1;
    const S* data = nullptr;
    const Value* elements = nullptr;
    int count = 0;  // elements of a list

    bool is_list() const { return elements != nullptr; }
    static int stored(int extent) { return extent == kSpread ? 1 : extent; }
    int size() const { return stored(rows) * stored(cols); }
};

// Memory that is freed all at once.
template <class T>
class Arena {
public:
    T* allocate(int count) {
        const auto needed = static_cast<std::size_t>(count);
        if (chunks_.empty() || used_ + needed > capacity_) grow(needed);
        T* result = chunks_.back().get() + used_;
        used_ += needed;
        return result;
    }

private:
    void grow(std::size_t needed) {
        capacity_ = std::max(needed, std::min<std::size_t>(2 * capacity_ + 256, std::size_t{1} << 20));
        chunks_.push_back(std::make_unique<T[]>(capacity_));
        used_ = 0;
    }

    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t capacity_ = 0;
    std::size_t used_ = 0;
};

template <class S>
struct BlockMemory {
    Arena<S> scalars;
    Arena<Value<S>> values;
};

template <class S>
Value<S> item_value(int rows, int cols, const S* data) {
    Value<S> value;
    value.rows = rows;
    value.cols = cols;
    value.data = data;
    return value;
}

template <class S>
Value<S> list_value(const Value<S>* elements, int count) {
    Value<S> value;
    value.elements = elements;
    value.count = count;
    return value;
}

// Cutting arrays into lists of items, and putting them together again.

// The value of type `type` that `array` holds (ArrayLayout). The array's shape must fit.
template <class S>
Value<S> cut(const Tensor<S>& array, const Type& type, bool transposed, const DimTable& dims,
             BlockMemory<S>& memory);

// The array that holds `value`. Throws InternalError if lists or items have other extents than `type` says.
template <class S>
Tensor<S> assemble(const Value<S>& value, const Type& type, const DimTable& dims);

// Functional operators on single items (Blockbuster, Table 1), and the sums and maxima that maps and
// reductions make.

template <class S>
struct BlockOperators {
    // Element by element; a spread axis takes the other operand's extent.
    static Value<S> zip(Fn fn, const Value<S>& a, const Value<S>& b, Arena<S>& arena);
    // `a` with its spread axes extended to these extents.
    static Value<S> fill(const Value<S>& a, int rows, int cols, Arena<S>& arena);
    static Value<S> functional(FunctionalOp op, const Value<S>* args, Arena<S>& arena);
    // Sum (fn = Add) or maximum (fn = Max) of a list's elements, items or lists.
    static Value<S> fold(Fn fn, const Value<S>* elements, int count, BlockMemory<S>& memory);
};

// One item that grows by one summand (or candidate for the maximum) at a time.
template <class S>
class Accumulator {
public:
    explicit Accumulator(Fn fn) : fn_(fn) {}
    void add(const Value<S>& item, Arena<S>& arena);
    bool empty() const { return value_.data == nullptr; }
    const Value<S>& value() const { return value_; }

private:
    Fn fn_;
    Value<S> value_;
    S* own_ = nullptr;  // value_'s data once it is this accumulator's own
};

// Elementwise expressions compiled for evaluation on items: shared parts and constants are computed once.

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
