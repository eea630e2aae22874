// Archives as torch.export writes them: what they become, that they compute what PyTorch computed, and that
// they are the programs that ONNX files of the same modules become.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/import/pt2_reader.h"
#include "tests/import/made_archives.h"
#include "tests/import/model_files.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using model::ImportedModel;
using testing::HasSubstr;

struct Archive {
    const char* name;
    Counts counts;
};

class Archives : public testing::TestWithParam<Archive> {
protected:
    static std::string file() { return std::string(GetParam().name) + ".pt2"; }
};

TEST_P(Archives, BecomesWhatItIs) {
    const ImportedModel model = imported(file());
    EXPECT_EQ(counts_of(model), GetParam().counts) << model.text;
    EXPECT_EQ(model.producer, "pytorch written by hand");
}

TEST_P(Archives, ComputesWhatPyTorchDid) {
    EXPECT_LT(largest_error(file()), 1e-5);
}

TEST_P(Archives, FusesToFewerBufferedEdgesThanItHas) {
    EXPECT_TRUE(fuses(file()));
}

INSTANTIATE_TEST_SUITE_P(
    All, Archives,
    testing::Values(Archive{"export-bert", {8, 1, 2, 1, 0}}, Archive{"core-bert", {8, 1, 2, 1, 0}},
                    Archive{"export-gpt2", {8, 1, 2, 1, 0}}, Archive{"core-gpt2", {8, 1, 2, 1, 0}},
                    Archive{"export-gated", {9, 1, 2, 1, 0}}, Archive{"core-gated", {9, 1, 2, 1, 0}},
                    Archive{"export-llama", {9, 1, 2, 1, 0}}, Archive{"core-llama", {9, 1, 2, 1, 0}},
                    Archive{"core-fused-qkv", {6, 1, 0, 0, 0}},
                    Archive{"core-encoder-layer", {8, 1, 2, 1, 0}}, Archive{"export-sdpa", {9, 1, 2, 1, 0}},
                    Archive{"export-buffered-mask", {6, 1, 0, 0, 0}},
                    Archive{"export-masked", {5, 1, 0, 0, 0}}),
    [](const auto& param) { return test_name(param.param.name); });

// The program with arrays and dimensions called by their numbers, and no name for what is used once: that is
// where files differ that name their modules or do not.
std::string nameless(ArrayProgram program) {
    std::vector<int> uses(program.ops.size(), 0);
    for (const ArrayOp& op : program.ops)
        for (const int operand : op.operands) ++uses[static_cast<std::size_t>(operand)];
    for (const ArrayOutput& output : program.outputs) uses[static_cast<std::size_t>(output.op)] = 2;
    for (std::size_t i = 0; i < program.dims.size(); ++i) program.dims[i].name = "D" + std::to_string(i);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        ArrayOp& op = program.ops[i];
        const bool named = op.kind == ArrayOpKind::Input || uses[i] > 1;
        op.name = named ? "a" + std::to_string(i) : "";
    }
    for (ArrayOutput& output : program.outputs)
        output.name = program.ops[static_cast<std::size_t>(output.op)].name;
    program.comment.clear();
    return print_program(program);
}

TEST(SameModule, IsTheSameProgramFromEitherFile) {
    for (const std::string name : {"bert", "gpt2", "gated", "llama", "fused-qkv", "encoder-layer"}) {
        const std::string onnx = nameless(imported(name).program);
        if (name.find('-') == std::string::npos) {
            EXPECT_EQ(nameless(imported("export-" + name + ".pt2").program), onnx);
        }
        EXPECT_EQ(nameless(imported("core-" + name + ".pt2").program), onnx);
    }
}

TEST(SameModule, ModulesAndWeightsHaveTheirNames) {
    const std::string text = imported("export-bert.pt2").text;
    EXPECT_THAT(text, HasSubstr("attention_query = x @ attention_query_weight + attention_query_bias"));
    EXPECT_THAT(text, HasSubstr("norm = layernorm("));
}

TEST(OneOperator, IsAnAttentionWithItsMask) {
    const std::string causal = imported("export-sdpa.pt2").text;
    EXPECT_THAT(causal, HasSubstr("= causal"));
    EXPECT_THAT(causal, HasSubstr("group "));
    EXPECT_THAT(causal, HasSubstr(" / 2 + Mask)"));
    EXPECT_THAT(causal, HasSubstr("= rmsnorm(x, norm)"));
    const std::string masked = imported("export-masked.pt2").text;
    EXPECT_THAT(masked, HasSubstr("= causal"));
    EXPECT_THAT(masked, HasSubstr(" * 0.25 + Mask)"));
}

TEST(Buffers, ThatAreMasksAreLookedAt) {
    const std::string text = imported("export-buffered-mask.pt2").text;
    EXPECT_THAT(text, HasSubstr("= causal"));
    EXPECT_THAT(text, HasSubstr("c_attn_weight_q"));
}

