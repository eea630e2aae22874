#include "core/cost/derivation.h"

#include <algorithm>

#include "core/cost/extents.h"
#include "core/cost/lifetime.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

using Kind = CostQuantity::Kind;
using Measure = CostQuantity::Measure;

const Buffer& buffer_of(const LoopProgram& program, int index) {
    return program.buffers.at(static_cast<std::size_t>(index));
}

bool is_load(Quantity quantity) {
    return quantity == Quantity::LoadItems || quantity == Quantity::LoadValues;
}
bool counts_items(Quantity quantity) {
    return quantity == Quantity::LoadItems || quantity == Quantity::StoreItems;
}

// Whether the totals by kind have the buffer in them.
bool in_total(const Buffer& buffer, Kind kind) {
    if (buffer.source == InputSource::CausalMask) return false;  // generated, not moved
    switch (kind) {
        case Kind::Inputs:
            return buffer.kind == Buffer::Kind::Input;
        case Kind::Outputs:
            return buffer.kind == Buffer::Kind::Output;
        case Kind::Intermediates:
            return buffer.kind == Buffer::Kind::Intermediate;
        default:
            return true;
    }
}

bool moves(const Term& term, const CostQuantity& wanted, const LoopProgram& program) {
    if (term.buffer < 0 || counts_items(term.quantity) != (wanted.measure == Measure::Items)) return false;
    if (wanted.kind == Kind::Loads || wanted.kind == Kind::Stores)
        return term.buffer == wanted.buffer && is_load(term.quantity) == (wanted.kind == Kind::Loads);
    return in_total(buffer_of(program, term.buffer), wanted.kind);
}

bool computes(const Term& term, const CostQuantity& wanted) {
    if (term.buffer >= 0 || (wanted.node && term.node != *wanted.node)) return false;
    switch (wanted.kind) {
        case Kind::Matrix:
            return term.quantity == Quantity::Matrix;
        case Kind::Vector:
            return term.quantity == Quantity::Vector;
        case Kind::Special:
            return term.quantity == Quantity::Special;
        default:
            return true;
    }
}

bool is_work(Kind kind) {
    return kind == Kind::Matrix || kind == Kind::Vector || kind == Kind::Special || kind == Kind::Operations;
}

class Symbols {
public:
    explicit Symbols(const DimTable& dims) : dims_(dims) {}

    std::vector<SymbolValue> of(const Polynomial& polynomial) {
        for (const auto& [factors, coefficient] : polynomial.monomials())
            for (const Factor& factor : factors) add(factor);
        return std::move(symbols_);
    }

private:
    void add(const Factor& factor) {
        const SymbolValue symbol{text(factor, dims_), value(factor, dims_)};
        if (std::find(symbols_.begin(), symbols_.end(), symbol) == symbols_.end()) symbols_.push_back(symbol);
    }

    const DimTable& dims_;
    std::vector<SymbolValue> symbols_;
};

Sum finished(Sum sum, const DimTable& dims) {
    for (Summand& summand : sum.summands) {
        summand.amount = summand.polynomial.value(dims);
        sum.value = saturating_add(sum.value, summand.amount);
        sum.polynomial.add(summand.polynomial);
    }
    sum.formula = sum.polynomial.text(dims);
    sum.symbols = Symbols(dims).of(sum.polynomial);
    return sum;
}

const char* measure_name(Measure measure) {
    return measure == Measure::Items ? "items" : measure == Measure::Values ? "values" : "bytes";
}

