#include "gpu/driver/for_card.h"

#include <charconv>

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

Target target_for(Capability card, ElemType elem) {
    if (card.major < 8 || bytes_per_element(elem) != 2) return Target::F32;
    if (card.major == 8 && card.minor == 6) return Target::Sm86;
    if (card.major == 8 && card.minor == 9) return Target::Sm89;
    if (card.major == 8) return Target::Sm80;
    if (card.major == 9) return Target::Sm90;
    if (card.major <= 11) return Target::Sm100;
    return Target::Sm120;
}

std::string architecture_of(Target target) {
    return target == Target::F32 ? "sm_75" : to_string(target);
}

LoopProgram with_elements(LoopProgram program, ElemType elem) {
    for (Buffer& buffer : program.buffers) buffer.type = buffer.type.with_elem(elem);
    return program;
}

Result<CardKernels> kernels_for(const LoopProgram& program, Capability card, ElemType elem,
                                std::optional<Target> wanted) {
    const LoopProgram typed = with_elements(program, elem);
    CodegenOptions options;
    options.target = wanted.value_or(target_for(card, elem));
    Result<KernelSet> set = generate(typed, options);
    if (set) return CardKernels{std::move(set).value(), {}};
    if (wanted || options.target == Target::F32) return set.problems();
    const Target best = options.target;
    options.target = Target::F32;
    Result<KernelSet> plain = generate(typed, options);
    if (!plain) return set.problems();  // what the card's own target lacks says more
    return CardKernels{std::move(plain).value(),
                       "not " + to_string(best) + ": " + to_string(set.problems().front())};
}

}  // namespace blockscope::gpu
