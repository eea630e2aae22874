#include "core/cost/derivation.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "core/cost/lifetime.h"
#include "core/cost/terms.h"
#include "core/loops/loop_program.h"
#include "core/print/print.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

using Kind = CostQuantity::Kind;
using Measure = CostQuantity::Measure;

struct Named {
    const char* name;
    Kind kind;
};
constexpr Named kTotals[] = {{"inputs", Kind::Inputs},
                             {"outputs", Kind::Outputs},
                             {"intermediates", Kind::Intermediates},
                             {"moved", Kind::Moved},
                             {"local", Kind::LocalMemory}};
constexpr Named kUnits[] = {{"matrix", Kind::Matrix},
                            {"vector", Kind::Vector},
                            {"special", Kind::Special},
                            {"operations", Kind::Operations}};
constexpr Named kOthers[] = {{"tasks", Kind::Tasks},
                             {"launches", Kind::Launches},
                             {"replication", Kind::Replication},
                             {"intensity", Kind::Intensity}};

constexpr const char* kMeasures[] = {"items", "values", "bytes"};

std::string name_of(Kind kind) {
    for (const Named& named : kTotals)
        if (named.kind == kind) return named.name;
    for (const Named& named : kUnits)
        if (named.kind == kind) return named.name;
    for (const Named& named : kOthers)
        if (named.kind == kind) return named.name;
    return kind == Kind::Loads ? "loads" : "stores";
}

bool measured(Kind kind) {
    return kind == Kind::Loads || kind == Kind::Stores ||
           std::any_of(std::begin(kTotals), std::end(kTotals),
                       [&](const Named& named) { return named.kind == kind; });
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

bool is_load(Quantity quantity) {
    return quantity == Quantity::LoadItems || quantity == Quantity::LoadValues;
}

Problem unknown(const std::string& text, const LoopProgram& program) {
    std::string buffers;
    for (const Buffer& buffer : program.buffers) buffers += (buffers.empty() ? "" : ", ") + buffer.name;
    return {{},
            Text("'%1' is no quantity of this state; expected BUFFER.loads or BUFFER.stores (of %2), inputs, "
                 "outputs, intermediates, moved or local, each with .items, .values or .bytes if you like, "
                 "matrix, vector, special or operations (.NODE for one operator), tasks, launches, "
                 "replication or intensity",
                 text, buffers)};
}

std::optional<Measure> measure(const std::string& name, Kind kind) {
    for (std::size_t i = 0; i < std::size(kMeasures); ++i)
        if (name == kMeasures[i] && !(i == 0 && kind == Kind::LocalMemory)) return static_cast<Measure>(i);
    return {};
}

// "operations" and "operations.n12".
std::optional<CostQuantity> operations(const std::vector<std::string>& parts,
                                       const std::vector<Term>& terms) {
    for (const Named& named : kUnits) {
        if (parts[0] != named.name || parts.size() > 2) continue;
        CostQuantity quantity{named.kind, Measure::Values, -1, {}};
        if (parts.size() == 1) return quantity;
        for (const Term& term : terms)
            if (term.buffer < 0 && to_string(term.node) == parts[1]) quantity.node = term.node;
        if (quantity.node) return quantity;
    }
    return {};
}

std::optional<CostQuantity> transfers(std::vector<std::string> parts, const LoopProgram& program) {
    CostQuantity quantity;
    std::size_t next = 1;
    const auto total = std::find_if(std::begin(kTotals), std::end(kTotals),
                                    [&](const Named& named) { return parts[0] == named.name; });
    if (parts.size() > 1 && (parts[1] == "loads" || parts[1] == "stores")) {
        quantity.kind = parts[1] == "loads" ? Kind::Loads : Kind::Stores;
        for (std::size_t i = 0; i < program.buffers.size(); ++i)
            if (program.buffers[i].name == parts[0]) quantity.buffer = static_cast<int>(i);
        if (quantity.buffer < 0) return {};
        next = 2;
    } else if (total != std::end(kTotals)) {
        quantity.kind = total->kind;
    } else {
        return {};
    }
    if (parts.size() == next) return quantity;
    const std::optional<Measure> found = measure(parts[next], quantity.kind);
    if (!found || parts.size() != next + 1) return {};
    quantity.measure = *found;
    return quantity;
}

}  // namespace

