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

    // In which the workloads are computed: f16, as the paper has them, or what a processor computes in.
    ElemType elem() const { return device.kind == DeviceKind::Cpu ? ElemType::F32 : ElemType::F16; }

    Result<double> best(const ArrayProgram& program, const Rules& rules) const {
        Result<Chain> read = read_chain(program);
        if (!read) return read.problems();
        Chain chain = std::move(read).value();
        chain.elem = elem();
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

}  // namespace

Result<std::vector<WorkloadTimes>> workload_times(const Device& device, const Rules& rules, TripCounts counts,
                                                  const std::function<void(std::size_t)>& told,
                                                  const StopSign& stop) {
    const Ranked ranked{device, counts, stop};
    Rules deep_only = rules;
    deep_only.flat = false;
    const Result<TargetDevice> target = target_device(device, ranked.elem());
    if (!target) return target.problems();
    std::vector<WorkloadTimes> all;
    for (const Workload& workload : workloads()) {
        const ArrayProgram program = workload_program(workload);
        const auto fused = ranked.best(program, rules);
        const auto deep = ranked.best(program, deep_only);
        const auto first = ranked.best(first_product(workload), rules);
        const auto second = ranked.best(second_product(workload), rules);
        for (const auto* made : {&fused, &deep, &first, &second})
            if (!*made) return made->problems();
        const double softmax = softmax_seconds(workload, ranked.elem(), target->bandwidth);
        all.push_back({workload, *fused, *deep, *first + *second + softmax});
        told(all.size());
    }
    return all;
}

}  // namespace blockscope::tilings
