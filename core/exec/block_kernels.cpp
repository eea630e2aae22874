#include "core/exec/block_kernels.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

namespace {

// How to walk over an item that is spread over `rows` x `cols`.
template <class S>
struct View {
    const S* data;
    int row_step;
    int col_step;
};

template <class S>
View<S> view(const Value<S>& a) {
    return {a.data, a.rows == kSpread ? 0 : Value<S>::stored(a.cols), a.cols == kSpread ? 0 : 1};
}

// A vector as a block whose columns (or rows) are all alike.
template <class S>
View<S> along_rows(const Value<S>& c) {
    return {c.data, c.rows == kSpread ? 0 : 1, 0};
}
template <class S>
View<S> along_cols(const Value<S>& r) {
    return {r.data, 0, r.rows == kSpread ? 0 : 1};
}

int join(int a, int b) {
    if (a != kSpread && b != kSpread && a != b)
        throw InternalError("items of " + std::to_string(a) + " and " + std::to_string(b) +
                            " elements along one axis do not fit each other");
    return a == kSpread ? b : a;
}

int known(int extent) {
    if (extent == kSpread) throw InternalError("an axis is summed before its extent is known");
    return extent;
}

template <class S, class F>
Value<S> combine(View<S> a, View<S> b, int rows, int cols, Arena<S>& arena, const F& f) {
    const int row_count = Value<S>::stored(rows);
    const int col_count = Value<S>::stored(cols);
    S* result = arena.allocate(row_count * col_count);
    S* out = result;
    for (int row = 0; row < row_count; ++row) {
        const S* left = a.data + row * a.row_step;
        const S* right = b.data + row * b.row_step;
        for (int col = 0; col < col_count; ++col) *out++ = f(left[col * a.col_step], right[col * b.col_step]);
    }
    return item_value(rows, cols, static_cast<const S*>(result));
}

template <class S>
Value<S> combine(Fn fn, View<S> a, View<S> b, int rows, int cols, Arena<S>& arena) {
    if (fn == Fn::Add) return combine(a, b, rows, cols, arena, [](S x, S y) { return x + y; });
    if (fn == Fn::Mul) return combine(a, b, rows, cols, arena, [](S x, S y) { return x * y; });
    return combine(a, b, rows, cols, arena, [fn](S x, S y) { return apply(fn, x, y); });
}

template <class S>
Value<S> with_vector(Fn fn, const Value<S>& a, const Value<S>& vector, bool rows, Arena<S>& arena) {
    if (rows) return combine(fn, view(a), along_rows(vector), join(a.rows, vector.rows), a.cols, arena);
    return combine(fn, view(a), along_cols(vector), a.rows, join(a.cols, vector.rows), arena);
}

template <class S>
S fold_elements(Fn fn, const S* data, int count) {
    S result = data[0];
    for (int i = 1; i < count; ++i) result = fn == Fn::Add ? result + data[i] : apply(fn, result, data[i]);
    return result;
}

template <class S>
Value<S> fold_rows(Fn fn, const Value<S>& a, Arena<S>& arena) {
    const int cols = known(a.cols);
    const int rows = Value<S>::stored(a.rows);
    S* result = arena.allocate(rows);
    for (int row = 0; row < rows; ++row) result[row] = fold_elements(fn, a.data + row * cols, cols);
    return item_value(a.rows, 1, static_cast<const S*>(result));
}

template <class S>
Value<S> block_max(const Value<S>& a, Arena<S>& arena) {
    S* result = arena.allocate(1);
    *result = fold_elements(Fn::Max, a.data, known(a.rows) * known(a.cols));
    return item_value(1, 1, static_cast<const S*>(result));
}

template <class S>
Value<S> dot(const Value<S>& a, const Value<S>& b, Arena<S>& arena) {
    const int inner = join(known(a.cols), known(b.cols));
    const int rows = Value<S>::stored(a.rows);
    const int cols = Value<S>::stored(b.rows);
    S* result = arena.allocate(rows * cols);
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
            S sum{};
            for (int i = 0; i < inner; ++i) sum = sum + a.data[row * inner + i] * b.data[col * inner + i];
            result[row * cols + col] = sum;
        }
    return item_value(a.rows, b.rows, static_cast<const S*>(result));
}

}  // namespace

