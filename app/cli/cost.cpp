// blockscope-cli cost: what the states of a run move, compute and keep, counted exactly, and where one number
// comes from.
#include "app/cli/cost.h"

#include <unistd.h>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "core/cost/counts.h"
#include "core/cost/derivation.h"
#include "core/cost/executed.h"
#include "core/cost/lifetime.h"
#include "core/cost/models/model.h"
#include "core/exec/evaluate.h"
#include "core/print/print.h"

namespace blockscope::cli {

namespace {

std::string listed_line(const std::vector<ListingLine>& lines, int line) {
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
        json["line"] = {{"number", summand.line + 1}, {"text", listed_line(*lines, summand.line)}};
    return json;
}

Json sum_json(const Sum& sum, const LoopProgram& program, const std::vector<ListingLine>* lines) {
    Json json = {{"title", sum.title}, {"formula", sum.formula}, {"value", sum.value}};
    json["symbols"] = json::Array{};
    for (const SymbolValue& symbol : sum.symbols)
        json["symbols"].push_back({{"symbol", symbol.symbol}, {"value", symbol.value}});
    json["summands"] = json::Array{};
    for (const Summand& summand : sum.summands)
        json["summands"].push_back(summand_json(summand, program, lines));
    return json;
}

Json derivation_json(const CostDerivation& derivation, const State& state, const State& unfused) {
    const LoopProgram& program = state.loops();
    const std::vector<ListingLine>& lines = state.listing();
    Json json = {{"quantity", derivation.name}, {"formula", derivation.formula()}, {"unit", derivation.unit}};
    json["value"] = derivation.divisor ? Json(derivation.result()) : Json(derivation.sum.value);
    json["sum"] = sum_json(derivation.sum, program, &lines);
    if (!derivation.divisor) return json;
    const bool other = derivation.quantity.kind == CostQuantity::Kind::Replication;
    json["divisor"] =
        sum_json(*derivation.divisor, other ? unfused.loops() : program, other ? &unfused.listing() : &lines);
    return json;
}

// What is counted; on a processor in f32, as its engine runs it unless told otherwise.
Form counted_form(const CostArguments& arguments, bool processor) {
    return form_of(arguments.safe, arguments.loops)
        .kept_in(processor ? std::optional(ElemType::F32) : std::nullopt);
}

// The states that the derivation is about.
struct Derived {
    Choice choice;
    Stakes stakes;
    State unfused;
    int steps = 0;  // of the run
};

// By default of the best state, which `cost` takes apart, too.
Derived derived_state(const CostArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const Trace trace = fuse_watched(resized(loaded.blocks, arguments.sizes), arguments.rules.set());
    StateArguments words;
    words.step = arguments.step;
    words.state = arguments.state;
    words.objective = arguments.objective;
    const std::optional<TimesRequest> request = times_request(arguments);
    Stakes stakes = stakes_of(words, arguments.device);
    stakes.safe = !arguments.unsafe;
    stakes.processors = arguments.processors;
    const bool processor = request && request->device.kind == DeviceKind::Cpu;
    return {choose(trace, words, counted_form(arguments, processor), stakes), stakes,
            State(trace.initial, form_of(false, arguments.loops)), static_cast<int>(trace.steps.size())};
}

std::vector<CostQuantity> chosen(const std::string& text, const CountedLoops& state) {
    if (text == "all") return quantities(state);
    const Result<CostQuantity> quantity = parse_quantity(text, state);
    if (!quantity) throw UsageError(quantity.problems().front().message.str());
    return {*quantity};
}

// Which state the numbers are of, and why of that one.
void print_derived_state(const CostArguments& arguments, const Derived& states) {
    std::cout << states.choice.state.name << " of " << harmless_name(display_name(arguments.file)) << '\n';
    if (states.choice.ranking) std::cout << best_sentence(*states.choice.ranking, states.stakes) << '\n';
}

Json derivations_head(const CostArguments& arguments, const Derived& states) {
    Json json = envelope("cost");
    json["file"] = display_name(arguments.file);
    json["safe"] = arguments.safe;
    json["form"] = to_string(arguments.loops);
    json["state"] = states.choice.state.name;
    json["step"] = states.choice.state.step;
    if (states.choice.ranking) json["best"] = best_json(*states.choice.ranking, states.stakes, states.steps);
    json["derivations"] = json::Array{};
    return json;
}

// cost --derive.
int derive_command(const CostArguments& arguments) {
    const Derived states = derived_state(arguments);
    const State& of = states.choice.state.state;
    const CountedLoops state = of.counted();
    const CountedLoops unfused = states.unfused.counted();
    const std::vector<CostQuantity> wanted = chosen(arguments.derive, state);
    Json json = derivations_head(arguments, states);
    if (!arguments.json) print_derived_state(arguments, states);
    for (const CostQuantity& quantity : wanted) {
        const CostDerivation derivation = derive(state, quantity, &unfused);
        if (arguments.json) {
            json["derivations"].push_back(derivation_json(derivation, of, states.unfused));
            continue;
        }
        const std::vector<std::string> lines = derivation_text(derivation, state.loops, unfused.loops);
        const std::size_t shown = arguments.derive == "all" ? 1 : lines.size();
        for (std::size_t i = 0; i < shown; ++i) std::cout << lines[i] << '\n';
    }
    if (arguments.json) std::cout << to_text(json) << '\n';
    return kFine;
}

Row summary(const ChosenState& chosen, const Counts& unfused) {
    const Counts& c = chosen.state.counts();
    return {chosen.name,
            bytes_text(c.inputs.bytes),
            bytes_text(c.outputs.bytes),
            bytes_text(c.intermediates.bytes),
            bytes_text(c.bytes()),
            bytes_text(c.compulsory),
            count_text(c.flops.total()),
            ratio_text(c.replication(unfused)),
            ratio_text(c.intensity()),
            bytes_text(c.local.bytes),
            std::to_string(c.launches),
            std::to_string(c.tasks)};
}

// One state taken apart: every buffer with its formula, every unit's operations.
void print_details(const ChosenState& chosen, const Style& style) {
    const LoopProgram& loops = chosen.state.loops();
    const Counts& counts = chosen.state.counts();
    const auto text = [&](Quantity quantity, int buffer) {
        return formula(chosen.state.terms(), quantity, buffer, loops.dims);
    };
    std::cout << '\n' << style(Tone::Bold, chosen.name + ": values moved") << '\n';
    std::vector<Row> rows = {{"buffer", "loaded", "stored"}};
    for (const BufferTraffic& traffic : counts.buffers) {
        const Buffer& buffer = loops.buffers[static_cast<std::size_t>(traffic.buffer)];
        const auto cell = [&](Quantity quantity, const Transfers& moved) {
            return moved.values == 0 ? std::string("-")
                                     : text(quantity, traffic.buffer) + " = " + count_text(moved.values);
        };
        rows.push_back({buffer.name, cell(Quantity::LoadValues, traffic.loads),
                        cell(Quantity::StoreValues, traffic.stores)});
    }
    print_table(rows, Align::Left, style);
    std::cout << '\n' << style(Tone::Bold, chosen.name + ": operations") << '\n';
    const Flops& flops = counts.flops;
    print_table({{"unit", "operations"},
                 {"matrix", text(Quantity::Matrix, -1) + " = " + count_text(flops.matrix)},
                 {"vector", text(Quantity::Vector, -1) + " = " + count_text(flops.vector)},
                 {"special", text(Quantity::Special, -1) + " = " + count_text(flops.special)}},
                Align::Left, style);
    std::cout << '\n'
              << style(Tone::Bold, chosen.name + ": local memory") << '\n'
              << bytes_text(counts.local.bytes) << " while";
    for (const Temp temp : counts.local.alive) std::cout << " t" << temp.id;
    std::cout << " are alive\n";
}

// The state runs and counts as it does; what differs from the counts without running, or nothing.
std::string executed_difference(const ChosenState& chosen, const Tensors<double>& inputs) {
    constexpr std::int64_t kMost = 200'000'000;  // operations and values moved: seconds, and 2 GB at worst
    const Counts& c = chosen.state.counts();
    std::int64_t work = c.flops.total();
    for (const Transfers* moved : {&c.inputs, &c.outputs, &c.intermediates})
        work = saturating_add(work, moved->values);
    if (work > kMost)
        throw UsageError(chosen.name + " does " + count_text(work) +
                         " operations and transfers; --execute runs at most " + count_text(kMost) +
                         ": choose smaller sizes with --set");
    const LoopProgram& loops = chosen.state.loops();
    return counts_difference(loops, c, execute(loops, inputs).counts);
}

// By state; none unless --execute is given.
std::vector<std::string> executed_differences(const CostArguments& arguments, const Trace& trace,
                                              const std::vector<ChosenState>& all) {
    if (!arguments.execute) return {};
    const Tensors<double> inputs = random_doubles(*trace.initial, 1);
    std::vector<std::string> differences;
    for (const ChosenState& chosen : all) differences.push_back(executed_difference(chosen, inputs));
    return differences;
}

// Says what became of it, on stderr what is wrong.
ExitCode executed_verdict(const std::vector<std::string>& differences, const std::vector<ChosenState>& all,
                          bool quiet) {
    ExitCode code = kFine;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        if (differences[i].empty()) {
            if (!quiet) std::cout << all[i].name << ": executed, with the same counts\n";
            continue;
        }
        std::cerr << all[i].name << ": counted and executed differ: " << differences[i] << '\n';
        code = kMismatch;
    }
    return code;
}

Json transfers_json(const Transfers& t) {
    return {{"items", t.items}, {"values", t.values}, {"bytes", t.bytes}};
}

Json costs_json(const ChosenState& chosen, const Counts& unfused) {
    const LoopProgram& loops = chosen.state.loops();
    const std::vector<Term>& terms = chosen.state.terms();
    const Counts& c = chosen.state.counts();
    Json json = {
        {"name", chosen.name},
        {"step", chosen.step},
        {"inputs", transfers_json(c.inputs)},
        {"outputs", transfers_json(c.outputs)},
        {"intermediates", transfers_json(c.intermediates)},
        {"compulsory_bytes", c.compulsory},
        {"flops", {{"matrix", c.flops.matrix}, {"vector", c.flops.vector}, {"special", c.flops.special}}},
        {"replication", c.replication(unfused)},
        {"intensity", c.intensity()},
        {"local_memory",
         {{"values", c.local.values},
          {"bytes", c.local.bytes},
          {"node", node_json(c.local.node)},
          {"register_bytes", most_of(chosen.state.alive(), &LocalMemory::registers)},
          {"tile_bytes", most_of(chosen.state.alive(), &LocalMemory::tiles)}}},
        {"launches", c.launches},
        {"tasks", c.tasks}};
    json["buffers"] = json::Array{};
    for (const BufferTraffic& traffic : c.buffers)
        json["buffers"].push_back(
            {{"name", loops.buffers[static_cast<std::size_t>(traffic.buffer)].name},
             {"loads", transfers_json(traffic.loads)},
             {"stores", transfers_json(traffic.stores)},
             {"loads_formula", formula(terms, Quantity::LoadValues, traffic.buffer, loops.dims)},
             {"stores_formula", formula(terms, Quantity::StoreValues, traffic.buffer, loops.dims)}});
    return json;
}

void print_costs_csv(const std::vector<ChosenState>& all, const Counts& unfused,
                     const std::optional<TimesRequest>& request, const std::vector<StateTimes>& times) {
    std::cout << "state,step,input_bytes,output_bytes,intermediate_bytes,compulsory_bytes,matrix,vector,"
                 "special,replication,"
                 "intensity,local_bytes,launches,tasks"
              << (request ? times_csv_head(*request) : "") << '\n';
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Counts& c = all[i].state.counts();
        std::cout << all[i].name << ',' << all[i].step << ',' << c.inputs.bytes << ',' << c.outputs.bytes
                  << ',' << c.intermediates.bytes << ',' << c.compulsory << ',' << c.flops.matrix << ','
                  << c.flops.vector << ',' << c.flops.special << ',' << c.replication(unfused) << ','
                  << c.intensity() << ',' << c.local.bytes << ',' << c.launches << ',' << c.tasks
                  << (request ? times_csv(times[i]) : "") << '\n';
    }
}

