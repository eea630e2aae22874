// The launches of a program as the napkin sees them.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/algebra/polynomial.h"
#include "core/cost/lifetime.h"
#include "core/cost/terms.h"
#include "core/loops/loop_program.h"
#include "core/napkin/optimum.h"
#include "core/support/result.h"

namespace blockscope::napkin {

namespace {

// A dimension in several blocks keeps its block size as a symbol, also if that is now 1.
LoopProgram with_free_blocks(LoopProgram program) {
    for (Dim& dim : program.dims)
        if (dim.kind == DimKind::Blocked && dim.block == 1 && dim.size > 2) dim.block = 2;
    return program;
}

Formula renamed(Formula formula, const std::vector<std::pair<DimId, DimId>>& same, const DimTable& dims) {
    for (const auto& [kept, other] : same)
        for (const auto& symbol_of : {size_symbol, block_symbol})
            formula = formula.with(symbol_of(other, dims), Formula::symbol(symbol_of(kept, dims)));
    return formula;
}

// Row block i of M/m sees N - M + i·m columns where blocks of columns end with those of rows, as blocks of
// one column do; together M·N/m - M²/(2·m) + M/2. A pair of blocks counts its rows and columns as often as
// the factor says.
Formula visible_pairs(const Factor& factor, const DimTable& dims) {
    const Formula rows = Formula::symbol(size_symbol(factor.dim, dims));
    const Formula columns = Formula::symbol(size_symbol(factor.columns, dims));
    const Symbol row_block = block_symbol(factor.dim, dims);
    const Formula blocks = rows * Formula::symbol(row_block, -1);
    const Formula seen =
        blocks * columns + Formula::number(-0.5) * blocks * rows + Formula::number(0.5) * rows;
    return seen * Formula::symbol(row_block, factor.row_axes) *
           Formula::symbol(block_symbol(factor.columns, dims), factor.column_axes - 1);
}

// Under a window, and where rows see nothing, the sum is another one.
bool has_formula(const Factor& factor, const DimTable& dims) {
    if (factor.kind == Factor::Kind::Crossed || factor.kind == Factor::Kind::Masked) return false;
    return factor.kind != Factor::Kind::Visible ||
           (factor.window == 0 && dims.at(factor.dim.value).size <= dims.at(factor.columns.value).size);
}

// A factor of a count as the napkin sees it: M/m is not rounded up, and the squares of block sizes add up to
// M·m. Dimensions in one block have no block size of their own (m = M).
Formula formula_of(const Factor& factor, const DimTable& dims) {
    Formula size = Formula::symbol(size_symbol(factor.dim, dims));
    const Symbol block_name = block_symbol(factor.dim, dims);
    Formula block = Formula::symbol(block_name);
    Formula count = size * Formula::symbol(block_name, -1);
    const Formula minus = Formula::number(-1);
    switch (factor.kind) {
        case Factor::Kind::Size:
            return size;
        case Factor::Kind::Count:
            return count;
        case Factor::Kind::First:
            return block;
        case Factor::Kind::LaterSize:
            return size + minus * block;
        case Factor::Kind::LaterCount:
            return count + minus;
        case Factor::Kind::Squares:
            return size * block;
        case Factor::Kind::LaterSquares:
            return size * block + minus * block * block;
        case Factor::Kind::Visible:
            return visible_pairs(factor, dims);
        case Factor::Kind::Crossed:
        case Factor::Kind::Masked:
            break;  // of built loops, and of nothing that is moved
    }
    throw InternalError("unknown factor");
}

Formula formula_of(const Polynomial& polynomial, const DimTable& dims) {
    Formula sum;
    for (const auto& [factors, coefficient] : polynomial.monomials()) {
        Formula term = Formula::number(static_cast<double>(coefficient));
        for (const Factor& factor : factors) term = term * formula_of(factor, dims);
        sum += term;
    }
    return sum;
}

class Former {
public:
    Former(const LoopProgram& program, const std::vector<std::pair<DimId, DimId>>& same)
        : program_(program),
          same_(same),
          extents_(program),
          terms_(cost_terms(program, LoadPlacement::Hoisted)),
          live_(live_sets(program, LoadPlacement::Hoisted)) {}

