// Minimising a sum of monomials in the group sizes under one monomial limit y·Π g^b <= M is a geometric
// program (core/algebra/geometric_program.h): with its weights δ and λ the minimum is Π (c_t/δ_t)^δ_t
// (y/M)^λ, and λ is β. Terms that are a power of the limit, c Π g^(-k·b), do not depend on the choice: they
// are c (y/M)^k. Coefficients c and y are sums of sizes.
#include "core/algebra/power_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/algebra/geometric_program.h"

namespace blockscope::algebra {

double transfers(const NumericLaw& law, double memory) {
    double sum = 0;
    for (const LawTerm& term : law) sum += term.alpha * std::pow(memory, -term.beta);
    return sum;
}

namespace {

constexpr std::int64_t kMostPower = 4;  // of a sum that is multiplied out

// A power of a sum where that is a sum again: of one product, or a small whole one.
std::optional<Formula> power(const Formula& sum, const Rational& exponent) {
    if (sum.monomials().size() == 1) return sum.to_the(exponent);
    if (exponent.bottom() != 1 || exponent.top() < 0 || exponent.top() > kMostPower) return std::nullopt;
    Formula made = Formula::number(1);
    for (std::int64_t i = 0; i < exponent.top(); ++i) made = made * sum;
    return made;
}

// Equation 4 with its solution: minimise Σ c Π g^p under y Π g^b <= M.
struct SolvedGroups {
    std::vector<std::pair<Powers, Formula>> terms;  // p and c of what depends on the choice
    std::vector<Rational> weights;                  // each term's share of the minimum; the last is λ
    Powers limit;                                   // b
    Formula y;
};

// Multiplies a power of a sum into a choice: above or below the line.
bool take(GroupChoice& choice, const Formula& sum, const Rational& times) {
    if (times.is_zero()) return true;
    const bool below = times < Rational(0);
    const std::optional<Formula> part = power(sum, below ? -times : times);
    if (!part) return false;
    Formula& side = below ? choice.below : choice.above;
    side = side * *part;
    return true;
}

// Products have what has a negative power below the line, and sums no common factors on both sides.
void tidy(GroupChoice& choice) {
    if (choice.below.monomials().size() != 1) return;
    choice.above = choice.above * choice.below.to_the(-1);
    choice.below = Formula::number(1);
    if (choice.above.monomials().size() != 1) return;
    Monomial all = choice.above.monomials().front();
    Monomial up{all.coefficient, {}}, down;
    for (const auto& [name, power] : all.powers)
        if (power < Rational(0))
            down.powers[name] = -power;
        else
            up.powers[name] = power;
    const double turned = 1 / all.coefficient;
    if (all.coefficient < 1 && std::abs(turned - std::round(turned)) < 1e-9) {
        up.coefficient = 1;
        down.coefficient = std::round(turned);
    }
    choice.above = Formula::of(up);
    choice.below = Formula::of(down);
}

// From c Π g^p = δ H for every term and y Π g^b = M: linear in the logarithms of the groups. A group, or a
// product of groups where no more is settled; what has no such form is left out.
std::vector<GroupChoice> group_choices(const SolvedGroups& solved, const std::vector<std::string>& groups) {
    // Columns: the groups, then the powers of c_t/δ_t of every term, of y and of M.
    const std::size_t count = solved.terms.size(), first = groups.size();
    const std::size_t y = first + count, memory = y + 1;
    std::vector<std::vector<Rational>> rows;
    std::vector<Rational> limit(memory + 1, 0);
    for (std::size_t i = 0; i < first; ++i) limit[i] = power_of(solved.limit, groups[i]);
    limit[y] = -1;
    limit[memory] = 1;
    for (std::size_t t = 1; t < count; ++t) {
        std::vector<Rational> row(memory + 1, 0);
        for (std::size_t i = 0; i < first; ++i)
            row[i] = power_of(solved.terms[t].first, groups[i]) - power_of(solved.terms[0].first, groups[i]);
        row[first] = 1;
        row[first + t] = -1;
        rows.push_back(std::move(row));
    }
    rows.push_back(std::move(limit));
    eliminate(rows, first);
    std::vector<GroupChoice> choices;
    for (const std::vector<Rational>& row : rows) {
        GroupChoice choice;
        for (std::size_t i = 0; i < first; ++i)
            if (!row[i].is_zero()) choice.groups[groups[i]] = row[i];
        if (choice.groups.empty()) continue;
        choice.above = Formula::number(1);
        choice.memory = row[memory];
        bool fine = take(choice, solved.y, row[y]);
        for (std::size_t t = 0; t < count && fine; ++t)
            fine = take(choice, Formula::number(1 / solved.weights[t].value()) * solved.terms[t].second,
                        row[first + t]);
        if (!fine) continue;
        tidy(choice);
        choices.push_back(std::move(choice));
    }
    return choices;
}

bool is_among(const std::vector<std::string>& names, const Symbol& symbol) {
    return std::find(names.begin(), names.end(), symbol.name) != names.end();
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

    std::optional<PowerLaw> run(Text& why) {
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
                    return power_of(term.powers, name) < Rational(0);
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
        if (limits.empty()) why_ = Text("no term of the widest column has all groups in it");
        if (limits.size() > 1)
            why_ = Text("the widest column has several terms with all groups in them that grow differently");
        if (limits.size() == 1) std::tie(limit_, y_) = *limits.begin();
    }

    // How often the limit's powers of the groups a term has below the line, if it has those alone.
    std::optional<Rational> power_of_limit(const Powers& powers) const {
        const Rational times = -power_of(powers, groups_.front()) / power_of(limit_, groups_.front());
        const bool all = std::all_of(groups_.begin(), groups_.end(), [&](const std::string& group) {
            return -power_of(powers, group) == times * power_of(limit_, group);
        });
        return all && times > Rational(0) ? std::optional(times) : std::nullopt;
    }

    // Takes what does not depend on the choice out of the terms.
    bool split_terms() {
        for (auto term = terms_.begin(); term != terms_.end();) {
            const std::optional<Rational> times = power_of_limit(term->first);
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
        std::vector<Rational> weights;
        if (!terms_.empty()) {
            std::vector<std::vector<Rational>> saved(terms_.size());
            std::vector<Rational> space;
            for (const std::string& group : groups_) {
                for (std::size_t t = 0; t < terms_.size(); ++t)
                    saved[t].push_back(-power_of(terms_[t].first, group));
                space.push_back(power_of(limit_, group));
            }
            const auto found = dual_weights(saved, space, why_);
            if (!found) return;
            weights = *found;
            const Rational beta = weights.back();
            std::optional<Formula> alpha = power(y_, beta);
            for (std::size_t t = 0; t < terms_.size() && alpha; ++t) {
                const Rational& weight = weights[t];
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
        why_ = Text("its coefficients are roots of sums");
        return false;
    }

    void add(const Formula& alpha, const Rational& beta) {
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
    Text why_;
};

std::string in_brackets(const Formula& formula) {
    const std::vector<Monomial> terms = formula.monomials();
    const bool simple = terms.size() == 1 &&
                        terms[0].powers.size() + (std::abs(terms[0].coefficient - 1) > 1e-9 ? 1U : 0U) <= 1;
    return simple ? formula.text() : "(" + formula.text() + ")";
}

}  // namespace

std::string GroupChoice::name() const {
    return Formula::of({1, groups}).text();
}

std::string GroupChoice::text(const std::string& memory_symbol) const {
    const Formula up = above * Formula::symbol(memory_symbol, memory);
    if (below.text() == "1") return up.text();
    const bool sum = up.monomials().size() > 1;
    return (sum ? "(" + up.text() + ")" : up.text()) + "/" + in_brackets(below);
}

double GroupChoice::value(const Values& sizes, double memory_values) const {
    return above.value(sizes) * std::pow(memory_values, memory.value()) / below.value(sizes);
}

Formula PowerLaw::formula(const std::string& memory) const {
    Formula sum;
    for (const PowerTerm& term : terms) sum += term.alpha * Formula::symbol(memory, Rational(0) - term.beta);
    return sum;
}

NumericLaw PowerLaw::numbers(const Values& sizes) const {
    NumericLaw law;
    for (const PowerTerm& term : terms) law.push_back({term.alpha.value(sizes), term.beta.value()});
    return law;
}

double PowerLaw::value(const Values& sizes, double memory) const {
    return transfers(numbers(sizes), memory);
}

std::optional<PowerLaw> power_law(const Formula& transfers, const Formula& memory,
                                  const std::vector<std::string>& groups,
                                  const std::vector<std::string>& streams, NoPowerLaw* why) {
    Text reason;
    std::optional<PowerLaw> law = Solver(transfers, memory, groups, streams).run(reason);
    if (why) why->why = reason;
    return law;
}

}  // namespace blockscope::algebra
