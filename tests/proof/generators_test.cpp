// The random programs are what the proofs are worth: each awkward shape has to turn up, often.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/graph/verify.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"

namespace blockscope {
namespace {

constexpr std::uint64_t kPrograms = 400;

using Features = std::set<std::string>;

class ArrayFeatures {
public:
    explicit ArrayFeatures(const ArrayProgram& program) : program_(program), uses_(program.ops.size(), 0) {}

    Features find() {
        for (std::size_t i = 0; i < program_.ops.size(); ++i) look_at(i);
        if (program_.outputs.size() > 1) found_.insert("several outputs");
        for (const Dim& dim : program_.dims) look_at(dim);
        for (const ArrayOutput& output : program_.outputs)
            if (uses_[static_cast<std::size_t>(output.op)] > 0) found_.insert("an output used further");
        for (std::size_t i = 0; i < program_.ops.size(); ++i)
            if (uses_[i] > 1)
                found_.insert(at(static_cast<int>(i)).kind == ArrayOpKind::Input ? "shared input"
                                                                                 : "value used twice");
        return found_;
    }

private:
    const ArrayOp& at(int index) const { return program_.ops[static_cast<std::size_t>(index)]; }

    void look_at(const Dim& dim) {
        if (dim.size % dim.block != 0) found_.insert("ragged");
        if (dim.blocks() == 1) found_.insert("single block");
        if (dim.kind == DimKind::Batch) found_.insert("batch");
        if (dim.kind == DimKind::Group) found_.insert("group");
    }

    bool depends(int index, int on) const {
        if (index == on) return true;
        const std::vector<int>& operands = at(index).operands;
        return std::any_of(operands.begin(), operands.end(),
                           [&](int operand) { return depends(operand, on); });
    }

    bool is(int index, ArrayOpKind kind) const { return at(index).kind == kind; }

    void look_at(std::size_t i) {
        const ArrayOp& op = program_.ops[i];
        for (const int operand : op.operands) ++uses_[static_cast<std::size_t>(operand)];
        if (op.operands.size() == 2 && op.operands[0] == op.operands[1]) found_.insert("operand taken twice");
        const bool self_named = op.shape.axes.size() == 2 && op.shape.axes[0] == op.shape.axes[1];
        switch (op.kind) {
            case ArrayOpKind::Matmul:
                look_at_matmul(op);
                break;
            case ArrayOpKind::Elementwise:
                if (op.operands.size() == 2 && op.operands[0] != op.operands[1] &&
                    depends(op.operands[1], op.operands[0]))
                    found_.insert("residual");
                if (op.shape.axes.size() == 1) found_.insert("vectors");
                break;
            case ArrayOpKind::Softmax:
                found_.insert("softmax");
                if (self_named) found_.insert("self-named scores");
                break;
            case ArrayOpKind::RmsNorm:
                found_.insert(op.paper_form ? "rmsnorm, paper" : "rmsnorm, usual");
                if (op.operands.size() > 1) found_.insert("learned weight");
                break;
            case ArrayOpKind::LayerNorm:
                found_.insert(op.paper_form ? "layernorm, paper" : "layernorm, usual");
                break;
            case ArrayOpKind::Broadcast:
                found_.insert(op.vector_axis == VectorAxis::Rows ? "row vectors" : "bias");
                break;
            case ArrayOpKind::Custom:
                found_.insert("custom");
                break;
            case ArrayOpKind::Transpose:
                found_.insert(is(op.operands[0], ArrayOpKind::Input) ? "transposed input"
                                                                     : "transposed result");
                break;
            case ArrayOpKind::SumOver:
                found_.insert("sum over a batch");
                break;
            case ArrayOpKind::Cast:
                found_.insert("cast");
                break;
            case ArrayOpKind::Input:
                if (op.source == InputSource::CausalMask) found_.insert("causal mask");
                break;
            case ArrayOpKind::RowSum:
            case ArrayOpKind::RowMean:
            case ArrayOpKind::RowMax:
                found_.insert("row reduction");
                break;
            case ArrayOpKind::Outer:
                found_.insert("outer");
                break;
            case ArrayOpKind::Rope:
                found_.insert("rotated halves");
                break;
            case ArrayOpKind::RopeInterleaved:
                found_.insert("rotated pairs");
                break;
        }
    }

