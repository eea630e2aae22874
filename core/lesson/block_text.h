// The parts of a lesson's text that stand within a line: text with values in braces and words of the
// glossary, actions, and the lines of a checked block. For the reader alone, which is cut in two by it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson.h"

namespace blockscope::lesson {

struct TextLine {
    std::string text;
    Place place;  // of its first byte
};

// Lines become one text, with line breaks. What is wrong is appended to `problems`, as everywhere here.
Prose read_prose(const std::vector<TextLine>& lines, Problems& problems);

// "open attention.bp; step 7": actions between semicolons.
std::vector<Action> read_actions(const TextLine& line, Problems& problems);

// A line "KEY: VALUE" of a block, with its continuation lines.
struct Entry {
    std::string key;
    Place key_place;
    std::vector<TextLine> value;
};

// "- [x] TEXT -> REACTION"
struct ChoiceLine {
    TextLine mark;  // between the brackets
    TextLine text;
    TextLine reaction;
};

struct BlockText {
    std::vector<TextLine> prompt;
    std::vector<Entry> entries;
    std::vector<ChoiceLine> choices;
};
BlockText cut_block(const std::vector<TextLine>& lines, Problems& problems);

// A line in two at "->": the second is empty if there is no arrow.
std::pair<TextLine, TextLine> cut_at_arrow(const TextLine& line);
// Without blanks around it, its place moved along.
TextLine trimmed(TextLine line);

}  // namespace blockscope::lesson
