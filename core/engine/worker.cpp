#include "core/engine/worker.h"

#include <algorithm>

#include "core/exec/scalar.h"
#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope::engine {

namespace {

std::int64_t arena_bytes(const Plan& plan) {
    return plan.arena_floats * static_cast<std::int64_t>(sizeof(float));
}

std::int64_t wide_bytes(const Plan& plan) {
    std::int64_t largest = 0;
    for (const Region& region : plan.regions) {
        if (!region.bf16) continue;
        const Item& item = plan.program->buffers[static_cast<std::size_t>(region.buffer)].type.item();
        if (item.kind != ItemKind::Block) continue;
        const DimTable& dims = plan.program->dims;
        largest =
            std::max(largest, dims[item.rows.value].block_size(0) * dims[item.cols.value].block_size(0));
    }
    return largest * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace

Worker::Worker(const Shared& shared)
    : index(static_cast<std::size_t>(shared.plan->slots)),
      views(shared.plan->temps.size()),
      shared_(shared),
      arena_(arena_bytes(*shared.plan)),
      tiles_(tile_bytes(*shared.plan)),
      wide_(wide_bytes(*shared.plan)) {
    for (std::size_t id = 0; id < views.size(); ++id) {
        const TempPlan& temp = shared.plan->temps[id];
        views[id].step = {temp.cols, temp.rows};
        for (const Form form : {kPlain, kTransposed})
            if (temp.offset[form] >= 0) views[id].data[form] = arena_.floats() + temp.offset[form];
    }
}

bool Worker::evict() const {
    bool done = true;
    for (const Memory* memory : {&arena_, &tiles_, &wide_}) done = drop_from_caches(*memory) && done;
    return done;
}

void Worker::run(const PlanOp& op) {
    std::visit(*this, op.what);
}

std::int64_t Worker::offset(const Access& access) const {
    std::int64_t sum = 0;
    for (const AddressTerm& term : access.terms)
        sum += index[static_cast<std::size_t>(term.slot)] * term.step;
    return sum;
}

int Worker::extent(const ExtentRef& ref) const {
    if (ref.one) return 1;
    const Dim& dim = shared_.plan->program->dims[ref.dim.value];
    return static_cast<int>(dim.block_size(index[static_cast<std::size_t>(ref.slot)]));
}

bool Worker::first(const Accumulation& add) const {
    return !add.active || index[static_cast<std::size_t>(add.slot)] == add.first;
}

// `to` from an item of a region, in the same form or the other one.
void Worker::move(const Region& from, const Memory& memory, std::int64_t from_offset, bool transpose,
                  const Target& to) {
    const SimdTable& k = *shared_.simd;
    if (!from.bf16) {
        const float* data = memory.floats() + from_offset;
        return transpose ? k.transpose(to, data, from.row_step) : k.copy(to, data, from.row_step);
    }
    const std::uint16_t* data = memory.halves() + from_offset;
    if (!transpose) return k.widen(to, data, from.row_step);
    k.widen({wide_.floats(), to.rows, to.cols, to.rows}, data, from.row_step);
    k.transpose(to, wide_.floats(), to.rows);
}

void Worker::pack(const Region& from, const Region& to, std::int64_t from_offset, std::int64_t to_offset,
                  int rows, int cols) {
    if (to.form == kTransposed) std::swap(rows, cols);
    const Target target{
        shared_.regions[static_cast<std::size_t>(&to - shared_.plan->regions.data())].floats() + to_offset,
        to.row_step, rows, cols};
    move(from, shared_.regions[static_cast<std::size_t>(&from - shared_.plan->regions.data())], from_offset,
         from.form != to.form, target);
}

void Worker::operator()(const LoadOp& op) {
    View& to = view(op.to);
    to.rows = extent(op.extent.rows);
    to.cols = extent(op.extent.cols);
    for (const LoadOp::Piece& piece : op.pieces) {
        const auto number = static_cast<std::size_t>(piece.from.region);
        const Region& region = shared_.plan->regions[number];
        const Memory& memory = shared_.regions[number];
        const std::int64_t from = offset(piece.from);
        if (piece.how == LoadOp::How::View) {
            to.data[piece.form] = memory.floats() + from;
            to.step[piece.form] = region.row_step;
            continue;
        }
        const bool plain = piece.form == kPlain;
        const Target target{to.data[piece.form], to.step[piece.form], plain ? to.rows : to.cols,
                            plain ? to.cols : to.rows};
        const Clock clock(profiled, times.routine);
        ++times.routine_calls;
        move(region, memory, from, piece.how == LoadOp::How::Transpose, target);
    }
}

// 0 where column - row <= columns - rows of the whole mask.
void Worker::operator()(const MaskOp& op) {
    View& to = view(op.to);
    to.rows = extent(op.extent.rows);
    to.cols = extent(op.extent.cols);
    const DimTable& dims = shared_.plan->program->dims;
    const Dim& rows = dims[op.rows.value];
    const Dim& cols = dims[op.cols.value];
    const std::int64_t row0 = index[static_cast<std::size_t>(op.extent.rows.slot)] * rows.block;
    const std::int64_t col0 = index[static_cast<std::size_t>(op.extent.cols.slot)] * cols.block;
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    for (int row = 0; row < to.rows; ++row) {
        // Non-transposed: columns below `edge` are seen. Transposed: those from `edge` on.
        const std::int64_t diagonal = row0 + row - col0;
        const std::int64_t edge =
            op.transposed ? diagonal - (rows.size - cols.size) : diagonal + 1 + (cols.size - rows.size);
        const int split = static_cast<int>(std::clamp<std::int64_t>(edge, 0, to.cols));
        float* out = to.data[kPlain] + row * to.step[kPlain];
        const auto masked = static_cast<float>(kMasked);
        shared_.simd->fill({out, 0, 1, split}, op.transposed ? masked : 0);
        shared_.simd->fill({out + split, 0, 1, to.cols - split}, op.transposed ? 0 : masked);
    }
}

void Worker::operator()(const StoreOp& op) {
    const View& from = view(op.from);
    const bool loose = !shared_.plan->temps[static_cast<std::size_t>(op.from)].known;
    const int rows = loose ? extent(op.extent.rows) : from.rows;
    const int cols = loose ? extent(op.extent.cols) : from.cols;
    const SimdTable& k = *shared_.simd;
    for (const Access& access : op.to) {
        const auto number = static_cast<std::size_t>(access.region);
        const Region& region = shared_.plan->regions[number];
        const bool plain = region.form == kPlain;
        const Target target{shared_.regions[number].floats() + offset(access), region.row_step,
                            plain ? rows : cols, plain ? cols : rows};
        const Clock clock(profiled, times.routine);
        ++times.routine_calls;
        if (loose)
            k.fill(target, *from.data[kPlain]);
        else if (plain)
            k.copy(target, from.data[kPlain], from.step[kPlain]);
        else
            k.transpose(target, from.data[kPlain], from.step[kPlain]);
    }
}

void Worker::operator()(const DotOp& op) {
    View& to = view(op.to);
    const View& a = view(op.a);
    const View& b = view(op.b);
    to.rows = a.rows;
    to.cols = b.rows;
    const Matmul& matmul = shared_.matmuls[static_cast<std::size_t>(op.matmul)];
    const Clock clock(profiled, times.matmul);
    matmul.run(a.rows, b.rows, a.cols, a.data[kPlain], b.data[kTransposed], to.data[kPlain], !first(op.add));
    ++times.matmul_calls;
    if (profiled) times.matmul_flops += std::int64_t{2} * a.rows * b.rows * a.cols;
}

void Worker::operator()(const FoldOp& op) {
    View& to = view(op.to);
    const View& a = view(op.a);
    const SimdTable& k = *shared_.simd;
    const bool add = !first(op.add);
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    to.rows = 1;
    const bool rows = form_of(op.op) == FunctionalForm::FoldRows;
    to.cols = rows ? a.rows : 1;
    const float* from = a.data[kPlain];
    float* result = to.data[kPlain];
    const SimdTable::RowFold fold = k.row_fold[static_cast<int>(functional_operator(op.op).fn)];
    if (rows) return fold(result, from, a.step[kPlain], a.rows, a.cols, add);
    for (int row = 0; row < a.rows; ++row) fold(result, from + row * a.step[kPlain], 0, 1, a.cols, row > 0);
}

void Worker::operator()(const FillOp& op) {
    View& to = view(op.to);
    to.rows = extent(op.extent.rows);
    to.cols = extent(op.extent.cols);
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    shared_.simd->fill({to.data[kPlain], to.step[kPlain], to.rows, to.cols}, static_cast<float>(op.value));
}

void Worker::operator()(const CopyOp& op) {
    View& to = view(op.to);
    const View& from = view(op.from);
    const auto& temps = shared_.plan->temps;
    const bool loose =
        !temps[static_cast<std::size_t>(op.from)].known && temps[static_cast<std::size_t>(op.to)].known;
    to.rows = loose ? extent(op.extent.rows) : from.rows;
    to.cols = loose ? extent(op.extent.cols) : from.cols;
    const Target target{to.data[kPlain], to.step[kPlain], to.rows, to.cols};
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    if (loose) return shared_.simd->fill(target, *from.data[kPlain]);
    shared_.simd->copy(target, from.data[kPlain], from.step[kPlain]);
}

void Worker::operator()(const TransposeOp& op) {
    View& to = view(op.temp);
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    shared_.simd->transpose({to.data[kTransposed], to.step[kTransposed], to.cols, to.rows}, to.data[kPlain],
                            to.step[kPlain]);
}

void Worker::operator()(const MiscOp& op) {
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    if (op.name == "transpose" && transpose_array(op)) return;
    run_misc(op, shared_, index);
}

void Worker::operator()(const std::vector<LoopOp>& op) {
    const LoopOp& loop = op.front();
    std::int64_t& at = index[static_cast<std::size_t>(loop.slot)];
    for (at = loop.start; at < loop.end; ++at)
        for (const PlanOp& inner : loop.body) run(inner);
    at = 0;
}

// Elementwise code: one instruction after the other on tiles that fit the first-level cache.

namespace {

constexpr int kTileSide = 1024;  // numbers per register

// What an argument is at row and column (r, c) of the result.
Operand operand(const View& view, ArgMode mode, int row, int col) {
    const float* data = view.data[kPlain];
    switch (mode) {
        case ArgMode::Full:
            return {data + row * view.step[kPlain] + col, view.step[kPlain], false};
        case ArgMode::PerRow:
            return {data + row, 1, true};
        case ArgMode::PerCol:
            return {data + col, 0, false};
        case ArgMode::Scalar:
            break;
    }
    return {data, 0, true};
}

void apply(const SimdTable& table, Op op, const Target& to, const Operand& a, const Operand& b) {
    const int number = static_cast<int>(op);
    if (table.unary[number]) return table.unary[number](to, a);
    table.binary[number][a.splat ? 1 : 0][b.splat ? 1 : 0](to, a, b);
}

}  // namespace

std::int64_t tile_bytes(const Plan& plan) {
    int registers = 0;
    for (const ExprCode& code : plan.codes) registers = std::max(registers, code.registers);
    return std::int64_t{registers} * kTileSide * static_cast<std::int64_t>(sizeof(float));
}

void Worker::operator()(const EvalOp& op) {
    View& to = view(op.to);
    if (op.shape_cols >= 0) {
        const View& rows = view(op.args[at(op.shape_rows)]);
        const int cols = view(op.args[at(op.shape_cols)]).cols;
        to.rows = op.rows_from_cols ? rows.cols : rows.rows;
        to.cols = cols;
    } else {
        to.rows = to.cols = 1;
    }
    const int code = op.add.active && first(op.add) ? op.first_code : op.code;
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    evaluate(shared_.plan->codes[at(code)], op, to);
}

void Worker::evaluate(const ExprCode& code, const EvalOp& op, View& to) {
    const SimdTable& table = *shared_.simd;
    // Without gaps between rows, and without anything that differs by row or column, a block is one long row.
    bool flat = to.rows > 1 && to.step[kPlain] == to.cols;
    for (int i = 0; i < code.args && flat; ++i) {
        const ArgMode mode = op.modes[at(i)];
        flat = mode == ArgMode::Scalar ||
               (mode == ArgMode::Full && view(op.args[at(i)]).step[kPlain] == to.cols);
    }
    const int rows = flat ? 1 : to.rows;
    const int cols = flat ? to.rows * to.cols : to.cols;
    const int tile_cols = std::min(cols, kTileSide);
    const int tile_rows = std::max(1, kTileSide / tile_cols);
    for (int row = 0; row < rows; row += tile_rows) {
        for (int col = 0; col < cols; col += tile_cols) {
            Target tile{nullptr, tile_cols, std::min(tile_rows, rows - row), std::min(tile_cols, cols - col)};
            const auto value = [&](const CodeValue& v) -> Operand {
                if (v.kind == CodeValue::Kind::Constant) return {&code.constants[at(v.index)], 0, true};
                if (v.kind == CodeValue::Kind::Register)
                    return {tiles_.floats() + std::int64_t{v.index} * kTileSide, tile_cols, false};
                return operand(view(op.args[at(v.index)]), op.modes[at(v.index)], row, col);
            };
            for (const CodeLine& line : code.lines) {
                const bool last = &line == &code.lines.back();
                tile.data = last ? to.data[kPlain] + row * to.step[kPlain] + col
                                 : tiles_.floats() + std::int64_t{line.to} * kTileSide;
                tile.row_step = last ? to.step[kPlain] : tile_cols;
                apply(table, line.op, tile, value(line.a), value(line.b));
            }
        }
    }
}

}  // namespace blockscope::engine
