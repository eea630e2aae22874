// Reads lessons (lesson.h): the header, the text, and the checked blocks.
#include <algorithm>
#include <map>

#include "core/lesson/block_text.h"
#include "core/lesson/facts.h"
#include "core/program/names.h"
#include "core/program/syntax.h"

namespace blockscope::lesson {
namespace {

enum : unsigned { kDo = 1, kAsk = 2, kPredict = 4 };
struct KeyRow {
    std::string_view key;
    unsigned blocks;  // the kinds of blocks that it may stand in: a sum of the above
    bool repeated;
};
constexpr KeyRow kKeys[] = {
    {"until", kDo, false},
    {"show-me", kDo, false},
    {"answer", kAsk | kPredict, false},
    {"rule", kAsk | kPredict, false},
    {"edge", kAsk | kPredict, false},
    {"reveal", kAsk | kPredict, false},
    {"wrong", kDo | kAsk | kPredict, true},
    {"hint", kDo | kAsk | kPredict, true},
    {"right", kDo | kAsk | kPredict, false},
    {"name", kDo | kAsk | kPredict, false},
};

const std::vector<std::string_view> kBlocks = {"show", "do", "ask", "predict", "claim", "program"};
const std::vector<std::string_view> kPlainCode = {"", "text", "console", "bp"};

std::string slug(const std::string& heading) {
    std::string text;
    for (const char c : heading) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    while (!text.empty() && text.back() == '-') text.pop_back();
    return text.empty() ? "begin" : text;
}

class LessonReader {
public:
    LessonReader(const std::string& text, const std::string& file) : file_(file) {
        lesson_.file = file;
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            std::string line = text.substr(from, end - from);
            if (!line.empty() && line.back() == '\r') line.pop_back();
            lines_.push_back({std::move(line), {file, static_cast<int>(lines_.size()) + 1, 1, {}}});
            from = end + 1;
        }
    }

    Result<Lesson> read() {
        header();
        stop_.program = lesson_.program;
        while (at_ < lines_.size()) line();
        flush();
        if (!stop_.claims.empty() && lesson_.stops.empty())
            lesson_.stops.push_back(stop_);
        else if (!stop_.claims.empty())
            lesson_.stops.back().claims.insert(lesson_.stops.back().claims.end(), stop_.claims.begin(),
                                               stop_.claims.end());
        if (lesson_.stops.empty() && problems_.empty())
            problem(last_place(), "a lesson needs a text behind its header");
        if (!problems_.empty()) return problems_;
        return std::move(lesson_);
    }

private:
    void problem(const Place& place, const std::string& message) { problems_.push_back({place, message}); }
    Place last_place() const { return lines_.empty() ? Place{file_, 1, 1, {}} : lines_.back().place; }

    // ---- The header.

    void header() {
        if (lines_.empty() || lines_[0].text != "---")
            return problem({file_, 1, 1, {}}, "expected '---' and the header: title, minutes, program, goal");
        for (at_ = 1; at_ < lines_.size() && lines_[at_].text != "---"; ++at_) header_line(lines_[at_]);
        if (at_ == lines_.size()) return problem(last_place(), "the header has no end, '---'");
        const Place end = lines_[at_++].place;
        if (lesson_.title.empty()) problem(end, "the header has no 'title'");
        if (lesson_.minutes == 0) problem(end, "the header has no 'minutes'");
        if (lesson_.program.empty()) problem(end, "the header has no 'program'");
        if (lesson_.goals.empty() && lesson_.kind == LessonKind::Lesson)
            problem(end, "the header has no 'goal'");
    }

    void header_line(const TextLine& line) {
        const std::size_t colon = line.text.find(':');
        const std::string key = line.text.substr(0, colon);
        if (trimmed(line).text.empty()) return;
        const TextLine value =
            colon == std::string::npos ? TextLine{} : trimmed({line.text.substr(colon + 1), line.place});
        if (key == "title")
            lesson_.title = value.text;
        else if (key == "minutes")
            lesson_.minutes = whole_number(value, line.place);
        else if (key == "program")
            lesson_.program = value.text;
        else if (key == "goal")
            lesson_.goals.push_back(value.text);
        else if (key == "kind")
            lesson_.kind = kind_of(value, line.place);
        else
            problem(line.place, "the header has no key '" + key + "'" +
                                    suggestion(key, {"title", "minutes", "program", "goal", "kind"}).str());
    }

