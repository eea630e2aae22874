// The passes of an import on small graphs of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/import/atoms.h"
#include "core/import/onnx_reader.h"
#include "core/import/recognise.h"

namespace blockscope::test {
namespace {

using model::AtomList;
using model::AtomTable;

TEST(Atoms, SplitsWhereAReshapeCuts) {
    AtomTable atoms;
    const int width = atoms.make(768);
    std::vector<AtomList> parts;
    ASSERT_TRUE(atoms.cut({width}, {12, 64}, parts));
    EXPECT_EQ(atoms.size(parts[0].at(0)), 12);
    EXPECT_EQ(atoms.size(parts[1].at(0)), 64);
    EXPECT_EQ(atoms.expanded({width}).size(), 2U);
}

TEST(Atoms, MergedOnesStayApart) {
    AtomTable atoms;
    const int heads = atoms.make(12);
    const int size = atoms.make(64);
    std::vector<AtomList> parts;
    ASSERT_TRUE(atoms.cut({heads, size}, {768}, parts));
    EXPECT_EQ(parts[0], (AtomList{heads, size}));
}

TEST(Atoms, UnifyRefinesBothSides) {
    AtomTable atoms;
    const int a = atoms.make(4);
    const int b = atoms.make(6);
    const int c = atoms.make(2);
    const int d = atoms.make(12);
    ASSERT_TRUE(atoms.unify({a, b}, {c, d}));
    EXPECT_EQ(atoms.expanded({a, b}), atoms.expanded({c, d}));
    EXPECT_EQ(atoms.expanded({a, b}).size(), 3U);
}

TEST(Atoms, FactorsThatDoNotFitAreRefused) {
    AtomTable atoms;
    EXPECT_FALSE(atoms.unify({atoms.make(2), atoms.make(3)}, {atoms.make(3), atoms.make(2)}));
    std::vector<AtomList> parts;
    EXPECT_FALSE(atoms.cut({atoms.make(6)}, {4, 2}, parts));
}

// A graph of one input x[2, 3] and what is added to it.
struct SmallGraph {
    model::TensorGraph graph;

