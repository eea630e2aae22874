// The five kinds of fusion that the taxonomy of operator fusion tells apart, and what each saves as it
// counts.
//
//     y = relu(x) * 2 + 1, 12 MB each      elementwise: 72 MB by three kernels, 24 MB by one: 67% saved
//     y = x - row_mean(x)                  broadcast: 60 MB, of which 24 for the means spread out as a
//     matrix; 60%
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/plan/operators.h"
#include "core/support/text.h"

namespace blockscope::plan {

enum class FusionKind : std::uint8_t {
    None,         // one operator
    Epilogue,     // a product with elementwise operators behind or in front of it: none of the five
    Elementwise,  // a chain of them
    Reduction,    // a reduction, of rows or over a batch dimension, with what is elementwise around it
    Broadcast,    // a reduction that is then applied to the rows: norms, softmax
    Transpose,    // a product that reads an operand the other way round in place of a transposed copy
    Algorithmic,  // a product of rows that are normalised within the kernel: Flash Attention
    Other,        // products one after the other, custom operators
};

struct FusionKindRow {
    FusionKind kind;
    std::string name;  // in JSON: "algorithmic"
    Text title;        // "algorithmic rewrite"
};
const FusionKindRow& fusion_kind_row(FusionKind kind);

// Of several that are right the last of the list above, but Other.
FusionKind fusion_kind(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& kernel);

// Bytes by the taxonomy's arithmetic. Unfused every operator reads all of its operands and writes its result;
// a vector that is applied to a matrix is first spread out as one, and a transpose copied. Fused the kernel
// reads each array from outside once and writes what is needed outside. (For its transposed product the
// taxonomy drops an operand of the fused kernel and so gets 71% where this gives 57%.)
struct KindSaving {
    double unfused = 0;
    double fused = 0;

    double share() const { return unfused > 0 ? 1 - fused / unfused : 0; }
};
KindSaving kind_saving(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& kernel);

}  // namespace blockscope::plan
