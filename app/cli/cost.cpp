// blockscope-cli cost: what the states of a run move, compute and keep, counted exactly.
#include <unistd.h>

#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/cost_times.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "core/cost/counts_difference.h"
#include "core/cost/executed.h"
#include "core/exec/evaluate.h"

namespace blockscope::cli {
namespace {

struct State {
    std::string name;  // "step 0", "snapshot 1"
    int step = 0;
    LoopProgram loops;
    Counts counts;
};

// As counted: in its numerically safe form, in float32 as a processor's engine keeps it.
struct Form {
    bool safe = false;
    bool f32 = false;
};

LoopProgram lowered(const BlockProgram& program, const Form& form) {
    LoopProgram loops = lower(form.safe ? make_safe(program).program : program);
    if (form.f32)
        for (Buffer& buffer : loops.buffers) buffer.type = buffer.type.with_elem(ElemType::F32);
    return loops;
}

State state_of(const Trace& trace, int step, std::string name, const Form& form) {
    State state{std::move(name), step, lowered(*trace.state(step), form), {}};
    state.counts = count(state.loops);
    return state;
}

// The snapshot that --snapshot names, 0 being the unfused program; none for all.
std::optional<int> snapshot_number(const Trace& trace, const std::string& text) {
    if (text.empty() || text == "all") return std::nullopt;
    const int count = static_cast<int>(trace.snapshots.size());
    if (text == "last") return count;
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > count)
        throw UsageError("there is no snapshot '" + text + "'; the run has " + std::to_string(count) +
                         ", counted from 1; 0 is the unfused program, and last and all are possible");
    return number;
}

// The initial program and the snapshots, or the one state that is asked for.
std::vector<State> states(const Trace& trace, const CostArguments& arguments, const Form& form) {
    std::vector<State> all;
    const int steps = static_cast<int>(trace.steps.size());
    if (arguments.step) {
        if (*arguments.step < 0 || *arguments.step > steps)
            throw UsageError("there is no step " + std::to_string(*arguments.step) + "; the run takes " +
                             std::to_string(steps));
        all.push_back(state_of(trace, *arguments.step, "step " + std::to_string(*arguments.step), form));
        return all;
    }
    const std::optional<int> only = snapshot_number(trace, arguments.snapshot);
    if (!only || *only == 0) all.push_back(state_of(trace, 0, "step 0", form));
    for (int i = 1; i <= static_cast<int>(trace.snapshots.size()); ++i)
        if (!only || *only == i)
            all.push_back(state_of(trace, trace.snapshots[static_cast<std::size_t>(i - 1)],
                                   "snapshot " + std::to_string(i), form));
    return all;
}

Row summary(const State& state, const Counts& unfused) {
    const Counts& c = state.counts;
    return {state.name,
            bytes_text(c.inputs.bytes),
            bytes_text(c.outputs.bytes),
            bytes_text(c.intermediates.bytes),
            bytes_text(c.bytes()),
            count_text(c.flops.total()),
            ratio_text(c.replication(unfused)),
            ratio_text(c.intensity()),
            bytes_text(c.local.bytes),
            std::to_string(c.launches),
            std::to_string(c.tasks)};
}

// One state taken apart: every buffer with its formula, every unit's operations.
void print_details(const State& state, const Style& style) {
    const std::vector<Term> terms = cost_terms(state.loops);
    const auto text = [&](Quantity quantity, int buffer) {
        return formula(terms, quantity, buffer, state.loops.dims);
    };
    std::cout << '\n' << style(Tone::Bold, state.name + ": values moved") << '\n';
    std::vector<Row> rows = {{"buffer", "loaded", "stored"}};
    for (const BufferTraffic& traffic : state.counts.buffers) {
        const Buffer& buffer = state.loops.buffers[static_cast<std::size_t>(traffic.buffer)];
        const auto cell = [&](Quantity quantity, const Transfers& moved) {
            return moved.values == 0 ? std::string("-")
                                     : text(quantity, traffic.buffer) + " = " + count_text(moved.values);
        };
        rows.push_back({buffer.name, cell(Quantity::LoadValues, traffic.loads),
                        cell(Quantity::StoreValues, traffic.stores)});
    }
    print_table(rows, Align::Left, style);
    std::cout << '\n' << style(Tone::Bold, state.name + ": operations") << '\n';
    const Flops& flops = state.counts.flops;
    print_table({{"unit", "operations"},
                 {"matrix", text(Quantity::Matrix, -1) + " = " + count_text(flops.matrix)},
                 {"vector", text(Quantity::Vector, -1) + " = " + count_text(flops.vector)},
                 {"special", text(Quantity::Special, -1) + " = " + count_text(flops.special)}},
                Align::Left, style);
    std::cout << '\n'
              << style(Tone::Bold, state.name + ": local memory") << '\n'
              << bytes_text(state.counts.local.bytes) << " while";
    for (const Temp temp : state.counts.local.alive) std::cout << " t" << temp.id;
    std::cout << " are alive\n";
}

// The state runs and counts as it does; what differs from the counts without running, or nothing.
std::string executed_difference(const State& state, const Tensors<double>& inputs) {
    constexpr std::int64_t kMost = 200'000'000;  // operations and values moved: seconds, and 2 GB at worst
    const Counts& c = state.counts;
    std::int64_t work = c.flops.total();
    for (const Transfers* moved : {&c.inputs, &c.outputs, &c.intermediates})
        work = saturating_add(work, moved->values);
    if (work > kMost)
        throw UsageError(state.name + " does " + count_text(work) +
                         " operations and transfers; --execute runs at most " + count_text(kMost) +
                         ": choose smaller sizes with --set");
    return counts_difference(state.loops, c, execute(state.loops, inputs).counts);
}

// By state; none unless --execute is given.
std::vector<std::string> executed_differences(const CostArguments& arguments, const Trace& trace,
                                              const std::vector<State>& all) {
    if (!arguments.execute) return {};
    const Tensors<double> inputs = random_doubles(*trace.initial, 1);
    std::vector<std::string> differences;
    for (const State& state : all) differences.push_back(executed_difference(state, inputs));
    return differences;
}

// Says what became of it, on stderr what is wrong.
ExitCode executed_verdict(const std::vector<std::string>& differences, const std::vector<State>& all,
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

Json state_json(const State& state, const Counts& unfused) {
    const std::vector<Term> terms = cost_terms(state.loops);
    const Counts& c = state.counts;
    Json json = {
        {"name", state.name},
        {"step", state.step},
        {"inputs", transfers_json(c.inputs)},
        {"outputs", transfers_json(c.outputs)},
        {"intermediates", transfers_json(c.intermediates)},
        {"flops", {{"matrix", c.flops.matrix}, {"vector", c.flops.vector}, {"special", c.flops.special}}},
        {"replication", c.replication(unfused)},
        {"intensity", c.intensity()},
        {"local_memory",
         {{"values", c.local.values}, {"bytes", c.local.bytes}, {"node", node_json(c.local.node)}}},
        {"launches", c.launches},
        {"tasks", c.tasks}};
    json["buffers"] = Json::array();
    for (const BufferTraffic& traffic : c.buffers)
        json["buffers"].push_back(
            {{"name", state.loops.buffers[static_cast<std::size_t>(traffic.buffer)].name},
             {"loads", transfers_json(traffic.loads)},
             {"stores", transfers_json(traffic.stores)},
             {"loads_formula", formula(terms, Quantity::LoadValues, traffic.buffer, state.loops.dims)},
             {"stores_formula", formula(terms, Quantity::StoreValues, traffic.buffer, state.loops.dims)}});
    return json;
}

void print_csv(const std::vector<State>& all, const Counts& unfused,
               const std::optional<TimesRequest>& request, const std::vector<StateTimes>& times) {
    std::cout << "state,step,input_bytes,output_bytes,intermediate_bytes,matrix,vector,special,replication,"
                 "intensity,local_bytes,launches,tasks"
              << (request ? times_csv_head(*request) : "") << '\n';
    for (std::size_t i = 0; i < all.size(); ++i) {
        const State& state = all[i];
        const Counts& c = state.counts;
        std::cout << state.name << ',' << state.step << ',' << c.inputs.bytes << ',' << c.outputs.bytes << ','
                  << c.intermediates.bytes << ',' << c.flops.matrix << ',' << c.flops.vector << ','
                  << c.flops.special << ',' << c.replication(unfused) << ',' << c.intensity() << ','
                  << c.local.bytes << ',' << c.launches << ',' << c.tasks
                  << (request ? times_csv(times[i]) : "") << '\n';
    }
}

}  // namespace

int cost_command(const CostArguments& arguments) {
    const std::optional<TimesRequest> request = times_request(arguments);
    const Loaded loaded = load_program(arguments.file);
    const Trace trace = fuse_watched(resized(loaded.blocks, arguments.sizes));
    const Form form{arguments.safe, request && request->device.kind == DeviceKind::Cpu};
    const std::vector<State> all = states(trace, arguments, form);
    const Counts unfused = count(lower(*trace.initial));
    std::vector<StateTimes> times;
    if (request)
        for (const State& state : all) times.push_back(predict_times(*request, state.name, state.loops));
    const std::vector<std::string> differences = executed_differences(arguments, trace, all);
    if (arguments.json) {
        Json json = envelope("cost");
        json["file"] = display_name(arguments.file);
        json["safe"] = arguments.safe;
        json["states"] = Json::array();
        if (request) json["device"] = request->device.name;
        for (std::size_t i = 0; i < all.size(); ++i) {
            json["states"].push_back(state_json(all[i], unfused));
            if (request) json["states"].back()["times"] = times_json(*request, times[i]);
            if (arguments.execute) json["states"].back()["executed_same"] = differences[i].empty();
        }
        std::cout << to_text(json) << '\n';
        return executed_verdict(differences, all, true);
    }
    if (arguments.csv) {
        print_csv(all, unfused, request, times);
        return executed_verdict(differences, all, true);
    }
    const Style style = style_for(STDOUT_FILENO);
    std::vector<Row> rows = {{"state", "inputs", "outputs", "intermediates", "moved", "operations",
                              "of step 0", "op/byte", "local", "launches", "tasks"}};
    for (const State& state : all) rows.push_back(summary(state, unfused));
    print_table(rows, Align::Right, style);
    std::string notes;
    for (const State& state : all) notes += repeats_note(state.name, state.counts.replication(unfused));
    if (form.f32) notes += "counted in f32, as the engine of a processor runs it unless told otherwise\n";
    if (!notes.empty()) std::cout << '\n' << notes;
    if (request)
        print_times(*request, times, all.back().loops, style);
    else
        print_details(all.back(), style);
    if (arguments.execute) std::cout << '\n';
    return executed_verdict(differences, all, false);
}

}  // namespace blockscope::cli
