// Rules 10 and 11, additions to the paper: the twins of the paper's rules 4 and 5 for operators along
// columns.
//   (A diag(w)) B = A (diag(w) B)
//   (A + 1 b^T) B = A B + 1 (b^T B)
//
// A norm with a learned weight is row_scale, then col_scale, then the matmul. Rule 4 wants row_scale next to
// the matmul, so what stands between moves to the other operand. Each application takes a map of col_scale or
// col_shift away from left operands and no rule puts one there, so that a run ends.
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule10 {

namespace {

constexpr RuleId kScale{10, 0};

FunctionalOp column_op(RuleId rule) {
    return rule == kScale ? FunctionalOp::ColScale : FunctionalOp::ColShift;
}
FunctionalOp other_column_op(RuleId rule) {
    return rule == kScale ? FunctionalOp::ColShift : FunctionalOp::ColScale;
}

bool is_map_of(const Level& level, const Node& node, FunctionalOp op) {
    MappedScale found;
    Diagnosis diagnosis;
    return is_mapped_with_vector(node, op, level, found, diagnosis);
}

// Whether rule 4 or 5, or this rule's twin, has something to do with what stands before.
bool comes_from_rows(const Level& level, RuleId rule, const ValueRef& value) {
    const Node& before = *level.index.find(value.node);
    MappedScale found;
    Diagnosis diagnosis;
    return is_mapped_scale(before, FunctionalOp::RowScale, level, found, diagnosis) ||
           is_mapped_scale(before, FunctionalOp::RowShift, level, found, diagnosis) ||
           is_map_of(level, before, other_column_op(rule));
}

// The matmuls in the order of the level; none if the rule does not apply.
std::vector<int> matmuls_of(const Level& level, RuleId rule, int position, Diagnosis& diagnosis) {
    const Node& node = level.index.node(position);
    MappedScale columns;
    if (!is_mapped_with_vector(node, column_op(rule), level, columns, diagnosis)) return {};
    std::vector<int> matmuls;
    for (const GraphIndex::Use& use : level.index.uses(position)) {
        MappedMatmul product;
        if (!takes_as_left(node, level.index.node(use.node), level, product, diagnosis)) return {};
        matmuls.push_back(use.node);
    }
    if (!comes_from_rows(level, rule, columns.a)) {
        fail(diagnosis, {node.id}, [&] {
            return Text(
                "what %1 reads is no row_scale, row_shift or %2 of its own, so that nothing would come "
                "next to the matrix multiplication",
                describe(node, level.dims), to_string(other_column_op(rule)));
        });
        return {};
    }
    return matmuls;
}

void find_matches(const Level& level, RuleId rule, int position, std::vector<Match>& matches) {
    const Node& node = level.index.node(position);
    if (!node.is<Map>()) return;
    Diagnosis diagnosis;
    const std::vector<int> matmuls = matmuls_of(level, rule, position, diagnosis);
    if (matmuls.empty()) return;
    Match match{rule, {}, {{rule == kScale ? "scale" : "shift", node.id}}, node.as<Map>()->dim};
    for (const int matmul : matmuls) match.roles.push_back({"matmul", level.index.node(matmul).id});
    matches.push_back(std::move(match));
}

// A col_scale or col_shift under application, and the product that takes it.
struct Place {
    const Node& columns;
    const Node& matmul;
    MapOperand vector;
    MapOperand right;
    MappedMatmul product;
};

Place place(const Level& level, const Node& columns, const MappedScale& found, const Node& matmul) {
    MappedMatmul product;
    Diagnosis diagnosis;
    is_mapped_matmul(matmul, level, product, diagnosis);
    return {.columns = columns,
            .matmul = matmul,
            .vector = operand(level, columns, found.c_port),
            .right = operand(level, matmul, product.right),
            .product = product};
}

Node scaled_right(const Level& level, const Place& at, IdSource& ids) {
    return scaled_columns(at.matmul.as<Map>()->dim, at.product.contraction, at.right, at.vector, level.dims,
                          ids);
}

// The right operand scaled stands for the left one scaled.
void move_scale(const Level& level, const Place& at, LevelEdit& edit, IdSource& ids) {
    Node scaled = scaled_right(level, at, ids);
    edit.rewire(at.matmul.id, at.product.right, {scaled.id});
    edit.made(scaled.id, {at.columns.id});
    edit.insert_before(at.matmul.id, std::move(scaled));
}

// b^T B, a vector along the product's columns, is the row sums of B's transpose with its columns scaled by b.
void add_share(const Level& level, const Place& at, LevelEdit& edit, IdSource& ids) {
    const DimId n = at.matmul.as<Map>()->dim;
    Node scaled = scaled_right(level, at, ids);
    const MapOperand rows{{scaled.id}, at.right.mode, scaled.outputs[0]};
    Node sums = row_sums(n, at.product.contraction, rows, level.dims, ids);
    const MapOperand product{{at.matmul.id}, PortIn::Iterated, at.matmul.outputs[0]};
    const MapOperand share{{sums.id}, PortIn::Iterated, sums.outputs[0]};
    Node shifted = map_of(FunctionalOp::ColShift, n, {product, share}, level.dims, ids);
    edit.redirect({at.matmul.id}, {shifted.id});
    edit.made(scaled.id, {at.columns.id});
    edit.made(sums.id, {at.columns.id, at.matmul.id});
    edit.made(shifted.id, {at.columns.id});
    edit.insert_before(at.matmul.id, std::move(scaled));
    edit.insert_before(at.matmul.id, std::move(sums));
    edit.insert_after(at.matmul.id, std::move(shifted));
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& columns = *level.index.find(match.roles.front().node);
    MappedScale found;
    Diagnosis diagnosis;
    is_mapped_with_vector(columns, column_op(match.rule), level, found, diagnosis);
    LevelEdit edit(level);
    for (std::size_t i = 1; i < match.roles.size(); ++i) {
        const Place at = place(level, columns, found, *level.index.find(match.roles[i].node));
        (match.rule == kScale ? move_scale : add_share)(level, at, edit, ids);
        edit.rewire(at.matmul.id, at.product.left, found.a);
    }
    edit.remove(columns.id);
    return edit.finish();
}

Text matmul_names(const Level& level, const Match& match) {
    std::vector<NodeId> matmuls;
    for (std::size_t i = 1; i < match.roles.size(); ++i) matmuls.push_back(match.roles[i].node);
    return list_names(matmuls, level);
}

Text explain_scale(const Level& level, const Match& match) {
    return Text(
        "Scales the other operand's columns instead: moves %1 past %2, so that what stood before it comes "
        "next to the multiplication.",
        describe(*level.index.find(match.roles.front().node), level.dims), matmul_names(level, match));
}
Text explain_shift(const Level& level, const Match& match) {
    return Text(
        "Multiplies first and adds the shift's share of the product, a number for each column: swaps %1 "
        "and %2.",
        describe(*level.index.find(match.roles.front().node), level.dims), matmul_names(level, match));
}

std::optional<Refusal> diagnose_for(const Level& level, RuleId rule, const std::vector<NodeId>& nodes) {
    const Selection selection =
        select(level, nodes, 1, nodes.size() + 1,
               Text("a map of %1 (and, if you like, its consumers)", to_string(column_op(rule))));
    if (selection.refusal) return selection.refusal;
    Diagnosis diagnosis{true, {}};
    const std::vector<int> matmuls = matmuls_of(level, rule, selection.positions[0], diagnosis);
    if (matmuls.empty()) return diagnosis.refusal;
    for (std::size_t i = 1; i < selection.positions.size(); ++i) {
        if (std::find(matmuls.begin(), matmuls.end(), selection.positions[i]) != matmuls.end()) continue;
        const Node& other = level.index.node(selection.positions[i]);
        return Refusal{Text("%1 does not take the result as its left operand", describe(other, level.dims)),
                       {other.id}};
    }
    return std::nullopt;
}

void scale_matches_at(const Level& level, int position, std::vector<Match>& matches) {
    find_matches(level, kScale, position, matches);
}
void shift_matches_at(const Level& level, int position, std::vector<Match>& matches) {
    find_matches(level, {11, 0}, position, matches);
}
std::optional<Refusal> diagnose_scale(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_for(level, kScale, nodes);
}
std::optional<Refusal> diagnose_shift(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_for(level, {11, 0}, nodes);
}

void draw_scale(Sketch& s) {
    s.norm(FunctionalOp::ColScale);
}
void draw_shift(Sketch& s) {
    s.norm(FunctionalOp::ColShift);
}

}  // namespace

}  // namespace rule10

