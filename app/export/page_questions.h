// Questions about the next step, in exported pages: predict, then reveal. Internal to app/export.
#pragma once

#include <string>

#include "app/export/derivation.h"

namespace blockscope {

// The first question about the step after `stage`, with its choices as buttons; empty if there is none. It
// shows only while the page's body has the class "asking".
std::string questions_html(const Stage& stage);

// Defines blockscopeAnswer(element, choice): answers the question within the element, unless it is answered
// or there is no such choice; whether it did. A click on a choice does the same. The element with the id
// "tally" says how many of how many answers were right.
extern const char* const kQuestionScript;
extern const char* const kQuestionStyle;

}  // namespace blockscope
