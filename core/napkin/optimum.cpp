#include "core/napkin/optimum.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/algebra/polynomial.h"
#include "core/algebra/search.h"
#include "core/cost/counts.h"
#include "core/cost/lifetime.h"
#include "core/cost/terms.h"
#include "core/loops/loop_program.h"
#include "core/support/result.h"

namespace blockscope::napkin {

namespace {

constexpr double kMostExhaustive = 40'000;  // choices; a few microseconds each

// Block sizes that give different numbers of blocks, ascending: the smallest for each number.
std::vector<std::int64_t> candidates(const Dim& dim, std::int64_t multiple) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t blocks = 1; blocks <= dim.size;) {
        const std::int64_t smallest = (dim.size + blocks - 1) / blocks;
        const std::int64_t rounded = (smallest + multiple - 1) / multiple * multiple;
        sizes.push_back(std::min(rounded, dim.size));
        if (smallest == 1) break;
        blocks = (dim.size + smallest - 2) /
                 (smallest - 1);  // the least number of blocks that are smaller than these
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

class BlockSearch {
public:
    BlockSearch(const LoopProgram& program, const BlockSearchOptions& options)
        : program_(program), options_(options) {
        for (std::size_t i = 0; i < program.dims.size(); ++i) {
            const Dim& dim = program.dims[i];
            if (dim.kind != DimKind::Blocked || dim.blocks() == 1) continue;  // as halves of rows are kept
            free_.push_back(i);
            const bool pairs = need_of(program.needs, i) != BlockNeed::Any && options.multiple % 2 != 0;
            candidates_.push_back(candidates(dim, options.multiple * (pairs ? 2 : 1)));
        }
    }

    std::optional<BestBlocks> run() {
        const auto judge = [&](const std::vector<std::int64_t>& blocks) -> std::optional<BestBlocks> {
            for (std::size_t i = 0; i < free_.size(); ++i) program_.dims[free_[i]].block = blocks[i];
            BestBlocks found = evaluate();
            if (found.local_bytes > options_.memory_bytes) return std::nullopt;
            found.dims = program_.dims;
            return found;
        };
        const auto order = [](const BestBlocks& found) {
            return std::pair(found.moved_bytes, found.local_bytes);
        };
        auto result = search(candidates_, judge, order, {.keep = 1, .exhaustive = kMostExhaustive});
        if (result.best.empty()) return std::nullopt;
        BestBlocks best = std::move(result.best.front());
        best.exhaustive = result.exhaustive;
        best.tried = result.tried;
        return best;
    }

    BestBlocks as_it_is() {
        BestBlocks found = evaluate();
        found.dims = program_.dims;
        return found;
    }

private:
    // The terms of the traffic and of what is live. They depend on the set of dimensions that are in one
    // block, not on the sizes of the other blocks.
    struct Structure {
        std::vector<Term> terms;
        std::vector<std::map<std::vector<Factor>, std::pair<std::int64_t, std::int64_t>>> live;
    };

    const Structure& structure() {
        std::vector<bool> whole;
        for (const Dim& dim : program_.dims) whole.push_back(dim.blocks() == 1);
        const auto [place, fresh] = structures_.try_emplace(whole);
        if (!fresh) return place->second;
        Structure& made = place->second;
        for (const Term& term : cost_terms(program_, options_.placement))
            if (is_moved(term)) made.terms.push_back(term);
        const TempExtents extents(program_);
        for (const LiveSet& set : live_sets(program_, options_.placement)) {
            auto& sizes = made.live.emplace_back();
            for (const Temp temp : set.alive) {
                auto& [count, bytes] = sizes[full_size(extents.of(temp).axes)];
                ++count;
                bytes += bytes_per_element(extents.of(temp).elem);
            }
        }
        std::sort(made.live.begin(), made.live.end());
        made.live.erase(std::unique(made.live.begin(), made.live.end()), made.live.end());
        return made;
    }

    bool is_moved(const Term& term) const {
        if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) return false;
        return program_.buffers.at(static_cast<std::size_t>(term.buffer)).source != InputSource::CausalMask;
    }

    // A product that does not fit 63 bits stays at the largest number, which never wins.
    std::int64_t size(const std::vector<Factor>& factors) const {
        std::int64_t product = 1;
        for (const Factor& factor : factors)
            product = saturating_multiply(product, value(factor, program_.dims));
        return product;
    }

    BestBlocks evaluate() {
        const Structure& now = structure();
        BestBlocks choice;
        for (const auto& set : now.live) {
            std::int64_t values = 0;
            std::int64_t bytes = 0;
            for (const auto& [factors, amount] : set) {
                const std::int64_t each = size(factors);
                values = saturating_add(values, saturating_multiply(each, amount.first));
                bytes = saturating_add(bytes, saturating_multiply(each, amount.second));
            }
            choice.local_values = std::max(choice.local_values, values);
            choice.local_bytes = std::max(choice.local_bytes, bytes);
        }
        for (const Term& term : now.terms) {
            const std::int64_t values = value(term, program_.dims);
            const Buffer& buffer = program_.buffers[static_cast<std::size_t>(term.buffer)];
            choice.moved_values = saturating_add(choice.moved_values, values);
            choice.moved_bytes = saturating_add(
                choice.moved_bytes, saturating_multiply(values, bytes_per_element(buffer.type.elem())));
        }
        return choice;
    }

    LoopProgram program_;  // its block sizes are those at hand
    BlockSearchOptions options_;
    std::vector<std::size_t> free_;  // indices of dimensions
    ChoiceLists candidates_;
    std::map<std::vector<bool>, Structure> structures_;
};

}  // namespace

