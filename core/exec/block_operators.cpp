#include "core/exec/block_operators.h"

#include <algorithm>

#include "core/exec/evaluate.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

// Walks all items of a value of type `type`, telling where each lies in the array.
class Blocks {
public:
    Blocks(const Type& type, bool transposed, const DimTable& dims)
        : type_(type), dims_(dims), layout(array_layout(type, transposed, dims)) {}

    struct Position {
        int level = 0;            // list dimensions entered
        std::int64_t offset = 0;  // of the item's first element in the array
        std::int64_t row = 0;     // block index along the item's rows
        std::int64_t col = 0;
    };

    bool at_item(const Position& at) const { return at.level == type_.rank(); }
    int count(const Position& at) const { return static_cast<int>(list_dim(at).blocks()); }

    Position enter(const Position& at, int index) const {
        Position inner = at;
        ++inner.level;
        if (at.level == layout.row_list) {
            inner.row = index;
            inner.offset += index * list_dim(at).block * layout.row_step;
        } else if (at.level == layout.col_list) {
            inner.col = index;
            inner.offset += index * list_dim(at).block * layout.col_step;
        } else {
            std::int64_t step = layout.matrix;
            for (int i = at.level + 1; i < layout.leading; ++i)
                step *= layout.shape[static_cast<std::size_t>(i)];
            inner.offset += index * step;
        }
        return inner;
    }

    int rows(const Position& at) const {
        return type_.item().kind == ItemKind::Scalar ? 1 : extent(type_.item().rows, at.row);
    }
    int cols(const Position& at) const {
        return type_.item().kind == ItemKind::Block ? extent(type_.item().cols, at.col) : 1;
    }
    std::size_t element(const Position& at, int row, int col) const {
        return static_cast<std::size_t>(at.offset + row * layout.row_step + col * layout.col_step);
    }

private:
    const Dim& list_dim(const Position& at) const { return dims_.at(type_.dim(at.level).value); }
    int extent(DimId dim, std::int64_t index) const {
        return static_cast<int>(dims_.at(dim.value).block_size(index));
    }

    const Type& type_;
    const DimTable& dims_;

public:
    const ArrayLayout layout;
};

template <class S>
Value<S> cut_at(const Blocks& blocks, const Blocks::Position& at, const Tensor<S>& array,
                BlockMemory<S>& memory) {
    if (!blocks.at_item(at)) {
        const int count = blocks.count(at);
        Value<S>* elements = memory.values.allocate(count);
        for (int i = 0; i < count; ++i) elements[i] = cut_at(blocks, blocks.enter(at, i), array, memory);
        return list_value(elements, count);
    }
    const int rows = blocks.rows(at);
    const int cols = blocks.cols(at);
    S* data = memory.scalars.allocate(rows * cols);
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
            data[row * cols + col] = array.data[blocks.element(at, row, col)];
    return item_value(rows, cols, data);
}

template <class S>
void assemble_at(const Blocks& blocks, const Blocks::Position& at, const Value<S>& value, Tensor<S>& array) {
    if (!blocks.at_item(at)) {
        const int count = blocks.count(at);
        if (!value.is_list() || value.count != count) throw InternalError("a list has the wrong length");
        for (int i = 0; i < count; ++i) assemble_at(blocks, blocks.enter(at, i), value.elements[i], array);
        return;
    }
    if (value.is_list() || value.rows != blocks.rows(at) || value.cols != blocks.cols(at))
        throw InternalError("an item does not have the extents of its place in the array");
    for (int row = 0; row < value.rows; ++row)
        for (int col = 0; col < value.cols; ++col)
            array.data[blocks.element(at, row, col)] = value.data[row * value.cols + col];
}

}  // namespace

template <class S>
Value<S> cut(const Tensor<S>& array, const Type& type, bool transposed, const DimTable& dims,
             BlockMemory<S>& memory) {
    const Blocks blocks(type, transposed, dims);
    if (array.shape != blocks.layout.shape || array.size() != element_count(array.shape))
        throw InternalError("an array has the wrong shape for " + to_string(type, dims));
    return cut_at(blocks, {}, array, memory);
}

