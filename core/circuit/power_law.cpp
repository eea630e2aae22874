// Minimising a sum of monomials in the group sizes under one monomial limit y·Π g^b <= M is a geometric
// program (core/napkin/geometric_program.h): with its weights δ and λ the minimum is Π (c_t/δ_t)^δ_t (y/M)^λ,
// and λ is β. Terms that are a power of the limit, c Π g^(-k·b), do not depend on the choice: they are
// c (y/M)^k. Coefficients c and y are sums of sizes.
#include "core/circuit/power_law.h"

#include <algorithm>
#include <utility>

#include "core/circuit/group_choices.h"
#include "core/napkin/geometric_program.h"

namespace blockscope::circuit {

namespace {

Fraction exponent(const Powers& powers, const std::string& name) {
    const auto found = powers.find(name);
    return found == powers.end() ? Fraction(0) : found->second;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The sum by its powers of the groups: coefficients of sizes only.
std::map<Powers, Formula> by_groups(const Formula& sum, const std::vector<std::string>& groups) {
    std::map<Powers, Formula> made;
    for (const Monomial& term : sum.monomials()) {
        Powers of_groups;
        Monomial rest{term.coefficient, {}};
        for (const auto& [name, power] : term.powers)
            (is_among(groups, name) ? of_groups : rest.powers)[name] = power;
        made[of_groups] += Formula::of(rest);
    }
    return made;
}

class Solver {
public:
    Solver(Formula transfers, Formula memory, std::vector<std::string> groups,
           const std::vector<std::string>& streams)
        : transfers_(std::move(transfers)), memory_(std::move(memory)), groups_(std::move(groups)) {
        settle_ones();
        for (const auto& [powers, coefficient] : by_groups(transfers_, groups_)) {
            if (powers.empty())
                constant_ = coefficient;
            else
                terms_.push_back({powers, coefficient});
        }
        if (!terms_.empty()) find_limit(streams);
    }

    std::optional<PowerLaw> run(std::string& why) {
        if (why_.empty() && !terms_.empty() && split_terms()) solve();
        why = why_;
        if (!why_.empty()) return std::nullopt;
        std::stable_sort(law_.terms.begin(), law_.terms.end(),
                         [](const PowerTerm& a, const PowerTerm& b) { return a.beta < b.beta; });
        if (!constant_.is_zero()) law_.terms.push_back({constant_, 0});
        return std::move(law_);
    }

private:
    using Term = std::pair<Powers, Formula>;

    // Group sizes that no term falls with are 1: a larger one takes memory and saves nothing.
    void settle_ones() {
        for (std::size_t i = 0; i < groups_.size();) {
            const std::string name = groups_[i];
            const std::vector<Monomial> all = transfers_.monomials();
            if (std::any_of(all.begin(), all.end(), [&](const Monomial& term) {
                    return exponent(term.powers, name) < Fraction(0);
                })) {
                ++i;
                continue;
            }
            transfers_ = transfers_.with(name, Formula::number(1));
            memory_ = memory_.with(name, Formula::number(1));
            law_.choices.push_back({{{name, 1}}, Formula::number(1), Formula::number(1), 0});
            groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    void find_limit(const std::vector<std::string>& streams) {
        Formula whole, streamed;
        for (const Monomial& term : memory_.monomials()) {
            const auto has = [&](const std::string& group) { return term.powers.count(group) > 0; };
            if (!std::all_of(groups_.begin(), groups_.end(), has)) continue;
            const bool part = std::any_of(term.powers.begin(), term.powers.end(),
                                          [&](const auto& power) { return is_among(streams, power.first); });
            (part ? streamed : whole) += Formula::of(term);
        }
        law_.limit = whole.is_zero() ? streamed : whole;
        const std::map<Powers, Formula> limits = by_groups(law_.limit, groups_);
        if (limits.empty()) why_ = "no term of the widest column has all groups in it";
        if (limits.size() > 1)
            why_ = "the widest column has several terms with all groups in them that grow differently";
        if (limits.size() == 1) std::tie(limit_, y_) = *limits.begin();
    }

    // How often the limit's powers of the groups a term has below the line, if it has those alone.
    std::optional<Fraction> power_of_limit(const Powers& powers) const {
        const Fraction times = -exponent(powers, groups_.front()) / exponent(limit_, groups_.front());
        const bool all = std::all_of(groups_.begin(), groups_.end(), [&](const std::string& group) {
            return -exponent(powers, group) == times * exponent(limit_, group);
        });
        return all && times > Fraction(0) ? std::optional(times) : std::nullopt;
    }

    // Takes what does not depend on the choice out of the terms.
    bool split_terms() {
        for (auto term = terms_.begin(); term != terms_.end();) {
            const std::optional<Fraction> times = power_of_limit(term->first);
            if (!times) {
                ++term;
                continue;
            }
            const std::optional<Formula> held = power(y_, *times);
            if (!held) return fail_at_root();
            add(term->second * *held, *times);
            term = terms_.erase(term);
        }
        return true;
    }

    void solve() {
        std::vector<Fraction> weights;
        if (!terms_.empty()) {
            std::vector<std::vector<Fraction>> saved(terms_.size());
            std::vector<Fraction> space;
            for (const std::string& group : groups_) {
                for (std::size_t t = 0; t < terms_.size(); ++t)
                    saved[t].push_back(-exponent(terms_[t].first, group));
                space.push_back(exponent(limit_, group));
            }
            const auto found = napkin::dual_weights(saved, space, why_);
            if (!found) return;
            weights = *found;
            const Fraction beta = weights.back();
            std::optional<Formula> alpha = power(y_, beta);
            for (std::size_t t = 0; t < terms_.size() && alpha; ++t) {
                const Fraction& weight = weights[t];
                const std::optional<Formula> share =
                    power(Formula::number(1 / weight.value()) * terms_[t].second, weight);
                alpha = share ? std::optional(*alpha * *share) : std::nullopt;
            }
            if (!alpha) return (void)fail_at_root();
            add(*alpha, beta);
        }
        for (GroupChoice& choice : group_choices({terms_, weights, limit_, y_}, groups_))
            law_.choices.push_back(std::move(choice));
    }

    bool fail_at_root() {
        why_ = "its coefficients are roots of sums";
        return false;
    }

    void add(const Formula& alpha, const Fraction& beta) {
        for (PowerTerm& term : law_.terms)
            if (term.beta == beta) {
                term.alpha += alpha;
                return;
            }
        law_.terms.push_back({alpha, beta});
    }

    Formula transfers_, memory_;
    std::vector<std::string> groups_;  // that are still to be chosen
    std::vector<Term> terms_;          // of the transfers that depend on them
    Formula constant_;
    Powers limit_;
    Formula y_;
    PowerLaw law_;
    std::string why_;
};

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
                                  const std::vector<std::string>& groups,
                                  const std::vector<std::string>& streams, NoPowerLaw* why) {
    std::string reason;
    std::optional<PowerLaw> law = Solver(transfers, memory, groups, streams).run(reason);
    if (why) why->why = reason;
    return law;
}

}  // namespace blockscope::circuit
