// Elementwise expressions as straight-line code (plan.h).
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/engine/plan.h"
#include "core/graph/expr.h"
#include "core/scalar/exact.h"

namespace blockscope::engine {

namespace {

class Compiler {
public:
    Compiler(int args, const DimTable& dims) : dims_(dims) { code_.args = args; }

    ExprCode run(const Expr& expr) {
        const CodeValue result = value(expr);
        if (result.kind != CodeValue::Kind::Register || result.index + 1 != code_.registers)
            emit(Op::Copy, result);
        return std::move(code_);
    }

private:
    CodeValue value(const Expr& expr) {
        if (const Arg* arg = std::get_if<Arg>(&expr.value)) return {CodeValue::Kind::Argument, arg->index};
        if (const Number* number = std::get_if<Number>(&expr.value)) return constant(number->value);
        if (const SizeOf* size = std::get_if<SizeOf>(&expr.value))
            return constant(static_cast<double>(dims_.at(size->dim.value).size));
        const auto known = known_.find(&expr);
        if (known != known_.end()) return known->second;
        const CodeValue result = call(std::get<Call>(expr.value));
        known_.emplace(&expr, result);
        return result;
    }

    CodeValue call(const Call& call) {
        const CodeValue a = value(*call.args.front());
        if (call.args.size() == 1) {
            if (a.kind == CodeValue::Kind::Constant) return constant(apply(call.fn, exact(a)));
            return emit(op_of(call.fn), a);
        }
        const CodeValue b = value(*call.args.back());
        if (b.kind != CodeValue::Kind::Constant) return emit(op_of(call.fn), a, b);
        if (a.kind == CodeValue::Kind::Constant) return constant(apply(call.fn, exact(a), exact(b)));
        if (call.fn == Fn::Pow) return power(a, exact(b));
        if (call.fn == Fn::Div && is_power_of_two(exact(b)))
            return emit(op_of(Fn::Mul), a, constant(1 / exact(b)));
        return emit(op_of(call.fn), a, b);
    }

    static bool is_power_of_two(double x) {
        int exponent = 0;
        return std::abs(std::frexp(x, &exponent)) == 0.5 && std::abs(exponent) < 100;
    }

    CodeValue power(CodeValue a, double exponent) {
        if (exponent == 1) return a;
        if (exponent == 2) return emit(Op::Square, a);
        if (exponent == 3) return emit(op_of(Fn::Mul), emit(Op::Square, a), a);
        if (exponent == 4) return emit(Op::Square, emit(Op::Square, a));
        if (exponent == 0.5) return emit(op_of(Fn::Sqrt), a);
        if (exponent == -0.5) return emit(Op::ReciprocalSqrt, a);
        if (exponent == -1) return emit(Op::Reciprocal, a);
        if (exponent == -2) return emit(Op::Reciprocal, emit(Op::Square, a));
        return emit(op_of(Fn::Pow), a, constant(exponent));
    }

    CodeValue constant(double value) {
        exact_.push_back(value);
        code_.constants.push_back(static_cast<float>(value));
        return {CodeValue::Kind::Constant, static_cast<int>(exact_.size()) - 1};
    }
    double exact(CodeValue constant) const { return exact_[static_cast<std::size_t>(constant.index)]; }

    CodeValue emit(Op op, CodeValue a, CodeValue b = {}) {
        for (const CodeLine& line : code_.lines)
            if (line.op == op && line.a == a && line.b == b) return {CodeValue::Kind::Register, line.to};
        code_.lines.push_back({op, a, b, code_.registers});
        return {CodeValue::Kind::Register, code_.registers++};
    }

    const DimTable& dims_;
    ExprCode code_;
    std::vector<double> exact_;  // of constants, before rounding
    std::unordered_map<const Expr*, CodeValue> known_;
};

}  // namespace

ExprCode compile_expr(const Expr& expr, int args, const DimTable& dims) {
    ExprCode code = Compiler(args, dims).run(expr);
    std::vector<std::string> names;
    for (int i = 0; i < args; ++i) names.push_back("$" + std::to_string(i + 1));
    code.text = to_string(expr, names, dims);
    return code;
}

std::optional<ExprCode> without_argument(const ExprCode& code, int zero) {
    ExprCode result = code;
    result.lines.clear();
    std::unordered_map<int, CodeValue> same;  // registers that are not made any more, and what they hold
    const auto is_zero = [&](const CodeValue& v) {
        return v.kind == CodeValue::Kind::Argument && v.index == zero;
    };
    const auto now = [&](const CodeValue& v) {
        const auto found = v.kind == CodeValue::Kind::Register ? same.find(v.index) : same.end();
        return found == same.end() ? v : found->second;
    };
    bool found = false;
    for (CodeLine line : code.lines) {
        line.a = now(line.a);
        line.b = now(line.b);
        const bool adds = line.op == op_of(Fn::Add);
        const bool left = adds && is_zero(line.a);
        const bool right = (adds || line.op == op_of(Fn::Sub)) && is_zero(line.b);
        if (left || right) {
            same[line.to] = left ? line.b : line.a;
            found = true;
        } else if (is_zero(line.a) || is_zero(line.b)) {
            return {};
        } else {
            result.lines.push_back(line);
        }
    }
    if (!found) return {};
    const int last = code.lines.back().to;
    const CodeValue value = now({CodeValue::Kind::Register, last});
    const bool made_last = !result.lines.empty() && value.kind == CodeValue::Kind::Register &&
                           value.index == result.lines.back().to;
    if (!made_last) result.lines.push_back({Op::Copy, value, {}, last});
    return result;
}

}  // namespace blockscope::engine
