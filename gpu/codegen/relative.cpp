#include "gpu/codegen/relative.h"

#include <algorithm>

#include "core/support/result.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

constexpr Dependence kNotKnown{false};

Dependence added(Dependence a, Dependence b, double sign) {
    if (!a.known || !b.known) return kNotKnown;
    if (a.times == 0 && b.times == 0) return {true, 0, a.plus + sign * b.plus};
    if (a.plus == 0 && b.plus == 0 && a.times == b.times) return a;
    return kNotKnown;
}

Dependence multiplied(Dependence a, Dependence b, double sign) {
    if (!a.known || !b.known || a.plus != 0 || b.plus != 0) return kNotKnown;
    return {true, a.times + sign * b.times, 0};
}

Dependence without_shift(Dependence a) {
    return a.plus == 0 ? a : kNotKnown;
}

Dependence of_function(Fn fn, const std::vector<Dependence>& args) {
    const Dependence& a = args.front();
    const Dependence& b = args.back();
    switch (fn) {
        case Fn::Neg:
            return {a.known, a.times, -a.plus};
        case Fn::Exp:
            return a.times == 0 ? Dependence{a.known, a.plus, 0} : kNotKnown;
        case Fn::Add:
            return added(a, b, 1);
        case Fn::Sub:
            return added(a, b, -1);
        case Fn::Mul:
            return multiplied(a, b, 1);
        case Fn::Div:
            return multiplied(a, b, -1);
        case Fn::Log:
        case Fn::Sqrt:
        case Fn::Tanh:
        case Fn::Erf:
        case Fn::Abs:
        case Fn::Sin:
        case Fn::Cos:
        case Fn::Floor:
        case Fn::Pow:
        case Fn::Max:
        case Fn::Min:
            return a.independent() && b.independent() ? Dependence{} : kNotKnown;
    }
    throw InternalError("unknown scalar function");
}

// What lies along columns may not depend: a factor of each column is none of the rows.
Dependence of_operator(FunctionalOp op, const std::vector<Dependence>& args) {
    const Dependence& a = args.front();
    const Dependence& b = args.back();
    switch (op) {
        case FunctionalOp::Add:
        case FunctionalOp::RowShift:
            return added(a, b, 1);
        case FunctionalOp::Mul:
        case FunctionalOp::RowScale:
            return multiplied(a, b, 1);
        case FunctionalOp::ColShift:
            return b.independent() ? added(a, b, 1) : kNotKnown;
        case FunctionalOp::ColScale:
        case FunctionalOp::Outer:
        case FunctionalOp::Dot:
            return b.independent() ? multiplied(a, b, 1) : kNotKnown;
        case FunctionalOp::RowSum:
            return without_shift(a);
        case FunctionalOp::RowMax:
            return a;
        case FunctionalOp::BlockMax:  // of all rows, each with a factor of its own
            return a.independent() ? a : kNotKnown;
    }
    throw InternalError("unknown functional operator");
}

}  // namespace

Relative::Relative(const Loop& loop) {
    for_each_statement(loop.body, [&](const Statement& line) {
        for (const TempUse& use : temps_of(line)) {
            if (!use.set) ++reads_[use.temp.id];
            if (!use.set) continue;
            set_.insert(use.temp.id);
            setters_[use.temp.id].push_back(&line);
        }
    });
}

int Relative::reads(Temp temp) const {
    const auto found = reads_.find(temp.id);
    return found == reads_.end() ? 0 : found->second;
}

int Relative::sets(Temp temp) const {
    const auto found = setters_.find(temp.id);
    return found == setters_.end() ? 0 : static_cast<int>(found->second.size());
}

const Statement* Relative::setter(Temp temp) const {
    const auto found = setters_.find(temp.id);
    return found != setters_.end() && found->second.size() == 1 ? found->second.front() : nullptr;
}

Dependence Relative::depends_on(Temp temp, Temp m) const {
    if (temp.id != 0 && temp == m) return {true, 0, 1};
    if (carried_.count(temp.id) > 0) return kNotKnown;
    if (set_.count(temp.id) == 0) return {};  // from outside of the loop
    const auto [found, fresh] = known_.emplace(std::pair{temp.id, m.id}, kNotKnown);
    if (!fresh) return found->second;
    const Statement* line = setter(temp);
    return known_[{temp.id, m.id}] = line ? of_statement(*line, m) : kNotKnown;
}

Dependence Relative::depends_on(const Term& term, Temp m) const {
    return term.expr ? of_expr(*term.expr, term.args, m) : depends_on(term.args.front(), m);
}

