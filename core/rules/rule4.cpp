// Rules 4 and 5: what is done to the rows of a matmul's left operand moves behind it (Blockbuster
// section 3.2).
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"

namespace blockscope {

// Rule 4, Linearity of Matmul: Swap Scale/Dot.
//   diag(c) I1 . I2 = diag(c) (I1 . I2)

namespace rule4 {

namespace {

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    scale_matches(level, FunctionalOp::RowScale, {4, 0}, "scale", position, matches);
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& scale = *level.index.find(match.role("scale"));
    const Node& matmul = *level.index.find(match.role("matmul"));
    MappedScale scaled;
    MappedMatmul product;
    Diagnosis diagnosis;
    is_mapped_scale(scale, FunctionalOp::RowScale, level, scaled, diagnosis);
    is_mapped_matmul(matmul, level, product, diagnosis);

    const MapOperand rows{{matmul.id}, PortIn::Iterated, matmul.outputs[0]};
    Node after = map_of(FunctionalOp::RowScale, matmul.as<Map>()->dim,
                        {rows, operand(level, scale, scaled.c_port)}, level.dims, ids);
    LevelEdit edit(level);
    edit.redirect({matmul.id}, {after.id});
    edit.rewire(matmul.id, product.left, scaled.a);
    edit.remove(scale.id);
    edit.made(after.id, {scale.id});
    edit.insert_after(matmul.id, std::move(after));
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    return Text("Multiplies first and scales the rows of the product: swaps %1 and %2.",
                describe(*level.index.find(match.role("scale")), level.dims),
                describe(*level.index.find(match.role("matmul")), level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_scale(level, FunctionalOp::RowScale, nodes);
}

// The left side of the rule's picture.
void draw(Sketch& s) {
    s.linear(FunctionalOp::RowScale, 1);
}

}  // namespace

}  // namespace rule4

Rule rule_4() {
    return {
        .id = {4, 0},
        .name = Text("Linearity of Matmul: Swap Scale/Dot"),
        .short_name = Text("move scale past product"),
        .because = Text("diag(c) A B = diag(c) (A B)"),
        .summary = Text("scaling rows before a matmul becomes scaling rows of the product"),
        .condition =
            Text("A map of row_scale, with one vector for all iterations, has as its only consumer a matrix "
                 "multiplication that takes the result as its left operand and contracts it."),
        .reason = Text("diag(c) A B = diag(c) (A B): scaling rows and multiplying from the right commute."),
        .use = Text("The multiplication no longer waits for the vector c, and the scaling runs over the "
                    "product's dimension, which lets it fuse with what follows."),
        .section = Text("3.2, Rule 4"),
        .in_fuse = true,
        .priority = 3,
        .matches_at = rule4::matches_at,
        .apply = rule4::apply,
        .explain = rule4::explain,
        .done = [](const Told& told) { return Text("%1 comes after %2 now", told.first, told.second); },
        .diagnose = rule4::diagnose,
        .draw = rule4::draw};
}

// Rule 5, Linearity of Matmul: Swap Shift/Dot.
//   (I1 + c 1^T) I2 = I1 I2 + c (1^T I2)

namespace rule5 {

namespace {

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    scale_matches(level, FunctionalOp::RowShift, {5, 0}, "shift", position, matches);
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& shift = *level.index.find(match.role("shift"));
    const Node& matmul = *level.index.find(match.role("matmul"));
    MappedScale shifted;
    MappedMatmul product;
    Diagnosis diagnosis;
    is_mapped_scale(shift, FunctionalOp::RowShift, level, shifted, diagnosis);
    is_mapped_matmul(matmul, level, product, diagnosis);

    const DimId n = matmul.as<Map>()->dim;
    Node sums = row_sums(n, product.contraction, operand(level, matmul, product.right), level.dims, ids);
    const MapOperand sum_rows{{sums.id}, PortIn::Iterated, sums.outputs[0]};
    Node outer =
        map_of(FunctionalOp::Outer, n, {operand(level, shift, shifted.c_port), sum_rows}, level.dims, ids);
    const MapOperand outer_rows{{outer.id}, PortIn::Iterated, outer.outputs[0]};
    const MapOperand product_rows{{matmul.id}, PortIn::Iterated, matmul.outputs[0]};
    Node add = map_of(FunctionalOp::Add, n, {outer_rows, product_rows}, level.dims, ids);

    LevelEdit edit(level);
    edit.redirect({matmul.id}, {add.id});
    edit.rewire(matmul.id, product.left, shifted.a);
    edit.remove(shift.id);
    edit.made(sums.id, {shift.id, matmul.id});
    edit.made(outer.id, {shift.id});
    edit.made(add.id, {shift.id});
    edit.insert_before(matmul.id, std::move(sums));
    edit.insert_before(matmul.id, std::move(outer));
    edit.insert_after(matmul.id, std::move(add));
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    return Text(
        "Multiplies first and adds the shift's share of the product, the outer product of the shift and the "
        "row sums of the right operand: swaps %1 and %2.",
        describe(*level.index.find(match.role("shift")), level.dims),
        describe(*level.index.find(match.role("matmul")), level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_scale(level, FunctionalOp::RowShift, nodes);
}

// The left side of the rule's picture.
void draw(Sketch& s) {
    s.linear(FunctionalOp::RowShift, 1);
}

}  // namespace

}  // namespace rule5

Rule rule_5() {
    return {.id = {5, 0},
            .name = Text("Linearity of Matmul: Swap Shift/Dot"),
            .short_name = Text("move shift past product"),
            .because = Text("(A + c 1^T) B = A B + c (1^T B)"),
            .summary = Text("shifting rows before a matmul becomes adding an outer product after it"),
            .condition =
                Text("A map of row_shift, with one vector for all iterations, has as its only consumer a "
                     "matrix multiplication that takes the result as its left operand and contracts it."),
            .reason = Text("(A + c 1^T) B = A B + c (1^T B): multiplication distributes over addition; 1^T B "
                           "are the row sums of B's transpose."),
            .use = Text("The multiplication no longer waits for the vector c, and all maps of the "
                        "substitution run over the product's dimension, which lets them fuse."),
            .section = Text("3.2, Rule 5"),
            .in_fuse = true,
            .priority = 4,
            .matches_at = rule5::matches_at,
            .apply = rule5::apply,
            .explain = rule5::explain,
            .done =
                [](const Told& told) {
                    return Text("%1 comes after %2 now, as an outer product that is added", told.first,
                                told.second);
                },
            .diagnose = rule5::diagnose,
            .draw = rule5::draw};
}

}  // namespace blockscope
