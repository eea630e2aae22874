// Miscellaneous operators: nothing is known of them but what the reference makes of their names, so that runs
// here, on whole arrays in float64. (Transposing moves numbers only; the plan has an operation for it.)
#include <cstring>
#include <optional>

#include "core/engine/worker.h"
#include "core/exec/evaluate.h"
#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope::engine {

namespace {

// The items of a region that leading indices select, and their places in an array of their own.
class Items {
public:
    Items(const MiscOp::Array& array, bool transposed, const Shared& shared,
          const std::vector<std::int64_t>& index)
        : dims_(shared.plan->program->dims),
          region_(shared.plan->regions[at(array.region)]),
          buffer_(shared.plan->program->buffers[at(region_.buffer)]),
          memory_(shared.regions[at(array.region)]),
          leading_(array.leading) {
        Type type = buffer_.type;
        for (std::size_t i = buffer_.dims.size(); i-- > at(leading_);) type = type.list_over(buffer_.dims[i]);
        layout = array_layout(type, transposed, dims_);
        rank_ = type.rank();
        for (const AddressTerm& term : array.terms) base_ += index[at(term.slot)] * term.step;
    }

    ArrayLayout layout;

    // visit(number of the element in the array, its offset in the region)
    template <class Visit>
    void for_each(const Visit& visit) const {
        std::vector<std::int64_t> tuple(at(rank_));
        walk(0, tuple, visit);
    }

    float read(std::int64_t offset) const {
        if (!region_.bf16) return memory_.floats()[offset];
        const std::uint32_t bits = std::uint32_t{memory_.halves()[offset]} << 16;
        float value = 0;
        static_assert(sizeof value == sizeof bits);
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    void write(std::int64_t offset, double value) const {
        memory_.floats()[offset] = static_cast<float>(value);
    }

private:
    template <class Visit>
    void walk(int level, std::vector<std::int64_t>& tuple, const Visit& visit) const {
        if (level == rank_) return item(tuple, visit);
        const Dim& dim = dims_.at(buffer_.dims[at(leading_ + level)].value);
        for (tuple[at(level)] = 0; tuple[at(level)] < dim.blocks(); ++tuple[at(level)])
            walk(level + 1, tuple, visit);
    }

    template <class Visit>
    void item(const std::vector<std::int64_t>& tuple, const Visit& visit) const {
        std::int64_t from = base_;
        std::int64_t lead = 0;
        for (int i = 0; i < rank_; ++i) {
            from += tuple[at(i)] * region_.steps[at(leading_ + i)];
            if (i < layout.leading) lead = lead * layout.shape[at(i)] + tuple[at(i)];
        }
        const Item& about = buffer_.type.item();
        const auto axis = [&](DimId dim, int list, std::int64_t& start) {
            const Dim& d = dims_.at(dim.value);
            const std::int64_t number = list < 0 ? 0 : tuple[at(list)];
            start = number * d.block;
            return d.block_size(number);
        };
        std::int64_t row0 = 0;
        std::int64_t col0 = 0;
        const std::int64_t rows =
            about.kind == ItemKind::Scalar ? 1 : axis(about.rows, layout.row_list, row0);
        const std::int64_t cols = about.kind == ItemKind::Block ? axis(about.cols, layout.col_list, col0) : 1;
        const bool block = about.kind == ItemKind::Block;
        const std::int64_t row_step = !block ? 1 : region_.form == kPlain ? region_.row_step : 1;
        const std::int64_t col_step = region_.form == kPlain ? 1 : region_.row_step;
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t col = 0; col < cols; ++col)
                visit(lead * layout.matrix + (row0 + row) * layout.row_step + (col0 + col) * layout.col_step,
                      from + row * row_step + col * col_step);
    }

    const DimTable& dims_;
    const Region& region_;
    const Buffer& buffer_;
    const Memory& memory_;
    int leading_;
    int rank_ = 0;
    std::int64_t base_ = 0;
};

}  // namespace

void run_misc(const MiscOp& op, const Shared& shared, const std::vector<std::int64_t>& index) {
    std::vector<Tensor<double>> arrays;
    for (const MiscOp::Array& input : op.inputs) {
        const Items items(input, false, shared, index);
        Tensor<double> array{items.layout.shape, {}};
        array.data.resize(static_cast<std::size_t>(element_count(array.shape)));
        items.for_each([&](std::int64_t to, std::int64_t from) {
            array.data[static_cast<std::size_t>(to)] = static_cast<double>(items.read(from));
        });
        arrays.push_back(std::move(array));
    }
    std::vector<const Tensor<double>*> operands;
    operands.reserve(arrays.size());
    for (const Tensor<double>& array : arrays) operands.push_back(&array);
    const bool transpose = op.name == "transpose";
    for (std::size_t port = 0; port < op.outputs.size(); ++port) {
        const Items items(op.outputs[port], transpose, shared, index);
        const Tensor<double> result =
            transpose ? std::move(arrays.at(0))
                      : custom_array(op.name, operands, static_cast<int>(port), items.layout.shape);
        items.for_each([&](std::int64_t from, std::int64_t to) {
            items.write(to, result.data[static_cast<std::size_t>(from)]);
        });
    }
}

// Transposing a whole array, block by block: the one miscellaneous operator whose meaning is known.

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
