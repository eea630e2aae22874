// Tokens of the text language (docs/language.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/result.h"

namespace blockscope {

constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxNameBytes = 256;

enum class TokenKind : std::uint8_t { Name, Number, String, Symbol, Newline, End, Bad };

enum class TokenFault : std::uint8_t { None, TooLong, NotANumber, OutOfRange, OpenString, Foreign };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string_view text;  // as written; of a string without its quotes
    double value = 0;       // Number
    int line = 1;           // from 1
    int column = 1;         // bytes, from 1
    std::size_t offset = 0;
    bool first_on_line = false;
    TokenFault fault = TokenFault::None;  // Bad: what is wrong with it

    bool is(std::string_view symbol) const { return kind == TokenKind::Symbol && text == symbol; }
    bool is_name(std::string_view name) const { return kind == TokenKind::Name && text == name; }
};

// At most 40 bytes of `text`, then "..."; in ASCII, other bytes as '?'. For messages.
std::string shortened(std::string_view text);

// How an error message calls the token: "'+'", "the number 12", "the end of the line".
Text describe(const Token& token);

// What is wrong with a token whose kind is Bad, and what is expected.
Text fault_sentence(const Token& token);

// What keeps `text` from being a text file at all: its size, bytes that are not UTF-8, control
// characters.
std::optional<Problem> text_problem(const std::string& text, const std::string& file);

// Reads tokens one by one; a copy reads on independently (look-ahead). Comments and empty lines are
// skipped, and so are newlines inside parentheses and brackets.
class Lexer {
public:
    explicit Lexer(std::string_view text);

    Token next();
    // The next token is the first one of the next line, outside all brackets.
    void skip_line();
    // The next token is `token` again, outside all brackets.
    void restart(const Token& token);

private:
    void skip_blanks();
    Token start(TokenKind kind, std::size_t length);
    Token name();
    Token number();
    Token string();
    Token symbol();

    std::string_view text_;
    std::size_t position_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
    int depth_ = 0;
    bool first_on_line_ = true;
};

}  // namespace blockscope
