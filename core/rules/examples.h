// A rule's example under construction: the left side of its picture, as small as the rule allows.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/rules/rule.h"

namespace blockscope {

struct SketchOperand {
    ValueRef value;
    PortIn mode;
};
inline SketchOperand each(ValueRef value) {
    return {value, PortIn::Iterated};
}
inline SketchOperand whole(ValueRef value) {
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
    ValueRef map(Builder& around, DimId dim, const std::vector<SketchOperand>& operands,
                 const std::function<ValueRef(Builder&, const std::vector<ValueRef>&)>& body,
                 PortOut mode = PortOut::Collected) {
        Builder inside(dims_, ids_);
        Map map;
        map.dim = dim;
        map.outputs = {{mode}};
        std::vector<ValueRef> ports, values;
        for (const SketchOperand& operand : operands) {
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
    ValueRef map_of(Builder& around, DimId dim, const std::vector<SketchOperand>& operands, FunctionalOp op,
                    PortOut mode = PortOut::Collected) {
        return map(
            around, dim, operands,
            [op](Builder& b, const std::vector<ValueRef>& in) { return b.functional(op, in); }, mode);
    }
    ValueRef map_of(Builder& around, DimId dim, const std::vector<SketchOperand>& operands,
                    const ExprPtr& expr) {
        return map(around, dim, operands,
                   [&expr](Builder& b, const std::vector<ValueRef>& in) { return b.elementwise(expr, in); });
    }

    // N-map { K-map { dot }; sum over K }: the matrix product of `left` and the transpose of `right`.
    ValueRef matmul(ValueRef left, ValueRef right) {
        return map(top_, N, {whole(left), each(right)}, [this](Builder& b, const std::vector<ValueRef>& in) {
            return b.reduce(ReduceOp::Sum, K, map_of(b, K, {each(in[0]), each(in[1])}, FunctionalOp::Dot));
        });
    }

    // exp(x) and 1/x, as a rule's example applies them.
    static const ExprPtr& exponential();
    static const ExprPtr& inverse();

    // A mapped row_scale or row_shift and the matmuls that it feeds (rules 4, 5 and 8).
    void linear(FunctionalOp op, int matmuls);
    // A mapped row_scale, `op` along the columns of its result, and the matmul that reads that (rules 10,
    // 11).
    void norm(FunctionalOp op);
    // The cases (a), (b) and (c) of rules 6 and 7 (section 3.2): a Y-map U outside, a map V over X with a
    // Y-map inside.
    void inner_map_case(char variant);

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

// For every rule a smallest program that it applies to: the left side of its picture. Rule cards draw them,
// and every one is proven.

struct RuleExample {
    ProgramPtr program;
    Match match;
    std::set<NodeId> folded;  // maps that the rule does not look into
};

const RuleExample& rule_example(RuleId id);  // throws InternalError if there is no such rule

}  // namespace blockscope
