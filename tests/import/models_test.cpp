// Exports of PyTorch as programs: what they become, and that they compute what PyTorch computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/import/model_files.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using model::ImportedModel;
using testing::HasSubstr;
using testing::Not;

struct Export {
    const char* name;
    Counts counts;
};

class Exports : public testing::TestWithParam<Export> {};

TEST_P(Exports, BecomesWhatItIs) {
    const ImportedModel model = imported(GetParam().name);
    EXPECT_EQ(counts_of(model), GetParam().counts) << model.text;
}

TEST_P(Exports, ComputesWhatPyTorchDid) {
    EXPECT_LT(largest_error(GetParam().name), 1e-5);
}

TEST_P(Exports, FusesToFewerBufferedEdges) {
    EXPECT_TRUE(fuses(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(
    All, Exports,
    testing::Values(Export{"bert", {8, 1, 2, 1, 0}}, Export{"gpt2", {8, 1, 2, 1, 0}},
                    Export{"gated", {9, 1, 2, 1, 0}}, Export{"llama", {9, 1, 2, 1, 0}},
                    Export{"rotary-pairs", {9, 1, 2, 1, 0}}, Export{"fused-qkv", {6, 1, 0, 0, 0}},
                    Export{"multihead-attention", {6, 1, 0, 0, 0}}, Export{"encoder-layer", {8, 1, 2, 1, 0}},
                    Export{"attention-expanded", {2, 1, 0, 0, 0}},
                    Export{"attention-expanded-causal", {2, 1, 0, 0, 0}},
                    Export{"attention-causal", {2, 1, 0, 0, 0}}, Export{"attention-shared", {2, 1, 0, 0, 0}},
                    Export{"attention-joined", {2, 1, 0, 1, 0}}, Export{"pointwise", {2, 0, 0, 1, 0}},
                    Export{"head", {0, 0, 0, 1, 0}}, Export{"embedded", {9, 1, 3, 1, 0}},
                    Export{"placed", {10, 1, 2, 1, 0}}, Export{"mlp", {2, 0, 0, 2, 0}}),
    [](const auto& param) { return test_name(param.param.name); });

// One block at opset 13, at 17 (with a norm of its own), with dynamic axes and without constant folding.
TEST(Bert, IsTheSameProgramHoweverItWasExported) {
    const std::string usual = program_of(imported("bert"));
    EXPECT_EQ(program_of(imported("bert-opset17")), usual);
    EXPECT_EQ(program_of(imported("bert-unfolded")), usual);
    EXPECT_EQ(counts_of(imported("bert-dynamic", {{"batch", {2, {}}}, {"seq", {6, {}}}})),
              Counts(8, 1, 2, 1, 0));
    std::string dynamic = program_of(imported("bert-dynamic", {{"batch", {2, {}}}, {"seq", {6, {}}}}));
    const std::size_t symbol = dynamic.find("seq");
    ASSERT_NE(symbol, std::string::npos);
    for (std::size_t at = symbol; at != std::string::npos; at = dynamic.find("seq", at))
        dynamic.replace(at, 3, "M");
    EXPECT_EQ(dynamic, usual);
}

TEST(Bert, BindsSymbolsAndBlocks) {
    const ImportedModel model = imported("bert-dynamic", {{"seq", {512, 64}}});
    EXPECT_THAT(model.text, HasSubstr("dim seq = 512 / 64\n"));
    EXPECT_THAT(model.text, Not(HasSubstr("batch B")));
}

TEST(EncoderLayer, EqualWeightsDoNotUnifyDimensions) {
    EXPECT_EQ(counts_of(imported("encoder-layer-opset17")), Counts(8, 1, 2, 1, 0));
}

TEST(Groups, AreCalledByTheirWords) {
    EXPECT_THAT(imported("bert").text, HasSubstr(" gelu(up)"));
    EXPECT_THAT(imported("gpt2").text, HasSubstr(" gelu_tanh(c_fc)"));
    EXPECT_THAT(imported("gated").text, HasSubstr(" silu(gate)"));
    EXPECT_THAT(imported("gated").text, HasSubstr(" rmsnorm(x, norm)"));
    EXPECT_THAT(imported("encoder-layer").text,
                HasSubstr(" layernorm(x + self_attn, norm1_weight, norm1_bias)"));
}

TEST(Gpt2, ItsConstantMaskIsCausal) {
    EXPECT_THAT(imported("gpt2").text, HasSubstr("= causal"));
}

// Two of each, the heads of keys being fewer; one array of cosines and one of sines.
TEST(Rotary, QueriesAndKeysAreRotated) {
    const std::string halves = imported("llama").text;
    const std::string pairs = imported("rotary-pairs").text;
    for (const auto& [text, function] :
         {std::pair(halves, " rope("), std::pair(pairs, " rope_interleaved(")}) {
        const std::size_t first = text.find(function);
        ASSERT_NE(first, std::string::npos) << text;
        EXPECT_NE(text.find(function, first + 1), std::string::npos) << text;
    }
    EXPECT_EQ(halves.find("rope_interleaved"), std::string::npos);
    EXPECT_THAT(halves, HasSubstr("group "));
}

TEST(Rotary, TheirDimensionStaysWhole) {
    const ImportedModel usual = imported("llama");
    const BlockNeeds needs = block_needs(usual.program);
    const auto whole = std::find(needs.begin(), needs.end(), BlockNeed::Whole);
    ASSERT_NE(whole, needs.end());
    const Dim& dim = usual.program.dims.at(static_cast<std::size_t>(whole - needs.begin()));
    EXPECT_EQ(dim.block, dim.size);
    EXPECT_THAT(
        [&] {
            imported("llama", {{dim.name, {dim.size, dim.size / 2}}});
        },
        testing::ThrowsMessage<std::runtime_error>(
            HasSubstr("which a rotary embedding reads; expected one block of an even size")));
}

TEST(Gated, SharedHeadsAreAGroup) {
    EXPECT_THAT(imported("gated").text, HasSubstr("group "));
}

// The patches, the token beside them and the row that is classified have no form; all between them is
// understood.
TEST(VisionTransformer, IsCutWhereItHasNoForm) {
    const ImportedModel model = imported("vit");
    EXPECT_EQ(counts_of(model), Counts(16, 2, 5, 2, 3)) << model.text;
    std::vector<std::string> operators;
    for (const auto& custom : model.customs) operators.push_back(custom.op);
    EXPECT_THAT(operators, testing::ElementsAre("Conv", "Concat", "Gather"));
}

// Words are looked up before the program; positions are the first rows of their table.
TEST(Embeddings, AreInputsAndSlicesOfTheirTables) {
    const ImportedModel model = imported("embedded");
    EXPECT_THAT(model.text, HasSubstr("layernorm(words + places_weight_0, "));
    const auto words = std::find_if(model.inputs.begin(), model.inputs.end(),
                                    [](const auto& input) { return input.name == "words"; });
    ASSERT_NE(words, model.inputs.end());
    EXPECT_EQ(words->table, "words.weight");
    EXPECT_EQ(words->rows, "ids");
    EXPECT_FALSE(words->stored);
    ASSERT_FALSE(model.remarks.empty());
    EXPECT_EQ(
        model.remarks.front().str(),
        "the input words has the rows of words.weight that ids names: looking them up is not part of the "
        "program");
}

TEST(Embeddings, CosinesOfGivenPositionsAreInputs) {
    const ImportedModel model = imported("placed");
    EXPECT_THAT(model.text, HasSubstr("Cos[B, M, "));
    EXPECT_THAT(model.text, HasSubstr(", Cos, Sin)"));
    const auto cosines = std::find_if(model.inputs.begin(), model.inputs.end(),
                                      [](const auto& input) { return input.name == "Cos"; });
    ASSERT_NE(cosines, model.inputs.end());
    EXPECT_EQ(cosines->rows, "positions");
    EXPECT_TRUE(cosines->table.empty());
    std::vector<std::string> remarks;
    for (const Text& remark : model.remarks) remarks.push_back(remark.str());
    EXPECT_THAT(remarks, testing::Contains("the input Cos is computed of positions before the program"));
}

// Of 32 places: a sequence of 128, which nobody asked for, does not fit, and one of 64 that somebody chose is
// said not to.
TEST(Embeddings, SizesThatNobodyChoseFitTheirTables) {
    const ImportedModel model = imported("embedded-dynamic");
    EXPECT_EQ(counts_of(model), Counts(9, 1, 3, 1, 0)) << model.text;
    ASSERT_EQ(model.symbols.size(), 2U);
    EXPECT_EQ(model.symbols[0].size, 1);
    EXPECT_EQ(model.symbols[1].size, 32);
    const ImportedModel wrong = imported("embedded-dynamic", {{"seq", {64, {}}}});
    EXPECT_EQ(wrong.symbols[1].size, 64);
    ASSERT_FALSE(wrong.customs.empty());
    EXPECT_EQ(wrong.customs.front().reason.str(), "its operands, 1 x 64 x 8 and 1 x 32 x 8, do not fit");
    EXPECT_FALSE(wrong.customs.front().follows);
    for (std::size_t i = 1; i < wrong.customs.size(); ++i) EXPECT_TRUE(wrong.customs[i].follows) << i;
    EXPECT_THAT(
        summary_of(wrong.customs, wrong.symbols).str(),
        HasSubstr("One operator of the model has no form in the language and stays custom: Add. So do "));
    EXPECT_EQ(wrong.remarks.front().str(), "shapes do not fit one another at these sizes of batch and seq");
}

TEST(Attention, OfTheStandardHasItsWords) {
    EXPECT_THAT(imported("attention-causal").text, HasSubstr("= causal"));
    EXPECT_THAT(imported("attention-shared").text, HasSubstr("group "));
}

TEST(Custom, StandsInPlaceWithItsReason) {
    const ImportedModel model = imported("cumsum");
    EXPECT_EQ(counts_of(model), Counts(2, 0, 0, 0, 1));
    ASSERT_EQ(model.customs.size(), 1U);
    EXPECT_EQ(model.customs[0].node, "/CumSum");
    EXPECT_EQ(model.customs[0].op, "CumSum");
    EXPECT_EQ(model.customs[0].reason, "the language has no operator for it yet");
    EXPECT_THAT(model.text, HasSubstr("custom(\"CumSum\", first)"));
}

}  // namespace
}  // namespace blockscope::test