Dependence Relative::of_statement(const Statement& line, Temp m) const {
    const auto all = [&](const std::vector<Temp>& temps) {
        std::vector<Dependence> found;
        for (const Temp temp : temps) found.push_back(depends_on(temp, m));
        return found;
    };
    if (std::holds_alternative<Load>(line.what)) return {};
    if (const auto* s = std::get_if<Compute>(&line.what)) return of_operator(s->op, all(s->args));
    if (const auto* s = std::get_if<Evaluate>(&line.what)) return of_expr(*s->expr, s->args, m);
    if (const auto* s = std::get_if<Accumulate>(&line.what))
        return without_shift(s->functional ? of_operator(s->op, all(s->args))
                                           : depends_on(s->args.front(), m));
    return kNotKnown;
}

Dependence Relative::of_expr(const Expr& expr, const std::vector<Temp>& args, Temp m) const {
    if (const auto* argument = std::get_if<Arg>(&expr.value))
        return depends_on(args.at(static_cast<std::size_t>(argument->index)), m);
    const auto* call = std::get_if<Call>(&expr.value);
    if (!call) return {};
    std::vector<Dependence> found;
    for (const ExprPtr& inner : call->args) found.push_back(of_expr(*inner, args, m));
    return of_function(call->fn, found);
}

bool Relative::holds(const Term& term, Temp s) const {
    if (term.expr) {
        if (const auto* argument = std::get_if<Arg>(&term.expr->value))
            return holds({nullptr, {term.args.at(static_cast<std::size_t>(argument->index))}}, s);
        const auto* call = std::get_if<Call>(&term.expr->value);
        return call && std::any_of(call->args.begin(), call->args.end(), [&](const ExprPtr& inner) {
                   return holds({inner.get(), term.args}, s);
               });
    }
    return reaches(s, term.args.front());
}

// Whether the iteration makes `temp` of s.
bool Relative::reaches(Temp s, Temp temp) const {
    if (temp == s) return true;
    const auto lines = setters_.find(temp.id);
    if (lines == setters_.end() || carried_.count(temp.id) > 0) return false;
    const auto [found, fresh] = reached_.emplace(std::pair{temp.id, s.id}, false);
    if (!fresh) return found->second;
    bool any = false;
    for (const Statement* line : lines->second)
        for (const TempUse& use : temps_of(*line)) any = any || (!use.set && reaches(s, use.temp));
    return reached_[{temp.id, s.id}] = any;
}

std::optional<Continued> Relative::continued(Temp s, Temp value) const {
    return continued(s, Term{nullptr, {value}});
}

// `term` holds s.
std::optional<Continued> Relative::continued(Temp s, const Term& term) const {
    if (term.expr) {
        if (const auto* argument = std::get_if<Arg>(&term.expr->value))
            return continued(s, Term{nullptr, {term.args.at(static_cast<std::size_t>(argument->index))}});
        const auto* call = std::get_if<Call>(&term.expr->value);
        if (!call || call->args.size() != 2) return std::nullopt;
        const Term a{call->args[0].get(), term.args}, b{call->args[1].get(), term.args};
        if (call->fn == Fn::Add) return sum(s, a, b);
        if (call->fn == Fn::Mul) return scaled(s, a, b);
        return std::nullopt;
    }
    const Temp temp = term.args.front();
    if (temp == s) return Continued{};
    const Statement* line = setter(temp);
    if (!line) return std::nullopt;
    if (const auto* made = std::get_if<Evaluate>(&line->what))
        return continued(s, Term{made->expr.get(), made->args});
    const auto* made = std::get_if<Compute>(&line->what);
    if (!made || made->args.size() != 2) return std::nullopt;
    const Term a{nullptr, {made->args[0]}}, b{nullptr, {made->args[1]}};
    if (made->op == FunctionalOp::Add) return sum(s, a, b);
    if (made->op == FunctionalOp::RowScale || made->op == FunctionalOp::Mul) return scaled(s, a, b);
    return std::nullopt;
}

std::optional<Continued> Relative::sum(Temp s, const Term& a, const Term& b) const {
    const bool left = holds(a, s);
    if (left == holds(b, s)) return std::nullopt;
    std::optional<Continued> found = continued(s, left ? a : b);
    if (found) found->added.push_back(left ? b : a);
    return found;
}

std::optional<Continued> Relative::scaled(Temp s, const Term& a, const Term& factor) const {
    const bool left = holds(a, s);
    if (left == holds(factor, s)) return std::nullopt;
    std::optional<Continued> found = continued(s, left ? a : factor);
    if (!found || !found->added.empty()) return std::nullopt;
    const Term& by = left ? factor : a;
    const auto* argument = by.expr ? std::get_if<Arg>(&by.expr->value) : nullptr;
    if (by.expr && !argument) return std::nullopt;
    found->factors.push_back(argument ? by.args.at(static_cast<std::size_t>(argument->index))
                                      : by.args.front());
    return found;
}

}  // namespace blockscope::gpu
