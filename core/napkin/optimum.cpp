#include "core/napkin/optimum.h"

#include <algorithm>
#include <cmath>

#include "core/napkin/geometric_program.h"
#include "core/napkin/launch_form.h"

namespace blockscope::napkin {

namespace {

Rational degree(const Powers& powers) {
    Rational sum = 0;
    for (const auto& entry : powers) sum += entry.second;
    return sum;
}

bool has(const Expression& expression, const Symbol& symbol) {
    return std::any_of(expression.terms().begin(), expression.terms().end(),
                       [&](const auto& term) { return term.first.count(symbol) > 0; });
}

// Splits powers into those of the variables and the others.
struct Split {
    Powers variable;
    Powers constant;
};
Split split(const Powers& powers, const std::vector<Symbol>& variables) {
    Split result;
    for (const auto& [symbol, exponent] : powers) {
        const bool variable = std::find(variables.begin(), variables.end(), symbol) != variables.end();
        (variable ? result.variable : result.constant).emplace(symbol, exponent);
    }
    return result;
}

// Coefficients of each product of powers of the variables.
std::map<Powers, Expression> grouped(const Expression& sum, const std::vector<Symbol>& variables) {
    std::map<Powers, Expression> groups;
    for (const auto& [powers, coefficient] : sum.terms()) {
        const Split parts = split(powers, variables);
        groups[parts.variable].add(coefficient, parts.constant);
    }
    return groups;
}

bool is_positive(const Expression& sum) {
    return std::all_of(sum.terms().begin(), sum.terms().end(),
                       [](const auto& term) { return term.second > Rational(0); });
}

void add_term(std::vector<LawFormula>& law, const PowerProduct& alpha, const Rational& beta) {
    for (LawFormula& term : law)
        if (term.beta == beta && term.alpha.alike(alpha)) {
            term.alpha.add_coefficient(alpha.coefficient());
            return;
        }
    law.push_back({alpha, beta});
}

void sort(std::vector<LawFormula>& law) {
    std::stable_sort(law.begin(), law.end(),
                     [](const LawFormula& a, const LawFormula& b) { return a.beta < b.beta; });
}

class Solver {
public:
    Solver(LaunchForm form, const std::vector<DimId>& whole, const DimTable& dims)
        : form_(std::move(form)), dims_(dims) {
        result_.node = form_.node;
        result_.line = form_.line;
        result_.traffic = form_.traffic;
        for (const auto& [dim, role] : form_.roles) {
            Tile tile{dim, role, Tile::How::Fixed, {}, {}};
            const bool fixed = role == Role::Whole || role == Role::Batch;
            if (!fixed) tile.how = Tile::How::Unknown;
            result_.tiles.push_back(tile);
            if (fixed) continue;
            if (std::find(whole.begin(), whole.end(), dim) != whole.end())
                settle(block_symbol(dim), Tile::How::Whole, "the memory limit has room for all of it");
            else
                variables_.push_back(block_symbol(dim));
        }
    }

    LaunchOptimum run() {
        while (settle_one()) {
        }
        if (!find_memory() || !solve()) result_.law.clear();
        sort(result_.law);
        return std::move(result_);
    }

private:
    Tile& tile(DimId dim) {
        return *std::find_if(result_.tiles.begin(), result_.tiles.end(),
                             [&](const Tile& t) { return t.dim == dim; });
    }

    void settle(const Symbol& block, Tile::How how, const std::string& reason) {
        Tile& settled = tile(block.dim);
        settled.how = how;
        settled.reason = reason;
        const Powers replacement = how == Tile::How::Whole ? Powers{{size_symbol(block.dim), 1}} : Powers{};
        form_.traffic = form_.traffic.with(block, replacement);
        for (MemoryForm& memory : form_.memory) memory.values = memory.values.with(block, replacement);
        std::erase(variables_, block);
    }

