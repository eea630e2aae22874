// Recursive descent over the grammar of docs/language.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/lexer.h"
#include "core/program/syntax.h"

namespace blockscope {

// Leaves the statement that has an error; the problem is reported already.
struct StatementError {};

inline SourceSpot spot_of(const Token& token) {
    return {token.line, token.column};
}

// "8:12"
inline std::string place_of(const Token& token) {
    return std::to_string(token.line) + ":" + std::to_string(token.column);
}

// The statement that a keyword starts.
std::optional<StatementKind> keyword(const Token& token);

class Parser {
public:
    Parser(const std::string& text, ProblemList& problems, const StopSign& stop)
        : text_(text), lexer_(text), problems_(problems), stop_(stop) {}

    SyntaxProgram parse();

private:
    void statement();
    void dim_statement(StatementKind kind);
    void input_statement();
    void mask_statement();
    void output_statement();
    void assign_statement();
    void finish_inputs(std::size_t first, const std::optional<NameSyntax>& type);
    void recover(const Token& first);

    NameSyntax name(const Text& expected);
    std::int64_t extent(const Text& expected);
    ShapeSyntax shape();
    std::optional<ShapeSyntax> optional_shape();
    std::optional<NameSyntax> optional_type();
    void end_of_statement(const Text& expected);

    SyntaxPtr expression() { return sum(); }
    SyntaxPtr sum();
    SyntaxPtr product();
    SyntaxPtr negation();
    SyntaxPtr power();
    SyntaxPtr postfix();
    SyntaxPtr primary();
    SyntaxPtr call(const Token& function);
    SyntaxPtr elementwise(const Token& function);
    void argument(Syntax& call);
    void close(const Token& open);

    SyntaxPtr make(Syntax syntax);
    SyntaxPtr leaf(SyntaxKind kind, const Token& token);
    SyntaxPtr binary(const Token& sign, char symbol, SyntaxPtr left, SyntaxPtr right);

    void advance() { token_ = lexer_.next(); }
    bool accept(std::string_view symbol);
    void expect(std::string_view symbol, const Text& expected);
    Token peek() const { return Lexer(lexer_).next(); }
    Token peek_after(const Token& token) const {
        Lexer ahead = lexer_;
        ahead.restart(token);
        ahead.next();
        return ahead.next();
    }
    [[noreturn]] void fail(const Text& expected);
    [[noreturn]] void fail_too_large();
    [[noreturn]] void fail_at(SourceSpot spot, const Text& message);

    // Counts the recursion, which the stack limits.
    struct Nesting {
        explicit Nesting(Parser& owner) : parser(owner) {
            if (parser.nesting_ == kMaxSyntaxDepth) parser.fail_deep(spot_of(parser.token_));
            ++parser.nesting_;
        }
        ~Nesting() { --parser.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        Parser& parser;
    };
    [[noreturn]] void fail_deep(SourceSpot spot) {
        fail_at(spot, Text("found an expression nested more than %1 levels deep; expected a flatter one "
                           "(name a part of it in a statement of its own)",
                           kMaxSyntaxDepth));
    }

    std::string_view text_;
    Lexer lexer_;
    ProblemList& problems_;
    const StopSign& stop_;
    SyntaxProgram program_;
    Token token_;
    std::vector<NameSyntax> defining_;  // names that the current statement defines
    int nesting_ = 0;
    int nodes_ = 0;
};

}  // namespace blockscope