// All states of the run, whether they are shown or not, in the order of the objective.
struct Rated {
    Stakes stakes;
    std::optional<Ranking> ranking = std::nullopt;
    bool timed = false;  // by the times that are asked for

    bool known() const { return ranking && !ranking->empty(); }
    // None where another objective decides: baselines and verdicts are about times.
    std::optional<Ranking> by_time() const { return timed ? ranking : std::nullopt; }
};

Rated rate(const Trace& trace, const CostArguments& arguments, const Form& form,
           const std::optional<TimesRequest>& request) {
    StateArguments words;
    words.objective = arguments.objective;
    Rated rated{.stakes = stakes_of(words, arguments.device)};
    rated.stakes.safe = !arguments.unsafe;
    rated.stakes.processors = arguments.processors;
    rated.timed = request && rated.stakes.objective == ObjectiveKind::Time;
    if (rated.timed) rated.stakes.device = request->device;
    rated.ranking =
        rated.timed ? rank_by_time(trace, form, *request) : rank_states(trace, form, rated.stakes);
    return rated;
}

// Those that are asked for; of a whole run the best one, too.
std::vector<ChosenState> shown_states(const Trace& trace, const CostArguments& arguments, const Form& form,
                                      const Rated& rated) {
    const bool best = arguments.state == "best" && rated.known();
    const NamedStates named{.step = best ? std::optional(rated.ranking->best().step) : arguments.step,
                            .snapshot = arguments.snapshot,
                            .state = arguments.state,
                            .device = arguments.device};
    std::vector<ChosenState> all = chosen_states(trace, named, form);
    if (best) all.front().name = rated.ranking->best().name;  // "snapshot 2", as the verdict has it
    if (all.size() == 1 || !rated.known()) return all;
    const RatedState& first = rated.ranking->best();
    const auto place =
        std::find_if(all.begin(), all.end(), [&](const auto& state) { return state.step >= first.step; });
    if (place != all.end() && place->step == first.step) return all;
    ChosenState added = chosen_state(trace, StateChoice::step(first.step), form);
    added.name = first.name;
    all.insert(place, std::move(added));
    return all;
}

