// A state lowered once: loops, loads, stores and block operations, each line knowing its node.
// The listing, the cost counter and the code generators all start from it.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
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
    std::int64_t window = 0;  // of a causal mask (core/graph/node.h)
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
    std::optional<ElemType> cast = std::nullopt;  // the element type that the result changes to
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

// The bounds of a loop over the columns of a causal mask: from the first of its blocks of which some row of
// block `row` sees a column to the last (visible_blocks in core/graph/type.h). The loop of `row` runs
// around it, over the rows of the mask; rows in `one_block` have no loop.
struct CausalBounds {
    LoopVar row;
    bool one_block = false;
    std::int64_t window = 0;
    bool operator==(const CausalBounds&) const = default;
};

struct Loop {
    LoopVar var;
    int start = 0;        // 0, or 1 after peeling: range(1,K)
    bool serial = false;  // `for`, else `forall`
    NodeId node;          // the map (or reduction)
    Block body;
    std::optional<CausalBounds> bounds = std::nullopt;  // none: all blocks
};

struct LoopProgram {
    DimTable dims;
    std::vector<Buffer> buffers;
    Block body;
    int temps = 0;  // temporaries are 1 .. temps
    BlockNeeds needs = {};
    // Blocks of causal masks that are all zeros are not added (Unmasked, below).
    bool zeros_left_out = false;
};

// The variable's name: the dimension in lower case, with the next free of 2, 3, ... for each further
// depth; names of other dimensions' variables and of the program's temporaries are not free.
std::string name(const LoopVar& var, const LoopProgram& program);

// Lowers a valid program. Loads stand where an item is first used, stores where it is made.
LoopProgram lower(const BlockProgram& program);

// What statements of a loop program read and make, for all who need no more of them than that: a new kind of
// statement is entered here once. Other visits are exhaustive on purpose.

// Temporaries as a statement lists them, those without a number (constants) left out. A view of the
// statement, which must outlive it.
class TempsRead {
public:
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Temp;
        using difference_type = std::ptrdiff_t;
        using pointer = const Temp*;
        using reference = const Temp&;

        Iterator() = default;
        Iterator(const Temp* at, const Temp* end) : at_(at), end_(end) { skip(); }
        const Temp& operator*() const { return *at_; }
        const Temp* operator->() const { return at_; }
        Iterator& operator++() {
            ++at_;
            skip();
            return *this;
        }
        Iterator operator++(int) {
            const Iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        void skip() {
            while (at_ != end_ && at_->id == 0) ++at_;
        }
        const Temp* at_ = nullptr;
        const Temp* end_ = nullptr;
    };

    TempsRead() = default;
    explicit TempsRead(std::span<const Temp> temps) : temps_(temps) {}
    Iterator begin() const { return {temps_.data(), temps_.data() + temps_.size()}; }
    Iterator end() const { return {temps_.data() + temps_.size(), temps_.data() + temps_.size()}; }

private:
    std::span<const Temp> temps_;
};

// Of one statement itself; a loop's body is not looked into. `t3 += dot(t1,t2)` reads t1 and t2, makes t3 and
// adds to it.
struct StatementUses {
    TempsRead reads{};  // in the order of the text
    Temp makes{};       // Temp{0}: none
    bool adds = false;  // what it makes holds a value already
};
StatementUses uses_of(const Statement& statement);

// Buffers that the statement itself stores to. A view of it.
std::span<const int> stored_buffers(const Statement& statement);

// Calls visit(statement) for this block's statements and those of loops in it, in the order of the text.
template <class Visit>
void for_each_statement(const Block& block, const Visit& visit) {
    for (const Statement& statement : block) {
        visit(statement);
        if (const auto* loop = std::get_if<LoopPtr>(&statement.what))
            for_each_statement((*loop)->body, visit);
    }
}

// Which loops of a launch run side by side as thread blocks: the rule that costs and generated kernels share.
//
//     forall h in range(H):          h is an axis of the grid,
//         t1 = load(slope[h])        this line runs in every thread block,
//         forall m in range(M):      m is an axis, too: H·M thread blocks
//             ...

struct Grid {
    std::vector<const Loop*> loops;            // its axes, outermost first; none: one thread block
    std::vector<const Statement*> loop_lines;  // the statements that hold them
    std::vector<const Statement*> before;      // lines between the loops, which every thread block runs
    std::vector<const Statement*> body;        // of the innermost loop
};

// The grid of a top-level statement. A parallel loop is an axis if it is the last statement in the body of
// the axis around it, and all statements before it there are cheap to do again: loads and operators other
// than block products. Everything else is one thread block, whose body is the statement.
Grid grid_of(const Statement& launch);

// Blocks of a causal mask that are all zeros: what adds them to scores need not. Of 32 × 32 blocks of
// attention's scores a causal mask leaves 528, and hides something in 32 of these.

// A block of a mask, at the index of the loop over `bounds.row` and at that of the loop over `column`;
// columns in one block have no loop.
struct MaskBlock {
    CausalBounds bounds;
    LoopVar column;
    bool one_column = false;
};

// What a line computes where its mask is all zeros.
struct Unmasked {
    MaskBlock mask;
    Temp temp;     // that holds the mask
    ExprPtr expr;  // over the line's operands; of add(t4,t5) the first or the second one
};

class MaskBlocks {
public:
    // Finds none in the paper's loops, which add them all (LoopProgram::zeros_left_out).
    explicit MaskBlocks(const LoopProgram& program);

    // Of Compute and Evaluate lines that add a block of a mask or subtract it; none of others.
    std::optional<Unmasked> unmasked(const Statement& line) const;
    bool holds(Temp temp) const { return blocks_.count(temp.id) > 0; }

private:
    std::map<int, MaskBlock> blocks_;  // by temporary
};

// Whether the mask is all zeros in this block.
bool is_clear(const MaskBlock& mask, const DimTable& dims, std::int64_t row, std::int64_t column);

}  // namespace blockscope

// What the passes over loop programs (built_loops.h) share.

namespace blockscope::lowering {

// Numbers temporaries by first appearance, orders and names intermediates by first store, and
// drops intermediates that nothing stores to.
void number(LoopProgram& program);

// The statement with other temporaries: read or made ones that `names` has.
Statement renamed(Statement statement, const std::map<int, Temp>& names);

// The same loop around other lines.
Statement with_body(const Statement& statement, Block body);

// The loop that the statement is; null if it is none.
const Loop* loop_of(const Statement& statement);

// How many statements make each temporary (a sum counts once for each line that adds to it).
std::vector<int> makers(const LoopProgram& program);

// Whether lines of the block, or of loops in it, store to the buffer.
bool stores_to(const Block& block, int buffer);

}  // namespace blockscope::lowering
