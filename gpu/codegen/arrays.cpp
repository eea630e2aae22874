#include "gpu/codegen/arrays.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/exec/array_layout.h"

namespace blockscope::gpu {

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

// Statistics of rows stay in float32 in global memory too: they are few, and an exponent rounded to 8 bits
// is no exponent.
ElemType stored_elem(const Buffer& buffer) {
    const bool own = buffer.kind == Buffer::Kind::Intermediate;
    return own && buffer.type.item().kind != ItemKind::Block ? ElemType::F32 : buffer.type.elem();
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
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const Buffer& buffer = program.buffers[i];
        const Type type = buffer_type(buffer);
        const ArrayLayout layout = array_layout(type, buffer.transposed, program.dims);
        DeviceArray array{kind_of(buffer.kind), declared_name(buffer), stored_elem(buffer), layout.shape, 1,
                          static_cast<int>(i)};
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
    arrays.push_back({DeviceArray::Kind::Workspace, name, ElemType::F32, {rows, cols}, rows * cols, -1});
    ArrayPlan plan;
    plan.parameter = "w_" + name;
    plan.c_type = "float";
    plan.row_step = cols;
    plan.col_step = 1;
    plans.push_back(std::move(plan));
    return static_cast<int>(arrays.size()) - 1;
}

}  // namespace blockscope::gpu
