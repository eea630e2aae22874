// The targets and what a thread block of each may have.
#include <array>

#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

namespace {

struct Facts {
    Target target;
    const char* name;
    int shared_kib;  // CUDA C++ programming guide, table of compute capabilities
};

constexpr std::array<Facts, 8> kTargets{{{Target::F32, "f32", 48},
                                         {Target::Sm80, "sm_80", 163},
                                         {Target::Sm86, "sm_86", 99},
                                         {Target::Sm89, "sm_89", 99},
                                         {Target::Sm90, "sm_90", 227},
                                         {Target::Sm90a, "sm_90a", 227},
                                         {Target::Sm100, "sm_100", 227},
                                         {Target::Sm120, "sm_120", 99}}};

const Facts& facts(Target target) {
    return kTargets.at(static_cast<std::size_t>(target));
}

}  // namespace

std::string to_string(Target target) {
    return facts(target).name;
}

std::vector<Target> all_targets() {
    std::vector<Target> targets;
    for (const Facts& one : kTargets) targets.push_back(one.target);
    return targets;
}

std::optional<Target> target_named(const std::string& name) {
    for (const Facts& one : kTargets)
        if (name == one.name) return one.target;
    return std::nullopt;
}

bool has_tensor_cores(Target target) {
    return target != Target::F32;
}

bool has_warpgroups(Target target) {
    return target == Target::Sm90a;
}

bool has_eight_bits(Target target) {
    return target != Target::F32 && target != Target::Sm80 && target != Target::Sm86;
}

int shared_limit(Target target) {
    return facts(target).shared_kib * 1024;
}

}  // namespace blockscope::gpu
