// Array programs: a directed acyclic graph of operators on large arrays (Blockbuster section 1),
// as the text language or JSON gives it, checked and typed. Straight-line SSA: every operator
// refers to earlier ones.
#pragma once

#include <string>
#include <vector>

#include "core/graph/expr.h"
#include "core/graph/node.h"
#include "core/graph/type.h"
#include "core/support/result.h"
#include "core/support/stop_sign.h"

namespace blockscope {

// Leading batch dimensions and 0, 1 or 2 axes (scalar, vector, matrix). Q[B,H,M,D] has batch B,H
// and axes M,D.
struct Shape {
    std::vector<DimId> batch;
    std::vector<DimId> axes;
    bool operator==(const Shape&) const = default;
};

enum class ArrayOpKind : std::uint8_t {
    Input,        // no operands; `source`
    Elementwise,  // `expr` over operands of equal axes; scalar arrays are spread over the others
    Broadcast,    // `fn` (Add, Sub, Mul, Div) of a matrix and a vector, in the operands' order;
                  // `vector_axis` says along which axis of the matrix the vector runs
    Matmul,       // operand 0 [.., M, K] @ operand 1 [.., K, N]
    Transpose,    // swaps the two axes of a matrix
    Softmax,      // over the last axis
    RmsNorm,      // over the last axis; operand 1, if there, is the learned weight of that axis
    LayerNorm,    // over the last axis; operands 1 and 2, if there, are the weight and the bias
    RowSum,
    RowMean,
    RowMax,   // over the last axis: a matrix becomes a vector along its rows
    Outer,    // vectors along M and N -> matrix [M, N]
    SumOver,  // sum over the batch dimension `dim`
    Cast,     // to `elem`
    Custom,   // `custom_name`, opaque
};

enum class VectorAxis : std::uint8_t { Rows, Cols };  // Rows: one value per row (column vector)

struct ArrayOp {
    ArrayOpKind kind = ArrayOpKind::Input;
    std::string name;           // the user's name; empty for a nameless intermediate
    std::vector<int> operands;  // indices of earlier operators
    ExprPtr expr;               // Elementwise
    Fn fn = Fn::Add;            // Broadcast
    VectorAxis vector_axis = VectorAxis::Cols;
    InputSource source = InputSource::Array;
    bool paper_form =
        false;           // norms: the paper's form, without the division by the size (rmsnorm) and epsilon
    double epsilon = 0;  // norms in the usual form
    DimId dim;           // SumOver
    std::string custom_name;        // Custom
    Shape shape;                    // of the result
    ElemType elem = ElemType::F32;  // of the result
    Place place;                    // where the text or JSON says it
};

struct ArrayOutput {
    std::string name;
    int op = 0;
    Place place;
};

struct ArrayProgram {
    DimTable dims;
    std::vector<ArrayOp> ops;
    std::vector<ArrayOutput> outputs;
    std::vector<std::string> comment;  // the leading comment lines of the file, without '#'
};

// Parses and checks a program in the text language (docs/language.md). All problems are reported,
// each with file:line:column. Limits: 64 MiB, 100,000 operators, rank 8, names of 256 bytes, extents below
// 2^31, nesting depth 128. While `stop` is up, it ends with Stopped.
Result<ArrayProgram> parse_program(const std::string& text, const std::string& file,
                                   const StopSign& stop = kNeverStop);

// The program in the text language. parse_program(print_program(p)) is p again, places apart.
std::string print_program(const ArrayProgram& program);

// Checks what the types alone do not rule out, for programs from any source (shapes, element
// types, names, limits, collisions of listing names), and fills in every operator's shape and
// elem from its operands' (given shapes of Input and Custom stay). Returns all problems; none
// means that the program is valid.
Problems check_program(ArrayProgram& program);

}  // namespace blockscope
