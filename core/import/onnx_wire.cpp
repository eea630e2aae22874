#include "core/import/onnx_reader.h"

#include <array>
#include <cstdint>
#include <map>

namespace blockscope::model {
namespace {

// The messages of onnx.proto that hold others; what is not listed is looked at no further.
enum class WireMessage : std::uint8_t {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    ValueInfo,
    Type,
    TensorType,
    TensorShape,
    Function,
    Leaf,  // holds no messages that matter
};

struct WireField {
    WireMessage in;
    std::uint32_t number;
    const char* name;
    WireMessage holds;
};

constexpr std::array<WireField, 26> wire_fields = {{
    {WireMessage::Model, 7, "graph", WireMessage::Graph},
    {WireMessage::Model, 8, "opset_import", WireMessage::Leaf},
    {WireMessage::Model, 14, "metadata_props", WireMessage::Leaf},
    {WireMessage::Model, 25, "functions", WireMessage::Function},
    {WireMessage::Graph, 1, "node", WireMessage::Node},
    {WireMessage::Graph, 5, "initializer", WireMessage::Tensor},
    {WireMessage::Graph, 11, "input", WireMessage::ValueInfo},
    {WireMessage::Graph, 12, "output", WireMessage::ValueInfo},
    {WireMessage::Graph, 13, "value_info", WireMessage::ValueInfo},
    {WireMessage::Graph, 14, "quantization_annotation", WireMessage::Leaf},
    {WireMessage::Graph, 16, "metadata_props", WireMessage::Leaf},
    {WireMessage::Node, 5, "attribute", WireMessage::Attribute},
    {WireMessage::Node, 9, "metadata_props", WireMessage::Leaf},
    {WireMessage::Attribute, 5, "t", WireMessage::Tensor},
    {WireMessage::Attribute, 6, "g", WireMessage::Graph},
    {WireMessage::Attribute, 10, "tensors", WireMessage::Tensor},
    {WireMessage::Attribute, 11, "graphs", WireMessage::Graph},
    {WireMessage::Attribute, 14, "tp", WireMessage::Type},
    {WireMessage::Tensor, 13, "external_data", WireMessage::Leaf},
    {WireMessage::ValueInfo, 2, "type", WireMessage::Type},
    {WireMessage::Type, 1, "tensor_type", WireMessage::TensorType},
    {WireMessage::Type, 4, "sequence_type", WireMessage::Leaf},
    {WireMessage::TensorType, 2, "shape", WireMessage::TensorShape},
    {WireMessage::TensorShape, 1, "dim", WireMessage::Leaf},
    {WireMessage::Function, 7, "node", WireMessage::Node},
    {WireMessage::Function, 11, "attribute_proto", WireMessage::Attribute},
}};

const WireField* field_of(WireMessage in, std::uint64_t number) {
    for (const WireField& field : wire_fields)
        if (field.in == in && field.number == number) return &field;
    return nullptr;
}

class WireCheck {
public:
    WireCheck(std::string_view bytes, const std::string& file)
        : bytes_(bytes), file_(file), most_(200'000 + bytes.size() / 8) {}

    std::optional<Problem> run() {
        message(WireMessage::Model, 0, bytes_.size(), "the file", 0);
        return std::move(problem_);
    }

private:
    static constexpr int kDeepest = 64;

    void fail(std::size_t at, const std::string& where, Text what) {
        if (problem_) return;
        problem_ = Problem{{file_, 0, 0, {}}, Text("byte %1, in %2: %3", at, where, std::move(what))};
    }

    std::optional<std::uint64_t> varint(std::size_t& at, std::size_t end) const {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 70 && at < end; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_[at++]);
            if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
            if ((byte & 0x80U) == 0) return value;
        }
        return std::nullopt;
    }

    // The fields of the bytes from `at` to `end`.
    void message(WireMessage kind, std::size_t at, std::size_t end, const std::string& path, int depth) {
        if (depth > kDeepest)
            return fail(at, path,
                        Text("found graphs nested more than %1 levels deep; expected fewer", kDeepest));
        std::map<std::uint64_t, std::size_t> seen;
        while (at < end && !problem_) {
            const std::size_t start = at;
            const std::optional<std::uint64_t> tag = varint(at, end);
            if (!tag || *tag >> 3U == 0)
                return fail(start, path,
                            Text("found no field of an ONNX model; expected the bytes of a protobuf message "
                                 "(the file is cut short or something else)"));
            if (++fields_ > most_)
                return fail(start, path, Text("found more than %1 fields; expected fewer", most_));
            field(kind, *tag, at, end, path, depth, seen);
        }
    }

    void field(WireMessage kind, std::uint64_t tag, std::size_t& at, std::size_t end, const std::string& path,
               int depth, std::map<std::uint64_t, std::size_t>& seen) {
        const std::size_t start = at;
        const std::uint64_t number = tag >> 3U;
        std::uint64_t length = 0;
        switch (tag & 7U) {
            case 0:
                if (!varint(at, end)) fail(start, path, cut_short());
                return;
            case 1:
                length = 8;
                break;
            case 2: {
                const std::optional<std::uint64_t> stated = varint(at, end);
                if (!stated) return fail(start, path, cut_short());
                length = *stated;
                break;
            }
            case 5:
                length = 4;
                break;
            default:
                return fail(start, path, Text("found a field of an unknown kind; expected an ONNX model"));
        }
        if (length > end - at) {
            return fail(start, path,
                        Text("found a field of %1 bytes where %2 are left; the file is cut short or damaged",
                             length, end - at));
        }
        const WireField* known = field_of(kind, number);
        const std::size_t first = at;
        at += length;
        if (known == nullptr || (tag & 7U) != 2) return;
        std::string inside = (depth == 0 ? std::string() : path + ".") + known->name;
        if (known->number != 7 || depth > 0) inside += "[" + std::to_string(seen[number]++) + "]";
        message(known->holds, first, at, inside, depth + 1);
    }

    static Text cut_short() {
        return Text("found the end inside of a number; the file is cut short or damaged");
    }

    std::string_view bytes_;
    const std::string& file_;
    std::size_t most_;
    std::size_t fields_ = 0;
    std::optional<Problem> problem_;
};

}  // namespace

Text too_large() {
    return Text(
        "found a file of more than 2 GiB; expected a model with its weights in another file, as exporters "
        "write it from that size on");
}

std::optional<Problem> onnx_wire_problem(std::string_view bytes, const std::string& file) {
    return WireCheck(bytes, file).run();
}

}  // namespace blockscope::model
