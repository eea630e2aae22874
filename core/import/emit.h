// From a tensor graph whose dimensions are known to an array program: its axes, its arrays and their names.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/import/atoms.h"
#include "core/import/recognise.h"
#include "core/program/array_program.h"
#include "core/program/names.h"

namespace blockscope::model {

// Which atoms are axes of arrays and which are batch dimensions: in the language a dimension is one of them
// everywhere, and an array has at most two axes.

enum class AtomRole : std::uint8_t { Open, Axis, Batch };

// By atom. What softmax and norms run along and what products sum over are axes; what both operands of a
// product have as a batch is one. Rows are chosen last, the innermost first. A choice that an operator cannot
// live with makes that operator custom later; the first one in the graph wins.
std::vector<AtomRole> roles_of_atoms(const TensorGraph& graph, const TrackedDimensions& dims,
                                     const std::map<std::size_t, Text>& opaque);

// Where the numbers of a program's input lie: in the order of its dimensions, a size and a step through the
// elements of a tensor of the model.
struct InputNumbers {
    int op = -1;      // in the program
    int tensor = -1;  // of the graph
    std::int64_t offset = 0;
    Sizes sizes;
    Sizes steps;
};

// The same for an output: where its numbers go in the tensor of the model.
struct OutputNumbers {
    int tensor = -1;
    Sizes sizes;
    Sizes steps;
};

struct CustomNode {
    std::size_t node = 0;
    std::vector<int> ops;  // in the program
};

struct EmittedProgram {
    ArrayProgram program;                // its dimensions and operators have no names yet
    std::vector<int> atoms;              // by dimension
    std::vector<std::string> hints;      // by operator: what the model calls it; may be empty
    std::vector<InputNumbers> inputs;    // masks apart
    std::map<int, int> leaves;           // of all inputs: operator -> tensor, a part of a weight for itself
    std::vector<OutputNumbers> outputs;  // in the order of the program's
    std::vector<CustomNode> customs;
    std::vector<Text> remarks;
    int activations = 0;
    Text hopeless;  // why nothing can be made of the graph; empty: something was
};

// Emits every node, those of `opaque` as custom operators. Nodes that have no form are added to `opaque` with
// the reason, and the result is then worth nothing: the dimensions have to be tracked anew without them.
// `declared` are the atoms whose dimensions the program declares first, in a readable order; it may be empty.
EmittedProgram emit_program(const TensorGraph& graph, const TrackedDimensions& dims,
                            const std::vector<AtomRole>& roles, const std::map<int, WeightPart>& parts,
                            const std::vector<int>& declared, std::map<std::size_t, Text>& opaque);

// Arrays of the program that is being written, and how tensors are seen in them.

// Why a node has no form.
struct Refusal {
    Text why;
};

// One atom of a tensor's dimension: a dimension of the array, or repeated (slot -1), which the array lacks.
struct Element {
    int atom = -1;
    int slot = -1;
};
using Elements = std::vector<Element>;

// A tensor as a program has it: an array, whose dimensions may stand in another order and be grouped.
struct Seen {
    int array = -1;
    std::vector<Elements> dims;
    std::optional<double> number;  // a constant with one element: no array
    bool broken = false;           // what makes it was refused
};

// Slots of an array: that of its rows, and the one along them.
struct RowsOf {
    int row = -1;
    int last = -1;
};

ElemType element_type(TensorKind kind);  // f32 of those that the language does not have

class EmittedArrays {
public:
    EmittedArrays(const TensorGraph& graph, const TrackedDimensions& dims, const std::vector<AtomRole>& roles,
                  const std::map<int, WeightPart>& parts);

    // Declares dimensions for these atoms: batch dimensions first, each kind in the order of the model.
    void declare(std::vector<int> atoms);

    // An input or a weight. The order of its dimensions in the program is that in which it is used first.
    Seen leaf(int tensor, const std::vector<AtomList>& dims);