    SmallGraph() { graph.inputs.push_back(tensor("x", model::TensorKind::F32, {2, 3})); }
    int tensor(const std::string& name, model::TensorKind kind, const model::Sizes& sizes) {
        model::GraphTensor made;
        made.name = name;
        made.kind = kind;
        model::set_sizes(made, sizes);
        graph.tensors.push_back(made);
        return static_cast<int>(graph.tensors.size()) - 1;
    }
    int whole(const model::Sizes& values) {
        const int made = tensor("c", model::TensorKind::I64, {static_cast<std::int64_t>(values.size())});
        graph.tensors.back().values = model::TensorValues::of_whole(values);
        return made;
    }
    int open(const std::string& name) {
        model::GraphTensor made;
        made.name = name;
        graph.tensors.push_back(made);
        return static_cast<int>(graph.tensors.size()) - 1;
    }
    int node(const std::string& op, const std::vector<int>& inputs) {
        const int output = open(op);
        graph.nodes.push_back(
            {.name = op, .op = op, .inputs = inputs, .outputs = {output}, .attributes = {}});
        return output;
    }
    model::Sizes sizes(int tensor) const {
        return model::sizes_of(graph.tensors[static_cast<std::size_t>(tensor)]).value_or(model::Sizes{-1});
    }
};

TEST(Settle, ShapesAreComputed) {
    SmallGraph small;
    const int shape = small.node("Shape", {0});
    const int doubled = small.node("Mul", {shape, small.whole({2})});
    const int made = small.node("ConstantOfShape", {doubled});
    model::settle(small.graph);
    EXPECT_EQ(small.sizes(made), (model::Sizes{4, 6}));
    EXPECT_TRUE(small.graph.nodes.empty());
}

TEST(Settle, WholeNumbersDivideAsWholeNumbers) {
    SmallGraph small;
    const int third = small.node("Div", {small.whole({26}), small.whole({3})});
    model::settle(small.graph);
    EXPECT_EQ(small.graph.tensors[static_cast<std::size_t>(third)].values->whole(0), 8);
}

TEST(Settle, ReshapeByMinusOne) {
    SmallGraph small;
    const int flat = small.node("Reshape", {0, small.whole({-1})});
    const int wrong = small.node("Reshape", {0, small.whole({4, -1})});
    model::settle(small.graph);
    EXPECT_EQ(small.sizes(flat), (model::Sizes{6}));
    EXPECT_EQ(small.sizes(wrong), (model::Sizes{-1}));
}

// As torch computes them for an image [1, 4, 9, 7].
TEST(Windows, HaveTheShapesOfPyTorch) {
    struct Row {
        const char* op;
        model::Sizes weight;  // of a convolution
        std::map<std::string, model::AttributeValue> attributes;
        model::Sizes made;
    };
    using model::Sizes;
    const Sizes none = {-1};
    const std::vector<Row> rows = {
        {"Conv", {6, 4, 3, 2}, {}, {1, 6, 7, 6}},
        {"Conv", {6, 4, 3, 2}, {{"strides", Sizes{2, 3}}, {"pads", Sizes{1, 2, 1, 2}}}, {1, 6, 5, 4}},
        {"Conv", {6, 2, 3, 3}, {{"dilations", Sizes{2, 2}}, {"group", std::int64_t{2}}}, {1, 6, 5, 3}},
        {"Conv",
         {6, 4, 3, 3},
         {{"strides", Sizes{2, 2}}, {"auto_pad", std::string("SAME_UPPER")}},
         {1, 6, 5, 4}},
        {"MaxPool", {}, {{"kernel_shape", Sizes{3, 3}}, {"strides", Sizes{2, 2}}}, {1, 4, 4, 3}},
        {"MaxPool",
         {},
         {{"kernel_shape", Sizes{2, 2}}, {"strides", Sizes{2, 2}}, {"ceil_mode", std::int64_t{1}}},
         {1, 4, 5, 4}},
        // The last window would begin in what is put behind the image.
        {"MaxPool",
         {},
         {{"kernel_shape", Sizes{2, 2}},
          {"strides", Sizes{3, 4}},
          {"pads", Sizes{1, 1, 1, 1}},
          {"ceil_mode", std::int64_t{1}}},
         {1, 4, 4, 2}},
        {"GlobalAveragePool", {}, {}, {1, 4, 1, 1}},
        {"Pad", {}, {{"pads", Sizes{0, 0, 0, 1, 0, 0, 3, 2}}}, {1, 4, 12, 10}},
        // What no window fits, or the standard does not have.
        {"Conv", {6, 4, 10, 2}, {}, none},
        {"Conv", {6, 3, 3, 3}, {}, none},
        {"Conv", {6, 4, 3, 3}, {{"strides", Sizes{0, 1}}}, none},
        {"Conv", {6, 4, 3, 3}, {{"group", std::int64_t{0}}}, none},
        {"Conv", {6, 4, 3, 3}, {{"dilations", Sizes{INT64_MAX, 1}}}, none},
        {"Conv", {6, 4, 3, 3}, {{"pads", Sizes{INT64_MAX, 0, 1, 0}}}, none},
        {"MaxPool", {}, {{"kernel_shape", Sizes{2}}}, none},
        {"Pad", {}, {{"pads", Sizes{0, 0, 0, 0, 0, 0, 0, -8}}}, none},
    };
    for (const Row& row : rows) {
        SmallGraph small;
        std::vector<int> inputs = {small.tensor("image", model::TensorKind::F32, {1, 4, 9, 7})};
        if (!row.weight.empty()) inputs.push_back(small.tensor("w", model::TensorKind::F32, row.weight));
        const int made = small.node(row.op, inputs);
        small.graph.nodes.back().attributes = row.attributes;
        model::settle(small.graph);
        EXPECT_EQ(small.sizes(made), row.made) << row.op;
    }
}

// An Attention that is not understood is one operator with its reason.
TEST(AttentionOperator, SaysWhatIsNotUnderstood) {
    const auto why = [](const model::Sizes& keys, std::vector<model::Sizes> more,
                        const std::map<std::string, model::AttributeValue>& attributes) {
        SmallGraph small;
        std::vector<int> inputs;
        more.insert(more.begin(), {{2, 4, 6, 8}, keys, keys});
        for (const model::Sizes& sizes : more)
            inputs.push_back(sizes.empty() ? -1 : small.tensor("t", model::TensorKind::F32, sizes));
        const int made = small.node("Attention", inputs);
        small.graph.nodes.back().attributes = attributes;
        small.graph.outputs = {made};
        model::set_sizes(small.graph.tensors[static_cast<std::size_t>(made)],
                         {2, 4, 6, 8});  // as the file says
        model::settle(small.graph);
        model::take_apart(small.graph);
        return small.graph.nodes.size() == 1 ? small.graph.nodes[0].why.str() : "understood";
    };
    EXPECT_EQ(why({2, 4, 6, 8}, {}, {}), "understood");
    EXPECT_EQ(why({2, 3, 6, 8}, {}, {}), "its heads do not fit its operands");
    EXPECT_EQ(why({2, 4, 6, 8}, {{6, 1}}, {}), "its mask does not fit its scores");
    EXPECT_EQ(why({2, 4, 6, 8}, {{1, 2, 4, 6, 6}}, {}), "its mask does not fit its scores");
    EXPECT_EQ(why({3, 4, 6, 8}, {}, {}), "its queries, keys and values do not fit one another");
    EXPECT_EQ(why({2, 4, 6, 8}, {}, {{"scale", std::nan("")}}), "a number of it is not finite");
    EXPECT_EQ(why({2, 4, 6, 8}, {{}, {2, 4, 3, 8}, {2, 4, 3, 8}}, {}), "it reads a cache of keys and values");
    EXPECT_EQ(why({2, 4, 1 << 30, 8}, {}, {{"is_causal", std::int64_t{1}}}),
              "its causal mask is too large to be written out");
}

// What the file says of the result does not make a product of operands that do not fit.
TEST(PointwiseConvolutions, AreProductsOnlyWhereTheirOperandsFit) {
    const auto parts = [](const model::Sizes& image, const model::Sizes& weight, const model::Sizes& bias,
                          const std::map<std::string, model::AttributeValue>& attributes) {
        SmallGraph small;
        std::vector<int> inputs;
        for (const model::Sizes& sizes : {image, weight, bias})
            inputs.push_back(small.tensor("t", model::TensorKind::F32, sizes));
        const int made = small.node("Conv", inputs);
        small.graph.nodes.back().attributes = attributes;
        small.graph.outputs = {made};
        model::set_sizes(small.graph.tensors[static_cast<std::size_t>(made)], {2, 5, 7});
        model::settle(small.graph);
        model::take_apart(small.graph);
        return small.graph.nodes.size();
    };
    EXPECT_GT(parts({2, 3, 7}, {5, 3, 1}, {5}, {}), 1U);
    EXPECT_EQ(parts({7}, {5, 3, 1}, {5}, {}), 1U);
    EXPECT_EQ(parts({}, {5, 3, 1}, {5}, {}), 1U);
    EXPECT_EQ(parts({2, 4, 7}, {5, 3, 1}, {5}, {}), 1U);
    EXPECT_EQ(parts({2, 3, 7}, {5, 3, 1}, {4}, {}), 1U);
    EXPECT_EQ(parts({2, 3, 7}, {5, 3, 1}, {5}, {{"kernel_shape", model::Sizes{3}}}), 1U);
}

// A graph with words [4], a table of them [12, 3] and matrices of weights.
struct WordGraph : SmallGraph {
    int words, table, weight;

