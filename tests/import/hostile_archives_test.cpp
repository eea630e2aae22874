// Archives that are cut short, damaged or made to harm: a sentence with a place, and no crash, hang or flood
// of memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/import/pt2_reader.h"
#include "core/import/shapes.h"
#include "tests/import/made_archives.h"
#include "tests/import/model_files.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// What is said of an archive; empty if it is imported.
std::string said_of(const std::string& bytes) {
    Result<model::TensorGraph> graph = model::read_pt2(model::bytes_of_memory(bytes), "f");
    if (!graph) return to_string(graph.problems().front());
    const Result<model::ImportedModel> result = model::import_model(std::move(graph).value(), {}, "f");
    return result ? "" : to_string(result.problems().front());
}

std::string small_document() {
    return program_with(node_of("relu.default", tensor_of("self", "x")));
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from);
    return text.replace(at, from.size(), to);
}

std::string argument_size(int size) {
    return "{\"as_int\": " + std::to_string(size) + "}";
}

TEST(HostileArchive, TheSmallestOneIsRead) {
    EXPECT_EQ(said_of(archive_of(small_document())), "");
}

TEST(HostileArchive, EveryCutIsRefusedWithASentence) {
    const std::string bytes = archive_of(small_document());
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_THAT(said_of(bytes.substr(0, length)), StartsWith("f: ")) << "cut to " << length;
}

TEST(HostileArchive, NoFlippedByteOfTheArchiveDoesHarm) {
    const std::string bytes = archive_of(small_document());
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
            std::string changed = bytes;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
            said_of(changed);
        }
}

TEST(HostileArchive, NoFlippedByteOfTheProgramDoesHarm) {
    const std::string document = program_with(
        node_of("linear.default", tensor_of("input", "x") + ", " + tensor_of("weight", "p_w"), "a") + ", " +
            node_of("slice.Tensor", tensor_of("self", "a") + ", " + argument_of("dim", "as_int", "1") + ", " +
                                        argument_of("start", "as_int", "0") + ", " +
                                        argument_of("end", "as_int", "2")),
        "y", {"x", "p_w", "a", "y"});
    for (std::size_t at = 0; at < document.size(); at += 2)
        for (const char other : {'"', '9', '-', '}'}) {
            std::string changed = document;
            changed[at] = other;
            said_of(archive_of(changed));
        }
}

struct RefusedArchive {
    const char* name;
    std::string bytes;
    std::string sentence;
};