    LessonKind kind_of(const TextLine& value, const Place& place) {
        if (value.text != "lesson" && value.text != "tour")
            problem(place, "there is no kind '" + value.text + "': expected 'lesson' or 'tour'");
        return value.text == "tour" ? LessonKind::Tour : LessonKind::Lesson;
    }

    int whole_number(const TextLine& value, const Place& place) {
        const bool good = !value.text.empty() && value.text.size() < 4 &&
                          value.text.find_first_not_of("0123456789") == std::string::npos;
        if (good && value.text != "0") return std::stoi(value.text);
        problem(place, "expected a number of minutes");
        return 1;
    }

    // ---- The text.

    void line() {
        const TextLine& now = lines_[at_];
        if (now.text.rfind("```", 0) == 0) return fence();
        ++at_;
        if (now.text.rfind("## ", 0) == 0) {
            flush();
            heading_ = stop_.heading = now.text.substr(3);
            stop_.place = now.place;
        } else if (now.text == "---") {
            flush();
        } else {
            text_.push_back(now);
        }
    }

    void fence() {
        const TextLine opening = lines_[at_++];
        std::vector<TextLine> inside;
        while (at_ < lines_.size() && lines_[at_].text.rfind("```", 0) != 0) inside.push_back(lines_[at_++]);
        if (at_ == lines_.size()) return problem(opening.place, "the block has no end, '```'");
        const TextLine closing = lines_[at_++];
        const TextLine info = trimmed({opening.text.substr(3), opening.place});
        const std::string kind = info.text.substr(0, info.text.find(' '));
        if (std::find(kPlainCode.begin(), kPlainCode.end(), kind) != kPlainCode.end()) {
            text_.push_back(opening);
            text_.insert(text_.end(), inside.begin(), inside.end());
            text_.push_back(closing);
        } else if (kind == "program") {
            inner_program(info, inside);
        } else if (kind == "show") {
            show(inside);
        } else if (kind == "claim") {
            claim(inside);
        } else if (kind == "do" || kind == "ask" || kind == "predict") {
            task(kind, opening.place, inside);
        } else {
            problem(opening.place, "there is no block '" + kind + "'" + suggestion(kind, kBlocks).str());
        }
    }

    void inner_program(const TextLine& info, const std::vector<TextLine>& inside) {
        const std::size_t blank = info.text.find(' ');
        if (blank == std::string::npos)
            return problem(info.place, "a program in a lesson needs a name: 'program small.bp'");
        std::string text;
        for (const TextLine& line : inside) text += line.text + "\n";
        lesson_.programs.push_back({info.text.substr(blank + 1), text, info.place});
    }

    void show(const std::vector<TextLine>& inside) {
        for (const TextLine& line : inside)
            for (Action& action : read_actions(line, problems_)) {
                if (action.kind == ActionKind::Open) stop_.program = action.words.front();
                stop_.show.push_back(std::move(action));
            }
    }

    void claim(const std::vector<TextLine>& inside) {
        for (const TextLine& line : inside) {
            const TextLine text = trimmed(line);
            if (text.text.empty()) continue;
            if (auto condition = take(read_condition(text.text, text.place)))
                stop_.claims.push_back(std::move(*condition));
        }
    }

    void flush() {
        while (!text_.empty() && text_.back().text.empty()) text_.pop_back();
        const auto first =
            std::find_if(text_.begin(), text_.end(), [](const TextLine& line) { return !line.text.empty(); });
        text_.erase(text_.begin(), first);
        if (stop_.place.line == 0 && !text_.empty()) stop_.place = text_.front().place;
        stop_.text = read_prose(text_, problems_);
        text_.clear();
        const std::string program = stop_.program;
        const bool seen = !stop_.text.empty() || !stop_.show.empty() || stop_.task;
        // A stop with claims alone would show the reader nothing, so its claims go to the next stop.
        std::vector<Expression> claims;
        if (!seen) claims = std::move(stop_.claims);
        if (seen) lesson_.stops.push_back(std::move(stop_));
        stop_ = Stop{};
        stop_.claims = std::move(claims);
        stop_.heading = heading_;
        stop_.program = program;
    }

    // ---- Tasks.

    template <class T>
    std::optional<T> take(Result<T> result) {
        if (result) return std::move(result).value();
        for (const Problem& problem : result.problems()) problems_.push_back(problem);
        return std::nullopt;
    }

