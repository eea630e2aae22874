#include "gpu/driver/for_card.h"

#include <algorithm>

#include "core/json/device_files.h"
#include "gpu/codegen/splits.h"

namespace blockscope::gpu {

Target target_for(Capability card, ElemType elem, bool tf32) {
    if (card.major < 8 || (elem == ElemType::F32 && !tf32)) return Target::F32;
    if (card.major == 8 && card.minor == 6) return Target::Sm86;
    if (card.major == 8 && card.minor == 9) return Target::Sm89;
    if (card.major == 8) return Target::Sm80;
    if (card.major == 9) return card.minor == 0 && !tf32 ? Target::Sm90a : Target::Sm90;  // wgmma has 16 bits
    if (card.major <= 11) return Target::Sm100;
    return Target::Sm120;
}

std::optional<Target> instead_of(Target target) {
    if (target == Target::Sm90a) return Target::Sm90;
    return std::nullopt;
}

std::string architecture_of(Target target) {
    return target == Target::F32 ? "sm_75" : to_string(target);
}

Result<CardKernels> kernels_for(const State& state, Capability card, ElemType elem,
                                const KernelChoice& choice) {
    const State kept = state.in_form(state.form().kept_in(elem));
    CodegenOptions options;
    options.target = choice.target.value_or(target_for(card, elem, choice.tf32));
    options.tf32 = choice.tf32;
    options.threads = choice.threads;
    options.stages = choice.stages;
    options.parts = choice.parts;
    options.stop = choice.stop;
    options.device = choice.device ? choice.device : &generation_of(card);
    Result<KernelSet> set = generate(kept.loops(), options);
    if (set) return CardKernels{std::move(set).value(), {}};
    if (choice.target || options.target == Target::F32) return set.problems();
    const std::string why = "not " + to_string(options.target) + ": " + to_string(set.problems().front());
    options.threads = options.stages = 0;  // were meant for that target
    std::vector<Target> others = {Target::F32};
    if (const auto other = instead_of(options.target)) others.insert(others.begin(), *other);
    for (const Target other : others) {
        options.target = other;
        Result<KernelSet> instead = generate(kept.loops(), options);
        if (instead) return CardKernels{std::move(instead).value(), why};
    }
    return set.problems();  // what the card's own target lacks says more
}

const Device& generation_of(Capability card) {
    const bool ada = card.major == 8 && card.minor == 9;
    const bool ampere_consumer = card.major < 8 || (card.major == 8 && card.minor == 6);
    const char* name = ada || card.major >= 12 ? "rtx-4090"
                       : ampere_consumer       ? "rtx-3080"
                       : card.major == 8       ? "a100-sxm-80gb"
                       : card.major == 9       ? "h100-sxm5"
                                               : "b200";
    const Device* found = find_device(builtin_devices(), name);
    if (!found) throw InternalError(std::string("no device ") + name);
    return *found;
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
    setting.computed_in = set.computed_in;
    for (const Launch& launch : set.launches) {
        if (launch.combines) continue;
        const int blocks = blocks_per_processor(limits_of(card), needs_of(launch, compiled));
        const auto [known, fresh] = setting.resident.emplace(launch.node, blocks);
        if (!fresh) known->second = std::min(known->second, blocks);
        if (!launch.wgmma) setting.by_warps.insert(launch.node);
    }
    return setting;
}

namespace {

constexpr int kMostHalvings = 6;
constexpr std::int64_t kLeastBlock = 16;

bool can_be_halved(Dim dim, BlockNeed need) {
    if (dim.kind != DimKind::Blocked || dim.block % 2 != 0 || dim.block / 2 < kLeastBlock) return false;
    dim.block /= 2;
    return meets(dim, need);
}

// Halves `left` times more, blocks of dimensions from `first` on: each way once.
std::optional<DimTable> halved(BlockProgram& program, const BlockNeeds& needs, std::size_t first, int left,
                               const std::function<bool(const BlockProgram&)>& fits) {
    if (left == 0) return fits(program) ? std::optional(program.dims) : std::nullopt;
    for (std::size_t i = first; i < program.dims.size(); ++i) {
        const std::int64_t block = program.dims[i].block;
        if (!can_be_halved(program.dims[i], need_of(needs, i))) continue;
        program.dims[i].block = block / 2;
        if (auto found = halved(program, needs, i, left - 1, fits)) return found;
        program.dims[i].block = block;
    }
    return std::nullopt;
}

}  // namespace

BlockProgram with_smallest_blocks(BlockProgram program) {
    const BlockNeeds needs = block_needs(program);
    for (std::size_t i = 0; i < program.dims.size(); ++i)
        while (can_be_halved(program.dims[i], need_of(needs, i))) program.dims[i].block /= 2;
    return program;
}

std::optional<DimTable> fitting_blocks(const BlockProgram& program,
                                       const std::function<bool(const BlockProgram&)>& fits) {
    BlockProgram smaller = with_smallest_blocks(program);
    if (!fits(smaller)) return std::nullopt;  // something else is the matter
    smaller.dims = program.dims;
    const BlockNeeds needs = block_needs(program);
    for (int halvings = 1; halvings <= kMostHalvings; ++halvings)
        if (auto found = halved(smaller, needs, 0, halvings, fits)) return found;
    return std::nullopt;
}

Result<FittingKernels> fitting_kernels(const State& state, const CodegenOptions& options) {
    const BlockProgram& program = *state.source();
    const auto kernels_of = [&](const State& one) {
        CodegenOptions own = options;
        own.work = [&one]() -> const StateWork& { return one.work(); };
        return generate(one.loops(), own);
    };
    Result<KernelSet> own = kernels_of(state);
    if (own) return FittingKernels{std::move(own).value(), program.dims, {}, {}};
    const auto with_blocks = [&](const BlockProgram& smaller) {
        return kernels_of(state.with_dims(smaller.dims));
    };
    const auto dims = fitting_blocks(program, [&](const BlockProgram& smaller) {
        options.stop.check();
        return static_cast<bool>(with_blocks(smaller));
    });
    if (!dims) return own.problems();
    BlockProgram smaller = program;
    smaller.dims = *dims;
    return FittingKernels{with_blocks(smaller).value(), *dims, set_words(program.dims, *dims),
                          own.problems().front()};
}

std::string set_words(const DimTable& from, const DimTable& to) {
    std::string words;
    for (std::size_t i = 0; i < to.size(); ++i)
        if (to[i].block != from[i].block)
            words += (words.empty() ? "--set " : " --set ") + to[i].name + "=" + std::to_string(to[i].size) +
                     "/" + std::to_string(to[i].block);
    return words;
}

}  // namespace blockscope::gpu
