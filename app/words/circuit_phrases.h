// What the core says of circuit diagrams: verdicts on axes, refusals, operators.
#pragma once

#include "app/words/words.h"

namespace blockscope {

const std::vector<Phrase>& circuit_sentences();
// What can stand in their places: operators, and the sentences themselves.
const std::vector<Phrase>& circuit_phrases();

// What kernels are made of: pseudocode, variables, divisors, why there is none.
const std::vector<Phrase>& kernel_phrases();
QString in_kernel_words(const std::string& english);

}  // namespace blockscope
