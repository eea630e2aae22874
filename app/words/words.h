// What the core says, in the user's language. The core has no Qt and speaks English in templates
// (core/support/ text.h): "%1 is not a map". A translation of a template is looked up in the context "Core",
// and filled with the same arguments. What has no translation stays as it is.
#pragma once

#include <QString>

#include "core/support/result.h"

namespace blockscope {

QString translated(const Text& text);
// With its place in front: "file.bp:3:7: ...".
QString translated(const Problem& problem);
// With a capital letter at the start and a full stop at the end.
QString as_sentence(const Text& text);

}  // namespace blockscope
