#include "gpu/codegen/values.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

#include "core/exec/evaluate.h"
#include "core/support/result.h"
#include "gpu/codegen/products.h"
#include "gpu/codegen/tile_plan.h"

namespace blockscope::gpu {

namespace {

// Vectors that have to lie alike are one group. A group lies along columns if columns want it, rows do not,
// and nothing makes it along rows.
class VectorLayout {
public:
    explicit VectorLayout(int temps) : parent_(static_cast<std::size_t>(temps) + 1), votes_(parent_.size()) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    void join(Temp a, Temp b) {
        const std::size_t from = group(a.id);
        const std::size_t to = group(b.id);
        if (from == to) return;
        parent_[from] = static_cast<int>(to);
        votes_[to].rows = votes_[to].rows || votes_[from].rows;
        votes_[to].cols = votes_[to].cols || votes_[from].cols;
    }
    void wants_rows(Temp t) { votes_[group(t.id)].rows = true; }
    void wants_cols(Temp t) { votes_[group(t.id)].cols = true; }
    bool lies_along_cols(int id) {
        const Votes& votes = votes_[group(id)];
        return votes.cols && !votes.rows;
    }

private:
    struct Votes {
        bool rows = false;
        bool cols = false;
    };

    std::size_t group(int id) {
        while (parent_[static_cast<std::size_t>(id)] != id) id = parent_[static_cast<std::size_t>(id)];
        return static_cast<std::size_t>(id);
    }