std::string to_string(const CostQuantity& quantity, const LoopProgram& program) {
    std::string text = name_of(quantity.kind);
    if (quantity.buffer >= 0)
        text = program.buffers.at(static_cast<std::size_t>(quantity.buffer)).name + "." + text;
    if (measured(quantity.kind)) text += std::string(".") + kMeasures[static_cast<int>(quantity.measure)];
    if (quantity.node) text += "." + to_string(*quantity.node);
    return text;
}

Result<CostQuantity> parse_quantity(const std::string& text, const CountedLoops& state) {
    const std::vector<std::string> parts = split(text);
    if (const auto found = transfers(parts, state.loops)) return *found;
    if (const auto found = operations(parts, state.basis.terms)) return *found;
    for (const Named& named : kOthers)
        if (text == named.name) return CostQuantity{named.kind, CostQuantity::Measure::Values, -1, {}};
    return unknown(text, state.loops);
}

std::vector<CostQuantity> quantities(const CountedLoops& state) {
    std::vector<CostQuantity> all;
    std::set<std::pair<int, bool>> moved;  // buffer, whether loaded
    std::vector<NodeId> operators;
    for (const Term& term : state.basis.terms) {
        if (term.buffer >= 0)
            moved.insert({term.buffer, is_load(term.quantity)});
        else if (std::find(operators.begin(), operators.end(), term.node) == operators.end())
            operators.push_back(term.node);
    }
    const auto add = [&](CostQuantity::Kind kind, int buffer) {
        for (const CostQuantity::Measure measure :
             {CostQuantity::Measure::Items, CostQuantity::Measure::Values, CostQuantity::Measure::Bytes})
            if (kind != CostQuantity::Kind::LocalMemory || measure != CostQuantity::Measure::Items)
                all.push_back({kind, measure, buffer, {}});
    };
    for (int i = 0; i < static_cast<int>(state.loops.buffers.size()); ++i) {
        if (moved.count({i, true}) > 0) add(CostQuantity::Kind::Loads, i);
        if (moved.count({i, false}) > 0) add(CostQuantity::Kind::Stores, i);
    }
    for (const Named& named : kTotals) add(named.kind, -1);
    for (const Named& named : kUnits) all.push_back({named.kind, CostQuantity::Measure::Values, -1, {}});
    for (const NodeId node : operators)
        all.push_back({CostQuantity::Kind::Operations, CostQuantity::Measure::Values, -1, node});
    for (const Named& named : kOthers) all.push_back({named.kind, CostQuantity::Measure::Values, -1, {}});
    return all;
}

namespace {

void list(const Block& block, int outer, std::vector<ListedLine>& listed) {
    for (const Statement& statement : block) {
        const auto line = static_cast<int>(listed.size());
        listed.push_back({statement.node, line + 1, outer, &statement});
        if (const auto* loop = std::get_if<LoopPtr>(&statement.what)) list((*loop)->body, line, listed);
        listed[static_cast<std::size_t>(line)].end = static_cast<int>(listed.size());
    }
}

}  // namespace

bool CostPart::meets(int first, int end) const {
    if (!lines) return true;
    const auto found = lines->lower_bound(first);
    return found != lines->end() && *found < end;
}

bool CostPart::has(const Term& term) const {
    if (!has_line(term.line)) return false;
    if (buffers && buffers->count(term.buffer) == 0) return false;
    return !value || (term.value && term.value->same_value(*value));
}

std::vector<ListedLine> listed_lines(const LoopProgram& program) {
    std::vector<ListedLine> listed;
    list(program.body, -1, listed);
    return listed;
}

