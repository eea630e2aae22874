#include "app/worker/plan_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/engine/worker.h"
#include "core/measure/reference.h"
#include "core/measure/sampling.h"

namespace blockscope::worker {

namespace {

std::vector<float> as_float(const std::vector<double>& values) {
    std::vector<float> narrow;
    narrow.reserve(values.size());
    for (const double value : values) narrow.push_back(static_cast<float>(value));
    return narrow;
}

double range_of(const Tensor<double>& array) {
    double most = 0;
    for (const double value : array.data) most = std::max(most, std::abs(value));
    return most;
}

// The largest difference of two arrays as a share of the largest value; 0 of arrays of zeros.
double difference(const Tensor<double>& a, const Tensor<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
        const double one = std::abs(a.data[i] - b.data[i]);
        if (!std::isfinite(one)) return std::numeric_limits<double>::infinity();
        most = std::max(most, one);
    }
    const double range = range_of(a);
    return most == 0 ? 0 : most / range;
}

// Of all that the plan's kernels made, what the program returns: an array by each of its names, and inputs,
// too.
Tensors<double> outputs_of(const GroupCosts& costs, const PreparedPlan& plan, const Tensors<double>& inputs) {
    Tensors<double> outputs;
    const plan::OperatorGraph& graph = costs.graph();
    for (const ArrayOutput& output : costs.whole().outputs) {
        std::string made = costs.whole().ops[static_cast<std::size_t>(output.op)].name;
        for (std::size_t node = 0; node < graph.op.size(); ++node)
            if (graph.op[node] == output.op) made = graph.names[node];
        const auto computed = plan.results().find(made);
        outputs[output.name] = computed == plan.results().end() ? inputs.at(made) : computed->second;
    }
    return outputs;
}

// The program in the smallest blocks that any kernel of the ways has, so that rows of every block of a kernel
// are checked where not all are.
ArrayProgram in_smallest_blocks(GroupCosts& costs, const std::vector<ProgramWay>& ways) {
    ArrayProgram program = costs.whole();
    for (const ProgramWay& way : ways)
        for (const plan::FusionGroup& kernel : way.plan.kernels)
            for (const Dim& made : costs.program(kernel, way.states).dims)
                for (Dim& dim : program.dims)
                    if (dim.name == made.name) dim.block = std::min(dim.block, made.block);
    return program;
}

// The largest difference of outputs from those.
double differs(const Tensors<double>& expected, const Tensors<double>& found) {
    double most = 0;
    for (const auto& [name, array] : expected) most = std::max(most, difference(array, found.at(name)));
    return most;
}

// All results of a plan in float64, as they are compared, and the outputs once more.
std::int64_t bytes_compared(const GroupCosts& costs) {
    constexpr double kFloat64 = 8;
    const plan::OperatorGraph& graph = costs.graph();
    double bytes = 0;
    for (std::size_t node = 0; node < graph.op.size(); ++node) {
        const auto op = static_cast<std::size_t>(graph.op[node]);
        const double elements = graph.bytes.at(op) / bytes_per_element(costs.whole().ops.at(op).elem);
        bytes += kFloat64 * elements * (graph.output[node] ? 2 : 1);
    }
    return static_cast<std::int64_t>(bytes);
}

}  // namespace

Result<PreparedPlan> PreparedPlan::prepare(GroupCosts& costs, const ProgramWay& way,
                                           const Tensors<double>& inputs, PreparedKernels& known) {
    constexpr std::int64_t kShared = std::int64_t{1} << 29;  // bytes: more than caches hold
    PreparedPlan made;
    const std::int64_t kept = bytes_compared(costs);
    for (const plan::FusionGroup& kernel : way.plan.kernels) {
        if (const auto shared = known.find({kernel, way.states}); shared != known.end()) {
            made.kernels_.push_back(shared->second);
            continue;
        }
        const std::int64_t left = engine::available_memory() - kept;
        if (left <= 0)
            return Problem{
                {},
                Text("comparing the results of its kernels takes %1 of memory, of which %2 are left",
                     bytes_text_of(static_cast<double>(kept)),
                     bytes_text_of(static_cast<double>(left + kept)))};
        const State state = costs.state(kernel, way.states);
        Result<CpuProgram> prepared = CpuProgram::prepare(state.loops(), {.memory_limit = left / 4 * 3});
        if (!prepared) return prepared.problems();
        made.kernels_.push_back(std::make_shared<CpuProgram>(std::move(prepared).value()));
        if (made.kernels_.back()->memory_bytes() >= kShared)
            known[{kernel, way.states}] = made.kernels_.back();
    }
    for (const std::shared_ptr<CpuProgram>& kernel : made.kernels_) {
        CpuProgram& program = *kernel;
        for (std::size_t i = 0; i < program.inputs().size(); ++i) {
            const auto computed = made.results_.find(program.inputs()[i].name);
            const Tensor<double>& given =
                computed == made.results_.end() ? inputs.at(program.inputs()[i].name) : computed->second;
            program.set_input(static_cast<int>(i), as_float(given.data));
        }
        program.run();
        for (std::size_t i = 0; i < program.outputs().size(); ++i) {
            const std::span<const float> output = program.output(static_cast<int>(i));
            made.results_[program.outputs()[i].name] = {program.outputs()[i].shape,
                                                        {output.begin(), output.end()}};
        }
    }
    return made;
}

