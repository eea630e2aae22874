// Rule 14, an addition to the paper: a transpose passes the operator that makes what it transposes.
//   (f(A))^T = f(A^T)      (A B)^T = B^T A^T
//
// A transpose is a miscellaneous operator, across which nothing fuses. A product needs none, as swapping its
// operands transposes it. So the transposed array is computed from the start, a second time if it is also
// needed as it is: the attention weights in a backward pass, for one. By hand only, as it may double the
// work.
#include <array>

#include "core/graph/verify.h"
#include "core/program/names.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"
#include "core/support/result.h"

namespace blockscope {

namespace rule14 {

namespace {

// A value that enters two maps, one inside the other.
struct NestOperand {
    ValueRef value;
    Type type;
    PortIn outer;
    PortIn inner;

    bool is_matrix() const { return type.item().kind == ItemKind::Block; }
};

// M-map { N-map { operator } }: what the inner map holds, and its operands in the operator's order.
struct Producer {
    DimId rows, cols;
    const Node* op = nullptr;  // an elementwise or functional operator; null: a matmul
    DimId contraction;         // of a matmul
    std::vector<NestOperand> operands;
};

int port_in(const Map& map, NodeId input) {
    const std::vector<NodePtr> ports = map.body->inputs();
    for (std::size_t i = 0; i < ports.size(); ++i)
        if (ports[i]->id == input) return static_cast<int>(i);
    return -1;
}

bool is_collecting(const Map& map) {
    return map.start == 0 && map.outputs.size() == 1 && map.outputs[0].mode == PortOut::Collected;
}

// Functional operators whose transposed result the same operator, or its twin, makes of transposed operands.
std::optional<FunctionalOp> turned(FunctionalOp op) {
    static constexpr std::array<std::pair<FunctionalOp, FunctionalOp>, 6> kTwins{{
        {FunctionalOp::Add, FunctionalOp::Add},
        {FunctionalOp::Mul, FunctionalOp::Mul},
        {FunctionalOp::RowScale, FunctionalOp::ColScale},
        {FunctionalOp::ColScale, FunctionalOp::RowScale},
        {FunctionalOp::RowShift, FunctionalOp::ColShift},
        {FunctionalOp::ColShift, FunctionalOp::RowShift},
    }};
    for (const auto& [from, to] : kTwins)
        if (from == op) return to;
    return std::nullopt;
}

bool is_turnable(const Node& op) {
    const Functional* functional = op.as<Functional>();
    return op.is<Elementwise>() || (functional && turned(functional->op));
}

// The operand that port `at` of the inner map is; false if a map takes the value in another way than
// conversion makes maps take it.
bool find_operand(const Level& level, const Node& outer, const Node& inner, int at, NestOperand& found) {
    if (at < 0) return false;
    const ValueRef& between = inner.inputs[static_cast<std::size_t>(at)];
    const int port = port_in(*outer.as<Map>(), between.node);
    if (port < 0 || between.first > 0) return false;
    const ValueRef& value = outer.inputs[static_cast<std::size_t>(port)];
    if (value.first > 0) return false;
    found = {value, edge_type(*level.index.find(value.node), value),
             outer.as<Map>()->inputs[static_cast<std::size_t>(port)].mode,
             inner.as<Map>()->inputs[static_cast<std::size_t>(at)].mode};
    const int iterated = (found.outer == PortIn::Iterated) + (found.inner == PortIn::Iterated);
    return iterated <= found.type.rank();
}

bool find_elementwise(const Level& level, const Node& outer, const Node& inner, Producer& found) {
    const Map& map = *inner.as<Map>();
    const Node* op = is_collecting(map) ? only_operator(map) : nullptr;
    if (!op || !is_turnable(*op)) return false;
    found.op = op;
    for (const ValueRef& input : op->inputs) {
        NestOperand operand;
        if (!find_operand(level, outer, inner, port_in(map, input.node), operand)) return false;
        const int iterated = (operand.outer == PortIn::Iterated) + (operand.inner == PortIn::Iterated);
        const int expected = operand.is_matrix() ? 2 : operand.type.item().kind == ItemKind::Vector ? 1 : 0;
        if (iterated != expected || operand.type.rank() != expected) return false;
        found.operands.push_back(operand);
    }
    return op->outputs[0].item().kind == ItemKind::Block;
}

bool find_matmul(const Level& level, const Node& outer, const Node& inner, Producer& found) {
    MappedMatmul product;
    Diagnosis diagnosis;
    if (!is_mapped_matmul(inner, level, product, diagnosis)) return false;
    found.contraction = product.contraction;
    found.operands.resize(2);
    if (!find_operand(level, outer, inner, product.left, found.operands[0]) ||
        !find_operand(level, outer, inner, product.right, found.operands[1]))
        return false;
    const NestOperand& left = found.operands[0];
    const NestOperand& right = found.operands[1];
    return left.outer == PortIn::Iterated && left.inner == PortIn::Broadcast && left.type.rank() == 2 &&
           right.outer == PortIn::Broadcast && right.inner == PortIn::Iterated && right.type.rank() == 2;
}

bool find_producer(const Level& level, const Node& node, Producer& found) {
    const Map* outer = node.as<Map>();
    const Node* inner = outer && is_collecting(*outer) ? only_operator(*outer) : nullptr;
    if (!inner || !inner->is<Map>()) return false;
    found.rows = outer->dim;
    found.cols = inner->as<Map>()->dim;
    return find_elementwise(level, node, *inner, found) || find_matmul(level, node, *inner, found);
}

bool is_transpose(const Node& node) {
    const Misc* misc = node.as<Misc>();
    return misc && misc->name == kTranspose && node.inputs.size() == 1 && node.inputs[0].first == 0;
}

// Of a matrix, a list of lists of blocks, transposed.
Type turned_type(const Type& type) {
    const Item& item = type.item();
    return Type(Item::block(item.cols, item.rows), type.elem()).list_over(type.dim(0)).list_over(type.dim(1));
}

bool applies(const Level& level, const Node& transpose, Producer& found, Diagnosis& diagnosis) {
    const auto name = [&](const Node& node) { return describe(node, level.dims); };
    if (!is_transpose(transpose))
        return fail(diagnosis, {transpose.id},
                    [&] { return Text("%1 is not a transpose", name(transpose)); });
    const Node& producer = *level.index.find(transpose.inputs[0].node);
    if (producer.is<Input>())
        return fail(diagnosis, {producer.id, transpose.id}, [&] {
            return Text("%1 is an input; the conversion decides how inputs are read", name(producer));
        });
    const Type& made = producer.outputs[transpose.inputs[0].port];
    if (made.rank() != 2 || made.item().kind != ItemKind::Block || transpose.outputs[0] != turned_type(made))
        return fail(diagnosis, {transpose.id}, [&] {
            return Text("%1 is not of the type that the transposed result of %2 has", name(transpose),
                        name(producer));
        });
    if (find_producer(level, producer, found)) return true;
    return fail(diagnosis, {producer.id, transpose.id}, [&] {
        return Text("%1 is not a matrix multiplication or one operator on each block, in two maps of its own",
                    name(producer));
    });
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& transpose = level.index.node(position);
    if (!is_transpose(transpose)) return;
    Producer found;
    Diagnosis diagnosis;
    if (!applies(level, transpose, found, diagnosis)) return;
    matches.push_back(
        {{14, 0}, {}, {{"producer", transpose.inputs[0].node}, {"transpose", transpose.id}}, found.rows});
}

// What makes the transpose of a matrix: the level's own transpose of it, or a new one.
ValueRef transpose_of(const Level& level, const NestOperand& matrix, LevelEdit& edit, const Node& anchor,
                      std::vector<Node>& made, IdSource& ids) {
    for (const GraphIndex::Use& use : level.index.uses(level.index.position(matrix.value.node))) {
        const Node& reader = level.index.node(use.node);
        if (is_transpose(reader) && reader.inputs[0] == matrix.value) return {reader.id};
    }
    for (const Node& node : made)
        if (node.inputs[0] == matrix.value) return {node.id};
    Node node;
    node.id = ids.fresh();
    node.kind = Misc{kTranspose};
    node.inputs = {matrix.value};
    node.outputs = {turned_type(matrix.type)};
    edit.made(node.id, {anchor.id});
    edit.insert_before(anchor.id, node);
    made.push_back(node);
    return {node.id};
}

Type taken(const Type& type, PortIn mode) {
    return mode == PortIn::Iterated ? type.element() : type;
}

// N-map { M-map { ... } } of operands whose modes are turned already.
Node turned_nest(const Level& level, const Producer& found, const std::vector<NestOperand>& operands,
                 IdSource& ids) {
    Builder middle(level.dims, ids);
    Builder body(level.dims, ids);
    std::vector<MapOperand> outside, between;
    std::vector<ValueRef> inside;
    for (const NestOperand& operand : operands) {
        outside.push_back({operand.value, operand.outer, operand.type});
        const Type type = taken(operand.type, operand.outer);
        between.push_back({middle.input(type), operand.inner, type});
        inside.push_back(body.input(taken(type, operand.inner)));
    }
    ValueRef result;
    if (!found.op) {
        const Type left = taken(between[0].type, between[0].mode);
        const Type right = taken(between[1].type, between[1].mode);
        Node dots = map_of(FunctionalOp::Dot, found.contraction,
                           {{inside[0], PortIn::Iterated, left}, {inside[1], PortIn::Iterated, right}},
                           level.dims, ids);
        const NodeId id = dots.id;
        body.keep(std::make_shared<const Node>(std::move(dots)));
        result = body.reduce(ReduceOp::Sum, found.contraction, {id});
    } else if (const Functional* functional = found.op->as<Functional>()) {
        result = body.functional(*turned(functional->op), inside);
    } else {
        result = {body.add(*found.op->as<Elementwise>(), inside)};
    }
    body.output(result);
    Node inner = collected_map(found.rows, between, body.finish(), level.dims, ids);
    const NodeId id = inner.id;
    middle.keep(std::make_shared<const Node>(std::move(inner)));
    middle.output({id});
    return collected_map(found.cols, outside, middle.finish(), level.dims, ids);
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& transpose = *level.index.find(match.role("transpose"));
    const Node& producer = *level.index.find(match.role("producer"));
    Producer found;
    Diagnosis diagnosis;
    applies(level, transpose, found, diagnosis);
    LevelEdit edit(level);
    std::vector<Node> made;
    std::vector<NestOperand> operands = found.operands;
    for (NestOperand& operand : operands) {
        std::swap(operand.outer, operand.inner);
        if (!found.op || !operand.is_matrix()) continue;
        operand.value = transpose_of(level, operand, edit, transpose, made, ids);
        operand.type = turned_type(operand.type);
    }
    if (!found.op) std::swap(operands[0], operands[1]);
    Node nest = turned_nest(level, found, operands, ids);
    edit.redirect({transpose.id}, {nest.id});
    edit.made(nest.id, {producer.id, transpose.id});
    if (level.index.uses(level.index.position(producer.id)).size() == 1) edit.remove(producer.id);
    edit.replace(transpose.id, std::move(nest));
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    const Node& producer = *level.index.find(match.role("producer"));
    const bool again = level.index.uses(level.index.position(producer.id)).size() > 1;
    return again ? Text(
                       "Computes the transposed result of %1 from the start, a second time, instead of "
                       "transposing it.",
                       describe(producer, level.dims))
                 : Text("Computes the transposed result of %1 from the start instead of transposing it.",
                        describe(producer, level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    const Selection selection =
        select(level, nodes, 2, 2, Text("an operator in maps of its own and the transpose of its result"));
    if (selection.refusal) return selection.refusal;
    const Node& producer = level.index.node(selection.positions[0]);
    const Node& transpose = level.index.node(selection.positions[1]);
    Diagnosis diagnosis{true, {}};
    Producer found;
    if (!applies(level, transpose, found, diagnosis)) return diagnosis.refusal;
    if (transpose.inputs[0].node == producer.id) return std::nullopt;
    return Refusal{Text("%1 does not transpose the result of %2", describe(transpose, level.dims),
                        describe(producer, level.dims)),
                   {producer.id, transpose.id}};
}

void draw(Sketch& s) {
    const Type list = Sketch::list({Sketch::M, Sketch::K}, Item::block(Sketch::M, Sketch::K));
    const ValueRef a = s.input("A", list);
    const ValueRef b = s.input("B", Sketch::list({Sketch::N, Sketch::K}, Item::block(Sketch::N, Sketch::K)));
    const auto product = [&s](Builder& rows, const std::vector<ValueRef>& in) {
        return s.map(rows, Sketch::N, {whole(in[0]), each(in[1])},
                     [&s](Builder& body, const std::vector<ValueRef>& ab) {
                         return body.reduce(
                             ReduceOp::Sum, Sketch::K,
                             s.map_of(body, Sketch::K, {each(ab[0]), each(ab[1])}, FunctionalOp::Dot));
                     });
    };
    const ValueRef c = s.map(s.top(), Sketch::M, {each(a), whole(b)}, product);
    const Type turned = Sketch::list({Sketch::N, Sketch::M}, Item::block(Sketch::N, Sketch::M));
    s.output("O", s.top().misc(kTranspose, {c}, {turned}).front());
}

}  // namespace

}  // namespace rule14

Rule rule_14() {
    return {.id = {14, 0},
            .name = Text("Swap Operator/Transpose"),
            .short_name = Text("move transpose"),
            .because = Text("(A B)^T = B^T A^T"),
            .summary =
                Text("a transposed result is computed from the start, from swapped or transposed operands"),
            .condition =
                Text("A transpose reads a matrix multiplication, or one operator on each block, that stands "
                     "in two maps of its own."),
            .reason =
                Text("(A B)^T = B^T A^T, and an operator on single elements may run before or after they are "
                     "moved; what went along rows goes along columns."),
            .use = Text(
                "Nothing fuses across a transpose. Applied again until products are reached, whose operands "
                "are swapped, none is left. What is also needed as it is, is then computed twice."),
            .section = Text("not in the paper"),
            .origin = RuleOrigin::Addition,
            .in_fuse = false,
            .matches_at = rule14::matches_at,
            .apply = rule14::apply,
            .explain = rule14::explain,
            .done =
                [](const Told& told) {
                    return Text("%1 is computed transposed from the start", told.first_result);
                },
            .diagnose = rule14::diagnose,
            .draw = rule14::draw};
}

}  // namespace blockscope
