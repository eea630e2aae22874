#include "gpu/driver/for_card.h"

#include <charconv>

#include "core/json/device_files.h"

namespace blockscope::gpu {

std::optional<Capability> capability_of(const std::string& architecture) {
    const std::string prefix = "sm_";
    if (architecture.rfind(prefix, 0) != 0) return std::nullopt;
    int number = 0;  // the last digit is the minor part
    const char* begin = architecture.data() + prefix.size();
    const auto [end, error] = std::from_chars(begin, architecture.data() + architecture.size(), number);
    if (error != std::errc() || number < 10) return std::nullopt;
    return Capability{number / 10, number % 10};
}

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

LoopProgram with_elements(LoopProgram program, ElemType elem) {
    for (Buffer& buffer : program.buffers) buffer.type = buffer.type.with_elem(elem);
    return program;
}

Result<CardKernels> kernels_for(const LoopProgram& program, Capability card, ElemType elem,
                                const KernelChoice& choice) {
    const LoopProgram typed = with_elements(program, elem);
    CodegenOptions options;
    options.target = choice.target.value_or(target_for(card, elem, choice.tf32));
    options.tf32 = choice.tf32;
    options.threads = choice.threads;
    options.stages = choice.stages;
    options.parts = choice.parts;
    options.device = choice.device ? choice.device : &generation_of(card);
    Result<KernelSet> set = generate(typed, options);
    if (set) return CardKernels{std::move(set).value(), {}};
    if (choice.target || options.target == Target::F32) return set.problems();
    const std::string why = "not " + to_string(options.target) + ": " + to_string(set.problems().front());
    options.threads = options.stages = 0;  // were meant for that target
    std::vector<Target> others = {Target::F32};
    if (const auto other = instead_of(options.target)) others.insert(others.begin(), *other);
    for (const Target other : others) {
        options.target = other;
        Result<KernelSet> instead = generate(typed, options);
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

}  // namespace blockscope::gpu
