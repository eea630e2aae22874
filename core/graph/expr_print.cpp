// Expressions as the paper's listings write them. Parentheses: the least that Python's precedence
// needs, but around every negative power inside a larger expression, as in t3*(DD**-0.5).
#include <charconv>
#include <cmath>

#include "core/graph/expr.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

enum Level { kSum = 1, kProduct = 2, kUnary = 3, kPower = 4, kAtom = 5 };

struct Piece {
    std::string text;
    Level level;
    bool negative_power = false;
};

std::string number_text(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return std::string(buffer, end);
}

std::string wrap(const Piece& piece, Level least) {
    return piece.level < least || piece.negative_power ? "(" + piece.text + ")" : piece.text;
}

class Printer {
public:
    Printer(const std::vector<std::string>& names, const DimTable& dims) : names_(names), dims_(dims) {}

    Piece print(const Expr& expr) const {
        if (const auto* a = std::get_if<Arg>(&expr.value))
            return {names_.at(static_cast<std::size_t>(a->index)), kAtom};
        if (const auto* n = std::get_if<Number>(&expr.value)) return number_piece(n->value);
        if (const auto* s = std::get_if<SizeOf>(&expr.value)) {
            const std::string& name = dims_.at(s->dim.value).name;
            return {name + name, kAtom};
        }
        return call_piece(std::get<Call>(expr.value));
    }

private:
    static Piece number_piece(double value) {
        if (std::isinf(value)) return {value < 0 ? "-inf" : "inf", value < 0 ? kUnary : kAtom};
        return {number_text(value), std::signbit(value) ? kUnary : kAtom};
    }

    Piece call_piece(const Call& call) const {
        const Piece a = print(*call.args[0]);
        switch (call.fn) {
            case Fn::Neg:
                return {"-" + wrap(a, kPower), kUnary};
            case Fn::Add:
                return binary(a, "+", print(*call.args[1]), kSum, kSum, kProduct);
            case Fn::Sub:
                return binary(a, "-", print(*call.args[1]), kSum, kSum, kProduct);
            case Fn::Mul:
                return binary(a, "*", print(*call.args[1]), kProduct, kProduct, kPower);
            case Fn::Div:
                return binary(a, "/", print(*call.args[1]), kProduct, kProduct, kPower);
            case Fn::Pow:
                return power(a, *call.args[1]);
            case Fn::Max:
            case Fn::Min:
                return {to_string(call.fn) + "(" + a.text + "," + print(*call.args[1]).text + ")", kAtom};
            case Fn::Exp:
            case Fn::Log:
            case Fn::Sqrt:
            case Fn::Tanh:
            case Fn::Erf:
            case Fn::Abs:
            case Fn::Sin:
            case Fn::Cos:
            case Fn::Floor:
                return {to_string(call.fn) + "(" + a.text + ")", kAtom};
        }
        throw InternalError("unknown function");
    }

    static Piece binary(const Piece& a, const char* op, const Piece& b, Level level, Level left,
                        Level right) {
        const std::string second = b.text.front() == '-' ? "(" + b.text + ")" : wrap(b, right);
        return {wrap(a, left) + op + second, level};
    }

    Piece power(const Piece& base, const Expr& exponent) const {
        const Piece e = print(exponent);
        const bool negative = e.level == kUnary;
        const bool bare = base.level == kAtom;
        if (negative && bare) return {base.text + "**" + e.text, kPower, true};
        return {wrap(base, kAtom) + "**" + (e.level == kAtom ? e.text : "(" + e.text + ")"), kPower};
    }

    const std::vector<std::string>& names_;
    const DimTable& dims_;
};

}  // namespace

std::string to_string(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims) {
    return Printer(names, dims).print(expr).text;
}

}  // namespace blockscope
