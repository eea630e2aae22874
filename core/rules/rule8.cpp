// Rule 8, Duplicate Mapped Scale, and its twin for row_shift (Blockbuster section 3.2).
#include <algorithm>

#include "core/rules/edit.h"
#include "core/rules/patterns.h"
#include "core/rules/table.h"

namespace blockscope {

namespace {

// Positions of the matmuls that take the scale's result as their left operand.
std::vector<int> matmul_consumers(const Level& level, int position) {
    std::vector<int> found;
    const Node& scale = level.index.node(position);
    for (const GraphIndex::Use& use : level.index.uses(position)) {
        MappedMatmul product;
        Why why;
        if (takes_as_left(scale, level.index.node(use.node), level, product, why)) found.push_back(use.node);
    }
    return found;
}

bool applies(const Level& level, FunctionalOp op, int position, Why& why) {
    const Node& scale = level.index.node(position);
    MappedScale scaled;
    if (!is_mapped_scale(scale, op, level, scaled, why)) return false;
    const std::size_t matmuls =
        level.index.uses(position).size() < 2 ? 0 : matmul_consumers(level, position).size();
    if (matmuls >= 2) return true;
    return fail(why, {scale.id}, [&] {
        const std::size_t count = matmul_consumers(level, position).size();
        return describe(scale, level.dims) + " feeds " + std::to_string(count) +
               " matrix multiplications as their left operand; the rule needs two or more";
    });
}

void matches_for(const Level& level, FunctionalOp op, RuleId rule, const std::string& role, int position,
                 std::vector<Match>& matches) {
    Why why;
    if (level.index.uses(position).size() < 2 || !applies(level, op, position, why)) return;
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
        Why why;
        is_mapped_matmul(matmul, level, product, why);
        edit.rewire(matmul.id, product.left, {copy.id});
        edit.insert_before(matmul.id, std::move(copy));
    }
    return edit.finish();
}

std::string explain(const Level& level, const Match& match) {
    const Node& scale = *level.index.find(match.roles.front().node);
    return "Gives each of the " + std::to_string(match.roles.size() - 1) +
           " matrix multiplications that read " + describe(scale, level.dims) +
           " a copy of its own, so that each can be swapped with its copy.";
}

std::optional<Refusal> diagnose_for(const Level& level, FunctionalOp op, const std::vector<NodeId>& nodes) {
    const Selection selection = select(level, nodes, 1, nodes.size() + 1,
                                       "a map of " + to_string(op) + " (and, if you like, its consumers)");
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    if (!applies(level, op, selection.positions[0], why)) return why.refusal;
    const std::vector<int> matmuls = matmul_consumers(level, selection.positions[0]);
    for (std::size_t i = 1; i < selection.positions.size(); ++i) {
        if (std::binary_search(matmuls.begin(), matmuls.end(), selection.positions[i])) continue;
        const Node& other = level.index.node(selection.positions[i]);
        return Refusal{describe(other, level.dims) +
                           " is not a matrix multiplication that takes the scaled rows as its left operand",
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

}  // namespace

Rule rule_8() {
    return {{8, 0},
            "Duplicate Mapped Scale",
            "a row scaling that feeds several matmuls is copied, one copy each",
            "A map of row_scale feeds two or more matrix multiplications as their left operand.",
            "Computing a value twice gives the same value twice.",
            "Each copy has one consumer, which is what rule 4 needs.",
            "3.2, Rule 8",
            true,
            scale_matches_at,
            apply,
            explain,
            diagnose_scale_copies};
}

Rule rule_8_shift() {
    return {{8, 's'},
            "Duplicate Mapped Shift",
            "a row shift that feeds several matmuls is copied, one copy each",
            "A map of row_shift feeds two or more matrix multiplications as their left operand.",
            "Computing a value twice gives the same value twice.",
            "Each copy has one consumer, which is what rule 5 needs.",
            "3.2, Rule 8 (the twin that the paper suggests)",
            true,
            shift_matches_at,
            apply,
            explain,
            diagnose_shift_copies};
}

}  // namespace blockscope
