#include "app/circuit/circuit_choice.h"

#include <algorithm>

#include "core/circuit/arrange.h"
#include "core/circuit/from_block.h"
#include "core/circuit/kernel.h"
#include "core/circuit/learned.h"
#include "core/circuit/place.h"
#include "core/circuit/pseudocode.h"

namespace blockscope {

namespace {

// Diagrams of larger states take gigabytes, and nobody could read them.
constexpr int kMostNodes = 8000;

// Streams come in blocks of the smallest dimension, so that they fit all of them.
std::int64_t stream_size(const DimTable& dims) {
    std::int64_t least = 0;
    for (const Dim& dim : dims)
        if (dim.block > 1 && (least == 0 || dim.block < least)) least = dim.block;
    return std::max<std::int64_t>(least, 1);
}

// The loop of one thread block, in blocks.
Result<circuit::Circuit> expanded(const circuit::Flow& flow, const DimTable& dims) {
    const Result<circuit::LoopSplit> split = circuit::loop_split(flow);
    if (!split) return split.problems();
    circuit::PseudocodeOptions options;
    options.rows = options.stream = stream_size(dims);
    options.sub = std::max<std::int64_t>(options.stream / 4, 1);
    options.inner = split->inner;
    options.inner_stream = options.stream;
    options.inner_sub = options.sub;
    return circuit::pseudocode(split->flow, split->rows, split->stream, options);
}

}  // namespace

Result<circuit::Circuit> circuit_of_state(const BlockProgram& program) {
    const int nodes = node_count(program);
    if (nodes <= kMostNodes) return circuit::circuit_of(program);
    return Problem{{},
                   "found a block program of " + std::to_string(nodes) + " nodes; expected one of at most " +
                       std::to_string(kMostNodes) + " to draw it as a circuit"};
}

Result<circuit::Circuit> circuit_for(const Content& content, StateId state, CircuitKind kind) {
    if (kind == CircuitKind::State) return circuit_of_state(*content.history.state(state).program);
    if (!content.array)
        return Problem{{}, "found a block program without an array program; expected one to draw it from"};
    const circuit::Flow flow = circuit::flow_of(*content.array);
    if (kind == CircuitKind::Program) return circuit::circuit_of(flow);
    if (kind == CircuitKind::Model)
        return circuit::circuit_of(circuit::with_learned_maps(flow, circuit::weights_of(flow)));
    const circuit::Flow separate = circuit::separated(flow);
    const DimTable& dims = content.array->dims;
    if (kind == CircuitKind::Pseudocode) return expanded(separate, dims);
    return circuit::fused(separate, circuit::natural_plan(separate, dims, stream_size(dims)));
}

bool can_be_repeated(const Content& content, CircuitKind kind) {
    if (kind != CircuitKind::Program && kind != CircuitKind::Model) return false;
    if (!content.array) return false;
    const circuit::Flow flow = circuit::flow_of(*content.array);
    if (flow.inputs.empty() || flow.outputs.empty()) return false;
    const auto type = [&](int array) { return flow.arrays.at(static_cast<std::size_t>(array)).type; };
    return type(flow.inputs.front()) == type(flow.outputs.front());
}

Result<circuit::Circuit> repeated_circuit(const circuit::Circuit& circuit, const std::string& title,
                                          const std::string& count) {
    const circuit::Tuple& in = circuit.root->domain;
    const circuit::Tuple& out = circuit.root->codomain;
    if (in.empty() || out.empty() || in.front() != out.front())
        return Problem{{},
                       "only a program whose first output has the type of its first input can be repeated"};
    return circuit::repeated(circuit, title, count);
}

}  // namespace blockscope
