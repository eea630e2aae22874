// Functional operators on single items (Blockbuster, Table 1), and the sums and maxima that maps and
// reductions make.
#pragma once

#include "core/exec/block_value.h"
#include "core/exec/exact.h"
#include "core/graph/node.h"

namespace blockscope {

template <class S>
struct BlockKernels {
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

}  // namespace blockscope
