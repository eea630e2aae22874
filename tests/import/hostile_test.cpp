// Files that are cut short, damaged or made to harm: a sentence with a place, and no crash, hang or flood of
// memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/import/model_files.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What is said of a file; empty if it is imported.
std::string said(const std::string& bytes) {
    Result<model::TensorGraph> graph = model::read_onnx(bytes, "f");
    if (!graph) return to_string(graph.problems().front());
    const Result<model::ImportedModel> result = model::import_model(std::move(graph).value(), {}, "f");
    return result ? "" : to_string(result.problems().front());
}

// Protobuf's wire format, by hand.
std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7U) bytes += static_cast<char>((value & 127U) | 128U);
    return bytes + static_cast<char>(value);
}
std::string field(std::uint64_t number, const std::string& content) {
    return varint(number << 3U | 2U) + varint(content.size()) + content;
}
std::string number(std::uint64_t field_number, std::uint64_t value) {
    return varint(field_number << 3U) + varint(value);
}

std::string tensor_info(const std::string& name, const std::vector<std::uint64_t>& extents) {
    std::string shape;
    for (const std::uint64_t extent : extents) shape += field(1, number(1, extent));
    return field(1, name) + field(2, field(1, number(1, 1) + field(2, shape)));
}
std::string node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output,
                 const std::string& more = {}) {
    std::string bytes;
    for (const std::string& input : inputs) bytes += field(1, input);
    return field(1, bytes + field(2, output) + field(3, "n_" + output) + field(4, op) + more);
}
std::string model_of(const std::string& graph) {
    return number(1, 8) + field(8, number(2, 17)) + field(7, graph);
}
// A graph with the input x[4, 4] and the output y.
std::string graph_of(const std::string& nodes) {
    return nodes + field(11, tensor_info("x", {4, 4})) + field(12, tensor_info("y", {4, 4}));
}
std::string whole_numbers(const std::string& name, const std::vector<std::uint64_t>& values) {
    std::string data;
    for (const std::uint64_t value : values) data += varint(value);
    return field(5, number(1, values.size()) + number(2, 7) + field(7, data) + field(8, name));
}

TEST(Hostile, TheSmallestModelIsRead) {
    EXPECT_EQ(said(model_of(graph_of(node("Relu", {"x"}, "y")))), "");
}

TEST(Hostile, EveryCutIsRefusedWithASentence) {
    for (const char* name : {"mlp", "cumsum"}) {
        const std::string bytes = model_bytes(name);
        ASSERT_EQ(said(bytes), "");
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            const std::string sentence = said(bytes.substr(0, length));
            EXPECT_THAT(sentence, StartsWith("f: ")) << name << " cut to " << length;
        }
    }
}

TEST(Hostile, NoFlippedByteDoesHarm) {
    const std::string bytes = model_bytes("mlp");
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const unsigned flip : {0x01U, 0x08U, 0x80U, 0xFFU}) {
            std::string changed = bytes;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
            said(changed);
        }
}

TEST(Hostile, NoFlippedByteOfAttentionDoesHarm) {
    const std::string bytes = model_bytes("multihead-attention");
    for (std::size_t at = 0; at < bytes.size(); at += 7) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ 0x10U);
        said(changed);
    }
}

struct Refused {
    const char* name;
    std::string bytes;
    std::string sentence;
};

