#include "core/glossary/glossary.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

namespace blockscope {

namespace {

constexpr std::string_view kHeading = "## ";
constexpr std::string_view kAlso = "Also: ";
constexpr std::string_view kSeeAlso = "See also: ";
constexpr std::string_view kPicture = "![";

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

bool begins(std::string_view text, std::string_view with) {
    return text.substr(0, with.size()) == with;
}

// "a, b, c." as its parts.
std::vector<std::string> items(std::string_view list) {
    if (!list.empty() && list.back() == '.') list.remove_suffix(1);
    std::vector<std::string> parts;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(", "), list.size());
        parts.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 2, list.size()));
    }
    return parts;
}

// "[Map](#map)" is "Map"; a word without a link is itself.
std::string link_text(const std::string& link) {
    const std::size_t end = link.find("](");
    return begins(link, "[") && end != std::string::npos ? link.substr(1, end - 1) : link;
}

// "buffered-edge" of "![Buffered edge](pictures/glossary/buffered-edge.svg)".
std::string picture_name(std::string_view image) {
    const std::size_t begin = image.rfind('/') + 1, end = image.rfind(".svg");
    return begin < end && end != std::string_view::npos ? std::string(image.substr(begin, end - begin))
                                                        : std::string();
}

// Reads a page line by line, and keeps what is wrong with it.
class GlossaryReader {
public:
    explicit GlossaryReader(std::string file) : file_(std::move(file)) {}

    void line(std::string_view text) {
        ++line_;
        if (begins(text, kHeading)) return heading(std::string(text.substr(kHeading.size())));
        if (terms_.empty() || text.empty()) {
            paragraph_ended_ = true;
            return;
        }
        GlossaryTerm& term = terms_.back();
        if (begins(text, kAlso)) {
            for (std::string& alias : items(text.substr(kAlso.size()))) {
                name(alias);
                term.aliases.push_back(std::move(alias));
            }
        } else if (begins(text, kSeeAlso)) {
            for (const std::string& link : items(text.substr(kSeeAlso.size()))) {
                term.see_also.push_back(link_text(link));
                references_.emplace_back(line_, term.see_also.back());
            }
        } else if (begins(text, kPicture)) {
            term.picture = picture_name(text);
            if (term.picture.empty()) problem(line_, "expected a picture, as ![NAME](FOLDER/NAME.svg)");
        } else {
            add_text(term, text);
        }
    }

    Result<Glossary> end() {
        check_text();
        if (terms_.empty()) problem(line_, "expected a term, as a heading \"## NAME\"");
        for (const auto& [line, reference] : references_)
            if (!names_.contains(lower_case(reference)))
                problem(line, "there is no term \"" + reference + "\"");
        if (!problems_.empty()) return problems_;
        return std::move(terms_);
    }

private:
    void heading(std::string text) {
        check_text();
        heading_line_ = line_;
        name(text);
        terms_.push_back({.name = std::move(text)});
        paragraph_ended_ = true;
    }

    void add_text(GlossaryTerm& term, std::string_view text) {
        if (paragraph_ended_)
            term.text.emplace_back(text);
        else
            (term.text.back() += ' ') += text;
        paragraph_ended_ = false;
    }

    void check_text() {
        if (!terms_.empty() && terms_.back().text.empty())
            problem(heading_line_, "the term \"" + terms_.back().name + "\" has no text");
    }

    void name(const std::string& text) {
        const auto [at, added] = names_.emplace(lower_case(text), line_);
        if (!added)
            problem(line_,
                    "\"" + text + "\" is explained in line " + std::to_string(at->second) + " already");
    }

    void problem(int line, std::string message) {
        problems_.push_back({{file_, line, 1, {}}, std::move(message)});
    }

    std::string file_;
    Glossary terms_;
    Problems problems_;
    std::map<std::string, int> names_;  // of terms and aliases, in lower case, with their lines
    std::vector<std::pair<int, std::string>> references_;
    int line_ = 0;
    int heading_line_ = 0;
    bool paragraph_ended_ = true;
};