std::optional<BestBlocks> search_blocks(const LoopProgram& program, const BlockSearchOptions& options) {
    return BlockSearch(program, options).run();
}

BestBlocks counted_blocks(const LoopProgram& program, LoadPlacement placement) {
    return BlockSearch(program, {.placement = placement}).as_it_is();
}

using algebra::power_of;
using algebra::Powers;

namespace {

// Places of symbols in products: sizes from 0, block sizes from here, then the memory limit.
constexpr std::uint32_t kBlockPlace = 1U << 16;

Rational degree(const Powers& powers) {
    Rational sum = 0;
    for (const auto& entry : powers) sum += entry.second;
    return sum;
}

bool has(const Formula& formula, const Symbol& symbol) {
    return std::any_of(formula.terms().begin(), formula.terms().end(),
                       [&](const auto& term) { return term.first.contains(symbol); });
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
        (variable ? result.variable : result.constant).multiply(symbol, exponent);
    }
    return result;
}

// Coefficients of each product of powers of the variables.
std::map<Powers, Formula> grouped(const Formula& sum, const std::vector<Symbol>& variables) {
    std::map<Powers, Formula> groups;
    for (const auto& [powers, coefficient] : sum.terms()) {
        const Split parts = split(powers, variables);
        groups[parts.variable].add(parts.constant, coefficient);
    }
    return groups;
}

bool is_positive(const Formula& sum) {
    return std::all_of(sum.terms().begin(), sum.terms().end(),
                       [](const auto& term) { return term.second > 0; });
}

