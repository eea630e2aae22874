#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/plan.h"
#include "app/cli/search_time.h"
#include "app/cli/terminal.h"
#include "app/worker/plan_run.h"
#include "app/worker/predict.h"
#include "app/worker/program_plan.h"
#include "core/cost/models/baseline.h"
#include "core/measure/sampling.h"
#include "core/plan/kinds.h"
#include "core/plan/steps.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"

namespace blockscope::cli {

namespace {

using plan::FusionGroup;

template <class T>
T read_or_refuse(Result<T> read, const char* option) {
    if (!read) throw UsageError(std::string(option) + ": " + read.problems().front().message.str());
    return std::move(read).value();
}

plan::Decided decided(const plan::Problem& problem, const std::vector<std::string>& names,
                      const std::string& way) {
    if (problem.nodes() > plan::kMostStepped)
        throw UsageError("--steps is of at most " + std::to_string(plan::kMostStepped) + " operators");
    return plan::find_stepped(way)->decide(problem, names);
}

// "{A, B} {B, C}": groups of more than one operator, those that are part of another left out.
std::string groups_text(const std::vector<FusionGroup>& groups, const std::vector<std::string>& names) {
    std::string text;
    for (const FusionGroup& group : std::set<FusionGroup>(groups.begin(), groups.end()))
        if (group.size() > 1) text += (text.empty() ? "{" : " {") + plan::names_of(group, names) + "}";
    return text;
}

double cost_of_all(const plan::Problem& problem, const std::vector<FusionGroup>& groups) {
    double cost = 0;
    for (const FusionGroup& group : groups) {
        if (!plan::is_candidate(problem, group)) return plan::kNever;
        cost += problem.cost(group);
    }
    return cost;
}

}  // namespace

plan::Decisions decisions_of(const PlanDecisionArguments& arguments, const plan::Dag& dag,
                             const std::vector<std::string>& names) {
    plan::Decisions made;
    for (const std::string& text : arguments.pin)
        made.kernels.push_back(read_or_refuse(plan::read_kernel(text, names), "--pin"));
    for (const std::string& text : arguments.apart)
        made.apart.push_back(read_or_refuse(plan::read_pair(text, names), "--apart"));
    if (const auto problem = plan::problem_with(dag, made, names)) throw UsageError(problem->str());
    return made;
}

std::vector<std::string> stepped_way_names() {
    std::vector<std::string> names;
    for (const plan::SteppedWay& way : plan::stepped_ways()) names.emplace_back(way.name);
    return names;
}

void print_steps(const plan::Problem& problem, const std::vector<std::string>& names, const std::string& way,
                 const Style& style) {
    const plan::Decided made = decided(problem, names, way);
    std::vector<Row> rows{{"step", "operators", "decision", "groups after it"}};
    for (std::size_t i = 0; i < made.steps.size(); ++i) {
        const plan::DecisionStep& step = made.steps[i];
        rows.push_back({std::to_string(i + 1), harmless(plan::names_of(step.nodes, names)),
                        (step.together ? "+ " : "  ") + harmless(step.why.str()),
                        harmless(groups_text(step.groups, names))});
    }
    print_table(rows, Align::Left, style);
    if (!made.note.empty()) std::cout << made.note.str() << '\n';
}

Json steps_json(const plan::Problem& problem, const std::vector<std::string>& names, const std::string& way) {
    const plan::Decided made = decided(problem, names, way);
    Json steps = json::Array{}, kernels = json::Array{};
    for (const plan::DecisionStep& step : made.steps) {
        Json groups = json::Array{};
        for (const FusionGroup& group : step.groups) groups.push_back(list_json(group));
        steps.push_back(json::Object{{"nodes", list_json(step.nodes)},
                                     {"together", step.together},
                                     {"why", step.why.str()},
                                     {"groups", std::move(groups)}});
    }
    for (const FusionGroup& kernel : made.groups) kernels.push_back(list_json(kernel));
    const double cost = cost_of_all(problem, made.groups);
    return json::Object{{"way", way},
                        {"steps", std::move(steps)},
                        {"kernels", std::move(kernels)},
                        {"value", cost == plan::kNever ? Json() : Json(cost)},
                        {"note", made.note.str()}};
}

namespace {

using worker::GroupCost;
using worker::GroupCosts;
using worker::ProgramWay;

std::string operators_text(const GroupCosts& costs, const plan::FusionGroup& kernel) {
    std::string text;
    for (const int node : kernel)
        text += (text.empty() ? "" : ", ") + costs.graph().names[static_cast<std::size_t>(node)] + " = " +
                plan::what_it_does(costs.whole(), costs.graph(), node);
    return text;
}

// "algorithmic rewrite, 79%": what it is, and what it saves, as the taxonomy of fusion counts.
std::string fusion_text(const GroupCosts& costs, const plan::FusionGroup& kernel) {
    const std::string title =
        plan::fusion_kind_row(plan::fusion_kind(costs.whole(), costs.graph(), kernel)).title.str();
    const double share = plan::kind_saving(costs.whole(), costs.graph(), kernel).share();
    return kernel.size() == 1 ? title : title + ", " + std::to_string(std::lround(100 * share)) + "%";
}

// Of a way without a plan.
std::string why_none(const GroupCosts& costs, const ProgramWay& way) {
    const std::string which = static_cast<int>(way.not_built.size()) == costs.graph().nodes()
                                  ? "all operators as one kernel"
                                  : plan::names_of(way.not_built, costs.graph().names);
    return which + " cannot be built: " + way.why_not.str();
}

// Of everything as one kernel, where that is several launches: which states of it have how many.
std::string launches_text(GroupCosts& costs, const ProgramWay& way) {
    if (way.states != worker::GroupState::Last) return "";
    for (const plan::FusionGroup& kernel : way.plan.kernels)
        if (const GroupCost& cost = costs.of(kernel, way.states); cost.least_launches > 1)
            return "no state is one launch: " + cost.state + " has " + std::to_string(cost.launches) +
                   (cost.least_launches < cost.launches
                        ? ", another one " + std::to_string(cost.least_launches)
                        : "");
    return "";
}

std::string proof_text(GroupCosts& costs, const ProgramWay& way) {
    const plan::Plan& made = way.plan;
    if (made.value == plan::kNever) return made.stopped ? made.bounded : why_none(costs, way);
    if (std::string said = launches_text(costs, way); !said.empty()) return said;
    if (made.optimal && way.name == "decided")
        return "no plan of these kernels that is so decided costs less";
    if (made.optimal) return "no plan of these kernels costs less";
    if (made.bounded.empty() || made.bound <= 0) return made.bounded;
    return made.bounded + "; all products at their peak would take " + seconds_text(made.bound) +
           ", so that it is at most " + times_text(made.value / made.bound) + " times the least";
}

Json kernel_json(GroupCosts& costs, const plan::FusionGroup& kernel, worker::GroupState which) {
    const GroupCost& cost = costs.of(kernel, which);
    Json operators = json::Array{}, blocks = json::Object{};
    for (const int node : kernel)
        operators.push_back(
            json::Object{{"name", costs.graph().names[static_cast<std::size_t>(node)]},
                         {"operator", plan::what_it_does(costs.whole(), costs.graph(), node)}});
    const ArrayProgram program = costs.program(kernel, which);
    for (const Dim& dim : program.dims) blocks[dim.name] = dim.block;
    return json::Object{
        {"operators", std::move(operators)},
        {"seconds", cost.seconds},
        {"predicted", cost.predicted},
        {"state", cost.state},
        {"step", cost.step},
        {"blocks", std::move(blocks)},
        {"launches", cost.launches},
        {"least_launches", cost.least_launches},
        {"bytes", cost.bytes},
        {"local_bytes", cost.local_bytes},
        {"binds", cost.binding},
        {"fusion", plan::fusion_kind_row(plan::fusion_kind(costs.whole(), costs.graph(), kernel)).name},
        {"fusion_saves", plan::kind_saving(costs.whole(), costs.graph(), kernel).share()},
        {"program", print_program(program)}};
}

Json way_json(GroupCosts& costs, const ProgramWay& way) {
    const plan::Plan& made = way.plan;
    Json kernels = json::Array{};
    for (const plan::FusionGroup& kernel : made.kernels)
        kernels.push_back(kernel_json(costs, kernel, way.states));
    Json json = json::Object{{"value", made.value == plan::kNever ? Json() : Json(made.value)},
                             {"kernels", std::move(kernels)},
                             {"launches", sums_of(costs, way).launches},
                             {"optimal", made.optimal}};
    if (made.states > 0) json["states"] = made.states;
    if (made.bound > 0) json["bound"] = made.bound;
    if (!made.bounded.empty()) json["bounded"] = made.bounded;
    if (made.value == plan::kNever && !made.stopped) json["why_not"] = why_none(costs, way);
    return json;
}

// How long others' kernels take, by the figures that are known of them: the same as `cost` prints.
std::vector<BaselineSeconds> others(const GroupCosts& costs) {
    const ArrayProgram program = in_types(costs.whole(), worker::built_form(costs.device()).stored);
    std::vector<BaselineSeconds> all;
    for (const BaselineKind kind : {BaselineKind::Library, BaselineKind::Compiler, BaselineKind::Operators})
        all.push_back({kind, predict_baseline(baseline(program, kind), costs.device()).seconds});
    return all;
}

Json plan_json(GroupCosts& costs, const std::vector<ProgramWay>& ways, const std::string& file) {
    Json json = envelope("plan");
    add_members(json, json::Object{{"file", file},
                                   {"device", costs.device().name},
                                   {"operators", costs.graph().nodes()},
                                   {"candidates", static_cast<std::int64_t>(costs.candidates())},
                                   {"searched", static_cast<std::int64_t>(costs.searched())},
                                   {"most_operators", static_cast<std::int64_t>(costs.most_operators())},
                                   {"left_out", costs.left_out()}});
    json["ways"] = json::Object{};
    for (const ProgramWay& way : ways) json["ways"][way.name] = way_json(costs, way);
    json["baselines"] = json::Object{};
    for (const BaselineSeconds& other : others(costs))
        json["baselines"][to_string(other.kind)] = other.seconds;
    return json;
}

void print_ways(GroupCosts& costs, const std::vector<ProgramWay>& ways, const Style& style) {
    const double best = ways.front().plan.value;
    std::vector<Row> rows{{"way", "time", "times", "kernels", "launches", "traffic", "local", "name", ""}};
    for (const ProgramWay& way : ways) {
        const plan::Plan& made = way.plan;
        const bool some = made.value < plan::kNever;
        const worker::WaySums sums = sums_of(costs, way);
        rows.push_back({plan::way_title(way.name).str(), some ? seconds_text(made.value) : "-",
                        some ? times_text(made.value / best) : "-",
                        some ? std::to_string(made.kernels.size()) : "-",
                        some ? std::to_string(sums.launches) : "-", some ? bytes_text_of(sums.bytes) : "-",
                        some ? bytes_text_of(sums.local_bytes) : "-", way.name, proof_text(costs, way)});
    }
    print_table(rows, Align::Left, style);
}

void print_kernels(GroupCosts& costs, const ProgramWay& way, const Style& style) {
    std::vector<Row> rows{
        {"kernel", "time", "launches", "binds", "traffic", "state", "blocks", "fusion", "operators"}};
    int number = 0;
    for (const plan::FusionGroup& kernel : way.plan.kernels) {
        const GroupCost& cost = costs.of(kernel, way.states);
        rows.push_back({std::to_string(++number), seconds_text(cost.seconds), std::to_string(cost.launches),
                        cost.binding, bytes_text_of(cost.bytes), cost.state,
                        worker::short_blocks(costs.program(kernel, way.states).dims),
                        fusion_text(costs, kernel), harmless(operators_text(costs, kernel))});
    }
    print_table(rows, Align::Left, style);
}

void print_others(const GroupCosts& costs, double best) {
    std::cout << "\nOthers' own kernels, by what is known of them:\n";
    for (const BaselineSeconds& other : others(costs))
        std::cout << "  " << baseline_title(other.kind).str() << ": " << seconds_text(other.seconds)
                  << "; the plan is " << compared_with(best, other).str() << '\n';
}

// ---- Running.

std::vector<worker::MeasuredPlan> measured(GroupCosts& costs, const std::vector<ProgramWay>& ways,
                                           int rounds) {
    StatusLine status;
    status.show("running " + std::to_string(ways.size()) + " plans in turns");
    return worker::race_plans(costs, ways, rounds);
}

std::string short_number(double value) {
    std::ostringstream text;
    text.precision(2);
    text << value;
    return text.str();
}

void print_measured(const std::vector<ProgramWay>& ways, const std::vector<worker::MeasuredPlan>& measured,
                    const Style& style) {
    std::vector<Row> rows{
        {"way", "predicted", "measured", "95% of medians", "times", "differs by", "from reference"}};
    const worker::MeasuredPlan& first = measured.front();
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const worker::MeasuredPlan& one = measured[i];
        if (!one.problem.empty()) {
            rows.push_back({ways[i].name, "-", "-", "-", "-", harmless(one.problem), "-"});
            continue;
        }
        const measure::Summary summary = measure::summarize(one.seconds);
        std::string times = "-";
        if (!first.seconds.empty()) {
            const measure::Ratio ratio = measure::paired_ratio(one.seconds, first.seconds);
            times = ratio.tie() ? "not different" : times_text(ratio.median);
        }
        rows.push_back({ways[i].name, seconds_text(ways[i].plan.value), seconds_text(summary.median),
                        seconds_text(summary.interval.low) + " to " + seconds_text(summary.interval.high),
                        times, short_number(one.difference),
                        one.from_reference ? short_number(*one.from_reference) : "-"});
    }
    std::cout << "\nRun here, " << first.seconds.size()
              << " rounds in turns (kernels read copies of what others made; copying is not counted):\n";
    print_table(rows, Align::Left, style);
    for (const worker::MeasuredPlan& one : measured) {
        if (one.checked.empty()) continue;
        std::cout << (one.from_reference ? "From reference: " : "") << one.checked << '\n';
        break;
    }
}

Json measured_json(const worker::MeasuredPlan& one) {
    if (!one.problem.empty()) return json::Object{{"problem", one.problem}};
    return json::Object{{"seconds", list_json(one.seconds)},
                        {"kernel_seconds", list_json(one.kernel_seconds)},
                        {"difference", one.difference},
                        {"from_reference", one.from_reference ? Json(*one.from_reference) : Json()},
                        {"checked", one.checked}};
}

// ---- Handing over.

Result<gpu::KernelSet> kernels_of(const State& state, const Device& device) {
    const worker::BuildPlan build = worker::build_plan(state, device);
    gpu::CodegenOptions options;
    options.target = gpu::target_named(build.target).value_or(gpu::Target::F32);
    options.parts = 0;
    options.device = &device;
    return gpu::generate(state.loops(), options);
}

// kernel-1.bp, kernel-1.listing.txt and on cards kernel-1.cu for each kernel, plan.cu with all of them, and
// plan.json. Says how much of that is CUDA.
std::string hand_over(GroupCosts& costs, const ProgramWay& way, const std::string& folder, const Json& json) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw UsageError("cannot make the folder " + folder + ": " + failed.message());
    int number = 0;
    std::vector<gpu::KernelSet> sets;
    for (const plan::FusionGroup& kernel : way.plan.kernels) {
        const std::string base =
            (std::filesystem::path(folder) / ("kernel-" + std::to_string(++number))).string();
        const State state = costs.state(kernel, way.states);
        write_file(base + ".bp", print_program(costs.program(kernel, way.states)));
        write_file(base + ".listing.txt", listing(state));
        if (costs.device().kind != DeviceKind::Gpu) continue;
        Result<gpu::KernelSet> set = kernels_of(state, costs.device());
        if (!set) {
            std::cerr << "kernel " << number
                      << ": no CUDA is generated of it: " << harmless(set.problems().front().message.str())
                      << '\n';
            continue;
        }
        write_file(base + ".cu", gpu::standalone_source(*set));
        sets.push_back(std::move(set).value());
    }
    if (!sets.empty() && sets.size() == way.plan.kernels.size())
        write_file((std::filesystem::path(folder) / "plan.cu").string(), gpu::plan_source(sets));
    write_file((std::filesystem::path(folder) / "plan.json").string(), to_text(json) + "\n");
    if (sets.empty()) return "";
    if (sets.size() == way.plan.kernels.size()) return " and CUDA, plan.cu with all launches";
    return ", CUDA of " + std::to_string(sets.size()) + " of " + std::to_string(way.plan.kernels.size());
}

