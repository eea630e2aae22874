// The table of functional operators: what a block program applies to single items (Blockbuster, Table 1, and
// what the array language and the safety pass need on top). A row says what an operator's operands are and
// which scalar function it applies; types, work, extents, diagrams, both evaluators' rules for exponents and
// layouts in CUDA follow from that. A new operator is an enumerator and a row here, and a function of its
// name in resources/cuda/operators.cuh and reference.cuh; one that folds rows by a new scalar function needs
// a vectorised routine, too (core/engine/simd_bodies.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/graph/expr.h"
#include "core/graph/shared_vector.h"
#include "core/graph/type.h"
#include "core/scalar/primitives.h"

namespace blockscope {

// a, b are blocks [rows, cols]; c is a vector along rows, r a vector along columns.
enum class FunctionalOp : std::uint8_t {
    Add,       // a + b (also of vectors and scalars)
    Mul,       // a * b, element by element (also of vectors and scalars)
    RowShift,  // a + c[:, newaxis]
    RowScale,  // a * c[:, newaxis]
    ColShift,  // a + r[newaxis, :]
    ColScale,  // a * r[newaxis, :]
    RowSum,    // sum(a, axis=1): vector along rows
    RowMax,    // max(a, axis=1): vector along rows
    BlockMax,  // max over all of a (or of a vector): scalar
    Dot,       // a @ b.T: a [M,K], b [N,K] -> [M,N]
    Outer,     // outer(c, d): vectors along M and N -> block [M,N]
    // Rotary embeddings: every pair of numbers of a row (x, y) becomes (-y, x).
    RotateHalf,   // pairs of a[:, j] and a[:, j + D/2]: [-second half, first half]
    RotatePairs,  // pairs of a[:, 2*j] and a[:, 2*j + 1]
};
constexpr int kFunctionalOpCount = static_cast<int>(FunctionalOp::RotatePairs) + 1;

// Operands and result, f being the operator's scalar function.
enum class FunctionalForm : std::uint8_t {
    ByElement,  // f(a, b) of two items of one shape
    WithRows,   // f(a[i,j], c[i]): one number of the vector per row of the block
    WithCols,   // f(a[i,j], r[j]): one per column
    FoldRows,   // all numbers of a row folded into one by f: vector along rows
    FoldAll,    // all numbers of a block or vector folded into one: scalar
    Contract,   // sum over k of a[i,k] * b[j,k]
    Outer,      // f(c[i], d[j])
    Rotate,     // the numbers of each row in pairs, (x, y) becoming (f(y), x)
};

struct FunctionalOperator {
    FunctionalOp op;
    std::string_view name;  // in listings, in JSON and in CUDA
    FunctionalForm form;
    Fn fn;
    std::string_view label = {};      // in a circuit diagram; empty: the name
    bool as_sign = false;             // a listing writes t1+t2, with the sign of `fn`, instead of name(t1,t2)
    BlockNeed cols = BlockNeed::Any;  // what it needs of the blocks of its operand's columns
};

extern const std::array<FunctionalOperator, kFunctionalOpCount>
    kFunctionalOperators;  // in the order of the ops

inline const FunctionalOperator& functional_operator(FunctionalOp op) {
    return kFunctionalOperators[static_cast<std::size_t>(op)];
}
inline FunctionalForm form_of(FunctionalOp op) {
    return functional_operator(op).form;
}
inline std::string to_string(FunctionalOp op) {
    return std::string(functional_operator(op).name);
}

// Whether the numbers of the one operand are folded.
inline bool is_fold(FunctionalOp op) {
    return form_of(op) == FunctionalForm::FoldRows || form_of(op) == FunctionalForm::FoldAll;
}
inline int arity(FunctionalOp op) {
    return is_fold(op) || form_of(op) == FunctionalForm::Rotate ? 1 : 2;
}

// Nodes of a block program (Blockbuster section 2.1).
//
// Every node is immutable and has value inputs (ValueRef) and typed outputs. The kinds are the
// paper's: input, output, functional, elementwise (a functional operator given by an expression),
// map, reduction, miscellaneous.

// Unique across all nesting levels of a program and all steps of its history; never reused.
struct NodeId {
    std::uint32_t value = 0;
    auto operator<=>(const NodeId&) const = default;
    explicit operator bool() const { return value != 0; }
};

// One output of one node. `first` says how many leading list dimensions are taken at index 0:
// rule 7 peels the iteration x=0 off a map, and the peeled copy reads element 0 of the lists that
// the map iterates over. It is 0 everywhere else.
struct ValueRef {
    NodeId node;
    std::uint16_t port = 0;
    std::uint16_t first = 0;
    auto operator<=>(const ValueRef&) const = default;
    bool same_value(const ValueRef& other) const { return node == other.node && port == other.port; }
};

class Graph;
using GraphPtr = std::shared_ptr<const Graph>;

enum class InputSource : std::uint8_t {
    Array,  // data that the user gives
    // block[M,N], generated: 0 where a row sees a column, -1e30 elsewhere. Row i sees the columns up to i +
    // NN - MM, of which the input's `window` leaves the last ones only.
    CausalMask,
};

// A program input, or (with an empty name) an input port of a map's inner graph. Rank-2 items of
// a `transposed` input are blocks of the transpose of the array in memory: array V[N,L] is read
// as VT(L,N), while its physical layout stays N rows of L elements.
struct Input {
    std::string name;
    bool transposed = false;
    InputSource source = InputSource::Array;
    std::int64_t window = 0;  // of a causal mask: how many columns a row sees at most; 0: all up to its last
    bool operator==(const Input&) const = default;
};

// A program output, or (with an empty name) an output port of a map's inner graph. No outputs.
struct Output {
    std::string name;
    bool operator==(const Output&) const = default;
};

struct Functional {
    FunctionalOp op;
    bool operator==(const Functional&) const = default;
};

// Applies `expr` to each element. All inputs have one item shape, except that scalars are spread
// over blocks and vectors. The result has the type of the first input that is no scalar item.
// With `to` the result is rounded to that element type (a cast).
struct Elementwise {
    ExprPtr expr;
    std::optional<ElemType> to = std::nullopt;
};

enum class PortIn : std::uint8_t {
    Iterated,   // the list's elements, one per iteration; its first dimension is the map's
    Broadcast,  // the whole value in every iteration
    Continued,  // element 0 of the collected output, the first summand of the reduced output, or the
                // first value of the carried output, that `continues` names (rule 7); the inner graph
                // does not see it
};

enum class PortOut : std::uint8_t {
    Collected,   // a list over the map's dimension
    ReducedSum,  // one item: the sum over all iterations (rule 3)
    ReducedMax,  // one item: the elementwise maximum over all iterations
    Carried,     // one item: the last iteration's value. The inner graph reads the previous one
                 // through an extra input port; before the first iteration it is `init` everywhere,
                 // or what a peeled map continues
};

struct MapInput {
    PortIn mode = PortIn::Broadcast;
    int continues = -1;  // for Continued: index of the map's output
    bool operator==(const MapInput&) const = default;
};

struct MapOutput {
    PortOut mode = PortOut::Collected;
    double init = 0;  // for Carried: 0 or -infinity
    bool operator==(const MapOutput&) const = default;
};

// Runs `body` once per index of `dim`, from `start` on (0, or 1 after peeling).
// Input ports of the body, in order: one per map input that is not Continued, then one per
// Carried output. Output ports of the body: one per map output.
struct Map {
    DimId dim;
    int start = 0;
    SharedVector<MapInput> inputs;   // parallel to Node::inputs
    std::vector<MapOutput> outputs;  // parallel to Node::outputs
    GraphPtr body;

