// The words of a sentence that the glossary explains, so that they can be explained where they stand.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/glossary/glossary.h"

namespace blockscope {

struct Mention {
    std::size_t begin = 0;  // bytes of the sentence
    std::size_t length = 0;
    const GlossaryTerm* term = nullptr;
};

// The first mention of each term, in the order of the sentence: whole words that are its name, one of its
// aliases or the plural of either, the longest first. Names of less than four letters, such as M and `for`,
// are words of other kinds, too, and are left out.
std::vector<Mention> mentions(const Glossary& terms, std::string_view sentence);

}  // namespace blockscope
