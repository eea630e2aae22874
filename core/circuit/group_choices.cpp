#include "core/circuit/group_choices.h"

#include <cmath>

namespace blockscope::circuit {

namespace {

constexpr std::int64_t kMostPower = 4;  // of a sum that is multiplied out

using Row = std::vector<Fraction>;

Fraction exponent(const Powers& powers, const std::string& name) {
    const auto found = powers.find(name);
    return found == powers.end() ? Fraction(0) : found->second;
}

// `times` by value: it may be an entry of `from`.
void subtract(Row& from, const Row& row, Fraction times) {
    for (std::size_t i = 0; i < row.size(); ++i) from[i] -= times * row[i];
}

// Gauss-Jordan in the first `columns` columns.
void eliminate(std::vector<Row>& rows, std::size_t columns) {
    std::size_t next = 0;
    for (std::size_t column = 0; column < columns && next < rows.size(); ++column) {
        std::size_t found = next;
        while (found < rows.size() && rows[found][column].is_zero()) ++found;
        if (found == rows.size()) continue;
        std::swap(rows[next], rows[found]);
        const Fraction pivot = rows[next][column];
        for (Fraction& entry : rows[next]) entry = entry / pivot;
        for (std::size_t r = 0; r < rows.size(); ++r)
            if (r != next && !rows[r][column].is_zero()) subtract(rows[r], rows[next], rows[r][column]);
        ++next;
    }
}

// Multiplies a power of a sum into a choice: above or below the line.
bool take(GroupChoice& choice, const Formula& sum, const Fraction& times) {
    if (times.is_zero()) return true;
    const bool below = times < Fraction(0);
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
        if (power < Fraction(0))
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

std::string in_brackets(const Formula& formula) {
    const std::vector<Monomial> terms = formula.monomials();
    const bool simple = terms.size() == 1 &&
                        terms[0].powers.size() + (std::abs(terms[0].coefficient - 1) > 1e-9 ? 1U : 0U) <= 1;
    return simple ? formula.text() : "(" + formula.text() + ")";
}

}  // namespace

std::optional<Formula> power(const Formula& sum, const Fraction& exponent) {
    if (sum.monomials().size() == 1) return sum.to_the(exponent);
    if (exponent.bottom() != 1 || exponent.top() < 0 || exponent.top() > kMostPower) return std::nullopt;
    Formula made = Formula::number(1);
    for (std::int64_t i = 0; i < exponent.top(); ++i) made = made * sum;
    return made;
}

std::vector<GroupChoice> group_choices(const SolvedGroups& solved, const std::vector<std::string>& groups) {
    // Columns: the groups, then the powers of c_t/δ_t of every term, of y and of M.
    const std::size_t count = solved.terms.size(), first = groups.size();
    const std::size_t y = first + count, memory = y + 1;
    std::vector<Row> rows;
    Row limit(memory + 1, 0);
    for (std::size_t i = 0; i < first; ++i) limit[i] = exponent(solved.limit, groups[i]);
    limit[y] = -1;
    limit[memory] = 1;
    for (std::size_t t = 1; t < count; ++t) {
        Row row(memory + 1, 0);
        for (std::size_t i = 0; i < first; ++i)
            row[i] = exponent(solved.terms[t].first, groups[i]) - exponent(solved.terms[0].first, groups[i]);
        row[first] = 1;
        row[first + t] = -1;
        rows.push_back(std::move(row));
    }
    rows.push_back(std::move(limit));
    eliminate(rows, first);
    std::vector<GroupChoice> choices;
    for (const Row& row : rows) {
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

}  // namespace blockscope::circuit