    WordGraph()
        : words(tensor("words", model::TensorKind::I64, {4})),
          table(stored("table", {12, 3})),
          weight(stored("weight", {3, 3})) {
        graph.inputs.push_back(words);
    }
    int stored(const std::string& name, const model::Sizes& sizes) {
        const int made = tensor(name, model::TensorKind::F32, sizes);
        graph.tensors.back().weight = true;
        return made;
    }
    int cast(int from, model::TensorKind kind) {
        const int made = node("Cast", {from});
        graph.nodes.back().attributes["to"] = model::onnx_number(kind);
        return made;
    }
    // Whether the tensor is an input once the graph is taken apart.
    bool becomes_input(int made) {
        graph.outputs = {made};
        model::settle(graph);
        model::take_apart(graph);
        return std::find(graph.inputs.begin(), graph.inputs.end(), made) != graph.inputs.end();
    }
};

TEST(Embeddings, OfRowsThatTheUserGivesAreInputs) {
    WordGraph plain;
    EXPECT_TRUE(plain.becomes_input(plain.node("Gather", {plain.table, plain.words})));
    WordGraph moved;
    const int rows = moved.node("Add", {moved.words, moved.whole({1})});
    EXPECT_TRUE(moved.becomes_input(moved.node("Gather", {moved.table, rows})));
    // What is computed of x first, as by a router, stays in the program.
    WordGraph computed;
    const int product = computed.node("MatMul", {0, computed.weight});
    const int chosen = computed.cast(product, model::TensorKind::I64);
    EXPECT_FALSE(computed.becomes_input(computed.node("Gather", {computed.table, chosen})));
    WordGraph largest;
    const int found = largest.node("ArgMax", {0});
    EXPECT_FALSE(largest.becomes_input(largest.node("Gather", {largest.table, found})));
}

TEST(Embeddings, OnlyCosinesOfPositionsAreInputs) {
    WordGraph positions;
    const int numbers = positions.cast(positions.words, model::TensorKind::F32);
    const int column = positions.node("Reshape", {numbers, positions.whole({4, 1})});
    const int angles = positions.node("MatMul", {column, positions.stored("frequencies", {1, 8})});
    EXPECT_TRUE(positions.becomes_input(positions.node("Cos", {angles})));
    // A network of sines begins with words, too, but its layers are the program.
    WordGraph network;
    const int embedded = network.node("Gather", {network.table, network.words});
    const int hidden = network.node("MatMul", {embedded, network.weight});
    EXPECT_FALSE(network.becomes_input(network.node("Sin", {hidden})));
    WordGraph layer;
    const int real = layer.cast(layer.words, model::TensorKind::F32);
    const int row = layer.node("Reshape", {real, layer.whole({1, 4})});
    EXPECT_FALSE(
        layer.becomes_input(layer.node("Sin", {layer.node("MatMul", {row, layer.stored("w", {4, 4})})})));
    WordGraph of_x;
    EXPECT_FALSE(of_x.becomes_input(of_x.node("Cos", {0})));
}

// x + 0 is x, and a guard behind it is seen as one.
TEST(Groups, NothingIsAddedBeforeAGuard) {
    SmallGraph small;
    const int weight = small.tensor("w", model::TensorKind::F32, {3, 3});
    small.graph.tensors.back().weight = true;
    const int zeros = small.node("ConstantOfShape", {small.whole({2, 3})});
    const int scores = small.node("MatMul", {0, weight});
    const int sum = small.node("Add", {scores, zeros});
    const int softmax = small.node("Softmax", {sum});
    const int question = small.node("IsNaN", {softmax});
    const int nothing = small.tensor("zero", model::TensorKind::F32, {});
    small.graph.tensors.back().values = model::TensorValues::of_real({0});
    small.graph.outputs = {small.node("Where", {question, nothing, softmax})};
    model::settle(small.graph);
    std::vector<Text> remarks;
    model::recognise_groups(small.graph, remarks);
    std::vector<std::string> left;
    for (const model::GraphNode& node : small.graph.nodes)
        if (node.op != "Identity") left.push_back(node.op);
    EXPECT_THAT(left, testing::ElementsAre("MatMul", "Softmax"));
    ASSERT_EQ(remarks.size(), 1U);
}

// One mask serves all layers, of the type of what it is added to.
TEST(AttentionOperator, LayersShareTheirCausalMask) {
    SmallGraph small;
    int x = small.tensor("x", model::TensorKind::F16, {2, 4, 6, 8});
    for (int layer = 0; layer < 3; ++layer) {
        x = small.node("Attention", {x, x, x});
        small.graph.nodes.back().attributes = {{"is_causal", std::int64_t{1}}};
    }
    small.graph.outputs = {x};
    model::settle(small.graph);
    model::take_apart(small.graph);
    int masks = 0;
    for (const model::GraphTensor& tensor : small.graph.tensors) {
        if (!tensor.values || tensor.values->count() != 36) continue;
        ++masks;
        EXPECT_EQ(tensor.kind, model::TensorKind::F16);
    }
    EXPECT_EQ(masks, 1);
}

TEST(Slices, OfAnInputStay) {
    SmallGraph small;
    const int part = small.node("Slice", {0, small.whole({1}), small.whole({2}), small.whole({1})});
    small.graph.outputs = {part};
    model::settle(small.graph);
    EXPECT_TRUE(model::push_slices(small.graph).empty());
    ASSERT_EQ(small.graph.nodes.size(), 1U);
    EXPECT_EQ(small.graph.nodes[0].op, "Slice");
}

TEST(Slices, OfAProductAreProductsOfParts) {
    SmallGraph small;
    const int weight = small.tensor("w", model::TensorKind::F32, {3, 9});
    small.graph.tensors.back().weight = true;
    const int product = small.node("MatMul", {0, weight});
    const int part = small.node("Slice", {product, small.whole({3}), small.whole({6}), small.whole({1})});
    small.graph.outputs = {part};
    model::settle(small.graph);
    const auto parts = model::push_slices(small.graph);
    ASSERT_EQ(parts.size(), 1U);
    const auto& [tensor, from] = *parts.begin();
    EXPECT_EQ(small.graph.tensors[static_cast<std::size_t>(tensor)].name, "w_k");
    EXPECT_EQ(from.of, weight);
    EXPECT_EQ(from.offset, 3);
    EXPECT_EQ(from.steps, (model::Sizes{9, 1}));
}

// x * c + rotated(x) * s for x[3, 4] of an input, the parts of each row put together in this way.
struct Written {
    model::Sizes first_starts{0}, first_ends{2}, second_starts{2}, second_ends{4}, steps{1};
    bool first_negated = false;
    std::string op = "Concat";
    std::int64_t cosines = 4;  // the length of their rows
};

std::string last_op(const Written& w) {
    SmallGraph small;
    const int x = small.tensor("y", model::TensorKind::F32, {3, 4});
    const int c = small.tensor("c", model::TensorKind::F32, {3, w.cosines});
    const int s = small.tensor("s", model::TensorKind::F32, {3, 4});
    for (const int input : {x, c, s}) small.graph.inputs.push_back(input);
    const auto part = [&](const model::Sizes& starts, const model::Sizes& ends) {
        return small.node(
            "Slice", {x, small.whole(starts), small.whole(ends), small.whole({1}), small.whole(w.steps)});
    };
    int first = part(w.first_starts, w.first_ends), second = part(w.second_starts, w.second_ends);
    int& negated = w.first_negated ? first : second;
    negated = small.node("Neg", {negated});
    const int joined = small.node("Concat", {second, first});
    small.graph.nodes.back().attributes["axis"] = std::int64_t{-1};
    const int turned = small.node("Mul", {s, joined});
    const int plain = small.node("Mul", {x, c});
    small.graph.outputs.push_back(small.node(w.op == "Concat" ? "Add" : w.op, {turned, plain}));
    model::settle(small.graph);
    std::vector<Text> remarks;
    model::recognise_groups(small.graph, remarks);
    return small.graph.nodes.back().op;
}

TEST(RotaryEmbeddings, AreRecognisedInTheOneFormThatTheyHave) {
    EXPECT_EQ(last_op({}), model::kRope);
    EXPECT_EQ(last_op({.second_ends = {INT64_MAX}}), model::kRope) << "as exporters write the end";
    EXPECT_EQ(last_op({.first_negated = true}), "Add") << "turned the other way";
    EXPECT_EQ(last_op({.first_ends = {1}, .second_starts = {1}}), "Add") << "no halves";
    EXPECT_EQ(last_op({.first_starts = {2}, .first_ends = {4}, .second_starts = {0}, .second_ends = {2}}),
              "Add")
        << "halves exchanged";
    EXPECT_EQ(last_op({.second_starts = {0}, .second_ends = {2}}), "Add") << "one half twice";
    EXPECT_EQ(last_op({.second_starts = {1}, .second_ends = {3}}), "Add") << "halves that overlap";
    EXPECT_EQ(last_op({.op = "Sub"}), "Sub");
    EXPECT_EQ(last_op({.cosines = 1}), "Add") << "one cosine for all of a row";
    EXPECT_EQ(last_op({.first_ends = {4}, .second_starts = {1}, .second_ends = {4}, .steps = {2}}), "Add")
        << "every second number, but put together as halves";
}

TEST(Wire, SaysWhere) {
    const std::string bytes("\x3A\x04\x0A\x09xx", 6);  // a graph of 4 bytes with a node of 9
    const auto problem = model::onnx_wire_problem(bytes, "f");
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(
        to_string(*problem),
        "f: byte 3, in graph: found a field of 9 bytes where 2 are left; the file is cut short or damaged");
}

}  // namespace
}  // namespace blockscope::test