// What `cost` prints.
struct CostReport {
    const CostArguments& arguments;
    const Trace& trace;
    const std::optional<TimesRequest>& request;
    const Rated& rated;
    const std::vector<ChosenState>& all;
    const Counts& unfused;
    std::vector<StateTimes> times = {};  // of all; none without a request
    std::vector<std::string> differences;
    Baselines baselines;
    std::optional<Verdict> said = std::nullopt;
    std::string rounding = {};  // what rules that round elsewhere would give; empty where they give no more

    const StateTimes* times_of(std::size_t state) const { return request ? &times[state] : nullptr; }
    std::size_t detailed() const;
    Json json() const;
    void print() const;
};

// The state whose numbers are taken apart: the best one, else the last.
std::size_t CostReport::detailed() const {
    for (std::size_t i = 0; rated.known() && i < all.size(); ++i)
        if (all[i].step == rated.ranking->best().step) return i;
    return all.size() - 1;
}

Json CostReport::json() const {
    Json json = envelope("cost");
    json["file"] = display_name(arguments.file);
    json["safe"] = arguments.safe;
    json["form"] = to_string(arguments.loops);
    json["states"] = json::Array{};
    if (request) {
        json["device"] = request->device.name;
        json["timed_form"] = form_name(times.back().form);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        Json one = costs_json(all[i], unfused);
        if (request) one["times"] = times_json(*request, times[i]);
        one["against"] = {{"baseline", to_string(baselines.against().kind)},
                          {"sentence", against_text(baselines, all[i].state, times_of(i))}};
        if (arguments.execute) one["executed_same"] = differences[i].empty();
        json["states"].push_back(std::move(one));
    }
    json["baselines"] = baselines_json(baselines);
    if (said) json["verdict"] = verdict_json(*said, rated.ranking->best().name);
    if (!rounding.empty()) json["verdict"]["with_rounding"] = rounding;
    if (rated.known())
        json["best"] = best_json(*rated.ranking, rated.stakes, static_cast<int>(trace.steps.size()));
    return json;
}

