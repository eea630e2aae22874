#include "tests/bench/checked.h"

#include <memory>
#include <stdexcept>
#include <utility>

#include "core/program/convert.h"
#include "core/state/state.h"

namespace blockscope::bench {

namespace {

constexpr std::uint64_t kSeed = 1;

Tensors<double> outputs_of(const CpuProgram& program) {
    Tensors<double> outputs;
    for (std::size_t i = 0; i < program.outputs().size(); ++i) {
        const EngineArray& array = program.outputs()[i];
        const std::span<const float> values = program.output(static_cast<int>(i));
        outputs[array.name] = {array.shape, std::vector<double>(values.begin(), values.end())};
    }
    return outputs;
}

}  // namespace

Checked::Checked(ArrayProgram program) {
    inputs_ = measure::random_inputs(to_block_program(program).program, ElemType::F32, kSeed);
    program_ = std::move(program);
    const auto expected = measure::expected_outputs(program_, inputs_, kSeed);
    if (!expected) throw std::runtime_error(expected.failure().message.str());
    expected_ = *expected;
}

CpuProgram Checked::prepared(const BlockProgram& state, int threads) const {
    EngineOptions options;
    options.threads = threads;
    const State as_built(std::make_shared<const BlockProgram>(state));
    Result<CpuProgram> result = CpuProgram::prepare(as_built.loops(), options);
    if (!result) throw std::runtime_error(to_string(result.problems()[0]));
    CpuProgram program = std::move(result).value();
    for (std::size_t i = 0; i < program.inputs().size(); ++i) {
        const Tensor<double>& input = inputs_.at(program.inputs()[i].name);
        program.set_input(static_cast<int>(i), std::vector<float>(input.data.begin(), input.data.end()));
    }
    program.fill_with_nan();
    program.run();
    check("a state", outputs_of(program));
    return program;
}

void Checked::check(const std::string& who, const Tensors<double>& outputs) const {
    const measure::Difference difference = measure::compare_outputs(expected_, program_, outputs);
    const double allowed = measure::tolerance(ElemType::F32);
    if (!(difference.error <= allowed))
        throw std::runtime_error(who +
                                 " is wrong: " + measure::difference_sentence(difference, allowed).str());
}

}  // namespace blockscope::bench