    // A map with a reduced or carried output runs serially (`for`), any other in parallel.
    bool serial() const;
};

enum class ReduceOp : std::uint8_t { Sum, Max };

// Removes the first dimension (`dim`) of its one input list. Items may be lists themselves.
struct Reduce {
    ReduceOp op = ReduceOp::Sum;
    DimId dim;
    bool operator==(const Reduce&) const = default;
};

// An array operator that has no block form: custom("name", ...) of the language, or "transpose" of
// an intermediate result. Takes and gives whole lists; nothing fuses across it.
struct Misc {
    std::string name;
    bool operator==(const Misc&) const = default;
};

using Kind = std::variant<Input, Output, Functional, Elementwise, Map, Reduce, Misc>;

struct Node {
    NodeId id;
    Kind kind;
    SharedVector<ValueRef> inputs;
    std::vector<Type> outputs;  // empty for Output

    template <class K>
    const K* as() const {
        return std::get_if<K>(&kind);
    }
    template <class K>
    bool is() const {
        return std::holds_alternative<K>(kind);
    }
};

using NodePtr = std::shared_ptr<const Node>;

std::string to_string(NodeId id);  // "n12"

// Whether two maps' modes, elementwise expressions and so on are the same, ids and inner graphs
// apart.
bool same_kind(const Kind& a, const Kind& b);

}  // namespace blockscope
