#include <algorithm>
#include <charconv>

#include "core/program/parser.h"

namespace blockscope {
namespace {

constexpr std::size_t kMaxStatements = 300'000;
constexpr std::size_t kMaxBrokenNames = 1'000;
constexpr std::int64_t kMaxExtent = (std::int64_t{1} << 31) - 1;

// The comment lines at the top, blank lines before them apart.
std::vector<std::string> leading_comment(std::string_view text) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    std::vector<std::string> comment;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        const std::size_t start = line.find_first_not_of(" \t");
        if (start == std::string_view::npos || line[start] != '#') break;
        line.remove_prefix(start + 1);
        if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
        comment.emplace_back(line);
        if (comment.size() > kMaxCommentLines) break;
    }
    return comment;
}

}  // namespace

std::optional<StatementKind> keyword(const Token& token) {
    if (token.is_name("dim")) return StatementKind::Dim;
    if (token.is_name("batch")) return StatementKind::Batch;
    if (token.is_name("group")) return StatementKind::Group;
    if (token.is_name("input")) return StatementKind::Input;
    if (token.is_name("mask")) return StatementKind::Mask;
    if (token.is_name("output")) return StatementKind::Output;
    return std::nullopt;
}

SyntaxProgram Parser::parse() {
    program_.comment = leading_comment(text_);
    if (program_.comment.size() > kMaxCommentLines) {
        problems_.add(
            static_cast<int>(kMaxCommentLines) + 1, 1,
            "found a comment of more than " + std::to_string(kMaxCommentLines) + " lines; expected fewer");
        program_.complete = false;
    }
    advance();
    while (token_.kind != TokenKind::End && !problems_.full() && program_.complete) {
        if (token_.kind == TokenKind::Newline) {
            advance();
            continue;
        }
        stop_.check();
        const Token first = token_;
        try {
            if (program_.statements.size() >= kMaxStatements || nodes_ > kMaxSyntaxNodes) fail_too_large();
            statement();
        } catch (const StatementError&) {
            recover(first);
        }
    }
    return std::move(program_);
}

// Goes on at the next line; names that the statement would have defined count as defined.
void Parser::recover(const Token& first) {
    for (NameSyntax& broken : defining_) program_.broken.push_back(std::move(broken.text));
    const bool declares = first.is_name("input");
    lexer_.restart(token_);
    const Token after = peek_after(token_);
    const bool starts =
        keyword(token_) || (token_.kind == TokenKind::Name && (after.is("=") || after.is("[")));
    const bool new_statement = token_.first_on_line && token_.line > first.line && starts;
    if (token_.kind == TokenKind::Newline || new_statement) return advance();
    const int line = token_.line;
    for (; declares && token_.line == line && token_.kind != TokenKind::End; advance()) {
        if (token_.kind == TokenKind::Newline) return;
        if (program_.broken.size() >= kMaxBrokenNames) break;
        if (token_.kind == TokenKind::Name) program_.broken.emplace_back(token_.text);
    }
    if (declares && token_.line != line) return;
    lexer_.skip_line();
    advance();
}

void Parser::fail_at(SourceSpot spot, const std::string& message) {
    problems_.add(spot.line, spot.column, message);
    throw StatementError{};
}

void Parser::fail_too_large() {
    program_.complete = false;
    fail_at(spot_of(token_), "found a program that is too large; expected at most " +
                                 std::to_string(kMaxStatements) + " statements and " +
                                 std::to_string(kMaxSyntaxNodes) + " operations");
}

void Parser::fail(const std::string& expected) {
    if (token_.kind == TokenKind::Bad) {
        fail_at(spot_of(token_), "found " + describe(token_) + ", which " + std::string(token_.problem));
    }
    fail_at(spot_of(token_), "found " + describe(token_) + "; expected " + expected);
}

bool Parser::accept(std::string_view symbol) {
    if (!token_.is(symbol)) return false;
    advance();
    return true;
}

void Parser::expect(std::string_view symbol, const std::string& expected) {
    if (!accept(symbol)) fail(expected);
}

void Parser::end_of_statement(const char* expected) {
    if (token_.kind != TokenKind::Newline && token_.kind != TokenKind::End) fail(expected);
}

NameSyntax Parser::name(const char* expected) {
    if (token_.kind != TokenKind::Name) fail(expected);
    NameSyntax result{std::string(token_.text), spot_of(token_)};
    advance();
    return result;
}

void Parser::statement() {
    defining_.clear();
    nesting_ = 0;
    const std::optional<StatementKind> kind = keyword(token_);
    if (!kind) return assign_statement();
    switch (*kind) {
        case StatementKind::Dim:
        case StatementKind::Batch:
        case StatementKind::Group:
            return dim_statement(*kind);
        case StatementKind::Input:
            return input_statement();
        case StatementKind::Mask:
            return mask_statement();
        case StatementKind::Output:
            return output_statement();
        case StatementKind::Assign:
            break;
    }
    throw InternalError("unknown keyword");
}

std::int64_t Parser::extent(const char* expected) {
    if (token_.kind != TokenKind::Number) fail(expected);
    std::int64_t value = 0;
    const char* end = token_.text.data() + token_.text.size();
    const auto parsed = std::from_chars(token_.text.data(), end, value);
    if (parsed.ptr != end || parsed.ec != std::errc{} || value < 1 || value > kMaxExtent) {
        fail(std::string(expected) + " from 1 to " + std::to_string(kMaxExtent));
    }
    advance();
    return value;
}

