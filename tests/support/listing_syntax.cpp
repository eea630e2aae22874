#include "tests/support/listing_syntax.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <sstream>

namespace blockscope::reader {

namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// One line's text, read from left to right.
class Cursor {
public:
    Cursor(const std::string& text, const std::vector<std::string>& dims) : text_(text), dims_(dims) {}

    bool accept(const std::string& token) {
        if (text_.compare(at_, token.size(), token) != 0) return false;
        at_ += token.size();
        return true;
    }
    void expect(const std::string& token) {
        if (!accept(token)) fail("'" + token + "'");
    }
    void end() {
        if (at_ != text_.size()) fail("the end of the line");
    }
    bool done() const { return at_ == text_.size(); }
    std::size_t position() const { return at_; }
    void back_to(std::size_t position) { at_ = position; }
    [[noreturn]] void fail(const std::string& expected) const {
        throw ListingError("expected " + expected + " at column " + std::to_string(at_ + 1) + " of '" +
                           text_ + "'");
    }

    std::string word() {
        const std::size_t start = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        if (at_ == start || is_digit(text_[start])) fail("a name");
        return text_.substr(start, at_ - start);
    }

    // t1, t2, ...; 0 if none stands here.
    int maybe_temporary() {
        std::size_t p = at_;
        if (p + 1 >= text_.size() || text_[p] != 't' || !is_digit(text_[p + 1]) || text_[p + 1] == '0')
            return 0;
        int number = 0;
        const auto end = std::from_chars(text_.data() + p + 1, text_.data() + text_.size(), number).ptr;
        p = static_cast<std::size_t>(end - text_.data());
        if (p < text_.size() && is_word(text_[p])) return 0;
        at_ = p;
        return number;
    }
    int temporary() {
        const int number = maybe_temporary();
        if (number == 0) fail("a temporary");
        return number;
    }
    std::vector<int> temporaries() {
        std::vector<int> list{temporary()};
        while (accept(",")) list.push_back(temporary());
        return list;
    }

    Access access() {
        Access result{word(), {}};
        if (!accept("[")) return result;
        do result.indices.push_back(accept("0") ? "0" : word());
        while (accept(","));
        expect("]");
        return result;
    }

    std::int64_t whole() {
        std::int64_t value = 0;
        const auto end = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value).ptr;
        if (end == text_.data() + at_) fail("a whole number");
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    std::string dim() {
        const std::string name = word();
        if (std::find(dims_.begin(), dims_.end(), name) == dims_.end()) fail("a dimension before this");
        return name;
    }

    Formula sum() {
        Formula left = product();
        while (!done()) {
            if (accept("+"))
                left = call("+", {left, product()});
            else if (accept("-"))
                left = call("-", {left, product()});
            else
                break;
        }
        return left;
    }

private:
    static Formula call(const std::string& name, std::vector<Formula> args) {
        return {Formula::Kind::Call, 0, 0, name, std::move(args)};
    }

    Formula product() {
        Formula left = unary();
        while (!done()) {
            if (accept("*"))
                left = call("*", {left, unary()});
            else if (accept("/"))
                left = call("/", {left, unary()});
            else
                break;
        }
        return left;
    }

    // As in Python, ** binds tighter than a sign on its left and takes a sign on its right.
    Formula unary() {
        if (accept("-")) return call("neg", {unary()});
        Formula base = atom();
        if (accept("**")) return call("**", {base, unary()});
        return base;
    }

    static bool is_type(const std::string& name) {
        static const std::set<std::string> kTypes = {"f32", "f16", "bf16", "e4m3", "e5m2"};
        return kTypes.count(name) > 0;
    }

    Formula atom() {
        if (accept("(")) {
            Formula inner = sum();
            expect(")");
            return inner;
        }
        if (const int number = maybe_temporary()) return {Formula::Kind::Temporary, 0, number, {}, {}};
        if (!done() && is_digit(text_[at_])) return number();
        const std::string name = word();
        if (name == "inf") return {Formula::Kind::Number, std::numeric_limits<double>::infinity(), 0, {}, {}};
        if (accept("(")) {
            if (is_type(name)) {  // numbers are not rounded here
                Formula inner = sum();
                expect(")");
                return inner;
            }
            if (!is_elementwise(name) || !is_word(name[0])) fail("a known function before this");
            std::vector<Formula> args{sum()};
            while (accept(",")) args.push_back(sum());
            expect(")");
            return call(name, std::move(args));
        }
        for (const std::string& dim : dims_)
            if (name == dim + dim) return {Formula::Kind::Size, 0, 0, dim, {}};
        fail("a temporary, a number, a size or a function before this");
    }

    Formula number() {
        double value = 0;
        const auto end = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value).ptr;
        at_ = static_cast<std::size_t>(end - text_.data());
        return {Formula::Kind::Number, value, 0, {}, {}};
    }

    const std::string& text_;
    const std::vector<std::string>& dims_;
    std::size_t at_ = 0;
};

