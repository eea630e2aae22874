#include "gpu/driver/occupancy.h"

#include <algorithm>

#include "gpu/codegen/splits.h"

namespace blockscope::gpu {

namespace {

constexpr int kKibi = 1024;
constexpr int kWarp = 32;
constexpr int kRegisterUnit = 256;  // registers, of a warp
constexpr int kSharedUnit = 128;    // bytes

int up_to(int number, int unit) {
    return (number + unit - 1) / unit * unit;
}

}  // namespace

ProcessorLimits limits_of(Capability card) {
    const int number = 10 * card.major + card.minor;
    if (number < 80) return {1024, 16, 65536, 64 * kKibi, 0};
    if (number == 86) return {1536, 16, 65536, 100 * kKibi, kKibi};
    if (number == 87) return {1536, 16, 65536, 164 * kKibi, kKibi};
    if (number == 89) return {1536, 24, 65536, 100 * kKibi, kKibi};
    if (number < 90) return {2048, 32, 65536, 164 * kKibi, kKibi};
    if (number < 120) return {2048, 32, 65536, 228 * kKibi, kKibi};
    return {1536, 24, 65536, 100 * kKibi, kKibi};
}

KernelNeeds needs_of(const Launch& launch, const Compiled* compiled) {
    KernelNeeds needs{launch.threads, launch.registers, launch.shared_bytes};
    if (!compiled) return needs;
    for (const KernelReport& said : compiled->kernels) {
        if (said.kernel != launch.kernel) continue;
        needs.registers = said.registers;
        needs.shared_bytes += said.shared_bytes;
    }
    return needs;
}

ModelSetting setting_for(const KernelSet& set, const Compiled* compiled, Capability card) {
    ModelSetting setting;
    setting.parts = parts_for_model(set);
    for (const Launch& launch : set.launches) {
        if (launch.combines) continue;
        const int blocks = blocks_per_processor(limits_of(card), needs_of(launch, compiled));
        const auto [known, fresh] = setting.resident.emplace(launch.node, blocks);
        if (!fresh) known->second = std::min(known->second, blocks);
    }
    return setting;
}

int blocks_per_processor(const ProcessorLimits& limits, const KernelNeeds& needs) {
    const int warps = std::max(1, up_to(needs.threads, kWarp) / kWarp);
    int blocks = std::min(limits.blocks, limits.threads / (warps * kWarp));
    if (needs.registers > 0)
        blocks = std::min(blocks, limits.registers / up_to(needs.registers * kWarp, kRegisterUnit) / warps);
    const int shared = up_to(needs.shared_bytes + limits.reserved_shared_bytes, kSharedUnit);
    if (shared > 0) blocks = std::min(blocks, limits.shared_bytes / shared);
    return blocks;
}

double occupancy(const ProcessorLimits& limits, const KernelNeeds& needs) {
    const int threads = blocks_per_processor(limits, needs) * up_to(needs.threads, kWarp);
    return static_cast<double>(threads) / limits.threads;
}

}  // namespace blockscope::gpu
