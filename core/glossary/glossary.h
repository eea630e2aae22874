// The terms of docs/glossary.md: the page is compiled in, so that the command line and the window explain
// words as the documentation does.
//
//     ## Buffered edge
//
//     ![Buffered edge](pictures/glossary/buffered-edge.svg)
//
//     An edge whose value goes through global memory. It is drawn red and wide.
//
//     Also: buffered, buffered edges.
//
//     See also: [Global memory](#global-memory), [Traffic](#traffic).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace blockscope {

struct GlossaryTerm {
    std::string name;                        // as its heading has it: "Buffered edge"
    std::vector<std::string> aliases = {};   // other words for it
    std::vector<std::string> text = {};      // paragraphs; the first sentence is the definition
    std::vector<std::string> see_also = {};  // names of other terms
    std::string picture = {};                // the name of its picture: "buffered-edge"; empty: it has none

    bool operator==(const GlossaryTerm&) const = default;
};

using Glossary = std::vector<GlossaryTerm>;

// The terms of a page of that form, in its order. Problems name lines of `file`: a term without text, a name
// or alias that two terms have (upper and lower case are the same), a reference to no term.
Result<Glossary> parse_glossary(std::string_view markdown, const std::string& file);

// The term that a link of a lesson means, "[buffered edges](glossary)" or "[red
// line](glossary#buffered-edge)": by its address if that has an anchor, else by its words, in the plural if
// need be. Null if there is none.
const GlossaryTerm* linked_term(const Glossary& terms, std::string_view words, std::string_view address);

// The terms of Blockscope.
const Glossary& glossary();

// The term with this name or alias, whatever its case; null if there is none.
const GlossaryTerm* find_term(const Glossary& terms, std::string_view word);

// The terms whose name or alias holds `text`, then those whose text does, whatever the case.
std::vector<const GlossaryTerm*> search_terms(const Glossary& terms, std::string_view text);

// The page itself, docs/glossary.md.
std::string_view glossary_page();

// Text without the marks of Markdown: `dim` becomes dim, *safe* becomes safe.
std::string plain_text(std::string_view markdown);

// The words of a sentence that the glossary explains, so that they can be explained where they stand.

struct Mention {
    std::size_t begin = 0;  // bytes of the sentence
    std::size_t length = 0;
    const GlossaryTerm* term = nullptr;
};

// The first mention of each term, in the order of the sentence: whole words that are its name, one of its
// aliases or the plural of either, the longest first. Names of less than four letters, such as M and `for`,
// are words of other kinds, too, and are left out.
std::vector<Mention> mentions(std::string_view sentence);

}  // namespace blockscope
