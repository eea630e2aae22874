// Labels and work of elementwise operators.
#include <optional>

#include "core/circuit/flow.h"
#include "core/cost/terms.h"
#include "core/program/formula.h"
#include "core/program/functions.h"

namespace blockscope::circuit {

namespace {

// What Arg 0 of `pattern` stands for in `expr`, if the two are otherwise the same.
bool bind(const Expr& pattern, const ExprPtr& expr, ExprPtr& bound) {
    if (std::holds_alternative<Arg>(pattern.value)) {
        if (bound) return equal(*bound, *expr);
        bound = expr;
        return true;
    }
    const Call* wanted = std::get_if<Call>(&pattern.value);
    const Call* found = std::get_if<Call>(&expr->value);
    if (!wanted || !found) return !wanted && !found && equal(pattern, *expr);
    if (wanted->fn != found->fn) return false;
    for (std::size_t i = 0; i < wanted->args.size(); ++i)
        if (!bind(*wanted->args[i], found->args[i], bound)) return false;
    return true;
}

struct Named {
    std::string_view function;
    ExprPtr argument;
};

// The function of the language that this expression is, the one with the largest body first.
std::optional<Named> named(const ExprPtr& expr) {
    std::optional<Named> best;
    int most = 1;
    for (const ElementwiseFunction& function : elementwise_functions()) {
        if (function.operands != 1 || function.alias) continue;
        std::vector<ExprPtr> args = {arg(0)};
        if (!function.parameter.empty()) args.push_back(number(function.parameter_default));
        const ExprPtr pattern = function.build(args);
        ExprPtr bound;
        const int size = tree_size(*pattern, 1000);
        if (size > most && bind(*pattern, expr, bound) && bound) {
            best = Named{function.name, bound};
            most = size;
        }
    }
    return best;
}

// Expression text with functions of the language recognised, as long as that leaves out something.
class Labels {
public:
    explicit Labels(const DimTable& dims) : dims_(dims) {}

    // `around`: the operation that it is an operand of, if it is one; the left one or the right one.
    std::string text(const ExprPtr& expr, std::optional<Fn> around = {}, bool left = false) const {
        if (const std::optional<Named> function = named(expr)) {
            const Call* root = std::get_if<Call>(&function->argument->value);
            if (function->function == "reciprocal" && root && root->fn == Fn::Sqrt)
                return "rsqrt(" + text(root->args[0]) + ")";
            return std::string(function->function) + "(" + text(function->argument) + ")";
        }
        const Call* call = std::get_if<Call>(&expr->value);
        if (!call || call->args.size() != 2 || call->fn == Fn::Max || call->fn == Fn::Min)
            return plain(*expr);
        const std::string joined =
            text(call->args[0], call->fn, true) + sign(call->fn) + text(call->args[1], call->fn);
        return around && !stands_alone(call->fn, *around, left) ? "(" + joined + ")" : joined;
    }

    std::string plain(const Expr& expr) const {
        static const std::vector<std::string> names = {"x", "y", "z", "u", "v", "w"};
        std::vector<std::string> args;
        for (int i = 0; i < argument_count(expr); ++i)
            args.push_back(i < 6 ? names[static_cast<std::size_t>(i)] : "x" + std::to_string(i));
        return expr_formula(expr, args, dims_).text;
    }

private:
    static bool is_sum(Fn fn) { return fn == Fn::Add || fn == Fn::Sub; }

    // Without brackets: what binds stronger, and what is done first anyway.
    static bool stands_alone(Fn inside, Fn around, bool left) {
        if (inside == Fn::Pow || around == Fn::Pow) return inside == Fn::Pow;
        return is_sum(around) && !is_sum(inside) ? true : left && is_sum(around) == is_sum(inside);
    }

    static const char* sign(Fn fn) {
        switch (fn) {
            case Fn::Add:
                return " + ";
            case Fn::Sub:
                return " - ";
            case Fn::Mul:
                return " * ";
            case Fn::Div:
                return " / ";
            default:
                return "^";
        }
    }

    const DimTable& dims_;
};

}  // namespace

std::string expression_label(const Expr& expr, const DimTable& dims) {
    const Labels labels(dims);
    const ExprPtr whole = std::make_shared<const Expr>(expr);
    if (const Call* call = std::get_if<Call>(&expr.value); call && call->args.size() == 2) {
        const bool first = std::holds_alternative<Arg>(call->args[0]->value);
        const bool second = std::holds_alternative<Arg>(call->args[1]->value);
        if (first && argument_count(*call->args[1]) == 0 && call->fn == Fn::Mul)
            return "* " + labels.plain(*call->args[1]);
        if (first && second && call->fn == Fn::Add) return "+";
        if (first && second && call->fn == Fn::Mul) return "×";
    }
    if (const std::optional<Named> function = named(whole))
        if (std::holds_alternative<Arg>(function->argument->value)) return std::string(function->function);
    return labels.text(whole);
}

std::pair<double, double> expression_work(const Expr& expr) {
    const ElementOperations each = element_operations(expr);
    return {each.vector, each.special};
}

}  // namespace blockscope::circuit
