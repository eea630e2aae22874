// One small array program for every operator in every variant that the conversion distinguishes.
#pragma once

#include <string>
#include <vector>

#include "core/program/array_program.h"

namespace blockscope::test {

// What the program does with the operator's result.
enum class Use { Plain, TransposedOnly, BothWays };

struct CaseDims {
    std::string batch;  // letters of ArrayMaker's batch and group dimensions
    char rows;
    char cols;
    char inner;
};

struct OperatorCase {
    std::string name;
    ArrayProgram program;
    int maps;  // top-level operators for Use::Plain, by Table 2
};

// Some operands lack the last batch dimension. TransposedOnly and BothWays leave out operators
// whose result is no matrix.
std::vector<OperatorCase> operator_cases(const CaseDims& dims, Use use);

// Every combination of 0, 1 and 2 batch dimensions or a group with distinct, repeated and self-named axes.
std::vector<CaseDims> all_case_dims();

// All operators on all of these, used in every way; the names say on which.
std::vector<OperatorCase> every_operator_case();

}  // namespace blockscope::test
