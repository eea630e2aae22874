#include "core/rules/examples.h"

#include <algorithm>
#include <functional>
#include <map>

#include "core/graph/builder.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

using Values = std::vector<ValueRef>;

struct Operand {
    ValueRef value;
    PortIn mode;
};
Operand each(ValueRef value) {
    return {value, PortIn::Iterated};
}
Operand whole(ValueRef value) {
    return {value, PortIn::Broadcast};
}

// A program under construction: dimensions M, N, K of attention's kind and X, Y of rules 6 and 7.
class Sketch {
public:
    static constexpr DimId M{0}, N{1}, K{2}, X{3}, Y{4};

    static Type list(std::vector<DimId> dims, Item item) {
        Type type(item, ElemType::F32);
        for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) type = type.list_over(*dim);
        return type;
    }
    ValueRef input(const std::string& name, const Type& type) { return top_.input(type, {name}); }
    void output(const std::string& name, ValueRef value) { top_.output(value, name); }
    Builder& top() { return top_; }

    // A map with one output; `body` makes it from the values of the map's ports.
    ValueRef map(Builder& around, DimId dim, const std::vector<Operand>& operands,
                 const std::function<ValueRef(Builder&, const Values&)>& body,
                 PortOut mode = PortOut::Collected) {
        Builder inside(dims_, ids_);
        Map map;
        map.dim = dim;
        map.outputs = {{mode}};
        Values ports, values;
        for (const Operand& operand : operands) {
            const Type type = around.type(operand.value);
            ports.push_back(inside.input(operand.mode == PortIn::Iterated ? type.element() : type));
            values.push_back(operand.value);
            map.inputs.push_back({operand.mode});
        }
        inside.output(body(inside, ports));
        map.body = inside.finish();
        return around.map(std::move(map), values).front();
    }

    // A map over `dim` of one operator.
    ValueRef map_of(Builder& around, DimId dim, const std::vector<Operand>& operands, FunctionalOp op,
                    PortOut mode = PortOut::Collected) {
        return map(
            around, dim, operands, [op](Builder& b, const Values& in) { return b.functional(op, in); }, mode);
    }
    ValueRef map_of(Builder& around, DimId dim, const std::vector<Operand>& operands, const ExprPtr& expr) {
        return map(around, dim, operands,
                   [&expr](Builder& b, const Values& in) { return b.elementwise(expr, in); });
    }

    // N-map { K-map { dot }; sum over K }: the matrix product of `left` and the transpose of `right`.
    ValueRef matmul(ValueRef left, ValueRef right) {
        return map(top_, N, {whole(left), each(right)}, [this](Builder& b, const Values& in) {
            return b.reduce(ReduceOp::Sum, K, map_of(b, K, {each(in[0]), each(in[1])}, FunctionalOp::Dot));
        });
    }

    ProgramPtr finish() {
        return std::make_shared<const BlockProgram>(BlockProgram{dims_, top_.finish(), ids_.next()});
    }

private:
    static Dim dim(const char* name, std::int64_t blocks) {
        return {name, blocks * 16, 16, DimKind::Blocked};
    }
    DimTable dims_{dim("M", 8), dim("N", 8), dim("K", 4), dim("X", 8), dim("Y", 4)};
    IdSource ids_{1};
    Builder top_{dims_, ids_};
};

const ExprPtr& exponential() {
    static const ExprPtr kExp = call(Fn::Exp, arg(0));
    return kExp;
}
const ExprPtr& inverse() {
    static const ExprPtr kInverse = call(Fn::Div, number(1), arg(0));
    return kInverse;
}

void consecutive(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({Sketch::M}, Item::vector(Sketch::M)));
    const ValueRef u = s.map_of(s.top(), Sketch::M, {each(x)}, exponential());
    s.output("O", s.map_of(s.top(), Sketch::M, {each(u)}, inverse()));
}

void siblings(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({Sketch::M}, Item::vector(Sketch::M)));
    const ValueRef u = s.map_of(s.top(), Sketch::M, {each(x)}, exponential());
    const ValueRef v = s.map_of(s.top(), Sketch::M, {each(x)}, inverse());
    s.output("O", u);
    s.output("P", v);
}

void reduction(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({Sketch::N}, Item::block(Sketch::M, Sketch::N)));
    const ValueRef u = s.map_of(s.top(), Sketch::N, {each(x)}, FunctionalOp::RowSum);
    s.output("O", s.top().reduce(ReduceOp::Sum, Sketch::N, u));
}