void CostReport::print() const {
    const Style style = style_for(STDOUT_FILENO);
    std::vector<Row> rows = {{"state", "inputs", "outputs", "intermediates", "moved", "compulsory",
                              "operations", "of step 0", "op/byte", "local", "launches", "tasks"}};
    for (const ChosenState& chosen : all) {
        rows.push_back(summary(chosen, unfused));
        rows.back().front() = starred(chosen.name, chosen.step, rated.ranking);
    }
    print_table(rows, Align::Right, style);
    std::string notes;
    for (const ChosenState& chosen : all)
        notes += repeats_note(chosen.name, chosen.state.counts().replication(unfused));
    if (request && request->device.kind == DeviceKind::Cpu)
        notes += "counted in f32, as the engine of a processor runs it unless told otherwise\n";
    const Form listed = actual_form(all.back().state);
    if (request && times.back().form.safe != listed.safe)
        notes += "counts are of the " + form_title(listed) + ", as it is listed, times of the " +
                 form_title(times.back().form) + ", as it is built\n";
    if (!notes.empty()) std::cout << '\n' << notes;
    if (request)
        print_times(*request, times, detailed(), all[detailed()].state, rated.by_time(), style);
    else
        print_details(all[detailed()], style);
    print_baselines(baselines, all, times, rated.by_time(), said, style);
    if (request && !not_calibrated(request->device).empty())
        std::cout << not_calibrated(request->device).str() << '\n';
    if (!rounding.empty()) std::cout << rounding << '\n';
    if (rated.known() && !said) std::cout << best_sentence(*rated.ranking, rated.stakes) << '\n';
    if (arguments.execute) std::cout << '\n';
}