template <class S>
Value<S> BlockKernels<S>::zip(Fn fn, const Value<S>& a, const Value<S>& b, Arena<S>& arena) {
    return combine(fn, view(a), view(b), join(a.rows, b.rows), join(a.cols, b.cols), arena);
}

template <class S>
Value<S> BlockKernels<S>::fill(const Value<S>& a, int rows, int cols, Arena<S>& arena) {
    return combine(view(a), view(a), join(a.rows, rows), join(a.cols, cols), arena, [](S x, S) { return x; });
}

template <class S>
Value<S> BlockKernels<S>::functional(FunctionalOp op, const Value<S>* args, Arena<S>& arena) {
    switch (op) {
        case FunctionalOp::Add:
            return zip(Fn::Add, args[0], args[1], arena);
        case FunctionalOp::Mul:
            return zip(Fn::Mul, args[0], args[1], arena);
        case FunctionalOp::RowShift:
            return with_vector(Fn::Add, args[0], args[1], true, arena);
        case FunctionalOp::RowScale:
            return with_vector(Fn::Mul, args[0], args[1], true, arena);
        case FunctionalOp::ColShift:
            return with_vector(Fn::Add, args[0], args[1], false, arena);
        case FunctionalOp::ColScale:
            return with_vector(Fn::Mul, args[0], args[1], false, arena);
        case FunctionalOp::RowSum:
            return fold_rows(Fn::Add, args[0], arena);
        case FunctionalOp::RowMax:
            return fold_rows(Fn::Max, args[0], arena);
        case FunctionalOp::BlockMax:
            return block_max(args[0], arena);
        case FunctionalOp::Dot:
            return dot(args[0], args[1], arena);
        case FunctionalOp::Outer:
            return combine(Fn::Mul, along_rows(args[0]), along_cols(args[1]), args[0].rows, args[1].rows,
                           arena);
    }
    throw InternalError("unknown functional operator");
}

template <class S>
Value<S> BlockKernels<S>::fold(Fn fn, const Value<S>* elements, int count, BlockMemory<S>& memory) {
    if (count == 0) throw InternalError("a reduction of an empty list");
    if (!elements[0].is_list()) {
        Accumulator<S> total(fn);
        for (int i = 0; i < count; ++i) total.add(elements[i], memory.scalars);
        return total.value();
    }
    const int length = elements[0].count;
    Value<S>* column = memory.values.allocate(count);
    Value<S>* result = memory.values.allocate(length);
    for (int j = 0; j < length; ++j) {
        for (int i = 0; i < count; ++i) column[i] = elements[i].elements[j];
        result[j] = fold(fn, column, count, memory);
    }
    return list_value(static_cast<const Value<S>*>(result), length);
}

template <class S>
void Accumulator<S>::add(const Value<S>& item, Arena<S>& arena) {
    if (empty()) {
        value_ = item;
        return;
    }
    if (value_.rows != item.rows || value_.cols != item.cols) {
        value_ = BlockKernels<S>::zip(fn_, value_, item, arena);
        own_ = nullptr;
        return;
    }
    if (!own_) {
        own_ = arena.allocate(value_.size());
        std::copy_n(value_.data, value_.size(), own_);
        value_.data = own_;
    }
    const int size = item.size();
    for (int i = 0; i < size; ++i)
        own_[i] = fn_ == Fn::Add ? own_[i] + item.data[i] : apply(fn_, own_[i], item.data[i]);
}

template struct BlockKernels<double>;
template struct BlockKernels<Exact>;
template class Accumulator<double>;
template class Accumulator<Exact>;

}  // namespace blockscope
