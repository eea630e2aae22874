// The command that opens a state: "blockscope attention --step 7". It can be pasted into a terminal.
#pragma once

#include <QString>

#include "app/document/document.h"

namespace blockscope {

// What the program opens this document by: its file, or the name of its sample. Empty for what is neither.
QString opened_by(const Document& document);

// Opens a state on the branch that the content shows; `opened` is a file or a sample. Empty if that is.
QString link_to(const Content& content, StateId state, const QString& opened);
// The state that is shown.
QString link_to(const Document& document);

}  // namespace blockscope