    // Operators; the operands' dimensions are aligned from the last one on, as numpy does.
    using BuildExpression = std::function<ExprPtr(std::vector<ExprPtr>)>;
    Seen combined(const std::vector<Seen>& operands, std::optional<Fn> fn, const BuildExpression& build);
    Seen same_axes(ArrayOp op, const Seen& x);
    // Softmax and norms along `along`, with vectors (operators) along it.
    Seen by_rows(ArrayOp op, const Seen& x, const Elements& along, const std::vector<int>& vectors);
    // Rows of x rotated by cosines and sines, each a number for every row and column. What needs the columns
    // in one block has that.
    Seen rope(ArrayOpKind kind, const Seen& x, const Seen& cosines, const Seen& sines);
    Seen reduced(ArrayOpKind kind, const Seen& x, const Elements& gone, const std::vector<Elements>& left);
    // A custom operator whose result has these dimensions, or those of its first operand.
    Seen given(ArrayOp op, const std::vector<AtomList>& dims);
    Seen given_like(ArrayOp op, const Seen& like);

    // The operator that makes the array, its axes in this order of slots.
    int fetch(int array, const std::vector<int>& axes);
    int fetch_all(const Seen& seen);
    int op_of(int array) const { return arrays_[static_cast<std::size_t>(array)].op; }
    ElemType elem_of(int op) const { return program_.ops[static_cast<std::size_t>(op)].elem; }
    OutputNumbers output(const Seen& seen, int tensor);

    // For products (emitted_arrays.cpp).
    bool is_axis(int atom) const { return roles_[static_cast<std::size_t>(atom)] == AtomRole::Axis; }
    DimId dimension(int atom);
    int add(ArrayOp op);
    // The result of operator `op`: elements of `dims` with a slot other than -1 get slots of the new array,
    // those of `axes` (atoms and places in `dims`, rows first) are its axes.
    Seen made(int op, std::vector<Elements> dims, const std::vector<Element*>& axes);

    const std::vector<InputNumbers>& inputs() const { return inputs_; }
    const std::map<int, int>& leaves() const { return leaves_; }
    std::vector<int> atoms_of_dimensions() const { return dimension_atoms_; }
    ArrayProgram take_program() { return std::move(program_); }

private:
    struct Array {
        int op = -1;             // -1: a leaf whose order is open
        int transposed = -1;     // the operator that transposes it
        std::vector<int> axes;   // slots, in the order of the operator
        std::vector<int> atoms;  // by slot
        int tensor = -1;         // leaf
        Sizes steps;             // leaf: by slot, in elements of the tensor
        bool may_be_mask = false;
    };

    Array& at(int array) { return arrays_[static_cast<std::size_t>(array)]; }
    std::vector<int> natural_axes(const Seen& seen) const;
    // The axes of a matrix whose rows run along one dimension; refused with `otherwise` where it is no one
    // axis.
    RowsOf rows_of(const Seen& x, const Elements& along, const Text& otherwise) const;
    // What an operator makes of each row of x: of the same axes.
    Seen made_by_rows(int op, const Seen& x, const RowsOf& rows);
    void place(Array& array);
    bool is_causal(const Array& array) const;
    std::vector<DimId> batch_of(const Array& array);
    void mark_mask(const Seen& seen);
    WeightPart part_of(int tensor) const;

    const TensorGraph& graph_;
    const std::vector<AtomRole>& roles_;
    const AtomTable& atoms_;
    const std::map<int, WeightPart>& parts_;
    std::vector<int> order_;  // by atom: batch dimensions stand in this order
    std::vector<Array> arrays_;
    ArrayProgram program_;
    std::vector<int> dimension_atoms_;
    std::map<int, DimId> dimensions_;
    std::map<int, int> input_leaves_;                         // of inputs: tensor -> array
    std::map<std::pair<int, std::vector<int>>, int> placed_;  // tensor and atoms -> operator
    std::vector<InputNumbers> inputs_;
    std::map<int, int> leaves_;
};

// A product of two tensors: contracted atoms that are batch dimensions are summed over afterwards.
class ProductEmission {
public:
    ProductEmission(EmittedArrays& arrays, Seen a, Seen b)
        : arrays_(arrays), a_(std::move(a)), b_(std::move(b)) {}
    Seen run();

private:
    void contract();
    void free_ones();
    void distinct_batches() const;
    int only_axis(const std::vector<const Elements*>& free) const;

    EmittedArrays& arrays_;
    Seen a_, b_;
    int sum_left_ = -1, sum_right_ = -1;  // the slots of the contracted axis
    std::vector<int> summed_;             // contracted atoms that are batch dimensions
    std::vector<const Elements*> left_, right_;
    std::vector<int> batches_;  // atoms
};

}  // namespace blockscope::model