    void task(const std::string& kind, const Place& place, const std::vector<TextLine>& inside) {
        Task task{.kind = kind == "do"    ? TaskKind::Do
                          : kind == "ask" ? TaskKind::Ask
                                          : TaskKind::Predict,
                  .place = place};
        const BlockText block = cut_block(inside, problems_);
        task.prompt = read_prose(block.prompt, problems_);
        choices(block, task);
        std::map<std::string, int> seen;
        for (const Entry& entry : block.entries)
            if (allowed(entry, kind) && (seen[entry.key]++ == 0 || is_repeated(entry))) expect(entry, task);
        for (const Entry& entry : block.entries)
            if (allowed(entry, kind, false) && entry.key == "wrong") wrong(entry, task);
        check(task);
        if (task.name.empty()) task.name = fresh_name(slug(heading_));
        if (stop_.place.line == 0) stop_.place = place;
        stop_.task = std::move(task);
        flush();
    }

    std::string fresh_name(const std::string& name) {
        const int times = ++names_[name];
        return times == 1 ? name : name + "-" + std::to_string(times);
    }

    static const KeyRow* row_of(const std::string& key) {
        const auto* row = std::find_if(std::begin(kKeys), std::end(kKeys),
                                       [&](const KeyRow& known) { return known.key == key; });
        return row == std::end(kKeys) ? nullptr : row;
    }

    bool allowed(const Entry& entry, const std::string& kind, bool say = true) {
        const unsigned block = kind == "do" ? kDo : kind == "ask" ? kAsk : kPredict;
        const KeyRow* row = row_of(entry.key);
        if (row != nullptr && (row->blocks & block) != 0) return true;
        std::vector<std::string_view> keys;
        for (const KeyRow& known : kKeys)
            if ((known.blocks & block) != 0) keys.push_back(known.key);
        if (say)
            problem(entry.key_place, "a block '" + kind + "' has no key '" + entry.key + "'" +
                                         suggestion(entry.key, keys).str());
        return false;
    }

    bool is_repeated(const Entry& entry) {
        const KeyRow* row = row_of(entry.key);
        if (row->repeated) return true;
        problem(entry.key_place, "'" + entry.key + "' stands here twice");
        return false;
    }

    void expect(const Entry& entry, Task& task) {
        const TextLine& value = entry.value.front();
        if (entry.key == "until")
            task.until = take(read_condition(value.text, value.place));
        else if (entry.key == "show-me")
            task.show_me = read_actions(value, problems_);
        else if (entry.key == "reveal")
            task.reveal = read_actions(value, problems_);
        else if (entry.key == "hint")
            task.hints.push_back(read_prose(entry.value, problems_));
        else if (entry.key == "right")
            task.right = read_prose(entry.value, problems_);
        else if (entry.key == "name")
            task.name = fresh_name(slug(value.text));
        else if (entry.key == "answer")
            answer(entry, task);
        else if (entry.key == "rule" || entry.key == "edge")
            expected(task, entry.key == "rule" ? AnswerKind::Rule : AnswerKind::Arrow, entry.key_place)
                .state = value.text;
    }

    Expected& expected(Task& task, AnswerKind kind, const Place& place) {
        if (task.expected) problem(place, "a question has one kind of answer: answer, rule, edge or choices");
        Expected expected{};
        expected.kind = kind;
        expected.place = place;
        return task.expected.emplace(std::move(expected));
    }

    // "traffic(0) in MB within 2%"
    void answer(const Entry& entry, Task& task) {
        const TextLine& value = entry.value.front();
        Expected& expected = this->expected(task, AnswerKind::Number, value.place);
        ExpressionReader reader(value.text, value.place);
        auto number = take(reader.sum());
        if (!number) return;
        expected.number = std::move(*number);
        if (reader.takes("in")) expected.unit = unit(reader);
        if (reader.takes("within")) within(reader, expected);
        end(reader);
    }

    const UnitWord* unit(ExpressionReader& reader) {
        const UnitWord* found = reader.takes_unit();
        if (found != nullptr) return found;
        std::vector<std::string_view> words;
        for (const UnitWord& known : unit_words()) words.push_back(known.word);
        const Place place = reader.here();
        const std::string word(reader.word());
        problem(place, "there is no unit '" + word + "'" + suggestion(word, words).str());
        return nullptr;
    }

    void within(ExpressionReader& reader, Expected& expected) {
        const auto tolerance = take(reader.sum());
        if (!tolerance) return;
        const bool share = !tolerance->text.empty() && tolerance->text.back() == '%';
        if (tolerance->kind != Expression::Kind::Literal)
            return problem(tolerance->place, "expected a tolerance, such as 2% or 3");
        if (share)
            expected.within = tolerance->literal.number;
        else
            expected.within_absolute = tolerance->literal.number;
    }

