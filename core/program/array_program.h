// The table of array operators: what the text language and JSON call them, how many operands they take, and
// the form that their shapes, their transposes and their rows follow. What an operator computes stands beside
// the others of its form, once as an evaluation of whole arrays (core/exec/array_evaluator.cpp) and once as
// maps of a block program (core/program/convert.cpp); a diagram shows it as opaque unless
// a row of core/diagram/operators.h stands for it. Of a new operator that takes matrices row by row, nothing
// else has to know.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/expr.h"
#include "core/graph/node.h"
#include "core/graph/type.h"
#include "core/support/result.h"
#include "core/support/stop_sign.h"

namespace blockscope {

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
    // A rotary embedding, operands 1 and 2 being cosines and sines: a * cos + rotated(a) * sin, where pairs
    // of numbers (x, y) of a row become (-y, x).
    Rope,             // pairs are those at j and at j + half of the row
    RopeInterleaved,  // pairs are neighbours
    RowSum,
    RowMean,
    RowMax,   // over the last axis: a matrix becomes a vector along its rows
    Outer,    // vectors along M and N -> matrix [M, N]
    SumOver,  // sum over the batch dimension `dim`
    Cast,     // to `elem`
    Custom,   // `custom_name`, opaque
};
constexpr int kArrayOpCount = static_cast<int>(ArrayOpKind::Custom) + 1;

// How the result's shape comes from the operands'.
enum class ArrayForm : std::uint8_t {
    Given,      // a shape that the program states
    ByElement,  // operands of equal axes, or scalars: the same axes
    Spread,     // a matrix and a vector along one of its axes: the matrix's axes
    Product,    // [M, K] and [K, N]: [M, N]
    Transpose,  // [M, N]: [N, M]
    KeepRows,   // a matrix, row by row, then vectors along its rows' axis: the matrix's axes
    Rotate,     // three matrices of the same axes, row by row: the same axes; the batch is the first one's
    FoldRows,   // a matrix, row by row: a vector along its rows
    Outer,      // vectors along M and N: [M, N]
    OverBatch,  // without one batch dimension
};

struct ArrayOperator {
    ArrayOpKind kind;
    std::string_view name;  // in JSON
    ArrayForm form;
    int least = 1;                    // operands, at least
    int most = 1;                     // and at most
    std::string_view function = {};   // in the text language; empty: it has a sign or a syntax of its own
    std::string_view described = {};  // in messages; empty: the function
    FunctionalOp rotates = FunctionalOp::RotateHalf;  // of the form Rotate: what pairs the numbers of a row
};

constexpr int kMaxArguments = 64;  // of one elementwise or custom operator

inline constexpr std::array<ArrayOperator, kArrayOpCount> kArrayOperators = {{
    {.kind = ArrayOpKind::Input,
     .name = "input",
     .form = ArrayForm::Given,
     .least = 0,
     .most = 0,
     .described = "an input"},
    {.kind = ArrayOpKind::Elementwise,
     .name = "elementwise",
     .form = ArrayForm::ByElement,
     .most = kMaxArguments,
     .described = "an elementwise operator"},
    {.kind = ArrayOpKind::Broadcast,
     .name = "broadcast",
     .form = ArrayForm::Spread,
     .least = 2,
     .most = 2,
     .described = "an operator on a matrix and a vector"},
    {.kind = ArrayOpKind::Matmul,
     .name = "matmul",
     .form = ArrayForm::Product,
     .least = 2,
     .most = 2,
     .described = "'@'"},
    {.kind = ArrayOpKind::Transpose, .name = "transpose", .form = ArrayForm::Transpose, .described = ".T"},
    {.kind = ArrayOpKind::Softmax, .name = "softmax", .form = ArrayForm::KeepRows, .function = "softmax"},
    {.kind = ArrayOpKind::RmsNorm,
     .name = "rms_norm",
     .form = ArrayForm::KeepRows,
     .most = 2,
     .function = "rmsnorm"},
    {.kind = ArrayOpKind::LayerNorm,
     .name = "layer_norm",
     .form = ArrayForm::KeepRows,
     .most = 3,
     .function = "layernorm"},
    {.kind = ArrayOpKind::Rope,
     .name = "rope",
     .form = ArrayForm::Rotate,
     .least = 3,
     .most = 3,
     .function = "rope"},
    {.kind = ArrayOpKind::RopeInterleaved,
     .name = "rope_interleaved",
     .form = ArrayForm::Rotate,
     .least = 3,
     .most = 3,
     .function = "rope_interleaved",
     .rotates = FunctionalOp::RotatePairs},
    {.kind = ArrayOpKind::RowSum, .name = "row_sum", .form = ArrayForm::FoldRows, .function = "row_sum"},
    {.kind = ArrayOpKind::RowMean, .name = "row_mean", .form = ArrayForm::FoldRows, .function = "row_mean"},
    {.kind = ArrayOpKind::RowMax, .name = "row_max", .form = ArrayForm::FoldRows, .function = "row_max"},
    {.kind = ArrayOpKind::Outer,
     .name = "outer",
     .form = ArrayForm::Outer,
     .least = 2,
     .most = 2,
     .function = "outer"},
    {.kind = ArrayOpKind::SumOver, .name = "sum_over", .form = ArrayForm::OverBatch, .function = "sum"},
    {.kind = ArrayOpKind::Cast, .name = "cast", .form = ArrayForm::ByElement, .function = "cast"},
    {.kind = ArrayOpKind::Custom,
     .name = "custom",
     .form = ArrayForm::Given,
     .most = kMaxArguments,
     .function = "custom"},
}};

