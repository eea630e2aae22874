// Rule 4, Linearity of Matmul: Swap Scale/Dot (Blockbuster section 3.2).
//   diag(c) I1 . I2 = diag(c) (I1 . I2)
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"

namespace blockscope {

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
    Why why;
    is_mapped_scale(scale, FunctionalOp::RowScale, level, scaled, why);
    is_mapped_matmul(matmul, level, product, why);

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
        .diagnose = rule4::diagnose,
        .draw = rule4::draw};
}

}  // namespace blockscope
