#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/plan.h"
#include "app/cli/terminal.h"
#include "app/worker/plan_run.h"
#include "app/worker/predict.h"
#include "app/worker/program_plan.h"
#include "core/cost/models/baseline.h"
#include "core/measure/sampling.h"
#include "core/plan/kinds.h"
#include "core/plan/steps.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/plan_source.h"
#include "gpu/driver/for_card.h"

namespace blockscope::cli {

namespace {

using plan::Kernel;

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
std::string groups_text(const std::vector<Kernel>& groups, const std::vector<std::string>& names) {
    std::string text;
    for (const Kernel& group : std::set<Kernel>(groups.begin(), groups.end()))
        if (group.size() > 1) text += (text.empty() ? "{" : " {") + plan::names_of(group, names) + "}";
    return text;
}

double cost_of_all(const plan::Problem& problem, const std::vector<Kernel>& groups) {
    double cost = 0;
    for (const Kernel& group : groups) {
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
        for (const Kernel& group : step.groups) groups.push_back(list_json(group));
        steps.push_back(json::Object{{"nodes", list_json(step.nodes)},
                                     {"together", step.together},
                                     {"why", step.why.str()},
                                     {"groups", std::move(groups)}});
    }
    for (const Kernel& kernel : made.groups) kernels.push_back(list_json(kernel));
    const double cost = cost_of_all(problem, made.groups);
    return json::Object{{"way", way},
                        {"steps", std::move(steps)},
                        {"kernels", std::move(kernels)},
                        {"value", cost == plan::kNever ? Json() : Json(cost)},
                        {"note", made.note.str()}};
}

namespace {

using worker::KernelCost;
using worker::KernelCosts;
using worker::ProgramWay;

// What one way comes to.
struct Sums {
    double bytes = 0;
    int launches = 0;
    double local_bytes = 0;
};

Sums sums_of(KernelCosts& costs, const plan::Plan& made) {
    Sums sums;
    for (const plan::Kernel& kernel : made.kernels) {
        const KernelCost& cost = costs.of(kernel);
        sums.bytes += cost.bytes;
        sums.launches += cost.launches;
        sums.local_bytes = std::max(sums.local_bytes, cost.local_bytes);
    }
    return sums;
}

std::string operators_text(const KernelCosts& costs, const plan::Kernel& kernel) {
    std::string text;
    for (const int node : kernel)
        text += (text.empty() ? "" : ", ") + costs.graph().names[static_cast<std::size_t>(node)] + " = " +
                plan::what_it_does(costs.whole(), costs.graph(), node);
    return text;
}

std::string blocks_text(const ArrayProgram& program) {
    std::string text;
    for (const Dim& dim : program.dims)
        if (dim.kind == DimKind::Blocked)
            text += (text.empty() ? "" : " ") + dim.name + "/" + std::to_string(dim.block);
    return text;
}

// "algorithmic rewrite, 79%": what it is, and what it saves, as the taxonomy of fusion counts.
std::string fusion_text(const KernelCosts& costs, const plan::Kernel& kernel) {
    const std::string title =
        plan::fusion_kind_row(plan::fusion_kind(costs.whole(), costs.graph(), kernel)).title.str();
    const double share = plan::kind_saving(costs.whole(), costs.graph(), kernel).share();
    return kernel.size() == 1 ? title : title + ", " + std::to_string(std::lround(100 * share)) + "%";
}

// Of ways that need a kernel of many operators.
std::string why_none(const KernelCosts& costs) {
    return "a kernel would have more than " + std::to_string(costs.most_operators()) + " operators";
}

std::string proof_text(const KernelCosts& costs, const plan::Plan& made) {
    if (made.value == plan::kNever) return why_none(costs);
    if (made.optimal) return "no plan of these kernels costs less";
    if (made.bounded.empty() || made.bound <= 0) return made.bounded;
    return made.bounded + "; all products at their peak would take " + seconds_text(made.bound) +
           ", so that it is at most " + times_text(made.value / made.bound) + " times the least";
}

Json kernel_json(KernelCosts& costs, const plan::Kernel& kernel) {
    const KernelCost& cost = costs.of(kernel);
    Json operators = json::Array{}, blocks = json::Object{};
    for (const int node : kernel)
        operators.push_back(
            json::Object{{"name", costs.graph().names[static_cast<std::size_t>(node)]},
                         {"operator", plan::what_it_does(costs.whole(), costs.graph(), node)}});
    const ArrayProgram program = costs.program(kernel);
    for (const Dim& dim : program.dims) blocks[dim.name] = dim.block;
    return json::Object{
        {"operators", std::move(operators)},
        {"seconds", cost.seconds},
        {"predicted", cost.predicted},
        {"state", cost.state},
        {"step", cost.step},
        {"blocks", std::move(blocks)},
        {"launches", cost.launches},
        {"bytes", cost.bytes},
        {"local_bytes", cost.local_bytes},
        {"binds", cost.binding},
        {"fusion", plan::fusion_kind_row(plan::fusion_kind(costs.whole(), costs.graph(), kernel)).name},
        {"fusion_saves", plan::kind_saving(costs.whole(), costs.graph(), kernel).share()},
        {"program", print_program(program)}};
}

Json way_json(KernelCosts& costs, const ProgramWay& way) {
    const plan::Plan& made = way.plan;
    Json kernels = json::Array{};
    for (const plan::Kernel& kernel : made.kernels) kernels.push_back(kernel_json(costs, kernel));
    Json json = json::Object{{"value", made.value == plan::kNever ? Json() : Json(made.value)},
                             {"kernels", std::move(kernels)},
                             {"optimal", made.optimal}};
    if (made.states > 0) json["states"] = made.states;
    if (!made.bounded.empty()) json["bounded"] = made.bounded;
    if (made.value == plan::kNever) json["why_not"] = why_none(costs);
    return json;
}

// How long others' kernels take, by the figures that are known of them: the same as `cost` prints.
std::vector<BaselineSeconds> others(const KernelCosts& costs) {
    std::vector<BaselineSeconds> all;
    for (const BaselineKind kind : {BaselineKind::Library, BaselineKind::Compiler, BaselineKind::Operators})
        all.push_back({kind, predict_baseline(baseline(costs.whole(), kind), costs.device()).seconds});
    return all;
}

Json plan_json(KernelCosts& costs, const std::vector<ProgramWay>& ways, const std::string& file) {
    Json json = envelope("plan");
    add_members(json, json::Object{{"file", file},
                                   {"device", costs.device().name},
                                   {"operators", costs.graph().nodes()},
                                   {"candidates", static_cast<std::int64_t>(costs.candidates())},
                                   {"searched", static_cast<std::int64_t>(costs.searched())}});
    json["ways"] = json::Object{};
    for (const ProgramWay& way : ways) json["ways"][way.name] = way_json(costs, way);
    json["baselines"] = json::Object{};
    for (const BaselineSeconds& other : others(costs))
        json["baselines"][to_string(other.kind)] = other.seconds;
    return json;
}

void print_ways(KernelCosts& costs, const std::vector<ProgramWay>& ways, const Style& style) {
    const double best = ways.front().plan.value;
    std::vector<Row> rows{{"way", "time", "times", "kernels", "traffic", "local", "name", ""}};
    for (const ProgramWay& way : ways) {
        const plan::Plan& made = way.plan;
        const bool some = made.value < plan::kNever;
        const Sums sums = sums_of(costs, made);
        rows.push_back({plan::way_title(way.name).str(), some ? seconds_text(made.value) : "-",
                        some ? times_text(made.value / best) : "-",
                        some ? std::to_string(made.kernels.size()) : "-",
                        some ? bytes_text_of(sums.bytes) : "-", some ? bytes_text_of(sums.local_bytes) : "-",
                        way.name, proof_text(costs, made)});
    }
    print_table(rows, Align::Left, style);
}

void print_kernels(KernelCosts& costs, const ProgramWay& way, const Style& style) {
    std::vector<Row> rows{{"kernel", "time", "binds", "traffic", "state", "blocks", "fusion", "operators"}};
    int number = 0;
    for (const plan::Kernel& kernel : way.plan.kernels) {
        const KernelCost& cost = costs.of(kernel);
        const std::string launches =
            cost.launches > 1 ? " (" + std::to_string(cost.launches) + " launches)" : "";
        rows.push_back({std::to_string(++number), seconds_text(cost.seconds), cost.binding,
                        bytes_text_of(cost.bytes), cost.state + launches, blocks_text(costs.program(kernel)),
                        fusion_text(costs, kernel), harmless(operators_text(costs, kernel))});
    }
    print_table(rows, Align::Left, style);
}

void print_others(const KernelCosts& costs, double best) {
    std::cout << "\nOthers' own kernels, by what is known of them:\n";
    for (const BaselineSeconds& other : others(costs))
        std::cout << "  " << baseline_title(other.kind).str() << ": " << seconds_text(other.seconds)
                  << "; the plan is " << compared_with(best, other).str() << '\n';
}

// ---- Running.

std::vector<worker::MeasuredPlan> measured(KernelCosts& costs, const std::vector<ProgramWay>& ways,
                                           int rounds) {
    StatusLine status;
    status.show("running " + std::to_string(ways.size()) + " plans in turns");
    std::vector<plan::Plan> plans;
    for (const ProgramWay& way : ways) plans.push_back(way.plan);
    return worker::race_plans(costs, plans, rounds);
}

void print_measured(const std::vector<ProgramWay>& ways, const std::vector<worker::MeasuredPlan>& measured,
                    const Style& style) {
    std::vector<Row> rows{{"way", "predicted", "measured", "95% of medians", "times", "differs by"}};
    const worker::MeasuredPlan& first = measured.front();
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const worker::MeasuredPlan& one = measured[i];
        if (!one.problem.empty()) {
            rows.push_back({ways[i].name, "-", "-", "-", "-", harmless(one.problem)});
            continue;
        }
        const measure::Summary summary = measure::summarize(one.seconds);
        std::string times = "-";
        if (!first.seconds.empty()) {
            const measure::Ratio ratio = measure::paired_ratio(one.seconds, first.seconds);
            times = ratio.tie() ? "not different" : times_text(ratio.median);
        }
        std::ostringstream difference;
        difference.precision(2);
        difference << one.difference;
        rows.push_back({ways[i].name, seconds_text(ways[i].plan.value), seconds_text(summary.median),
                        seconds_text(summary.interval.low) + " to " + seconds_text(summary.interval.high),
                        times, difference.str()});
    }
    std::cout << "\nRun here, " << first.seconds.size()
              << " rounds in turns (kernels read copies of what others made; copying is not counted):\n";
    print_table(rows, Align::Left, style);
}

Json measured_json(const worker::MeasuredPlan& one) {
    if (!one.problem.empty()) return json::Object{{"problem", one.problem}};
    return json::Object{{"seconds", list_json(one.seconds)},
                        {"kernel_seconds", list_json(one.kernel_seconds)},
                        {"difference", one.difference}};
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
// plan.json.
void hand_over(KernelCosts& costs, const ProgramWay& way, const std::string& folder, const Json& json) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw UsageError("cannot make the folder " + folder + ": " + failed.message());
    int number = 0;
    std::vector<gpu::KernelSet> sets;
    for (const plan::Kernel& kernel : way.plan.kernels) {
        const std::string base =
            (std::filesystem::path(folder) / ("kernel-" + std::to_string(++number))).string();
        const State state = costs.state(kernel);
        write_file(base + ".bp", print_program(costs.program(kernel)));
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
}

// ---- Searching.

std::atomic<bool> interrupted = false;

extern "C" void on_interrupt_of_a_search(int) {
    interrupted = true;
}

// While it lives, Ctrl-C asks for the best plan so far, as the time that was given does when it is over.
class SearchTime {
public:
    explicit SearchTime(double seconds)
        : end_(std::chrono::steady_clock::now() +
               std::chrono::duration<double>(seconds > 0 ? seconds : 1e9)) {
        std::signal(SIGINT, on_interrupt_of_a_search);
    }
    ~SearchTime() { over(); }
    // From here on Ctrl-C ends the program.
    void over() {
        over_ = true;
        handle_interrupts();
    }
    const StopSign& sign() const { return sign_; }

private:
    std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
    bool over_ = false;
    StopSign sign_{[this] { return !over_ && (interrupted || std::chrono::steady_clock::now() >= end_); }};
};

struct Found {
    std::vector<ProgramWay> ways;
    bool stopped = false;  // then the best plan so far alone
};

Found found_ways(KernelCosts& costs, const plan::Decisions& made, const ProgramPlanArguments& arguments) {
    worker::MeasureKernel measure;
    if (arguments.measure)
        measure = [&](const plan::Kernel& kernel) {
            return worker::measure_kernel(costs, kernel, arguments.rounds);
        };
    Progress progress("candidates");
    const auto told = [&](std::size_t done, std::size_t of) {
        progress.at(static_cast<int>(done), static_cast<int>(of));
    };
    try {
        return {program_ways(costs, told, made, measure), false};
    } catch (const Stopped&) {
        return {{{"exact", costs.best_so_far()}}, true};
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
    const bool here = arguments.run || arguments.measure;
    if (here && !arguments.device.empty() && arguments.device != kLocalCpu)
        throw UsageError(std::string(arguments.run ? "--run" : "--measure") +
                         " is on this machine's processor, local-cpu, and not on " + arguments.device);
    const Stakes stakes = stakes_of({}, here ? kLocalCpu : arguments.device);
    SearchTime time(arguments.seconds);
    KernelCosts costs(*loaded.array, stakes.device.value(), time.sign());
    const plan::Decisions made = decisions_of(arguments.decisions, costs.graph(), costs.graph().names);
    const auto [ways, stopped] = found_ways(costs, made, arguments);
    time.over();
    if (stopped && ways.front().plan.kernels.empty()) {
        std::cerr << "no plan yet: " << ways.front().plan.bounded << '\n';
        return interrupted ? kInterrupted : kPartial;
    }
    const int code = !stopped ? kFine : interrupted ? kInterrupted : kPartial;
    const std::string wanted = arguments.way.empty() && !made.none() ? "decided" : arguments.way;
    const ProgramWay& shown = way_named(ways, stopped ? "exact" : wanted);
    std::vector<worker::MeasuredPlan> runs;
    if (arguments.run) runs = measured(costs, ways, arguments.rounds);
    const bool wants_json = arguments.json || !arguments.output.empty();
    Json json = wants_json ? plan_json(costs, ways, loaded.name) : Json();
    for (std::size_t i = 0; wants_json && i < runs.size(); ++i)
        json["ways"][ways[i].name]["measured"] = measured_json(runs[i]);
    if (!arguments.output.empty()) hand_over(costs, shown, arguments.output, json);
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
    print_ways(costs, ways, style);
    std::cout << "\nKernels, " << plan::way_title(shown.name).str() << ":\n";
    if (shown.plan.kernels.empty()) std::cout << "  none: " << why_none(costs) << '\n';
    print_kernels(costs, shown, style);
    if (shown.plan.value < plan::kNever) print_others(costs, shown.plan.value);
    if (!stepped.empty()) {
        std::cout << "\nDecisions, " << stepped << ":\n";
        print_steps(costs.problem(), costs.graph().names, stepped, style);
    }
    if (!runs.empty()) print_measured(ways, runs, style);
    if (!arguments.output.empty())
        std::cout << "\nwritten to " << harmless_name(arguments.output)
                  << ": each kernel's program and listing"
                  << (costs.device().kind == DeviceKind::Gpu ? " and CUDA, plan.cu with all launches" : "")
                  << ", and plan.json\n";
    return code;
}

}  // namespace blockscope::cli
