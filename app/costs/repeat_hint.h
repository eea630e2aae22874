// What is to be said of a fused state that loses against the unfused program for its block sizes alone.
#pragma once

#include <QString>

#include "app/document/document.h"

namespace blockscope {

// Of a state that repeats the unfused program's work (over a tenth more operations at these block sizes) and
// takes longer than it - as measured if both are, else as predicted -: that Tune may find better ones. Empty
// of all others, and while they are counted.
QString repeat_hint(Document& document, StateId state);

}  // namespace blockscope
