#include "core/rules/examples.h"

#include <map>

#include "core/support/result.h"

namespace blockscope {

const ExprPtr& Sketch::exponential() {
    static const ExprPtr kExp = call(Fn::Exp, arg(0));
    return kExp;
}
const ExprPtr& Sketch::inverse() {
    static const ExprPtr kInverse = call(Fn::Div, number(1), arg(0));
    return kInverse;
}

void Sketch::linear(FunctionalOp op, int matmuls) {
    const ValueRef a = input("A", list({K}, Item::block(M, K)));
    const ValueRef c = input("c", list({}, Item::vector(M)));
    const Type right = list({N, K}, Item::block(N, K));
    std::vector<ValueRef> rights;
    for (int i = 0; i < matmuls; ++i) rights.push_back(input(i == 0 ? "B" : "C", right));
    const ValueRef scaled = map_of(top_, K, {each(a), whole(c)}, op);
    std::vector<ValueRef> products;
    for (const ValueRef& b : rights) products.push_back(matmul(scaled, b));
    for (std::size_t i = 0; i < products.size(); ++i) output(i == 0 ? "O" : "P", products[i]);
}

void Sketch::norm(FunctionalOp op) {
    const ValueRef a = input("A", list({K}, Item::block(M, K)));
    const ValueRef c = input("c", list({}, Item::vector(M)));
    const ValueRef w = input("w", list({K}, Item::vector(K)));
    const ValueRef b = input("B", list({N, K}, Item::block(N, K)));
    const ValueRef scaled = map_of(top_, K, {each(a), whole(c)}, FunctionalOp::RowScale);
    output("O", matmul(map_of(top_, K, {each(scaled), each(w)}, op), b));
}

void Sketch::inner_map_case(char variant) {
    const Type row = list({Y}, Item::block(M, Y));
    const ValueRef a = input("A", row);
    const ValueRef b = input("B", list({X, Y}, Item::block(X, Y)));
    const auto dots = [this](Builder& body, const std::vector<ValueRef>& in) {
        return map_of(body, Y, {each(in[0]), each(in[1])}, FunctionalOp::Dot, PortOut::ReducedSum);
    };
    if (variant == 'a') {
        const ValueRef u = map_of(top_, Y, {each(a)}, exponential());
        output("O", map(top_, X, {whole(u), each(b)}, dots));
        return;
    }
    const ValueRef shared = variant == 'b' ? a : map_of(top_, Y, {each(a)}, exponential());
    const ValueRef u = map_of(top_, Y, {each(shared)}, FunctionalOp::RowSum, PortOut::ReducedSum);
    const auto scaled = [&dots](Builder& body, const std::vector<ValueRef>& in) {
        return body.functional(FunctionalOp::RowScale, {dots(body, {in[0], in[2]}), in[1]});
    };
    output("O", map(top_, X, {whole(shared), whole(u), each(b)}, scaled));
}

namespace {

RuleExample make_example(const Rule& rule) {
    Sketch sketch;
    rule.draw(sketch);
    RuleExample example{sketch.finish(), {}, {}};
    const std::vector<Match> matches = all_matches(*example.program, {rule.id, {}, {}});
    if (matches.empty()) throw InternalError("rule " + to_string(rule.id) + " does not match its example");
    example.match = matches.front();
    for (const Role& role : example.match.roles)
        if (role.name == rule.folded) example.folded.insert(role.node);
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