// ---- Searching.

struct Found {
    std::vector<ProgramWay> ways;
    bool stopped = false;  // then of the kernels that were known by then
};

Found found_ways(GroupCosts& costs, const plan::Decisions& made, const ProgramPlanArguments& arguments) {
    worker::MeasureKernel measure;
    if (arguments.measure)
        measure = [&](const plan::FusionGroup& kernel, worker::GroupState which) {
            return worker::measure_kernel(costs, kernel, arguments.rounds.value_or(kUsualRounds), which);
        };
    Progress progress("candidates");
    const auto told = [&](std::size_t done, std::size_t of) {
        progress.at(static_cast<int>(done), static_cast<int>(of));
    };
    try {
        return {program_ways(costs, told, made, measure), false};
    } catch (const Stopped&) {
        return {worker::program_ways_so_far(costs, made), true};
    }
}

const ProgramWay& way_named(const std::vector<ProgramWay>& ways, const std::string& name) {
    if (name.empty()) return ways.front();
    std::string names;
    for (const ProgramWay& way : ways) {
        if (way.name == name) return way;
        names += (names.empty() ? "" : ", ") + way.name;
    }
    throw UsageError("there is no way " + name + "; there are " + names);
}

}  // namespace

int program_plan_command(const ProgramPlanArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    if (!loaded.array)
        throw UsageError(loaded.name + " holds a block program; plans are made of array programs");
    if (arguments.rounds && !arguments.run && !arguments.measure)
        throw UsageError("--rounds is of --run and --measure: without them nothing runs");
    const bool here = arguments.run || arguments.measure;
    if (here && !arguments.device.empty() && arguments.device != kLocalCpu)
        throw UsageError(std::string(arguments.run ? "--run" : "--measure") +
                         " is on this machine's processor, local-cpu, and not on " + arguments.device);
    const Stakes stakes = stakes_of({}, here ? kLocalCpu : arguments.device);
    SearchTime time(arguments.seconds);
    GroupCosts costs(*loaded.array, stakes.device.value(), time.sign());
    const plan::Decisions made = decisions_of(arguments.decisions, costs.graph(), costs.graph().names);
    const auto [ways, stopped] = found_ways(costs, made, arguments);
    time.over();
    if (stopped && ways.front().plan.kernels.empty()) {
        std::cerr << "no plan yet: " << ways.front().plan.bounded << '\n';
        return time.code();
    }
    const int code = stopped ? time.code() : kFine;
    const std::string wanted = arguments.way.empty() && !made.none() ? "decided" : arguments.way;
    const ProgramWay& shown = way_named(ways, wanted);
    std::vector<worker::MeasuredPlan> runs;
    if (arguments.run) runs = measured(costs, ways, arguments.rounds.value_or(kUsualRounds));
    const bool wants_json = arguments.json || !arguments.output.empty();
    Json json = wants_json ? plan_json(costs, ways, loaded.name) : Json();
    for (std::size_t i = 0; wants_json && i < runs.size(); ++i)
        json["ways"][ways[i].name]["measured"] = measured_json(runs[i]);
    const std::string cuda = arguments.output.empty() ? "" : hand_over(costs, shown, arguments.output, json);
    const std::string stepped = stopped ? "" : arguments.decisions.steps;
    if (arguments.json && !stepped.empty())
        json["decisions"] = steps_json(costs.problem(), costs.graph().names, stepped);
    if (arguments.json) {
        std::cout << to_text(json) << '\n';
        return code;
    }
    const Style style = style_for(STDOUT_FILENO);
    std::cout << "plans for " << harmless(costs.device().title)
              << (arguments.measure ? ", by measured time: " : ", by predicted time: ")
              << costs.graph().nodes() << " operators, " << costs.candidates() << " candidates, "
              << costs.searched() << " of them different\n";
    if (costs.left_out())
        std::cout << "candidates have at most " << costs.most_operators()
                  << " operators: with more they would be too many\n";
    print_ways(costs, ways, style);
    std::cout << "\nKernels, " << plan::way_title(shown.name).str() << ":\n";
    if (shown.plan.kernels.empty()) std::cout << "  none: " << harmless(proof_text(costs, shown)) << '\n';
    print_kernels(costs, shown, style);
    if (shown.plan.value < plan::kNever) print_others(costs, shown.plan.value);
    if (!arguments.measure && !not_calibrated(costs.device()).empty())
        std::cout << not_calibrated(costs.device()).str() << '\n';
    if (!stepped.empty()) {
        std::cout << "\nDecisions, " << stepped << ":\n";
        print_steps(costs.problem(), costs.graph().names, stepped, style);
    }
    if (!runs.empty()) print_measured(ways, runs, style);
    if (!arguments.output.empty())
        std::cout << "\nwritten to " << harmless_name(arguments.output)
                  << ": each kernel's program and listing" << cuda << ", and plan.json\n";
    return code;
}

}  // namespace blockscope::cli
