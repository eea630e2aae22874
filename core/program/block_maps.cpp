#include "core/program/block_maps.h"

#include <algorithm>
#include <utility>

namespace blockscope {

namespace {

// The ports of one map of the nest, and which port each input of the nest enters through.
struct Ports {
    std::vector<ValueRef> values;
    std::vector<MapInput> modes;
    std::vector<std::size_t> port_of_input;
};

Ports share_ports(const std::vector<NestInput>& inputs, std::size_t level) {
    Ports ports;
    for (const NestInput& input : inputs) {
        const MapInput mode{input.iterated.at(level) ? PortIn::Iterated : PortIn::Broadcast};
        std::size_t port = 0;
        while (port < ports.values.size() &&
               !(ports.values[port] == input.value && ports.modes[port] == mode)) {
            ++port;
        }
        if (port == ports.values.size()) {
            ports.values.push_back(input.value);
            ports.modes.push_back(mode);
        }
        ports.port_of_input.push_back(port);
    }
    return ports;
}

ValueRef nest_from(Builder& builder, const std::vector<DimId>& dims, std::size_t level,
                   const std::vector<NestInput>& inputs, const NestBody& body) {
    if (level == dims.size()) {
        std::vector<ValueRef> values;
        values.reserve(inputs.size());
        for (const NestInput& input : inputs) values.push_back(input.value);
        return body(builder, values);
    }
    const Ports ports = share_ports(inputs, level);
    Builder inner(builder.dims(), builder.ids());
    std::vector<ValueRef> inner_values;
    for (std::size_t port = 0; port < ports.values.size(); ++port) {
        const Type type = builder.type(ports.values[port]);
        inner_values.push_back(
            inner.input(ports.modes[port].mode == PortIn::Iterated ? type.element() : type));
    }
    std::vector<NestInput> inner_inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inner_inputs.push_back({inner_values[ports.port_of_input[i]], inputs[i].iterated});
    }
    inner.output(nest_from(inner, dims, level + 1, inner_inputs, body));
    Map map;
    map.dim = dims[level];
    map.inputs = ports.modes;
    map.outputs = {MapOutput{}};
    map.body = inner.finish();
    return builder.map(std::move(map), ports.values).front();
}

}  // namespace

ValueRef nest(Builder& builder, const std::vector<DimId>& dims, const std::vector<NestInput>& inputs,
              const NestBody& body) {
    return nest_from(builder, dims, 0, inputs, body);
}

namespace {

std::vector<DimId> loops(const std::vector<DimId>& batch, const std::vector<DimId>& axes) {
    std::vector<DimId> dims = batch;
    dims.insert(dims.end(), axes.begin(), axes.end());
    return dims;
}

// How `array` enters maps over `batch` and then over axes: it iterates over the batch dimensions that it
// has, in their order, and over the axis maps that `axes` says.
NestInput enter(const BlockArray& array, const std::vector<DimId>& batch, const std::vector<bool>& axes) {
    NestInput input{array.value, {}};
    std::size_t next = 0;
    for (DimId dim : batch) {
        const bool has = next < array.shape.batch.size() && array.shape.batch[next] == dim;
        input.iterated.push_back(has);
        if (has) ++next;
    }
    if (next != array.shape.batch.size()) {
        throw InternalError("An operand's batch dimensions are not those of the result, in their order.");
    }
    input.iterated.insert(input.iterated.end(), axes.begin(), axes.end());
    return input;
}

NestBody functional_body(FunctionalOp op) {
    return [op](Builder& b, const std::vector<ValueRef>& values) { return b.functional(op, values); };
}

}  // namespace

Shape transposed(Shape shape) {
    std::swap(shape.axes.at(0), shape.axes.at(1));
    return shape;
}

Type array_type(const Shape& shape, ElemType elem) {
    Item item = Item::scalar();
    if (shape.axes.size() == 1) item = Item::vector(shape.axes[0]);
    if (shape.axes.size() == 2) item = Item::block(shape.axes[0], shape.axes[1]);
    Type type(item, elem);
    const std::vector<DimId> dims = loops(shape.batch, shape.axes);
    for (std::size_t i = dims.size(); i-- > 0;) type = type.list_over(dims[i]);
    return type;
}

ElemType BlockMaps::natural_elem(const std::vector<BlockArray>& operands) const {
    for (const BlockArray& operand : operands) {
        if (!operand.shape.axes.empty()) return elem(operand);
    }
    return elem(operands.at(0));
}

BlockArray BlockMaps::made(ValueRef value, Shape shape) {
    origins_.push_back({value.node, op_});
    return {value, std::move(shape)};
}

BlockArray BlockMaps::input(Input input, const Shape& shape, ElemType elem) {
    return made(builder_.input(array_type(shape, elem), std::move(input)), shape);
}

void BlockMaps::output(const BlockArray& array, const std::string& name) {
    origins_.push_back({builder_.output(array.value, name), op_});
}

BlockArray BlockMaps::elementwise(const ExprPtr& expr, const std::vector<BlockArray>& operands,
                                  const Shape& result, std::optional<ElemType> to) {
    std::vector<NestInput> inputs;
    for (const BlockArray& operand : operands) {
        const bool spread = operand.shape.axes.empty();
        inputs.push_back(enter(operand, result.batch, std::vector<bool>(result.axes.size(), !spread)));
    }
    if (to == natural_elem(operands)) to.reset();
    const NestBody body = [&](Builder& b, const std::vector<ValueRef>& values) {
        return ValueRef{b.add(Elementwise{expr, to}, values)};
    };
    return made(nest(builder_, loops(result.batch, result.axes), inputs, body), result);
}

