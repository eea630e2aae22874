#include "core/import/onnx_reader.h"

#include <climits>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "onnx.pb.h"

namespace blockscope::model {
namespace {

// By TensorProto::DataType.
TensorKind kind_of(int data_type) {
    switch (data_type) {
        case onnx::TensorProto::FLOAT:
            return TensorKind::F32;
        case onnx::TensorProto::FLOAT16:
            return TensorKind::F16;
        case onnx::TensorProto::BFLOAT16:
            return TensorKind::BF16;
        case onnx::TensorProto::DOUBLE:
            return TensorKind::F64;
        case onnx::TensorProto::FLOAT8E4M3FN:
            return TensorKind::E4M3;
        case onnx::TensorProto::FLOAT8E5M2:
            return TensorKind::E5M2;
        case onnx::TensorProto::INT8:
            return TensorKind::I8;
        case onnx::TensorProto::UINT8:
            return TensorKind::U8;
        case onnx::TensorProto::INT16:
            return TensorKind::I16;
        case onnx::TensorProto::UINT16:
            return TensorKind::U16;
        case onnx::TensorProto::INT32:
            return TensorKind::I32;
        case onnx::TensorProto::UINT32:
            return TensorKind::U32;
        case onnx::TensorProto::INT64:
            return TensorKind::I64;
        case onnx::TensorProto::UINT64:
            return TensorKind::U64;
        case onnx::TensorProto::BOOL:
            return TensorKind::Bool;
        default:
            return TensorKind::Other;
    }
}

// The bytes of numbers that the file holds in one of its typed lists, each as wide as `width` says.
template <class List>
std::string listed(const List& list, std::size_t width) {
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(list.size()) * width);
    for (const auto& number : list) bytes.append(reinterpret_cast<const char*>(&number), width);
    return bytes;
}

std::string bytes_in(onnx::TensorProto& tensor, TensorKind kind) {
    if (tensor.has_raw_data()) return std::move(*tensor.mutable_raw_data());
    const std::size_t width = bytes_of(kind);
    if (kind == TensorKind::F32) return listed(tensor.float_data(), width);
    if (kind == TensorKind::F64) return listed(tensor.double_data(), width);
    if (kind == TensorKind::I64) return listed(tensor.int64_data(), width);
    if (kind == TensorKind::U32 || kind == TensorKind::U64) return listed(tensor.uint64_data(), width);
    return listed(tensor.int32_data(), width);  // also of half floats: their bits
}

// Throws a Problem.
class OnnxReading {
public:
    explicit OnnxReading(std::string file) : file_(std::move(file)) {}

    TensorGraph run(onnx::ModelProto& model) {
        opsets(model);
        onnx::GraphProto& graph = *model.mutable_graph();
        result_.name = graph.name();
        result_.producer =
            model.producer_name() + (model.producer_version().empty() ? "" : " " + model.producer_version());
        for (onnx::TensorProto& tensor : *graph.mutable_initializer()) initializer(tensor);
        for (const onnx::ValueInfoProto& input : graph.input()) this->input(input);
        for (onnx::NodeProto& node : *graph.mutable_node()) this->node(node);
        for (const onnx::ValueInfoProto& info : graph.value_info()) describe(info);
        for (const onnx::ValueInfoProto& output : graph.output()) this->output(output);
        if (result_.outputs.empty()) fail(Text("found a graph without outputs; expected at least one"));
        return std::move(result_);
    }

private:
    [[noreturn]] void fail(Text message) const { throw Problem{{file_, 0, 0, {}}, std::move(message)}; }

    void opsets(const onnx::ModelProto& model) {
        if (!model.has_graph())
            fail(Text("found a model without a graph; the file is cut short or no ONNX model"));
        for (const onnx::OperatorSetIdProto& set : model.opset_import())
            if (set.domain().empty() || set.domain() == "ai.onnx") opset_ = set.version();
        if (model.opset_import_size() == 0)
            fail(Text("found a model that names no set of operators; the file is cut short"));
        if (opset_ == 0) opset_ = 1;
    }

