// Rule 8, Duplicate Mapped Scale, and its twin for row_shift (Blockbuster section 3.2).
#include <algorithm>

#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule8 {

namespace {

// Positions of the matmuls that take the scale's result as their left operand.
std::vector<int> matmul_consumers(const Level& level, int position) {
    std::vector<int> found;
    const Node& scale = level.index.node(position);
    for (const GraphIndex::Use& use : level.index.uses(position)) {
        MappedMatmul product;
        Diagnosis diagnosis;
        if (takes_as_left(scale, level.index.node(use.node), level, product, diagnosis))
            found.push_back(use.node);
    }
    return found;
}

bool applies(const Level& level, FunctionalOp op, int position, Diagnosis& diagnosis) {
    const Node& scale = level.index.node(position);
    MappedScale scaled;
    if (!is_mapped_scale(scale, op, level, scaled, diagnosis)) return false;
    const std::size_t matmuls =
        level.index.uses(position).size() < 2 ? 0 : matmul_consumers(level, position).size();
    if (matmuls >= 2) return true;
    return fail(diagnosis, {scale.id}, [&] {
        const std::size_t count = matmul_consumers(level, position).size();
        return Text("%1 feeds %2 matrix multiplications as their left operand; the rule needs two or more",
                    describe(scale, level.dims), count);
    });
}

void matches_for(const Level& level, FunctionalOp op, RuleId rule, const std::string& role, int position,
                 std::vector<Match>& matches) {
    Diagnosis diagnosis;
    if (level.index.uses(position).size() < 2 || !applies(level, op, position, diagnosis)) return;
    const Node& scale = level.index.node(position);
    Match match{rule, {}, {{role, scale.id}}, scale.as<Map>()->dim};
    for (const int matmul : matmul_consumers(level, position))
        match.roles.push_back({"matmul", level.index.node(matmul).id});
    matches.push_back(std::move(match));
}

// Every matmul gets a copy of its own; the original stays for the other consumers or, if there are
// none, for the first matmul.
Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& scale = *level.index.find(match.roles.front().node);
    const std::vector<int> matmuls = matmul_consumers(level, level.index.position(scale.id));
    const bool others =
        level.index.uses(level.index.position(scale.id)).size() > static_cast<int>(matmuls.size());
    LevelEdit edit(level);
    for (std::size_t i = others ? 0 : 1; i < matmuls.size(); ++i) {
        const Node& matmul = level.index.node(matmuls[i]);
        Node copy = scale;
        copy.id = ids.fresh();
        std::vector<Lineage> inner;
        Map& map = std::get<Map>(copy.kind);
        map.body = copy_fresh(map.body, ids, inner);
        edit.made(copy.id, {scale.id});
        for (Lineage& lineage : inner) edit.made(lineage.made, std::move(lineage.from));
        MappedMatmul product;
        Diagnosis diagnosis;
        is_mapped_matmul(matmul, level, product, diagnosis);
        edit.rewire(matmul.id, product.left, {copy.id});
        edit.insert_before(matmul.id, std::move(copy));
    }
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    const Node& scale = *level.index.find(match.roles.front().node);
    return Text(
        "Gives each of the %1 matrix multiplications that read %2 a copy of its own, so that each can be "
        "swapped with its copy.",
        match.roles.size() - 1, describe(scale, level.dims));
}

std::optional<Refusal> diagnose_for(const Level& level, FunctionalOp op, const std::vector<NodeId>& nodes) {
    const Selection selection = select(level, nodes, 1, nodes.size() + 1,
                                       Text("a map of %1 (and, if you like, its consumers)", to_string(op)));
    if (selection.refusal) return selection.refusal;
    Diagnosis diagnosis{true, {}};
    if (!applies(level, op, selection.positions[0], diagnosis)) return diagnosis.refusal;
    const std::vector<int> matmuls = matmul_consumers(level, selection.positions[0]);
    for (std::size_t i = 1; i < selection.positions.size(); ++i) {
        if (std::find(matmuls.begin(), matmuls.end(), selection.positions[i]) != matmuls.end()) continue;
        const Node& other = level.index.node(selection.positions[i]);
        return Refusal{
            Text("%1 is not a matrix multiplication that takes the scaled rows as its left operand",
                 describe(other, level.dims)),
            {other.id}};
    }
    return std::nullopt;
}

void scale_matches_at(const Level& level, int position, std::vector<Match>& matches) {
    matches_for(level, FunctionalOp::RowScale, {8, 0}, "scale", position, matches);
}
void shift_matches_at(const Level& level, int position, std::vector<Match>& matches) {
    matches_for(level, FunctionalOp::RowShift, {8, 's'}, "shift", position, matches);
}
std::optional<Refusal> diagnose_scale_copies(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_for(level, FunctionalOp::RowScale, nodes);
}
std::optional<Refusal> diagnose_shift_copies(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_for(level, FunctionalOp::RowShift, nodes);
}

// The left side of the rule's picture.
void draw_scale(Sketch& s) {
    s.linear(FunctionalOp::RowScale, 2);
}
void draw_shift(Sketch& s) {
    s.linear(FunctionalOp::RowShift, 2);
}

}  // namespace

}  // namespace rule8

Rule rule_8() {
    return {.id = {8, 0},
            .name = Text("Duplicate Mapped Scale"),
            .short_name = Text("copy scale"),
            .because = Text("computing it twice gives the same"),
            .summary = Text("a row scaling that feeds several matmuls is copied, one copy each"),
            .condition =
                Text("A map of row_scale feeds two or more matrix multiplications as their left operand."),
            .reason = Text("Computing a value twice gives the same value twice."),
            .use = Text("Each copy has one consumer, which is what rule 4 needs."),
            .section = Text("3.2, Rule 8"),
            .in_fuse = true,
            .priority = 1,
            .matches_at = rule8::scale_matches_at,
            .apply = rule8::apply,
            .explain = rule8::explain,
            .done =
                [](const Told& told) {
                    return Text("%1 is copied, one copy for each product that reads it", told.first);
                },
            .diagnose = rule8::diagnose_scale_copies,
            .draw = rule8::draw_scale,
            .folded = "matmul"};
}

Rule rule_8_shift() {
    return {.id = {8, 's'},
            .name = Text("Duplicate Mapped Shift"),
            .short_name = Text("copy shift"),
            .because = Text("computing it twice gives the same"),
            .summary = Text("a row shift that feeds several matmuls is copied, one copy each"),
            .condition =
                Text("A map of row_shift feeds two or more matrix multiplications as their left operand."),
            .reason = Text("Computing a value twice gives the same value twice."),
            .use = Text("Each copy has one consumer, which is what rule 5 needs."),
            .section = Text("3.2, Rule 8 (the twin that the paper suggests)"),
            .in_fuse = true,
            .priority = 2,
            .matches_at = rule8::shift_matches_at,
            .apply = rule8::apply,
            .explain = rule8::explain,
            .done =
                [](const Told& told) {
                    return Text("%1 is copied, one copy for each product that reads it", told.first);
                },
            .diagnose = rule8::diagnose_shift_copies,
            .draw = rule8::draw_shift,
            .folded = "matmul"};
}

}  // namespace blockscope
