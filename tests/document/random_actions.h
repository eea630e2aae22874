// Random actions of a person on a Document.
#pragma once

#include <QString>

#include "app/document/document.h"
#include "tests/support/random.h"

namespace blockscope::test {

// Does one action, or tries to, and says which. Undo and redo are among them only if `with_undo`.
QString random_action(Random& random, Document& document, bool with_undo);

}  // namespace blockscope::test
