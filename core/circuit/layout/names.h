// What labels say. Internal to the layout.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/layout/sheet.h"

namespace blockscope::circuit {

// "q", "g_q", "s_x^(8)" with the divisor of its size; a part that is all of its axis has the axis' name, an
// axis without one its size.
std::string axis_label(const Axes& axes, AxisId id);
// At a level that may call it otherwise: "w_q^(128)" at tensor cores.
std::string axis_label(const Axes& axes, AxisId id, int level);

// "groups g_q of q, g_h of h"
SheetFrame partition_frame(const Axes& axes, const std::vector<const Partition*>& parts);

// "q × g_x bf16", at its level
std::string array_shape(const Axes& axes, const ArrayType& type);
// "q × g_x bf16 at level 1"
std::string array_text(const Axes& axes, const ArrayType& type);

// One line about an operator: "softmax along x: q × x f16 → q × x f16".
std::string apply_detail(const Axes& axes, const Apply& apply, const std::vector<ArrayType>& inputs,
                         const std::vector<ArrayType>& outputs);

// "16,384"; what is not whole as number_text.
std::string long_count(double value);
// "16,384", "1.05M": at most six letters.
std::string short_count(double value);

// At most `most` characters (code points), the last one "…" if some are missing.
std::string shortened(const std::string& text, std::size_t most);

}  // namespace blockscope::circuit
