#include "core/algebra/geometric_program.h"

#include <algorithm>
#include <cmath>

namespace blockscope::algebra {

namespace {

// What divides every coefficient: 2 of 2·D + 4·L.
double content(const Formula& sum) {
    std::int64_t common = 0;
    for (const auto& [powers, coefficient] : sum.terms())
        common = std::gcd(common, static_cast<std::int64_t>(coefficient));
    return static_cast<double>(common);
}

// The lowest power of every symbol.
Powers common_powers(const Formula& sum) {
    Powers common = sum.terms().begin()->first;
    for (const auto& [powers, coefficient] : sum.terms()) {
        Powers lowest;
        for (const auto& [symbol, exponent] : common)
            if (powers.count(symbol) > 0) lowest[symbol] = std::min(exponent, powers.at(symbol));
        for (const auto& [symbol, exponent] : powers)
            if (exponent < Rational(0) && common.count(symbol) == 0) lowest[symbol] = exponent;
        common = lowest;
    }
    return common;
}

Powers negated(Powers powers) {
    for (auto& entry : powers) entry.second = -entry.second;
    return powers;
}

bool by_terms(const std::pair<Formula, Rational>& a, const std::pair<Formula, Rational>& b) {
    return a.first.terms() < b.first.terms();
}

void append(std::string& product, const std::string& part) {
    product += (product.empty() ? "" : "·") + part;
}

}  // namespace

PowerProduct::PowerProduct(const Formula& sum) {
    const double number = content(sum);
    const Powers common = common_powers(sum);
    coefficient_ = number;
    powers_ = common;
    Formula rest;
    for (const auto& [powers, coefficient] : sum.terms())
        rest.add(product(powers, negated(common)), coefficient / number);
    // A single term is its own common factor; what is left of it is its sign.
    if (rest.terms().size() == 1)
        coefficient_ *= rest.terms().begin()->second;
    else
        sums_.emplace_back(std::move(rest), 1);
}

PowerProduct PowerProduct::times(const PowerProduct& other) const {
    PowerProduct result = *this;
    result.coefficient_ *= other.coefficient_;
    result.powers_ = product(powers_, other.powers_);
    for (const auto& factor : other.sums_) {
        const auto found = std::find_if(result.sums_.begin(), result.sums_.end(),
                                        [&](const auto& entry) { return entry.first == factor.first; });
        if (found == result.sums_.end())
            result.sums_.push_back(factor);
        else if ((found->second += factor.second).is_zero())
            result.sums_.erase(found);
    }
    std::sort(result.sums_.begin(), result.sums_.end(), by_terms);
    return result;
}

PowerProduct PowerProduct::to_the(const Rational& exponent) const {
    if (exponent.is_zero()) return PowerProduct(1.0);
    PowerProduct result = *this;
    result.coefficient_ = std::pow(coefficient_, exponent.value());
    for (auto& entry : result.powers_) entry.second = entry.second * exponent;
    for (auto& entry : result.sums_) entry.second = entry.second * exponent;
    return result;
}

double PowerProduct::value(const Values& values) const {
    double result = coefficient_ * algebra::value(powers_, values);
    for (const auto& [sum, exponent] : sums_) result *= std::pow(sum.value(values), exponent.value());
    return result;
}

PowerProduct PowerProduct::without(const Symbol& symbol) const {
    PowerProduct result = *this;
    result.powers_.erase(symbol);
    return result;
}

std::string PowerProduct::law_text(const Symbol& memory) const {
    std::string product;
    for (const auto& [symbol, exponent] : powers_)
        if (symbol != memory) append(product, power_text(symbol.name, exponent));
    for (const auto& [sum, exponent] : sums_)
        append(product, power_text("(" + sum.quotient_text() + ")", exponent));
    const Rational of_memory = power_of(powers_, memory);
    if (!of_memory.is_zero()) append(product, power_text(memory.name, of_memory));
    std::string number = fraction_text(coefficient_);
    if (product.empty()) return number;
    return number == "1" ? product : number + "·" + product;
}

std::string PowerProduct::quotient_text() const {
    std::string above;
    std::string below;
    int divisors = 0;
    const auto put = [&](const std::string& base, const Rational& exponent) {
        const bool negative = exponent < Rational(0);
        append(negative ? below : above, power_text(base, negative ? -exponent : exponent));
        divisors += negative;
    };
    const std::string number = fraction_text(coefficient_);
    const std::size_t slash = number.find('/');
    if (slash != std::string::npos) {
        append(below, number.substr(slash + 1));
        ++divisors;
    }
    if (number.substr(0, slash) != "1") append(above, number.substr(0, slash));
    for (const auto& [symbol, exponent] : powers_) put(symbol.name, exponent);
    for (const auto& [sum, exponent] : sums_) put("(" + sum.quotient_text() + ")", exponent);
    if (above.empty()) above = "1";
    if (divisors == 0) return above;
    return above + "/" + (divisors == 1 ? below : "(" + below + ")");
}

namespace {

using Row = std::vector<Rational>;

// Gauss-Jordan on rows of coefficients. The callbacks do to the right-hand sides what is done to rows.
// Returns the pivot row of each column, -1 if it has none.
template <class Scale, class Subtract, class Swap>
std::vector<int> eliminate(std::vector<Row>& rows, std::size_t columns, const Scale& scale,
                           const Subtract& subtract, const Swap& exchange) {
    std::vector<int> pivots(columns, -1);
    std::size_t next = 0;
    for (std::size_t column = 0; column < columns && next < rows.size(); ++column) {
        std::size_t found = next;
        while (found < rows.size() && rows[found][column].is_zero()) ++found;
        if (found == rows.size()) continue;
        std::swap(rows[next], rows[found]);
        exchange(next, found);
        const Rational pivot = rows[next][column];
        for (Rational& entry : rows[next]) entry = entry / pivot;
        scale(next, pivot);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const Rational factor = rows[r][column];
            if (r == next || factor.is_zero()) continue;
            for (std::size_t c = 0; c < rows[r].size(); ++c) rows[r][c] -= factor * rows[next][c];
            subtract(r, next, factor);
        }
        pivots[column] = static_cast<int>(next++);
    }
    return pivots;
}

std::optional<Row> dual(const GeometricProgram& program, Text& reason) {
    std::vector<Row> terms(program.terms.size());
    Row memory;
    for (const Symbol& variable : program.variables) {
        for (std::size_t j = 0; j < terms.size(); ++j)
            terms[j].push_back(-power_of(program.terms[j].powers, variable));
        memory.push_back(power_of(program.limit_powers, variable));
    }
    return dual_weights(terms, memory, reason);
}

// From c_j Π x^-a_j = δ_j H for every term: linear in the logarithms of the variables.
void find_variables(const GeometricProgram& program, GeometricSolution& solution) {
    std::vector<Row> rows;
    std::vector<PowerProduct> right;
    for (std::size_t j = 0; j < program.terms.size(); ++j) {
        Row row;
        for (const Symbol& variable : program.variables)
            row.push_back(power_of(program.terms[j].powers, variable));
        rows.push_back(row);
        right.push_back(solution.minimum.times(PowerProduct(solution.weights[j].value()))
                            .times(program.terms[j].coefficient.to_the(-1)));
    }
    Row memory;
    for (const Symbol& variable : program.variables)
        memory.push_back(power_of(program.limit_powers, variable));
    rows.push_back(memory);
    right.push_back(PowerProduct(Powers{{program.memory, 1}}).times(program.limit.to_the(-1)));

    const std::vector<int> pivots = eliminate(
        rows, program.variables.size(),
        [&](std::size_t row, const Rational& by) { right[row] = right[row].to_the(Rational(1) / by); },
        [&](std::size_t row, std::size_t other, const Rational& by) {
            right[row] = right[row].times(right[other].to_the(-by));
        },
        [&](std::size_t a, std::size_t b) { std::swap(right[a], right[b]); });
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
        const Symbol& variable = program.variables[i];
        if (pivots[i] < 0) {
            solution.chosen.push_back(variable);
            solution.at.emplace(variable, PowerProduct(1.0));
        } else {
            solution.at.emplace(variable, right[static_cast<std::size_t>(pivots[i])]);
        }
    }
}

}  // namespace

