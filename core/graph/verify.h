// The structural verifier: finds everything that a rewrite could break.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/support/text.h"

namespace blockscope {

struct Violation {
    NodeId node;
    Text sentence;
};

// All problems of the program, each with the node it concerns: ids unique and below next_id,
// inputs that exist and come earlier, arities, types recomputed and equal to the stored ones, port
// modes that fit the inner graph, dimensions that exist.
std::vector<Violation> verify(const BlockProgram& program);

// The same for the level at `path` of `after`, knowing that `before` is valid: nodes of that level
// and of the inner graphs of its new maps are checked unless they and their producers are, pointer
// for pointer, nodes of `before`. Every edge of these graphs is checked for an earlier producer.
std::vector<Violation> verify_change(const BlockProgram& before, const BlockProgram& after,
                                     const std::vector<NodeId>& path);
// The same with the indices of that level before and after, for those who have them already.
std::vector<Violation> verify_change(const GraphIndex& before, const GraphIndex& after,
                                     const BlockProgram& after_program, bool top_level);

// The output types that a node of this kind has for the given input types, or a sentence that
// says what does not fit (Table 1's constraints). Not for Input, which declares its type.
struct TypeCheck {
    std::vector<Type> outputs;
    Text error;  // empty if it fits
};
TypeCheck check_types(const Kind& kind, const std::vector<Type>& inputs, const DimTable& dims);

}  // namespace blockscope
