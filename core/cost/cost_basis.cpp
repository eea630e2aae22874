#include "core/cost/cost_basis.h"

#include "core/cost/lifetime.h"

namespace blockscope {

CostBasis::CostBasis(const LoopProgram& program)
    : extents(program), terms(cost_terms(program, extents)), alive(local_memory(program, extents)) {}

}  // namespace blockscope
