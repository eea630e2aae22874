// The text language as text: the problems of one file, tokens, and the syntax tree that the parser makes of
// them. Names get their meaning later (meaning.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/program/array_program.h"
#include "core/program/names.h"
#include "core/support/result.h"
#include "core/support/stop_sign.h"

namespace blockscope {

// Tokens of the text language (docs/language.md).

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

class ProblemList {
public:
    explicit ProblemList(std::string file) : file_(std::move(file)) {}

    void add(int line, int column, Text message) { add(Place{file_, line, column, {}}, std::move(message)); }
    void add(Place place, Text message) {
        if (full()) return;
        problems_.push_back({std::move(place), std::move(message)});
        if (problems_.size() == kMost) {
            problems_.push_back({problems_.back().place, Text("further problems are not listed")});
        }
    }
    bool empty() const { return problems_.empty(); }
    bool full() const { return problems_.size() > kMost; }
    const std::string& file() const { return file_; }
    // In the order of the file.
    Problems sorted() const;

private:
    static constexpr std::size_t kMost = 50;
    std::string file_;
    Problems problems_;
};

// The syntax tree of the text language: what is written, before names mean anything.

constexpr int kMaxSyntaxDepth = 128;
constexpr std::int64_t kLargestExtent = (std::int64_t{1} << 31) - 1;  // of a dimension, of a window
constexpr int kMaxSyntaxNodes = 1'000'000;
constexpr std::size_t kMaxCommentLines = 10'000;

// Line and column of the first byte.
struct SourceSpot {
    int line = 0;
    int column = 0;
};

struct NameSyntax {
    std::string text;
    SourceSpot spot;
};

struct Syntax;
using SyntaxPtr = std::unique_ptr<const Syntax>;

struct NamedArgument {
    NameSyntax name;
    SyntaxPtr value;
};

enum class SyntaxKind : std::uint8_t {
    Number,       // value
    Name,         // text
    String,       // text
    Negate,       // of args[0]
    Binary,       // args[0] symbol args[1]
    Transpose,    // args[0].T
    Call,         // text(args..., named...)
    Elementwise,  // elementwise(parameters: args[0], args[1...])
};

struct Syntax {
    SyntaxKind kind = SyntaxKind::Number;
    SourceSpot spot;  // of an operator: its sign
    double value = 0;
    std::string text;
    char symbol = 0;  // + - * / @ ^
    std::vector<SyntaxPtr> args;
    std::vector<NamedArgument> named;
    std::vector<NameSyntax> parameters;
    int depth = 1;  // nodes on the longest way down
};

struct ShapeSyntax {
    SourceSpot spot;  // of '['
    std::vector<NameSyntax> dims;
};

enum class StatementKind : std::uint8_t { Dim, Batch, Group, Input, Mask, Assign, Output };

struct StatementSyntax {
    StatementKind kind = StatementKind::Assign;
    NameSyntax name;
    std::optional<ShapeSyntax> shape;  // Input, Mask: always there
    std::optional<NameSyntax> type;
    SyntaxPtr expr;         // Assign; Output, null for `output NAME`
    std::int64_t size = 1;  // Dim, Batch, Group
    std::int64_t block = 1;
    bool block_given = false;
    std::int64_t window = 0;  // Mask: of causal(window=16); 0: none
};

struct SyntaxProgram {
    std::vector<std::string> comment;
    std::vector<StatementSyntax> statements;
    std::vector<std::string> broken;  // names that statements with errors would have defined
    bool complete = true;             // false: reading stopped at a limit
};

// Reports to `problems` and goes on at the next line.
SyntaxProgram parse_syntax(const std::string& text, ProblemList& problems, const StopSign& stop);

// Gives the syntax its meaning: names, shapes, array operators.

// What an expression stands for.
struct ExpressionValue {
    enum class Kind : std::uint8_t { Bad, Scalar, Array };
    Kind kind = Kind::Bad;  // Bad: reported already, or follows from what is reported
    ExprPtr scalar;
    int op = -1;          // Array
    bool column = false;  // column(c): the vector runs along the rows
    bool is_array() const { return kind == Kind::Array; }
    bool is_scalar() const { return kind == Kind::Scalar; }
};

class Meaning {
public:
    Meaning(ProblemList& problems, const StopSign& stop) : problems_(problems), stop_(stop) {}