    // A tile size that its own limit decides: streams of 1, and whatever only ever saves.
    bool settle_one() {
        for (const Symbol& block : std::vector<Symbol>(variables_)) {
            bool falls = false;
            bool grows = false;
            for (const auto& [powers, coefficient] : form_.traffic.terms()) {
                const Rational exponent = power_of(powers, block);
                falls = falls || exponent < Rational(0);
                grows = grows || exponent > Rational(0);
            }
            const bool stored = std::any_of(form_.memory.begin(), form_.memory.end(),
                                            [&](const MemoryForm& m) { return has(m.values, block); });
            if (!falls)
                settle(block, Tile::How::One,
                       grows ? "traffic grows with it" : "traffic does not depend on it");
            else if (!grows && !stored)
                settle(block, Tile::How::Whole, "memory does not depend on it");
            else
                continue;
            return true;
        }
        return false;
    }

    bool fail(const std::string& reason) {
        result_.reason = reason;
        return false;
    }

    static Expression of_degree(const Expression& sum, const Rational& wanted) {
        Expression part;
        for (const auto& [powers, coefficient] : sum.terms())
            if (degree(powers) == wanted) part.add(coefficient, powers);
        return part;
    }

    // With the sizes of the program, and for blocks not yet chosen those that it has.
    double at_present(const Expression& sum) const {
        return sum.value([&](const Symbol& symbol) {
            const Dim& dim = dims_.at(symbol.dim.value);
            return static_cast<double>(symbol.kind == Symbol::Kind::Block ? dim.block : dim.size);
        });
    }

    // At least as much of every product of tile sizes, at the program's sizes.
    bool dominates(const Expression& a, const Expression& b) const {
        const std::map<Powers, Expression> more = grouped(a, variables_);
        const std::map<Powers, Expression> less = grouped(b, variables_);
        return std::all_of(less.begin(), less.end(), [&](const auto& part) {
            const auto found = more.find(part.first);
            return found != more.end() && at_present(found->second) >= at_present(part.second);
        });
    }

    // The column whose leading terms are at least those of every other; of equal ones the largest.
    bool find_memory() {
        Rational highest = 0;
        for (const MemoryForm& memory : form_.memory)
            for (const auto& entry : memory.values.terms()) highest = std::max(highest, degree(entry.first));
        const MemoryForm* largest = nullptr;
        for (const MemoryForm& memory : form_.memory) {
            const Expression part = of_degree(memory.values, highest);
            const bool more = !largest || !dominates(result_.memory, part);
            const bool same = !more && part == result_.memory;
            if (!more && !(same && at_present(memory.values) > at_present(largest->values))) continue;
            largest = &memory;
            result_.memory = part;
        }
        if (!largest) return true;
        result_.memory_line = largest->line;
        for (const MemoryForm& memory : form_.memory)
            if (!dominates(result_.memory, of_degree(memory.values, highest)))
                return fail("which line needs most memory depends on the tile sizes");
        for (const auto& [powers, coefficient] : largest->values.terms())
            if (degree(powers) != highest) result_.dropped.add(coefficient, powers);
        return true;
    }

    bool solve() {
        GeometricProgram program;
        program.variables = variables_;
        for (const auto& [powers, coefficient] : grouped(form_.traffic, variables_)) {
            if (powers.empty()) {
                for (const auto& [sizes, number] : coefficient.terms())
                    add_term(result_.law, PowerProduct(Expression(number, sizes)), 0);
                continue;
            }
            if (!is_positive(coefficient)) return fail("a peeled loop's traffic is no sum of positive terms");
            program.terms.push_back({PowerProduct(coefficient), powers});
        }
        if (program.terms.empty()) return true;
        const std::map<Powers, Expression> memory = grouped(result_.memory, variables_);
        if (memory.size() != 1) return fail("memory has several leading terms that differ in the tile sizes");
        program.memory = PowerProduct(memory.begin()->second);
        program.memory_powers = memory.begin()->first;
        for (const Symbol& block : variables_)
            if (power_of(program.memory_powers, block) <= Rational(0))
                return fail("memory's leading term does not bound every tile size");
        std::string reason;
        const std::optional<GeometricSolution> solution = minimise(program, reason);
        if (!solution) return fail(reason);
        add_term(result_.law, solution->minimum.without_memory(), -solution->minimum.memory_exponent());
        for (const auto& [block, size] : solution->at) {
            Tile& solved = tile(block.dim);
            const bool open =
                std::find(solution->chosen.begin(), solution->chosen.end(), block) != solution->chosen.end();
            solved.how = open ? Tile::How::Open : Tile::How::Solved;
            solved.size = size;
            solved.reason = open ? "only the product with the other tile sizes counts" : "";
        }
        return true;
    }