// "With --allow-rounding, after which values are rounded elsewhere, the best state is predicted to take
// 25.2 µs: 1.2 times faster than ...", against the baseline that the verdict is about. Empty where the run
// has those rules, or they make nothing 5% faster.
std::string with_rounding(const CostArguments& arguments, const Trace& trace, const Form& form,
                          const Rated& rated, const Verdict& said, const TimesRequest& request) {
    if (arguments.rules.allow_rounding || arguments.rules.rules == "paper" || !rated.known()) return {};
    const auto usual = std::find_if(request.models.begin(), request.models.end(),
                                    [](const TimeModel* model) { return model->name == kUsualModel; });
    if (usual == request.models.end()) return {};
    const double without = rated.ranking->best().value;
    const std::optional<double> seconds =
        worker::best_with_rounding({.initial = trace.initial,
                                    .without = without,
                                    .form = worker::built_form(request.device, form, request.safe),
                                    .device = request.device,
                                    .model = *usual,
                                    .setting = request.setting});
    if (!seconds) return {};
    return "With --allow-rounding, after which values are rounded elsewhere, the best state is predicted to "
           "take " +
           seconds_text(*seconds) + ": " +
           compared_with(*seconds, {said.against, said.times * without}).str() + '.';
}

int cost_command(const CostArguments& arguments) {
    const std::optional<TimesRequest> request = times_request(arguments);
    const Loaded loaded = load_program(arguments.file);
    const Trace trace = fuse_watched(resized(loaded.blocks, arguments.sizes), arguments.rules.set());
    const bool processor = request && request->device.kind == DeviceKind::Cpu;
    const Form form = counted_form(arguments, processor);
    const Rated rated = rate(trace, arguments, form, request);
    const std::vector<ChosenState> all = shown_states(trace, arguments, form, rated);
    const State initial(trace.initial, form_of(false, arguments.loops));
    CostReport report{
        .arguments = arguments,
        .trace = trace,
        .request = request,
        .rated = rated,
        .all = all,
        .unfused = initial.counts(),
        .differences = executed_differences(arguments, trace, all),
        .baselines = baselines_of(loaded, State(trace.initial, form), arguments.baseline, request)};
    if (request)
        for (const ChosenState& chosen : all) report.times.push_back(predict_times(*request, chosen));
    report.said = verdict_on(trace, report.baselines, rated.by_time(), request);
    if (report.said && !report.said->fuse)
        report.rounding = with_rounding(arguments, trace, form, rated, *report.said, *request);
    if (arguments.json)
        std::cout << to_text(report.json()) << '\n';
    else if (arguments.csv)
        print_costs_csv(all, report.unfused, request, report.times);
    else
        report.print();
    return executed_verdict(report.differences, all, arguments.json || arguments.csv);
}

