// Terms of neural circuit diagrams (Abbott and Zardini, FlashAttention on a Napkin, Section 2): arrays with a
// wire per axis, operators that are weaved over further axes, composition, product, rearrangement of tuples,
// named blocks, and the partitions of an axis into groups and streams.
//
// Terms are immutable and shared by pointer. The functions at the end make them and work out domain and
// codomain; verify() finds everything that does not fit together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/algebra/formula.h"
#include "core/diagram/operators.h"
#include "core/graph/node.h"
#include "core/graph/type.h"
#include "core/support/cases.h"
#include "core/support/text.h"

namespace blockscope::circuit {

using algebra::Formula;
using algebra::Monomial;
using algebra::number_text;
using algebra::Rational;
using algebra::SizedFormula;
using algebra::Values;

// Index of an axis in Circuit::axes.
struct AxisId {
    int value = -1;
    auto operator<=>(const AxisId&) const = default;
};

enum class PartitionKind : std::uint8_t {
    Group,   // Section 2.3: parts of the axis go to different processors
    Stream,  // Section 2.4: parts of the axis come one after the other, an accumulator takes them up
};

// An axis, or a part of one at a lower level: g_M and s_N are axes of their own.
struct Axis {
    std::string name;
    std::int64_t size = 1;
    bool sequence = false;             // drawn with an overline
    std::optional<AxisId> whole = {};  // of a part: the axis that it is a part of
    PartitionKind partition = PartitionKind::Group;
    std::int64_t divisor = 1;  // its size has to divide by this (Figure 26)
    std::string symbol = {};   // of its size in formulas, if that is not the name: d' has the size d
    bool open = false;         // of a part: still to be chosen; it has its own symbol even where it is all
    // By level, what it is called there if not by its name: g_q is t_q for threads, w_q for tensor cores.
    std::vector<std::string> at_levels = {};
    // By level, its size there if the level has parts of its own (Figures 20 and 24); 0, or none: `size`.
    std::vector<std::int64_t> level_sizes = {};
    bool operator==(const Axis&) const = default;
};

using Axes = std::vector<Axis>;

// Level 0 is global memory (black); what is lower has a higher number.
struct ArrayType {
    std::vector<AxisId> axes;
    ElemType elem = ElemType::F32;
    int level = 0;
    bool cached = false;  // asterisks: not bound by its level's memory (Section 4.4)
    bool operator==(const ArrayType&) const = default;
};

using Tuple = std::vector<ArrayType>;

// One axis of an array that an operator takes or gives.
struct Slot {
    bool own = false;  // the operator's own axis; else one that it is weaved over
    int index = 0;     // in Apply::own or Apply::weave
    bool operator==(const Slot&) const = default;
};

struct Segment {
    std::vector<Slot> slots;
    ElemType elem = ElemType::F32;
    int level = 0;
    bool cached = false;
    std::string name;  // of outputs; may be empty
    bool operator==(const Segment&) const = default;
};

// Where a part of a diagram comes from, for linked views.
struct Origin {
    int op = -1;  // index in ArrayProgram::ops
    NodeId node;  // of a block program
    bool operator==(const Origin&) const = default;
};

// An operator weaved over axes (Figure 5): every output has all of `weave`, an input those that run through
// it; an input that lacks one is copied along it, one that has it twice is read along the diagonal.
struct Apply {
    Operator op;
    std::vector<AxisId> own;
    std::vector<AxisId> weave;
    std::vector<Segment> inputs;
    std::vector<Segment> outputs;
    Origin origin;
};

// Output i is input take[i]: copies, deletions and crossings of whole arrays. Identity if take is 0, 1, 2,
// ...
struct Rearrange {
    Tuple from;
    std::vector<int> take;
};

struct Term;
using TermPtr = std::shared_ptr<const Term>;

struct Compose {
    std::vector<TermPtr> parts;  // one after the other, left to right
};
struct Product {
    std::vector<TermPtr> parts;  // beside each other, top to bottom
};

enum class BlockStyle : std::uint8_t {
    Group,
    Repeat,
    Kernel,
    Split,  // a multiply-add that can be split along any axis (Section 5.2)
};

struct Block {
    std::string title;
    BlockStyle style = BlockStyle::Group;
    std::string count;  // Repeat: "32"
    TermPtr body;
};

// Where the axis of a partition stands in an array. `place` -1: nowhere. `dropped`: the array has one entry
// per part along the axis `count` there, and inside it has no such axis (a list of partial sums; heads one by
// one).
struct Cut {
    int place = -1;
    bool dropped = false;
    bool any() const { return place >= 0; }
    bool operator==(const Cut&) const = default;
};

// Runs `body` on parts of the axis `whole` (Figures 10 and 14). An input that is not cut reaches every part
// as it is; an output of a stream that is not cut is carried along and added to. Where a stream goes on from
// a first value, that comes in as an input, and the body takes what is carried there (Figure 38: the head
// makes it). A group joins all of its outputs.
struct Partition {
    PartitionKind kind = PartitionKind::Group;
    AxisId whole;
    AxisId part;
    AxisId count;            // the axis of the parts' numbers, where arrays have it
    std::vector<Cut> split;  // by input
    std::vector<Cut> join;   // by output
    TermPtr body;
    Origin origin;
    std::vector<int> carry = {};  // by output: the input that it is carried to, -1 or no entry if to none

