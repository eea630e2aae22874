// blockscope-cli cost --derive: where one number of a state comes from.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "core/cost/derivation.h"
#include "core/print/print.h"

namespace blockscope::cli {
namespace {

std::string listed(const std::vector<ListingLine>& lines, int line) {
    const std::string& text = lines.at(static_cast<std::size_t>(line)).text;
    return text.substr(text.find_first_not_of(' '));
}

Json summand_json(const Summand& summand, const LoopProgram& program, const std::vector<ListingLine>* lines) {
    Json json = {{"formula", summand.polynomial.text(program.dims)},
                 {"value", summand.amount},
                 {"node", node_json(summand.node)}};
    if (summand.buffer >= 0)
        json["buffer"] = program.buffers.at(static_cast<std::size_t>(summand.buffer)).name;
    if (summand.value)
        json["edge"] = {{"node", node_json(summand.value->node)}, {"port", summand.value->port}};
    if (summand.temp.id > 0) json["temporary"] = "t" + std::to_string(summand.temp.id);
    if (lines && summand.line >= 0)
        json["line"] = {{"number", summand.line + 1}, {"text", listed(*lines, summand.line)}};
    return json;
}

Json sum_json(const Sum& sum, const LoopProgram& program, const std::vector<ListingLine>* lines) {
    Json json = {{"title", sum.title}, {"formula", sum.formula}, {"value", sum.value}};
    json["symbols"] = Json::array();
    for (const SymbolValue& symbol : sum.symbols)
        json["symbols"].push_back({{"symbol", symbol.symbol}, {"value", symbol.value}});
    json["summands"] = Json::array();
    for (const Summand& summand : sum.summands)
        json["summands"].push_back(summand_json(summand, program, lines));
    return json;
}

Json derivation_json(const CostDerivation& derivation, const LoopProgram& program,
                     const LoopProgram& unfused) {
    const std::vector<ListingLine> lines = listing_lines(program);
    Json json = {{"quantity", derivation.name}, {"formula", derivation.formula()}, {"unit", derivation.unit}};
    json["value"] = derivation.divisor ? Json(derivation.result()) : Json(derivation.sum.value);
    json["sum"] = sum_json(derivation.sum, program, &lines);
    if (!derivation.divisor) return json;
    const bool other = derivation.quantity.kind == CostQuantity::Kind::Replication;
    const std::vector<ListingLine> other_lines = listing_lines(unfused);
    json["divisor"] = sum_json(*derivation.divisor, other ? unfused : program, other ? &other_lines : &lines);
    return json;
}

// The states that the derivation is about, lowered.
struct Derived {
    int step = 0;
    LoopProgram program;
    LoopProgram unfused;
};

Derived lowered(const CostArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const Trace trace = fuse_watched(resized(loaded.blocks, arguments.sizes));
    const int steps = static_cast<int>(trace.steps.size());
    const int step = arguments.step.value_or(steps);
    if (step < 0 || step > steps)
        throw UsageError("there is no step " + std::to_string(step) + "; the run takes " +
                         std::to_string(steps));
    const ProgramPtr state = trace.state(step);
    return {step, lower(arguments.safe ? make_safe(*state).program : *state), lower(*trace.initial)};
}

std::vector<CostQuantity> chosen(const std::string& text, const LoopProgram& program) {
    if (text == "all") return quantities(program);
    const Result<CostQuantity> quantity = parse_quantity(text, program);
    if (!quantity) throw UsageError(quantity.problems().front().message);
    return {*quantity};
}

}  // namespace

int derive_command(const CostArguments& arguments) {
    const Derived states = lowered(arguments);
    const std::vector<CostQuantity> wanted = chosen(arguments.derive, states.program);
    Json json = envelope("cost");
    json["file"] = display_name(arguments.file);
    json["safe"] = arguments.safe;
    json["step"] = states.step;
    json["derivations"] = Json::array();
    for (const CostQuantity& quantity : wanted) {
        const CostDerivation derivation = derive(states.program, quantity, &states.unfused);
        if (arguments.json) {
            json["derivations"].push_back(derivation_json(derivation, states.program, states.unfused));
            continue;
        }
        const std::vector<std::string> lines = derivation_text(derivation, states.program, states.unfused);
        const std::size_t shown = arguments.derive == "all" ? 1 : lines.size();
        for (std::size_t i = 0; i < shown; ++i) std::cout << lines[i] << '\n';
    }
    if (arguments.json) std::cout << to_text(json) << '\n';
    return kFine;
}

}  // namespace blockscope::cli
