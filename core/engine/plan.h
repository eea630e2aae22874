// A loop program as the engine runs it: memory regions, temporaries with their places in local memory, and a
// tree of routine calls. Made once by make_plan(), read by the workers.
//
// An item is a row-major block, and a vector one row of it. A block has two forms: plain, and transposed
// (what the second operand of a matmul needs). Values are made, loaded and stored in the forms that their
// readers want.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/engine/cpu_program.h"
#include "core/engine/simd.h"
#include "core/exec/evaluate.h"
#include "core/graph/expr.h"
#include "core/graph/type.h"
#include "core/loops/loop_program.h"

namespace blockscope::engine {

// Elementwise expressions as straight-line code over tiles of numbers.

// A value is an argument (0 .. args-1), a constant or a register.
struct CodeValue {
    enum class Kind : std::uint8_t { Argument, Constant, Register };
    Kind kind = Kind::Argument;
    int index = 0;
    bool operator==(const CodeValue&) const = default;
};

struct CodeLine {
    Op op;
    CodeValue a;
    CodeValue b;  // of binary functions
    int to;       // register; the last line writes the result instead
};

struct ExprCode {
    int args = 0;
    std::vector<float> constants;
    std::vector<CodeLine> lines;  // at least one
    int registers = 0;
    std::string text;  // as the plan shows it
};

// Parts without arguments are computed here, powers with a constant exponent become products and roots.
ExprCode compile_expr(const Expr& expr, int args, const DimTable& dims);

// The code with an argument that is 0, without the lines that add it; none if it is not only added.
std::optional<ExprCode> without_argument(const ExprCode& code, int zero);

enum Form : std::uint8_t { kPlain = 0, kTransposed = 1 };

// Part of the address of an item: the index in a loop variable's slot times a step. Slot 0 always holds 0.
struct AddressTerm {
    int slot = 0;
    std::int64_t step = 0;
};

// One form of one buffer in memory.
struct Region {
    int buffer = -1;
    Form form = kPlain;
    bool bf16 = false;
    bool packed_input = false;        // filled from the input's region at the start of a run
    std::vector<std::int64_t> steps;  // per index
    std::int64_t row_step = 0;        // from one row of this form to the next
    std::int64_t elements = 0;
};

// An item of a region.
struct Access {
    int region = -1;
    std::vector<AddressTerm> terms;
};

// The extent of an axis: that of the block whose number is in a slot (slot 0: block 0).
struct ExtentRef {
    int slot = 0;
    DimId dim;
    bool one = true;  // 1, always
};

struct ItemExtent {
    ExtentRef rows;
    ExtentRef cols;
};

// A temporary's place in local memory, per form; -1 if it has none (a view of a region, or not needed).
struct TempPlan {
    std::array<bool, 2> needed{};
    std::array<std::int64_t, 2> offset{-1, -1};
    std::int64_t rows = 1;  // at most
    std::int64_t cols = 1;
    bool known = false;  // else a number that takes any shape
    bool used = false;
};

struct LoadOp {
    enum class How : std::uint8_t { View, Copy, Transpose };
    struct Piece {
        Form form;
        How how;
        Access from;
    };
    int to;
    ItemExtent extent;
    std::vector<Piece> pieces;
};

// An item of the causal mask.
struct MaskOp {
    int to;
    ItemExtent extent;
    DimId rows;
    DimId cols;
    bool transposed = false;
    std::int64_t window = 0;
    // All that read it are sums that leave out a mask of zeros (EvalOp::clear): it is then not made.
    bool may_be_left_out = false;
};

struct StoreOp {
    int from;
    ItemExtent extent;  // of what a number without a shape fills
    std::vector<Access> to;
};

// Accumulations write in the first iteration of their loop, the one in `slot`, and add in the others.
struct Accumulation {
    bool active = false;
    int slot = 0;
};

struct DotOp {
    int to;
    int a;
    int b;
    Accumulation add;
    int matmul = -1;
};

enum class ArgMode : std::uint8_t { Full, Scalar, PerRow, PerCol };

struct EvalOp {
    int to = -1;
    int code = -1;
    std::vector<int> args;
    std::vector<ArgMode> modes;
    int shape_rows = -1;  // the argument (position) that tells the result's rows; -1: one row
    int shape_cols = -1;
    bool rows_from_cols = false;  // the rows are the number of elements of a vector
    Accumulation add;  // the last argument is the accumulator itself, and `first_code` leaves it out
    int first_code = -1;
    // What it computes where an item of a causal mask among its arguments is all zeros.
    struct Clear {
        int mask;
        int code;
        int first_code;
    };
    std::optional<Clear> clear = {};
};

struct FoldOp {
    FunctionalOp op;  // is_fold(op)
    int to;
    int a;
    Accumulation add;
    Form form = kPlain;  // of `a` that is read; transposed ones are folded down their columns
    // What is folded is computed tile by tile and kept nowhere; `a` is then no operand.
    std::optional<EvalOp> of = {};
};

// Pairs (x, y) of the numbers of a row become (-y, x).
struct RotateOp {
    int to;
    int a;
    bool half;  // pairs stand half a row apart; else they are neighbours
};

struct FillOp {
    int to;
    ItemExtent extent;
    double value;
};

struct CopyOp {
    int to;
    int from;
    ItemExtent extent;  // of what a number without a shape fills
};

// The other form of a temporary, from the plain one.
struct TransposeOp {
    int temp;
};

struct MiscOp {
    struct Array {
        int region;
        std::vector<AddressTerm> terms;  // of the leading indices
        int leading;
    };
    std::string name;
    std::vector<Array> outputs;
    std::vector<Array> inputs;
};

struct LoopOp;

struct PlanOp {
    std::variant<LoadOp, MaskOp, StoreOp, DotOp, EvalOp, FoldOp, RotateOp, FillOp, CopyOp, TransposeOp,
                 MiscOp, std::vector<LoopOp>>
        what;
    NodeId node;
};

struct LoopOp {
    int slot = 0;
    DimId dim;
    std::int64_t start = 0;
    std::int64_t end = 0;
    bool serial = false;
    // A loop over the columns of a causal mask (Loop::bounds): it begins later and ends earlier, by the index
    // in the slot of the rows; slot 0 of rows in one block.
    struct Rows {
        int slot;
        DimId dim;
        std::int64_t window;
    };
    std::optional<Rows> rows;
    int nest = 1;              // this many parallel loops hold nothing but one another
    std::vector<int> imports;  // of parallel loops: temporaries from outside that the body reads
    std::vector<PlanOp> body;
};

// The shapes of one matmul, each full or of a ragged last block.
struct MatmulShape {
    std::array<int, 2> rows;
    std::array<int, 2> cols;
    std::array<int, 2> inner;
    std::int64_t a_step;
    std::int64_t bt_step;
    std::int64_t c_step;
};

struct Plan {
    const LoopProgram* program = nullptr;
    std::vector<Region> regions;
    std::vector<std::array<int, 2>> forms;  // by buffer and form: region or -1
    std::vector<TempPlan> temps;            // by id
    std::vector<ExprCode> codes;
    std::vector<MatmulShape> matmuls;
    std::vector<PlanOp> body;
    std::vector<std::pair<int, int>> packing;  // input regions, and their packed form
    int slots = 1;
    std::int64_t arena_floats = 0;  // of one worker
};

// The loop's iterations at these indices (by slot).
BlockRange range_of(const LoopOp& loop, const std::vector<std::int64_t>& index, const DimTable& dims);

// How a buffer's items lie in an array: its indices as list dimensions around the item.
Type array_type(const Buffer& buffer);

// `program` must outlive the plan.
Result<Plan> make_plan(const LoopProgram& program, Precision precision);

// Merges elementwise operations and saves copies (merge_and_place.cpp).
void fuse_elementwise(Plan& plan);
// Sums of a mask of zeros are what it is added to (merge_and_place.cpp).
void leave_out_zeros(Plan& plan);
// What parallel loops read from outside (merge_and_place.cpp).
void find_imports(Plan& plan);
// Gives temporaries their places (merge_and_place.cpp).
void place_temps(Plan& plan);

std::string to_string(const Plan& plan);

// What the statements of a loop program do with temporaries: which forms of a block they read.

// One load, and how often each item that it names is loaded.
struct LoadUse {
    const Load* load;
    double repeats = 1;  // iterations of the loops around it that are not among its indices
};

struct TempUses {
    explicit TempUses(const LoopProgram& program);

    std::vector<std::array<bool, 2>> needed;  // by temporary: forms that are read
    std::vector<bool> multiplied;             // by temporary: an operand of a matmul
    std::vector<bool> folded_down;            // by temporary: folds over its rows read it transposed
    std::vector<std::vector<LoadUse>> loads;  // by buffer
    std::vector<bool> misc;                   // by buffer: read or written by a miscellaneous operator
};

// Which memory a plan's buffers take, and in which layouts.

// Inputs and outputs lie in memory as the program declares them, intermediates as blocks one after another in
// the forms that their readers want. An input whose blocks are multiplied more than once is packed into
// blocks first if the other form is wanted, or if its blocks are not multiplied well where they lie.
void lay_out(Plan& plan, const TempUses& uses, Precision precision);

// Whether a matmul reads the blocks of an array about as fast where they lie as when they are packed: rows
// next to one another, or far apart as far as that does not matter to the operand.
bool multiplied_in_place(const Plan& plan, const Region& region);

// The region that a load of this form reads: the form itself where it exists, else the other one.
int region_for(const Plan& plan, int buffer, Form form);

}  // namespace blockscope::engine