    GraphTensor tensor(onnx::TensorProto& proto, const std::string& name) const {
        GraphTensor result{
            .name = name, .kind = kind_of(proto.data_type()), .extents = {}, .weight = true, .values = {}};
        std::uint64_t count = 1;
        result.extents.emplace();
        for (const std::int64_t size : proto.dims()) {
            if (size < 0 || size > INT_MAX)
                fail(Text("found the tensor %1 with an extent of %2; expected 0 to %3", name, size, INT_MAX));
            result.extents->push_back({size, {}});
            count *= static_cast<std::uint64_t>(size);
            if (count > (std::uint64_t{1} << 60U))
                fail(Text("found the tensor %1 with more than 2^60 elements; expected fewer", name));
        }
        const std::size_t width = bytes_of(result.kind);
        const bool elsewhere = proto.data_location() == onnx::TensorProto::EXTERNAL;
        if (elsewhere || width == 0) return result;
        std::string bytes = bytes_in(proto, result.kind);
        if (bytes.empty() && count > 0) return result;  // a model without its weights
        if (bytes.size() != count * width)
            fail(Text("found the tensor %1 with %2 bytes; its %3 elements of type %4 take %5", name,
                      bytes.size(), count, to_string(result.kind), count * width));
        result.values.emplace(result.kind, std::move(bytes));
        return result;
    }

    int add(GraphTensor tensor) {
        const int index = static_cast<int>(result_.tensors.size());
        if (!tensors_.emplace(tensor.name, index).second)
            fail(Text("found a second tensor called %1; expected one", tensor.name));
        result_.tensors.push_back(std::move(tensor));
        return index;
    }

    void initializer(onnx::TensorProto& proto) { add(tensor(proto, proto.name())); }

    static void take_type(const onnx::TypeProto& type, GraphTensor& tensor) {
        if (!type.has_tensor_type()) return;
        tensor.kind = kind_of(type.tensor_type().elem_type());
        if (!type.tensor_type().has_shape()) return;
        tensor.extents.emplace();
        for (const auto& dim : type.tensor_type().shape().dim()) {
            TensorExtent extent;
            if (dim.has_dim_value() && dim.dim_value() >= 0) extent.size = dim.dim_value();
            if (dim.has_dim_param()) extent.symbol = dim.dim_param();
            tensor.extents->push_back(std::move(extent));
        }
    }

    void input(const onnx::ValueInfoProto& info) {
        if (tensors_.count(info.name()) > 0) return;  // an initializer that can be replaced
        GraphTensor tensor{
            .name = info.name(), .kind = TensorKind::Other, .extents = {}, .weight = false, .values = {}};
        take_type(info.type(), tensor);
        if (tensor.extents)
            for (std::size_t i = 0; i < tensor.extents->size(); ++i)
                name_extent((*tensor.extents)[i], info.name(), i);
        result_.inputs.push_back(add(std::move(tensor)));
    }

    // An extent that the file leaves open can be bound, too.
    static void name_extent(TensorExtent& extent, const std::string& tensor, std::size_t i) {
        if (extent.size < 0 && extent.symbol.empty()) extent.symbol = tensor + "_" + std::to_string(i);
    }

    void describe(const onnx::ValueInfoProto& info) {
        const auto found = tensors_.find(info.name());
        if (found == tensors_.end()) return;
        GraphTensor& tensor = result_.tensors[static_cast<std::size_t>(found->second)];
        if (!tensor.extents && !tensor.values) take_type(info.type(), tensor);
    }

    void output(const onnx::ValueInfoProto& info) {
        const auto found = tensors_.find(info.name());
        if (found == tensors_.end())
            fail(Text("found the output %1, which no node makes; the file is cut short or damaged",
                      info.name()));
        describe(info);
        result_.outputs.push_back(found->second);
    }

    AttributeValue attribute(onnx::AttributeProto& proto, const std::string& owner) const {
        if (proto.has_g() || proto.graphs_size() > 0) return Subgraph{};
        if (proto.has_t()) return tensor(*proto.mutable_t(), owner);
        if (proto.has_f()) return decimal(proto.f());
        if (proto.has_i()) return proto.i();
        if (proto.has_s()) return proto.s();
        if (proto.floats_size() > 0) return std::vector<double>(proto.floats().begin(), proto.floats().end());
        return std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
    }

