#include "core/circuit/pseudocode.h"

#include <algorithm>

#include "core/circuit/kernel.h"
#include "core/circuit/loop_writer.h"

namespace blockscope::circuit {

namespace {

// "w_q^(128)" with the divisor of that symbol, if it has one.
std::string with_divisor(const std::string& symbol, const std::vector<Divisor>& divisors) {
    for (const Divisor& divisor : divisors)
        if (divisor.symbol == symbol) return symbol + "^(" + std::to_string(divisor.by) + ")";
    return symbol;
}

AxisVerdict verdict_on(const Flow& flow, AxisId axis) {
    for (AxisVerdict& verdict : axis_verdicts(flow))
        if (verdict.axis == axis) return std::move(verdict);
    return {};
}

// Threads and tensor cores have parts of their own of what a block has (Section 5.3).
void name_at_levels(Axis& axis, const std::string& rows, const Hierarchy& hierarchy,
                    const std::vector<Divisor>& divisors) {
    if (hierarchy.threads == hierarchy.matrix) return;
    axis.at_levels.resize(static_cast<std::size_t>(hierarchy.lowest()) + 1);
    axis.at_levels[static_cast<std::size_t>(hierarchy.threads)] = with_divisor("t_" + rows, divisors);
    axis.at_levels[static_cast<std::size_t>(hierarchy.matrix)] = with_divisor("w_" + rows, divisors);
}

}  // namespace

Result<Circuit> pseudocode(const Flow& flow, AxisId rows, AxisId stream, const PseudocodeOptions& options) {
    // It says what cannot be split, and why.
    const Result<Expansion> possible = expand(flow, rows, stream, {false, options.inner});
    if (!possible) return possible.problems();
    std::vector<AxisVerdict> streams = {verdict_on(flow, stream)};
    if (options.inner.value >= 0) streams.push_back(verdict_on(flow, options.inner));
    LoopWriter writer(flow, std::move(streams), options.hierarchy);
    const AxisId group = writer.split(
        rows, {options.rows, options.stream, options.sub, options.inner_stream, options.inner_sub});
    Circuit circuit = writer.run();
    for (Axis& axis : circuit.axes)
        for (const Divisor& divisor : options.divisors)
            if (divisor.symbol == (axis.symbol.empty() ? axis.name : axis.symbol)) axis.divisor = divisor.by;
    // What a thread block has of a batch or of columns is a group of that axis.
    for (Axis& axis : circuit.axes)
        if (axis.symbol == "g_" + axis.name) axis.name = axis.symbol;
    name_at_levels(circuit.axes.at(static_cast<std::size_t>(group.value)), axis_of(flow.axes, rows).name,
                   options.hierarchy, options.divisors);
    return circuit;
}

Result<Circuit> pseudocode(const Study& study, const Device& device) {
    if (!study.kernel) return Problem{{}, study.no_kernel};
    const Kernel& kernel = *study.kernel;
    const auto size = [&](const std::string& symbol) {
        const auto found = kernel.configuration.sizes.find(symbol);
        return found == kernel.configuration.sizes.end() ? 1 : static_cast<std::int64_t>(found->second);
    };
    PseudocodeOptions options;
    options.hierarchy = hierarchy_of(device, false, kernel.execution.fragments);
    options.rows = size("g_" + kernel.rows);
    options.stream = size("s_" + kernel.stream);
    options.sub = size("u_" + kernel.stream);
    options.divisors = kernel.divisors;
    const Axes& axes = kernel.flow.axes;
    if (!kernel.inner.empty()) {
        options.inner = axis_named(axes, kernel.inner);
        options.inner_stream = size("s_" + kernel.inner);
        options.inner_sub = size("u_" + kernel.inner);
    }
    return pseudocode(kernel.flow, axis_named(axes, kernel.rows), axis_named(axes, kernel.stream), options);
}

}  // namespace blockscope::circuit