std::string title(const CostQuantity& wanted, const LoopProgram& program) {
    const std::string measure = measure_name(wanted.measure);
    switch (wanted.kind) {
        case Kind::Loads:
            return measure + " loaded from " + buffer_of(program, wanted.buffer).name;
        case Kind::Stores:
            return measure + " stored to " + buffer_of(program, wanted.buffer).name;
        case Kind::Inputs:
            return measure + " loaded from inputs";
        case Kind::Outputs:
            return measure + " moved to and from outputs";
        case Kind::Intermediates:
            return measure + " moved to and from intermediates";
        case Kind::Moved:
            return measure + " moved";
        case Kind::Matrix:
        case Kind::Vector:
        case Kind::Special:
        case Kind::Operations: {
            const std::string unit = wanted.kind == Kind::Matrix    ? "matrix operations"
                                     : wanted.kind == Kind::Vector  ? "vector operations"
                                     : wanted.kind == Kind::Special ? "special function operations"
                                                                    : "operations";
            return wanted.node ? unit + " of " + to_string(*wanted.node) : unit;
        }
        case Kind::LocalMemory:
            return measure + " in local memory";
        case Kind::Tasks:
            return "parallel tasks";
        case Kind::Launches:
            return "kernel launches";
        case Kind::Replication:
        case Kind::Intensity:
            return "";
    }
    throw InternalError("unknown quantity");
}

Sum terms_sum(const LoopProgram& program, const CostQuantity& wanted, const CostPart& of) {
    Sum sum;
    sum.title = title(wanted, program);
    const bool work = is_work(wanted.kind);
    for (const Term& term : cost_terms(program)) {
        if (!of.has(term) || !(work ? computes(term, wanted) : moves(term, wanted, program))) continue;
        Polynomial part = polynomial(term, program.dims);
        if (!work && wanted.measure == Measure::Bytes)
            part = part.times(bytes_per_element(buffer_of(program, term.buffer).type.elem()));
        sum.summands.push_back({term.node, term.line, term.buffer, term.value, {}, std::move(part), 0});
    }
    return finished(std::move(sum), program.dims);
}

// Nodes and listing lines of the lines that make temporaries first.
void find_makers(const Block& block, std::vector<Summand>& makers, int& line) {
    const auto made = [&](Temp temp, const Statement& statement) {
        Summand& maker = makers.at(static_cast<std::size_t>(temp.id));
        if (maker.line >= 0) return;
        maker.node = statement.node;
        maker.line = line;
    };
    for (const Statement& statement : block) {
        ++line;
        if (const auto* load = std::get_if<Load>(&statement.what)) made(load->to, statement);
        if (const auto* compute = std::get_if<Compute>(&statement.what)) made(compute->to, statement);
        if (const auto* evaluate = std::get_if<Evaluate>(&statement.what)) made(evaluate->to, statement);
        if (const auto* sum = std::get_if<Accumulate>(&statement.what)) made(sum->to, statement);
        if (const auto* first = std::get_if<Initialise>(&statement.what)) made(first->to, statement);
        if (const auto* assign = std::get_if<Assign>(&statement.what)) made(assign->to, statement);
        if (const auto* loop = std::get_if<LoopPtr>(&statement.what))
            find_makers((*loop)->body, makers, line);
    }
}

// The first of the largest sets while lines of the part run.
LocalMemory largest_in(const LoopProgram& program, const TempExtents& extents, const CostPart& of) {
    if (of.all()) return largest_live_set(program, extents);
    LocalMemory largest;
    for (const LocalMemory& set : local_memory(program, extents))
        if (of.has_line(set.line) && set.bytes > largest.bytes) largest = set;
    return largest;
}

Sum local_sum(const LoopProgram& program, const CostQuantity& wanted, const CostPart& of) {
    const TempExtents extents(program);
    std::vector<Summand> makers(static_cast<std::size_t>(program.temps) + 1);
    int line = -1;
    find_makers(program.body, makers, line);
    Sum sum;
    sum.title = title(wanted, program);
    for (const Temp temp : largest_in(program, extents, of).alive) {
        const ItemExtents& item = extents.of(temp);
        Polynomial part(1, largest_size(item.axes, program.dims), program.dims);
        if (wanted.measure == Measure::Bytes) part = part.times(bytes_per_element(item.elem));
        Summand summand = makers.at(static_cast<std::size_t>(temp.id));
        summand.temp = temp;
        summand.polynomial = std::move(part);
        sum.summands.push_back(std::move(summand));
    }
    return finished(std::move(sum), program.dims);
}

