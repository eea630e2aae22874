#include "core/napkin/study.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/diagram/place.h"

namespace blockscope::circuit {

namespace {

// A larger program is no kernel, and each of its hundreds of axes would be tried as a stream.
constexpr std::size_t kMostOperators = 128;

double widest_input(const Flow& flow) {
    int bytes = 1;
    for (const int input : flow.inputs)
        bytes = std::max(bytes, bytes_per_element(flow.arrays.at(static_cast<std::size_t>(input)).type.elem));
    return bytes;
}

// Groups alone, with each axis streamed that can be, and with as many as go together; parts of 1, whose
// symbols stay apart from those of the wholes.
std::vector<Plan> possible_plans(const Flow& flow, const std::vector<AxisVerdict>& verdicts) {
    std::vector<Plan> plans = {natural_plan(flow, {}, 1)};
    for (Part& part : plans[0]) part.size = 1;
    Plan groups = plans[0];
    std::erase_if(groups, [](const Part& part) { return part.kind == PartitionKind::Stream; });
    for (const AxisVerdict& verdict : verdicts) {
        if (!verdict.stream) continue;
        Plan plan = groups;
        plan.push_back({verdict.axis, PartitionKind::Stream, 1});
        if (fused(flow, plan)) plans.push_back(std::move(plan));
    }
    plans.push_back(std::move(groups));
    return plans;
}

bool has_symbol(const Formula& formula, const std::string& symbol) {
    const std::vector<std::string> symbols = formula.symbols();
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

// A plan with a power law may move so much more than the best and is still preferred.
constexpr double kLawIsWorth = 1.25;

// The plan that moves least within the memory limit; of those that do not fit, the one with the smallest
// widest column.
void choose_plan(Study& study) {
    double least = HUGE_VAL;
    double smallest = HUGE_VAL;
    for (const Plan& plan : possible_plans(study.flow, study.verdicts)) {
        Analysis analysis = analyse(study.flow, plan);
        std::optional<BestGroups> best = best_groups(study.flow, plan, study.memory);
        const double moved = best ? best->transferred * (analysis.law ? 1 : kLawIsWorth) : HUGE_VAL;
        const double held = analysis.resources.widest(1).value(sizes(analysis.circuit.axes));
        const bool better = moved < least || (moved == least && held < smallest);
        if (!better) continue;
        least = moved;
        smallest = held;
        study.plan = std::move(analysis.plan);
        study.circuit = std::move(analysis.circuit);
        study.resources = std::move(analysis.resources);
        study.law = std::move(analysis.law);
        study.no_law = std::move(analysis.no_law);
        study.best = std::move(best);
    }
}

Intensity intensity(const Study& study, const Device& device) {
    const Values at = sizes(study.circuit.axes);
    Intensity made;
    made.per_operation =
        transfers_per_operation(*study.law, study.resources.work.matrix, study.memory_symbol);
    made.values_per_second = global_memory(device).bandwidth.value / study.bytes;
    const ElemType elem = study.bytes >= 4   ? ElemType::F32
                          : study.bytes == 2 ? ElemType::F16
                                             : ElemType::E4M3;
    made.operations_per_second = device_rate(device, Unit::Matrix, elem);
    made.least_memory = least_memory(made.per_operation, at, made.values_per_second,
                                     made.operations_per_second, study.memory_symbol);
    for (const std::string& axis : made.per_operation.symbols())
        if (axis != study.memory_symbol)
            made.least_axes.emplace_back(
                axis, least_axis(made.per_operation, axis, at, study.memory, made.values_per_second,
                                 made.operations_per_second, study.memory_symbol));
    return made;
}

std::vector<std::string> symbols_of(const std::vector<GroupAxis>& groups) {
    std::vector<std::string> symbols;
    for (const GroupAxis& group : groups) symbols.push_back(group.symbol);
    return symbols;
}

std::vector<std::string> stream_symbols(const Study& study) {
    std::vector<std::string> symbols;
    for (const Part& part : study.plan)
        if (part.kind == PartitionKind::Stream)
            symbols.push_back("s_" + axis_of(study.flow.axes, part.axis).name);
    return symbols;
}

// Where symbols have no law, that of numbers; none where nothing fits.
void solve_law(Study& study) {
    const Values at = sizes(study.circuit.axes);
    const std::vector<GroupAxis> groups = group_axes(study.flow, study.plan);
    if (!study.law) {
        study.law = law_of_numbers(study.resources, at, symbols_of(groups));
        study.law_of_numbers = study.law.has_value();
    }
    // Where not even the smallest parts fit, a law without the memory in it is of no algorithm.
    if (study.law && !study.best &&
        !has_symbol(study.law->formula(study.memory_symbol), study.memory_symbol)) {
        study.law.reset();
        study.law_of_numbers = false;
        study.no_law = Text("not even the smallest parts fit");
    }
    if (study.law) study.clipped = clipped_law(study.resources, groups, stream_symbols(study), at);
}

// Transfers per operation are a formula where there is one of H* and the operations are one product.
Text why_no_intensity(const Study& study) {
    if (!study.law) return Text("there is no H*");
    if (study.law_of_numbers) return Text("H* is known with the sizes put in alone");
    if (study.resources.work.matrix.is_zero()) return Text("it has no product of matrices");
    if (study.resources.work.matrix.monomials().size() > 1)
        return Text("its operations are a sum, %1, that H* cannot be divided by",
                    study.resources.work.matrix.text());
    return {};
}

}  // namespace

LevelModels level_models(const algebra::ClippedLaw& law, const Device& device, double bytes, double link) {
    LevelModels made;
    const std::vector<ByteLevel> levels = byte_levels(device);
    const auto total = [&](double q) { return total_cost(law, transfer_levels(levels, q)); };
    const std::vector<napkin::TransferLevel> at = transfer_levels(levels, bytes);
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double moved = transfers(law, at[i].memory);
        made.levels.push_back({.level = at[i],
                               .instances = levels[i].instances,
                               .transfers = moved,
                               .seconds = at[i].weight * moved,
                               .whole = law.at(at[i].memory).whole,
                               .from = levels[i].from});
    }
    made.seconds = total(bytes);
    for (const double q : {4.0, 2.0, 1.0}) made.quantised.emplace_back(q, total(q));
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
        const double children = levels[i + 1].instances / levels[i].instances;
        if (children <= 1) continue;
        const napkin::TransferLevel cached =
            napkin::caching_level(at[i].name, at[i].weight, at[i + 1], children);
        made.caches.push_back({.name = at[i].name,
                               .own = at[i].memory,
                               .children = children,
                               .together = cached.memory,
                               .transfers = transfers(law, at[i].memory),
                               .transfers_cached = transfers(law, cached.memory)});
    }
    if (at.empty()) return made;
    // Linked are the instances of the innermost level that several processors do not share.
    const napkin::TransferLevel& child = at.size() > 1 ? at[1] : at[0];
    made.linked = child.name;
    made.link = link;
    const double between = link > 0 ? std::min(bytes / link, child.weight) : 0;
    for (const double children : {2.0, 4.0, 8.0, 16.0})
        made.cross.push_back({children, cross_transfer_gain(law, child, between, children)});
    return made;
}

