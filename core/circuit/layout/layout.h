// The layout of neural circuit diagrams: columns from left to right in the order of execution, a straight
// wire for every axis wherever the order of the wires allows it, lines that wrap at the page's width.
#pragma once

#include "core/circuit/layout/drawing.h"

namespace blockscope::circuit {

enum class NumberStyle : std::uint8_t {
    None,
    Formulas,  // as counts where formulas do not fit
    Counts,
};

struct LayoutOptions {
    double width = 1100;  // of the page; lines that cannot be broken may be longer
    NumberStyle numbers = NumberStyle::Formulas;
    // More wires than this on the left, and every input begins where it is used first.
    int most_input_wires = 9;
    LabelMeasure measure = plain_label_size;
};

// `circuit` must be sound (verify finds nothing). The same circuit gives the same drawing.
Drawing lay_out(const Circuit& circuit, const LayoutOptions& options = {});

}  // namespace blockscope::circuit
