#include "core/circuit/drawn.h"

#include <algorithm>
#include <set>

namespace blockscope::circuit {

namespace {

bool has(const std::vector<DrawnPart>& parts, const std::string& symbol) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const DrawnPart& part) { return part.part == symbol; });
}

double widest_input(const Circuit& circuit) {
    int bytes = 1;
    for (const ArrayType& input : circuit.root->domain)
        bytes = std::max(bytes, bytes_per_element(input.elem));
    return bytes;
}

void add_parts(DrawnStudy& study) {
    const Axes& axes = study.circuit.axes;
    for (const Execution& execution : study.resources.columns.executions)
        for (const Partition* partition : execution.around) {
            const Axis& whole = axis_of(axes, partition->whole);
            const Axis& part = axis_of(axes, partition->part);
            if (has(study.parts, part.name) || part.size >= whole.size) continue;
            study.parts.push_back({whole.name, part.name, partition->kind, part.size,
                                   (whole.size + part.size - 1) / part.size});
            if (partition->kind == PartitionKind::Group) study.groups.push_back({part.name, whole.size});
        }
}

}  // namespace

DrawnStudy study_drawn(Circuit circuit, const Device& device, const StudyOptions& options) {
    DrawnStudy made;
    made.circuit = std::move(circuit);
    made.resources = resources(made.circuit);
    made.memory_symbol = memory_symbol(made.circuit.axes);
    made.bytes = widest_input(made.circuit);
    const auto [name, bytes] = local_memory(device);
    made.local = options.memory ? "the limit" : name;
    made.memory = options.memory.value_or(bytes) / made.bytes;
    add_parts(made);
    const Values at = sizes(made.circuit.axes);
    made.best = best_sizes(made.resources, made.groups, at, made.memory);
    made.level_plans = level_plans(made.resources, made.groups, at, byte_levels(device), made.bytes);
    std::vector<std::string> groups;
    for (const GroupAxis& group : made.groups) groups.push_back(group.symbol);
    std::vector<std::string> streams;
    for (const DrawnPart& part : made.parts)
        if (part.kind == PartitionKind::Stream) streams.push_back(part.part);
    NoPowerLaw none;
    made.law = power_law(made.resources.transferred, made.resources.widest(1), groups, streams, &none);
    made.no_law = none.why;
    if (!made.law) {
        made.law = law_of_numbers(made.resources, at, groups);
        made.law_of_numbers = made.law.has_value();
    }
    if (made.law) made.models = level_models(made.law->numbers(at), device, made.bytes, options.link);
    return made;
}

}  // namespace blockscope::circuit
