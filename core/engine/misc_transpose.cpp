// Transposing a whole array, block by block: the one miscellaneous operator whose meaning is known.
#include <optional>

#include "core/engine/worker.h"

namespace blockscope::engine {

namespace {

struct Steps {
    std::int64_t blocks = 1;
    std::int64_t step = 0;  // from one block to the next
};

// The blocks of a region that leading indices select: block rows and columns, and what lies around them.
struct BlockGrid {
    std::vector<Steps> around;  // outermost first
    Steps rows, cols;
    Item item;
    std::int64_t base = 0;

    std::int64_t matrices() const {
        std::int64_t count = 1;
        for (const Steps& level : around) count *= level.blocks;
        return count;
    }
    // Of matrix `number`, the last level running fastest.
    std::int64_t start(std::int64_t number) const {
        std::int64_t offset = base;
        for (std::size_t i = around.size(); i-- > 0;) {
            offset += number % around[i].blocks * around[i].step;
            number /= around[i].blocks;
        }
        return offset;
    }
};

// None of what has no blocks.
std::optional<BlockGrid> grid_of(const MiscOp::Array& array, const Plan& plan,
                                 const std::vector<std::int64_t>& index) {
    const Region& region = plan.regions[static_cast<std::size_t>(array.region)];
    const Buffer& buffer = plan.program->buffers[static_cast<std::size_t>(region.buffer)];
    const DimTable& dims = plan.program->dims;
    BlockGrid grid;
    grid.item = buffer.type.item();
    if (grid.item.kind != ItemKind::Block) return {};
    const auto fixed = static_cast<std::size_t>(array.leading);
    Type type = buffer.type;
    for (std::size_t i = buffer.dims.size(); i-- > fixed;) type = type.list_over(buffer.dims[i]);
    const ArrayLayout layout = array_layout(type, false, dims);
    const auto level = [&](int list) {
        if (list < 0) return Steps{};
        const std::size_t at = fixed + static_cast<std::size_t>(list);
        return Steps{dims[buffer.dims[at].value].blocks(), region.steps[at]};
    };
    for (int i = 0; i < layout.leading; ++i) grid.around.push_back(level(i));
    grid.rows = level(layout.row_list);
    grid.cols = level(layout.col_list);
    for (const AddressTerm& term : array.terms)
        grid.base += index[static_cast<std::size_t>(term.slot)] * term.step;
    return grid;
}

bool are_transposes(const BlockGrid& a, const BlockGrid& b) {
    return a.item.rows == b.item.cols && a.item.cols == b.item.rows && a.rows.blocks == b.cols.blocks &&
           a.cols.blocks == b.rows.blocks && a.matrices() == b.matrices();
}

}  // namespace

bool Worker::transpose_array(const MiscOp& op) {
    const Plan& plan = *shared_.plan;
    const MiscOp::Array& input = op.inputs.at(0);
    const MiscOp::Array& output = op.outputs.at(0);
    const std::optional<BlockGrid> in = grid_of(input, plan, index);
    const std::optional<BlockGrid> out = grid_of(output, plan, index);
    if (!in || !out || !are_transposes(*in, *out)) return false;
    const Region& from = plan.regions[static_cast<std::size_t>(input.region)];
    const Region& to = plan.regions[static_cast<std::size_t>(output.region)];
    const Memory& memory = shared_.regions[static_cast<std::size_t>(input.region)];
    float* const target = shared_.regions[static_cast<std::size_t>(output.region)].floats();
    const Dim& rows = plan.program->dims[in->item.rows.value];
    const Dim& cols = plan.program->dims[in->item.cols.value];
    for (std::int64_t matrix = 0; matrix < in->matrices(); ++matrix)
        for (std::int64_t row = 0; row < in->rows.blocks; ++row)
            for (std::int64_t col = 0; col < in->cols.blocks; ++col) {
                auto high = static_cast<int>(cols.block_size(col));  // of the block of the result
                auto wide = static_cast<int>(rows.block_size(row));
                if (to.form == kTransposed) std::swap(high, wide);
                const std::int64_t here = in->start(matrix) + row * in->rows.step + col * in->cols.step;
                const std::int64_t there = out->start(matrix) + col * out->rows.step + row * out->cols.step;
                move(from, memory, here, from.form == to.form, {target + there, to.row_step, high, wide});
            }
    return true;
}

}  // namespace blockscope::engine