std::vector<std::string> model_names() {
    std::vector<std::string> names;
    for (const TimeModel& model : time_models()) names.push_back(model.name);
    names.emplace_back("all");
    return names;
}

// Which states, and what of them.
std::vector<Option> count_options(CostArguments& arguments) {
    return {
        step_option(arguments.step, "of the state after step N; by default of step 0 and of all snapshots"),
        {.names = "--snapshot",
         .argument = "K|last|all",
         .help = "of snapshot K, or the last; 0 is the initial block program; all: of step 0 and all",
         .to = &arguments.snapshot,
         .excludes = {"--step"},
         .offered =
             [] {
                 return std::vector<std::string>{"last", "all"};
             }},
        state_option(arguments.state),
        objective_option(
            arguments.objective,
            "what the best state, which has a star, has least of (default time: as predicted for "
            "--device, else for this machine if it is calibrated, else for h100-sxm5)"),
        {.names = "--safe",
         .help = "counts of the numerically safe forms; times are of those in any case",
         .to = &arguments.safe},
        {.names = "--unsafe",
         .help = "times of the states themselves, not of the safe forms, which are built",
         .to = &arguments.unsafe,
         .excludes = {"--safe"}},
        form_option(arguments.loops),
        {.names = "--execute",
         .help = "run the states in float64, too, and count as they run; counts that differ end with 4",
         .to = &arguments.execute},
        set_option(arguments.sizes),
        {.names = "--csv",
         .help = "print comma-separated values",
         .to = &arguments.csv,
         .excludes = {"--json"}},
        {.names = "--derive",
         .argument = "QUANTITY",
         .help = "of the best state, or of --step or --state: one number's formula, the values put in, and "
                 "the lines of the listing that it sums; 'all' for all numbers' formulas",
         .to = &arguments.derive,
         .excludes = {"--snapshot", "--execute", "--csv", "--model"}}};
}

std::vector<Option> time_options(CostArguments& arguments) {
    return {
        device_option(arguments.device,
                      "predict times on this device, too: a name that `devices` lists, or a description's "
                      "file"),
        {.names = "--model",
         .argument = "NAME",
         .help = "the time model: " + time_model_names() +
                 " or all; without --device on this machine if it is calibrated, else h100-sxm5",
         .to = &arguments.model,
         .offered = model_names},
        {.names = "--baseline",
         .argument = "KIND",
         .help = "what to compare with: library (default; products with their epilogues, softmax and norms "
                 "one kernel each), compiler (as torch.compile fuses), operators (one kernel each), unfused "
                 "(the block program)",
         .to = &arguments.baseline,
         .choices = baseline_names()},
        {.names = "--processors",
         .argument = "N",
         .help = "only so many cores or SMs of the device work",
         .to = &arguments.processors,
         .check = above_zero()},
        json_option(arguments.json)};
}

}  // namespace

Command cost_row() {
    const auto arguments = std::make_shared<CostArguments>();
    return {
        .name = "cost",
        .summary = "count what the states of a run move, compute and keep",
        .options = joined(joined(joined({file_option(arguments->file)}, rule_set_options(arguments->rules)),
                                 count_options(*arguments)),
                          time_options(*arguments)),
        .notes =
            "Counts are exact, ragged blocks included. The best state shown is taken apart, with a "
            "formula for each number:\n"
            "M is a dimension's size, m its block size, M/m its number of blocks.\n"
            "Examples:\n"
            "  blockscope-cli cost samples/attention.bp\n"
            "  blockscope-cli cost samples/attention.bp --set M=8192/64 --set N=8192/64\n"
            "  blockscope-cli cost samples/attention.bp --derive K.loads.bytes\n"
            "  blockscope-cli cost samples/attention.bp --device h100-sxm5 --model all",
        .run = [arguments](const Invocation&) {
            return arguments->derive.empty() ? cost_command(*arguments) : derive_command(*arguments);
        }};
}

}  // namespace blockscope::cli