// A mapped row_scale or row_shift and what it feeds.
void linear(Sketch& s, FunctionalOp op, int matmuls) {
    const ValueRef a = s.input("A", Sketch::list({Sketch::K}, Item::block(Sketch::M, Sketch::K)));
    const ValueRef c = s.input("c", Sketch::list({}, Item::vector(Sketch::M)));
    const Type right = Sketch::list({Sketch::N, Sketch::K}, Item::block(Sketch::N, Sketch::K));
    Values rights;
    for (int i = 0; i < matmuls; ++i) rights.push_back(s.input(i == 0 ? "B" : "C", right));
    const ValueRef scaled = s.map_of(s.top(), Sketch::K, {each(a), whole(c)}, op);
    Values products;
    for (const ValueRef& b : rights) products.push_back(s.matmul(scaled, b));
    for (std::size_t i = 0; i < products.size(); ++i) s.output(i == 0 ? "O" : "P", products[i]);
}

// The situations of rules 6 and 7 (section 3.2): a Y-map U outside, a map V over X with a Y-map inside.
void situation(Sketch& s, char variant) {
    const Type row = Sketch::list({Sketch::Y}, Item::block(Sketch::M, Sketch::Y));
    const ValueRef a = s.input("A", row);
    const ValueRef b = s.input("B", Sketch::list({Sketch::X, Sketch::Y}, Item::block(Sketch::X, Sketch::Y)));
    const auto dots = [&s](Builder& body, const Values& in) {
        return s.map_of(body, Sketch::Y, {each(in[0]), each(in[1])}, FunctionalOp::Dot, PortOut::ReducedSum);
    };
    if (variant == 'a') {
        const ValueRef u = s.map_of(s.top(), Sketch::Y, {each(a)}, exponential());
        s.output("O", s.map(s.top(), Sketch::X, {whole(u), each(b)}, dots));
        return;
    }
    const ValueRef shared = variant == 'b' ? a : s.map_of(s.top(), Sketch::Y, {each(a)}, exponential());
    const ValueRef u =
        s.map_of(s.top(), Sketch::Y, {each(shared)}, FunctionalOp::RowSum, PortOut::ReducedSum);
    const auto scaled = [&dots](Builder& body, const Values& in) {
        return body.functional(FunctionalOp::RowScale, {dots(body, {in[0], in[2]}), in[1]});
    };
    s.output("O", s.map(s.top(), Sketch::X, {whole(shared), whole(u), each(b)}, scaled));
}

void elementwise(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({}, Item::vector(Sketch::M)));
    s.output("O", s.top().elementwise(inverse(), {s.top().elementwise(exponential(), {x})}));
}

void draw(Sketch& s, RuleId id) {
    const FunctionalOp op =
        id.number == 5 || id.variant == 's' ? FunctionalOp::RowShift : FunctionalOp::RowScale;
    switch (id.number) {
        case 1:
            return consecutive(s);
        case 2:
            return siblings(s);
        case 3:
            return reduction(s);
        case 4:
        case 5:
            return linear(s, op, 1);
        case 6:
        case 7:
            return situation(s, id.variant);
        case 8:
            return linear(s, op, 2);
        case 9:
            return elementwise(s);
        default:
            throw InternalError("rule " + to_string(id) + " has no example");
    }
}

// Rule 8 copies what feeds its matmuls; what is inside them stays as it is.
std::set<NodeId> folded(const Match& match) {
    std::set<NodeId> maps;
    if (match.rule.number != 8) return maps;
    for (const Role& role : match.roles)
        if (role.name == "matmul") maps.insert(role.node);
    return maps;
}

RuleExample make_example(const Rule& rule) {
    Sketch sketch;
    draw(sketch, rule.id);
    RuleExample example{sketch.finish(), {}, {}};
    const std::vector<Match> matches = all_matches(*example.program, {rule.id, {}, {}});
    if (matches.empty()) throw InternalError("rule " + to_string(rule.id) + " does not match its example");
    example.match = matches.front();
    example.folded = folded(example.match);
    return example;
}

}  // namespace

const RuleExample& rule_example(RuleId id) {
    static const std::map<RuleId, RuleExample> kExamples = [] {
        std::map<RuleId, RuleExample> examples;
        for (const Rule& rule : rules()) examples.emplace(rule.id, make_example(rule));
        return examples;
    }();
    const auto found = kExamples.find(id);
    if (found == kExamples.end()) throw InternalError("there is no rule " + to_string(id));
    return found->second;
}

}  // namespace blockscope
