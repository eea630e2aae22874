// Documents at and over the limits, made by the test because of their size, and shapes that would take a
// careless reader minutes.
#include <gmock/gmock.h>

#include "core/graph/graph.h"
#include "core/json/json_io.h"

namespace blockscope::test {
namespace {

using json::Array;
using json::Object;
using json::Value;

Value scalar() {
    return Object{{"list", Array{}}, {"item", "scalar"}, {"axes", Array{}}, {"elem", "f32"}};
}

Value input(int id, const char* name) {
    Object node = {{"id", id}, {"kind", "input"}};
    if (name) {
        node.push_back({"name", name});
        node.push_back({"transposed", Value(false)});
        node.push_back({"source", "array"});
    }
    node.push_back({"type", scalar()});
    return node;
}

Value elementwise(int id, Array expr, int from) {
    return Object{{"id", id},
                  {"kind", "elementwise"},
                  {"expr", std::move(expr)},
                  {"inputs", Array{Array{from, 0}}},
                  {"type", scalar()}};
}

Value output(int id, int from, const char* name) {
    Object node = {{"id", id}, {"kind", "output"}};
    if (name) node.push_back({"name", name});
    node.push_back({"inputs", Array{Array{from, 0}}});
    return node;
}

std::string document(Array nodes, std::int64_t next_id) {
    return json::print(
        Object{{"format", json::kBlockFormat},
               {"version", 1},
               {"dims", Array{Object{{"name", "M"}, {"size", 4}, {"block", 2}, {"kind", "blocked"}}}},
               {"next_id", next_id},
               {"graph", std::move(nodes)}});
}

std::string problem_of_blocks(const std::string& text) {
    const Result<BlockProgram> read = read_block_program(text, "f");
    return read ? "" : to_string(read.problems().at(0));
}

Array exponential() {
    return {Array{"arg", 0}, Array{"exp", 0}};
}

// exp(exp(...)) of `nodes` nodes, ids `step` apart.
std::string chain(int nodes, int step) {
    Array graph = {input(1, "x")};
    int last = 1;
    for (int i = 1; i < nodes - 1; ++i) {
        graph.push_back(elementwise(1 + i * step, exponential(), last));
        last = 1 + i * step;
    }
    graph.push_back(output(last + step, last, "y"));
    return document(std::move(graph), last + step + 1);
}

TEST(JsonLimits, NodesEndAt100000) {
    EXPECT_EQ(problem_of_blocks(chain(100'000, 1)), "");
    EXPECT_EQ(problem_of_blocks(chain(100'001, 1)),
              "f#/graph: expected an array of 0 to 100000, found an array of 100001");
}

TEST(JsonLimits, IdsMayLieFarApart) {
    EXPECT_EQ(problem_of_blocks(chain(1'000, 16'000)), "");
}

TEST(JsonLimits, EdgesEndAtAMillion) {
    const auto with_edges = [](int edges) {
        Array inputs(static_cast<std::size_t>(edges) - 1, Value(Array{1, 0}));
        return document({input(1, "x"),
                         Object{{"id", 2},
                                {"kind", "misc"},
                                {"name", "join"},
                                {"inputs", std::move(inputs)},
                                {"outputs", Array{scalar()}}},
                         output(3, 2, "y")},
                        4);
    };
    EXPECT_EQ(problem_of_blocks(with_edges(1'000'000)), "");
    EXPECT_EQ(problem_of_blocks(with_edges(1'000'001)),
              "f#/graph/2/inputs: the program has more than 1000000 edges, the most that is allowed");
}

// Each output is compared with the inputs that continue it: in one pass, or 10^10 comparisons.
TEST(JsonLimits, MapsMayHaveManyPorts) {
    constexpr int kPorts = 45'000;
    Array inputs = {Object{{"value", Array{1, 0}}, {"mode", "broadcast"}}};
    Array outputs;
    Array body = {input(3, nullptr)};
    for (int i = 0; i < kPorts; ++i) {
        inputs.push_back(Object{{"value", Array{1, 0}}, {"mode", "continued"}, {"continues", i}});
        outputs.push_back(Object{{"mode", "reduced_sum"}, {"type", scalar()}});
        body.push_back(output(4 + i, 3, nullptr));
    }
    const Object map = {{"id", 2},
                        {"kind", "map"},
                        {"dim", "M"},
                        {"start", 1},
                        {"inputs", inputs},
                        {"outputs", outputs},
                        {"body", std::move(body)}};
    EXPECT_EQ(problem_of_blocks(document({input(1, "x"), map, output(4 + kPorts, 2, "y")}, 5 + kPorts)), "");
}

TEST(JsonLimits, ExpressionsOfADocumentEndAtTenMillionNodes) {
    // 2^16 - 1 nodes each, in 16 entries.
    Array tree = {Array{"arg", 0}};
    for (int i = 0; i < 15; ++i) tree.push_back(Array{"add", i, i});
    const auto with_trees = [&](int count) {
        Array graph = {input(1, "x")};
        for (int i = 0; i < count; ++i) graph.push_back(elementwise(2 + i, tree, 1));
        graph.push_back(output(2 + count, 2, "y"));
        return document(std::move(graph), 3 + count);
    };
    EXPECT_EQ(problem_of_blocks(with_trees(152)), "");
    EXPECT_EQ(problem_of_blocks(with_trees(153)),
              "f#/graph/153/expr: the expressions of this document have more than 10000000 nodes together, "
              "the most "
              "that is allowed");
}

// The deepest expression: one entry on each other.
TEST(JsonLimits, ExpressionsEndAt4096Entries) {
    Array chain_of_entries = {Array{"arg", 0}};
    for (int i = 0; i < 4095; ++i) chain_of_entries.push_back(Array{"neg", i});
    const auto with = [](const Array& expr) {
        return problem_of_blocks(document({input(1, "x"), elementwise(2, expr, 1), output(3, 2, "y")}, 4));
    };
    EXPECT_EQ(with(chain_of_entries), "");
    chain_of_entries.push_back(Array{"neg", 4095});
    EXPECT_EQ(with(chain_of_entries),
              "f#/graph/1/expr: expected an array of 1 to 4096, found an array of 4097");
}

// 32 maps inside each other, the most that is allowed, read and written.
TEST(JsonLimits, MapsNest32Deep) {
    const DimTable dims = {{"M", 4, 2, DimKind::Blocked}};
    IdSource ids(1);
    const Type item(Item::scalar(), ElemType::F32);
    const auto build = [&](int depth) {
        GraphPtr body;
        for (int i = 0; i <= depth; ++i) {
            Builder level(dims, ids);
            const bool top = i == depth;
            ValueRef value = level.input(item, {top ? "x" : ""});
            if (body)
                value = level.map({DimId{0}, 0, {{PortIn::Broadcast}}, {{PortOut::ReducedSum}}, body},
                                  {value})[0];
            level.output(value, top ? "y" : "");
            body = level.finish();
        }
        return write_json(BlockProgram{dims, body, ids.next()});
    };
    const std::string deepest = build(32);
    const Result<BlockProgram> read = read_block_program(deepest, "f");
    ASSERT_TRUE(read) << to_string(read.problems().at(0));
    EXPECT_EQ(write_json(*read), deepest);
    EXPECT_THAT(problem_of_blocks(build(33)),
                testing::EndsWith("maps are nested more than 32 deep, the most that is allowed"));
}

}  // namespace
}  // namespace blockscope::test
