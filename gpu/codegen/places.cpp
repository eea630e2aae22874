// Names, types and places in memory, as the kernels write them.
#include <algorithm>
#include <cctype>

#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

namespace {

std::string named(Temp temp) {
    return "t" + std::to_string(temp.id);
}

}  // namespace

std::int64_t KernelWriter::longest(Temp temp, std::size_t axis) const {
    const Extent& extent = generation_.values.of(temp).extents.axes.at(axis);
    return generation_.program.dims.at(extent.dim.value).block_size(0);
}

std::string KernelWriter::type_of(Temp temp) const {
    switch (generation_.values.of(temp).kind) {
        case Value::Kind::Block:
            return "Block<" + std::to_string(longest(temp, 0)) + ", " + std::to_string(longest(temp, 1)) +
                   ">";
        case Value::Kind::Rows:
            return "Rows<" + std::to_string(longest(temp, 0)) + ">";
        case Value::Kind::Cols:
            return "Cols<" + std::to_string(longest(temp, 0)) + ">";
        case Value::Kind::Scalar:
            return "float";
        case Value::Kind::Unknown:
            break;
    }
    throw InternalError("codegen: the kind of " + named(temp) + " is not known");
}

std::string KernelWriter::operand(Temp temp) const {
    const Value& value = generation_.values.of(temp);
    const bool two = value.as_view && (value.in_registers || generation_.products.from_registers(temp));
    if (!two) return named(temp);
    return named(temp) + (generation_.products.tile(temp) ? "_tile" : "_view");
}

std::string KernelWriter::columns(Temp temp) const {
    const bool along_rows = generation_.values.of(temp).kind == Value::Kind::Rows;
    return along_rows ? "as_cols(" + named(temp) + ")" : named(temp);
}

// Letters, digits and _ only, whatever the dimension is called; two of one spelling are told apart by number.
std::string KernelWriter::variable(const LoopVar& var) const {
    const DimTable& dims = generation_.program.dims;
    const auto plain = [&](std::size_t dim) {
        std::string text;
        for (const char c : dims[dim].name)
            if (std::isalnum(static_cast<unsigned char>(c)) != 0 && text.size() < 16)
                text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    };
    const std::string own = plain(var.dim.value);
    int same = 0;
    for (std::size_t dim = 0; dim < var.dim.value; ++dim) same += plain(dim) == own;
    std::string text = "i_" + own;
    if (same > 0) text += "_" + std::to_string(same + 1);
    if (var.depth > 1) text += "_in" + std::to_string(var.depth);
    return text;
}

std::string KernelWriter::index(const Index& index) const {
    if (index.zero) return "0";
    for (const auto& [var, number] : fixed_)
        if (var == index.var) return std::to_string(number);
    return variable(index.var);
}

std::string KernelWriter::axis_extent(const Extent& extent) const {
    const Dim& dim = generation_.program.dims.at(extent.dim.value);
    for (const auto& [var, number] : fixed_)
        if (!extent.fixed && var == extent.var) return std::to_string(dim.block_size(number));
    const bool here = std::find(vars_.begin(), vars_.end(), extent.var) != vars_.end();
    if (extent.fixed || !here || dim.size % dim.block == 0) return std::to_string(dim.block_size(0));
    return "extent(" + variable(extent.var) + ", " + std::to_string(dim.size) + ", " +
           std::to_string(dim.block) + ")";
}

std::string KernelWriter::extents_of(Temp temp) const {
    std::string text;
    for (const Extent& extent : generation_.values.of(temp).extents.axes)
        text += (text.empty() ? "" : ", ") + axis_extent(extent);
    return text;
}

int KernelWriter::parameter(int array) {
    std::vector<int>& arrays = launch_.arrays;
    const auto found = std::find(arrays.begin(), arrays.end(), array);
    if (found != arrays.end()) return static_cast<int>(found - arrays.begin());
    arrays.push_back(array);
    return static_cast<int>(arrays.size()) - 1;
}

// "b_Q + i_m * 16384LL + i_d * 128LL"
std::string KernelWriter::address(int buffer, const std::vector<Index>& at) {
    parameter(buffer);
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(buffer));
    std::string text = plan.parameter;
    for (std::size_t i = 0; i < at.size(); ++i)
        if (index(at[i]) != "0")
            text += " + " + index(at[i]) + " * " + std::to_string(plan.steps.at(i)) + "LL";
    return text;
}

// Of a load: the view of a block.
std::string KernelWriter::view_of(Temp temp, int buffer, const std::vector<Index>& at) {
    const LoopProgram& program = generation_.program;
    const Buffer& what = program.buffers.at(static_cast<std::size_t>(buffer));
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(buffer));
    const std::string shape =
        "<" + std::to_string(longest(temp, 0)) + ", " + std::to_string(longest(temp, 1)) + ">(";
    if (what.source == InputSource::Array)
        return "view" + shape + address(buffer, at) + ", " + extents_of(temp) + ", " +
               std::to_string(plan.row_step) + ", " + std::to_string(plan.col_step) + ")";
    const Item& item = what.type.item();
    const auto first = [&](int position, DimId dim) {
        if (position < 0 || at.at(static_cast<std::size_t>(position)).zero) return std::string("0");
        return index(at[static_cast<std::size_t>(position)]) + " * " +
               std::to_string(program.dims.at(dim.value).block);
    };
    std::string query = first(plan.row_index, item.rows);
    std::string key = first(plan.col_index, item.cols);
    std::int64_t ahead = program.dims.at(item.cols.value).size - program.dims.at(item.rows.value).size;
    if (what.transposed) {
        std::swap(query, key);
        ahead = -ahead;
    }
    return "causal" + shape + extents_of(temp) + ", " + (what.transposed ? "true" : "false") + ", " + query +
           ", " + key + ", " + std::to_string(ahead) + (generation_.half_masks ? ", -32768.0f)" : ")");
}

}  // namespace blockscope::gpu
