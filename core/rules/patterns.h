// Subgraphs that several rules name: a mapped row_scale or row_shift, and a matrix multiplication.
#pragma once

#include "core/rules/conditions.h"
#include "core/rules/edit.h"

namespace blockscope {

// S = K-map { op(iterated a, broadcast c) } and nothing else in it; op is row_scale or row_shift.
struct MappedScale {
    ValueRef a;  // the list that the map iterates over
    ValueRef c;  // the vector that every iteration takes
    int a_port = 0;
    int c_port = 0;
};
bool is_mapped_scale(const Node& node, FunctionalOp op, const Level& level, MappedScale& found,
                     Diagnosis& diagnosis);

// The same for an operator along columns, col_scale or col_shift: the block is iterated over, and each
// iteration takes its own vector or all of them the same. Also right for operators along rows.
bool is_mapped_with_vector(const Node& node, FunctionalOp op, const Level& level, MappedScale& found,
                           Diagnosis& diagnosis);

// The operator that such a map holds.
const Node* only_operator(const Map& map);

// Whether an elementwise operator changes the element type and nothing else.
bool is_cast(const Elementwise& node);

// K-map { cast(iterated a) } and nothing else in it.
bool is_mapped_cast(const Node& node, const Level& level, Diagnosis& diagnosis);

// P = N-map { K-map { dot(left, right) }; sum over K } and nothing else in it.
struct MappedMatmul {
    DimId contraction;  // K
    int left = 0;       // the port of P that gives dot's left operand
    int right = 0;      // ... and its right operand
};
bool is_mapped_matmul(const Node& node, const Level& level, MappedMatmul& found, Diagnosis& diagnosis);

// Whether `matmul` takes all of `scale`'s result, once, as dot's left operand, and contracts it over the
// scale's dimension.
bool takes_as_left(const Node& scale, const Node& matmul, const Level& level, MappedMatmul& found,
                   Diagnosis& diagnosis);

// What rules 4 and 5 have in common: a mapped scale (shift) and the only matmul that takes it.

struct ScaleThenMatmul {
    const Node* scale = nullptr;
    const Node* matmul = nullptr;
    MappedScale scaled;
    MappedMatmul product;
};

// Whether `scale` (a map of `op`) has `matmul` as its only consumer, as the left operand.
bool is_scale_then_matmul(const Level& level, FunctionalOp op, const Node& scale, const Node& matmul,
                          ScaleThenMatmul& found, Diagnosis& diagnosis);

// The match anchored at the scale at `position`, if any.
void scale_matches(const Level& level, FunctionalOp op, RuleId rule, const std::string& role, int position,
                   std::vector<Match>& matches);

std::optional<Refusal> diagnose_scale(const Level& level, FunctionalOp op, const std::vector<NodeId>& nodes);

// The map operand that port `port` of the map `node` is.
MapOperand operand(const Level& level, const Node& node, int port);

// The three cases in which rules 6 and 7 help: a map V over X whose inner graph has a Y-map
// that could fuse with a Y-map U outside, were they at the same level.

// Whether U does not need V and
// (a) V's inner Y-map iterates over an output of U that V takes whole (rule 1 would fuse them);
// (b) it iterates over a graph input that U iterates over too (rule 2);
// (c) it iterates over another value that U iterates over too (rule 2).
bool has_inner_map_case(const Level& level, char variant, int v, int u, Diagnosis& diagnosis);

// Positions of all maps U for which the case holds, in order.
std::vector<int> outer_maps(const Level& level, char variant, int v);

// Why the case does not hold for the selected map V (and, if two nodes are selected, the outer map U);
// `fits` says whether V by itself can be extended or peeled, `needs` what is to be selected.
std::optional<Refusal> diagnose_inner_map_case(const Level& level, char variant,
                                               const std::vector<NodeId>& nodes, const Text& needs,
                                               bool (*fits)(const Level&, int, Diagnosis&));

// "its inner map iterates over ...": the case in words, for explanations.
Text inner_map_case_text(char variant);

}  // namespace blockscope