std::pair<std::string, double> local_memory(const Device& device) {
    if (const MemoryLevel* shared = first_level(device, LevelRole::Shared)) {
        const DeviceFigure& figure =
            shared->block_capacity.known() ? shared->block_capacity : shared->capacity;
        return {shared->name, figure.value};
    }
    std::pair<std::string, double> largest{"", 0};
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache && level.per == Share::Processor &&
            level.capacity.value > largest.second)
            largest = {level.name, level.capacity.value};
    return largest;
}

Result<Study> study(const Flow& flow, const Device& device, const StudyOptions& options) {
    if (flow.ops.size() > kMostOperators)
        return Problem{{},
                       Text("found %1 operators; expected at most %2 in one algorithm", flow.ops.size(),
                            kMostOperators)};
    Study made;
    made.flow = flow;
    made.verdicts = axis_verdicts(flow);
    made.memory_symbol = algebra::memory_symbol(flow.axes).name;
    Text why;
    if (!options.rows.empty() && !rows_of(made, options.rows, why)) return Problem{{}, why};
    if (!options.stream.empty() && !stream_of(made, options.stream, why)) return Problem{{}, why};
    made.bytes = widest_input(flow);
    // The engine of a processor computes in float32, whatever the program declares.
    if (device.kind == DeviceKind::Cpu)
        made.bytes = std::max<double>(made.bytes, bytes_per_element(ElemType::F32));
    const auto [name, bytes] = local_memory(device);
    made.local = options.memory ? "the limit" : name;
    made.memory = options.memory.value_or(bytes) / made.bytes;
    choose_plan(made);
    made.level_plans = level_plans(made.resources, group_axes(flow, made.plan), sizes(made.circuit.axes),
                                   byte_levels(device), made.bytes);
    solve_law(made);
    if (made.clipped) made.models = level_models(*made.clipped, device, made.bytes, options.link);
    made.no_intensity = why_no_intensity(made);
    if (made.no_intensity.empty()) made.intensity = intensity(made, device);
    Result<WarpgroupKernel> kernel = kernel_of(made, device, options);
    if (kernel)
        made.kernel = *kernel;
    else
        made.no_kernel = kernel.problems().front().message;
    return made;
}

