#include "core/lesson/block_text.h"

#include <algorithm>
#include <cctype>

#include "core/glossary/glossary.h"
#include "core/program/names.h"

namespace blockscope::lesson {
namespace {

Place moved(Place place, std::size_t by) {
    place.column += static_cast<int>(by);
    return place;
}

TextLine part_of(const TextLine& line, std::size_t from, std::size_t to) {
    return {line.text.substr(from, to - from), moved(line.place, from)};
}

std::string unknown_term(const std::string& term) {
    std::vector<std::string_view> names;
    for (const GlossaryTerm& known : glossary()) {
        names.push_back(known.name);
        names.insert(names.end(), known.aliases.begin(), known.aliases.end());
    }
    return "the glossary has no term '" + term + "'" + suggestion(term, names).str();
}

// "[words](glossary)" and "[words](glossary#anchor)".
void check_links(const TextLine& line, Problems& problems) {
    const std::string mark = "](glossary";
    for (std::size_t at = line.text.find(mark); at != std::string::npos;
         at = line.text.find(mark, at + mark.size())) {
        const std::size_t open = line.text.rfind('[', at);
        const std::size_t close = line.text.find(')', at);
        if (open == std::string::npos || close == std::string::npos) continue;
        const std::string words = line.text.substr(open + 1, at - open - 1);
        const std::string address = line.text.substr(at + 2, close - at - 2);
        if (linked_term(glossary(), words, address) == nullptr)
            problems.push_back({moved(line.place, open + 1), unknown_term(words)});
    }
}

// "traffic(0) in MB"
std::optional<ProseValue> prose_value(const TextLine& inside, Problems& problems) {
    ExpressionReader reader(inside.text, inside.place);
    Result<Expression> expression = reader.condition();
    if (!expression) {
        problems.push_back(expression.problems().front());
        return std::nullopt;
    }
    ProseValue value{std::move(expression).value(), nullptr};
    if (reader.takes("in")) {
        value.unit = reader.takes_unit();
        if (value.unit == nullptr) problems.push_back(reader.problem("expected a unit, such as MB, us or %"));
    }
    if (!reader.at_end())
        problems.push_back(
            reader.problem("'" + std::string(reader.rest()) + "' is not expected in these braces"));
    return value;
}

void read_prose_line(const TextLine& line, Prose& prose, Problems& problems) {
    check_links(line, problems);
    std::string words;
    for (std::size_t at = 0; at < line.text.size(); ++at) {
        if (line.text[at] != '{') {
            words += line.text[at];
            continue;
        }
        const std::size_t end = line.text.find('}', at);
        if (end == std::string::npos) {
            problems.push_back({moved(line.place, at), std::string("the brace has no end in this line")});
            break;
        }
        if (!words.empty()) prose.parts.emplace_back(std::move(words));
        words.clear();
        if (auto value = prose_value(part_of(line, at + 1, end), problems))
            prose.parts.emplace_back(std::move(*value));
        at = end;
    }
    if (!words.empty()) prose.parts.emplace_back(std::move(words));
}

// ---- Actions.

struct ActionWord {
    std::string_view word;
    ActionKind kind;
    bool needs_more;
};
constexpr ActionWord kActionWords[] = {
    {"open", ActionKind::Open, true},
    {"step", ActionKind::Go, true},
    {"snapshot", ActionKind::Go, true},
    {"last", ActionKind::Go, false},
    {"best", ActionKind::Go, false},
    {"fastest", ActionKind::Go, false},
    {"apply", ActionKind::Apply, true},
    {"run", ActionKind::Run, false},
    {"select", ActionKind::Select, true},
    {"highlight", ActionKind::Highlight, true},
    {"look", ActionKind::Look, true},
    {"view", ActionKind::View, true},
    {"device", ActionKind::Device, true},
    {"safe", ActionKind::Safe, true},
    {"size", ActionKind::Size, true},
    {"measure", ActionKind::Measure, false},
    {"objective", ActionKind::Objective, true},
};
const std::vector<std::string_view> kViews = {"picture", "listing", "costs",   "circuit", "cuda",
                                              "rule",    "sizes",   "matches", "history", "program"};

std::vector<std::string> cut_at_commas(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        words.push_back(trimmed({text.substr(from, comma - from), {}}).text);
        from = comma + 1;
    }
    return words;
}

// "4 at M/N number 2", the rule possibly in quotes.
void read_apply(const TextLine& rest, Action& action, Problems& problems) {
    const bool quoted = rest.text[0] == '"';
    const std::size_t from = quoted ? 1 : 0;
    const std::size_t end = std::min(rest.text.find(quoted ? '"' : ' ', from), rest.text.size());
    action.words = {rest.text.substr(from, end - from)};
    std::string more = end < rest.text.size() ? rest.text.substr(end + 1) : "";
    const auto behind = [&](const std::string& word) {
        const std::size_t at = more.find(word + " ");
        if (at == std::string::npos) return std::string();
        const std::size_t start = at + word.size() + 1;
        std::string value = more.substr(start, more.find(' ', start) - start);
        more.erase(at, word.size() + 1 + value.size());
        return value;
    };
    action.at = behind("at");
    const std::string number = behind("number");
    if (!number.empty()) {
        const bool good = number.size() < 4 && number.find_first_not_of("0123456789") == std::string::npos;
        action.number = good ? std::stoi(number) : 0;
    }
    if (action.number < 1 || !trimmed({more, {}}).text.empty())
        problems.push_back({rest.place, std::string("expected 'apply RULE', and then 'at PLACE' and 'number "
                                                    "K' if need be")});
}

void check_words(const TextLine& rest, const Action& action, Problems& problems) {
    if (action.kind == ActionKind::Safe && rest.text != "on" && rest.text != "off")
        problems.push_back({rest.place, std::string("expected 'safe on' or 'safe off'")});
    if (action.kind == ActionKind::Objective && rest.text != "time" && rest.text != "traffic")
        problems.push_back({rest.place, std::string("expected 'objective time' or 'objective traffic'")});
    if (action.kind == ActionKind::View && std::find(kViews.begin(), kViews.end(), rest.text) == kViews.end())
        problems.push_back(
            {rest.place, "there is no view '" + rest.text + "'" + suggestion(rest.text, kViews).str()});
}

std::optional<Action> read_action(const TextLine& part, Problems& problems) {
    const std::size_t blank = std::min(part.text.find(' '), part.text.size());
    const std::string word = part.text.substr(0, blank);
    const auto* row = std::find_if(std::begin(kActionWords), std::end(kActionWords),
                                   [&](const ActionWord& known) { return known.word == word; });
    if (row == std::end(kActionWords)) {
        std::vector<std::string_view> words;
        for (const ActionWord& known : kActionWords) words.push_back(known.word);
        problems.push_back({part.place, "there is no action '" + word + "'" + suggestion(word, words).str()});
        return std::nullopt;
    }
    TextLine rest = trimmed(part_of(part, blank, part.text.size()));
    if (row->kind == ActionKind::Look && rest.text.rfind("at ", 0) == 0)
        rest = trimmed(part_of(rest, 3, rest.text.size()));
    Action action{.kind = row->kind, .words = {}, .text = part.text, .place = part.place};
    if (row->needs_more && rest.text.empty()) {
        problems.push_back({part.place, "'" + word + "' wants to know what"});
        return std::nullopt;
    }
    if (row->kind == ActionKind::Apply) {
        read_apply(rest, action, problems);
    } else if (row->kind == ActionKind::Go) {
        action.words = {part.text};
    } else {
        action.words = cut_at_commas(rest.text);
        check_words(rest, action, problems);
    }
    return action;
}

// ---- Blocks.

// "hint" of "hint: text"; empty if the line is no key line.
std::string key_of(const std::string& line) {
    std::size_t end = 0;
    while (end < line.size() &&
           (std::islower(static_cast<unsigned char>(line[end])) != 0 || line[end] == '-'))
        ++end;
    return end > 1 && end < line.size() && line[end] == ':' && line[0] != '-' ? line.substr(0, end) : "";
}

ChoiceLine read_choice(const TextLine& line, Problems& problems) {
    const std::size_t close = line.text.find(']');
    if (close == std::string::npos) {
        problems.push_back({line.place, std::string("expected '- [x] TEXT' or '- [ ] TEXT'")});
        return {};
    }
    const auto [text, reaction] = cut_at_arrow(part_of(line, close + 1, line.text.size()));
    return {trimmed(part_of(line, 3, close)), text, reaction};
}

}  // namespace

