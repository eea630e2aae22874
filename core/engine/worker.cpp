#include "core/engine/worker.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include "core/exec/evaluate.h"
#include "core/support/index.h"
#include "core/support/result.h"

#ifdef __linux__
#include <sys/mman.h>
#endif
#if defined(__x86_64__)
#include <emmintrin.h>
#endif
#ifdef BLOCKSCOPE_LIBXSMM
#include <libxsmm.h>
#endif

namespace blockscope::engine {

namespace {

// Numbers of a packed input from which on it is written past the caches, which would not hold it.
constexpr std::int64_t kStreamed = std::int64_t{1} << 20;

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
      starts(static_cast<std::size_t>(shared.plan->slots)),
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
    const auto slot = static_cast<std::size_t>(add.slot);
    return !add.active || index[slot] == starts[slot];
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

void Worker::pack(const Piece& piece) {
    const auto memory_of = [&](const Region& region) -> const Memory& {
        return shared_.regions[static_cast<std::size_t>(&region - shared_.plan->regions.data())];
    };
    float* const data = memory_of(piece.to).floats() + piece.to_offset;
    const bool turned = piece.to.form == kTransposed;
    const int rows = turned ? piece.cols : piece.rows;
    const int cols = turned ? piece.rows : piece.cols;
    if (piece.from.form != piece.to.form)
        return move(piece.from, memory_of(piece.from), piece.from_offset, true,
                    {data, piece.to.row_step, rows, cols});
    const Target target{data + piece.first * piece.to.row_step, piece.to.row_step, piece.count, cols};
    const std::int64_t from = piece.from_offset + piece.first * piece.from.row_step;
    if (piece.from.bf16 || piece.to.elements < kStreamed)
        return move(piece.from, memory_of(piece.from), from, false, target);
    shared_.simd->stream(target, memory_of(piece.from).floats() + from, piece.from.row_step);
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

// Whether the item of the mask hides nothing.
bool Worker::all_zeros(const MaskOp& op) const {
    const DimTable& dims = shared_.plan->program->dims;
    const Dim& rows = dims[(op.transposed ? op.cols : op.rows).value];
    const Dim& cols = dims[(op.transposed ? op.rows : op.cols).value];
    const ItemExtent& extent = op.extent;
    const auto row = index[static_cast<std::size_t>((op.transposed ? extent.cols : extent.rows).slot)];
    const auto col = index[static_cast<std::size_t>((op.transposed ? extent.rows : extent.cols).slot)];
    const BlockRange clear = clear_blocks(rows, cols, op.window, row);
    return clear.begin <= col && col < clear.end;
}

// 0 where the row sees the column: row i of R those from i + C - R on downwards, C being the number of
// columns.
void Worker::operator()(const MaskOp& op) {
    View& to = view(op.to);
    to.rows = extent(op.extent.rows);
    to.cols = extent(op.extent.cols);
    const DimTable& dims = shared_.plan->program->dims;
    const Dim& rows = dims[op.rows.value];
    const Dim& cols = dims[op.cols.value];
    to.zeros = op.may_be_left_out && all_zeros(op);
    if (to.zeros) return;
    const std::int64_t row0 = index[static_cast<std::size_t>(op.extent.rows.slot)] * rows.block;
    const std::int64_t col0 = index[static_cast<std::size_t>(op.extent.cols.slot)] * cols.block;
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    for (int row = 0; row < to.rows; ++row) {
        // Read transposed, a row of the block is a column of the mask: rows of the mask from the diagonal on
        // see it, otherwise columns up to the diagonal are seen.
        const std::int64_t diagonal = row0 + row - col0 + cols.size - rows.size;
        const std::int64_t window = op.window > 0 ? op.window : rows.size + cols.size;
        const std::int64_t seen = op.transposed ? diagonal : diagonal + 1 - window;
        const int begin = static_cast<int>(std::clamp<std::int64_t>(seen, 0, to.cols));
        const int end = static_cast<int>(std::clamp<std::int64_t>(seen + window, 0, to.cols));
        float* out = to.data[kPlain] + row * to.step[kPlain];
        const auto masked = static_cast<float>(kMasked);
        shared_.simd->fill({out, 0, 1, begin}, masked);
        shared_.simd->fill({out + begin, 0, 1, end - begin}, 0);
        shared_.simd->fill({out + end, 0, 1, to.cols - end}, masked);
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
    if (op.of)
        return fold_computed(*op.of, k.row_fold[static_cast<int>(functional_operator(op.op).fn)], to, add);
    to.rows = 1;
    const bool rows = form_of(op.op) == FunctionalForm::FoldRows;
    to.cols = rows ? a.rows : 1;
    const float* from = a.data[op.form];
    float* result = to.data[kPlain];
    const auto number = static_cast<int>(functional_operator(op.op).fn);
    if (op.form == kTransposed)
        return k.col_fold[number](result, from, a.step[kTransposed], a.cols, a.rows, add);
    const SimdTable::RowFold fold = k.row_fold[number];
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

void Worker::operator()(const RotateOp& op) {
    View& to = view(op.to);
    const View& from = view(op.a);
    to.rows = from.rows;
    to.cols = from.cols;
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    const int half = from.cols / 2;
    const std::int64_t step = from.step[kPlain];
    if (op.half) {
        const SimdTable& k = *shared_.simd;
        const float* a = from.data[kPlain];
        float* result = to.data[kPlain];
        k.unary[static_cast<int>(op_of(Fn::Neg))]({result, to.step[kPlain], to.rows, half},
                                                  {a + half, step, false});
        k.copy({result + half, to.step[kPlain], to.rows, half}, a, step);
        return;
    }
    for (int row = 0; row < to.rows; ++row) {
        const float* a = from.data[kPlain] + row * step;
        float* result = to.data[kPlain] + row * to.step[kPlain];
        for (int x = 0; x < 2 * half; x += 2) {
            result[x] = -a[x + 1];
            result[x + 1] = a[x];
        }
    }
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
    const BlockRange range = range_of(loop, index, shared_.plan->program->dims);
    starts[static_cast<std::size_t>(loop.slot)] = range.begin;
    for (at = range.begin; at < range.end; ++at)
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

void Worker::set_shape(const EvalOp& op, View& to) {
    if (op.shape_cols < 0) {
        to.rows = to.cols = 1;
        return;
    }
    const View rows = view(op.args[at(op.shape_rows)]);  // a copy: it may be `to` itself
    to.cols = view(op.args[at(op.shape_cols)]).cols;
    to.rows = op.rows_from_cols ? rows.cols : rows.rows;
}

int Worker::code_of(const EvalOp& op, bool first) {
    if (op.clear && view(op.clear->mask).zeros) return first ? op.clear->first_code : op.clear->code;
    return first ? op.first_code : op.code;
}

void Worker::operator()(const EvalOp& op) {
    View& to = view(op.to);
    set_shape(op, to);
    const int code = code_of(op, op.add.active && first(op.add));
    const Clock clock(profiled, times.routine);
    ++times.routine_calls;
    evaluate(shared_.plan->codes[at(code)], op, to);
}

Operand Worker::value(const CodeValue& v, const ExprCode& code, const EvalOp& op, int row, int col,
                      int step) {
    if (v.kind == CodeValue::Kind::Constant) return {&code.constants[at(v.index)], 0, true};
    if (v.kind == CodeValue::Kind::Register)
        return {tiles_.floats() + std::int64_t{v.index} * kTileSide, step, false};
    return operand(view(op.args[at(v.index)]), op.modes[at(v.index)], row, col);
}

void Worker::tile(const ExprCode& code, const EvalOp& op, int row, int col, const Target& result, int width) {
    for (const CodeLine& line : code.lines) {
        const bool last = &line == &code.lines.back();
        const Target target = last ? result
                                   : Target{tiles_.floats() + std::int64_t{line.to} * kTileSide, width,
                                            result.rows, result.cols};
        apply(*shared_.simd, line.op, target, value(line.a, code, op, row, col, width),
              value(line.b, code, op, row, col, width));
    }
}

void Worker::evaluate(const ExprCode& code, const EvalOp& op, View& to) {
    // Without gaps between rows, and without anything that differs by row or column, a block is one long row.
    bool flat = to.rows > 1 && to.step[kPlain] == to.cols;
    for (int i = 0; i < code.args && flat; ++i) {
        const ArgMode mode = op.modes[at(i)];
        flat = mode == ArgMode::Scalar ||
               (mode == ArgMode::Full && view(op.args[at(i)]).step[kPlain] == to.cols);
    }
    const int rows = flat ? 1 : to.rows;
    const int cols = flat ? to.rows * to.cols : to.cols;
    const int width = std::min(cols, kTileSide);
    const int height = std::max(1, kTileSide / width);
    for (int row = 0; row < rows; row += height)
        for (int col = 0; col < cols; col += width)
            tile(code, op, row, col,
                 {to.data[kPlain] + row * to.step[kPlain] + col, to.step[kPlain],
                  std::min(height, rows - row), std::min(width, cols - col)},
                 width);
}

void Worker::fold_computed(const EvalOp& op, SimdTable::RowFold fold, View& to, bool add) {
    View all;
    set_shape(op, all);
    const ExprCode& code = shared_.plan->codes[at(code_of(op, false))];
    const int width = std::min(all.cols, kTileSide);
    const int height = std::max(1, kTileSide / width);
    float* const result = tiles_.floats() + std::int64_t{code.registers - 1} * kTileSide;
    to.rows = 1;
    to.cols = all.rows;
    for (int row = 0; row < all.rows; row += height)
        for (int col = 0; col < all.cols; col += width) {
            const Target target{result, width, std::min(height, all.rows - row),
                                std::min(width, all.cols - col)};
            tile(code, op, row, col, target, width);
            fold(to.data[kPlain] + row, result, width, target.rows, target.cols, add || col > 0);
        }
}

namespace {

constexpr std::int64_t kCacheLine = 64;
constexpr std::int64_t kLargePage = std::int64_t{1} << 21;

}  // namespace

Memory::Memory(std::int64_t bytes) {
    const std::int64_t unit = bytes >= kLargePage ? kLargePage : kCacheLine;
    bytes_ = (bytes + unit) / unit * unit;
    void* data = std::aligned_alloc(static_cast<std::size_t>(unit), static_cast<std::size_t>(bytes_));
    if (!data) throw std::bad_alloc();
    data_.reset(data, std::free);
#ifdef __linux__
    if (unit == kLargePage) madvise(data, static_cast<std::size_t>(bytes_), MADV_HUGEPAGE);
#endif
    std::memset(data, 0, static_cast<std::size_t>(bytes_));
}

bool drop_from_caches(const Memory& memory) {
#if defined(__x86_64__)
    const char* data = reinterpret_cast<const char*>(memory.floats());
    for (std::int64_t at = 0; at < memory.bytes(); at += kCacheLine) _mm_clflush(data + at);
    _mm_mfence();
    return true;
#else
    (void)memory;
    return false;
#endif
}

std::int64_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    while (file >> word) {
        if (word != "MemAvailable:") continue;
        std::int64_t kilobytes = 0;
        if (file >> kilobytes) return kilobytes * 1024;
    }
    return std::int64_t{1} << 32;
}

#ifdef BLOCKSCOPE_LIBXSMM

namespace {

// libxsmm's matrices are column-major: its C^T = Bt^T A^T is our C = A Bt. Null where it has no routine for
// these sizes.
libxsmm_smmfunction make(int rows, int cols, int inner, const MatmulShape& shape, bool add) {
    const auto m = static_cast<libxsmm_blasint>(cols);
    const auto n = static_cast<libxsmm_blasint>(rows);
    const auto k = static_cast<libxsmm_blasint>(inner);
    const auto lda = static_cast<libxsmm_blasint>(shape.bt_step);
    const auto ldb = static_cast<libxsmm_blasint>(shape.a_step);
    const auto ldc = static_cast<libxsmm_blasint>(shape.c_step);
    if (lda < m || ldb < k || ldc < m) return nullptr;
    const float alpha = 1;
    const float beta = add ? 1 : 0;
    const int flags = LIBXSMM_GEMM_FLAG_NONE;
    const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    return libxsmm_smmdispatch(m, n, k, &lda, &ldb, &ldc, &alpha, &beta, &flags, &prefetch);
}

}  // namespace

Matmul::Matmul(const MatmulShape& shape) : shape_(shape), table_(&simd()) {
    libxsmm_init();
    for (std::size_t size = 0; size < 8; ++size)
        for (const bool add : {false, true})
            made_[size][add ? 1 : 0] = make(shape.rows[(size >> 2) & 1], shape.cols[(size >> 1) & 1],
                                            shape.inner[size & 1], shape, add);
}

std::string matmul_name() {
    libxsmm_init();
    return std::string("libxsmm (") + libxsmm_get_target_arch() + ")";
}

#else

Matmul::Matmul(const MatmulShape& shape) : shape_(shape), table_(&simd()) {}

std::string matmul_name() {
    return std::string("own (") + simd().name + ")";
}

#endif

}  // namespace blockscope::engine
