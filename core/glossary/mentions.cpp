#include "core/glossary/mentions.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace blockscope {

namespace {

constexpr std::size_t kShortest = 4;  // bytes of a name that is looked for

bool in_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

std::string in_lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

struct Name {
    std::string words;  // in lower case
    const GlossaryTerm* term;
};

std::vector<Name> names_of(const Glossary& terms) {
    std::vector<Name> names;
    for (const GlossaryTerm& term : terms) {
        std::vector<std::string> all = term.aliases;
        all.push_back(term.name);
        for (const std::string& name : all)
            if (name.size() >= kShortest) names.push_back({in_lower_case(name), &term});
    }
    std::stable_sort(names.begin(), names.end(),
                     [](const Name& a, const Name& b) { return a.words.size() > b.words.size(); });
    return names;
}

// How many bytes of `text` from `at` on are the name, as whole words; 0 if they are not.
std::size_t match_at(const std::string& text, std::size_t at, const std::string& name) {
    if (text.compare(at, name.size(), name) != 0 || (at > 0 && in_word(text[at - 1]))) return 0;
    std::size_t end = at + name.size();
    if (end < text.size() && text[end] == 's') ++end;
    return end < text.size() && in_word(text[end]) ? 0 : end - at;
}

}  // namespace

std::vector<Mention> mentions(const Glossary& terms, std::string_view sentence) {
    const std::string text = in_lower_case(sentence);
    const std::vector<Name> names = names_of(terms);
    std::vector<Mention> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 0;
        for (const Name& name : names) {
            length = match_at(text, at, name.words);
            if (length == 0) continue;
            const bool known = std::any_of(found.begin(), found.end(),
                                           [&](const Mention& other) { return other.term == name.term; });
            if (!known) found.push_back({at, length, name.term});
            break;
        }
        at += std::max<std::size_t>(length, 1);
    }
    return found;
}

}  // namespace blockscope