    void look_at_matmul(const ArrayOp& op) {
        const Shape& left = at(op.operands[0]).shape;
        const Shape& right = at(op.operands[1]).shape;
        if (left.axes[0] == right.axes[1]) found_.insert("A (M,K) times BT (M,K)");
        if (left.axes[0] == left.axes[1]) found_.insert("square operand");
        if (is(op.operands[0], ArrayOpKind::Matmul)) found_.insert("matmul chain");
        if (left.batch != right.batch) found_.insert("operands of different batches");
    }

    const ArrayProgram& program_;
    std::vector<int> uses_;
    Features found_;
};

TEST(RandomArrayPrograms, HoldEveryAwkwardShape) {
    std::map<std::string, int> counts;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed)
        for (const std::string& feature : ArrayFeatures(random_array_program(seed)).find()) ++counts[feature];
    const std::vector<std::string> wanted{"several outputs",
                                          "an output used further",
                                          "shared input",
                                          "value used twice",
                                          "operand taken twice",
                                          "ragged",
                                          "single block",
                                          "batch",
                                          "group",
                                          "residual",
                                          "vectors",
                                          "rotated halves",
                                          "rotated pairs",
                                          "softmax",
                                          "self-named scores",
                                          "rmsnorm, paper",
                                          "rmsnorm, usual",
                                          "layernorm, paper",
                                          "layernorm, usual",
                                          "learned weight",
                                          "row vectors",
                                          "bias",
                                          "custom",
                                          "transposed input",
                                          "transposed result",
                                          "sum over a batch",
                                          "cast",
                                          "causal mask",
                                          "row reduction",
                                          "outer",
                                          "A (M,K) times BT (M,K)",
                                          "square operand",
                                          "matmul chain",
                                          "operands of different batches"};
    for (const std::string& feature : wanted)
        EXPECT_GE(counts[feature], static_cast<int>(kPrograms) / 150) << feature;
}

TEST(RandomArrayPrograms, AreReproducible) {
    EXPECT_EQ(print_program(random_array_program(7)), print_program(random_array_program(7)));
    EXPECT_NE(print_program(random_array_program(7)), print_program(random_array_program(8)));
}

class BlockFeatures {
public:
    Features find(const Graph& graph, const std::vector<DimId>& around = {}) {
        const GraphIndex index(graph);
        for (int at = 0; at < index.size(); ++at) {
            const Node& node = index.node(at);
            if (node.is<Reduce>()) look_at_reduction(index, node);
            if (const Map* map = node.as<Map>()) look_at_map(index, at, *map, around);
        }
        return found_;
    }

private:
    void look_at_reduction(const GraphIndex& index, const Node& node) {
        const int list = index.position(node.inputs[0].node);
        if (index.uses_of(list, node.inputs[0].port).size() > 1)
            found_.insert("reduced list with other consumers");
        if (node.outputs[0].is_list()) found_.insert("reduction to a list");
    }

    void look_at_map(const GraphIndex& index, int at, const Map& map, const std::vector<DimId>& around) {
        const Node& node = index.node(at);
        if (std::count(around.begin(), around.end(), map.dim) > 0)
            found_.insert("dimension nested in itself");
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (node.inputs[i] == node.inputs[k]) found_.insert("value iterated and broadcast");
        for (std::size_t port = 0; port < map.outputs.size(); ++port) {
            if (map.outputs[port].mode != PortOut::Collected) found_.insert("reduced output");
            if (index.uses_of(at, static_cast<int>(port)).size() > 1) found_.insert("output used twice");
        }
        if (map.outputs.size() > 1) found_.insert("map with several outputs");
        std::vector<DimId> inner = around;
        inner.push_back(map.dim);
        find(*map.body, inner);
    }

    Features found_;
};

TEST(RandomBlockPrograms, AreValidAndHoldWhatConversionDoesNotReach) {
    std::map<std::string, int> counts;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
        const BlockProgram program = random_block_program(seed);
        const std::vector<Violation> violations = verify(program);
        ASSERT_TRUE(violations.empty()) << "seed " << seed << ": " << violations.front().sentence;
        for (const std::string& feature : BlockFeatures().find(*program.graph)) ++counts[feature];
    }
    for (const std::string feature :
         {"reduced list with other consumers", "reduction to a list", "dimension nested in itself",
          "value iterated and broadcast", "reduced output", "output used twice", "map with several outputs"})
        EXPECT_GE(counts[feature], static_cast<int>(kPrograms) / 25) << feature;
}

TEST(RandomBlockPrograms, AreReproducible) {
    EXPECT_TRUE(identical(*random_block_program(5).graph, *random_block_program(5).graph));
    EXPECT_FALSE(identical(*random_block_program(5).graph, *random_block_program(6).graph));
}

}  // namespace
}  // namespace blockscope