Result<CircuitDocument> document(const Study& study, const Device& device, const std::string& title) {
    if (!study.kernel) return Problem{{}, study.no_kernel};
    const WarpgroupKernel& kernel = *study.kernel;
    const Values& sizes = kernel.configuration.sizes;
    const auto part = [&](const std::string& name, PartitionKind kind, const std::string& symbol) {
        const AxisId axis = axis_named(study.flow.axes, name);
        const auto found = sizes.find(symbol);
        const auto size = found == sizes.end() ? 1 : static_cast<std::int64_t>(found->second);
        return Part{axis, kind, std::clamp<std::int64_t>(size, 1, axis_of(study.flow.axes, axis).size)};
    };
    Plan plan;
    for (const std::string& name : kernel.others)
        plan.push_back(part(name, PartitionKind::Group, "g_" + name));
    plan.push_back(part(kernel.rows, PartitionKind::Group, "g_" + kernel.rows));
    plan.push_back(part(kernel.stream, PartitionKind::Stream, "s_" + kernel.stream));
    if (!kernel.inner.empty()) {
        plan.push_back(part(kernel.inner, PartitionKind::Stream, "s_" + kernel.inner));
        plan.back().inner = true;
    }
    Result<Circuit> circuit = fused(study.flow, plan, hierarchy_of(device, true, kernel.execution.fragments));
    if (!circuit) return circuit.problems();
    CircuitDocument made{title, std::move(circuit).value(), kernel.execution};
    made.execution->device = device.name;
    made.execution->sizes.clear();
    for (const std::string& symbol : configured_symbols(kernel))
        made.execution->sizes[symbol] = sizes.at(symbol);
    for (const Divisor& divisor : kernel.divisors)
        for (Axis& axis : made.circuit.axes)
            if (axis.name == divisor.symbol || "w" + axis.name.substr(1) == divisor.symbol)
                axis.divisor = divisor.by;
    return made;
}

namespace {

bool has_part(const std::vector<DiagramPart>& parts, const std::string& symbol) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const DiagramPart& part) { return part.part == symbol; });
}

double widest_drawn_input(const Circuit& circuit) {
    int bytes = 1;
    for (const ArrayType& input : circuit.root->domain)
        bytes = std::max(bytes, bytes_per_element(input.elem));
    return bytes;
}

void add_parts(DiagramStudy& study) {
    const Axes& axes = study.circuit.axes;
    for (const Execution& execution : study.resources.columns.executions)
        for (const Partition* partition : execution.around) {
            const Axis& whole = axis_of(axes, partition->whole);
            const Axis& part = axis_of(axes, partition->part);
            if (has_part(study.parts, part.name) || part.size >= whole.size) continue;
            study.parts.push_back({.axis = whole.name,
                                   .part = part.name,
                                   .kind = partition->kind,
                                   .size = part.size,
                                   .parts = (whole.size + part.size - 1) / part.size});
            if (partition->kind == PartitionKind::Group) study.groups.push_back({part.name, whole.size});
        }
}

}  // namespace