Line loop_line(Cursor& cursor, bool parallel) {
    Line line;
    line.parallel = parallel;
    line.variable = cursor.word();
    cursor.expect(" in range(");
    line.start = cursor.accept("1,") ? 1 : 0;
    std::string begin;  // "m,N", as the first bound says
    if (cursor.accept("hidden(")) {
        begin = cursor.word();
        cursor.expect(",");
        begin += "," + cursor.dim();
        cursor.expect(",");
        line.window = cursor.whole();
        cursor.expect("),");
    }
    if (cursor.accept("visible(")) {
        line.rows = cursor.word();
        cursor.expect(",");
    }
    line.dim = cursor.dim();
    if (!begin.empty() && begin != line.rows + "," + line.dim)
        throw ListingError("the bounds of a loop are about different arrays");
    cursor.expect(line.rows.empty() ? "):" : ")):");
    return line;
}

// After `t3 = ` or `t3 += `.
Line assignment(Cursor& cursor, int temporary, bool adds) {
    Line line;
    line.temporary = temporary;
    if (!adds && cursor.accept("load(")) {
        line.kind = Line::Kind::Load;
        line.access = cursor.access();
        cursor.expect(")");
        return line;
    }
    const std::size_t start = cursor.position();
    if (!cursor.done() && cursor.maybe_temporary() == 0 && !cursor.accept("(") && !cursor.accept("-")) {
        std::string name;
        try {
            name = cursor.word();
        } catch (const ListingError&) {  // a number
        }
        if (is_functional(name) && cursor.accept("(")) {
            line.kind = adds ? Line::Kind::AddFunctional : Line::Kind::Functional;
            line.name = name;
            line.args = cursor.temporaries();
            cursor.expect(")");
            return line;
        }
    }
    cursor.back_to(start);
    if (adds) {
        line.kind = Line::Kind::AddTemporary;
        line.args = {cursor.temporary()};
        return line;
    }
    line.kind = Line::Kind::Assign;
    line.formula = cursor.sum();
    return line;
}

Line misc_line(Cursor& cursor) {
    Line line;
    line.kind = Line::Kind::Misc;
    do line.outputs.push_back(cursor.access());
    while (cursor.accept(","));
    cursor.expect(" = ");
    line.name = cursor.word();
    cursor.expect("(");
    if (cursor.accept(")")) return line;
    do line.inputs.push_back(cursor.access());
    while (cursor.accept(","));
    cursor.expect(")");
    return line;
}

Line parse_line(Cursor& cursor) {
    if (cursor.accept("forall ")) return loop_line(cursor, true);
    if (cursor.accept("for ")) return loop_line(cursor, false);
    if (cursor.accept("store(")) {
        Line line;
        line.kind = Line::Kind::Store;
        line.temporary = cursor.temporary();
        cursor.expect(",");
        line.access = cursor.access();
        cursor.expect(")");
        return line;
    }
    if (const int temporary = cursor.maybe_temporary()) {
        if (cursor.accept(" += ")) return assignment(cursor, temporary, true);
        cursor.expect(" = ");
        return assignment(cursor, temporary, false);
    }
    return misc_line(cursor);
}

struct RawLine {
    int number;
    std::size_t depth;
    std::string text;
};

std::vector<RawLine> split(const std::string& text) {
    std::vector<RawLine> lines;
    std::istringstream stream(text);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        const std::size_t spaces = line.find_first_not_of(' ');
        if (spaces == std::string::npos)
            throw ListingError("line " + std::to_string(number) + ": the line is empty");
        if (spaces % 2 != 0) throw ListingError("line " + std::to_string(number) + ": the indent is odd");
        lines.push_back({number, spaces / 2, line.substr(spaces)});
    }
    return lines;
}

void summarise(Line& loop) {
    for (const Line& line : loop.body) {
        loop.assigned.insert(line.assigned.begin(), line.assigned.end());
        const bool adds = line.kind == Line::Kind::AddFunctional || line.kind == Line::Kind::AddTemporary;
        const bool sets = line.kind == Line::Kind::Load || line.kind == Line::Kind::Functional ||
                          line.kind == Line::Kind::Assign;
        if (adds) loop.accumulators.insert(line.temporary);
        if (adds || sets) loop.assigned.insert(line.temporary);
    }
}

std::vector<Line> block(const std::vector<RawLine>& raw, std::size_t& next, std::size_t depth,
                        const std::vector<std::string>& dims) {
    std::vector<Line> lines;
    while (next < raw.size() && raw[next].depth >= depth) {
        const RawLine& text = raw[next++];
        const std::string where = "line " + std::to_string(text.number) + ": ";
        if (text.depth > depth) throw ListingError(where + "the indent is too deep");
        try {
            Cursor cursor(text.text, dims);
            lines.push_back(parse_line(cursor));
            cursor.end();
        } catch (const ListingError& error) {
            throw ListingError(where + error.what());
        }
        Line& line = lines.back();
        line.number = text.number;
        if (line.kind != Line::Kind::Loop) continue;
        line.body = block(raw, next, depth + 1, dims);
        if (line.body.empty()) throw ListingError(where + "the loop has no body");
        summarise(line);
    }
    return lines;
}

}  // namespace

std::vector<Line> parse_listing(const std::string& text, const std::vector<std::string>& dims) {
    const std::vector<RawLine> raw = split(text);
    std::size_t next = 0;
    return block(raw, next, 0, dims);
}

}  // namespace blockscope::reader