    void node(onnx::NodeProto& proto) {
        GraphNode node{
            .name = proto.name(), .op = proto.op_type(), .inputs = {}, .outputs = {}, .attributes = {}};
        if (!proto.domain().empty() && proto.domain() != "ai.onnx") node.op = proto.domain() + "." + node.op;
        const std::string called = node.name.empty() ? "a node " + node.op : "the node " + node.name;
        for (const std::string& input : proto.input()) {
            const auto found = tensors_.find(input);
            if (!input.empty() && found == tensors_.end())
                fail(Text("found %1 with the input %2, which neither the model nor an earlier node gives",
                          called, input));
            node.inputs.push_back(input.empty() ? -1 : found->second);
        }
        const std::string first = proto.output_size() > 0 ? proto.output(0) : "";
        for (onnx::AttributeProto& one : *proto.mutable_attribute())
            node.attributes.insert_or_assign(one.name(), attribute(one, first));
        if (node.op == "Constant" && proto.output_size() == 1) return constant(node, first);
        for (const std::string& output : proto.output())
            node.outputs.push_back(output.empty() ? -1
                                                  : add({.name = output,
                                                         .kind = TensorKind::Other,
                                                         .extents = {},
                                                         .weight = false,
                                                         .values = {}}));
        while (!node.outputs.empty() && node.outputs.back() < 0) node.outputs.pop_back();
        one_meaning(node);
        if (!node.outputs.empty()) result_.nodes.push_back(std::move(node));
    }

    // A constant is a tensor and no node.
    void constant(const GraphNode& node, const std::string& name) {
        for (const auto& [key, value] : node.attributes) {
            if (const auto* tensor = std::get_if<GraphTensor>(&value)) {
                add(*tensor);
                return;
            }
            if (const auto* number = std::get_if<double>(&value))
                return list(std::vector<double>{*number}, false, name);
            if (const auto* whole = std::get_if<std::int64_t>(&value))
                return list(std::vector<std::int64_t>{*whole}, false, name);
            if (const auto* numbers = std::get_if<std::vector<double>>(&value))
                return list(*numbers, true, name);
            if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&value))
                return list(*wholes, true, name);
        }
        fail(Text("found the constant %1 without a value; expected numbers", name));
    }
    void list(const std::vector<double>& numbers, bool vector, const std::string& name) {
        add_list(TensorValues::of_real(numbers), TensorKind::F32, vector, name);
    }
    void list(const std::vector<std::int64_t>& numbers, bool vector, const std::string& name) {
        add_list(TensorValues::of_whole(numbers), TensorKind::I64, vector, name);
    }
    void add_list(TensorValues values, TensorKind kind, bool vector, const std::string& name) {
        GraphTensor tensor{.name = name, .kind = kind, .extents = {}, .weight = true, .values = {}};
        tensor.extents.emplace();
        if (vector) tensor.extents->push_back({static_cast<std::int64_t>(values.count()), {}});
        tensor.values = std::move(values);
        add(std::move(tensor));
    }

    // Operators whose meaning an earlier set had differently get a name of their own or the attributes of
    // today.
    void one_meaning(GraphNode& node) const {
        const bool softmax = node.op == "Softmax" || node.op == "LogSoftmax";
        if (softmax && opset_ < 13) {
            node.attributes.emplace("axis", std::int64_t{1});
            node.attributes["flattens"] = std::int64_t{1};
        }
        if (node.op == "Gelu" && opset_ < 20) node.op = "Gelu of opset " + std::to_string(opset_);
    }

    std::string file_;
    std::int64_t opset_ = 0;
    TensorGraph result_;
    std::unordered_map<std::string, int> tensors_;
};

}  // namespace

bool reads_onnx() {
    return true;
}

Result<TensorGraph> read_onnx(const std::string& bytes, const std::string& file) {
    const auto problem = [&](Text message) { return Problem{{file, 0, 0, {}}, std::move(message)}; };
    if (bytes.empty()) return problem(Text("found an empty file; expected an ONNX model"));
    if (bytes.size() > static_cast<std::size_t>(INT_MAX)) return problem(too_large());
    if (std::optional<Problem> wrong = onnx_wire_problem(bytes, file)) return *std::move(wrong);
    onnx::ModelProto model;
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return problem(Text("found bytes that protobuf cannot read as an ONNX model; the file is damaged"));
    try {
        return OnnxReading(file).run(model);
    } catch (Problem& thrown) {
        return std::move(thrown);
    }
}

}  // namespace blockscope::model