std::set<int> lines_showing(const std::vector<ListedLine>& listed, const std::set<NodeId>& nodes,
                            bool loads) {
    std::set<int> lines;
    for (std::size_t i = 0; i < listed.size(); ++i)
        if (nodes.count(listed[i].node) > 0 && (loads || !std::get_if<Load>(&listed[i].statement->what)))
            for (int line = static_cast<int>(i); line < listed[i].end; ++line) lines.insert(line);
    return lines;
}

Transferring::Transferring(const std::vector<ListedLine>& listed) : users_(listed.size()) {
    std::map<int, std::vector<int>> readers;
    std::map<int, std::vector<int>> makers;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const Statement& statement = *listed[i].statement;
        if (std::holds_alternative<Load>(statement.what) || std::holds_alternative<Store>(statement.what))
            continue;
        const StatementUses uses = uses_of(statement);
        for (const Temp temp : uses.reads) readers[temp.id].push_back(static_cast<int>(i));
        if (uses.makes.id > 0) makers[uses.makes.id].push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < listed.size(); ++i) {
        if (const auto* load = std::get_if<Load>(&listed[i].statement->what))
            users_[i] = readers[load->to.id];
        if (const auto* store = std::get_if<Store>(&listed[i].statement->what))
            users_[i] = makers[store->from.id];
    }
}

std::set<int> with_transfers(const std::vector<ListedLine>& listed, std::set<int> lines) {
    const Transferring transferring(listed);
    std::set<int> more;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const std::vector<int>& users = transferring.users(static_cast<int>(i));
        if (std::any_of(users.begin(), users.end(), [&](int user) { return lines.count(user) > 0; }))
            more.insert(static_cast<int>(i));
    }
    lines.merge(more);
    return lines;
}

