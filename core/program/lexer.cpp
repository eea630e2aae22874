#include "core/program/syntax.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace blockscope {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}

// Bytes of the UTF-8 sequence that starts at text[i]; 0 if it is none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = byte(i);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xC0) != 0x80) return 0;
    }
    const unsigned char second = byte(i + 1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool surrogate = lead == 0xED && second >= 0xA0;
    const bool too_large = lead == 0xF4 && second >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
}

// Whether a byte is a whole character that may stand in a text, by byte.
std::array<bool, 256> plain_bytes() {
    std::array<bool, 256> plain{};
    for (int byte = 0; byte < 0x80; ++byte)
        plain[static_cast<std::size_t>(byte)] = !is_control(static_cast<char>(byte));
    return plain;
}

Problem byte_problem(const std::string& text, const std::string& file, std::size_t at, const Text& what) {
    int line = 1;
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < at; ++i) {
        if (text[i] != '\n') continue;
        ++line;
        line_start = i + 1;
    }
    char hex[8];
    std::snprintf(hex, sizeof hex, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(text[at])));
    return {{file, line, static_cast<int>(at - line_start) + 1, {}},
            Text("found the byte %1, which is %2; expected a UTF-8 text file", std::string(hex), what)};
}

// "U+00D7"; the character itself could be invisible, or turn the line around.
std::string code_point(std::string_view character) {
    static constexpr std::array<unsigned, 5> lead_bits = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code = static_cast<unsigned char>(character[0]) & lead_bits.at(character.size());
    for (const char c : character.substr(1)) code = (code << 6) | (static_cast<unsigned char>(c) & 0x3Fu);
    char text[16];
    std::snprintf(text, sizeof text, "U+%04X", code);
    return text;
}

}  // namespace

std::string shortened(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string result(text.substr(0, longest));
    for (char& c : result) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7f) c = '?';
    }
    return text.size() <= longest ? result : result + "...";
}

Text describe(const Token& token) {
    const bool ascii = token.text.empty() || static_cast<unsigned char>(token.text[0]) < 0x80;
    if (token.kind == TokenKind::Bad && !ascii) return Text("the character %1", code_point(token.text));
    const std::string text = shortened(token.text);
    switch (token.kind) {
        case TokenKind::Name:
        case TokenKind::Symbol:
        case TokenKind::Bad:
            return {"'" + text + "'"};
        case TokenKind::Number:
            return Text("the number %1", text);
        case TokenKind::String:
            return Text("the text \"%1\"", text);
        case TokenKind::Newline:
            return Text("the end of the line");
        case TokenKind::End:
            return Text("the end of the file");
    }
    throw InternalError("unknown token kind");
}

Text fault_sentence(const Token& token) {
    const Text what = describe(token);
    switch (token.fault) {
        case TokenFault::TooLong:
            return Text("found %1, which is longer than 256 bytes; expected a shorter name", what);
        case TokenFault::NotANumber:
            return Text("found %1, which is not a number; expected digits, as in 128, 0.5 or 1e-6", what);
        case TokenFault::OutOfRange:
            return Text("found %1, which is out of range; expected a number between 1e-307 and 1e308", what);
        case TokenFault::OpenString:
            return Text("found %1, which has no closing quote; expected '\"' on the same line", what);
        case TokenFault::Foreign:
            return Text(
                "found %1, which is no part of the language; expected a name, a number or one of = + - * / @ "
                "^ . , : ( ) [ ] #",
                what);
        case TokenFault::None:
            break;
    }
    throw InternalError("a token without a fault");
}

std::optional<Problem> text_problem(const std::string& text, const std::string& file) {
    if (text.size() > kMaxTextBytes) {
        return Problem{
            {file, 1, 1, {}},
            Text("found a text of %1 bytes; at most %2 (64 MiB) are allowed", text.size(), kMaxTextBytes)};
    }
    static const std::array<bool, 256> plain = plain_bytes();
    for (std::size_t i = 0; i < text.size();) {
        if (plain[static_cast<unsigned char>(text[i])]) {
            ++i;
            continue;
        }
        if (text.compare(i, 2, "\r\n") == 0) {
            i += 2;
            continue;
        }
        if (is_control(text[i])) return byte_problem(text, file, i, Text("a control character"));
        const std::size_t length = utf8_length(text, i);
        if (length == 0) return byte_problem(text, file, i, Text("not UTF-8"));
        i += length;
    }
    return std::nullopt;
}