TEST(Hostile, Refusals) {
    const Refused table[] = {
        {"empty", "", "f: found an empty file; expected an ONNX model"},
        {"text", "dim M = 4096 / 128\n",
         "f: byte 1, in the file: found a field of an unknown kind; expected an ONNX model"},
        {"no graph", number(1, 8), "f: found a model without a graph"},
        {"no opset", field(7, graph_of(node("Relu", {"x"}, "y"))),
         "f: found a model that names no set of operators"},
        {"no output", model_of(node("Relu", {"x"}, "y") + field(11, tensor_info("x", {4}))),
         "f: found a graph without outputs"},
        {"unknown input", model_of(graph_of(node("Relu", {"z"}, "y"))),
         "f: found the node n_y with the input z, which neither the model nor an earlier node gives"},
        {"unknown output", model_of(graph_of(node("Relu", {"x"}, "z"))),
         "f: found the output y, which no node makes"},
        {"defined twice", model_of(graph_of(node("Relu", {"x"}, "y") + node("Relu", {"x"}, "y"))),
         "f: found a second tensor called y"},
        {"a loop", model_of(graph_of(node("Relu", {"z"}, "y") + node("Relu", {"y"}, "z"))),
         "f: found the node n_y with the input z"},
        {"short weight",
         model_of(graph_of(node("Relu", {"x"}, "y") +
                           field(5, number(1, 8) + number(2, 1) + field(9, "1234") + field(8, "w")))),
         "f: found the tensor w with 4 bytes; its 8 elements of type f32 take 32"},
        {"huge weight",
         model_of(graph_of(node("Relu", {"x"}, "y") +
                           field(5, number(1, 1ULL << 40U) + number(2, 1) + field(8, "w")))),
         "f: found the tensor w with an extent of 1099511627776"},
        {"negative extent",
         model_of(
             graph_of(node("Relu", {"x"}, "y") + field(5, number(1, ~0ULL) + number(2, 1) + field(8, "w")))),
         "f: found the tensor w with an extent of -1"},
        {"no elements",
         model_of(node("Relu", {"x"}, "y") + field(11, tensor_info("x", {0, 4})) +
                  field(12, tensor_info("y", {0, 4}))),
         "f: found the input x with an extent of 0"},
        {"only constants", model_of(graph_of(whole_numbers("c", {1, 2}) + node("Identity", {"c"}, "y"))),
         "f: found no output that depends on an input"},
        {"length beyond the end", "\x3A\xFF\xFF\x03",
         "f: byte 1, in the file: found a field of 65535 bytes where 0"},
    };
    for (const Refused& one : table) EXPECT_THAT(said(one.bytes), StartsWith(one.sentence)) << one.name;
}

TEST(Hostile, SubgraphsInSubgraphsAreCounted) {
    std::string graph = graph_of(node("Relu", {"x"}, "y"));
    for (int i = 0; i < 200; ++i)
        graph = graph_of(node("If", {"x"}, "y", field(5, field(1, "a") + field(6, graph))));
    EXPECT_THAT(said(model_of(graph)), HasSubstr("found graphs nested more than 64 levels deep"));
}

TEST(Hostile, MorePiecesThanAModelOfThatSizeHas) {
    std::string nodes;
    for (int i = 0; i < 400'000; ++i) nodes += field(1, "");
    EXPECT_THAT(said(model_of(graph_of(nodes))), HasSubstr("fields; expected fewer"));
}

// Operators with attributes and operands that fit nothing: custom, or a sentence.
TEST(Hostile, OperatorsThatMakeNoSense) {
    const auto ints = [](const char* name, const std::vector<std::uint64_t>& values) {
        std::string bytes = field(1, name) + number(20, 7);
        for (const std::uint64_t value : values) bytes += number(8, value);
        return field(5, bytes);
    };
    const std::string far = whole_numbers("c", {1ULL << 62U, 1ULL << 62U, 7});
    for (const std::string& nodes : {
             node("Transpose", {"x"}, "y", ints("perm", {0, 0})),
             node("Transpose", {"x"}, "y", ints("perm", {9, 1})),
             node("Reshape", {"x", "c"}, "y"),
             node("Expand", {"x", "c"}, "y"),
             node("Slice", {"x", "c", "c", "c"}, "y"),
             node("Split", {"x", "c"}, "y"),
             node("Gather", {"x", "c"}, "y"),
             node("ReduceMean", {"x"}, "y", ints("axes", {5, 5})),
             node("MatMul", {"x"}, "y"),
             node("Gemm", {"x", "c"}, "y"),
             node("Concat", {"x", "c"}, "y"),
             node("Unsqueeze", {"x", "c"}, "y"),
             node("Squeeze", {"x", "c"}, "y"),
             node("Softmax", {"x"}, "y", ints("axis", {77})),
             node("LayerNormalization", {"x", "c"}, "y"),
             node("ConstantOfShape", {"c"}, "y"),
             node("Range", {"c", "c", "c"}, "y"),
             node("Where", {"x"}, "y"),
             node("Add", {"x"}, "y"),
             node("Trilu", {"c", "c"}, "y"),
             node("", {}, "y"),
         })
        said(model_of(graph_of(far + nodes)));
}

}  // namespace
}  // namespace blockscope::test
