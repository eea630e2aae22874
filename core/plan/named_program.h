// The operators of an array program as those of a graph that says what each is (legality.h), so that the
// rules of the taxonomy and the guide's checklist are read on programs, too.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plan/legality.h"
#include "core/plan/operators.h"

namespace blockscope::plan {

// `local_bytes` by node: what each needs of local memory. Softmax and norms are reductions, which go over
// what they read; custom operators, of which nothing is known, are of kind "other" and count as control flow.
NamedGraph named_graph(const ArrayProgram& program, const OperatorGraph& graph,
                       const std::vector<std::int64_t>& local_bytes);

}  // namespace blockscope::plan
