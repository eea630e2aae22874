// Shapes and element types of array operators, from their operands'.
#pragma once

#include <optional>
#include <string>

#include "core/program/array_program.h"

namespace blockscope {

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

// The smallest i < count for which Arg{i} does not occur in `expr`; -1 if all do.
int first_unused_argument(const Expr& expr, int count);

}  // namespace blockscope