BlockArray BlockMaps::functional(FunctionalOp op, const BlockArray& a, const BlockArray& b,
                                 const Shape& result) {
    const std::vector<bool> axes(result.axes.size(), true);
    const std::vector<NestInput> inputs{enter(a, result.batch, axes), enter(b, result.batch, axes)};
    return made(nest(builder_, loops(result.batch, result.axes), inputs, functional_body(op)), result);
}

BlockArray BlockMaps::functional(FunctionalOp op, const BlockArray& a) {
    const NestInput input = enter(a, a.shape.batch, std::vector<bool>(a.shape.axes.size(), true));
    return made(nest(builder_, loops(a.shape.batch, a.shape.axes), {input}, functional_body(op)), a.shape);
}

BlockArray BlockMaps::with_vector(FunctionalOp op, const BlockArray& matrix, const BlockArray& vector,
                                  VectorAxis axis, const Shape& result) {
    const bool rows = axis == VectorAxis::Rows;
    const std::vector<NestInput> inputs{enter(matrix, result.batch, {true, true}),
                                        enter(vector, result.batch, {rows, !rows})};
    return made(nest(builder_, loops(result.batch, result.axes), inputs, functional_body(op)), result);
}

BlockArray BlockMaps::shift(const BlockArray& matrix, const BlockArray& vector, VectorAxis axis,
                            const Shape& result) {
    const FunctionalOp op = axis == VectorAxis::Rows ? FunctionalOp::RowShift : FunctionalOp::ColShift;
    return with_vector(op, matrix, vector, axis, result);
}

BlockArray BlockMaps::scale(const BlockArray& matrix, const BlockArray& vector, VectorAxis axis,
                            const Shape& result) {
    const FunctionalOp op = axis == VectorAxis::Rows ? FunctionalOp::RowScale : FunctionalOp::ColScale;
    return with_vector(op, matrix, vector, axis, result);
}

BlockArray BlockMaps::reduce_rows(FunctionalOp op, ReduceOp reduction, const BlockArray& matrix) {
    const DimId rows = matrix.shape.axes.at(0);
    const DimId cols = matrix.shape.axes.at(1);
    const Shape result{matrix.shape.batch, {rows}};
    const NestBody body = [&](Builder& b, const std::vector<ValueRef>& values) {
        const ValueRef parts = nest(b, {cols}, {{values[0], {true}}}, functional_body(op));
        return b.reduce(reduction, cols, parts);
    };
    const NestInput input = enter(matrix, result.batch, {true});
    return made(nest(builder_, loops(result.batch, result.axes), {input}, body), result);
}

BlockArray BlockMaps::row_sum(const BlockArray& matrix) {
    return reduce_rows(FunctionalOp::RowSum, ReduceOp::Sum, matrix);
}

BlockArray BlockMaps::row_max(const BlockArray& matrix) {
    return reduce_rows(FunctionalOp::RowMax, ReduceOp::Max, matrix);
}

BlockArray BlockMaps::matmul(const BlockArray& left, const BlockArray& right_transposed,
                             const std::vector<DimId>& batch) {
    const DimId inner = left.shape.axes.at(1);
    const Shape result{batch, {left.shape.axes.at(0), right_transposed.shape.axes.at(0)}};
    const NestBody body = [&](Builder& b, const std::vector<ValueRef>& values) {
        const ValueRef products =
            nest(b, {inner}, {{values[0], {true}}, {values[1], {true}}}, functional_body(FunctionalOp::Dot));
        return b.reduce(ReduceOp::Sum, inner, products);
    };
    const std::vector<NestInput> inputs{enter(left, batch, {true, false}),
                                        enter(right_transposed, batch, {false, true})};
    return made(nest(builder_, loops(batch, result.axes), inputs, body), result);
}

BlockArray BlockMaps::outer(const BlockArray& rows, const BlockArray& cols, const std::vector<DimId>& batch) {
    const Shape result{batch, {rows.shape.axes.at(0), cols.shape.axes.at(0)}};
    const std::vector<NestInput> inputs{enter(rows, batch, {true, false}), enter(cols, batch, {false, true})};
    return made(nest(builder_, loops(batch, result.axes), inputs, functional_body(FunctionalOp::Outer)),
                result);
}

BlockArray BlockMaps::sum_over(const BlockArray& array, DimId dim) {
    std::vector<DimId> before;
    Shape result{{}, array.shape.axes};
    bool found = false;
    for (DimId batch : array.shape.batch) {
        if (batch == dim && !found) {
            found = true;
            continue;
        }
        if (!found) before.push_back(batch);
        result.batch.push_back(batch);
    }
    if (!found) throw InternalError("A sum runs over a batch dimension that its operand lacks.");
    const NestBody body = [&](Builder& b, const std::vector<ValueRef>& values) {
        return b.reduce(ReduceOp::Sum, dim, values[0]);
    };
    const NestInput input{array.value, std::vector<bool>(before.size(), true)};
    return made(nest(builder_, before, {input}, body), result);
}

BlockArray BlockMaps::misc(const std::string& name, const std::vector<BlockArray>& operands,
                           const Shape& result, ElemType elem) {
    std::vector<ValueRef> values;
    values.reserve(operands.size());
    for (const BlockArray& operand : operands) values.push_back(operand.value);
    return made(builder_.misc(name, values, {array_type(result, elem)}).front(), result);
}

}  // namespace blockscope
