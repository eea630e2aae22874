#include "core/napkin/geometric_program.h"

#include <algorithm>

namespace blockscope::napkin {

namespace {

using Row = std::vector<Rational>;

// Gauss-Jordan on rows of coefficients. `right` gets the same operations. Returns the pivot row of each
// column, -1 if it has none.
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

std::optional<Row> dual(const GeometricProgram& program, std::string& reason) {
    std::vector<Row> terms(program.terms.size());
    Row memory;
    for (const Symbol& variable : program.variables) {
        for (std::size_t j = 0; j < terms.size(); ++j)
            terms[j].push_back(-power_of(program.terms[j].powers, variable));
        memory.push_back(power_of(program.memory_powers, variable));
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
        memory.push_back(power_of(program.memory_powers, variable));
    rows.push_back(memory);
    right.push_back(PowerProduct(Powers{{kMemory, 1}}).times(program.memory.to_the(-1)));

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

std::optional<std::vector<Rational>> dual_weights(const std::vector<std::vector<Rational>>& terms,
                                                  const std::vector<Rational>& memory, std::string& reason) {
    const std::size_t count = terms.size();
    std::vector<Row> rows;
    Row normal(count + 2, 1);
    normal[count] = 0;
    rows.push_back(normal);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        Row row(count + 2, 0);
        for (std::size_t j = 0; j < count; ++j) row[j] = terms[j].at(i);
        row[count] = -memory[i];
        rows.push_back(row);
    }
    const auto nothing = [](auto...) {};
    const std::vector<int> pivots = eliminate(rows, count + 1, nothing, nothing, nothing);
    if (std::find(pivots.begin(), pivots.end(), -1) != pivots.end()) {
        reason = "more terms than tile sizes pull against each other";
        return {};
    }
    for (std::size_t r = pivots.size(); r < rows.size(); ++r)
        if (!rows[r][count + 1].is_zero()) {
            reason = "a tile size costs more memory than it saves traffic at every size";
            return {};
        }
    Row solution;
    for (const int pivot : pivots) solution.push_back(rows[static_cast<std::size_t>(pivot)][count + 1]);
    if (std::any_of(solution.begin(), solution.end(), [](const Rational& x) { return x <= Rational(0); })) {
        reason = "the least traffic lies at the edge of what tile sizes may be";
        return {};
    }
    return solution;
}

std::optional<GeometricSolution> minimise(const GeometricProgram& program, std::string& reason) {
    const std::optional<Row> weights = dual(program, reason);
    if (!weights) return {};
    GeometricSolution solution;
    solution.weights.assign(weights->begin(), weights->end() - 1);
    for (std::size_t j = 0; j < program.terms.size(); ++j) {
        const Rational& weight = solution.weights[j];
        const PowerProduct share = program.terms[j].coefficient.times(PowerProduct(1 / weight.value()));
        solution.minimum = solution.minimum.times(share.to_the(weight));
    }
    const PowerProduct limit = program.memory.times(PowerProduct(Powers{{kMemory, -1}}));
    solution.minimum = solution.minimum.times(limit.to_the(weights->back()));
    find_variables(program, solution);
    return solution;
}

}  // namespace blockscope::napkin