TextLine trimmed(TextLine line) {
    const std::size_t first = line.text.find_first_not_of(" \t");
    if (first == std::string::npos) return {"", line.place};
    line.place.column += static_cast<int>(first);
    line.text.erase(0, first);
    while (!line.text.empty() && (line.text.back() == ' ' || line.text.back() == '\t')) line.text.pop_back();
    return line;
}

std::pair<TextLine, TextLine> cut_at_arrow(const TextLine& line) {
    const std::size_t arrow = line.text.find("->");
    if (arrow == std::string::npos) return {trimmed(line), {"", moved(line.place, line.text.size())}};
    return {trimmed(part_of(line, 0, arrow)), trimmed(part_of(line, arrow + 2, line.text.size()))};
}

Prose read_prose(const std::vector<TextLine>& lines, Problems& problems) {
    Prose prose;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) prose.parts.emplace_back(std::string("\n"));
        read_prose_line(lines[i], prose, problems);
    }
    return prose;
}

std::vector<Action> read_actions(const TextLine& line, Problems& problems) {
    std::vector<Action> actions;
    for (std::size_t from = 0; from < line.text.size();) {
        const std::size_t end = std::min(line.text.find(';', from), line.text.size());
        const TextLine part = trimmed(part_of(line, from, end));
        if (!part.text.empty())
            if (auto action = read_action(part, problems)) actions.push_back(std::move(*action));
        from = end + 1;
    }
    return actions;
}

BlockText cut_block(const std::vector<TextLine>& lines, Problems& problems) {
    BlockText block;
    for (const TextLine& line : lines) {
        const std::string key = key_of(line.text);
        if (!key.empty()) {
            const TextLine value = trimmed(part_of(line, key.size() + 1, line.text.size()));
            block.entries.push_back({key, line.place, {value}});
        } else if (line.text.rfind("- [", 0) == 0) {
            block.choices.push_back(read_choice(line, problems));
        } else if (block.entries.empty() && block.choices.empty()) {
            block.prompt.push_back(line);
        } else if (line.text.rfind("  ", 0) == 0 && !block.entries.empty()) {
            block.entries.back().value.push_back(trimmed(line));
        } else if (!trimmed(line).text.empty()) {
            problems.push_back({line.place, std::string("expected 'key: value'; a line that goes on begins "
                                                        "with two blanks")});
        }
    }
    return block;
}

}  // namespace blockscope::lesson