void Parser::dim_statement(StatementKind kind) {
    StatementSyntax statement;
    statement.kind = kind;
    advance();
    statement.name = name("the name of a dimension, as in dim M = 4096 / 128");
    defining_ = {statement.name};
    expect("=", "'=' and the dimension's size, as in dim M = 4096 / 128");
    statement.size = extent("the dimension's size in elements, a whole number");
    statement.block = statement.size;
    const SourceSpot slash = spot_of(token_);
    if (accept("/")) {
        const SourceSpot spot = spot_of(token_);
        statement.block = extent("the block size in elements, a whole number");
        statement.block_given = true;
        if (kind != StatementKind::Dim && statement.block != 1) {
            fail_at(slash, "found a block size of " + std::to_string(statement.block) +
                               " for the dimension " + statement.name.text +
                               "; batch and group dimensions have none");
        }
        if (statement.block > statement.size) {
            fail_at(spot, "found a block size of " + std::to_string(statement.block) +
                              "; expected at most the dimension's size, " + std::to_string(statement.size));
        }
    }
    if (kind != StatementKind::Dim) statement.block = 1;
    end_of_statement(statement.block_given ? "the end of the line after the block size"
                                           : "'/' and a block size, or the end of the line");
    program_.statements.push_back(std::move(statement));
}

ShapeSyntax Parser::shape() {
    ShapeSyntax result{spot_of(token_), {}};
    const Token open = token_;
    expect("[", "'[' and the dimensions, as in Q[M, D]");
    if (accept("]")) return result;
    do {
        if (result.dims.size() == 8) fail("at most 8 dimensions");
        result.dims.push_back(name("the name of a dimension"));
    } while (accept(","));
    if (!token_.is("]")) {
        fail("',' or ']' after the dimension " + result.dims.back().text + ", for the '[' at " +
             place_of(open));
    }
    advance();
    return result;
}

std::optional<ShapeSyntax> Parser::optional_shape() {
    if (!token_.is("[")) return std::nullopt;
    return shape();
}

std::optional<NameSyntax> Parser::optional_type() {
    if (!accept(":")) return std::nullopt;
    return name("an element type: f32, f16, bf16, e4m3 or e5m2");
}

void Parser::finish_inputs(std::size_t first, const std::optional<NameSyntax>& type) {
    for (std::size_t i = first; i < program_.statements.size(); ++i) program_.statements[i].type = type;
}

void Parser::input_statement() {
    advance();
    std::size_t untyped = program_.statements.size();
    const std::size_t first = untyped;
    try {
        do {
            StatementSyntax statement;
            statement.kind = StatementKind::Input;
            statement.name = name("the name of an input, as in input Q[M, D]");
            defining_.push_back(statement.name);
            statement.shape = shape();
            if (program_.statements.size() == kMaxStatements) fail_too_large();
            program_.statements.push_back(std::move(statement));
            if (!token_.is(":")) continue;
            finish_inputs(untyped, optional_type());
            untyped = program_.statements.size();
        } while (accept(","));
        end_of_statement("',' and another input, ':' and an element type, or the end of the line");
    } catch (const StatementError&) {
        program_.statements.resize(first);
        throw;
    }
}

void Parser::mask_statement() {
    StatementSyntax statement;
    statement.kind = StatementKind::Mask;
    advance();
    statement.name = name("the name of a mask, as in mask C[M, N] = causal");
    defining_ = {statement.name};
    statement.shape = shape();
    statement.type = optional_type();
    expect("=", "'= causal', as in mask C[M, N] = causal");
    if (!token_.is_name("causal"))
        fail("'causal', the one kind of mask (any other is an input that is added)");
    advance();
    if (!statement.type) statement.type = optional_type();
    end_of_statement("the end of the line");
    program_.statements.push_back(std::move(statement));
}

void Parser::output_statement() {
    StatementSyntax statement;
    statement.kind = StatementKind::Output;
    advance();
    statement.name = name("the name of an output, as in output O = P @ V");
    statement.shape = optional_shape();
    statement.type = optional_type();
    if (accept("=")) {
        defining_ = {statement.name};
        statement.expr = expression();
        end_of_statement("an operator or the end of the line");
    } else {
        end_of_statement("'=' and an expression, or the end of the line");
    }
    program_.statements.push_back(std::move(statement));
}

void Parser::assign_statement() {
    StatementSyntax statement;
    statement.name = name("a statement: dim, batch, group, input, mask, output or NAME = expression");
    defining_ = {statement.name};
    if (token_.kind == TokenKind::Name) {
        fail("'=' after " + statement.name.text +
             " (a line starts with dim, batch, group, input, mask, output or with NAME =)");
    }
    statement.shape = optional_shape();
    statement.type = optional_type();
    expect("=", "'=' and an expression after " + statement.name.text);
    statement.expr = expression();
    end_of_statement("an operator or the end of the line");
    program_.statements.push_back(std::move(statement));
}

SyntaxProgram parse_syntax(const std::string& text, ProblemList& problems, const StopSign& stop) {
    return Parser(text, problems, stop).parse();
}

}  // namespace blockscope
