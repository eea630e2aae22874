// Minimising a sum of monomials in the group sizes under one monomial limit y·Π g^b <= M is a geometric
// program (core/algebra/geometric_program.h): with its weights δ and λ the minimum is Π (c_t/δ_t)^δ_t
// (y/M)^λ, and λ is β. Terms that are a power of the limit, c Π g^(-k·b), do not depend on the choice: they
// are c (y/M)^k. Coefficients c and y are sums of sizes.
#include "core/algebra/power_law.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
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
            down.powers.multiply(name, -power);
        else
            up.powers.multiply(name, power);
    const double turned = 1 / all.coefficient;
    if (all.coefficient < 1 && std::abs(turned - std::round(turned)) < 1e-9) {
        up.coefficient = 1;
        down.coefficient = std::round(turned);
    }
    choice.above = Formula::of(up);
    choice.below = Formula::of(down);
}

// What Equation 4 says of a group, or of a product of groups where no more is settled; none where that is no
// sum of products. `shares` are c_t/δ_t.
std::optional<GroupChoice> group_choice(const SizeRelation& relation, const std::vector<std::string>& groups,
                                        const std::vector<Formula>& shares, const Formula& y) {
    GroupChoice choice;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (!relation.variables[i].is_zero()) choice.groups.multiply(groups[i], relation.variables[i]);
    choice.above = Formula::number(1);
    choice.memory = relation.memory;
    if (!take(choice, y, relation.limit)) return std::nullopt;
    for (std::size_t t = 0; t < shares.size(); ++t)
        if (!take(choice, shares[t], relation.terms[t])) return std::nullopt;
    tidy(choice);
    return choice;
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
            (is_among(groups, name) ? of_groups : rest.powers).multiply(name, power);
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
            const auto has = [&](const std::string& group) { return term.powers.contains(group); };
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

    std::vector<Rational> powers_of_groups(const Powers& powers) const {
        std::vector<Rational> row;
        for (const std::string& group : groups_) row.push_back(power_of(powers, group));
        return row;
    }

    void solve() {
        std::vector<std::vector<Rational>> powers;
        for (const Term& term : terms_) powers.push_back(powers_of_groups(term.first));
        const std::optional<DualSolution> dual = solve_dual(powers, powers_of_groups(limit_), why_);
        if (!dual) return;
        std::vector<Formula> shares;
        for (std::size_t t = 0; t < terms_.size(); ++t)
            shares.push_back(Formula::number(1 / dual->weights[t].value()) * terms_[t].second);
        if (!terms_.empty()) {
            std::optional<Formula> alpha = power(y_, dual->limit);
            for (std::size_t t = 0; t < shares.size() && alpha; ++t) {
                const std::optional<Formula> share = power(shares[t], dual->weights[t]);
                alpha = share ? std::optional(*alpha * *share) : std::nullopt;
            }
            if (!alpha) return (void)fail_at_root();
            add(*alpha, dual->limit);
        }
        for (const SizeRelation& relation : dual->relations)
            if (std::optional<GroupChoice> choice = group_choice(relation, groups_, shares, y_))
                law_.choices.push_back(*std::move(choice));
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

std::vector<std::string> GroupChoice::symbols() const {
    std::vector<std::string> names;
    for (const auto& power : groups) names.push_back(power.first.name);
    std::sort(names.begin(), names.end());
    return names;
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

namespace {

constexpr double kEnd = 1e-9;  // parts: a group that just reaches its axis is still solved

}  // namespace

double GroupSize::at(double memory) const {
    return std::min(factor * std::pow(memory, power), whole);
}

double GroupSize::reach() const {
    if (power == 0) return factor > whole ? 0 : HUGE_VAL;
    return power > 0 ? std::pow(whole / factor, 1 / power) : HUGE_VAL;
}

const GroupSize* LawPiece::size_of(const std::vector<std::string>& groups) const {
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const GroupSize& size) { return size.groups == groups; });
    return found == sizes.end() ? nullptr : &*found;
}

bool LawPiece::has_whole(const std::vector<std::string>& groups) const {
    return std::all_of(groups.begin(), groups.end(), [&](const std::string& group) {
        return std::find(whole.begin(), whole.end(), group) != whole.end();
    });
}

const LawPiece& ClippedLaw::at(double memory) const {
    const auto after = std::find_if(pieces.begin() + 1, pieces.end(),
                                    [&](const LawPiece& piece) { return piece.from * (1 + kEnd) >= memory; });
    return after[-1];
}

double transfers(const ClippedLaw& law, double memory) {
    return transfers(law.at(memory).law, memory);
}

std::optional<ClippedLaw> clipped_law(const SolveClipped& solve) {
    std::vector<std::string> whole;
    std::vector<GroupSize> fixed;  // of those
    std::optional<LawPiece> piece = solve(whole);
    if (!piece) return std::nullopt;
    ClippedLaw made;
    for (double from = 0;;) {
        const auto first =
            std::min_element(piece->sizes.begin(), piece->sizes.end(),
                             [](const GroupSize& a, const GroupSize& b) { return a.reach() < b.reach(); });
        const bool last = first == piece->sizes.end() || first->reach() == HUGE_VAL;
        const double until = last ? HUGE_VAL : std::max(from, first->reach());
        if (until > from) {
            made.pieces.push_back({from, piece->law, whole, piece->sizes});
            made.pieces.back().sizes.insert(made.pieces.back().sizes.end(), fixed.begin(), fixed.end());
        }
        if (last) return made;
        whole.insert(whole.end(), first->groups.begin(), first->groups.end());
        fixed.push_back({first->groups, first->whole, 0, first->whole});
        const double reached = transfers(piece->law, until);
        from = until;
        piece = solve(whole);
        if (!piece) piece = LawPiece{.from = from, .law = {{reached, 0}}, .whole = {}, .sizes = {}};
    }
}

namespace {

void add(NumericLaw& law, const NumericLaw& more) {
    for (const LawTerm& term : more) {
        const auto same = std::find_if(law.begin(), law.end(),
                                       [&](const LawTerm& there) { return there.beta == term.beta; });
        if (same == law.end())
            law.push_back(term);
        else
            same->alpha += term.alpha;
    }
}

}  // namespace

ClippedLaw operator+(const ClippedLaw& a, const ClippedLaw& b) {
    if (a.pieces.empty()) return b;
    if (b.pieces.empty()) return a;
    std::set<double> starts;
    for (const ClippedLaw* law : {&a, &b})
        for (const LawPiece& piece : law->pieces) starts.insert(piece.from);
    ClippedLaw sum;
    for (const double from : starts) {
        LawPiece piece = a.at(from * (1 + 2 * kEnd));
        const LawPiece& other = b.at(from * (1 + 2 * kEnd));
        piece.from = from;
        add(piece.law, other.law);
        for (const std::string& group : other.whole)
            if (std::find(piece.whole.begin(), piece.whole.end(), group) == piece.whole.end())
                piece.whole.push_back(group);
        piece.sizes.insert(piece.sizes.end(), other.sizes.begin(), other.sizes.end());
        sum.pieces.push_back(std::move(piece));
    }
    return sum;
}

}  // namespace blockscope::algebra