DiagramStudy study_diagram(Circuit circuit, const Device& device, const StudyOptions& options) {
    DiagramStudy made;
    made.circuit = std::move(circuit);
    made.resources = resources(made.circuit);
    made.memory_symbol = algebra::memory_symbol(made.circuit.axes).name;
    made.bytes = widest_drawn_input(made.circuit);
    const auto [name, bytes] = local_memory(device);
    made.local = options.memory ? "the limit" : name;
    made.memory = options.memory.value_or(bytes) / made.bytes;
    add_parts(made);
    const Values at = sizes(made.circuit.axes);
    made.best = best_sizes(made.resources, made.groups, at, made.memory);
    made.level_plans = level_plans(made.resources, made.groups, at, byte_levels(device), made.bytes);
    const std::vector<std::string> groups = symbols_of(made.groups);
    std::vector<std::string> streams;
    for (const DiagramPart& part : made.parts)
        if (part.kind == PartitionKind::Stream) streams.push_back(part.part);
    NoPowerLaw none;
    made.law = power_law(made.resources.transferred, made.resources.widest(1), groups, streams, &none);
    made.no_law = none.why;
    if (!made.law) {
        made.law = law_of_numbers(made.resources, at, groups);
        made.law_of_numbers = made.law.has_value();
    }
    if (made.law) made.clipped = clipped_law(made.resources, made.groups, streams, at);
    if (made.clipped) made.models = level_models(*made.clipped, device, made.bytes, options.link);
    return made;
}

namespace {

Hierarchy hierarchy_of(const LevelPlans& plans) {
    Hierarchy made;
    made.names = {"global"};
    for (const LevelPlan& plan : plans.levels) made.names.push_back(plan.level.name);
    made.local = std::max(1, made.lowest() - 1);
    made.threads = made.matrix = made.lowest();
    return made;
}

std::int64_t size_at(const LevelPlan& plan, const std::string& symbol, std::int64_t otherwise) {
    for (const auto& [name, size] : plan.groups)
        if (name == symbol) return size;
    return otherwise;
}

}  // namespace

Result<Circuit> level_circuit(const Study& study) {
    const std::vector<LevelPlan>& levels = study.level_plans.levels;
    if (levels.empty()) return Problem{{}, Text("found no level whose memory and bandwidth are known")};
    for (const LevelPlan& level : levels)
        if (!level.fits) return Problem{{}, Text("found no groups that fit into %1", level.level.name)};
    const Hierarchy hierarchy = hierarchy_of(study.level_plans);
    const auto symbol = [&](const Part& part) { return "g_" + axis_of(study.flow.axes, part.axis).name; };
    Plan plan = study.plan;
    for (Part& part : plan)
        if (part.kind == PartitionKind::Group)
            part.size =
                size_at(levels[static_cast<std::size_t>(hierarchy.local) - 1], symbol(part), part.size);
    Result<Circuit> circuit = fused(study.flow, plan, hierarchy);
    if (!circuit) return circuit;
    Circuit made = std::move(circuit).value();
    for (const Part& part : plan) {
        if (part.kind != PartitionKind::Group) continue;
        Axis& axis = *std::find_if(made.axes.begin(), made.axes.end(),
                                   [&](const Axis& one) { return one.whole == part.axis; });
        axis.at_levels.resize(levels.size() + 1);
        axis.level_sizes.resize(levels.size() + 1);
        for (int level = 1; level <= hierarchy.lowest(); ++level) {
            const auto at = static_cast<std::size_t>(level);
            const char letter = static_cast<char>('g' + level - hierarchy.local);
            const Axis& whole = axis_of(study.flow.axes, part.axis);
            axis.level_sizes[at] = size_at(levels[at - 1], symbol(part), part.size);
            axis.at_levels[at] =
                axis.level_sizes[at] == whole.size ? whole.name : letter + symbol(part).substr(1);
        }
    }
    return made;
}

}  // namespace blockscope::circuit
