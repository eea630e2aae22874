#include "core/engine/expr_code.h"

#include <cmath>
#include <unordered_map>

#include "core/scalar/exact.h"
#include "core/support/result.h"

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

}  // namespace blockscope::engine