// Of rope, by element: the rotation, two products and their sum.
constexpr int kRopeOperations = 4;

constexpr bool array_operators_in_order() {
    for (int i = 0; i < kArrayOpCount; ++i)
        if (static_cast<int>(kArrayOperators[static_cast<std::size_t>(i)].kind) != i) return false;
    return true;
}
static_assert(array_operators_in_order(), "the rows stand in the order of ArrayOpKind");

constexpr const ArrayOperator& array_operator(ArrayOpKind kind) {
    return kArrayOperators[static_cast<std::size_t>(kind)];
}
constexpr ArrayForm form_of(ArrayOpKind kind) {
    return array_operator(kind).form;
}
// "softmax", "'@'", "an input".
inline std::string describe(ArrayOpKind kind) {
    const ArrayOperator& row = array_operator(kind);
    return std::string(row.described.empty() ? row.function : row.described);
}

// Array programs: a directed acyclic graph of operators on large arrays (Blockbuster section 1),
// as the text language or JSON gives it, checked and typed. Straight-line SSA: every operator
// refers to earlier ones.

// Leading batch dimensions and 0, 1 or 2 axes (scalar, vector, matrix). Q[B,H,M,D] has batch B,H
// and axes M,D.
struct Shape {
    std::vector<DimId> batch;
    std::vector<DimId> axes;
    bool operator==(const Shape&) const = default;
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
    std::int64_t window = 0;        // of a causal mask: how many columns a row sees at most; 0: no such limit
    DimId dim;                      // SumOver
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
// A scalar expression over `names` in the syntax of the text language: "x * exp(y)".
std::string expr_text(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims);

// Checks what the types alone do not rule out, for programs from any source (shapes, element
// types, names, limits, collisions of listing names), and fills in every operator's shape and
// elem from its operands' (given shapes of Input and Custom stay). Returns all problems; none
// means that the program is valid.
Problems check_program(ArrayProgram& program);

// Shapes and element types of array operators, from their operands'.

constexpr int kMaxArrayOps = 100'000;
constexpr double kRmsNormEpsilon = 1e-6;
constexpr double kLayerNormEpsilon = 1e-5;
constexpr int kMaxExprDepth = 128;
constexpr int kMaxExprSize = 10'000;
constexpr int kMaxMatmulBatch = kMaxRank - 3;  // its unfused block form is a list over batch, M, N and K

// "[B, H, M, D]"
std::string to_string(const Shape& shape, const DimTable& dims);

// What is wrong with a shape that is given, as a sentence; empty if it is right. Dimensions must exist.
Text shape_problem(const Shape& shape, const DimTable& dims);

// Checks `op`, whose operands are earlier operators of `program` and right, and fills in its shape
// and element type (Input's and Custom's are given and only checked). Returns what is wrong as a
// sentence, or an empty text.
Text infer(const ArrayProgram& program, ArrayOp& op);

// What the operators need of the blocks of dimensions.
BlockNeeds block_needs(const ArrayProgram& program);

// The operators, but inputs, that neither an operator nor an output uses: indices in ArrayProgram::ops.
std::vector<std::size_t> unused_operators(const ArrayProgram& program);

// The smallest i < count for which Arg{i} does not occur in `expr`; -1 if all do.
int first_unused_argument(const Expr& expr, int count);

}  // namespace blockscope
