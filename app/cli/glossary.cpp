// blockscope-cli glossary: what a word of Blockscope means, or all words.
#include "core/glossary/glossary.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

constexpr int kTextWidth = 100;  // columns

struct GlossaryArguments {
    std::string word;  // empty: all
    bool json = false;
};

std::string definition(const GlossaryTerm& term) {
    const std::string text = plain_text(term.text.front());
    return text.substr(0, std::min(text.find(". "), text.size() - 1) + 1);
}

std::string names(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

// One line a term, cut at the terminal's width.
void print_terms(const Glossary& terms, const Style& style) {
    int width = 0;
    for (const GlossaryTerm& term : terms) width = std::max(width, columns(term.name));
    const int room = terminal_width(STDOUT_FILENO, kUnlimited) - width - 2;
    for (const GlossaryTerm& term : terms) {
        const std::string text = definition(term);
        std::cout << style(Tone::Cyan, pad(term.name, width)) << "  "
                  << (columns(text) > room ? fit(text, std::max(room, 1)) : text) << '\n';
    }
}

void print_term(const GlossaryTerm& term, const Style& style) {
    std::cout << style(Tone::Cyan, term.name) << '\n';
    for (const std::string& paragraph : term.text)
        for (const std::string& line : wrap(plain_text(paragraph), kTextWidth - 2))
            std::cout << "  " << line << '\n';
    if (!term.aliases.empty()) std::cout << style(Tone::Dim, "  also: " + names(term.aliases)) << '\n';
    if (!term.see_also.empty()) std::cout << style(Tone::Dim, "  see also: " + names(term.see_also)) << '\n';
}

Json term_json(const GlossaryTerm& term) {
    std::string text;
    for (const std::string& paragraph : term.text)
        text += (text.empty() ? "" : "\n\n") + plain_text(paragraph);
    return {{"term", term.name},
            {"aliases", list_json(term.aliases)},
            {"text", text},
            {"see_also", list_json(term.see_also)}};
}

bool names_hold(const GlossaryTerm& term, const std::string& word) {
    return !search_terms({{.name = term.name, .aliases = term.aliases}}, word).empty();
}

// The term of this name, or the only one that has the word in its names: "built" is the built form.
const GlossaryTerm& asked_term(const std::string& word) {
    if (const GlossaryTerm* term = find_term(glossary(), word)) return *term;
    const auto has_word = [&](const GlossaryTerm& term) { return names_hold(term, word); };
    const auto only = std::find_if(glossary().begin(), glossary().end(), has_word);
    if (only != glossary().end() && std::none_of(only + 1, glossary().end(), has_word)) return *only;
    std::vector<std::string> near;
    for (const GlossaryTerm* term : search_terms(glossary(), word)) near.push_back(term->name);
    if (near.size() > 5) near.resize(5);
    throw UsageError("there is no term '" + word + "'" +
                     (near.empty() ? "" : "; it stands in: " + names(near)));
}

int glossary_command(const GlossaryArguments& arguments) {
    Glossary terms = glossary();
    if (!arguments.word.empty()) terms = {asked_term(arguments.word)};
    const Style style = style_for(STDOUT_FILENO);
    if (arguments.json) {
        Json json = envelope("glossary");
        json["terms"] = json::Array{};
        for (const GlossaryTerm& term : terms) json["terms"].push_back(term_json(term));
        std::cout << to_text(json) << '\n';
    } else if (arguments.word.empty()) {
        print_terms(terms, style);
    } else {
        print_term(terms.front(), style);
    }
    return kFine;
}

std::vector<std::string> term_names() {
    std::vector<std::string> terms;
    for (const GlossaryTerm& term : glossary()) terms.push_back(term.name);
    return terms;
}

}  // namespace

Command glossary_row() {
    const auto arguments = std::make_shared<GlossaryArguments>();
    return {.name = "glossary",
            .summary = "explain a word of Blockscope, or list all",
            .options = {{.names = "TERM",
                         .help = "a term or another word for it, such as snapshot",
                         .to = &arguments->word,
                         .offered = term_names},
                        json_option(arguments->json)},
            .notes = "Examples:\n  blockscope-cli glossary\n  blockscope-cli glossary 'buffered edge'",
            .run = [arguments](const Invocation&) { return glossary_command(*arguments); }};
}

}  // namespace blockscope::cli
