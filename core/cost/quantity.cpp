#include "core/cost/quantity.h"

#include <algorithm>
#include <set>

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
            "'" + text + "' is no quantity of this state; expected BUFFER.loads or BUFFER.stores (of " +
                buffers +
                "), inputs, outputs, intermediates, moved or local, each with .items, .values or .bytes if "
                "you like, matrix, vector, special or operations (.NODE for one operator), tasks, launches, "
                "replication or intensity"};
}

std::optional<Measure> measure(const std::string& name, Kind kind) {
    for (std::size_t i = 0; i < std::size(kMeasures); ++i)
        if (name == kMeasures[i] && !(i == 0 && kind == Kind::LocalMemory)) return static_cast<Measure>(i);
    return {};
}

// "operations" and "operations.n12".
std::optional<CostQuantity> operations(const std::vector<std::string>& parts, const LoopProgram& program) {
    for (const Named& named : kUnits) {
        if (parts[0] != named.name || parts.size() > 2) continue;
        CostQuantity quantity{named.kind, Measure::Values, -1, {}};
        if (parts.size() == 1) return quantity;
        for (const Term& term : cost_terms(program))
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

Result<CostQuantity> parse_quantity(const std::string& text, const LoopProgram& program) {
    const std::vector<std::string> parts = split(text);
    if (const auto found = transfers(parts, program)) return *found;
    if (const auto found = operations(parts, program)) return *found;
    for (const Named& named : kOthers)
        if (text == named.name) return CostQuantity{named.kind, CostQuantity::Measure::Values, -1, {}};
    return unknown(text, program);
}

std::vector<CostQuantity> quantities(const LoopProgram& program) {
    std::vector<CostQuantity> all;
    std::set<std::pair<int, bool>> moved;  // buffer, whether loaded
    std::vector<NodeId> operators;
    for (const Term& term : cost_terms(program)) {
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
    for (int i = 0; i < static_cast<int>(program.buffers.size()); ++i) {
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

}  // namespace blockscope
