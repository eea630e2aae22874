// Whether Texts can be translated: their templates are those that translators get.
#pragma once

#include <set>
#include <string>

#include "core/support/text.h"

namespace blockscope::test {

// The templates that app/words/templates.cmake finds in the sources.
const std::set<std::string>& listed_templates();

// Whether `verbatim`, which has no translation, holds words beside names, numbers, formulas and quotations.
bool has_words(std::string verbatim);

// Adds to `missing` what of `text` cannot be translated: templates that are not listed, and words that stand
// verbatim.
void look_for_untranslated(const Text& text, std::set<std::string>& missing);

}  // namespace blockscope::test
