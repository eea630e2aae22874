#include "core/circuit/clocks.h"

#include <algorithm>

namespace blockscope::circuit {

namespace {

// The rate of a matrix product is that of its wider operand.
ElemType wider(const Expansion& expansion, const Configuration& configuration,
               const std::vector<std::string>& operands) {
    ElemType widest = ElemType::E4M3;
    for (const Variable& variable : expansion.variables) {
        if (std::find(operands.begin(), operands.end(), variable.name) == operands.end()) continue;
        const ElemType elem = configuration.elem(variable);
        if (bytes_per_element(elem) > bytes_per_element(widest)) widest = elem;
    }
    return widest;
}

// Operations per clock of one processor; a type without a rate of its own has that of the next wider one.
double per_clock(const Device& device, Unit unit, ElemType elem) {
    for (const ElemType one : {elem, ElemType::F16, ElemType::BF16, ElemType::F32})
        for (const PeakRate& rate : device.rates)
            if (rate.unit == unit && rate.elem == one && rate.per_clock.known()) return rate.per_clock.value;
    return 0;
}

double clock_of_matrices(const Device& device) {
    return (device.matrix_clock.known() ? device.matrix_clock : device.clock).value;
}

}  // namespace

double ClockAnalysis::of(Unit unit) const {
    double sum = 0;
    for (const PipelineWork& work : pipelines)
        if (work.unit == unit) sum += work.clocks();
    return sum;
}

double ClockAnalysis::bound() const {
    return of(Unit::Matrix);
}

Result<ClockAnalysis> clock_analysis(const Expansion& expansion, const Configuration& configuration,
                                     const Device& device) {
    ClockAnalysis result;
    for (const Expansion::Operation& operation : expansion.operations) {
        PipelineWork work{operation.name, operation.unit, ElemType::F16, operation.per_thread, 0, 0};
        if (operation.unit == Unit::Matrix) work.elem = wider(expansion, configuration, operation.operands);
        work.count = work.ops.value(configuration.sizes);
        work.rate = per_clock(device, work.unit, work.elem);
        if (work.rate <= 0) return Problem{{}, device.name + " has no rate for " + operation.name};
        if (operation.unit == Unit::Matrix) result.operations += work.count;
        result.pipelines.push_back(std::move(work));
    }
    const auto at = [&](const std::string& symbol) { return configuration.sizes.at(symbol); };
    for (const Variable& variable : expansion.variables) {
        if (!variable.doubled) continue;
        // All of the inner stream comes in for every part of the outer one.
        const double times = variable.inner ? at(expansion.inner) / at("s_" + expansion.inner) : 1;
        const double bytes = times * bytes_of(variable, configuration) / 2;
        if (variable.per_warpgroup)
            result.thread_bytes += bytes / (at("w_" + expansion.rows) / at("t_" + expansion.rows));
        else
            result.bytes += bytes;
    }
    return result;
}

double least_threads(const ClockAnalysis& analysis, const Device& device) {
    const double bandwidth = global_memory(device).bandwidth.value / device.processors.value;
    const double clocks_of_a_byte = clock_of_matrices(device) / bandwidth;
    const double left = analysis.bound() - analysis.thread_bytes * clocks_of_a_byte;
    return left > 0 ? analysis.bytes * clocks_of_a_byte / left : 0;
}

double ideal_rate(const ClockAnalysis& analysis, const Device& device) {
    return analysis.operations / analysis.bound() * clock_of_matrices(device) * device.processors.value;
}

}  // namespace blockscope::circuit