    std::vector<int> parent_;
    std::vector<Votes> votes_;
};

void vote(FunctionalOp op, Temp to, const std::vector<Temp>& args, VectorLayout& layout) {
    switch (form_of(op)) {
        case FunctionalForm::ByElement:
            layout.join(args.at(0), to);
            layout.join(args.at(1), to);
            return;
        case FunctionalForm::WithRows:
            return layout.wants_rows(args.at(1));
        case FunctionalForm::WithCols:
            return layout.wants_cols(args.at(1));
        case FunctionalForm::FoldRows:
            return layout.wants_rows(to);
        case FunctionalForm::Outer:
            layout.wants_rows(args.at(0));
            return layout.wants_cols(args.at(1));
        case FunctionalForm::FoldAll:
        case FunctionalForm::Contract:
        case FunctionalForm::Rotate:
            return;
    }
}

void vote(const Statement& statement, const TempExtents& extents, VectorLayout& layout) {
    const auto vector = [&](Temp t) { return t.id > 0 && extents.of(t).axes.size() == 1; };
    const auto join_all = [&](Temp to, const std::vector<Temp>& args) {
        for (const Temp arg : args)
            if (vector(arg) && vector(to)) layout.join(arg, to);
    };
    if (const auto* s = std::get_if<Compute>(&statement.what)) vote(s->op, s->to, s->args, layout);
    if (const auto* s = std::get_if<Evaluate>(&statement.what)) join_all(s->to, s->args);
    if (const auto* s = std::get_if<Assign>(&statement.what)) join_all(s->to, {s->from});
    if (const auto* s = std::get_if<Accumulate>(&statement.what)) {
        if (s->functional) return vote(s->op, s->to, s->args, layout);
        join_all(s->to, s->args);
    }
}

Value::Kind value_kind(const ItemExtents& extents, bool along_cols) {
    if (!extents.known) return Value::Kind::Unknown;
    if (extents.axes.empty()) return Value::Kind::Scalar;
    if (extents.axes.size() == 2) return Value::Kind::Block;
    return along_cols ? Value::Kind::Cols : Value::Kind::Rows;
}

}  // namespace

DeviceValues::DeviceValues(const LoopProgram& program)
    : values_(static_cast<std::size_t>(program.temps) + 1) {
    const TempExtents extents(program);
    VectorLayout layout(program.temps);
    std::vector<int> sets(values_.size(), 0);
    std::vector<bool> loaded(values_.size(), false);
    std::vector<bool> operand(values_.size(), false);
    for_each_statement(program.body, [&](const Statement& statement) {
        vote(statement, extents, layout);
        const StatementUses uses = uses_of(statement);
        const bool product = operands_of(statement) != nullptr;
        for (const Temp temp : uses.reads) {
            const auto id = static_cast<std::size_t>(temp.id);
            if (product)
                operand[id] = true;
            else
                values_[id].in_registers = true;
        }
        const auto made = static_cast<std::size_t>(uses.makes.id);
        ++sets[made];
        if (std::holds_alternative<Load>(statement.what)) loaded[made] = true;
    });
    for (std::size_t id = 1; id < values_.size(); ++id) {
        Value& value = values_[id];
        value.extents = extents.of({static_cast<int>(id)});
        value.kind = value_kind(value.extents, layout.lies_along_cols(static_cast<int>(id)));
        value.as_view = value.kind == Value::Kind::Block && operand[id] && loaded[id] && sets[id] == 1;
        if (!value.as_view) value.in_registers = true;
    }
}

namespace {

// A parameter's name. The prefix keeps it apart from words of the language and of the tile library.
std::string parameter(const std::string& name, std::set<std::string>& taken) {
    std::string result = "b_";
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 && result.size() < 24) result += c;
    std::string unique = result;
    for (int number = 2; !taken.insert(unique).second; ++number)
        unique = result + "_" + std::to_string(number);
    return unique;
}

// Buffers whose blocks are operands of products: these stay in the type that the tensor cores take.
std::set<int> buffers_of_products(const LoopProgram& program) {
    std::set<int> operands, buffers;
    for_each_statement(program.body, [&](const Statement& statement) {
        if (const std::vector<Temp>* of = operands_of(statement))
            for (const Temp temp : *of) operands.insert(temp.id);
    });
    for_each_statement(program.body, [&](const Statement& statement) {
        const auto* load = std::get_if<Load>(&statement.what);
        if (load && operands.count(load->to.id) > 0) buffers.insert(load->buffer);
    });
    return buffers;
}

// Statistics of rows stay in float32 in global memory too: they are few, and an exponent rounded to 8 bits
// is no exponent. What only elementwise and row operators read is rounded to 8 bits once, in the end.
ElemType stored_elem(const Buffer& buffer, bool of_product) {
    if (buffer.kind != Buffer::Kind::Intermediate) return buffer.type.elem();
    if (buffer.type.item().kind != ItemKind::Block) return ElemType::F32;
    const bool small = bytes_per_element(buffer.type.elem()) == 1;
    return small && !of_product ? ElemType::BF16 : buffer.type.elem();
}

DeviceArray::Kind kind_of(Buffer::Kind kind) {
    switch (kind) {
        case Buffer::Kind::Input:
            return DeviceArray::Kind::Input;
        case Buffer::Kind::Output:
            return DeviceArray::Kind::Output;
        case Buffer::Kind::Intermediate:
            return DeviceArray::Kind::Intermediate;
    }
    throw InternalError("unknown kind of buffer");
}

// V, where listings say VT for its transpose.
std::string declared_name(const Buffer& buffer) {
    const bool transposed = buffer.kind == Buffer::Kind::Input && buffer.transposed;
    return transposed ? buffer.name.substr(0, buffer.name.size() - 1) : buffer.name;
}

ArrayPlan plan_of(const Type& type, const ArrayLayout& layout, const DimTable& dims) {
    ArrayPlan plan;
    plan.row_step = layout.row_step;
    plan.col_step = layout.col_step;
    plan.row_index = layout.row_list;
    plan.col_index = layout.col_list;
    for (int i = 0; i < type.rank(); ++i) {
        const Dim& dim = dims.at(type.dim(i).value);
        std::int64_t step = layout.matrix;
        for (int later = i + 1; later < layout.leading; ++later)
            step *= layout.shape[static_cast<std::size_t>(later)];
        if (i == layout.row_list) step = dim.block * layout.row_step;
        if (i == layout.col_list) step = dim.block * layout.col_step;
        plan.steps.push_back(step);
    }
    return plan;
}

// An intermediate's items lie one behind the other, each with room for a whole block: the indices of a list
// that is still to be summed do not tell which of them split the items' axes.
void lay_out_in_blocks(const Type& type, const DimTable& dims, ArrayPlan& plan, DeviceArray& array) {
    const Item& item = type.item();
    array.shape.clear();
    for (int i = 0; i < type.rank(); ++i) array.shape.push_back(dims.at(type.dim(i).value).blocks());
    plan.row_step = plan.col_step = 1;
    if (item.kind != ItemKind::Scalar) array.shape.push_back(dims.at(item.rows.value).block_size(0));
    if (item.kind == ItemKind::Block) {
        plan.row_step = dims.at(item.cols.value).block_size(0);
        array.shape.push_back(plan.row_step);
    }
    plan.row_index = plan.col_index = -1;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        plan.steps[i] = 1;
        for (std::size_t later = i + 1; later < array.shape.size(); ++later)
            plan.steps[i] *= array.shape[later];
    }
}

}  // namespace

