#include "core/json/array_names.h"
#include "core/json/json_io.h"

namespace blockscope {

namespace {

using json::Array;
using json::Object;
using json::Value;

Value shape_part(const std::vector<DimId>& part, const DimTable& dims) {
    return json::dim_values(part, dims);
}

void add_shape(Object& object, const ArrayOp& op, const DimTable& dims) {
    object.push_back({"batch", shape_part(op.shape.batch, dims)});
    object.push_back({"axes", shape_part(op.shape.axes, dims)});
    object.push_back({"elem", to_string(op.elem)});
}

// What the operator says beyond its kind, name and operands.
void add_details(Object& object, const ArrayOp& op, const DimTable& dims) {
    switch (op.kind) {
        case ArrayOpKind::Input:
            object.push_back({"source", json::source_names().at(static_cast<std::size_t>(op.source))});
            return add_shape(object, op, dims);
        case ArrayOpKind::Elementwise:
            object.push_back({"expr", json::expr_value(*op.expr, dims)});
            return;
        case ArrayOpKind::Broadcast:
            object.push_back({"fn", to_string(op.fn)});
            object.push_back(
                {"vector_axis", json::vector_axis_names().at(static_cast<std::size_t>(op.vector_axis))});
            return;
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
            object.push_back({"paper_form", Value(op.paper_form)});
            object.push_back({"epsilon", op.epsilon});
            return;
        case ArrayOpKind::SumOver:
            object.push_back({"dim", json::dim_value(op.dim, dims)});
            return;
        case ArrayOpKind::Cast:
            object.push_back({"elem", to_string(op.elem)});
            return;
        case ArrayOpKind::Custom:
            object.push_back({"custom_name", op.custom_name});
            return add_shape(object, op, dims);
        case ArrayOpKind::Matmul:
        case ArrayOpKind::Transpose:
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::Outer:
            return;
    }
}

Value op_value(const ArrayOp& op, const DimTable& dims) {
    Object object = {{"kind", json::array_op_names().at(static_cast<std::size_t>(op.kind))}};
    if (!op.name.empty()) object.push_back({"name", op.name});
    if (op.kind != ArrayOpKind::Input) {
        Array operands;
        for (const int operand : op.operands) operands.push_back(operand);
        object.push_back({"operands", std::move(operands)});
    }
    add_details(object, op, dims);
    return object;
}

}  // namespace

std::string write_json(const ArrayProgram& program) {
    Array comment;
    for (const std::string& line : program.comment) comment.push_back(line);
    Array ops;
    for (const ArrayOp& op : program.ops) ops.push_back(op_value(op, program.dims));
    Array outputs;
    for (const ArrayOutput& output : program.outputs) {
        outputs.push_back(Object{{"name", output.name}, {"op", output.op}});
    }
    return json::print(Object{{"format", json::kArrayFormat},
                              {"version", 1},
                              {"comment", std::move(comment)},
                              {"dims", json::dims_value(program.dims)},
                              {"ops", std::move(ops)},
                              {"outputs", std::move(outputs)}});
}

}  // namespace blockscope
