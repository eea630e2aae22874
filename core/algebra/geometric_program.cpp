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
            if (powers.contains(symbol))
                lowest.multiply(symbol, std::min(exponent, power_of(powers, symbol)));
        for (const auto& [symbol, exponent] : powers)
            if (exponent < Rational(0) && !common.contains(symbol)) lowest.multiply(symbol, exponent);
        common = lowest;
    }
    return common;
}

Powers negated(Powers powers) {
    powers.raise(-1);
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
    result.powers_.raise(exponent);
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

// Brings `rows` into reduced echelon form in their first `columns` columns (Gauss-Jordan); the other columns
// take part. Returns the row of each column's pivot, -1 if the column has none.
std::vector<int> eliminate(std::vector<Row>& rows, std::size_t columns) {
    std::vector<int> pivots(columns, -1);
    std::size_t next = 0;
    for (std::size_t column = 0; column < columns && next < rows.size(); ++column) {
        std::size_t found = next;
        while (found < rows.size() && rows[found][column].is_zero()) ++found;
        if (found == rows.size()) continue;
        std::swap(rows[next], rows[found]);
        const Rational pivot = rows[next][column];
        for (Rational& entry : rows[next]) entry = entry / pivot;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const Rational factor = rows[r][column];
            if (r == next || factor.is_zero()) continue;
            for (std::size_t c = 0; c < rows[r].size(); ++c) rows[r][c] -= factor * rows[next][c];
        }
        pivots[column] = static_cast<int>(next++);
    }
    return pivots;
}

// The weights δ of the terms, then μ: Σ δ_j = 1 and Σ_j δ_j p_ji + μ b_i = 0 for each variable i.
std::optional<Row> dual_weights(const std::vector<Row>& terms, const Row& limit, Text& reason) {
    const std::size_t count = terms.size();
    std::vector<Row> rows;
    Row normal(count + 2, 1);
    normal[count] = 0;
    rows.push_back(normal);
    for (std::size_t i = 0; i < limit.size(); ++i) {
        Row row(count + 2, 0);
        for (std::size_t j = 0; j < count; ++j) row[j] = -terms[j].at(i);
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

// From c_j Π x^p_j = δ_j H for every term and K Π x^b = memory: linear in the logarithms of the variables.
// Each further term is divided by the first, so that H falls out.
std::vector<SizeRelation> size_relations(const std::vector<Row>& terms, const Row& limit) {
    // Columns: the variables, then the exponents of c_j/δ_j of every term, of K and of the memory.
    const std::size_t count = terms.size();
    const std::size_t first = limit.size();
    const std::size_t of_limit = first + count;
    const std::size_t of_memory = of_limit + 1;
    std::vector<Row> rows;
    for (std::size_t j = 1; j < count; ++j) {
        Row row(of_memory + 1, 0);
        for (std::size_t i = 0; i < first; ++i) row[i] = terms[j].at(i) - terms[0].at(i);
        row[first] = 1;
        row[first + j] = -1;
        rows.push_back(std::move(row));
    }
    Row last = limit;
    last.resize(of_memory + 1, 0);
    last[of_limit] = -1;
    last[of_memory] = 1;
    rows.push_back(std::move(last));
    eliminate(rows, first);
    std::vector<SizeRelation> relations;
    for (const Row& row : rows) {
        const auto part = [&](std::size_t from, std::size_t to) {
            return Row(row.begin() + static_cast<std::ptrdiff_t>(from),
                       row.begin() + static_cast<std::ptrdiff_t>(to));
        };
        SizeRelation relation{.variables = part(0, first),
                              .terms = part(first, of_limit),
                              .limit = row[of_limit],
                              .memory = row[of_memory]};
        const bool says_something = std::any_of(relation.variables.begin(), relation.variables.end(),
                                                [](const Rational& exponent) { return !exponent.is_zero(); });
        if (says_something) relations.push_back(std::move(relation));
    }
    return relations;
}

// The variables' sizes; of a product of several, all but the first are 1.
void find_variables(const GeometricProgram& program, const std::vector<PowerProduct>& shares,
                    const std::vector<SizeRelation>& relations, GeometricSolution& solution) {
    for (const SizeRelation& relation : relations) {
        std::size_t pivot = 0;
        while (relation.variables[pivot].is_zero()) ++pivot;
        PowerProduct size = program.limit.to_the(relation.limit);
        for (std::size_t j = 0; j < shares.size(); ++j)
            size = size.times(shares[j].to_the(relation.terms[j]));
        if (!relation.memory.is_zero())
            size = size.times(PowerProduct(Powers{{program.memory, relation.memory}}));
        solution.at.emplace(program.variables[pivot], size);
    }
    for (const Symbol& variable : program.variables)
        if (solution.at.emplace(variable, PowerProduct(1.0)).second) solution.chosen.push_back(variable);
}

}  // namespace

std::optional<DualSolution> solve_dual(const std::vector<Row>& terms, const Row& limit, Text& reason) {
    DualSolution solution;
    if (!terms.empty()) {
        std::optional<Row> weights = dual_weights(terms, limit, reason);
        if (!weights) return {};
        solution.limit = weights->back();
        weights->pop_back();
        solution.weights = *std::move(weights);
    }
    solution.relations = size_relations(terms, limit);
    return solution;
}

std::optional<GeometricSolution> minimise(const GeometricProgram& program, Text& reason) {
    const auto row = [&](const Powers& powers) {
        Row made;
        for (const Symbol& variable : program.variables) made.push_back(power_of(powers, variable));
        return made;
    };
    std::vector<Row> terms;
    for (const GeometricProgram::Term& term : program.terms) terms.push_back(row(term.powers));
    const std::optional<DualSolution> dual = solve_dual(terms, row(program.limit_powers), reason);
    if (!dual) return {};
    GeometricSolution solution{.minimum = {}, .weights = dual->weights, .at = {}, .chosen = {}};
    std::vector<PowerProduct> shares;  // c_j/δ_j
    for (std::size_t j = 0; j < program.terms.size(); ++j) {
        const Rational& weight = dual->weights[j];
        shares.push_back(program.terms[j].coefficient.times(PowerProduct(1 / weight.value())));
        solution.minimum = solution.minimum.times(shares[j].to_the(weight));
    }
    const PowerProduct limit = program.limit.times(PowerProduct(Powers{{program.memory, -1}}));
    solution.minimum = solution.minimum.times(limit.to_the(dual->limit));
    find_variables(program, shares, dual->relations, solution);
    return solution;
}

}  // namespace blockscope::algebra