Sum launch_sum(const LoopProgram& program, const CostQuantity& wanted, const CostPart& of) {
    Sum sum;
    sum.title = title(wanted, program);
    int line = 0;
    for (const Statement& launch : program.body) {
        const int end = line + lines_of(launch);
        if (of.meets(line, end))
            sum.summands.push_back({launch.node, line, -1, {}, {}, Polynomial(1, {}, program.dims), 0});
        line = end;
    }
    return finished(std::move(sum), program.dims);
}

// The launch with the fewest.
Sum task_sum(const LoopProgram& program, const CostQuantity& wanted, const CostPart& of) {
    Sum sum;
    sum.title = title(wanted, program);
    int line = 0;
    std::int64_t fewest = 0;
    for (const Statement& launch : program.body) {
        const std::int64_t found = tasks(launch, program.dims);
        const int end = line + lines_of(launch);
        if (of.meets(line, end) && (sum.summands.empty() || found < fewest)) {
            fewest = found;
            std::vector<Factor> factors;
            for (const Loop* loop : task_loops(launch))
                factors.push_back(
                    {loop->start > 0 ? Factor::Kind::LaterCount : Factor::Kind::Count, loop->var.dim});
            sum.summands = {{launch.node, line, -1, {}, {}, Polynomial(1, factors, program.dims), 0}};
        }
        line = end;
    }
    return finished(std::move(sum), program.dims);
}

std::string unit(const CostQuantity& wanted) {
    if (is_work(wanted.kind)) return "operations";
    switch (wanted.kind) {
        case Kind::Tasks:
            return "tasks";
        case Kind::Launches:
            return "launches";
        case Kind::Replication:
            return "";
        case Kind::Intensity:
            return "operations per byte";
        default:
            return measure_name(wanted.measure);
    }
}

Sum sum_of(const LoopProgram& program, const CostQuantity& wanted, const CostPart& of) {
    switch (wanted.kind) {
        case Kind::LocalMemory:
            return local_sum(program, wanted, of);
        case Kind::Tasks:
            return task_sum(program, wanted, of);
        case Kind::Launches:
            return launch_sum(program, wanted, of);
        case Kind::Replication:
        case Kind::Intensity:
            return terms_sum(program, {Kind::Operations, Measure::Values, -1, {}}, of);
        default:
            return terms_sum(program, wanted, of);
    }
}

}  // namespace

CostDerivation derive(const LoopProgram& program, const CostQuantity& quantity, const LoopProgram* unfused) {
    return derive(program, quantity, DerivedPart{}, unfused);
}

CostDerivation derive(const LoopProgram& program, const CostQuantity& quantity, const DerivedPart& of,
                      const LoopProgram* unfused) {
    CostDerivation derivation{
        quantity, to_string(quantity, program), unit(quantity), sum_of(program, quantity, of.part), {}};
    if (quantity.kind == CostQuantity::Kind::Intensity)
        derivation.divisor =
            terms_sum(program, {CostQuantity::Kind::Moved, CostQuantity::Measure::Bytes, -1, {}}, of.part);
    if (quantity.kind == CostQuantity::Kind::Replication) {
        if (!unfused) throw InternalError("replication without the unfused program");
        derivation.divisor =
            terms_sum(*unfused, {CostQuantity::Kind::Operations, CostQuantity::Measure::Values, -1, {}},
                      of.unfused_part);
        derivation.divisor->title += " of the unfused program";
    }
    return derivation;
}

double CostDerivation::result() const {
    const auto number = static_cast<double>(sum.value);
    if (!divisor) return number;
    if (divisor->value == 0) return quantity.kind == CostQuantity::Kind::Replication ? 1 : 0;
    return number / static_cast<double>(divisor->value);
}

std::string CostDerivation::formula() const {
    return divisor ? "(" + sum.formula + ") / (" + divisor->formula + ")" : sum.formula;
}

}  // namespace blockscope