TEST(HostileArchive, RefusalsOfZips) {
    const std::string program = small_document();
    const std::string name = "m/models/model.json";
    const auto only = [&](MadeMember member) { return zip_of({std::move(member)}); };
    const std::string large = little_endian(1, 2) + little_endian(16, 2) + little_endian(1ULL << 62U, 8) +
                              little_endian(1ULL << 62U, 8);
    const RefusedArchive table[] = {
        {"empty", "", "f: found no directory at the end of the zip archive"},
        {"no members", zip_of({}), "f: found a zip archive without an exported program"},
        {"another archive", only({.name = "m/data.pkl", .bytes = "x"}),
         "f: found a zip archive without an exported program"},
        {"two programs",
         zip_of({{.name = name, .bytes = program}, {.name = "m/models/other.json", .bytes = program}}),
         "f: found the exported programs m/models/model.json and m/models/other.json; expected one"},
        {"compressed", only({.name = name, .bytes = program, .method = 8}),
         "f: found the member m/models/model.json compressed (method 8 of the zip format); expected it "
         "stored"},
        {"encrypted", only({.name = name, .bytes = program, .flags = 1}),
         "f: found the member m/models/model.json encrypted"},
        {"checksum", only({.name = name, .bytes = program, .checksum = 1}),
         "f: found the member m/models/model.json with other bytes than its checksum says"},
        {"larger than it is", only({.name = name, .bytes = program, .size = 4'000'000'000}),
         "f: found the member m/models/model.json of the zip archive with 4000000000 bytes from byte 1 on"},
        {"larger than 32 bits", only({.name = name, .bytes = program, .size = 0xFFFFFFFFU, .extra = large}),
         "f: found the member m/models/model.json of the zip archive with 4611686018427387904 bytes"},
        {"size left out", only({.name = name, .bytes = program, .size = 0xFFFFFFFFU}),
         "f: found the member m/models/model.json of the zip archive with 4294967295 bytes"},
        {"outside", only({.name = name, .bytes = program, .place = 4'000'000'000}),
         "f: found the member m/models/model.json of the zip archive with"},
        {"across each other",
         zip_of({{.name = "m/a", .bytes = "12345"}, {.name = name, .bytes = program, .place = 2}}),
         "f: found the member m/a of the zip archive with 5 bytes from byte 1 on, where what follows begins "
         "at byte 3"},
        {"twice", zip_of({{.name = name, .bytes = program}, {.name = name, .bytes = program}}),
         "f: found two members m/models/model.json in the zip archive"},
        {"miscounted", zip_of({{.name = name, .bytes = program}}, 7),
         "f: found a zip directory of 1 members that says it has 7"},
    };
    for (const RefusedArchive& one : table)
        EXPECT_THAT(said_of(one.bytes), StartsWith(one.sentence)) << one.name;
}

TEST(HostileArchive, ProgramsAreFoundWhereTheyBelong) {
    const std::string program = small_document();
    for (const char* name :
         {"models/model.json", "m/models/model.json", "models/models/a.json", "mymodels/models/model.json",
          "serialized_exported_program.json", "old/serialized_exported_program.json"})
        EXPECT_EQ(said_of(zip_of({{.name = name, .bytes = program}})), "") << name;
    for (const char* name : {"model.json", "m/model.json", "mymodels/model.json", "a/b/models/model.json",
                             "m/models/model.txt", "models/", "m/models/deeper/model.json"})
        EXPECT_THAT(said_of(zip_of({{.name = name, .bytes = program}})),
                    StartsWith("f: found a zip archive without an exported program"))
            << name;
}

TEST(HostileArchive, NumbersOf64BitsAreRead) {
    const std::string program = small_document();
    const std::string extra = little_endian(1, 2) + little_endian(16, 2) + little_endian(program.size(), 8) +
                              little_endian(program.size(), 8);
    EXPECT_EQ(said_of(zip_of(
                  {{.name = "models/model.json", .bytes = program, .size = 0xFFFFFFFFU, .extra = extra}})),
              "");
}

// A member of more than 2 GiB is not read, and takes no memory.
TEST(HostileArchive, WeightsAreLeftWhereTheyAre) {
    const std::string document = archive_of(small_document());
    std::uint64_t most = 0;
    const model::ByteSource source{.size = document.size(), .read = [&](std::uint64_t at, std::size_t count) {
                                       most = std::max<std::uint64_t>(most, count);
                                       return document.substr(static_cast<std::size_t>(at), count);
                                   }};
    EXPECT_TRUE(model::read_pt2(source, "f"));
    EXPECT_LE(most, std::max<std::uint64_t>(document.size(), 22 + 0xFFFF));
}

TEST(HostileArchive, RefusalsOfPrograms) {
    const std::string good = small_document();
    const std::string first = "f/m/models/model.json";
    const std::string graph = first + "#/graph_module/graph";
    const std::string relu = node_of("relu.default", tensor_of("self", "x"));
    const std::tuple<const char*, std::string, std::string> table[] = {
        {"no JSON", "{", first + ": this is not JSON"},
        {"nothing", "", first + ": the file is empty"},
        {"a list", "[]", first + ": the key \"schema_version\" is missing"},
        {"another version", with(good, "\"major\": 8", "\"major\": 7"),
         first + "#/schema_version/major: found version 7 of the schema of exported programs; expected 8"},
        {"a version that is none", with(good, "\"major\": 8", "\"major\": \"8\""),
         first + "#/schema_version/major: expected a whole number"},
        {"no graph", with(good, "\"graph\": ", "\"grape\": "),
         first + "#/graph_module: the key \"graph\" is missing"},
        {"nodes are no list", with(good, "\"nodes\": [", "\"nodes\": 3, \"knots\": ["),
         graph + "/nodes: expected an array"},
        {"an unknown input", program_with(node_of("relu.default", tensor_of("self", "z"))),
         graph + "/nodes/0/inputs/0/arg/as_tensor/name: found the tensor z, which neither the model nor an "
                 "earlier"},
        {"a loop",
         program_with(node_of("relu.default", tensor_of("self", "z")) + ", " +
                          node_of("relu.default", tensor_of("self", "y"), "z"),
                      "y", {"x", "p_w", "y", "z"}),
         graph + "/nodes/0/inputs/0/arg/as_tensor/name: found the tensor z, which neither"},
        {"itself", program_with(node_of("relu.default", tensor_of("self", "y"))),
         graph + "/nodes/0/inputs/0/arg/as_tensor/name: found the tensor y, which neither"},
        {"defined twice", program_with(relu + ", " + relu),
         graph + "/nodes/1: found a second tensor called y"},
        {"input and node", program_with(node_of("relu.default", tensor_of("self", "x"), "x"), "x"),
         graph + "/nodes/0: found a second tensor called x"},
        {"an unknown output", program_with(relu, "z"),
         first +
             "#/graph_module/signature/output_specs/0/user_output/arg/as_tensor/name: found the tensor z"},
        {"no output", with(good, "\"user_output\"", "\"token\""),
         first + "#/graph_module/signature/output_specs: found a graph without outputs"},
        {"an input without a type", program_with(relu, "y", {"p_w", "y"}),
         graph + "/inputs/1/as_tensor: found the input x, of which tensor_values says nothing"},
        {"a negative extent", with(good, "\"as_int\": 4", "\"as_int\": -4"),
         graph + "/tensor_values/x/sizes/0: found an extent of -4; expected 0 to 2147483647"},
        {"a huge extent", with(good, "\"as_int\": 4", "\"as_int\": 99999999999"),
         graph + "/tensor_values/x/sizes/0: found an extent of 99999999999"},
        {"too many elements",
         with(good, "{\"as_int\": 4}", "{\"as_int\": 2147483647}, {\"as_int\": 2147483647}, {\"as_int\": 4}"),
         graph + "/tensor_values/x/sizes: found the tensor x with more than 2^60 elements"},
        {"no extents", with(good, "{\"as_int\": 4}", "{\"as_int\": 0}"),
         "f: found the input x with an extent of 0"},
        {"a size of nothing", with(good, "{\"as_int\": 4}", "{}"),
         graph + "/tensor_values/x/sizes/0: the key \"as_int\" is missing"},
        {"an unknown size",
         program_with(node_of("select.int", tensor_of("self", "x") + ", " +
                                                argument_of("index", "as_sym_int", R"({"as_name": "u"})"))),
         graph + "/nodes/0/inputs/1/arg/as_sym_int: found the whole number u, of which sym_int_values says "
                 "nothing"},
        {"a number that is none",
         program_with(
             node_of("select.int", tensor_of("self", "x") + ", " + argument_of("dim", "as_int", "\"a\""))),
         graph + "/nodes/0/inputs/1/arg/as_int: expected a whole number"},
        {"only constants", program_with(node_of("ones.default", "")),
         "f: found no output that depends on an input"},
    };
    for (const auto& [name, document, sentence] : table)
        EXPECT_THAT(said_of(archive_of(document)), StartsWith(sentence)) << name;
}

TEST(HostileArchive, GraphsInGraphsAreCounted) {
    std::string inner = node_of("relu.default", tensor_of("self", "x"));
    for (int i = 0; i < 17; ++i)
        inner =
            R"({"target": "torch.ops.higher_order.wrap_with_set_grad_enabled", "inputs": [{"name": "", "arg": )"
            R"({"as_graph": {"graph": {"inputs": [{"as_tensor": {"name": "x"}}], "nodes": [)" +
            inner + R"(], "outputs": [{"as_tensor": {"name": "y"}}], "tensor_values": {}}}}}, )" +
            tensor_of("", "x") + R"(], "outputs": [{"as_tensor": {"name": "y"}}], "metadata": {}})";
    EXPECT_THAT(said_of(archive_of(program_with(inner))), HasSubstr("nested more than"));
}

// Every operator with arguments that fit nothing: custom, or a sentence.
TEST(HostileArchive, CallsThatMakeNoSense) {
    const std::string x = tensor_of("self", "x");
    const auto far = [](const char* name) { return argument_of(name, "as_int", "4611686018427387904"); };
    const auto longs = [](const char* name) {
        return argument_of(name, "as_ints", "[9, -9, 4611686018427387904]");
    };
    for (const char* target : {"add.Tensor",
                               "clamp.default",
                               "linear.default",
                               "matmul.default",
                               "addmm.default",
                               "baddbmm.default",
                               "scaled_dot_product_attention.default",
                               "softmax.int",
                               "layer_norm.default",
                               "rms_norm.default",
                               "mean.dim",
                               "var.correction",
                               "view.default",
                               "flatten.using_ints",
                               "permute.default",
                               "transpose.int",
                               "t.default",
                               "expand.default",
                               "repeat.default",
                               "repeat_interleave.self_int",
                               "unsqueeze.default",
                               "slice.Tensor",
                               "select.int",
                               "cat.default",
                               "stack.default",
                               "split.Tensor",
                               "unbind.int",
                               "to.dtype",
                               "dropout.default",
                               "where.self",
                               "masked_fill.Scalar",
                               "full.default",
                               "ones.default",
                               "arange.default",
                               "tril.default",
                               "embedding.default",
                               "remainder.Scalar",
                               "eq.Scalar",
                               "gelu.default",
                               "_to_copy.default",
                               "",
                               "."})
        for (const std::string& arguments :
             {std::string(), x, tensor_of("input", "x"), tensor_of("query", "x"), tensor_of("tensors", "x"),
              x + ", " + far("dim") + ", " + far("index") + ", " + far("end") + ", " + far("diagonal"),
              x + ", " + longs("dims") + ", " + longs("size") + ", " + longs("repeats") + ", " + longs("dim"),
              x + ", " + argument_of("dim", "as_ints", "[]") + ", " + far("repeats") + ", " + far("dim0"),
              argument_of("tensors", "as_tensors", "[]"),
              tensor_of("query", "x") + ", " + tensor_of("key", "x") + ", " + tensor_of("value", "p_w") +
                  ", " + argument_of("enable_gqa", "as_bool", "true"),
              x + ", " + argument_of("other", "as_float", "\"NaN\"") + ", " +
                  argument_of("fill_value", "as_float", "\"Infinity\"")})
            said_of(archive_of(program_with(node_of(target, arguments))));
}

// The document with other extents of a tensor that has been [4, 4].
std::string with_sizes(std::string document, const std::string& tensor, const std::vector<int>& sizes) {
    std::string list;
    for (const int size : sizes) list += (list.empty() ? "" : ", ") + argument_size(size);
    const std::string before = "\"" + tensor + "\": {\"dtype\": 7, \"sizes\": [";
    return with(std::move(document), before + argument_size(4) + ", " + argument_size(4), before + list);
}

// What the nodes that have no form are, and why.
std::string customs_of(const std::string& document) {
    Result<model::TensorGraph> graph = model::read_pt2(model::bytes_of_memory(archive_of(document)), "f");
    if (!graph) return to_string(graph.problems().front());
    const Result<model::ImportedModel> result = model::import_model(std::move(graph).value(), {}, "f");
    if (!result) return to_string(result.problems().front());
    std::string text;
    for (const model::ImportedCustom& custom : result->customs)
        text += (text.empty() ? "" : "; ") + custom.op + ": " + custom.reason.str();
    return text;
}

TEST(HostileArchive, HeadsAreSharedOnlyAmongOperandsOfOneRank) {
    const std::string made = node_of("cumsum.default", tensor_of("self", "x"), "q") + ", " +
                             node_of("cumsum.default", tensor_of("self", "x"), "k") + ", " +
                             node_of("cumsum.default", tensor_of("self", "x"), "v");
    const std::string call =
        node_of("scaled_dot_product_attention.default",
                tensor_of("query", "q") + ", " + tensor_of("key", "k") + ", " + tensor_of("value", "v") +
                    ", " + argument_of("enable_gqa", "as_bool", "true"));
    const std::string plain = program_with(made + ", " + call, "y", {"x", "p_w", "q", "k", "v", "y"});
    const std::vector<int> three = {4, 2, 2};
    const std::vector<int> ten = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2};
    const std::vector<int> two = {2, 2};
    const auto said = [&](const std::vector<int>& q, const std::vector<int>& k, const std::vector<int>& v) {
        return customs_of(with_sizes(with_sizes(with_sizes(plain, "q", q), "k", k), "v", v));
    };
    const std::string refused = "aten.scaled_dot_product_attention: its heads cannot be shared";
    EXPECT_THAT(said(three, ten, three), HasSubstr(refused));
    EXPECT_THAT(said(ten, three, three), HasSubstr(refused));
    EXPECT_THAT(said(three, {2, 2, 2}, ten), HasSubstr(refused));
    EXPECT_THAT(said(three, {2, 2, 2}, {1, 2, 2}), HasSubstr(refused));
    EXPECT_THAT(said(three, two, two), HasSubstr(refused));
    EXPECT_THAT(said(three, {2, 2, 2}, {2, 2, 2}), Not(HasSubstr(refused)));
}

TEST(HostileArchive, RangesThatAreTooLongAreNotWrittenOut) {
    const auto bound = [](const char* name, const char* value) { return argument_of(name, "as_int", value); };
    for (const std::string& bounds :
         {bound("start", "-9223372036854775808") + ", " + bound("end", "0"),
          bound("start", "0") + ", " + bound("end", "-9223372036854775808") + ", " + bound("step", "-1"),
          bound("start", "9223372036854775800") + ", " + bound("end", "9223372036854775807") + ", " +
              bound("step", "5"),
          bound("start", "-16000000") + ", " + bound("end", "16000000")}) {
        const std::string nodes =
            node_of("arange.start_step", bounds, "r") + ", " +
            node_of("add.Tensor", tensor_of("self", "x") + ", " + tensor_of("other", "r"));
        EXPECT_THAT(customs_of(program_with(nodes, "y", {"x", "p_w", "r", "y"})), HasSubstr("Range"))
            << bounds;
    }
}

TEST(HostileArchive, AnOperandThatIsNoneMakesACustomOperator) {
    const std::string text = argument_of("min", "as_string", "\"a\"");
    EXPECT_THAT(customs_of(program_with(node_of("clamp.default", tensor_of("self", "x") + ", " + text))),
                StartsWith("aten.clamp: "));
}

// ---- Memory.

// The document whose x and w are buffers of that name, as the signature has them.
std::string with_buffers(std::string document) {
    const auto buffer = [](const std::string& argument, const std::string& name) {
        return R"({"buffer": {"arg": {"name": ")" + argument + R"("}, "buffer_name": ")" + name + R"("}})";
    };
    document = with(std::move(document), R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}})",
                    buffer("p_w", "w"));
    return with(std::move(document), R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})",
                buffer("x", "x"));
}