std::string c_type(ElemType elem) {
    return elem == ElemType::F32 ? "float" : to_string(elem);
}

Type buffer_type(const Buffer& buffer) {
    Type type = buffer.type;
    for (auto dim = buffer.dims.rbegin(); dim != buffer.dims.rend(); ++dim) type = type.list_over(*dim);
    return type;
}

Arrays plan_arrays(const LoopProgram& program) {
    Arrays result;
    std::set<std::string> taken;
    const std::set<int> of_products = buffers_of_products(program);
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const Buffer& buffer = program.buffers[i];
        const Type type = buffer_type(buffer);
        const ArrayLayout layout = array_layout(type, buffer.transposed, program.dims);
        DeviceArray array{.kind = kind_of(buffer.kind),
                          .name = declared_name(buffer),
                          .elem = stored_elem(buffer, of_products.count(static_cast<int>(i)) > 0),
                          .shape = layout.shape,
                          .elements = 1,
                          .buffer = static_cast<int>(i)};
        ArrayPlan plan = plan_of(type, layout, program.dims);
        if (buffer.kind == Buffer::Kind::Intermediate) lay_out_in_blocks(type, program.dims, plan, array);
        for (const std::int64_t size : array.shape) array.elements *= size;
        if (buffer.source != InputSource::Array) array.elements = 0;  // kernels compute it where they read it
        plan.parameter = parameter(buffer.name, taken);
        plan.c_type = c_type(array.elem);
        result.arrays.push_back(std::move(array));
        result.plans.push_back(std::move(plan));
    }
    return result;
}

int Arrays::add_parts(int temp, std::int64_t parts, std::int64_t rows, std::int64_t cols, bool zeroed) {
    const int number = add_workspace(temp, rows, cols);
    DeviceArray& array = arrays.back();
    array.name += zeroed ? " of all parts" : " in parts";
    array.zeroed = zeroed;
    array.shape.insert(array.shape.begin(), parts);
    array.elements *= parts;
    return number;
}

int Arrays::add_workspace(int temp, std::int64_t rows, std::int64_t cols) {
    const std::string name = "t" + std::to_string(temp);
    arrays.push_back({.kind = DeviceArray::Kind::Workspace,
                      .name = name,
                      .elem = ElemType::F32,
                      .shape = {rows, cols},
                      .elements = rows * cols});
    ArrayPlan plan;
    plan.parameter = "w_" + name;
    plan.c_type = "float";
    plan.row_step = cols;
    plan.col_step = 1;
    plans.push_back(std::move(plan));
    return static_cast<int>(arrays.size()) - 1;
}

namespace {

constexpr std::int64_t kLineBytes = 128;
constexpr std::int64_t kStrideBytes = 16;  // lines begin at multiples of this
constexpr std::int64_t kStepBytes = 32;    // of a line that a product takes at once
constexpr std::int64_t kMostLines = 256;   // of a box
constexpr std::size_t kMostAxes = 5;
constexpr std::int64_t kStepLines = 16;  // boxes have a multiple of so many lines

std::int64_t padded(std::int64_t n, std::int64_t to) {
    return (n + to - 1) / to * to;
}

class Boxes {
public:
    Boxes(const TileSlot& slot, const LoopProgram& program, const Arrays& arrays)
        : slot_(slot),
          load_(std::get<Load>(slot.at->what)),
          dims_(program.dims),
          item_(program.buffers.at(static_cast<std::size_t>(load_.buffer)).type.item()),
          type_(buffer_type(program.buffers.at(static_cast<std::size_t>(load_.buffer)))),
          array_(arrays.arrays.at(static_cast<std::size_t>(load_.buffer))),
          plan_(arrays.plans.at(static_cast<std::size_t>(load_.buffer))),
          bytes_(bytes_per_element(array_.elem)),
          step_(kStepBytes / bytes_) {}

