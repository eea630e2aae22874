// What the page that steps and the deck share: tags, the frame of a page, and pictures of many states, in
// which what the drawings have in common is written once and colours follow the reader's theme. Internal to
// app/export.
#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/export/derivation.h"
#include "app/files/svg.h"
#include "app/scene/legend.h"
#include "app/scene/paint.h"

namespace blockscope {

class PageDrawings {
public:
    // The picture as an <svg> element that refers to the definitions; `attributes` are the element's own.
    // `parts`: whether it says which nodes and values its parts are.
    enum class Parts : std::uint8_t { Named, Nameless };
    std::string add(const Picture& picture, const Lights& lights, const Rect& view,
                    const std::string& attributes, Parts parts);
    // The <li> elements of a legend: each sign with its picture.
    std::string legend(const Signs& signs);
    // <defs> of everything that was added.
    std::string definitions() const;
    // CSS declarations of the colours in the light or the dark theme.
    std::string colours(bool dark) const;

private:
    std::string colour(const QColor& light, const QColor& dark);
    std::string definition(const VectorItem& light, const VectorItem& dark);

    std::map<std::pair<std::string, std::string>, int> colours_;  // light and dark
    std::map<std::string, int> known_;
    std::vector<std::string> definitions_;
};

// A text as it stands between tags and in attributes.
std::string in_html(const QString& text);
// <name attributes>content</name>; content is HTML.
std::string tagged(const std::string& name, const std::string& attributes, const std::string& content);
// A whole page that loads nothing. `language`: the code of the texts' language, "en"; `style`: CSS beside the
// drawings' colours; `body`: HTML.
std::string html_page(const std::string& title, const QString& language, const PageDrawings& drawings,
                      const std::string& style, const std::string& body);

// The command that opens a state in Blockscope, in exported pages: to be read and copied. Internal to
// app/export.

// The command with a button that copies it; empty if the stage has none.
std::string link_html(const Stage& stage);

extern const char* const kLinkScript;  // what the buttons do
extern const char* const kLinkStyle;

// Questions about the next step, in exported pages: predict, then reveal. Internal to app/export.

// The first question about the step after `stage`, with its choices as buttons; empty if there is none. It
// shows only while the page's body has the class "asking".
std::string questions_html(const Stage& stage);

// Defines blockscopeAnswer(element, choice): answers the question within the element, unless it is answered
// or there is no such choice; whether it did. A click on a choice does the same. The element with the id
// "tally" says how many of how many answers were right.
extern const char* const kQuestionScript;
extern const char* const kQuestionStyle;

}  // namespace blockscope
