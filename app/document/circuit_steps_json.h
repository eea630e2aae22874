// The steps of a document's circuit: on which axes they are, and how a document writes them
// (docs/documents.md).
#pragma once

#include <optional>

#include "app/document/content.h"
#include "core/circuit/step_tree.h"
#include "core/json/reader.h"

namespace blockscope {

// What the steps are of: the program as the array language has it; without one, the initial block program. A
// problem says why it has no such form.
Result<circuit::Flow> circuit_flow(const Content& content);

// `content` without the steps that its program does not allow (any more).
Content with_possible_steps(Content content);

// The keys circuit, circuit_state and circuit_tip; none if there are no steps and notes.
void add_circuit_steps(json::Object& document, const Content& content);
// Those of `document`, which has the key circuit; each step is checked on `content`'s program. None if
// something is wrong, which is reported.
circuit::StepTreePtr read_circuit_steps(const json::Reader& document, const Content& content);

}  // namespace blockscope