TEST(Symbols, AreBoundAndHaveARange) {
    const ImportedModel usual = imported("export-dynamic.pt2");
    ASSERT_EQ(usual.symbols.size(), 2U);
    EXPECT_EQ(usual.symbols[0].name, "s77");
    EXPECT_EQ(usual.symbols[0].size, 128);
    EXPECT_EQ(usual.symbols[1].name, "s27");
    const ImportedModel chosen = imported("export-dynamic.pt2", {{"s77", {3, {}}}, {"s27", {512, 64}}});
    EXPECT_EQ(counts_of(chosen), Counts(9, 1, 2, 1, 0)) << chosen.text;
    EXPECT_THAT(chosen.text, HasSubstr("dim s27 = 512 / 64\n"));
    EXPECT_THAT(
        [] {
            imported("export-dynamic.pt2", {{"s27", {4096, {}}}});
        },
        testing::ThrowsMessage<std::runtime_error>(
            HasSubstr("found 4096 for the symbol s27; the model was made for 2 to 512")));
}

// ---- Single nodes.

ImportedModel imported_document(const std::string& document,
                                const std::map<std::string, model::ExtentChoice>& choices = {}) {
    Result<model::TensorGraph> graph = model::read_pt2(model::bytes_of_memory(archive_of(document)), "f");
    if (!graph) throw std::runtime_error(to_string(graph.problems().front()));
    Result<ImportedModel> result = model::import_model(std::move(graph).value(), choices, "f");
    if (!result) throw std::runtime_error(to_string(result.problems().front()));
    return std::move(result).value();
}

std::string result_of(const std::string& target, const std::string& arguments) {
    std::string text = program_of(imported_document(program_with(node_of(target, arguments))));
    const std::string front = "\noutput y = ";
    const std::size_t at = text.find(front);
    if (at == std::string::npos) return text;
    return text.substr(at + front.size(), text.find('\n', at + 1) - at - front.size());
}

TEST(Operators, BecomeThoseOfTheLanguage) {
    const std::string self = tensor_of("self", "x");
    const std::string both = self + ", " + tensor_of("other", "p_w");
    const auto with = [&](const char* name, const char* kind, const char* value) {
        return self + ", " + argument_of(name, kind, value);
    };
    const std::tuple<const char*, std::string, const char*> table[] = {
        {"relu.default", self, "relu(x)"},
        {"gelu.default", with("approximate", "as_string", "\"tanh\""), "gelu_tanh(x)"},
        {"gelu.default", self, "gelu(x)"},
        {"silu.default", self, "silu(x)"},
        {"add.Tensor", both, "x + w"},
        {"add.Tensor", both + ", " + argument_of("alpha", "as_float", "0.5"), "x + w * 0.5"},
        {"sub.Tensor", both, "x - w"},
        {"rsub.Scalar", with("other", "as_int", "1"), "1 - x"},
        {"div.Scalar", with("other", "as_float", "3.0"), "x / 3"},
        {"pow.Tensor_Scalar", with("exponent", "as_int", "2"), "x^2"},
        {"rsqrt.default", self, "1 / sqrt(x)"},
        {"maximum.default", both, "max(x, w)"},
        {"clamp.default", with("min", "as_float", "0.5"), "max(x, 0.5)"},
        {"mm.default", self + ", " + tensor_of("mat2", "p_w"), "x @ w"},
        {"linear.default", tensor_of("input", "x") + ", " + tensor_of("weight", "p_w"), "x @ w"},
        {"softmax.int", with("dim", "as_int", "-1"), "softmax(x)"},
        {"leaky_relu.default", with("negative_slope", "as_float", "0.2"), "leaky_relu(x, 0.2)"},
    };
    for (const auto& [target, arguments, text] : table)
        EXPECT_EQ(result_of(target, arguments), text) << target;
}

// The whole number u, which is the symbol s0.
std::string with_symbol(std::string document) {
    const std::string none = "\"sym_int_values\": {}";
    return document.replace(document.find(none), none.size(),
                            R"("sym_int_values": {"u": {"as_expr": {"expr_str": "s0"}}})");
}

