#include "core/tilings/tile_values.h"

#include <algorithm>
#include <optional>

#include "core/exec/evaluate.h"

namespace blockscope::tilings {

namespace {

using engine::Op;
using engine::Operand;
using engine::Target;

std::int64_t batch_size(const Chain& chain, const Shape& shape) {
    std::int64_t size = 1;
    for (const DimId dim : shape.batch) size *= chain.program.dims[dim.value].size;
    return size;
}

// The number of an array's matrix in one chain of the batch: by the batch dimensions that it has.
std::int64_t matrix_number(const Chain& chain, const Shape& shape, std::int64_t chain_number) {
    const Shape& whole = chain.program.ops[static_cast<std::size_t>(chain.output.op)].shape;
    std::int64_t left = batch_size(chain, whole);
    std::int64_t number = 0;
    for (const DimId dim : whole.batch) {
        const std::int64_t size = chain.program.dims[dim.value].size;
        left /= size;
        const std::int64_t index = chain_number / left % size;
        if (std::find(shape.batch.begin(), shape.batch.end(), dim) != shape.batch.end())
            number = number * size + index;
    }
    return number;
}

// A constant, if the expression has no arguments.
std::optional<double> constant(const Expr& expr, const DimTable& dims) {
    if (expr.argument_count > 0) return std::nullopt;
    if (const auto* number = std::get_if<Number>(&expr.value)) return number->value;
    if (const auto* size = std::get_if<SizeOf>(&expr.value))
        return static_cast<double>(dims[size->dim.value].size);
    const Call& call = std::get<Call>(expr.value);
    const double a = *constant(*call.args[0], dims);
    return apply(call.fn, a, call.args.size() > 1 ? *constant(*call.args[1], dims) : 0);
}

// x ** 2, 1 / x and the like have routines of their own.
std::optional<Op> unary_power(Fn fn, const std::optional<double>& exponent) {
    if (fn != Fn::Pow || !exponent) return std::nullopt;
    if (*exponent == 2) return Op::Square;
    if (*exponent == -1) return Op::Reciprocal;
    if (*exponent == -0.5) return Op::ReciprocalSqrt;
    if (*exponent == 0.5) return engine::op_of(Fn::Sqrt);
    return std::nullopt;
}

}  // namespace

float* Scratch::take(std::int64_t count) {
    for (; used_ < parts_.size(); ++used_)
        if (sizes_[used_] >= count) return parts_[used_++].floats();
    parts_.emplace_back(count * std::int64_t{sizeof(float)});
    sizes_.push_back(count);
    return parts_[used_++].floats();
}

void Scratch::clear() {
    used_ = 0;
}

std::int64_t Scratch::bytes() const {
    std::int64_t sum = 0;
    for (const std::int64_t size : sizes_) sum += size * std::int64_t{sizeof(float)};
    return sum;
}

TileArrays::TileArrays(const Chain& of, std::vector<std::int64_t> sizes)
    : chain(of), tiles(std::move(sizes)) {
    for (const ArrayOp& op : chain.program.ops) {
        std::int64_t matrix = 1;
        for (const DimId axis : op.shape.axes) matrix *= chain.program.dims[axis.value].size;
        offsets.emplace_back();
        for (std::int64_t number = 0; number < chain.batch; ++number)
            offsets.back().push_back(matrix_number(chain, op.shape, number) * matrix);
    }
    for (std::size_t i = 0; i < chain.program.ops.size(); ++i) {
        const ArrayOp& op = chain.program.ops[i];
        if (op.kind != ArrayOpKind::Input || op.source != InputSource::Array) continue;
        std::int64_t count = batch_size(chain, op.shape);
        for (const DimId axis : op.shape.axes) count *= chain.program.dims[axis.value].size;
        inputs[static_cast<int>(i)].resize(static_cast<std::size_t>(count));
    }
}

std::int64_t TileArrays::begin(int loop, const Position& at) const {
    return at.index[static_cast<std::size_t>(loop)] * tiles[static_cast<std::size_t>(loop)];
}

int TileArrays::extent(int loop, const Position& at) const {
    return static_cast<int>(
        std::min(tiles[static_cast<std::size_t>(loop)], chain.size(loop) - begin(loop, at)));
}

bool TileValues::is_view(int index) const {
    const ArrayOp& op = arrays_.chain.program.ops[static_cast<std::size_t>(index)];
    if (op.kind == ArrayOpKind::Cast) return is_view(op.operands[0]);
    return op.kind == ArrayOpKind::Matmul ||
           (op.kind == ArrayOpKind::Input && op.source == InputSource::Array);
}

TileView TileValues::value(int index, AxisLoops loops, const Position& at, Scratch& scratch) const {
    const ArrayOp& op = arrays_.chain.program.ops[static_cast<std::size_t>(index)];
    switch (op.kind) {
        case ArrayOpKind::Input:
            return input(op, index, loops, at, scratch);
        case ArrayOpKind::Matmul:
            return product_(index);
        case ArrayOpKind::Cast:
            return value(op.operands[0], loops, at, scratch);
        case ArrayOpKind::Elementwise:
            return elementwise(op, loops, at, scratch);
        case ArrayOpKind::Broadcast:
            return broadcast(op, loops, at, scratch);
        case ArrayOpKind::Transpose:
            return transposed(value(op.operands[0], {loops.col, loops.row}, at, scratch), scratch);
        default:
            throw InternalError("a chain has no " + describe(op.kind));
    }
}

TileView TileValues::input(const ArrayOp& op, int index, AxisLoops loops, const Position& at,
                           Scratch& scratch) const {
    if (op.source != InputSource::Array) return mask(op, loops, at, scratch);
    const float* data = arrays_.inputs.at(index).data() +
                        arrays_.offsets[static_cast<std::size_t>(index)][static_cast<std::size_t>(at.chain)];
    if (op.shape.axes.empty()) return {{data, 0, true}, 1, 1};
    if (op.shape.axes.size() == 1) {
        const bool along_rows = loops.row >= 0;
        const int loop = along_rows ? loops.row : loops.col;
        data += arrays_.begin(loop, at);
        const int count = arrays_.extent(loop, at);
        if (along_rows) return {{data, 1, true}, count, 1};
        return {{data, 0, false}, 1, count};
    }
    const std::int64_t step = arrays_.chain.size(loops.col);
    data += arrays_.begin(loops.row, at) * step + arrays_.begin(loops.col, at);
    return {{data, step, false}, arrays_.extent(loops.row, at), arrays_.extent(loops.col, at)};
}

TileView TileValues::mask(const ArrayOp& op, AxisLoops loops, const Position& at, Scratch& scratch) const {
    const int rows = arrays_.extent(loops.row, at);
    const int cols = arrays_.extent(loops.col, at);
    const std::int64_t ahead = arrays_.chain.size(loops.col) - arrays_.chain.size(loops.row);
    const std::int64_t first_col = arrays_.begin(loops.col, at);
    float* data = scratch.take(std::int64_t{rows} * cols);
    for (int i = 0; i < rows; ++i) {
        const std::int64_t seen = arrays_.begin(loops.row, at) + i + ahead;  // the last column that it sees
        for (int j = 0; j < cols; ++j) {
            const std::int64_t col = first_col + j;
            const bool sees = col <= seen && (op.window == 0 || col > seen - op.window);
            data[std::int64_t{i} * cols + j] = sees ? 0.0f : static_cast<float>(kMasked);
        }
    }
    return {{data, cols, false}, rows, cols};
}

TileView TileValues::transposed(const TileView& of, Scratch& scratch) const {
    float* data = scratch.take(std::int64_t{of.rows} * of.cols);
    engine::simd().transpose({data, of.rows, of.cols, of.rows}, of.operand.data, of.operand.row_step);
    return {{data, of.rows, false}, of.cols, of.rows};
}

TileView TileValues::broadcast(const ArrayOp& op, AxisLoops loops, const Position& at,
                               Scratch& scratch) const {
    std::vector<TileView> operands;
    for (const int operand : op.operands) {
        const bool matrix =
            arrays_.chain.program.ops[static_cast<std::size_t>(operand)].shape.axes.size() == 2;
        const AxisLoops vector =
            op.vector_axis == VectorAxis::Rows ? AxisLoops{loops.row, -1} : AxisLoops{-1, loops.col};
        operands.push_back(value(operand, matrix ? loops : vector, at, scratch));
    }
    return computed(*call(op.fn, arg(0), arg(1)), operands, scratch);
}

TileView TileValues::elementwise(const ArrayOp& op, AxisLoops loops, const Position& at,
                                 Scratch& scratch) const {
    std::vector<TileView> operands;
    for (const int operand : op.operands) operands.push_back(value(operand, loops, at, scratch));
    return computed(*op.expr, operands, scratch);
}

// Each call of a function is a pass over the tile.
TileView TileValues::computed(const Expr& expr, const std::vector<TileView>& args, Scratch& scratch) const {
    if (const auto number = constant(expr, arrays_.chain.program.dims)) {
        float* data = scratch.take(1);
        *data = static_cast<float>(*number);
        return {{data, 0, true}, 1, 1};
    }
    if (const auto* argument = std::get_if<Arg>(&expr.value))
        return args[static_cast<std::size_t>(argument->index)];
    const Call& function = std::get<Call>(expr.value);
    const bool binary = function.args.size() > 1;
    const TileView a = computed(*function.args[0], args, scratch);
    const auto exponent =
        binary ? constant(*function.args[1], arrays_.chain.program.dims) : std::optional<double>();
    const auto power = unary_power(function.fn, exponent);
    const TileView b = binary && !power ? computed(*function.args[1], args, scratch) : TileView{};
    const int rows = std::max(a.rows, b.rows);
    const int cols = std::max(a.cols, b.cols);
    const Target to{scratch.take(std::int64_t{rows} * cols), cols, rows, cols};
    const engine::SimdTable& simd = engine::simd();
    const auto op = static_cast<std::size_t>(power ? *power : engine::op_of(function.fn));
    if (binary && !power)
        simd.binary[op][a.operand.splat ? 1 : 0][b.operand.splat ? 1 : 0](to, a.operand, b.operand);
    else
        simd.unary[op](to, a.operand);
    // A vector stays one: along the rows it is a number per row, a scalar one for all.
    if (cols == 1 && (a.operand.splat || (binary && !power && b.operand.splat)))
        return {{to.data, rows == 1 ? 0 : 1, true}, rows, cols};
    return {{to.data, rows == 1 ? 0 : cols, false}, rows, cols};
}

}  // namespace blockscope::tilings