    ArrayProgram run(SyntaxProgram syntax);

private:
    // Statements (meaning.cpp)
    void declare_dim(const StatementSyntax& statement);
    void mark_batch(const ShapeSyntax& shape);
    void statement(const StatementSyntax& statement);
    void input(const StatementSyntax& statement);
    bool assign(const StatementSyntax& statement);
    void output(const StatementSyntax& statement);
    void check_annotation(const StatementSyntax& statement, const ArrayOp& op);
    bool define(const NameSyntax& name, int op);
    void hoist_inputs(std::size_t first, ExpressionValue& result);
    void report_unused();

    // Names
    std::optional<DimId> find_dim(const NameSyntax& name);
    std::optional<Shape> resolve(const ShapeSyntax& shape);
    std::optional<ElemType> resolve_type(const NameSyntax& name);
    enum class Wanted : std::uint8_t { Dimension, Array, ArrayOrDimension };
    void undefined(const NameSyntax& name, Wanted wanted);

    // Expressions (meaning_expression.cpp)
    ExpressionValue evaluate(const Syntax& syntax);
    ExpressionValue name(const Syntax& syntax);
    ExpressionValue negate(const Syntax& syntax);
    ExpressionValue binary(const Syntax& syntax);
    ExpressionValue array_binary(const Syntax& syntax, Fn fn, const ExpressionValue& left,
                                 const ExpressionValue& right);
    ExpressionValue elementwise(const Syntax& syntax);
    using Build = std::function<ExprPtr(const std::vector<ExprPtr>&)>;
    ExpressionValue apply(SourceSpot spot, const std::vector<ExpressionValue>& args, const Build& build);
    ExpressionValue add_elementwise(SourceSpot spot, ExprPtr expr, std::vector<int> operands);
    ExpressionValue add_op(SourceSpot spot, ArrayOp op);
    bool limited(SourceSpot spot, const ExprPtr& expr);
    std::optional<int> array(const Syntax& syntax, const std::string& function);
    ExpressionValue misplaced_column(SourceSpot spot);
    ExpressionValue fail(SourceSpot spot, Text message);

    // Calls.
    ExpressionValue call(const Syntax& syntax);
    ExpressionValue elementwise_function(const Syntax& syntax);
    ExpressionValue row_operator(const Syntax& syntax, ArrayOpKind kind);
    ExpressionValue rope(const Syntax& syntax, ArrayOpKind kind);
    ExpressionValue outer(const Syntax& syntax);
    ExpressionValue norm(const Syntax& syntax, ArrayOpKind kind);
    bool norm_option(const NamedArgument& named, ArrayOp& op, bool& has_epsilon);
    ExpressionValue sum_over(const Syntax& syntax);
    ExpressionValue cast(const Syntax& syntax);
    ExpressionValue causal(const Syntax& syntax);
    ExpressionValue column(const Syntax& syntax);
    ExpressionValue custom(const Syntax& syntax, const StatementSyntax* annotation);
    bool arguments(const Syntax& syntax, std::size_t least, std::size_t most, const Text& form);
    bool no_named(const Syntax& syntax);
    std::string causal_name();
    std::optional<std::int64_t> window(const Syntax& causal);

    ProblemList& problems_;
    const StopSign& stop_;
    ArrayProgram program_;
    NameTable names_;
    std::vector<bool> block_given_;  // by dimension
    std::unordered_map<std::string, DimId> dims_;
    std::unordered_map<std::string, int> arrays_;  // name -> operator
    std::vector<std::string> array_names_;
    std::unordered_set<std::string> broken_;    // names whose definition has an error
    std::unordered_set<std::string> declared_;  // names that any statement defines
    std::unordered_set<std::string> output_names_;
    std::set<const ShapeSyntax*> refused_shapes_;  // with a problem that is reported already
    // Masks without a type take that of what they are first combined with.
    std::set<int> untyped_masks_;
    std::map<std::tuple<std::vector<DimId>, ElemType, std::int64_t>, int>
        causal_masks_;  // by axes, type, window
    int causal_count_ = 0;
    std::size_t statement_start_ = 0;
    bool hoist_ = false;                                                // the statement has made an input
    const std::unordered_map<std::string, int>* parameters_ = nullptr;  // inside elementwise(...)
};

}  // namespace blockscope
