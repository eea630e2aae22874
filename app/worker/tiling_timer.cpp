#include "app/worker/tiling_timer.h"

#include "app/worker/probe.h"
#include "core/program/convert.h"
#include "core/tilings/blocked_run.h"

namespace blockscope::worker {

namespace {

// Of the one output of a chain.
std::vector<std::int64_t> output_shape(const ArrayProgram& program) {
    const Shape& shape = program.ops.at(static_cast<std::size_t>(program.outputs.front().op)).shape;
    std::vector<std::int64_t> sizes;
    for (const auto* dims : {&shape.batch, &shape.axes})
        for (const DimId dim : *dims)
            sizes.push_back(program.dims.at(static_cast<std::size_t>(dim.value)).size);
    return sizes;
}

}  // namespace

struct TilingTimer::Known {
    measure::Reference reference;
    Tensors<double> inputs;
    std::optional<measure::Expected> expected;  // none: it cannot be computed here
};

TilingTimer::TilingTimer(const tilings::Chain& chain, int threads, double tolerance)
    : chain_(chain), threads_(threads), tolerance_(tolerance), start_(cpu_times()) {}

TilingTimer::~TilingTimer() = default;

const TilingTimer::Known& TilingTimer::known() {
    constexpr std::uint64_t kSeed = 1;
    if (known_) return *known_;
    auto made = std::make_unique<Known>();
    made->reference = chain_.program;
    made->inputs = measure::random_inputs(to_block_program(chain_.program).program, ElemType::F32, kSeed);
    measure::Outcome<measure::Expected> expected =
        measure::expected_outputs(made->reference, made->inputs, kSeed);
    if (expected)
        how_checked_ = Text("%1", expected->how);
    else
        unchecked_ = Text("Results were not checked: %1", expected.failure().message);
    if (expected) made->expected = std::move(*expected);
    known_ = std::move(made);
    return *known_;
}

std::optional<double> TilingTimer::seconds(const tilings::Space& space, const tilings::Candidate& candidate) {
    const Known& known = this->known();
    tilings::BlockedRun run(chain_, space.judged(candidate).expression.roots, candidate.tiles, threads_);
    for (const auto& [name, tensor] : known.inputs)
        run.set_input(name, {tensor.data.begin(), tensor.data.end()});
    run.run();
    if (known.expected) {
        const std::string& output = known.expected->outputs.begin()->first;
        const std::span<const float> found = run.output();
        Tensors<double> outputs;
        outputs[output] = {output_shape(chain_.program), {found.begin(), found.end()}};
        const measure::Difference difference =
            measure::compare_outputs(*known.expected, known.reference, outputs);
        if (!measure::agrees(difference, tolerance_)) {
            wrong_ = Text("%1: %2", to_string(space, candidate), difference_sentence(difference, tolerance_));
            return std::nullopt;
        }
    }
    return tilings::best_seconds([&] { run.run(); });
}

std::optional<double> TilingTimer::others() const {
    const std::optional<measure::CpuTimes> now = cpu_times();
    if (!start_ || !now) return std::nullopt;
    return measure::cores_of_others(*start_, *now);
}

Text distrust_of(const std::optional<double>& others) {
    const bool disturbed = others && *others > measure::kBusyCores;
    return disturbed ? measure::distrust(*others) : Text();
}

}  // namespace blockscope::worker
