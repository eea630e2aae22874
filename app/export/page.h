// A derivation as one stand-alone HTML page that steps with the arrow keys. It asks for nothing from
// anywhere.
#pragma once

#include <string>

#include "app/export/derivation.h"

namespace blockscope {

// Well-formed as XML too. The drawings of all stages share what they have in common.
std::string derivation_page(const Derivation& derivation);

// What the page is made of besides the derivation (page_style.cpp, page_script.cpp).
extern const char* const kPageStyle;
extern const char* const kPageScript;

}  // namespace blockscope