Rule rule_10() {
    return {.id = {10, 0},
            .name = Text("Linearity of Matmul: Swap Column Scale/Dot"),
            .short_name = Text("move column scale"),
            .because = Text("(A diag(w)) B = A (diag(w) B)"),
            .summary = Text("scaling columns before a matmul becomes scaling the other operand's columns"),
            .condition = Text(
                "A map of col_scale reads a map of row_scale, row_shift or col_shift, and all its consumers "
                "are matrix multiplications that take the result as their left operand and contract it."),
            .reason = Text("(A diag(w)) B = A (diag(w) B): the product adds up a w b over the contracted "
                           "dimension, whichever factor w is counted with."),
            .use = Text(
                "Brings the row scaling or shift of a norm with a learned weight next to the "
                "multiplication, where rules 4 and 5 move it on: the norm fuses as one without a weight."),
            .section = Text("not in the paper; an addition to rule 4"),
            .origin = RuleOrigin::Addition,
            .in_fuse = true,
            .priority = 2,
            .matches_at = rule10::scale_matches_at,
            .apply = rule10::apply,
            .explain = rule10::explain_scale,
            .done =
                [](const Told& told) {
                    return Text("%1 is applied to the other operand of %2 now", told.first, told.second);
                },
            .diagnose = rule10::diagnose_scale,
            .draw = rule10::draw_scale};
}

Rule rule_11() {
    return {
        .id = {11, 0},
        .name = Text("Linearity of Matmul: Swap Column Shift/Dot"),
        .short_name = Text("move column shift"),
        .because = Text("(A + 1 b^T) B = A B + 1 (b^T B)"),
        .summary = Text("shifting columns before a matmul becomes shifting the product's columns"),
        .condition =
            Text("A map of col_shift reads a map of row_scale, row_shift or col_scale, and all its consumers "
                 "are matrix multiplications that take the result as their left operand and contract it."),
        .reason =
            Text("(A + 1 b^T) B = A B + 1 (b^T B): multiplication distributes over addition; b^T B is a "
                 "number for each column, the row sums of B's transpose scaled by b."),
        .use = Text("Brings what stands before the learned bias of a norm next to the multiplication, where "
                    "rules 10, 4 and 5 move it on."),
        .section = Text("not in the paper; an addition to rule 5"),
        .origin = RuleOrigin::Addition,
        .in_fuse = true,
        .priority = 3,
        .matches_at = rule10::shift_matches_at,
        .apply = rule10::apply,
        .explain = rule10::explain_shift,
        .done = [](const Told& told) { return Text("%1 comes after %2 now", told.first, told.second); },
        .diagnose = rule10::diagnose_shift,
        .draw = rule10::draw_shift};
}

}  // namespace blockscope
