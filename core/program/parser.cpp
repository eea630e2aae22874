#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/syntax.h"

namespace blockscope {

// ---- Recursive descent over the grammar of docs/language.md.

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
    std::int64_t window();
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

namespace {

constexpr std::size_t kMaxStatements = 300'000;
constexpr std::size_t kMaxBrokenNames = 1'000;

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
        problems_.add(static_cast<int>(kMaxCommentLines) + 1, 1,
                      Text("found a comment of more than %1 lines; expected fewer", kMaxCommentLines));
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

void Parser::fail_at(SourceSpot spot, const Text& message) {
    problems_.add(spot.line, spot.column, message);
    throw StatementError{};
}

void Parser::fail_too_large() {
    program_.complete = false;
    fail_at(spot_of(token_),
            Text("found a program that is too large; expected at most %1 statements and %2 operations",
                 kMaxStatements, kMaxSyntaxNodes));
}

void Parser::fail(const Text& expected) {
    if (token_.kind == TokenKind::Bad) {
        fail_at(spot_of(token_), fault_sentence(token_));
    }
    fail_at(spot_of(token_), Text("found %1; expected %2", describe(token_), expected));
}

bool Parser::accept(std::string_view symbol) {
    if (!token_.is(symbol)) return false;
    advance();
    return true;
}

void Parser::expect(std::string_view symbol, const Text& expected) {
    if (!accept(symbol)) fail(expected);
}

void Parser::end_of_statement(const Text& expected) {
    if (token_.kind != TokenKind::Newline && token_.kind != TokenKind::End) fail(expected);
}

NameSyntax Parser::name(const Text& expected) {
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

std::int64_t Parser::extent(const Text& expected) {
    if (token_.kind != TokenKind::Number) fail(expected);
    std::int64_t value = 0;
    const char* end = token_.text.data() + token_.text.size();
    const auto parsed = std::from_chars(token_.text.data(), end, value);
    if (parsed.ptr != end || parsed.ec != std::errc{} || value < 1 || value > kLargestExtent) {
        fail(Text("%1 from 1 to %2", expected, kLargestExtent));
    }
    advance();
    return value;
}

void Parser::dim_statement(StatementKind kind) {
    StatementSyntax statement;
    statement.kind = kind;
    advance();
    statement.name = name(Text("the name of a dimension, as in dim M = 4096 / 128"));
    defining_ = {statement.name};
    expect("=", Text("'=' and the dimension's size, as in dim M = 4096 / 128"));
    statement.size = extent(Text("the dimension's size in elements, a whole number"));
    statement.block = statement.size;
    const SourceSpot slash = spot_of(token_);
    if (accept("/")) {
        const SourceSpot spot = spot_of(token_);
        statement.block = extent(Text("the block size in elements, a whole number"));
        statement.block_given = true;
        if (kind != StatementKind::Dim && statement.block != 1) {
            fail_at(
                slash,
                Text("found a block size of %1 for the dimension %2; batch and group dimensions have none",
                     statement.block, statement.name.text));
        }
        if (statement.block > statement.size) {
            fail_at(spot, Text("found a block size of %1; expected at most the dimension's size, %2",
                               statement.block, statement.size));
        }
    }
    if (kind != StatementKind::Dim) statement.block = 1;
    end_of_statement(statement.block_given ? Text("the end of the line after the block size")
                                           : Text("'/' and a block size, or the end of the line"));
    program_.statements.push_back(std::move(statement));
}

ShapeSyntax Parser::shape() {
    ShapeSyntax result{spot_of(token_), {}};
    const Token open = token_;
    expect("[", Text("'[' and the dimensions, as in Q[M, D]"));
    if (accept("]")) return result;
    do {
        if (result.dims.size() == 8) fail(Text("at most 8 dimensions"));
        result.dims.push_back(name(Text("the name of a dimension")));
    } while (accept(","));
    if (!token_.is("]")) {
        fail(Text("',' or ']' after the dimension %1, for the '[' at %2", result.dims.back().text,
                  place_of(open)));
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
    return name(Text("an element type: f32, f16, bf16, e4m3 or e5m2"));
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
            statement.name = name(Text("the name of an input, as in input Q[M, D]"));
            defining_.push_back(statement.name);
            statement.shape = shape();
            if (program_.statements.size() == kMaxStatements) fail_too_large();
            program_.statements.push_back(std::move(statement));
            if (!token_.is(":")) continue;
            finish_inputs(untyped, optional_type());
            untyped = program_.statements.size();
        } while (accept(","));
        end_of_statement(Text("',' and another input, ':' and an element type, or the end of the line"));
    } catch (const StatementError&) {
        program_.statements.resize(first);
        throw;
    }
}

void Parser::mask_statement() {
    StatementSyntax statement;
    statement.kind = StatementKind::Mask;
    advance();
    statement.name = name(Text("the name of a mask, as in mask C[M, N] = causal"));
    defining_ = {statement.name};
    statement.shape = shape();
    statement.type = optional_type();
    expect("=", Text("'= causal', as in mask C[M, N] = causal"));
    if (!token_.is_name("causal"))
        fail(Text("'causal', the one kind of mask (any other is an input that is added)"));
    advance();
    if (token_.is("(")) statement.window = window();
    if (!statement.type) statement.type = optional_type();
    end_of_statement(Text("the end of the line"));
    program_.statements.push_back(std::move(statement));
}

// "(window=4096)": behind `causal`.
std::int64_t Parser::window() {
    const Token open = token_;
    advance();
    if (!token_.is_name("window")) fail(Text("'window=', as in causal(window=4096)"));
    advance();
    expect("=", Text("'=' and the number of columns that a row sees, as in causal(window=4096)"));
    const std::int64_t columns = extent(Text("the number of columns that a row sees, a whole number"));
    close(open);
    return columns;
}

void Parser::output_statement() {
    StatementSyntax statement;
    statement.kind = StatementKind::Output;
    advance();
    statement.name = name(Text("the name of an output, as in output O = P @ V"));
    statement.shape = optional_shape();
    statement.type = optional_type();
    if (accept("=")) {
        defining_ = {statement.name};
        statement.expr = expression();
        end_of_statement(Text("an operator or the end of the line"));
    } else {
        end_of_statement(Text("'=' and an expression, or the end of the line"));
    }
    program_.statements.push_back(std::move(statement));
}

void Parser::assign_statement() {
    StatementSyntax statement;
    statement.name = name(Text("a statement: dim, batch, group, input, mask, output or NAME = expression"));
    defining_ = {statement.name};
    if (token_.kind == TokenKind::Name) {
        fail(Text("'=' after %1 (a line starts with dim, batch, group, input, mask, output or with NAME =)",
                  statement.name.text));
    }
    statement.shape = optional_shape();
    statement.type = optional_type();
    expect("=", Text("'=' and an expression after %1", statement.name.text));
    statement.expr = expression();
    end_of_statement(Text("an operator or the end of the line"));
    program_.statements.push_back(std::move(statement));
}

SyntaxProgram parse_syntax(const std::string& text, ProblemList& problems, const StopSign& stop) {
    return Parser(text, problems, stop).parse();
}

SyntaxPtr Parser::make(Syntax syntax) {
    for (const SyntaxPtr& child : syntax.args) syntax.depth = std::max(syntax.depth, child->depth + 1);
    for (const NamedArgument& child : syntax.named)
        syntax.depth = std::max(syntax.depth, child.value->depth + 1);
    if (syntax.depth > kMaxSyntaxDepth) fail_deep(syntax.spot);
    if (++nodes_ > kMaxSyntaxNodes) fail_too_large();
    return std::make_unique<const Syntax>(std::move(syntax));
}

SyntaxPtr Parser::leaf(SyntaxKind kind, const Token& token) {
    Syntax syntax;
    syntax.kind = kind;
    syntax.spot = spot_of(token);
    syntax.value = token.value;
    syntax.text = token.text;
    return make(std::move(syntax));
}

SyntaxPtr Parser::binary(const Token& sign, char symbol, SyntaxPtr left, SyntaxPtr right) {
    Syntax syntax;
    syntax.kind = SyntaxKind::Binary;
    syntax.spot = spot_of(sign);
    syntax.symbol = symbol;
    syntax.args.push_back(std::move(left));
    syntax.args.push_back(std::move(right));
    return make(std::move(syntax));
}

SyntaxPtr Parser::sum() {
    SyntaxPtr left = product();
    while (token_.is("+") || token_.is("-")) {
        const Token sign = token_;
        advance();
        left = binary(sign, sign.text[0], std::move(left), product());
    }
    return left;
}

SyntaxPtr Parser::product() {
    SyntaxPtr left = negation();
    while (token_.is("*") || token_.is("/") || token_.is("@")) {
        const Token sign = token_;
        advance();
        left = binary(sign, sign.text[0], std::move(left), negation());
    }
    return left;
}

// A minus before a literal number belongs to the number.
SyntaxPtr Parser::negation() {
    if (!token_.is("-")) return power();
    const Nesting nesting(*this);
    const Token sign = token_;
    advance();
    SyntaxPtr operand = negation();
    Syntax syntax;
    syntax.spot = spot_of(sign);
    if (operand->kind == SyntaxKind::Number) {
        syntax.kind = SyntaxKind::Number;
        syntax.value = -operand->value;
    } else {
        syntax.kind = SyntaxKind::Negate;
        syntax.args.push_back(std::move(operand));
    }
    return make(std::move(syntax));
}

SyntaxPtr Parser::power() {
    SyntaxPtr base = postfix();
    if (!token_.is("^") && !token_.is("**")) return base;
    const Nesting nesting(*this);
    const Token sign = token_;
    advance();
    return binary(sign, '^', std::move(base), negation());
}

SyntaxPtr Parser::postfix() {
    SyntaxPtr operand = primary();
    while (token_.is(".")) {
        Syntax syntax;
        syntax.kind = SyntaxKind::Transpose;
        syntax.spot = spot_of(token_);
        advance();
        if (!token_.is_name("T")) fail(Text("'T' after the dot, the transpose, as in K.T"));
        advance();
        syntax.args.push_back(std::move(operand));
        operand = make(std::move(syntax));
    }
    return operand;
}

SyntaxPtr Parser::primary() {
    const Nesting nesting(*this);
    const Token token = token_;
    if (token.kind == TokenKind::Number || token.kind == TokenKind::String) {
        advance();
        return leaf(token.kind == TokenKind::Number ? SyntaxKind::Number : SyntaxKind::String, token);
    }
    if (token.is("(")) {
        advance();
        SyntaxPtr inner = expression();
        close(token);
        return inner;
    }
    if (token.kind != TokenKind::Name || keyword(token)) {
        fail(Text("a name, a number, a function or '('"));
    }
    advance();
    if (!token_.is("(")) return leaf(SyntaxKind::Name, token);
    return token.is_name("elementwise") ? elementwise(token) : call(token);
}

void Parser::close(const Token& open) {
    if (token_.is(")")) return advance();
    fail(Text("an operator or ')' for the '(' at %1", place_of(open)));
}

void Parser::argument(Syntax& call) {
    if (call.args.size() + call.named.size() == kMaxArguments) fail(Text("at most 64 arguments"));
    if (token_.kind == TokenKind::Name && peek().is("=")) {
        NameSyntax parameter = name(Text("the name of an argument"));
        advance();
        call.named.push_back({std::move(parameter), expression()});
        return;
    }
    if (!call.named.empty())
        fail(Text("no further argument without a name after %1=", call.named.back().name.text));
    call.args.push_back(expression());
}

SyntaxPtr Parser::call(const Token& function) {
    Syntax syntax;
    syntax.kind = SyntaxKind::Call;
    syntax.spot = spot_of(function);
    syntax.text = function.text;
    const Token open = token_;
    advance();
    if (!token_.is(")")) {
        do argument(syntax);
        while (accept(","));
    }
    if (!token_.is(")")) {
        fail(Text("an operator, ',' or ')' for the '(' at %1", place_of(open)));
    }
    advance();
    return make(std::move(syntax));
}

SyntaxPtr Parser::elementwise(const Token& function) {
    Syntax syntax;
    syntax.kind = SyntaxKind::Elementwise;
    syntax.spot = spot_of(function);
    const Token open = token_;
    advance();
    const Text form = Text("a parameter, as in elementwise(x, y: x * exp(y), A, B)");
    do {
        if (syntax.parameters.size() == kMaxArguments) fail(Text("at most 64 parameters"));
        syntax.parameters.push_back(name(form));
    } while (accept(","));
    expect(":", Text("',' or ':' after the parameter %1, as in elementwise(x, y: x * exp(y), A, B)",
                     syntax.parameters.back().text));
    syntax.args.push_back(expression());
    while (accept(",")) {
        if (syntax.args.size() > syntax.parameters.size()) fail(Text("one array for each parameter"));
        syntax.args.push_back(expression());
    }
    close(open);
    return make(std::move(syntax));
}

}  // namespace blockscope