class Solver {
public:
    Solver(LaunchForm form, const std::vector<DimId>& whole, const DimTable& dims)
        : form_(std::move(form)), dims_(dims), memory_(memory_symbol(dims)) {
        result_.node = form_.node;
        result_.line = form_.line;
        result_.traffic = form_.traffic;
        for (const auto& [dim, role] : form_.roles) {
            Tile tile{.dim = dim, .role = role, .how = Tile::How::Fixed, .size = {}, .reason = {}};
            const bool fixed = role == Role::Whole || role == Role::Batch;
            if (!fixed) tile.how = Tile::How::Unknown;
            result_.tiles.push_back(tile);
            if (fixed) continue;
            if (std::find(whole.begin(), whole.end(), dim) != whole.end())
                settle(dim, Tile::How::Whole, Text("the memory limit has room for all of it"));
            else
                open_.push_back(dim);
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

    std::vector<Symbol> variables() const {
        std::vector<Symbol> symbols;
        for (const DimId dim : open_) symbols.push_back(block_symbol(dim, dims_));
        return symbols;
    }

    void settle(DimId dim, Tile::How how, const Text& reason) {
        Tile& settled = tile(dim);
        settled.how = how;
        settled.reason = reason;
        const Symbol block = block_symbol(dim, dims_);
        const Formula replacement =
            how == Tile::How::Whole ? Formula::symbol(size_symbol(dim, dims_)) : Formula::number(1);
        form_.traffic = form_.traffic.with(block, replacement);
        for (MemoryForm& memory : form_.memory) memory.values = memory.values.with(block, replacement);
        std::erase(open_, dim);
    }

    // Decides one tile size that does not depend on the others: a tile whose growth saves no traffic is 1,
    // and one whose growth only saves traffic and takes no memory is as large as its dimension. False if
    // there is none.
    bool settle_one() {
        for (const DimId dim : open_) {
            const Symbol block = block_symbol(dim, dims_);
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
                settle(dim, Tile::How::One,
                       grows ? Text("traffic grows with it") : Text("traffic does not depend on it"));
            else if (!grows && !stored)
                settle(dim, Tile::How::Whole, Text("memory does not depend on it"));
            else
                continue;
            return true;
        }
        return false;
    }

    bool fail(const Text& reason) {
        result_.reason = reason;
        return false;
    }

    static Formula of_degree(const Formula& sum, const Rational& wanted) {
        Formula part;
        for (const auto& [powers, coefficient] : sum.terms())
            if (degree(powers) == wanted) part.add(powers, coefficient);
        return part;
    }

    // The value at the program's own sizes and block sizes.
    double at_present(const Formula& sum) const {
        double total = 0;
        for (const auto& [powers, coefficient] : sum.terms()) {
            double product = coefficient;
            for (const auto& [symbol, exponent] : powers) {
                const bool block = symbol.place >= kBlockPlace;
                const Dim& dim = dims_.at(symbol.place - (block ? kBlockPlace : 0));
                product *= std::pow(static_cast<double>(block ? dim.block : dim.size), exponent.value());
            }
            total += product;
        }
        return total;
    }

    // At least as much of every product of tile sizes, at the program's sizes.
    bool dominates(const Formula& a, const Formula& b) const {
        const std::map<Powers, Formula> more = grouped(a, variables());
        const std::map<Powers, Formula> less = grouped(b, variables());
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
            const Formula part = of_degree(memory.values, highest);
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
                return fail(Text("which line needs most memory depends on the tile sizes"));
        for (const auto& [powers, coefficient] : largest->values.terms())
            if (degree(powers) != highest) result_.dropped.add(powers, coefficient);
        return true;
    }

    bool solve() {
        algebra::GeometricProgram program;
        program.variables = variables();
        program.memory = memory_;
        for (const auto& [powers, coefficient] : grouped(form_.traffic, variables())) {
            if (powers.empty()) {
                for (const auto& [sizes, number] : coefficient.terms())
                    add_to(result_.law, PowerProduct(Formula::of({number, sizes})), 0);
                continue;
            }
            if (!is_positive(coefficient))
                return fail(Text("a peeled loop's traffic is no sum of positive terms"));
            program.terms.push_back({PowerProduct(coefficient), powers});
        }
        if (program.terms.empty()) return true;
        const std::map<Powers, Formula> memory = grouped(result_.memory, variables());
        if (memory.size() != 1)
            return fail(Text("memory has several leading terms that differ in the tile sizes"));
        program.limit = PowerProduct(memory.begin()->second);
        program.limit_powers = memory.begin()->first;
        for (const Symbol& block : program.variables)
            if (power_of(program.limit_powers, block) <= Rational(0))
                return fail(Text("memory's leading term does not bound every tile size"));
        Text reason;
        const std::optional<algebra::GeometricSolution> solution = minimise(program, reason);
        if (!solution) return fail(reason);
        const Rational exponent = power_of(solution->minimum.powers(), memory_);
        add_to(result_.law, solution->minimum.without(memory_), -exponent);
        for (const auto& [block, size] : solution->at) {
            Tile& solved = tile({static_cast<std::uint16_t>(block.place - kBlockPlace)});
            const bool open =
                std::find(solution->chosen.begin(), solution->chosen.end(), block) != solution->chosen.end();
            solved.how = open ? Tile::How::Open : Tile::How::Solved;
            solved.size = size;
            solved.reason = open ? Text("only the product with the other tile sizes counts") : Text();
        }
        return true;
    }

    LaunchForm form_;
    const DimTable& dims_;
    Symbol memory_;
    LaunchOptimum result_;
    std::vector<DimId> open_;  // whose block sizes are still to be chosen
};

// The dimensions of a launch whose blocks have these symbols.
std::vector<DimId> dims_of(const LaunchForm& form, const std::vector<std::string>& blocks,
                           const DimTable& dims) {
    std::vector<DimId> found;
    for (const auto& [dim, role] : form.roles)
        if (std::find(blocks.begin(), blocks.end(), block_symbol(dim, dims).name) != blocks.end())
            found.push_back(dim);
    return found;
}

// The launch with some dimensions whole, as numbers.
std::optional<algebra::LawPiece> piece_of(const LaunchForm& form, const std::vector<std::string>& whole,
                                          const DimTable& dims) {
    const LaunchOptimum found = Solver(form, dims_of(form, whole, dims), dims).run();
    if (!found.reason.empty()) return std::nullopt;
    algebra::LawPiece piece{.from = 0, .law = power_law(found.law, dims), .whole = {}, .sizes = {}};
    const Values one = sizes_and_memory(dims, 1);
    for (const Tile& tile : found.tiles)
        if (tile.how == Tile::How::Solved)
            piece.sizes.push_back({.groups = {block_symbol(tile.dim, dims).name},
                                   .factor = tile.size.value(one),
                                   .power = power_of(tile.size.powers(), memory_symbol(dims)).value(),
                                   .whole = static_cast<double>(dims.at(tile.dim.value).size)});
    return piece;
}

std::optional<algebra::ClippedLaw> clipped_law(const LaunchForm& form, const DimTable& dims) {
    return algebra::clipped_law(
        [&](const std::vector<std::string>& whole) { return piece_of(form, whole, dims); });
}

LaunchOptimum optimum_of(const LaunchForm& form, const OptimumOptions& options, const DimTable& dims) {
    std::vector<DimId> whole;
    if (options.memory)
        if (const std::optional<algebra::ClippedLaw> law = clipped_law(form, dims))
            whole = dims_of(form, law->at(*options.memory).whole, dims);
    return Solver(form, whole, dims).run();
}

}  // namespace

Symbol size_symbol(DimId dim, const DimTable& dims) {
    return {text(Factor{.kind = Factor::Kind::Size, .dim = dim}, dims), dim.value};
}

Symbol block_symbol(DimId dim, const DimTable& dims) {
    return {text(Factor{.kind = Factor::Kind::First, .dim = dim}, dims), kBlockPlace + dim.value};
}

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
    if (options.built) add_built_traffic(optimum, *options.built, options);
    if (!optimum.has_law()) return optimum;
    for (const LaunchOptimum& launch : optimum.launches)
        for (const LawFormula& term : launch.law) add_to(optimum.law, term.alpha, term.beta);
    sort(optimum.law);
    return optimum;
}

std::optional<algebra::ClippedLaw> clipped_law(const LoopProgram& program, const OptimumOptions& options) {
    algebra::ClippedLaw sum;
    for (const LaunchForm& form : launch_forms(program, options.same)) {
        const std::optional<algebra::ClippedLaw> law = clipped_law(form, program.dims);
        if (!law) return std::nullopt;
        sum = sum + *law;
    }
    return sum;
}

}  // namespace blockscope::napkin
