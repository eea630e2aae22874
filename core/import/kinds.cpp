// The types of what operators make, and the standard's numbers of types.
#include <map>
#include <set>
#include <string>

#include "core/import/shapes.h"

namespace blockscope::model {

namespace {

// By the standard's numbers of types.
const std::map<std::int64_t, TensorKind>& numbered_kinds() {
    static const std::map<std::int64_t, TensorKind> kinds = {
        {1, TensorKind::F32},   {2, TensorKind::U8},    {3, TensorKind::I8},   {4, TensorKind::U16},
        {5, TensorKind::I16},   {6, TensorKind::I32},   {7, TensorKind::I64},  {9, TensorKind::Bool},
        {10, TensorKind::F16},  {11, TensorKind::F64},  {12, TensorKind::U32}, {13, TensorKind::U64},
        {16, TensorKind::BF16}, {17, TensorKind::E4M3}, {19, TensorKind::E5M2}};
    return kinds;
}

TensorKind cast_kind(std::int64_t to) {
    const auto found = numbered_kinds().find(to);
    return found != numbered_kinds().end() ? found->second : TensorKind::Other;
}

}  // namespace

TensorKind kind_made(const TensorGraph& graph, const GraphNode& node) {
    static const std::set<std::string> questions = {"Equal",       "Greater", "Less", "GreaterOrEqual",
                                                    "LessOrEqual", "And",     "Or",   "Xor",
                                                    "Not",         "IsNaN",   "IsInf"};
    if (questions.count(node.op) > 0) return TensorKind::Bool;
    if (node.op == "Cast") return cast_kind(whole_attribute(node, "to", 1));
    if (node.op == "Shape" || node.op == "Size") return TensorKind::I64;
    const GraphTensor* from = input_tensor(graph, node, node.op == "Where" ? 1 : 0);
    if (node.op == "ConstantOfShape") {
        const auto value = node.attributes.find("value");
        const GraphTensor* fill =
            value != node.attributes.end() ? std::get_if<GraphTensor>(&value->second) : nullptr;
        return fill != nullptr ? fill->kind : TensorKind::F32;
    }
    return from != nullptr ? from->kind : TensorKind::Other;
}

std::int64_t onnx_number(TensorKind kind) {
    for (const auto& [number, one] : numbered_kinds())
        if (one == kind) return number;
    return 0;
}

// CastLike(x, y) is Cast(x) to the type of y, whose numbers do not matter.
void cast_to_type(const TensorGraph& graph, GraphNode& node) {
    const GraphTensor* like = node.op == "CastLike" ? input_tensor(graph, node, 1) : nullptr;
    if (like == nullptr || onnx_number(like->kind) == 0) return;
    node.op = "Cast";
    node.attributes["to"] = onnx_number(like->kind);
    node.inputs.resize(1);
}

}  // namespace blockscope::model
