// What of a circuit diagram belongs to what of a block program, both ways. No Qt.
#pragma once

#include "app/circuit/circuit_paint.h"
#include "app/document/document.h"
#include "app/panels/array_view.h"

namespace blockscope {

// The nodes that hand a value on, in and out of maps: what makes it, and the input and output nodes of the
// maps that it passes. A transfer of the diagram has the one where it happens as its origin.
std::set<NodeId> nodes_of_value(const BlockProgram& program, const ValueRef& value);

// What else belongs to both: of diagrams of the array program, whose axes and arrays have the program's
// names, and of those step by step, whose axes may have been renamed.
struct SharedNames {
    // By axis of the drawing: the dimension that it is, or is a part of; empty for none.
    std::vector<std::string> dims;
};
// `first` are the axes before any was renamed, by the numbers of the drawing's wholes; null where none was.
SharedNames shared_names(const circuit::Axes& drawn, const circuit::Axes* first = nullptr);

// The lights of what is selected or pointed at: operators, the frames of maps with the axis that they iterate
// over, the transfers that a value causes.
CircuitLights circuit_lights(const circuit::Drawing& drawing, const BlockProgram& program,
                             const ArrayLinks& links, const SharedNames& names, const Spot& spot);

// What is meant by a part of the diagram: nodes, or the value of a transfer. Empty if it is nothing of the
// block program.
Spot circuit_spot(const circuit::Drawing& drawing, const BlockProgram& program, const ArrayLinks& links,
                  const SharedNames& names, const CircuitPart& part);

}  // namespace blockscope
