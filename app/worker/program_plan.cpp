#include "app/worker/program_plan.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "app/worker/predict.h"
#include "core/cost/models/baseline.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/state/choose.h"

namespace blockscope::worker {

namespace {

// Operators that a candidate has at most, of programs that have more than a few; candidates that are looked
// at.
constexpr std::size_t kMostOperators = 12;
constexpr std::size_t kFewOperators = 24;
constexpr std::size_t kMostCandidates = 100'000;
constexpr double kHopeless = 1.5;  // times what its operators cost as a kernel each
constexpr double kAnything = 1e9;  // seconds
constexpr int kMostRounds = 8;     // of refining and deciding again
constexpr int kMostMeasuredRounds = 64;
constexpr std::int64_t kSoFarEffort = 2'000'000;  // of a plan that others wait for

KernelWork work_of(double matrix, ElemType elem) {
    KernelWork work;
    work.matrix = matrix;
    work.elem = elem;
    return work;
}

const std::string kOneKernel = "one";

bool kernel_is_unknown(const ArrayProgram& kernel) {
    return std::any_of(kernel.ops.begin(), kernel.ops.end(),
                       [](const ArrayOp& op) { return op.kind == ArrayOpKind::Custom; });
}

// The kernels that the state is built as.
int launches_of(const State& state, const Device& device) {
    return static_cast<int>(work_on(state, device).kernels.size());
}

double largest_cache(const Device& device) {
    double most = 0;
    for (const MemoryLevel& level : device.memory)
        if (level.role != LevelRole::Memory) most = std::max(most, level.capacity.value);
    return most;
}

}  // namespace

GroupCosts::GroupCosts(ArrayProgram program, Device device, const StopSign& stop)
    : program_(std::move(program)),
      device_(std::move(device)),
      stop_(stop),
      graph_(plan::operator_graph(program_)),
      most_operators_(graph_.op.size() <= kFewOperators ? kFewOperators : kMostOperators) {
    for (std::size_t node = 0; node < graph_.op.size(); ++node) {
        const double flops = graph_.flops[node];
        if (flops == 0) {
            matrix_seconds_.push_back(0);
            continue;
        }
        const int left = program_.ops[static_cast<std::size_t>(graph_.op[node])].operands[0];
        const ElemType elem = program_.ops[static_cast<std::size_t>(left)].elem;
        matrix_seconds_.push_back(unit_seconds(work_of(flops, elem), device_, false).matrix);
    }
}

ArrayProgram GroupCosts::program(const plan::FusionGroup& kernel, GroupState which) {
    const GroupCost& cost = of(kernel, which);
    ArrayProgram made = plan::group_program(program_, graph_, kernel).value();
    for (std::size_t d = 0; d < made.dims.size() && d < cost.blocks.size(); ++d)
        made.dims[d].block = cost.blocks[d];
    return made;
}

State GroupCosts::state(const plan::FusionGroup& kernel, GroupState which) {
    const Trace trace =
        fuse(std::make_shared<const BlockProgram>(to_block_program(program(kernel, which)).program));
    return State(trace.state(of(kernel, which).step), built_form(device_));
}

bool GroupCosts::is_unknown(int node) const {
    return program_.ops[static_cast<std::size_t>(graph_.op[static_cast<std::size_t>(node)])].kind ==
           ArrayOpKind::Custom;
}

std::optional<Text> GroupCosts::no_candidate(const plan::FusionGroup& kernel) const {
    const auto all = static_cast<std::size_t>(graph_.nodes());
    if (kernel.size() > most_operators_ && (kernel.size() < all || all > kFewOperators))
        return Text("kernels of more than %1 operators are not looked at", most_operators_);
    for (const int node : kernel)
        if (kernel.size() > 1 && is_unknown(node))
            return Text("nobody knows what %1 computes, so that it cannot be generated into a kernel",
                        plan::what_it_does(program_, graph_, node));
    return std::nullopt;
}

GroupCosts::Known& GroupCosts::known(const plan::FusionGroup& kernel, GroupState which) {
    KnownByKey& all = which == GroupState::Best ? by_key_ : last_by_key_;
    const auto key_before = key_of_.find(kernel);
    if (key_before != key_of_.end())
        if (const auto found = all.find(key_before->second); found != all.end()) return found->second;
    Known made;
    std::string key;
    std::optional<Text> why_not = no_candidate(kernel);
    if (!why_not) {
        const Result<ArrayProgram> program = plan::group_program(program_, graph_, kernel);
        if (program) {
            key = plan::key_up_to_names(*program);
            Wanted wanted{.which = which, .alone = kernel.size() == 1};
            if (which == GroupState::Best && !all.contains(key)) wanted.separate = separate_seconds(kernel);
            if (!all.contains(key)) made = {search(*program, wanted, stop_), which == GroupState::Last};
        } else {
            why_not = program.problems().front().message;
        }
    }
    if (why_not) {
        key = why_not->str();
        made = {{.why_not = *why_not}, true};
    }
    key_of_[kernel] = key;
    return all.emplace(key, std::move(made)).first->second;
}

const GroupCost& GroupCosts::of(const plan::FusionGroup& kernel, GroupState which) {
    return known(kernel, which).cost;
}

bool GroupCosts::refine(const plan::FusionGroup& kernel) {
    Known& one = known(kernel);
    if (std::exchange(one.refined, true)) return false;
    GroupCost cost =
        search(plan::group_program(program_, graph_, kernel).value(), {.alone = kernel.size() == 1}, stop_);
    if (cost.seconds < one.cost.seconds) one.cost = std::move(cost);
    return true;
}

GroupCosts::Known* GroupCosts::same_as(const plan::FusionGroup& kernel, GroupState which) {
    const GroupCost& one = known(kernel, which).cost;
    KnownByKey& others = which == GroupState::Best ? last_by_key_ : by_key_;
    const auto found = others.find(key_of_.at(kernel));
    if (found == others.end()) return nullptr;
    const GroupCost& other = found->second.cost;
    return one.step == other.step && one.blocks == other.blocks ? &found->second : nullptr;
}

void GroupCosts::set_measured(const plan::FusionGroup& kernel, double seconds, GroupState which) {
    some_measured_ = true;
    for (Known* one : {&known(kernel, which), same_as(kernel, which)}) {
        if (!one) continue;
        one->cost.seconds = seconds;
        one->measured = true;
    }
}

bool GroupCosts::take_last(const plan::FusionGroup& kernel) {
    const Known& last = known(kernel, GroupState::Last);
    Known& best = known(kernel);
    if (last.cost.seconds >= best.cost.seconds) return false;
    best.cost = last.cost;
    best.measured = last.measured;
    return true;
}

bool GroupCosts::is_measured(const plan::FusionGroup& kernel, GroupState which) {
    return known(kernel, which).measured;
}

double GroupCosts::separate_seconds(const plan::FusionGroup& kernel) {
    if (kernel.size() == 1) return kAnything;
    double seconds = 0;
    for (const int node : kernel) seconds += std::min(kAnything, of({node}).seconds);
    return seconds;
}

void GroupCosts::search_all(const PlanProgress& progress) {
    std::vector<plan::FusionGroup> single;
    for (int node = 0; node < graph_.nodes(); ++node) single.push_back({node});
    search_those(single, {});
    const plan::Candidates all = plan::all_candidates(graph_, most_operators_, kMostCandidates);
    const auto nodes = static_cast<std::size_t>(graph_.nodes());
    left_out_ = all.most_nodes < std::min(most_operators_, nodes);
    if (left_out_) most_operators_ = all.most_nodes;
    search_those(all.kernels, progress);
}

// A program that is to be searched. Whoever searches it says when it is finished; the thread that asked for
// all of them reads it then.
struct GroupCosts::Task {
    std::string key;
    ArrayProgram program;
    Wanted wanted;
    GroupCost cost = {};
    std::unique_ptr<std::atomic<bool>> finished = std::make_unique<std::atomic<bool>>(false);
    bool kept = false;
};

std::vector<GroupCosts::Task> GroupCosts::tasks_of(const std::vector<plan::FusionGroup>& kernels) {
    std::vector<Task> tasks;
    std::set<std::string> keys;
    for (const plan::FusionGroup& kernel : kernels) {
        stop_.check();
        const auto key_before = key_of_.find(kernel);
        if (key_before != key_of_.end() && by_key_.contains(key_before->second)) continue;
        if (no_candidate(kernel)) continue;
        const Result<ArrayProgram> program = plan::group_program(program_, graph_, kernel);
        if (!program) continue;  // of() says why
        std::string key = plan::key_up_to_names(*program);
        if (!by_key_.contains(key) && keys.insert(key).second)
            tasks.push_back({.key = key,
                             .program = *program,
                             .wanted = {.separate = separate_seconds(kernel), .alone = kernel.size() == 1}});
        key_of_[kernel] = std::move(key);
    }
    return tasks;
}

void GroupCosts::keep_finished(std::vector<Task>& tasks) {
    for (Task& task : tasks) {
        if (task.kept || !*task.finished) continue;
        by_key_[task.key] = {std::move(task.cost), false};
        task.kept = true;
    }
}

void GroupCosts::search_those(const std::vector<plan::FusionGroup>& kernels, const PlanProgress& progress) {
    std::vector<Task> tasks = tasks_of(kernels);
    wanted_ = by_key_.size() + tasks.size();
    std::atomic<std::size_t> next = 0, done = 0;
    std::atomic<bool> ended = false;
    const StopSign end([&] { return ended.load(); });
    std::exception_ptr failure;
    std::mutex failing;
    // The thread that calls asks its own sign within a candidate, too: a large one takes long.
    const StopSign stop_or_end([&] {
        stop_.check();
        return ended.load();
    });
    const auto work = [&](const StopSign& sign, const std::function<void()>& between) {
        try {
            for (std::size_t i = next++; i < tasks.size(); i = next++) {
                tasks[i].cost = search(tasks[i].program, tasks[i].wanted, sign);
                *tasks[i].finished = true;
                ++done;
                between();
            }
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!ended.exchange(true)) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i)
        others.emplace_back(work, std::cref(end), [] {});
    work(stop_or_end, [&] {
        keep_finished(tasks);
        if (progress) progress(done, tasks.size());
        stop_.check();
    });
    for (std::thread& other : others) other.join();
    keep_finished(tasks);
    if (failure) std::rethrow_exception(failure);
}

plan::Problem GroupCosts::problem_so_far(GroupState which) const {
    const auto known = [this, which](const plan::FusionGroup& kernel) -> const GroupCost* {
        const KnownByKey& all = which == GroupState::Best ? by_key_ : last_by_key_;
        const auto key = key_of_.find(kernel);
        const auto found = key == key_of_.end() ? all.end() : all.find(key->second);
        return found == all.end() ? nullptr : &found->second.cost;
    };
    plan::Problem problem = problem_but_costs();
    problem.cost = [known](const plan::FusionGroup& kernel) {
        const GroupCost* cost = known(kernel);
        if (!cost) return plan::kNever;
        return cost->seconds;
    };
    problem.bound = problem.cost;
    problem.stop = &kNeverStop;
    problem.can_fuse = [known](const plan::FusionGroup& kernel) {
        const GroupCost* cost = known(kernel);
        return cost && cost->seconds < plan::kNever && cost->launches == 1;
    };
    if (some_measured_) problem.least = [](const std::vector<int>&) { return 0.0; };
    return problem;
}

std::string GroupCosts::how_far() const {
    return "stopped after " + std::to_string(by_key_.size()) + " of " +
           std::to_string(std::max(wanted_, by_key_.size())) + " kernels";
}

plan::Plan GroupCosts::best_so_far() const {
    const plan::Problem known = problem_so_far();
    plan::Plan plan = plan::exact_plan(known, kSoFarEffort);
    plan.optimal = false;
    plan.bound = known.least(all_nodes());
    plan.bounded = how_far();
    return plan;
}

GroupCost GroupCosts::search(const ArrayProgram& kernel, const Wanted& wanted, const StopSign& stop) const {
    stop.check();
    const Trace trace =
        fuse(std::make_shared<const BlockProgram>(to_block_program(kernel).program), [&stop](const Step&) {
            stop.check();
            return true;
        });
    const bool quick = wanted.separate < plan::kNever;
    SearchEffort effort = quick ? kQuickSearch : SearchEffort{};
    if (quick) effort.give_up_seconds = kHopeless * wanted.separate;
    effort.must_fit = device_.kind == DeviceKind::Gpu ? !kernel_is_unknown(kernel) : !wanted.alone;
    std::vector<ChosenState> states = unfused_and_snapshots(states_of(trace), built_form(device_));
    const std::vector<ChosenState> all = states;
    if (wanted.which == GroupState::Last) states = {states.back()};
    // The unfused state is the kernels of its operators, which are candidates themselves.
    if ((quick || !wanted.alone) && states.size() > 1) states.erase(states.begin());
    const PredictedSearch found = quick ? search_predicted(states, device_, 1, stop, {}, effort)
                                        : search_each(states, device_, 1, stop, effort);
    GroupCost cost;
    if (found.best.empty()) {
        cost.why_not = found.why_none;
        cost.no_room = found.no_room;
        return cost;
    }
    const PredictedChoice& best = found.best.front();
    const ChosenState& chosen = states[best.state];
    const State state = chosen.state.with_dims(best.dims);
    const StateWork work = work_on(state, device_);
    cost.seconds = cost.predicted = best.prediction.seconds;
    cost.state = chosen.name;
    cost.step = chosen.step;
    for (const Dim& dim : best.dims) cost.blocks.push_back(dim.block);
    cost.launches = cost.least_launches = static_cast<int>(work.kernels.size());
    for (const ChosenState& one : all)
        if (cost.least_launches > 1)
            cost.least_launches = std::min(cost.least_launches, launches_of(one.state, device_));
    cost.bytes = static_cast<double>(state.counts().bytes());
    for (const KernelWork& one : work.kernels) cost.local_bytes = std::max(cost.local_bytes, one.local_bytes);
    cost.binding = best.prediction.binding;
    cost.terms = best.prediction.terms;
    return cost;
}

// All products at the peak of their operands' type.
double GroupCosts::matrix_seconds(const plan::FusionGroup& nodes) const {
    double seconds = 0;
    for (const int node : nodes) seconds += matrix_seconds_[static_cast<std::size_t>(node)];
    return seconds;
}

// Whatever is left in caches need not come from memory.
double GroupCosts::bound(const plan::FusionGroup& kernel) const {
    const double bytes = plan::least_bytes(graph_, kernel) - largest_cache(device_);
    const double memory = std::max(0.0, bytes) / global_memory(device_).bandwidth.value;
    return std::max(matrix_seconds(kernel), memory);
}

std::vector<int> GroupCosts::all_nodes() const {
    std::vector<int> nodes(static_cast<std::size_t>(graph_.nodes()));
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
}

plan::Problem GroupCosts::problem_but_costs() const {
    plan::Problem problem;
    static_cast<plan::Dag&>(problem) = graph_;
    problem.stop = &stop_;
    problem.bytes = [this](const plan::FusionGroup& kernel) { return plan::least_bytes(graph_, kernel); };
    problem.too_large = [this](const plan::FusionGroup& kernel) {
        return kernel.size() > 1 &&
               std::any_of(kernel.begin(), kernel.end(), [this](int node) { return is_unknown(node); });
    };
    problem.least = [this](const std::vector<int>& nodes) { return matrix_seconds(nodes); };
    if (graph_.op.size() > most_operators_) problem.most_nodes = most_operators_;
    return problem;
}

plan::Problem GroupCosts::problem(GroupState which) {
    plan::Problem problem = problem_but_costs();
    problem.cost = [this, which](const plan::FusionGroup& kernel) { return of(kernel, which).seconds; };
    problem.can_fuse = [this, which](const plan::FusionGroup& kernel) {
        const GroupCost& cost = of(kernel, which);
        return cost.seconds < plan::kNever && cost.launches == 1;
    };
    problem.bound = [this](const plan::FusionGroup& kernel) { return bound(kernel); };
    if (!some_measured_) return problem;
    // What is known of peaks may be wrong of this machine.
    problem.bound = [](const plan::FusionGroup&) { return 0.0; };
    problem.least = [](const std::vector<int>&) { return 0.0; };
    return problem;
}

namespace {

// The operators of each kernel of a baseline; those that are no candidate one by one.
plan::Plan as_baseline(const GroupCosts& costs, const plan::Problem& problem, BaselineKind kind) {
    const plan::OperatorGraph& graph = costs.graph();
    std::map<int, int> node_of;
    for (int node = 0; node < graph.nodes(); ++node) node_of[graph.op[static_cast<std::size_t>(node)]] = node;
    std::vector<plan::FusionGroup> kernels;
    for (const BaselineKernel& from : baseline(costs.whole(), kind).kernels) {
        plan::FusionGroup kernel;
        for (const int op : from.ops)
            if (const auto node = node_of.find(op); node != node_of.end()) kernel.push_back(node->second);
        std::sort(kernel.begin(), kernel.end());
        if (kernel.empty()) continue;
        if (plan::is_candidate(graph, kernel))
            kernels.push_back(std::move(kernel));
        else
            for (const int node : kernel) kernels.push_back({node});
    }
    return plan::plan_of(problem, kernels);
}

struct BaselineWay {
    const char* name;
    BaselineKind kind;
};

// Beside those of any graph (core/plan/ways.h).
const std::vector<BaselineWay>& baseline_ways() {
    static const std::vector<BaselineWay> rows = {
        {"compiler", BaselineKind::Compiler},
        {"library", BaselineKind::Library},
    };
    return rows;
}

// What keeps a way from having a plan: an operator that cannot be built alone, all of them together, or what
// somebody has decided.
void find_reason(ProgramWay& way, GroupCosts& costs, const plan::Decisions& made) {
    std::vector<plan::FusionGroup> asked = plan::connected_parts(costs.graph());
    if (way.states == GroupState::Best) {
        asked = made.kernels;
        for (int node = 0; node < costs.graph().nodes(); ++node) asked.push_back({node});
    }
    for (const plan::FusionGroup& kernel : asked) {
        const GroupCost& cost = costs.of(kernel, way.states);
        if (cost.seconds < plan::kNever) continue;
        way.not_built = kernel;
        way.why_not = cost.why_not;
        return;
    }
}

// What one round of deciding leaves to the next.
struct Rounds {
    std::int64_t effort = plan::kEffort;        // that is left
    std::vector<plan::FusionGroup> exact = {};  // of the exact plan
};

// In the order in which they are shown.
std::vector<ProgramWay> sorted_ways(const std::vector<plan::NamedPlan>& plans) {
    std::vector<ProgramWay> sorted;
    std::vector<std::string> names = program_way_names();
    names.emplace_back("decided");
    for (const std::string& name : names)
        for (const plan::NamedPlan& one : plans)
            if (one.way == name)
                sorted.push_back({.name = name,
                                  .plan = one.plan,
                                  .states = name == kOneKernel ? GroupState::Last : GroupState::Best});
    return sorted;
}

// Where the exact way gave up, what somebody has decided may be better: then it is the best that is known.
void take_decided(std::vector<plan::NamedPlan>& plans) {
    const plan::Plan& decided = plans.back().plan;
    for (plan::NamedPlan& one : plans)
        if (one.way == "exact" && !one.plan.optimal && decided.value < one.plan.value) {
            one.plan.value = decided.value;
            one.plan.kernels = decided.kernels;
            one.plan.bounded = "nothing better is known than what was decided";
        }
}

// The exact way begins with the best of all others. `last` has the costs of last states.
std::vector<ProgramWay> decided(const GroupCosts& costs, const plan::Problem& problem,
                                const plan::Problem& last, const plan::Decisions& made, Rounds& rounds) {
    std::vector<plan::NamedPlan> plans = plan::quick_plans(problem);
    for (const BaselineWay& row : baseline_ways())
        plans.push_back({row.name, as_baseline(costs, problem, row.kind)});
    if (!rounds.exact.empty())
        plans.push_back({"the plan found before", plan::plan_of(problem, rounds.exact)});
    const std::int64_t effort = rounds.effort / (made.none() ? 2 : 4);
    plan::add_searched(problem, effort, plans);
    rounds.exact = plans.back().plan.kernels;
    if (!made.none()) {
        const plan::Way exact{"exact",
                              [effort](const plan::Problem& rest) { return plan::exact_plan(rest, effort); }};
        plans.push_back({"decided", plan::decided_plan(problem, made, exact)});
        take_decided(plans);
    }
    for (plan::NamedPlan& one : plans) {
        rounds.effort -= one.plan.effort;
        if (one.way == kOneKernel) one.plan = plan::one_kernel(last);
    }
    return sorted_ways(plans);
}

std::vector<ProgramWay> decided(GroupCosts& costs, const plan::Decisions& made, Rounds& rounds) {
    std::vector<ProgramWay> all =
        decided(costs, costs.problem(), costs.problem(GroupState::Last), made, rounds);
    if (std::any_of(all.begin(), all.end(), [](const ProgramWay& way) { return way.plan.stopped; }))
        throw Stopped{};
    return all;
}

}  // namespace

std::vector<ProgramWay> program_ways(GroupCosts& costs, const PlanProgress& progress,
                                     const plan::Decisions& made, const MeasureKernel& measure) {
    costs.search_all(progress);
    // What is best of the whole program is known as well as what `tune` finds: so no state of it is better
    // than the plan.
    for (const plan::FusionGroup& part : plan::connected_parts(costs.graph())) {
        costs.refine(part);
        costs.take_last(part);
    }
    Rounds rounds;
    std::vector<ProgramWay> all = decided(costs, made, rounds);
    for (int round = 0; round < (measure ? kMostMeasuredRounds : kMostRounds); ++round) {
        bool news = false;
        for (const ProgramWay& way : all)
            for (const plan::FusionGroup& kernel : way.plan.kernels) {
                if (way.states == GroupState::Best) news = costs.refine(kernel) || news;
                news = (measure && measure(kernel, way.states)) || news;
                if (way.states == GroupState::Last) news = costs.take_last(kernel) || news;
            }
        if (!news) break;
        all = decided(costs, made, rounds);
    }
    for (ProgramWay& way : all)
        if (way.plan.value == plan::kNever) find_reason(way, costs, made);
    return all;
}

std::vector<ProgramWay> program_ways_so_far(const GroupCosts& costs, const plan::Decisions& made) {
    const plan::Problem known = costs.problem_so_far();
    Rounds rounds{.effort = kSoFarEffort};
    std::vector<ProgramWay> all = decided(costs, known, costs.problem_so_far(GroupState::Last), made, rounds);
    const double least = known.least(plan::topological_order(known));
    for (ProgramWay& way : all) {
        way.plan.stopped = true;
        way.plan.optimal = false;
        way.plan.bounded = costs.how_far();
        way.plan.bound = way.name == "exact" ? least : 0;
    }
    return all;
}

WaySums sums_of(GroupCosts& costs, const ProgramWay& way) {
    WaySums sums;
    for (const plan::FusionGroup& kernel : way.plan.kernels) {
        const GroupCost& cost = costs.of(kernel, way.states);
        sums.bytes += cost.bytes;
        sums.launches += cost.launches;
        sums.local_bytes = std::max(sums.local_bytes, cost.local_bytes);
    }
    return sums;
}

std::vector<std::string> program_way_names() {
    std::vector<std::string> names;
    for (const plan::Way& way : plan::ways()) names.emplace_back(way.name);
    for (const BaselineWay& row : baseline_ways()) names.emplace_back(row.name);
    return names;
}

}  // namespace blockscope::worker
