#include "app/tilings/speedups.h"

#include <algorithm>
#include <limits>
#include <string>

namespace blockscope::tilings {

namespace {

// What is ranked, and how.
struct Ranked {
    const Device& device;
    TripCounts counts;
    const StopSign& stop;

    Result<double> best(const ArrayProgram& program, const Rules& rules) const {
        Result<Chain> read = read_chain(program);
        if (!read) return read.problems();
        Chain chain = std::move(read).value();
        if (device.kind == DeviceKind::Cpu) chain.elem = ElemType::F32;
        const Result<TargetDevice> target = target_device(device, chain.elem);
        if (!target) return target.problems();
        const Result<Space> space = make_space(std::move(chain), *target, rules, stop);
        if (!space) return space.problems();
        double least = std::numeric_limits<double>::infinity();
        for (const double seconds : estimated_seconds(*space, space->candidates, counts))
            least = std::min(least, seconds);
        return least;
    }
};

ArrayProgram product_alone(const Workload& of, int rows, int cols, int depth) {
    const std::string text = "batch Z = " + std::to_string(of.batch) + "\ndim M = " + std::to_string(rows) +
                             "\ndim N = " + std::to_string(cols) + "\ndim K = " + std::to_string(depth) +
                             "\ninput A[Z,M,K], B[Z,K,N] : f16\noutput C = A @ B\n";
    auto program = parse_program(text, of.name);
    if (!program) throw InternalError("a product of the workload " + of.name + " is no program");
    return std::move(program).value();
}

}  // namespace

Result<std::vector<WorkloadTimes>> workload_times(const Device& device, const Rules& rules, TripCounts counts,
                                                  const std::function<void(std::size_t)>& told,
                                                  const StopSign& stop) {
    const Ranked ranked{device, counts, stop};
    Rules deep_only = rules;
    deep_only.flat = false;
    std::vector<WorkloadTimes> all;
    for (const Workload& workload : workloads()) {
        const ArrayProgram program = workload_program(workload);
        const auto fused = ranked.best(program, rules);
        const auto deep = ranked.best(program, deep_only);
        const auto first = ranked.best(product_alone(workload, workload.m, workload.n, workload.k), rules);
        const auto second = ranked.best(product_alone(workload, workload.m, workload.h, workload.n), rules);
        for (const auto* made : {&fused, &deep, &first, &second})
            if (!*made) return made->problems();
        all.push_back({workload, *fused, *deep, *first + *second});
        told(all.size());
    }
    return all;
}

}  // namespace blockscope::tilings