template <class S>
Tensor<S> assemble(const Value<S>& value, const Type& type, const DimTable& dims) {
    const Blocks blocks(type, false, dims);
    Tensor<S> array{blocks.layout.shape, {}};
    array.data.resize(static_cast<std::size_t>(element_count(array.shape)));
    assemble_at(blocks, {}, value, array);
    return array;
}

template Value<double> cut(const Tensor<double>&, const Type&, bool, const DimTable&, BlockMemory<double>&);
template Value<Exact> cut(const Tensor<Exact>&, const Type&, bool, const DimTable&, BlockMemory<Exact>&);
template Tensor<double> assemble(const Value<double>&, const Type&, const DimTable&);
template Tensor<Exact> assemble(const Value<Exact>&, const Type&, const DimTable&);

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
Value<S> fold_all(Fn fn, const Value<S>& a, Arena<S>& arena) {
    S* result = arena.allocate(1);
    *result = fold_elements(fn, a.data, known(a.rows) * known(a.cols));
    return item_value(1, 1, static_cast<const S*>(result));
}

// In each row the numbers at j and j + step are a pair, the first ones of pairs standing apart by `apart`.
template <class S>
Value<S> rotate(Fn fn, const Value<S>& a, bool half, Arena<S>& arena) {
    const int cols = known(a.cols);
    if (cols % 2 != 0) throw InternalError("a row of an odd number of elements has no pairs");
    const int rows = Value<S>::stored(a.rows);
    const int step = half ? cols / 2 : 1;
    const int apart = half ? 1 : 2;
    S* result = arena.allocate(rows * cols);
    for (int row = 0; row < rows; ++row)
        for (int pair = 0; pair < cols / 2; ++pair) {
            const int x = row * cols + pair * apart;
            result[x] = apply(fn, a.data[x + step], a.data[x + step]);
            result[x + step] = a.data[x];
        }
    return item_value(a.rows, a.cols, static_cast<const S*>(result));
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
Value<S> BlockOperators<S>::zip(Fn fn, const Value<S>& a, const Value<S>& b, Arena<S>& arena) {
    return combine(fn, view(a), view(b), join(a.rows, b.rows), join(a.cols, b.cols), arena);
}

template <class S>
Value<S> BlockOperators<S>::fill(const Value<S>& a, int rows, int cols, Arena<S>& arena) {
    return combine(view(a), view(a), join(a.rows, rows), join(a.cols, cols), arena, [](S x, S) { return x; });
}

template <class S>
Value<S> BlockOperators<S>::functional(FunctionalOp op, const Value<S>* args, Arena<S>& arena) {
    const Fn fn = functional_operator(op).fn;
    switch (form_of(op)) {
        case FunctionalForm::ByElement:
            return zip(fn, args[0], args[1], arena);
        case FunctionalForm::WithRows:
            return with_vector(fn, args[0], args[1], true, arena);
        case FunctionalForm::WithCols:
            return with_vector(fn, args[0], args[1], false, arena);
        case FunctionalForm::FoldRows:
            return fold_rows(fn, args[0], arena);
        case FunctionalForm::FoldAll:
            return fold_all(fn, args[0], arena);
        case FunctionalForm::Contract:
            return dot(args[0], args[1], arena);
        case FunctionalForm::Outer:
            return combine(fn, along_rows(args[0]), along_cols(args[1]), args[0].rows, args[1].rows, arena);
        case FunctionalForm::Rotate:
            return rotate(fn, args[0], op == FunctionalOp::RotateHalf, arena);
    }
    throw InternalError("unknown form of a functional operator");
}

template <class S>
Value<S> BlockOperators<S>::fold(Fn fn, const Value<S>* elements, int count, BlockMemory<S>& memory) {
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
        value_ = BlockOperators<S>::zip(fn_, value_, item, arena);
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

template struct BlockOperators<double>;
template struct BlockOperators<Exact>;
template class Accumulator<double>;
template class Accumulator<Exact>;

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
            BlockOperators<S>::zip(step.fn, registers_[static_cast<std::size_t>(step.a)],
                                   registers_[static_cast<std::size_t>(step.b)], arena);
    const Value<S>& result = registers_[static_cast<std::size_t>(result_)];
    if (result.rows == shape.rows && result.cols == shape.cols) return result;
    return BlockOperators<S>::fill(result, shape.rows, shape.cols, arena);
}

template class BlockExpr<double>;
template class BlockExpr<Exact>;

}  // namespace blockscope