    std::variant<Box, std::string> run() {
        if (std::string why = impossible(); !why.empty()) return why;
        box_.map.array = load_.buffer;
        add_matrix();
        for (std::size_t i = 0; i < load_.at.size(); ++i)
            if (static_cast<int>(i) != plan_.row_index && static_cast<int>(i) != plan_.col_index) add_list(i);
        if (box_.map.sizes.size() > kMostAxes) return "the array has more than five axes";
        for (std::size_t axis = 1; axis < box_.map.strides.size(); ++axis)
            if (const std::int64_t stride = box_.map.strides[axis]; stride % kStrideBytes != 0)
                return "lines of the array lie " + std::to_string(stride) +
                       " bytes apart, which is no multiple of 16";
        return std::move(box_);
    }

private:
    std::string impossible() const {
        if (slot_.in_place) return "the kernel itself writes the array, or never reads it";
        if (array_.elem != slot_.elem)
            return "the array holds " + to_string(array_.elem) + ", and the product takes " +
                   to_string(slot_.elem);
        if ((slot_.transposed ? plan_.row_step : plan_.col_step) != 1)
            return "no axis of its blocks has neighbours in memory";
        if (lines() > kMostLines) return "its blocks have more than 256 lines";
        // What lies behind a block has to be zero along the axis that the product sums over.
        const Dim& summed = dims_.at(item_.cols.value);
        if (slot_.cols % step_ != 0 && total(item_.cols, plan_.col_index) > slot_.cols)
            return "blocks of " + summed.name + " have " + std::to_string(slot_.cols) +
                   " elements, no multiple of " + std::to_string(step_);
        if (array_.kind == DeviceArray::Kind::Intermediate && summed.size % summed.block != 0)
            return "the last block of " + summed.name + " is shorter than the others";
        return "";
    }

    std::int64_t lines() const { return slot_.transposed ? slot_.cols : slot_.rows; }

    // Elements along an axis of the array's matrices.
    std::int64_t total(DimId dim, int index) const {
        const Dim& which = dims_.at(dim.value);
        return index >= 0 ? which.size : which.block_size(0);
    }

    void add(std::int64_t size, std::int64_t stride, std::int64_t box, int index, std::int64_t step) {
        const bool moves = index >= 0 && !load_.at.at(static_cast<std::size_t>(index)).zero;
        box_.map.sizes.push_back(size);
        box_.map.strides.push_back(stride);
        box_.map.box.push_back(static_cast<int>(box));
        box_.corners.push_back({moves ? index : -1, step});
    }

    void add_matrix() {
        const auto axis = [&](bool rows, std::int64_t box) {
            const DimId dim = rows ? item_.rows : item_.cols;
            const int index = rows ? plan_.row_index : plan_.col_index;
            add(total(dim, index), (rows ? plan_.row_step : plan_.col_step) * bytes_, box, index,
                dims_.at(dim.value).block);
        };
        const std::int64_t box_lines = padded(lines(), kStepLines);
        axis(slot_.transposed, kLineBytes / bytes_);
        axis(!slot_.transposed, box_lines);
        const std::int64_t length = padded(slot_.transposed ? slot_.rows : slot_.cols, step_) * bytes_;
        box_.bytes = padded(length, kLineBytes) * box_lines;
    }

    // A list of matrices: one of them at a time.
    void add_list(std::size_t i) {
        if (load_.at[i].zero) return;
        add(dims_.at(type_.dim(static_cast<int>(i)).value).blocks(), plan_.steps.at(i) * bytes_, 1,
            static_cast<int>(i), 1);
    }

    const TileSlot& slot_;
    const Load& load_;
    const DimTable& dims_;
    Item item_;
    Type type_;
    const DeviceArray& array_;
    const ArrayPlan& plan_;
    std::int64_t bytes_;
    std::int64_t step_;  // columns that a product takes at once
    Box box_;
};

}  // namespace

int tensor_map_type(ElemType elem) {
    switch (elem) {
        case ElemType::E4M3:
        case ElemType::E5M2:
            return 0;  // bytes
        case ElemType::F16:
            return 6;
        case ElemType::F32:
            return 7;
        case ElemType::BF16:
            return 9;
    }
    throw InternalError("unknown element type");
}

std::variant<Box, std::string> box_of(const TileSlot& slot, const LoopProgram& program,
                                      const Arrays& arrays) {
    return Boxes(slot, program, arrays).run();
}

}  // namespace blockscope::gpu
