// What one state costs, as far as it depends on nothing but the program and its element type. No Qt.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/cost/counts.h"
#include "core/cost/kernel_work.h"
#include "core/cost/terms.h"
#include "core/graph/graph.h"

namespace blockscope {

struct StateCosts {
    LoopProgram loops;
    Counts counts;
    std::vector<Term> terms;
    std::vector<LocalMemory> alive;  // by line of the listing
    StateWork work;                  // for models of GPUs
    StateWork cpu_work;              // and of processors, whose engine keeps all but inputs in float32
};
using StateCostsPtr = std::shared_ptr<const StateCosts>;

// `type` instead of the types that the program declares, if it is given. `on_processor`: as its engine keeps
// arrays, inputs in cpu_type() and all else in float32, in counts as well as in the work of models.
StateCostsPtr state_costs(const BlockProgram& program, std::optional<ElemType> type,
                          bool on_processor = false);

// What the CPU engine keeps inputs in where `type` is asked for: bfloat16, else float32.
ElemType cpu_type(std::optional<ElemType> type);

// The program's declared type if all of its inputs have one and the same.
std::optional<ElemType> declared_type(const BlockProgram& program);

}  // namespace blockscope