namespace {

using Kind = CostQuantity::Kind;
using Measure = CostQuantity::Measure;

const Buffer& buffer_of(const LoopProgram& program, int index) {
    return program.buffers.at(static_cast<std::size_t>(index));
}

bool loads(Quantity quantity) {
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
        return term.buffer == wanted.buffer && loads(term.quantity) == (wanted.kind == Kind::Loads);
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

Sum terms_sum(const CountedLoops& state, const CostQuantity& wanted, const CostPart& of) {
    const LoopProgram& program = state.loops;
    Sum sum;
    sum.title = title(wanted, program);
    const bool work = is_work(wanted.kind);
    for (const Term& term : state.basis.terms) {
        if (!of.has(term) || !(work ? computes(term, wanted) : moves(term, wanted, program))) continue;
        Polynomial part = polynomial(term, program.dims);
        if (!work && wanted.measure == Measure::Bytes)
            part = part.times(bytes_per_element(buffer_of(program, term.buffer).type.elem()));
        sum.summands.push_back({.node = term.node,
                                .line = term.line,
                                .buffer = term.buffer,
                                .value = term.value,
                                .polynomial = std::move(part)});
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
LocalMemory largest_in(const std::vector<LocalMemory>& alive, const CostPart& of) {
    if (of.all()) return largest_of(alive);
    LocalMemory largest;
    for (const LocalMemory& set : alive)
        if (of.has_line(set.line) && set.bytes > largest.bytes) largest = set;
    return largest;
}

Sum local_sum(const CountedLoops& state, const CostQuantity& wanted, const CostPart& of) {
    const LoopProgram& program = state.loops;
    std::vector<Summand> makers(static_cast<std::size_t>(program.temps) + 1);
    int line = -1;
    find_makers(program.body, makers, line);
    Sum sum;
    sum.title = title(wanted, program);
    for (const Temp temp : largest_in(state.basis.alive, of).alive) {
        const ItemExtents& item = state.basis.extents.of(temp);
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
            sum.summands.push_back(
                {.node = launch.node, .line = line, .polynomial = Polynomial(1, {}, program.dims)});
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
            for (const Loop* loop : grid_of(launch).loops)
                factors.push_back({.kind = loop->start > 0 ? Factor::Kind::LaterCount : Factor::Kind::Count,
                                   .dim = loop->var.dim});
            sum.summands = {
                {.node = launch.node, .line = line, .polynomial = Polynomial(1, factors, program.dims)}};
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

Sum sum_of(const CountedLoops& state, const CostQuantity& wanted, const CostPart& of) {
    switch (wanted.kind) {
        case Kind::LocalMemory:
            return local_sum(state, wanted, of);
        case Kind::Tasks:
            return task_sum(state.loops, wanted, of);
        case Kind::Launches:
            return launch_sum(state.loops, wanted, of);
        case Kind::Replication:
        case Kind::Intensity:
            return terms_sum(state, {Kind::Operations, Measure::Values, -1, {}}, of);
        default:
            return terms_sum(state, wanted, of);
    }
}

}  // namespace

CostDerivation derive(const CountedLoops& state, const CostQuantity& quantity, const CountedLoops* unfused) {
    return derive(state, quantity, DerivedPart{}, unfused);
}

CostDerivation derive(const CountedLoops& state, const CostQuantity& quantity, const DerivedPart& of,
                      const CountedLoops* unfused) {
    CostDerivation derivation{.quantity = quantity,
                              .name = to_string(quantity, state.loops),
                              .unit = unit(quantity),
                              .sum = sum_of(state, quantity, of.part)};
    if (quantity.kind == CostQuantity::Kind::Intensity)
        derivation.divisor =
            terms_sum(state, {CostQuantity::Kind::Moved, CostQuantity::Measure::Bytes, -1, {}}, of.part);
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

// A derivation as lines of text.

namespace {

std::string number(const CostDerivation& derivation) {
    if (!derivation.divisor) return std::to_string(derivation.sum.value);
    char text[48];
    std::snprintf(text, sizeof text, "%.6g", derivation.result());
    return text;
}

std::string symbols(const Sum& sum) {
    std::string text;
    for (const SymbolValue& symbol : sum.symbols)
        text += (text.empty() ? "with " : ", ") + symbol.symbol + " = " + std::to_string(symbol.value);
    return text;
}

std::string listed(const std::vector<ListingLine>& lines, int line) {
    const std::string& text = lines.at(static_cast<std::size_t>(line)).text;
    return text.substr(text.find_first_not_of(' '));
}

void add_sum(const Sum& sum, const LoopProgram& program, std::vector<std::string>& text) {
    const std::vector<ListingLine> lines = listing_lines(program);
    text.push_back(sum.title + ": " + sum.formula + " = " + std::to_string(sum.value));
    if (!sum.symbols.empty()) text.push_back("  " + symbols(sum));
    for (const Summand& summand : sum.summands) {
        std::string line =
            "  + " + summand.polynomial.text(program.dims) + " = " + std::to_string(summand.amount);
        if (summand.temp.id > 0) line += "  t" + std::to_string(summand.temp.id);
        line += "  " + to_string(summand.node);
        if (summand.line >= 0)
            line += ", line " + std::to_string(summand.line + 1) + ": " + listed(lines, summand.line);
        text.push_back(std::move(line));
    }
}

}  // namespace

std::vector<std::string> derivation_text(const CostDerivation& derivation, const LoopProgram& program,
                                         const LoopProgram& unfused) {
    std::vector<std::string> text = {derivation.name + " = " + derivation.formula() + " = " +
                                     number(derivation) +
                                     (derivation.unit.empty() ? "" : " " + derivation.unit)};
    add_sum(derivation.sum, program, text);
    const bool replication = derivation.quantity.kind == CostQuantity::Kind::Replication;
    if (derivation.divisor) add_sum(*derivation.divisor, replication ? unfused : program, text);
    return text;
}

}  // namespace blockscope
