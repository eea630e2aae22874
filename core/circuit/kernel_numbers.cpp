#include "core/circuit/kernel_numbers.h"

#include <algorithm>
#include <cmath>

#include "core/circuit/kernel.h"
#include "core/circuit/lists.h"

namespace blockscope::circuit {

namespace {

// Clocks in which a processor's share of the memory's bandwidth brings a byte.
double clocks_of_a_byte(const Device& device) {
    const double clock = (device.matrix_clock.known() ? device.matrix_clock : device.clock).value;
    return clock * device.processors.value / global_memory(device).bandwidth.value;
}

}  // namespace

double clocks_of(const Kernel& kernel, const Device& device, const Flow& flow) {
    const Result<ClockAnalysis> clocks = clock_analysis(kernel.expansion, kernel.configuration, device);
    if (!clocks || clocks->bound() <= 0) return HUGE_VAL;
    const Values& sizes = kernel.configuration.sizes;
    const double rows = kernel.fit * kernel.threads();
    const double moved = (clocks->bytes + clocks->thread_bytes * rows) * clocks_of_a_byte(device);
    double parts = 1 / (rows * sizes.at("s_" + kernel.stream));
    for (const std::string& other : kernel.others)
        parts *= static_cast<double>(axis_of(flow.axes, axis_named(flow.axes, other)).size) /
                 sizes.at("g_" + other);
    return parts * std::max(clocks->bound() * rows, moved);
}

std::size_t broken_of(const Kernel& kernel, const Device& device) {
    return broken_divisors(divisors(kernel.expansion, kernel.flow, kernel.configuration, device),
                           kernel.configuration)
        .size();
}

double least_part(const Kernel& kernel, const Device& device) {
    for (const Variable& variable : kernel.expansion.variables)
        if (variable.doubled && variable.per_warpgroup && !variable.inner) return 0;
    return kernel.configuration.sizes.at("s_" + kernel.stream) * kernel.clocks.thread_bytes *
           clocks_of_a_byte(device) / kernel.clocks.bound();
}

double repeats_of(const Kernel& kernel, const Flow& flow) {
    double done = 0, needed = 0;
    const auto whole = [&](AxisId axis) { return static_cast<double>(axis_of(flow.axes, axis).size); };
    const auto along = [&](const FlowOp& op, AxisId axis) {
        return has(op.apply.own, axis) || has(op.apply.weave, axis);
    };
    for (const FlowOp& op : flow.ops) {
        if (op.apply.op.kind != OperatorKind::Contraction) continue;
        double work = 1;
        for (const AxisId axis : op.apply.own) work *= whole(axis);
        for (const AxisId axis : op.apply.weave) work *= whole(axis);
        needed += work;
        for (const std::string& other : kernel.others) {
            const AxisId axis = axis_named(flow.axes, other);
            if (!along(op, axis)) work *= whole(axis) / kernel.configuration.sizes.at("g_" + other);
        }
        const AxisId stream = axis_named(flow.axes, kernel.stream);
        if (!kernel.inner.empty() && along(op, axis_named(flow.axes, kernel.inner)) && !along(op, stream))
            work *= whole(stream) / kernel.configuration.sizes.at("s_" + kernel.stream);
        done += work;
    }
    return needed > 0 ? done / needed : 1;
}

}  // namespace blockscope::circuit