std::string stored_at(const std::string& name, int offset) {
    return "\"" + name + R"(": {"path_name": "tensor_0", "is_param": false, "use_pickle": false, )" +
           R"("tensor_meta": {"dtype": 7, "strides": [{"as_int": 4}, {"as_int": 1}], "storage_offset": )" +
           argument_size(offset) + "}}";
}

// The tensors of an archive whose buffers x and w lie in one member, from these offsets on.
Result<model::TensorGraph> buffers_in(const std::string& document, const std::string& bytes, int x, int w,
                                      std::uint64_t most = model::kMostConstants) {
    const std::string config = R"({"config": {)" + stored_at("x", x) + ", " + stored_at("w", w) + "}}";
    const std::string archive =
        zip_of({{.name = "m/models/model.json", .bytes = document},
                {.name = "m/data/constants/model_constants_config.json", .bytes = config},
                {.name = "m/data/constants/tensor_0", .bytes = bytes}});
    return model::read_pt2(model::bytes_of_memory(archive), "f", most);
}

std::string floats(int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes += little_endian(i % 3 == 0 ? 0x3F800000U : 0U, 4);  // 1 or 0
    return bytes;
}

const model::GraphTensor& tensor_called(const model::TensorGraph& graph, const std::string& name) {
    for (const model::GraphTensor& tensor : graph.tensors)
        if (tensor.name == name) return tensor;
    throw std::runtime_error("no " + name);
}

