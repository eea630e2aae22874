// Elementwise code: one instruction after the other on tiles that fit the first-level cache.
#include <algorithm>

#include "core/engine/worker.h"

namespace blockscope::engine {

namespace {

constexpr int kTile = 1024;  // numbers per register

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

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

void apply(const KernelTable& kernels, Op op, const Target& to, const Operand& a, const Operand& b) {
    const int number = static_cast<int>(op);
    if (number < kFirstBinary) return kernels.unary[number](to, a);
    kernels.binary[number - kFirstBinary][a.splat ? 1 : 0][b.splat ? 1 : 0](to, a, b);
}

}  // namespace

std::int64_t tile_bytes(const Plan& plan) {
    int registers = 0;
    for (const ExprCode& code : plan.codes) registers = std::max(registers, code.registers);
    return std::int64_t{registers} * kTile * static_cast<std::int64_t>(sizeof(float));
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
    const Clock clock(profiled, times.kernel);
    ++times.kernel_calls;
    evaluate(shared_.plan->codes[at(code)], op, to);
}

void Worker::evaluate(const ExprCode& code, const EvalOp& op, View& to) {
    const KernelTable& kernels = *shared_.kernels;
    // Without gaps between rows, and without anything that differs by row or column, a block is one long row.
    bool flat = to.rows > 1 && to.step[kPlain] == to.cols;
    for (int i = 0; i < code.args && flat; ++i) {
        const ArgMode mode = op.modes[at(i)];
        flat = mode == ArgMode::Scalar ||
               (mode == ArgMode::Full && view(op.args[at(i)]).step[kPlain] == to.cols);
    }
    const int rows = flat ? 1 : to.rows;
    const int cols = flat ? to.rows * to.cols : to.cols;
    const int tile_cols = std::min(cols, kTile);
    const int tile_rows = std::max(1, kTile / tile_cols);
    for (int row = 0; row < rows; row += tile_rows) {
        for (int col = 0; col < cols; col += tile_cols) {
            Target tile{nullptr, tile_cols, std::min(tile_rows, rows - row), std::min(tile_cols, cols - col)};
            const auto value = [&](const CodeValue& v) -> Operand {
                if (v.kind == CodeValue::Kind::Constant) return {&code.constants[at(v.index)], 0, true};
                if (v.kind == CodeValue::Kind::Register)
                    return {tiles_.floats() + std::int64_t{v.index} * kTile, tile_cols, false};
                return operand(view(op.args[at(v.index)]), op.modes[at(v.index)], row, col);
            };
            for (const CodeLine& line : code.lines) {
                const bool last = &line == &code.lines.back();
                tile.data = last ? to.data[kPlain] + row * to.step[kPlain] + col
                                 : tiles_.floats() + std::int64_t{line.to} * kTile;
                tile.row_step = last ? to.step[kPlain] : tile_cols;
                apply(kernels, line.op, tile, value(line.a), value(line.b));
            }
        }
    }
}

}  // namespace blockscope::engine
