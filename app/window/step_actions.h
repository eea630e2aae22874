// Stepping, undo and the algorithm from the action table; which of them make sense now.
#pragma once

#include "app/document/document.h"
#include "app/window/actions.h"

namespace blockscope {

void connect_step_actions(Actions& actions, Document& document);

}  // namespace blockscope
