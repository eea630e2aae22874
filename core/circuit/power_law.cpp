// Minimising a sum of monomials in the group sizes under one monomial limit is a geometric program
// (core/napkin/geometric_program.h): with its weights δ and λ the minimum is Π (c_t/δ_t)^δ_t · (y/M)^λ, and λ
// is β.
#include "core/circuit/power_law.h"

#include <algorithm>

#include "core/napkin/geometric_program.h"

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

// δ for each term, then λ.
std::optional<Row> dual(const std::vector<Monomial>& terms, const Monomial& limit,
                        const std::vector<std::string>& groups) {
    std::vector<Row> saved(terms.size());
    Row space;
    for (const std::string& group : groups) {
        for (std::size_t t = 0; t < terms.size(); ++t) saved[t].push_back(-exponent(terms[t].powers, group));
        space.push_back(exponent(limit.powers, group));
    }
    std::string reason;
    return napkin::dual_weights(saved, space, reason);
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

napkin::PowerLaw PowerLaw::numbers(const Values& sizes) const {
    napkin::PowerLaw law;
    for (const PowerTerm& term : terms) law.push_back({term.alpha.value(sizes), term.beta.value()});
    return law;
}

double PowerLaw::value(const Values& sizes, double memory) const {
    return napkin::transfers(numbers(sizes), memory);
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
