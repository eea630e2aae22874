// The command that opens a state in Blockscope, in exported pages: to be read and copied. Internal to
// app/export.
#pragma once

#include <string>

#include "app/export/derivation.h"

namespace blockscope {

// The command with a button that copies it; empty if the stage has none.
std::string link_html(const Stage& stage);

extern const char* const kLinkScript;  // what the buttons do
extern const char* const kLinkStyle;

}  // namespace blockscope
