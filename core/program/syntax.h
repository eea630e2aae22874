// Collects the problems of one file, up to a number that a person still reads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/program/array_program.h"
#include "core/support/result.h"
#include "core/support/stop_sign.h"

namespace blockscope {

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
};

struct SyntaxProgram {
    std::vector<std::string> comment;
    std::vector<StatementSyntax> statements;
    std::vector<std::string> broken;  // names that statements with errors would have defined
    bool complete = true;             // false: reading stopped at a limit
};

// Reports to `problems` and goes on at the next line.
SyntaxProgram parse_syntax(const std::string& text, ProblemList& problems, const StopSign& stop);

}  // namespace blockscope
