// The Markdown of lessons as HTML: paragraphs, headings, lists, code, tables, *emphasis*, **strong**, `code`
// and [links](address). Everything else stands as it is written; nothing of it can become a tag.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace blockscope::lesson {

// "a < b" with entities.
std::string escaped(std::string_view text);
// What becomes of links into the glossary: their words, for paper, or links to "glossary:WORDS" and
// "glossary:#anchor", for a window that explains them.
enum class TermLinks : std::uint8_t { Words, Links };
// A text of several paragraphs.
std::string html_of(const std::string& markdown, TermLinks terms = TermLinks::Words);
// The same of one line, without a paragraph around it.
std::string inline_html_of(std::string_view markdown, TermLinks terms = TermLinks::Words);

}  // namespace blockscope::lesson
