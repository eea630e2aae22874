// What the core says, in the user's language. The core has no Qt, and speaks English: names and conditions of
// rules, explanations of steps, reasons why a rule does not apply, details of boxes.
//
// Texts that never change are translated whole. Sentences with names in them are recognised by the phrases of
// phrases.cpp ("%1 is not a map") and problem_phrases.cpp, and what stands in their places by those that name
// operators. A text that no phrase fits, and whatever a translation lacks, stays as it is.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "core/support/result.h"

namespace blockscope {

QString in_words(const std::string& english);
// The same with a capital letter at the start and a full stop at the end.
QString as_sentence(const std::string& english);
// With its place in front: "file.bp:3:7: ...".
QString in_words(const Problem& problem);

// ---- How it is done, for tests and for the list of texts that translators get.

struct Phrase {
    const char* english;  // with places %1 .. %9, each once
};
const std::vector<Phrase>& sentences();
const std::vector<Phrase>& names();  // what can stand in a place, too
// What readers say of problems; of both the texts of the user are a part.
const std::vector<Phrase>& problem_sentences();
const std::vector<Phrase>& problem_parts();  // what can stand in a place of these

// What stands in the places of `phrase` (by number) if that is what `text` is.
std::optional<std::vector<std::string>> arguments_of(const Phrase& phrase, const std::string& text);
// Whether a phrase fits.
bool has_phrase(const std::string& english);
// Of a problem's message, what no phrase fits: the sentence, or what stands in its places. Without names,
// numbers and quotations, which have no translation, nothing shall be left.
std::vector<std::string> without_phrase(const std::string& message);

}  // namespace blockscope
