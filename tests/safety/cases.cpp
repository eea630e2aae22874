#include "tests/safety/cases.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/exec/prove.h"
#include "core/graph/verify.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {

namespace {

bool has_exponential(const Expr& expr) {
    const auto* c = std::get_if<Call>(&expr.value);
    return c && (c->fn == Fn::Exp || std::any_of(c->args.begin(), c->args.end(),
                                                 [](const ExprPtr& a) { return has_exponential(*a); }));
}

double largest(const Tensor<double>& tensor) {
    double size = 0;
    for (const double x : tensor.data) size = std::max(size, std::abs(x));
    return size;
}

std::set<std::uint32_t> ids_of(const BlockProgram& program) {
    std::set<std::uint32_t> ids;
    for (const NodePtr& node : all_nodes(*program.graph)) ids.insert(node->id.value);
    return ids;
}

void expect_lineage(const SafeProgram& safe, const BlockProgram& before) {
    const std::set<std::uint32_t> old_ids = ids_of(before);
    const std::set<std::uint32_t> new_ids = ids_of(safe.program);
    std::set<std::uint32_t> made;
    for (const Lineage& lineage : safe.made) {
        EXPECT_GE(lineage.made.value, before.next_id);
        EXPECT_TRUE(new_ids.count(lineage.made.value)) << to_string(lineage.made) << " is nowhere";
        EXPECT_TRUE(made.insert(lineage.made.value).second) << to_string(lineage.made) << " is made twice";
        ASSERT_EQ(lineage.from.size(), 1u);
        EXPECT_TRUE(old_ids.count(lineage.from[0].value)) << to_string(lineage.from[0]) << " was nowhere";
    }
    for (const std::uint32_t id : new_ids)
        EXPECT_TRUE(made.count(id) || old_ids.count(id)) << "n" << id << " has no lineage";
}

void expect_same_interface(const Graph& found, const Graph& expected) {
    ASSERT_EQ(found.inputs().size(), expected.inputs().size());
    ASSERT_EQ(found.outputs().size(), expected.outputs().size());
    for (std::size_t i = 0; i < expected.inputs().size(); ++i)
        EXPECT_EQ(found.inputs()[i], expected.inputs()[i]);
    for (std::size_t i = 0; i < expected.outputs().size(); ++i) {
        const Node& a = *found.outputs()[i];
        const Node& b = *expected.outputs()[i];
        EXPECT_EQ(a.id, b.id);
        EXPECT_TRUE(same_kind(a.kind, b.kind));
        EXPECT_EQ(edge_type(*found.find(a.inputs[0].node), a.inputs[0]),
                  edge_type(*expected.find(b.inputs[0].node), b.inputs[0]));
    }
}

}  // namespace

DimTable small_dims() {
    return {{"M", 7, 3}, {"N", 9, 2}, {"K", 5, 2}, {"L", 4, 3}};
}

Refs nest(Hand& hand, Builder& level, const std::vector<Loop>& loops, const Refs& inputs, const Body& body) {
    if (loops.empty()) return body(level, inputs);
    Map map;
    map.dim = loops[0].dim;
    std::vector<Type> inside;
    for (const ValueRef& ref : inputs) {
        const Type type = level.type(ref);
        const bool iterated = type.is_list() && type.dim(0) == map.dim;
        map.inputs.push_back(iterated ? kIterated : kBroadcast);
        inside.push_back(iterated ? type.element() : type);
    }
    std::size_t outputs = 0;
    map.body = hand.body(inside, [&](Builder& inner, const Refs& in) {
        const Refs results = nest(hand, inner, {loops.begin() + 1, loops.end()}, in, body);
        outputs = results.size();
        return results;
    });
    map.outputs.assign(outputs, MapOutput{loops[0].mode, 0});
    return level.map(std::move(map), inputs);
}

BlockProgram in_loops(const std::vector<Type>& inputs, const std::vector<Loop>& loops, const Body& body) {
    Hand hand(small_dims());
    Refs in;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        in.push_back(hand.top.input(inputs[i], {std::string(1, static_cast<char>('A' + i))}));
    const Refs results = nest(hand, hand.top, loops, in, body);
    for (std::size_t i = 0; i < results.size(); ++i)
        hand.top.output(results[i], std::string(1, static_cast<char>('X' + i)));
    return hand.finish();
}

SafeProgram expect_safe(const BlockProgram& program, int exponentials, SharedExponent sharing) {
    EXPECT_TRUE(verify(program).empty());
    const SafeProgram safe = make_safe(program, sharing);
    for (const Violation& violation : verify(safe.program)) ADD_FAILURE() << violation.sentence;
    EXPECT_EQ(safe.exponentials, exponentials);
    expect_same_interface(*safe.program.graph, *program.graph);
    expect_lineage(safe, program);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto mismatch = compare_exact(program, safe.program, program.dims, seed);
        EXPECT_FALSE(mismatch) << "output " << mismatch->output << " differs at element " << mismatch->index
                               << " for seed " << seed;
    }
    expect_close(safe.program, program, 1);
    EXPECT_EQ(reader::check_listing(safe.program, program.dims, 1), "");
    return safe;
}

void expect_close(const BlockProgram& found, const BlockProgram& expected, double scale) {
    const Tensors<double> inputs = random_doubles(expected, 5, scale);
    const Tensors<double> reference = evaluate(expected, inputs);
    const Tensors<double> result = evaluate(found, inputs);
    for (const auto& [name, tensor] : reference) {
        const double size = largest(tensor);
        ASSERT_TRUE(std::isfinite(size)) << "the reference itself overflows";
        for (std::size_t i = 0; i < tensor.data.size(); ++i)
            ASSERT_NEAR(result.at(name).data[i] / size, tensor.data[i] / size, 1e-12 * scale)
                << name << " at element " << i << ", scale " << scale;
    }
}

void expect_finite(const BlockProgram& safe, double scale) {
    for (const auto& [name, tensor] : evaluate(safe, random_doubles(safe, 5, scale)))
        for (std::size_t i = 0; i < tensor.data.size(); ++i)
            ASSERT_TRUE(std::isfinite(tensor.data[i]))
                << name << " at element " << i << ": " << tensor.data[i];
}

std::vector<NodePtr> all_nodes(const Graph& graph) {
    std::vector<NodePtr> nodes = graph.nodes().vector();
    for (const NodePtr& node : graph.nodes()) {
        const Map* map = node->as<Map>();
        if (!map) continue;
        const std::vector<NodePtr> inner = all_nodes(*map->body);
        nodes.insert(nodes.end(), inner.begin(), inner.end());
    }
    return nodes;
}

int count(const BlockProgram& program, const std::function<bool(const Node&)>& what) {
    const std::vector<NodePtr> nodes = all_nodes(*program.graph);
    return static_cast<int>(
        std::count_if(nodes.begin(), nodes.end(), [&](const NodePtr& node) { return what(*node); }));
}

int count(const BlockProgram& program, FunctionalOp op) {
    return count(program,
                 [&](const Node& node) { return node.is<Functional>() && node.as<Functional>()->op == op; });
}

int count_exponentials(const BlockProgram& program) {
    return count(program, [](const Node& node) {
        return node.is<Elementwise>() && has_exponential(*node.as<Elementwise>()->expr);
    });
}

int count_carried(const BlockProgram& program, double init) {
    int carried = 0;
    for (const NodePtr& node : all_nodes(*program.graph))
        if (const Map* map = node->as<Map>())
            for (const MapOutput& output : map->outputs)
                carried += output.mode == PortOut::Carried && output.init == init;
    return carried;
}

}  // namespace blockscope::test