TEST(HostileArchive, ConstantsTakeNoMoreThanTheyMay) {
    const std::string document = with_buffers(small_document());
    const auto all = buffers_in(document, floats(16), 0, 0);
    ASSERT_TRUE(all);
    EXPECT_TRUE(tensor_called(*all, "x").values);
    EXPECT_TRUE(tensor_called(*all, "w").values);
    const auto one = buffers_in(document, floats(16), 0, 0, 3 * 64 - 1);
    ASSERT_TRUE(one);
    EXPECT_FALSE(tensor_called(*one, "x").values);
    EXPECT_TRUE(tensor_called(*one, "w").values);
    const auto none = buffers_in(document, floats(16), 0, 0, 127);
    ASSERT_TRUE(none);
    EXPECT_FALSE(tensor_called(*none, "w").values);
}

TEST(HostileArchive, ConstantsLieWhereTheirOffsetSays) {
    const std::string document = with_buffers(small_document());
    const auto both = buffers_in(document, floats(17), 1, 0);
    ASSERT_TRUE(both);
    EXPECT_EQ(tensor_called(*both, "x").values.value().wholes(),
              (std::vector<std::int64_t>{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0}));
    EXPECT_EQ(tensor_called(*both, "w").values.value().whole(0), 1);
    const auto outside = buffers_in(document, floats(17), 2, 0);
    ASSERT_TRUE(outside);
    EXPECT_FALSE(tensor_called(*outside, "x").values);
    const auto negative = buffers_in(document, floats(17), -1, 0);
    ASSERT_TRUE(negative);
    EXPECT_FALSE(tensor_called(*negative, "x").values);
    const auto cut = buffers_in(document, floats(15), 0, 0);
    ASSERT_FALSE(cut);
    EXPECT_THAT(to_string(cut.problems().front()), HasSubstr("with 60 bytes; its 16 elements"));
}

