#include "core/state/step_effect.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/cost/models/model.h"
#include "core/rules/conditions.h"

namespace blockscope {

namespace {

using ByNode = std::map<NodeId, double>;

ByNode operations_of(const State& state) {
    ByNode operations;
    for (const NodeFlops& each : state.counts().operators)
        operations[state.origin(each.node)] += static_cast<double>(each.flops.total());
    return operations;
}

// The names of all operators by node, at every level.
void add_names(const Graph& graph, const DimTable& dims, std::map<NodeId, Text>& names) {
    for (const NodePtr& node : graph.nodes()) {
        names.emplace(node->id, operator_name(*node, dims));
        if (const Map* map = node->as<Map>()) add_names(*map->body, dims, names);
    }
}

// Nodes of the state after a step that share nodes of the state before are one group: a step that copies an
// operator leaves several for one.
struct Group {
    std::set<NodeId> before;
    std::vector<NodeId> after;
};

std::vector<Group> groups_of(const ByNode& after, const Step& step) {
    std::map<NodeId, std::set<NodeId>> from;
    for (const Lineage& lineage : step.made)
        from[lineage.made].insert(lineage.from.begin(), lineage.from.end());
    std::vector<Group> groups;
    for (const auto& [node, operations] : after) {
        const auto made = from.find(node);
        Group group{made == from.end() ? std::set<NodeId>{node} : made->second, {node}};
        for (auto other = groups.begin(); other != groups.end();) {
            const bool shares = std::any_of(other->before.begin(), other->before.end(),
                                            [&](NodeId id) { return group.before.count(id) > 0; });
            if (!shares) {
                ++other;
                continue;
            }
            group.before.merge(other->before);
            group.after.insert(group.after.end(), other->after.begin(), other->after.end());
            other = groups.erase(other);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

template <class Nodes>
double sum_of(const Nodes& nodes, const ByNode& operations) {
    double sum = 0;
    for (const NodeId node : nodes)
        if (const auto found = operations.find(node); found != operations.end()) sum += found->second;
    return sum;
}

std::vector<RepeatedWork> repeated_work(const Step& step, const State& before, const State& after) {
    constexpr double kRepeats = 1.01;  // less is a change of bookkeeping
    const ByNode old_operations = operations_of(before);
    const ByNode new_operations = operations_of(after);
    std::map<NodeId, Text> names;
    add_names(*step.after->graph, step.after->dims, names);
    std::vector<RepeatedWork> repeated;
    for (const Group& group : groups_of(new_operations, step)) {
        const double old_work = sum_of(group.before, old_operations);
        const double new_work = sum_of(group.after, new_operations);
        const auto name = names.find(group.after.front());
        if (old_work <= 0 || new_work < kRepeats * old_work || name == names.end()) continue;
        repeated.push_back({.node = group.after.front(),
                            .what = name->second,
                            .times = new_work / old_work,
                            .added = new_work - old_work});
    }
    std::stable_sort(repeated.begin(), repeated.end(),
                     [](const RepeatedWork& a, const RepeatedWork& b) { return a.added > b.added; });
    return repeated;
}

struct Change {
    const State& before;
    const State& after;

    const DimTable& dims() const { return after.source()->dims; }  // the state holds the program
};

// The state with `blocks` blocks of `dim`, or so many as its size gives.
State with_blocks(const State& state, DimId dim, std::int64_t blocks) {
    const ProgramPtr program = state.source();
    DimTable dims = program->dims;
    Dim& changed = dims.at(dim.value);
    changed.block = (changed.size + blocks - 1) / blocks;
    meet_needs(dims, block_needs(*program));
    return state.with_dims(dims);
}

// What a change adds to the traffic with `blocks` blocks of `dim`.
std::int64_t added_bytes(const Change& change, DimId dim, std::int64_t blocks) {
    const auto bytes = [&](const State& state) {
        const State resized = with_blocks(state, dim, blocks);
        return resized.counts().bytes();
    };
    return bytes(change.after) - bytes(change.before);
}

// The largest number of blocks of `dim`, from 1 to what it has, with which the step adds no traffic; 0 if it
// always does. More blocks mean more repetitions, so that halving finds it.
std::int64_t paying_blocks(const Change& change, DimId dim) {
    if (added_bytes(change, dim, 1) > 0) return 0;
    std::int64_t pays = 1, costs = change.dims().at(dim.value).blocks();
    while (costs - pays > 1) {
        const std::int64_t middle = pays + (costs - pays) / 2;
        (added_bytes(change, dim, middle) > 0 ? costs : pays) = middle;
    }
    return pays;
}

// By the dimension of the step's match, else by the first other one that makes it pay.
std::optional<PaysWhile> condition_of(const Change& change, DimId first) {
    const DimTable& dims = change.dims();
    std::vector<DimId> order{first};
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (i != first.value) order.push_back({static_cast<std::uint16_t>(i)});
    for (const DimId dim : order) {
        const Dim& its = dims.at(dim.value);
        if (its.kind != DimKind::Blocked || its.blocks() < 2) continue;
        const std::int64_t blocks = paying_blocks(change, dim);
        if (blocks > 0) return PaysWhile{dim, blocks, its.blocks()};
    }
    return std::nullopt;
}

void add_loops(const Node& node, std::vector<DimId>& dims) {
    const Map* map = node.as<Map>();
    if (!map) return;
    if (std::find(dims.begin(), dims.end(), map->dim) == dims.end()) dims.push_back(map->dim);
    for (const NodePtr& inner : map->body->nodes()) add_loops(*inner, dims);
}

// The dimensions in blocks that what differs between the programs loops over: `first`, then outer before
// inner.
std::vector<DimId> changed_loops(const Change& change, DimId first) {
    const ProgramPtr before = change.before.source(), after = change.after.source();
    const std::set<NodePtr> kept(before->graph->nodes().begin(), before->graph->nodes().end());
    std::vector<DimId> dims{first};
    for (const NodePtr& node : after->graph->nodes())
        if (kept.count(node) == 0) add_loops(*node, dims);
    dims.erase(std::remove_if(dims.begin(), dims.end(),
                              [&](DimId dim) {
                                  const Dim& its = after->dims.at(dim.value);
                                  return its.kind != DimKind::Blocked || its.size < 2;
                              }),
               dims.end());
    return dims;
}

// Other numbers of blocks, the nearest first: 16 and 64 of 32, 8 and 128, and so on.
std::vector<std::int64_t> other_blocks(const Dim& dim) {
    constexpr std::int64_t kLeastBlock = 16;  // elements: the side of the smallest matrix unit
    const std::int64_t now = dim.blocks();
    std::vector<std::int64_t> numbers;
    for (std::int64_t fewer = now / 2, more = 2 * now; fewer > 0 || more * kLeastBlock <= dim.size;
         fewer /= 2, more *= 2) {
        if (fewer > 0) numbers.push_back(fewer);
        if (more * kLeastBlock <= dim.size) numbers.push_back(more);
    }
    return numbers;
}

// Of numbers that mean something: NaN and infinity are of states that cannot be built.
bool pays(double before, double after) {
    return std::isfinite(before) && std::isfinite(after) && after <= before;
}

std::int64_t excess(std::int64_t more, std::int64_t less) {
    return more > less ? more - less : 0;
}

// "dot and exp(x) 32 times over": the operator that adds the most work, and up to two others with different
// names that are repeated as often.
Text repetition(const std::vector<RepeatedWork>& repeated) {
    constexpr std::size_t kMostNames = 3;
    std::vector<Text> names;
    for (const RepeatedWork& work : repeated) {
        if (names.size() == kMostNames) break;
        if (work.what.str().empty() || std::abs(work.times / repeated.front().times - 1) > 0.01) continue;
        if (std::find(names.begin(), names.end(), work.what) == names.end()) names.push_back(work.what);
    }
    return Text("%1 %2 times over", and_list(names), times_text(repeated.front().times));
}

// "33% more traffic", "19 times as much traffic"; `after` is more than `before`.
Text traffic_growth(std::int64_t before, std::int64_t after) {
    constexpr double kInPercent = 1.5;
    const double times = static_cast<double>(after) / static_cast<double>(std::max<std::int64_t>(1, before));
    if (times >= kInPercent) return Text("%1 times as much traffic", times_text(times));
    return Text("%1% more traffic", times_text(100 * (times - 1)));
}

Text more_traffic(const StepEffect& effect) {
    if (effect.bytes_after > effect.bytes_before)
        return Text("%1 at these sizes", traffic_growth(effect.bytes_before, effect.bytes_after));
    if (effect.bytes_at_once > effect.bytes_before)
        return Text("%1 at these sizes, which the steps behind it save again",
                    traffic_growth(effect.bytes_before, effect.bytes_at_once));
    return Text("no more traffic at these sizes");
}

// What takes the time that a term of a prediction is (core/cost/models); traffic is called by its level.
Text subject_of_term(const std::string& name) {
    static const std::map<std::string, Text> kSubjects = {
        {"matrix", Text("products")},
        {"vector", Text("vector operations")},
        {"special", Text("special functions")},
        {"moves", Text("copying and transposing blocks")},
        {"calls", Text("calls of small blocks")},
        {"idle", Text("idle processors")},
        {"tasks", Text("handing out tasks")},
        {"launch", Text("launches")},
        {"packing", Text("packing operands")},
        {"fill", Text("waiting for the first operands")},
        {"combine", Text("putting parts together")},
        {"atomics", Text("adding parts up")},
        {"shared", Text("reading operands from shared memory")},
        {"compute", Text("computing")},
        {"memory", Text("global memory")},
        {"again", Text("what each part does again")}};
    const auto found = kSubjects.find(name);
    return found == kSubjects.end() ? Text("traffic with %1", name) : found->second;
}

// The level that a term's traffic passes; null of others.
const LevelBytes* level_of(const Prediction& prediction, const std::string& term) {
    if (prediction.levels.empty()) return nullptr;
    if (term == "memory") return &prediction.levels.back();
    const auto found = std::find_if(prediction.levels.begin(), prediction.levels.end(),
                                    [&](const LevelBytes& level) { return level.level == term; });
    return found == prediction.levels.end() ? nullptr : &*found;
}

// "idle processors: 43.1 µs instead of 2.10 µs".
Text growth_text(const std::string& term, const Prediction& before, const Prediction& after) {
    const double was = seconds_of(before.terms, term);
    const double is = seconds_of(after.terms, term);
    Text grown("%1: %2 instead of %3", subject_of_term(term), seconds_text(is), seconds_text(was));
    const LevelBytes* old_level = level_of(before, term);
    const LevelBytes* new_level = level_of(after, term);
    if (!old_level || !new_level || new_level->bytes <= old_level->bytes) return grown;
    return Text("%1, as %2 pass it instead of %3", grown, bytes_text_of(new_level->bytes),
                bytes_text_of(old_level->bytes));
}

Text tasks_left(const StepEffect& effect) {
    if (effect.tasks_after == 1)
        return Text("Leaves one of %1 parallel tasks: nothing runs beside it.", effect.tasks_before);
    return Text("Leaves %1 parallel tasks of %2.", effect.tasks_after, effect.tasks_before);
}

}  // namespace

Text slower_by_terms(const Prediction& before, const Prediction& after) {
    constexpr double kCounts = 0.02;  // of the growth of the whole: less is rounding
    constexpr std::size_t kMostTerms = 2;
    const double more = after.seconds - before.seconds;
    if (!(more > 0)) return {};
    const auto growth = [&](const TimeTerm& term) {
        return term.seconds - seconds_of(before.terms, term.name);
    };
    std::vector<TimeTerm> grown;
    for (const TimeTerm& term : after.terms)
        if (growth(term) > kCounts * more) grown.push_back(term);
    std::stable_sort(grown.begin(), grown.end(),
                     [&](const TimeTerm& a, const TimeTerm& b) { return growth(a) > growth(b); });
    if (grown.empty()) return Text("By the prediction no part of it takes longer, but less of it overlaps.");
    if (grown.size() > kMostTerms) grown.resize(kMostTerms);
    const Text most = growth_text(grown[0].name, before, after);
    if (grown.size() == 1) return Text("By the prediction this takes longer: %1.", most);
    return Text("By the prediction these take longer: %1; %2.", most,
                growth_text(grown[1].name, before, after));
}

bool is_extension(const Step& step) {
    constexpr int kExtension = 6;
    return step.match.rule.number == kExtension;
}

const ProgramPtr& settled_after(const Trace& trace, int step) {
    auto end = static_cast<std::size_t>(step);
    if (!is_extension(trace.steps[end])) return trace.steps[end].after;
    while (end + 1 < trace.steps.size() && !is_extension(trace.steps[end + 1])) ++end;
    return trace.steps[end].after;
}

StepEffect effect_of(const Step& step, const Form& form, const ProgramPtr& settled) {
    const ProgramPtr& end = settled ? settled : step.after;
    const State before(step.before, form), after(end, form), at_once(step.after, form);
    const Counts& old_counts = before.counts();
    const Counts& new_counts = after.counts();
    StepEffect effect;
    effect.bytes_before = old_counts.bytes();
    effect.bytes_after = new_counts.bytes();
    effect.bytes_at_once = at_once.counts().bytes();
    effect.saved_intermediates = excess(old_counts.intermediates.bytes, new_counts.intermediates.bytes);
    effect.operations_before = old_counts.flops.total();
    effect.operations_after = new_counts.flops.total();
    effect.tasks_before = old_counts.tasks;
    effect.tasks_after = new_counts.tasks;
    if (effect.operations_after > effect.operations_before)
        effect.repeated = repeated_work(step, before, at_once);
    if (effect.bytes_after > effect.bytes_before) effect.pays = condition_of({before, after}, step.match.dim);
    return effect;
}

TimeCondition time_condition_of(const Step& step, const ProgramPtr& settled, const Form& form,
                                const SecondsOfStates& seconds) {
    constexpr int kMostExact = 3;
    constexpr int kMostNodes = 1'000;  // with which a number of blocks is tried in some milliseconds
    TimeCondition condition;
    condition.too_long = node_count(*settled) > kMostNodes;
    if (condition.too_long) return condition;
    const State before(step.before, form), after(settled, form);
    if (is_extension(step) && pays(seconds.exact(before), seconds.exact(after))) {
        condition.settled = true;
        return condition;
    }
    int exact = 0;
    for (const DimId dim : changed_loops({before, after}, step.match.dim)) {
        const std::int64_t now = settled->dims.at(dim.value).blocks();
        for (const std::int64_t blocks : other_blocks(settled->dims.at(dim.value))) {
            const State old_state = with_blocks(before, dim, blocks);
            const State new_state = with_blocks(after, dim, blocks);
            const std::int64_t made = new_state.source()->dims.at(dim.value).blocks();
            if (made == now) continue;
            if (condition.tried.empty() || condition.tried.back() != dim) condition.tried.push_back(dim);
            if (!pays(seconds.about(old_state), seconds.about(new_state))) continue;
            if (++exact > kMostExact) return condition;
            if (!pays(seconds.exact(old_state), seconds.exact(new_state))) continue;
            condition.with = PaysWhile{dim, made, now};
            return condition;
        }
    }
    return condition;
}

Text condition_text(const TimeCondition& condition, const DimTable& dims) {
    if (condition.settled) return Text("The steps behind it, before the next extension, make up for it.");
    if (condition.with) {
        const Text name(dims.at(condition.with->dim.value).name);
        return condition.with->blocks == 1
                   ? Text("It is predicted to pay with one block of %1 instead of %2.", name,
                          condition.with->blocks_now)
                   : Text("It is predicted to pay with %1 blocks of %2 instead of %3.",
                          condition.with->blocks, name, condition.with->blocks_now);
    }
    if (condition.too_long) return Text("Other blocks were not tried, as the program is so long.");
    if (condition.tried.empty()) return {};
    std::vector<Text> names;
    for (const DimId dim : condition.tried) names.emplace_back(dims.at(dim.value).name);
    return Text("With no other number of blocks of %1 that was tried is it predicted to pay.",
                or_list(names));
}

Text warning_of(const StepEffect& effect, const DimTable& dims) {
    if (!effect.costs_more()) return effect.tasks_after < effect.tasks_before ? tasks_left(effect) : Text();
    const Text saved = effect.saved_intermediates > 0
                           ? Text("to save %1 between kernels",
                                  bytes_text_of(static_cast<double>(effect.saved_intermediates)))
                           : Text("without saving traffic between kernels");
    const Text what = effect.repeated.empty() ? Text("Reads its inputs more often, %1", saved)
                                              : Text("Computes %1, %2", repetition(effect.repeated), saved);
    const Text traffic = more_traffic(effect);
    if (effect.bytes_after <= effect.bytes_before) return Text("%1: %2.", what, traffic);
    if (!effect.pays)
        return Text("%1: %2. In bytes no other block size of one dimension makes it pay.", what, traffic);
    const Dim& dim = dims.at(effect.pays->dim.value);
    return effect.pays->blocks == 1
               ? Text("%1: %2. In bytes it pays only with one block of %3; there are %4.", what, traffic,
                      dim.name, effect.pays->blocks_now)
               : Text("%1: %2. In bytes it pays only with at most %3 blocks of %4; there are %5.", what,
                      traffic, effect.pays->blocks, dim.name, effect.pays->blocks_now);
}

}  // namespace blockscope