    // Whether all that the launch moves has a formula.
    bool has_form(const Statement& launch, int first) const {
        const int last = first + lines_of(launch) - 1;
        return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
            if (term.line < first || term.line > last || !is_moved(term)) return true;
            return std::all_of(term.factors.begin(), term.factors.end(),
                               [&](const Factor& factor) { return has_formula(factor, program_.dims); });
        });
    }

    LaunchForm form(const Statement& launch, int first) {
        const int last = first + lines_of(launch) - 1;
        LaunchForm form;
        form.node = launch.node;
        form.line = first;
        for (const Term& term : terms_)
            if (term.line >= first && term.line <= last && is_moved(term))
                form.traffic += formula_of(polynomial(term, program_.dims), program_.dims);
        form.traffic = renamed(form.traffic, same_, program_.dims);
        for (const LiveSet& set : live_)
            if (set.line >= first && set.line <= last) form.memory.push_back({set.line, values(set)});
        form.roles = roles(launch);
        return form;
    }

private:
    bool is_moved(const Term& term) const {
        if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) return false;
        return program_.buffers.at(static_cast<std::size_t>(term.buffer)).source != InputSource::CausalMask;
    }

    Formula values(const LiveSet& set) {
        Formula sum;
        for (const Temp temp : set.before) {
            const std::vector<Factor> size = full_size(extents_.of(temp).axes);
            for (const Factor& factor : size) axes_.insert(factor.dim);
            sum += formula_of(Polynomial(1, size, program_.dims), program_.dims);
        }
        return renamed(std::move(sum), same_, program_.dims);
    }

    void find_loops(const Statement& statement, std::set<DimId>& dims) const {
        const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what);
        if (!loop) return;
        dims.insert((*loop)->var.dim);
        for (const Statement& inner : (*loop)->body) find_loops(inner, dims);
    }

    bool is_alias(DimId dim) const {
        return std::any_of(same_.begin(), same_.end(), [&](const auto& pair) { return pair.second == dim; });
    }

    std::vector<std::pair<DimId, Role>> roles(const Statement& launch) {
        std::set<DimId> outer;
        for (const Loop* loop : grid_of(launch).loops) outer.insert(loop->var.dim);
        std::set<DimId> all = axes_;
        axes_.clear();
        find_loops(launch, all);
        std::vector<std::pair<DimId, Role>> roles;
        for (const DimId id : all) {
            const Dim& dim = program_.dims.at(id.value);
            if (is_alias(id) || dim.size == 1) continue;
            const Role role = dim.kind != DimKind::Blocked ? Role::Batch
                              : dim.blocks() == 1          ? Role::Whole
                              : outer.count(id) > 0        ? Role::Grouped
                                                           : Role::Streamed;
            roles.emplace_back(id, role);
        }
        return roles;
    }

    const LoopProgram& program_;
    const std::vector<std::pair<DimId, DimId>>& same_;
    TempExtents extents_;
    std::vector<Term> terms_;
    std::vector<LiveSet> live_;
    std::set<DimId> axes_;  // of what is alive in the launch at hand
};

}  // namespace

std::vector<std::optional<LaunchForm>> built_forms(const LoopProgram& built,
                                                   const std::vector<std::pair<DimId, DimId>>& same) {
    const LoopProgram free = with_free_blocks(built);
    Former former(free, same);
    std::vector<std::optional<LaunchForm>> forms;
    int line = 0;
    for (const Statement& launch : free.body) {
        forms.push_back(former.has_form(launch, line) ? std::optional(former.form(launch, line))
                                                      : std::nullopt);
        line += lines_of(launch);
    }
    return forms;
}

std::vector<LaunchForm> launch_forms(const LoopProgram& program,
                                     const std::vector<std::pair<DimId, DimId>>& same) {
    std::vector<LaunchForm> forms;
    for (std::optional<LaunchForm>& form : built_forms(program, same))
        forms.push_back(std::move(form).value());
    return forms;
}

}  // namespace blockscope::napkin