TEST(HostileArchive, BuffersThatAreWrittenAreNoConstants) {
    const std::string document =
        with(with_buffers(small_document()), R"("output_specs": [)",
             R"("output_specs": [{"buffer_mutation": {"arg": {"name": "y"}, "buffer_name": "w"}}, )");
    const auto graph = buffers_in(document, floats(16), 0, 0);
    ASSERT_TRUE(graph);
    EXPECT_TRUE(tensor_called(*graph, "x").values);
    EXPECT_FALSE(tensor_called(*graph, "w").values);
    EXPECT_TRUE(tensor_called(*graph, "w").weight);
    ASSERT_EQ(graph->remarks.size(), 1U);
    EXPECT_EQ(graph->remarks[0].str(),
              "the model writes to its buffers (1 of them, such as w); what it writes is left out");
}

TEST(HostileArchive, NamesRanksAndFormulasAreShort) {
    const std::string graph = "f/m/models/model.json#/graph_module/graph";
    EXPECT_THAT(said_of(archive_of(with_sizes(small_document(), "x", std::vector<int>(65, 1)))),
                StartsWith(graph + "/tensor_values/x/sizes: found the tensor x with 65 extents"));
    const std::string relu = node_of("relu.default", tensor_of("self", "x"), std::string(1025, 'a'));
    EXPECT_THAT(said_of(archive_of(program_with(relu))),
                StartsWith(graph + "/nodes/0/outputs/0/as_tensor/name: "));
    const std::string formula = R"({"as_expr": {"expr_str": ")" + std::string(4097, 's') + "\"}}";
    EXPECT_THAT(said_of(archive_of(with(small_document(), argument_size(4), formula))),
                StartsWith(graph + "/tensor_values/x/sizes/0/as_expr/expr_str: "));
}