TEST(Operators, ThatHaveNoFormSayWhy) {
    const std::string self = tensor_of("self", "x");
    const char* unread = "an argument of it is not understood, or no plain number";
    const std::tuple<std::string, std::string, const char*, const char*> table[] = {
        {"cumsum.default", self, "aten.cumsum", "the language has no operator for it yet"},
        {"relu_.default", self, "aten.relu_", "it changes a tensor in place that may be read by others"},
        {"dropout.default",
         tensor_of("input", "x") + ", " + argument_of("p", "as_float", "0.1") + ", " +
             argument_of("train", "as_bool", "true"),
         "aten.dropout", "it drops numbers at random; export the model in eval()"},
        {"remainder.Scalar", self + ", " + argument_of("other", "as_float", "2.0"), "aten.remainder.Scalar",
         "the language has no operator for it yet"},
        {"div.Tensor_mode",
         self + ", " + tensor_of("other", "p_w") + ", " +
             argument_of("rounding_mode", "as_string", "\"floor\""),
         "aten.div.Tensor_mode", "it rounds"},
        {"triu.default", self + ", " + argument_of("diagonal", "as_float", "1.5"), "aten.triu", unread},
        {"elu.default", self + ", " + argument_of("alpha", "as_sym_float", "{}"), "aten.elu", unread},
        {"slice.Tensor", self + ", " + argument_of("step", "as_sym_int", R"({"as_name": "u"})"),
         "aten.slice.Tensor", unread},
        {"mean.dim", self + ", " + argument_of("dim", "as_string", "\"a\""), "aten.mean.dim", unread},
        {"logical_not.default", self, "aten.logical_not", "the language has no operator for it yet"},
    };
    for (const auto& [target, arguments, op, why] : table) {
        const ImportedModel model = imported_document(with_symbol(program_with(node_of(target, arguments))));
        ASSERT_EQ(model.customs.size(), 1U) << target;
        EXPECT_EQ(model.customs[0].op, op);
        EXPECT_EQ(model.customs[0].reason.str(), why);
        EXPECT_EQ(model.customs[0].node, "y");
    }
}

TEST(Operators, ASoftmaxOfAnotherTypeCastsFirst) {
    std::string document = program_with(
        node_of("softmax.int", tensor_of("self", "x") + ", " + argument_of("dim", "as_int", "-1")));
    document.replace(document.find("\"dtype\": 7"), 10, "\"dtype\": 6");  // of x
    EXPECT_THAT(imported_document(document).text, HasSubstr("output y = softmax(cast(x, f32))"));
}

// A tensor that nothing else reads may be changed in place.
TEST(Operators, InPlaceIsNoMatterWhereNobodySees) {
    const std::string sum =
        node_of("add.Tensor", tensor_of("self", "x") + ", " + tensor_of("other", "p_w"), "s");
    const std::string once = sum + ", " + node_of("relu_.default", tensor_of("self", "s"));
    EXPECT_EQ(imported_document(program_with(once, "y", {"x", "p_w", "s", "y"})).counts.customs, 0);
    const std::string twice = sum + ", " + node_of("relu_.default", tensor_of("self", "s"), "r") + ", " +
                              node_of("add.Tensor", tensor_of("self", "s") + ", " + tensor_of("other", "r"));
    EXPECT_EQ(imported_document(program_with(twice, "y", {"x", "p_w", "s", "r", "y"})).counts.customs, 1);
}

// An unknown operator may make a part of its operand, which is then seen there, too.
TEST(Operators, InPlaceMattersToWhatMayBeAPart) {
    const std::string part = node_of("as_strided.default", tensor_of("self", "x"), "s") + ", " +
                             node_of("relu_.default", tensor_of("self", "s"));
    const ImportedModel model = imported_document(program_with(part, "y", {"x", "p_w", "s", "y"}));
    EXPECT_EQ(model.counts.customs, 2) << model.text;
}

// None is as good as nothing, also where the number that is then taken is no whole one.
TEST(Operators, NoneIsNoArgument) {
    EXPECT_EQ(result_of("leaky_relu.default",
                        tensor_of("self", "x") + ", " + argument_of("negative_slope", "as_none", "true")),
              "leaky_relu(x)");
}

TEST(Operators, GraphsThatOnlySetSomethingAreLookedInto) {
    const std::string inner = node_of("relu.default", tensor_of("self", "arg0"), "r");
    const std::string node =
        R"({"target": "torch.ops.higher_order.wrap_with_set_grad_enabled", "inputs": [)" +
        argument_of("", "as_bool", "false") + ", " +
        argument_of("", "as_graph",
                    R"({"name": "g", "graph": {"inputs": [{"as_tensor": {"name": "arg0"}}], "nodes": [)" +
                        inner + R"(], "outputs": [{"as_tensor": {"name": "r"}}], "tensor_values": {}}})") +
        ", " + tensor_of("", "x") + R"(], "outputs": [{"as_tensors": [{"name": "y"}]}], "metadata": {}})";
    EXPECT_THAT(imported_document(program_with(node)).text, HasSubstr("output y = relu(x)"));
}

TEST(Sizes, OfInputsFollowFromTheirSymbols) {
    std::string document = program_with(node_of("relu.default", tensor_of("self", "x")));
    const std::string four = R"({"as_int": 4}, {"as_int": 4}]}, "p_w")";
    document.replace(document.find(four), four.size(),
                     R"({"as_expr": {"expr_str": "s0"}}, {"as_expr": {"expr_str": "2*s0 + 1"}}]}, "p_w")");
    const ImportedModel model = imported_document(document, {{"s0", {5, {}}}});
    EXPECT_THAT(model.text, HasSubstr(" = 5"));
    EXPECT_THAT(model.text, HasSubstr(" = 11"));
    ASSERT_EQ(model.symbols.size(), 1U);
}

}  // namespace
}  // namespace blockscope::test