    int carried_to(std::size_t output) const { return output < carry.size() ? carry[output] : -1; }
};

struct Term {
    std::variant<Apply, Rearrange, Compose, Product, Block, Partition> what;
    Tuple domain;
    Tuple codomain;

    template <class K>
    const K* as() const {
        return std::get_if<K>(&what);
    }
};

TermPtr apply(Apply what);
TermPtr rearrange(Tuple from, std::vector<int> take);
TermPtr identity(Tuple on);
TermPtr compose(std::vector<TermPtr> parts);  // at least one
TermPtr product(std::vector<TermPtr> parts);
TermPtr block(Block what);
TermPtr partition(Partition what);

bool is_identity(const Rearrange& what);

struct Circuit {
    Axes axes;
    TermPtr root;
    std::vector<std::string> inputs;  // names of the arrays of the domain
    std::vector<std::string> outputs;
    int lowest_level = 0;
    std::vector<std::string> levels = {};  // names, from level 0 on; may be empty
};

inline const Axis& axis_of(const Axes& axes, AxisId id) {
    return axes.at(static_cast<std::size_t>(id.value));
}

// The symbol of an axis in formulas; a part that is all of its axis has the symbol of the whole. An axis of
// size 1 that has no name is the number 1.
Formula extent(const Axes& axes, AxisId id);
// At a level, which may have parts of its own.
Formula extent(const Axes& axes, AxisId id, int level);
// The number of parts: whole / part; at a level, which may have parts of its own.
Formula parts_of(const Axes& axes, const Partition& partition);
Formula parts_of(const Axes& axes, const Partition& partition, int level);
// The number of values of an array, at its level.
Formula size_of_array(const Axes& axes, const ArrayType& array);
// Every axis' symbol with its size.
Values sizes(const Axes& axes);

// ---- Helpers for lists of axes, and for numbers of operators and arrays that are used as indices.

inline std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

inline bool has(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// ---- Diagrams as text.

// "[M D] ⊗ [N D]@1": the axes of each array, and its level if it is not 0.
std::string to_string(const Axes& axes, const Tuple& tuple);

// An outline: one line per column, blocks and partitions around their columns. Ends in a newline.
std::string to_string(const Circuit& circuit);

// ---- Checks.

// Everything that is wrong with a diagram, as sentences: shapes that do not meet, weaves that an output
// lacks, operators between levels, partitions of an axis that is not there. Empty for a sound circuit.
std::vector<Text> verify(const Circuit& circuit);

// ---- Traversal.

// Follows the arrays `in` through `term` from left to right and returns what comes out. The caller says what
// operators, products and partitions do with arrays (`own`, a function for each), and how to go on inside a
// part of the term (`again`, usually the caller itself). Rearrangements, compositions and blocks only order
// arrays; they are dealt with here.
template <class Array, class Again, class... Own>
std::vector<Array> follow(const Term& term, const std::vector<Array>& in, const Again& again, Own... own) {
    return std::visit(Cases{std::move(own)...,
                            [&](const Rearrange& what) {
                                std::vector<Array> out;
                                for (const int i : what.take)
                                    out.push_back(in.at(static_cast<std::size_t>(i)));
                                return out;
                            },
                            [&](const Compose& what) {
                                std::vector<Array> now = in;
                                for (const TermPtr& part : what.parts) now = again(*part, now);
                                return now;
                            },
                            [&](const Block& what) { return again(*what.body, in); }},
                      term.what);
}

}  // namespace blockscope::circuit