// Each of the nodes makes 256 numbers of 8 bytes.
TEST(HostileArchive, ConstantsAreComputedOnlyWhileThereIsRoom) {
    const auto left = [](std::uint64_t most) {
        std::string nodes;
        for (const char* name : {"a", "b", "c"})
            nodes += node_of("ones.default", argument_of("size", "as_ints", "[16, 16]"), name) + ", ";
        std::string document = program_with(nodes + node_of("relu.default", tensor_of("self", "x")), "y",
                                            {"x", "p_w", "a", "b", "c", "y"});
        for (const char* name : {"a", "b", "c"}) document = with_sizes(std::move(document), name, {16, 16});
        Result<model::TensorGraph> graph = model::read_pt2(model::bytes_of_memory(archive_of(document)), "f");
        model::TensorGraph settled = std::move(graph).value();
        model::settle(settled, most);
        return settled.nodes.size();
    };
    EXPECT_EQ(left(3 * 2048), 1U);
    EXPECT_EQ(left(3 * 2048 - 1), 2U);
    EXPECT_EQ(left(0), 4U);
}

TEST(HostileArchive, AMemberEndsBeforeTheNext) {
    const std::string program = small_document();
    std::string archive = zip_of(
        {{.name = "m/models/model.json", .bytes = program}, {.name = "m/z", .bytes = std::string(300, ' ')}});
    archive[28] = 40;  // bytes more of the local header
    EXPECT_THAT(said_of(archive), StartsWith("f: found the member m/models/model.json with"));
    EXPECT_THAT(said_of(archive), HasSubstr("are left"));
}

}  // namespace
}  // namespace blockscope::test
