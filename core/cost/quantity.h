// Every number that the cost counter knows, by name: what an interface can ask to have derived.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cost/counts.h"
#include "core/support/result.h"

namespace blockscope {

struct CostQuantity {
    enum class Kind : std::uint8_t {
        Loads,
        Stores,  // of one buffer
        Inputs,
        Outputs,
        Intermediates,
        Moved,  // by kind, and all together
        Matrix,
        Vector,
        Special,
        Operations,  // by unit, and all together; of one operator if there is a node
        LocalMemory,
        Tasks,
        Launches,
        Replication,
        Intensity,
    };
    enum class Measure : std::uint8_t { Items, Values, Bytes };

    Kind kind = Kind::Moved;
    Measure measure = Measure::Values;  // of transfers and local memory (which has no items)
    int buffer = -1;                    // of Loads and Stores: index in LoopProgram::buffers
    std::optional<NodeId> node;         // of operations
    bool operator==(const CostQuantity&) const = default;
};

// "Q.loads.values", "inputs.bytes", "matrix", "operations.n12", "local.bytes", "tasks".
std::string to_string(const CostQuantity& quantity, const LoopProgram& program);

// The same, without a measure: values. A problem says what is possible.
Result<CostQuantity> parse_quantity(const std::string& text, const LoopProgram& program);

// All of a program's, those without a term (no loads from an output, say) left out.
std::vector<CostQuantity> quantities(const LoopProgram& program);

}  // namespace blockscope
