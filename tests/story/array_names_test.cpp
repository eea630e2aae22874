// Which array a value is, through all rewrites.

#include <gmock/gmock.h>

#include "core/exec/prove.h"
#include "core/program/block_maps.h"
#include "core/story/program_names.h"
#include "core/story/step_story.h"
#include "tests/story/stories.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

struct Named {
    std::string name;
    ValueRef value;
    Type type;
};

void add_named(const Graph& graph, const ProgramNames& names, bool deep, std::vector<Named>& found) {
    for (const NodePtr& node : graph.nodes()) {
        for (std::size_t port = 0; port < node->outputs.size(); ++port) {
            const ValueRef value{node->id, static_cast<std::uint16_t>(port)};
            const std::string name = names.value(value);
            if (!name.empty() && !node->is<Input>()) found.push_back({name, value, node->outputs[port]});
        }
        if (const Map* map = node->as<Map>(); map && deep) add_named(*map->body, names, deep, found);
    }
}

std::vector<Named> named_in(const ProgramNames& names, bool deep) {
    std::vector<Named> found;
    add_named(*names.program().graph, names, deep, found);
    return found;
}

std::vector<std::string> names_in(const ProgramNames& names) {
    std::vector<std::string> all;
    for (const Named& each : named_in(names, true)) all.push_back(each.name);
    return all;
}

int op_named(const ArrayProgram& array, const std::string& name) {
    for (const ArrayOutput& output : array.outputs)
        if (output.name == name) return output.op;
    for (std::size_t i = 0; i < array.ops.size(); ++i)
        if (array.ops[i].name == name) return static_cast<int>(i);
    throw std::runtime_error("no array " + name);
}

// The program whose only output is this value of the top level.
BlockProgram giving(const BlockProgram& program, const Named& value) {
    std::vector<NodePtr> nodes;
    for (const NodePtr& node : program.graph->nodes())
        if (!node->is<Output>()) nodes.push_back(node);
    BlockProgram result = program;
    nodes.push_back(
        std::make_shared<const Node>(Node{NodeId{result.next_id++}, Output{value.name}, {value.value}, {}}));
    result.graph = std::make_shared<const Graph>(NodeList(nodes));
    return result;
}

// A name is a promise: the value is that array. It is computed both ways, in exact arithmetic.
TEST(ArrayNames, AreThoseOfTheArraysThatValuesAre) {
    int compared = 0;
    for (const char* sample : {"attention", "rmsnorm-matmul", "layernorm-matmul", "rmsnorm-swiglu", "lora"}) {
        const ArrayProgram array = read_sample(sample);
        const RunStory story = story_of(sample);
        for (int step = 0; step <= story.steps(); ++step) {
            const ProgramNames names = story.names(step);
            for (const Named& value : named_in(names, false)) {
                ArrayProgram expected = array;
                const int op = op_named(array, value.name);
                expected.outputs = {{value.name, op, {}}};
                const ArrayOp& made = array.ops[static_cast<std::size_t>(op)];
                if (array_type(made.shape, made.elem) != value.type) continue;  // its transpose
                const BlockProgram given = giving(names.program(), value);
                EXPECT_FALSE(compare_exact(expected, given, proof_dims(expected), 1).has_value())
                    << sample << " step " << step << ": " << value.name;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100);
}

TEST(ArrayNames, OfAttentionLiveUntilTheValueIsGone) {
    const RunStory story = story_of("attention");
    EXPECT_THAT(names_in(story.names(0)), IsSupersetOf({"S", "P", "O"}));
    EXPECT_THAT(names_in(story.names(6)), IsSupersetOf({"S", "P", "O"}));
    // Rule 4 divides after the product: what was P is never computed any more.
    EXPECT_THAT(names_in(story.names(7)), Not(Contains("P")));
    EXPECT_THAT(names_in(story.names(7)), IsSupersetOf({"S", "O"}));
    EXPECT_THAT(names_in(story.names(story.steps())), Contains("O"));
}

TEST(ArrayNames, OfOperatorsSayWhatTheyArePartOf) {
    const RunStory story = story_of("attention");
    const Match& swap = story.trace().steps[6].match;
    const ProgramNames names = story.names(6);
    EXPECT_EQ(names.label(swap.role("scale")).str(), "row_scale of P");
    EXPECT_EQ(names.label(swap.role("matmul")).str(), "dot of O");
    EXPECT_EQ(names.result(swap.role("scale")).str(), "P");
}

// The attention part of a decoder block can be found in every state.
TEST(ArrayNames, FindAttentionInADecoderBlock) {
    const RunStory story = story_of("decoder-block");
    for (const int step : {0, 40, story.steps()}) {
        const ProgramNames names = story.names(step);
        std::string all;
        for (const NodePtr& node : names.program().graph->nodes())
            all += names.arrays(node->id, 20).str() + "\n";
        EXPECT_THAT(all, HasSubstr("S")) << step;
        const std::vector<std::string> values = names_in(names);
        EXPECT_THAT(values, IsSupersetOf({"R", "Y"})) << step;
    }
}

TEST(ArrayNames, OfABlockProgramAreThoseOfItsInputsAlone) {
    const RunStory story(fuse(block_sample("attention")), nullptr);
    const ProgramNames names = story.names(0);
    EXPECT_TRUE(named_in(names, true).empty());
    EXPECT_EQ(names.value({names.program().graph->inputs()[0]->id}), "Q");
    EXPECT_FALSE(story.step(1).sentence().empty());
}

}  // namespace
}  // namespace blockscope::test
