// A state lowered once: loops, loads, stores and block operations, each line knowing its node.
// The listing, the cost counter and the code generators all start from it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope {

struct Temp {
    int id = 0;  // listings print temporary i as "t<i>", from 1, numbered by first appearance
    bool operator==(const Temp&) const = default;
};

// A loop variable: `dim` in lower case, with 2, 3, ... behind it when nested in itself.
struct LoopVar {
    DimId dim;
    int depth = 1;  // 1 for m, 2 for m2
    bool operator==(const LoopVar&) const = default;
};

// One index of a load or store: a loop variable, or the constant 0 of a peeled iteration.
struct Index {
    bool zero = false;
    LoopVar var;  // if not zero
    bool operator==(const Index&) const = default;
};

// An array in global memory: a program input or output, or a materialised intermediate.
struct Buffer {
    enum class Kind { Input, Output, Intermediate };
    Kind kind = Kind::Intermediate;
    std::string name;         // "Q", "VT" (read transposed), "O", "I1"
    NodeId node;              // the Input or Output node, or the producer of the intermediate
    std::vector<DimId> dims;  // one per index
    Type type;                // of what one index tuple holds (an item)
    bool transposed = false;
    InputSource source = InputSource::Array;
};

struct Load {
    Temp to;
    int buffer;
    std::vector<Index> at;
};
struct Store {
    Temp from;
    int buffer;
    std::vector<Index> at;
};
struct Compute {
    Temp to;
    FunctionalOp op;
    std::vector<Temp> args;
};
// `expr` with args[i] for Arg{i}, element by element; args that it does not use are Temp{0}.
struct Evaluate {
    Temp to;
    ExprPtr expr;
    std::vector<Temp> args;
};
// `to` += the value of a functional operator (dot(t1,t2), row_sum(t4)) or of a temporary. Zero on entry to
// the innermost loop whose body holds it.
struct Accumulate {
    Temp to;
    bool functional = false;
    FunctionalOp op{};
    std::vector<Temp> args;
};
// A plain assignment of a constant (0 or -infinity) before the loop that carries `to`: that value
// in every element.
struct Initialise {
    Temp to;
    double value;
};
// A plain assignment to = from: before the loop that carries `to` (a first value that is computed),
// or inside it (the new value).
struct Assign {
    Temp to;
    Temp from;
};
// A miscellaneous operator on whole buffers, or inside loops on what leading indices select of
// them. `at` has one entry per output, then one per input.
struct CallMisc {
    std::string name;
    std::vector<int> outputs;
    std::vector<int> inputs;
    std::vector<std::vector<Index>> at;
};

struct Loop;
using LoopPtr = std::shared_ptr<const Loop>;

struct Statement {
    std::variant<Load, Store, Compute, Evaluate, Accumulate, Initialise, Assign, CallMisc, LoopPtr> what;
    NodeId node;  // the node that this line shows
    std::optional<ValueRef> value =
        std::nullopt;  // of loads and stores: what is moved, as its level names it
};
using Block = std::vector<Statement>;

struct Loop {
    LoopVar var;
    int start = 0;        // 0, or 1 after peeling: range(1,K)
    bool serial = false;  // `for`, else `forall`
    NodeId node;          // the map (or reduction)
    Block body;
};

struct LoopProgram {
    DimTable dims;
    std::vector<Buffer> buffers;
    Block body;
    int temps = 0;  // temporaries are 1 .. temps
};

// The variable's name: the dimension in lower case, with the next free of 2, 3, ... for each further
// depth; names of other dimensions' variables and of the program's temporaries are not free.
std::string name(const LoopVar& var, const LoopProgram& program);

// Lowers a valid program. Loads stand where an item is first used, stores where it is made.
LoopProgram lower(const BlockProgram& program);

// What statements of a loop program read and make, for all who need no more of them than that: a new kind of
// statement is entered here once. Other visits are exhaustive on purpose.

// Of one statement itself; a loop's body is not looked into. `t3 += dot(t1,t2)` reads t1 and t2, makes t3 and
// adds to it.
struct StatementUses {
    std::vector<Temp> reads;  // without constants, in the order of the text
    Temp makes{};             // Temp{0}: none
    bool adds = false;        // what it makes holds a value already
};
StatementUses uses_of(const Statement& statement);

// Buffers that the statement itself stores to.
std::vector<int> stored_buffers(const Statement& statement);

// Calls `visit` for this block's statements and those of loops in it, in the order of the text.
void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit);

}  // namespace blockscope
