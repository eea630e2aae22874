// What the diagram of a state derives against what is counted of it (core/cost/counts.h).
#pragma once

#include <gmock/gmock.h>

#include <algorithm>

#include "core/cost/counts.h"
#include "core/diagram/arrange.h"
#include "core/diagram/resources.h"
#include "core/diagram/term.h"

namespace blockscope::test {

// The whole arrays that operators without a block form take, or give: drawn at level 1, and not counted.
inline double opaque_memory(const circuit::Circuit& circuit, const circuit::Resources& costs,
                            const circuit::Values& values) {
    double most = 0;
    for (const circuit::Execution& execution : costs.columns.executions) {
        if (execution.apply->op.kind != circuit::OperatorKind::Custom || execution.apply->own.empty())
            continue;
        for (const auto* arrays : {&execution.inputs, &execution.outputs}) {
            double sum = 0;
            for (const circuit::ColumnArray& array : *arrays)
                sum += size_of_array(circuit.axes, array.type).value(values);
            most = std::max(most, sum);
        }
    }
    return most;
}

// Whether memory is what is counted, or at most that: random programs and operators without a block form have
// drawings that keep less, or whole arrays.
enum class Held { Exactly, AtMost };

// Transfers and matrix operations are equal, and so is memory while operators run. The widest column is never
// more: it has no result beside the operands that it is made of. Blocks have to divide their dimensions:
// formulas know no ragged ones.
inline void expect_counted(const BlockProgram& state, Held held = Held::Exactly) {
    const Result<circuit::Circuit> drawn = circuit::circuit_of(state);
    ASSERT_TRUE(drawn) << drawn.problems().front().message;
    const circuit::Circuit& circuit = *drawn;
    ASSERT_THAT(verify(circuit), testing::IsEmpty()) << to_string(circuit);
    const circuit::Resources costs = resources(circuit);
    const circuit::Values values = sizes(circuit.axes);
    const Counts counts = count(lower(state));
    const auto moved =
        static_cast<double>(counts.inputs.values + counts.outputs.values + counts.intermediates.values);
    ASSERT_DOUBLE_EQ(costs.transferred.value(values), moved) << to_string(circuit);
    ASSERT_DOUBLE_EQ(costs.work.matrix.value(values), static_cast<double>(counts.flops.matrix));
    ASSERT_LE(costs.widest(1).value(values),
              std::max(static_cast<double>(counts.local.values), opaque_memory(circuit, costs, values)))
        << to_string(circuit);
    if (held == Held::AtMost) return;
    ASSERT_EQ(most_while_running(circuit, costs.columns, 1).value(values),
              static_cast<double>(counts.local.values))
        << to_string(circuit);
}

}  // namespace blockscope::test