std::vector<double> PreparedPlan::run() {
    std::vector<double> seconds;
    for (const std::shared_ptr<CpuProgram>& kernel : kernels_) {
        const auto start = std::chrono::steady_clock::now();
        kernel->run();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return seconds;
}

bool measure_kernel(GroupCosts& costs, const plan::FusionGroup& kernel, int rounds, GroupState which) {
    costs.stop().check();
    if (costs.is_measured(kernel, which)) return false;
    const State state = costs.state(kernel, which);
    Result<CpuProgram> prepared = CpuProgram::prepare(state.loops());
    if (!prepared) return false;
    CpuProgram program = std::move(prepared).value();
    const Tensors<double> inputs = random_doubles(costs.program(kernel, which), 1);
    for (std::size_t i = 0; i < program.inputs().size(); ++i)
        program.set_input(static_cast<int>(i), as_float(inputs.at(program.inputs()[i].name).data));
    program.run();
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        program.run();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    costs.set_measured(kernel, measure::summarize(std::move(seconds)).median, which);
    return true;
}

std::vector<MeasuredPlan> race_plans(GroupCosts& costs, const std::vector<ProgramWay>& ways, int rounds,
                                     std::uint64_t seed) {
    const Tensors<double> inputs = random_doubles(costs.whole(), seed);
    std::vector<MeasuredPlan> measured(ways.size());
    std::vector<std::optional<PreparedPlan>> prepared(ways.size());
    PreparedKernels known;
    std::optional<Tensors<double>> first;  // the outputs of the first plan that ran
    const measure::Reference reference = in_smallest_blocks(costs, ways);
    const measure::Outcome<measure::Expected> expected = measure::expected_outputs(reference, inputs, seed);
    for (std::size_t i = 0; i < ways.size(); ++i) {
        costs.stop().check();
        if (ways[i].plan.kernels.empty()) {
            measured[i].problem = "there is no such plan";
            continue;
        }
        Result<PreparedPlan> made = PreparedPlan::prepare(costs, ways[i], inputs, known);
        if (!made) {
            measured[i].problem = to_string(made.problems().front());
            std::erase_if(known, [](const auto& kernel) { return kernel.second.use_count() == 1; });
            continue;
        }
        prepared[i] = std::move(made).value();
        Tensors<double> outputs = outputs_of(costs, *prepared[i], inputs);
        prepared[i]->forget_results();
        measured[i].checked = expected ? expected->how : expected.failure().message.str();
        if (expected)
            measured[i].from_reference = measure::compare_outputs(*expected, reference, outputs).error;
        measured[i].difference = first ? differs(*first, outputs) : 0;
        if (!first) first = std::move(outputs);
    }
    std::vector<std::vector<std::vector<double>>> kernels(ways.size());  // by plan and kernel
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (!prepared[i]) continue;
            costs.stop().check();
            const std::vector<double> seconds = prepared[i]->run();
            measured[i].seconds.push_back(std::accumulate(seconds.begin(), seconds.end(), 0.0));
            kernels[i].resize(seconds.size());
            for (std::size_t k = 0; k < seconds.size(); ++k) kernels[i][k].push_back(seconds[k]);
        }
    for (std::size_t i = 0; i < ways.size(); ++i)
        for (std::vector<double>& samples : kernels[i])
            measured[i].kernel_seconds.push_back(measure::summarize(std::move(samples)).median);
    return measured;
}

}  // namespace blockscope::worker
