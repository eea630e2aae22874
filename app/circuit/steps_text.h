// What the step-by-step mode says: titles of states, numbers before and after, arguments.
#pragma once

#include <QString>
#include <vector>

#include "app/circuit/circuit_steps.h"

namespace blockscope {

// In the current state.
QString axis_name(const CircuitSteps& steps, circuit::AxisId axis);
// Sizes that parts of the axis may be given in a menu: powers of two from 16 on, and that of part_size().
std::vector<std::int64_t> part_sizes(const CircuitSteps& steps, circuit::AxisId axis);

// "Group q in parts of 128".
QString state_title(const circuit::CircuitSession& session, int state);
// "groups of 128"; empty if it is whole.
QString split_text(const std::optional<circuit::Part>& part);

// "g_M" and "x^-1/2" of the library as rich text: with lowered and raised parts.
QString rich_text_html(const std::string& text);
// A formula as rich text: with lowered and raised parts.
QString formula_html(const circuit::Formula& formula);
// N_g, H per group, H and M of the current state, formulas and values, before -> after; `muted` is the
// colour of what is said besides.
QString numbers_html(const circuit::CircuitSession& session, const QString& muted);

// What moves and is held in the picture's state, beside the current state of the steps: "step 17 of the
// picture moves 2,097,152 values and holds 49,152: the same". Empty where the picture's state has no circuit.
QString picture_text(const circuit::CircuitSession& session, const BlockProgram& program, int step);

// "No output has d. (Section 2.3)": the first reason.
QString short_reason(const std::vector<circuit::Reason>& reasons);
// What can be done with the axis and why, as rich text. The steps of the theorem are links, their number is
// the address.
QString verdict_html(const CircuitSteps& steps, circuit::AxisId axis);

}  // namespace blockscope