Lexer::Lexer(std::string_view text) : text_(text) {
    const std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.substr(0, 3) == byte_order_mark) position_ = line_start_ = 3;
}

void Lexer::skip_blanks() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (c == '#') {
            const std::size_t end = text_.find('\n', position_);
            position_ = end == std::string_view::npos ? text_.size() : end;
        } else if (c == ' ' || c == '\t' || (c == '\r' && text_.substr(position_, 2) == "\r\n")) {
            ++position_;
        } else if (c == '\n' && (depth_ > 0 || first_on_line_)) {
            ++position_;
            ++line_;
            line_start_ = position_;
            first_on_line_ = true;
        } else {
            return;
        }
    }
}

Token Lexer::start(TokenKind kind, std::size_t length) {
    Token token;
    token.kind = kind;
    token.text = text_.substr(position_, length);
    token.line = line_;
    token.column = static_cast<int>(position_ - line_start_) + 1;
    token.offset = position_;
    token.first_on_line = first_on_line_;
    position_ += length;
    first_on_line_ = false;
    return token;
}

Token Lexer::next() {
    skip_blanks();
    if (position_ >= text_.size()) return start(TokenKind::End, 0);
    const char c = text_[position_];
    if (c == '\n') {
        const Token token = start(TokenKind::Newline, 1);
        ++line_;
        line_start_ = position_;
        first_on_line_ = true;
        return token;
    }
    if (is_name_start(c)) return name();
    const bool digit_follows = position_ + 1 < text_.size() && is_digit(text_[position_ + 1]);
    if (is_digit(c) || (c == '.' && digit_follows)) return number();
    if (c == '"') return string();
    return symbol();
}

Token Lexer::name() {
    std::size_t end = position_;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    Token token = start(TokenKind::Name, end - position_);
    if (token.text.size() > kMaxNameBytes) {
        token.kind = TokenKind::Bad;
        token.fault = TokenFault::TooLong;
    }
    return token;
}

Token Lexer::number() {
    std::size_t end = position_;
    const auto digits = [&] {
        while (end < text_.size() && is_digit(text_[end])) ++end;
    };
    const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
    digits();
    if (at(end) == '.') {
        ++end;
        digits();
    }
    if (at(end) == 'e' || at(end) == 'E') {
        const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
        if (is_digit(at(end + 1 + sign))) {
            end += 1 + sign;
            digits();
        }
    }
    bool well_formed = true;
    while (is_name_part(at(end))) {
        ++end;
        well_formed = false;
    }
    Token token = start(TokenKind::Number, end - position_);
    if (!well_formed || token.text.size() > kMaxNameBytes) {
        token.kind = TokenKind::Bad;
        token.fault = TokenFault::NotANumber;
        return token;
    }
    const auto parsed =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.value);
    if (parsed.ec != std::errc{}) {
        token.kind = TokenKind::Bad;
        token.fault = TokenFault::OutOfRange;
    }
    return token;
}

Token Lexer::string() {
    const std::size_t end = text_.find_first_of("\"\n", position_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') {
        const std::size_t stop = end == std::string_view::npos ? text_.size() : end;
        Token token = start(TokenKind::Bad, stop - position_);
        token.fault = TokenFault::OpenString;
        return token;
    }
    Token token = start(TokenKind::String, end + 1 - position_);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
}

Token Lexer::symbol() {
    if (text_.substr(position_, 2) == "**") return start(TokenKind::Symbol, 2);
    const char c = text_[position_];
    if (c == '(' || c == '[') ++depth_;
    if ((c == ')' || c == ']') && depth_ > 0) --depth_;
    if (std::string_view("=/*^@+-()[],:.").find(c) != std::string_view::npos) {
        return start(TokenKind::Symbol, 1);
    }
    Token token = start(TokenKind::Bad, utf8_length(text_, position_));
    token.fault = TokenFault::Foreign;
    return token;
}

void Lexer::skip_line() {
    const std::size_t end = text_.find('\n', position_);
    position_ = end == std::string_view::npos ? text_.size() : end + 1;
    if (end != std::string_view::npos) ++line_;
    line_start_ = position_;
    first_on_line_ = true;
    depth_ = 0;
}

void Lexer::restart(const Token& token) {
    position_ = token.offset;
    line_ = token.line;
    line_start_ = token.offset - static_cast<std::size_t>(token.column - 1);
    first_on_line_ = token.first_on_line;
    depth_ = 0;
}

}  // namespace blockscope