std::vector<int> eliminate(std::vector<std::vector<Rational>>& rows, std::size_t columns) {
    const auto nothing = [](auto...) {};
    return eliminate(rows, columns, nothing, nothing, nothing);
}

std::optional<std::vector<Rational>> dual_weights(const std::vector<std::vector<Rational>>& terms,
                                                  const std::vector<Rational>& limit, Text& reason) {
    const std::size_t count = terms.size();
    std::vector<Row> rows;
    Row normal(count + 2, 1);
    normal[count] = 0;
    rows.push_back(normal);
    for (std::size_t i = 0; i < limit.size(); ++i) {
        Row row(count + 2, 0);
        for (std::size_t j = 0; j < count; ++j) row[j] = terms[j].at(i);
        row[count] = -limit[i];
        rows.push_back(row);
    }
    const std::vector<int> pivots = eliminate(rows, count + 1);
    if (std::find(pivots.begin(), pivots.end(), -1) != pivots.end()) {
        reason = Text("more terms than tile sizes pull against each other");
        return {};
    }
    for (std::size_t r = pivots.size(); r < rows.size(); ++r)
        if (!rows[r][count + 1].is_zero()) {
            reason = Text("a tile size costs more memory than it saves traffic at every size");
            return {};
        }
    Row solution;
    for (const int pivot : pivots) solution.push_back(rows[static_cast<std::size_t>(pivot)][count + 1]);
    if (std::any_of(solution.begin(), solution.end(), [](const Rational& x) { return x <= Rational(0); })) {
        reason = Text("the least traffic lies at the edge of what tile sizes may be");
        return {};
    }
    return solution;
}

std::optional<GeometricSolution> minimise(const GeometricProgram& program, Text& reason) {
    const std::optional<Row> weights = dual(program, reason);
    if (!weights) return {};
    GeometricSolution solution;
    solution.weights.assign(weights->begin(), weights->end() - 1);
    for (std::size_t j = 0; j < program.terms.size(); ++j) {
        const Rational& weight = solution.weights[j];
        const PowerProduct share = program.terms[j].coefficient.times(PowerProduct(1 / weight.value()));
        solution.minimum = solution.minimum.times(share.to_the(weight));
    }
    const PowerProduct limit = program.limit.times(PowerProduct(Powers{{program.memory, -1}}));
    solution.minimum = solution.minimum.times(limit.to_the(weights->back()));
    find_variables(program, solution);
    return solution;
}

}  // namespace blockscope::algebra
