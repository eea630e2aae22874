// Every sample becomes a diagram that holds together.
#include "tests/support/samples.h"

#include <gmock/gmock.h>

#include "core/diagram/arrange.h"
#include "core/diagram/document.h"
#include "core/diagram/term.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

class Diagrams : public testing::TestWithParam<std::string> {};

TEST_P(Diagrams, HoldsTogether) {
    const Flow flow = flow_of(read_sample(GetParam()));
    const Circuit circuit = circuit_of(flow);
    EXPECT_THAT(verify(circuit), testing::IsEmpty()) << to_string(circuit);
    EXPECT_THAT(verify(circuit_of(separated(flow))), testing::IsEmpty());
    EXPECT_THAT(to_string(circuit), testing::StartsWith("in   "));
}

// The document reads back as the same JSON, and names every operator.
TEST_P(Diagrams, IsJson) {
    const Flow flow = flow_of(read_sample(GetParam()));
    const Circuit circuit = circuit_of(flow);
    const json::Value document = to_json(circuit);
    const std::string text = json::print(document);
    const Result<json::Value> read = json::parse(text, "circuit.json");
    ASSERT_TRUE(read) << read.problems().front().message;
    EXPECT_EQ(json::print(*read), text);
    for (const FlowOp& op : flow.ops)
        EXPECT_THAT(text, testing::HasSubstr("\"op\": " + std::to_string(op.apply.origin.op)));
    EXPECT_THAT(json::print(to_json(circuit, resources(circuit))), testing::HasSubstr("\"transferred\""));
}

TEST(Diagram, NamesTheDecodersParts) {
    const Circuit circuit = circuit_of(flow_of(read_sample("decoder-block")));
    const std::string text = to_string(circuit);
    for (const char* title : {"Attention layer {", "  Attention {", "Feed-forward layer {", "  SwiGLU {"})
        EXPECT_THAT(text, testing::HasSubstr(title));
    const Circuit model = repeated(circuit, "Decoder", "32");
    EXPECT_THAT(verify(model), testing::IsEmpty());
    EXPECT_THAT(to_string(model), testing::HasSubstr("Decoder × 32 {"));
    EXPECT_THROW(repeated(circuit_of(flow_of(read_sample("gemm-relu"))), "Layer", "2"), InternalError);
}

// What a defect looks like to verify().
TEST(Diagram, DefectsAreFound) {
    Circuit circuit = circuit_of(flow_of(read_sample("gemm-relu")));
    const circuit::Block* layer = circuit.root->as<circuit::Block>();
    const TermPtr root = layer ? layer->body : circuit.root;
    const Compose& columns = *root->as<Compose>();
    circuit.root = compose({columns.parts[1], columns.parts[0]});
    EXPECT_THAT(verify(circuit), testing::Contains(testing::HasSubstr("the next one takes")));
    Apply product = *columns.parts[0]->as<Apply>();
    product.outputs[0].slots.pop_back();
    circuit.root = apply(product);
    EXPECT_THAT(verify(circuit),
                testing::Contains(testing::HasSubstr("is weaved over N, which its output lacks")));
    product = *columns.parts[0]->as<Apply>();
    product.inputs[0].level = 1;
    circuit.root = apply(product);
    EXPECT_THAT(verify(circuit), testing::Contains(testing::HasSubstr("has its arrays at different levels")));
    product = *columns.parts[0]->as<Apply>();
    product.inputs.pop_back();
    circuit.root = apply(product);
    EXPECT_THAT(verify(circuit), testing::Contains(testing::HasSubstr("has other arrays than its kind")));
}

INSTANTIATE_TEST_SUITE_P(Samples, Diagrams, testing::ValuesIn(distinct_samples()),
                         [](const auto& sample) { return test_name(sample.param); });

}  // namespace
}  // namespace blockscope::test