bool named(const GlossaryTerm& term, const std::string& lower) {
    const auto same = [&](const std::string& name) { return lower_case(name) == lower; };
    return same(term.name) || std::any_of(term.aliases.begin(), term.aliases.end(), same);
}

// "buffered-edge" for "Buffered edge", as pages have it.
std::string anchor_of(const std::string& name) {
    std::string anchor;
    for (const char c : lower_case(name)) {
        if (c == ' ') anchor += '-';
        if (c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0) anchor += c;
    }
    return anchor;
}

bool name_holds(const GlossaryTerm& term, const std::string& lower) {
    const auto holds = [&](const std::string& name) {
        return lower_case(name).find(lower) != std::string::npos;
    };
    return holds(term.name) || std::any_of(term.aliases.begin(), term.aliases.end(), holds);
}

bool text_holds(const GlossaryTerm& term, const std::string& lower) {
    return std::any_of(term.text.begin(), term.text.end(), [&](const std::string& paragraph) {
        return lower_case(plain_text(paragraph)).find(lower) != std::string::npos;
    });
}

// Whether the star at `at` is Markdown's, not a part of a word such as H*.
bool emphasis(std::string_view text, std::size_t at, bool open) {
    const auto blank = [&](std::size_t i) { return i >= text.size() || text[i] == ' '; };
    if (open) return !blank(at - 1);
    return (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(') && !blank(at + 1);
}

}  // namespace

Result<Glossary> parse_glossary(std::string_view markdown, const std::string& file) {
    GlossaryReader reader(file);
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        reader.line(markdown.substr(0, end));
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
    }
    return reader.end();
}

const Glossary& glossary() {
    static const Glossary kTerms = [] {
        Result<Glossary> terms = parse_glossary(glossary_page(), "docs/glossary.md");
        if (!terms) throw InternalError(to_string(terms.problems().front()));
        return std::move(terms).value();
    }();
    return kTerms;
}

const GlossaryTerm* find_term(const Glossary& terms, std::string_view word) {
    const std::string lower = lower_case(word);
    const auto at = std::find_if(terms.begin(), terms.end(),
                                 [&](const GlossaryTerm& term) { return named(term, lower); });
    return at == terms.end() ? nullptr : &*at;
}

const GlossaryTerm* linked_term(const Glossary& terms, std::string_view words, std::string_view address) {
    const std::size_t hash = address.find('#');
    if (hash != std::string_view::npos) {
        const auto at = std::find_if(terms.begin(), terms.end(), [&](const GlossaryTerm& term) {
            return anchor_of(term.name) == address.substr(hash + 1);
        });
        return at == terms.end() ? nullptr : &*at;
    }
    const GlossaryTerm* term = find_term(terms, words);
    const bool plural = !words.empty() && words.back() == 's';
    return term == nullptr && plural ? find_term(terms, words.substr(0, words.size() - 1)) : term;
}

std::vector<const GlossaryTerm*> search_terms(const Glossary& terms, std::string_view text) {
    const std::string lower = lower_case(text);
    std::vector<const GlossaryTerm*> found;
    for (const GlossaryTerm& term : terms)
        if (name_holds(term, lower)) found.push_back(&term);
    for (const GlossaryTerm& term : terms)
        if (!name_holds(term, lower) && text_holds(term, lower)) found.push_back(&term);
    return found;
}

std::string plain_text(std::string_view markdown) {
    std::string plain;
    bool open = false;
    for (std::size_t i = 0; i < markdown.size(); ++i) {
        if (markdown[i] == '`') continue;
        if (markdown[i] == '*' && emphasis(markdown, i, open)) {
            open = !open;
            continue;
        }
        plain += markdown[i];
    }
    return plain;
}

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

std::vector<Mention> mentions(std::string_view sentence) {
    static const std::vector<Name> names = names_of(glossary());
    const std::string text = in_lower_case(sentence);
    std::vector<Mention> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 0;
        if (at > 0 && in_word(text[at - 1])) {
            ++at;
            continue;
        }
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