    LaunchForm form_;
    const DimTable& dims_;
    LaunchOptimum result_;
    std::vector<Symbol> variables_;  // block sizes that are still to be chosen
};

// The dimension whose tile the law would have largest beyond its size, if there is one.
std::optional<DimId> beyond(const LaunchOptimum& optimum, const DimTable& dims, double memory) {
    std::optional<DimId> worst;
    double most = 1 + 1e-9;
    for (const Tile& tile : optimum.tiles) {
        if (tile.how != Tile::How::Solved) continue;
        const double ratio = tile.size.value(sizes_and_memory(dims, memory)) /
                             static_cast<double>(dims.at(tile.dim.value).size);
        if (ratio <= most) continue;
        most = ratio;
        worst = tile.dim;
    }
    return worst;
}

LaunchOptimum optimum_of(const LaunchForm& form, const OptimumOptions& options, const DimTable& dims) {
    std::vector<DimId> whole;
    LaunchOptimum found = Solver(form, whole, dims).run();
    while (options.memory) {
        const std::optional<DimId> dim = beyond(found, dims, *options.memory);
        if (!dim) break;
        whole.push_back(*dim);
        found = Solver(form, whole, dims).run();
    }
    return found;
}

}  // namespace

std::string to_string(Role role) {
    switch (role) {
        case Role::Grouped:
            return "grouped";
        case Role::Streamed:
            return "streamed";
        case Role::Whole:
            return "whole";
        case Role::Batch:
            return "batch";
    }
    return "";
}

bool Optimum::has_law() const {
    return std::all_of(launches.begin(), launches.end(),
                       [](const LaunchOptimum& launch) { return launch.reason.empty(); });
}

Optimum find_optimum(const LoopProgram& program, const OptimumOptions& options) {
    Optimum optimum;
    for (const LaunchForm& form : launch_forms(program, options.same))
        optimum.launches.push_back(optimum_of(form, options, program.dims));
    if (!optimum.has_law()) return optimum;
    for (const LaunchOptimum& launch : optimum.launches)
        for (const LawFormula& term : launch.law) add_term(optimum.law, term.alpha, term.beta);
    sort(optimum.law);
    return optimum;
}

std::string law_text(const std::vector<LawFormula>& law, const DimTable& dims) {
    std::string text;
    for (const LawFormula& term : law) {
        const PowerProduct whole =
            term.beta.is_zero() ? term.alpha : term.alpha.times(PowerProduct(Powers{{kMemory, -term.beta}}));
        text += (text.empty() ? "" : " + ") + whole.law_text(dims);
    }
    return text.empty() ? "0" : text;
}

PowerLaw power_law(const std::vector<LawFormula>& law, const DimTable& dims) {
    PowerLaw numbers;
    for (const LawFormula& term : law)
        numbers.push_back({term.alpha.value(sizes_and_memory(dims, 1)), term.beta.value()});
    return numbers;
}

Values sizes_and_memory(const DimTable& dims, double memory) {
    return [&dims, memory](const Symbol& symbol) {
        return symbol.kind == Symbol::Kind::Memory ? memory
                                                   : static_cast<double>(dims.at(symbol.dim.value).size);
    };
}

}  // namespace blockscope::napkin
