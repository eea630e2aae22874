// Minimising a sum of monomials in the group sizes under one monomial limit is a geometric program. Its dual:
// weights δ_t >= 0 with Σ δ_t = 1 and, for each group size g, Σ δ_t·e_t(g) = λ·m(g), where e_t and m are the
// (negated) exponents of g in term t and in the limit. If exactly one (δ, λ) solves these equations, the
// minimum is Π (c_t/δ_t)^δ_t · (y/M)^λ: λ is β.
#include "core/circuit/power_law.h"

#include <algorithm>
#include <cmath>

namespace blockscope::circuit {

namespace {

using Row = std::vector<Fraction>;

Fraction exponent(const Powers& powers, const std::string& name) {
    const auto found = powers.find(name);
    return found == powers.end() ? Fraction(0) : found->second;
}

bool mentions(const Monomial& monomial, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return monomial.powers.count(name) > 0; });
}

Formula without(Monomial monomial, const std::vector<std::string>& names) {
    for (const std::string& name : names) monomial.powers.erase(name);
    return Formula::of(monomial);
}

// The one solution of rows·x = last column; empty if there is none or more than one.
std::optional<Row> solve(std::vector<Row> rows, std::size_t unknowns) {
    std::size_t pivot = 0;
    for (std::size_t column = 0; column < unknowns; ++column) {
        std::size_t found = pivot;
        while (found < rows.size() && rows[found][column].is_zero()) ++found;
        if (found == rows.size()) return std::nullopt;
        std::swap(rows[pivot], rows[found]);
        const Fraction divisor = rows[pivot][column];
        for (Fraction& entry : rows[pivot]) entry = entry / divisor;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (r == pivot || rows[r][column].is_zero()) continue;
            const Fraction factor = rows[r][column];
            for (std::size_t c = 0; c <= unknowns; ++c) rows[r][c] = rows[r][c] - factor * rows[pivot][c];
        }
        ++pivot;
    }
    for (std::size_t r = pivot; r < rows.size(); ++r)
        if (!rows[r][unknowns].is_zero()) return std::nullopt;
    Row solution;
    for (std::size_t i = 0; i < unknowns; ++i) solution.push_back(rows[i][unknowns]);
    return solution;
}

// δ for each term, then λ.
std::optional<Row> dual(const std::vector<Monomial>& terms, const Monomial& limit,
                        const std::vector<std::string>& groups) {
    const std::size_t unknowns = terms.size() + 1;
    std::vector<Row> rows;
    Row sum(unknowns + 1, Fraction(1));
    sum[terms.size()] = 0;
    rows.push_back(sum);
    for (const std::string& group : groups) {
        Row row;
        for (const Monomial& term : terms) row.push_back(Fraction(0) - exponent(term.powers, group));
        row.push_back(Fraction(0) - exponent(limit.powers, group));
        row.emplace_back(0);
        rows.push_back(std::move(row));
    }
    std::optional<Row> solution = solve(std::move(rows), unknowns);
    if (!solution) return std::nullopt;
    for (const Fraction& entry : *solution)
        if (!(Fraction(0) < entry)) return std::nullopt;
    return solution;
}

struct Problem {
    std::vector<Monomial> constant;  // of the transfers
    std::vector<Monomial> varying;
    std::vector<std::string> groups;
};

// Group sizes that no term falls with are 1: a larger one takes memory and saves nothing.
Problem reduced(Formula& transfers, Formula& memory, std::vector<std::string> groups) {
    for (std::size_t i = 0; i < groups.size();) {
        bool falls = false;
        for (const Monomial& term : transfers.monomials())
            falls = falls || exponent(term.powers, groups[i]) < Fraction(0);
        if (falls) {
            ++i;
            continue;
        }
        transfers = transfers.with(groups[i], Formula::number(1));
        memory = memory.with(groups[i], Formula::number(1));
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
    }
    Problem problem{{}, {}, groups};
    for (const Monomial& term : transfers.monomials())
        (mentions(term, groups) ? problem.varying : problem.constant).push_back(term);
    return problem;
}

std::optional<Monomial> limiting(const Formula& memory, const std::vector<std::string>& groups) {
    std::optional<Monomial> limit;
    for (const Monomial& term : memory.monomials()) {
        const bool all = std::all_of(groups.begin(), groups.end(),
                                     [&](const std::string& group) { return term.powers.count(group) > 0; });
        if (!all) continue;
        if (limit) return std::nullopt;
        limit = term;
    }
    return limit;
}

}  // namespace

Formula PowerLaw::formula(const std::string& memory) const {
    Formula sum;
    for (const PowerTerm& term : terms) sum += term.alpha * Formula::symbol(memory, Fraction(0) - term.beta);
    return sum;
}

double PowerLaw::value(const Values& sizes, double memory) const {
    double sum = 0;
    for (const PowerTerm& term : terms) sum += term.alpha.value(sizes) * std::pow(memory, -term.beta.value());
    return sum;
}

std::optional<PowerLaw> power_law(const Formula& transfers, const Formula& memory,
                                  const std::vector<std::string>& groups) {
    Formula cost = transfers;
    Formula space = memory;
    const Problem problem = reduced(cost, space, groups);
    PowerLaw law;
    Formula constant;
    for (const Monomial& term : problem.constant) constant += Formula::of(term);
    if (!problem.varying.empty()) {
        const std::optional<Monomial> limit = limiting(space, problem.groups);
        if (!limit) return std::nullopt;
        const std::optional<Row> weights = dual(problem.varying, *limit, problem.groups);
        if (!weights) return std::nullopt;
        const Fraction beta = weights->back();
        Formula alpha = without(*limit, problem.groups).to_the(beta);
        for (std::size_t t = 0; t < problem.varying.size(); ++t) {
            const Fraction& weight = (*weights)[t];
            const Formula share =
                Formula::number(1 / weight.value()) * without(problem.varying[t], problem.groups);
            alpha = alpha * share.to_the(weight);
        }
        law.limit = Formula::of(*limit);
        law.terms.push_back({alpha, beta});
    }
    if (!constant.is_zero()) law.terms.push_back({constant, 0});
    return law;
}

}  // namespace blockscope::circuit