    void end(ExpressionReader& reader) {
        if (!reader.at_end())
            problems_.push_back(reader.problem("'" + std::string(reader.rest()) + "' is not expected here"));
    }

    void choices(const BlockText& block, Task& task) {
        if (block.choices.empty()) return;
        Expected& expected = this->expected(task, AnswerKind::Choice, block.choices.front().mark.place);
        for (const ChoiceLine& line : block.choices) {
            Choice choice{.text = read_prose({line.text}, problems_), .place = line.mark.place};
            if (!line.reaction.text.empty()) choice.reaction = read_prose({line.reaction}, problems_);
            const std::string& mark = line.mark.text;
            if (mark.rfind("if ", 0) == 0) {
                Place place = line.mark.place;
                place.column += 3;
                choice.when = take(read_condition(std::string_view(mark).substr(3), place));
            } else if (mark == "x" || mark.empty()) {
                choice.right = mark == "x";
            } else {
                problem(line.mark.place, "expected [x], [ ] or [if CONDITION], not '[" + mark + "]'");
            }
            expected.choices.push_back(std::move(choice));
        }
    }

    // "3 -> text", "other -> text", "applied(2) > 0 by apply 2 -> text"
    void wrong(const Entry& entry, Task& task) {
        auto [when, text] = cut_at_arrow(entry.value.front());
        if (text.text.empty()) return problem(when.place, "expected '-> TEXT': what is said then");
        std::vector<TextLine> lines(entry.value.begin() + 1, entry.value.end());
        lines.insert(lines.begin(), text);
        Reaction reaction{.text = read_prose(lines, problems_), .place = when.place};
        const AnswerKind kind = task.expected ? task.expected->kind : AnswerKind::Number;
        if (when.text == "other") {
        } else if (task.kind == TaskKind::Do) {
            wrong_turn(when, reaction);
        } else if (kind == AnswerKind::Rule) {
            reaction.rule = when.text;
            take(rule_named(when.text, when.place));
        } else if (kind == AnswerKind::Number) {
            ExpressionReader reader(when.text, when.place);
            reaction.when = take(reader.sum());
            if (reaction.when && reader.takes("in")) reaction.unit = unit(reader);
            if (reaction.when) end(reader);
        } else {
            return problem(when.place, kind == AnswerKind::Choice
                                           ? "a choice has its reaction behind it: '- [ ] TEXT -> REACTION'"
                                           : "of edges there is only 'other'");
        }
        task.wrong.push_back(std::move(reaction));
    }

    void wrong_turn(const TextLine& when, Reaction& reaction) {
        ExpressionReader reader(when.text, when.place);
        reaction.when = take(reader.condition());
        if (!reaction.when) return;
        if (reader.takes("by")) {
            const Place place = reader.here();
            reaction.by = read_actions({std::string(reader.rest()), place}, problems_);
        } else {
            end(reader);
        }
    }

    void check(const Task& task) {
        if (task.kind == TaskKind::Do) {
            if (!task.until) problem(task.place, "a block 'do' needs 'until': when it is done");
            if (task.show_me.empty()) problem(task.place, "a block 'do' needs 'show-me': how it is done");
            return;
        }
        if (!task.expected)
            return problem(task.place, "a question needs 'answer', 'rule', 'edge' or choices");
        if (task.kind == TaskKind::Predict && task.reveal.empty())
            problem(task.place, "a block 'predict' needs 'reveal': what is shown after the answer");
        const std::vector<Choice>& given = task.expected->choices;
        const bool some_right =
            std::any_of(given.begin(), given.end(), [](const Choice& c) { return c.right || c.when; });
        if (task.expected->kind == AnswerKind::Choice && !some_right)
            problem(task.expected->place, "no choice is marked as right: [x] or [if CONDITION]");
    }

    std::string file_;
    std::vector<TextLine> lines_;
    std::size_t at_ = 0;
    Lesson lesson_;
    Stop stop_;
    std::string heading_;
    std::vector<TextLine> text_;  // of the stop, so far
    std::map<std::string, int> names_;
    Problems problems_;
};

}  // namespace

Result<Lesson> read_lesson(const std::string& text, const std::string& file) {
    if (const auto broken = text_problem(text, file)) return *broken;
    return LessonReader(text, file).read();
}

}  // namespace blockscope::lesson
