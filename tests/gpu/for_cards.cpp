#include "tests/gpu/for_cards.h"

#include "core/state/state.h"
#include "gpu/driver/for_card.h"

namespace blockscope::test {

gpu::KernelSet for_card(const BlockProgram& state, const std::string& card) {
    gpu::CodegenOptions options;
    options.target = gpu::target_named(card).value();
    const auto generate = [&](const BlockProgram& program) {
        const State sized(program);
        return gpu::generate(sized.loops(), options);
    };
    if (Result<gpu::KernelSet> set = generate(state)) return std::move(set).value();
    const auto fits = [&](const BlockProgram& program) { return static_cast<bool>(generate(program)); };
    BlockProgram smaller = state;
    smaller.dims = gpu::fitting_blocks(state, fits).value();
    return generate(smaller).value();
}

}  // namespace blockscope::test
